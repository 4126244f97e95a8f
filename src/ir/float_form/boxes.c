/* Decomposition of non-maximum suppression (NMS). For each of the k boxes: finds the best score of
 * each row and its index, then removes the scores of all boxes that overlap that box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/form.h"

/* The corners of a box, as columns. */
enum { TOP, LEFT, BOTTOM, RIGHT, CORNERS };

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *number(qn_form *f, double value) {
  return qn_build_float(f->b, value, qn_type_float(f->cx, QN_F32));
}
static qn_value *index_of(qn_form *f, uint32_t loop) {
  qn_value *at = qn_build_1(f->b, QN_OP_LINALG_INDEX, qn_type_index(f->cx), NULL, 0,
                            QN_ATTRS({"dim", qn_attr_i64(f->cx, loop)}));
  return qn_build_unary(f->b, QN_OP_ARITH_INDEX_CAST, at, qn_type_i(f->cx, 32));
}

/* Loops over rows, and over boxes. */
enum { ROW, BOX };

static qn_form_access by(qn_form *f, qn_value *x, int64_t loop) {
  return (qn_form_access){.value = x, .at = {qn_form_dim(f, loop)}};
}
static qn_form_access corner(qn_form *f, qn_value *boxes, int64_t loop, int64_t column) {
  return (qn_form_access){.value = boxes,
                          .at = {qn_form_dim(f, loop), qn_affine_const(f->cx, column)}};
}

/* The score, or the neutral value if it does not count. */
static qn_value *counted(qn_form *f, qn_value *score) {
  qn_value *least = number(f, qn_op_score_threshold(f->op));
  qn_value *counts = qn_form_compare_reals(f, QN_CMP_OGE, score, least);
  return qn_build_select(f->b, counts, score, number(f, -INFINITY));
}

/* A reduction of each row of scores. */
typedef qn_value *reduce_fn(qn_form *f, qn_value *score, qn_value *best, qn_value *so_far);
static qn_value *reduced(qn_form *f, qn_value *scores, qn_value *best, const qn_attr *initial,
                         const qn_type *element, reduce_fn *body) {
  const qn_type *type = qn_type_tensor(f->cx, element, 1, scores->type->shaped.dims);
  qn_form_access inputs[] = {qn_form_whole(f, scores), {0}};
  if (best) inputs[1] = by(f, best, ROW);
  uint32_t count = best ? 2 : 1;
  qn_form_access output = by(f, qn_form_fill_with(f, type, initial), ROW);
  qn_op *generic = qn_form_open(f, 2, UINT64_C(1) << BOX, inputs, count, &output);
  return qn_form_close(f, generic,
                       body(f, qn_form_element(generic, 0),
                            best ? qn_form_element(generic, 1) : NULL,
                            qn_form_element(generic, count)));
}

static qn_value *greater(qn_form *f, qn_value *score, qn_value *best, qn_value *so_far) {
  (void)best;
  return binary(f, QN_OP_ARITH_MAXIMUMF, so_far, score);
}
static qn_value *first_of(qn_form *f, qn_value *score, qn_value *best, qn_value *so_far) {
  qn_value *is = qn_form_compare_reals(f, QN_CMP_OEQ, score, best), *at = index_of(f, BOX);
  at = qn_build_select(f->b, is, at, qn_build_int(f->b, INT32_MAX, at->type));
  return binary(f, QN_OP_ARITH_MINSI, so_far, at);
}

/* The index of the best box of each row; -1 if none. */
static qn_value *best_box(qn_form *f, qn_value *scores) {
  const qn_type *f32 = qn_type_float(f->cx, QN_F32), *i32 = qn_type_i(f->cx, 32);
  const qn_attr *none = qn_attr_float(f->cx, -INFINITY, f32);
  qn_value *best = reduced(f, scores, NULL, none, f32, greater);
  qn_value *first = reduced(f, scores, best, qn_attr_int(f->cx, INT32_MAX, i32), i32, first_of);
  qn_form_access inputs[] = {by(f, best, ROW), by(f, first, ROW)};
  qn_form_access output = by(f, qn_form_empty(f, first->type), ROW);
  qn_op *generic = qn_form_open(f, 1, 0, inputs, 2, &output);
  qn_value *is_none =
      qn_form_compare_reals(f, QN_CMP_OEQ, qn_form_element(generic, 0), number(f, -INFINITY));
  qn_value *nowhere = qn_build_int(f->b, -1, i32);
  return qn_form_close(f, generic,
                       qn_build_select(f->b, is_none, nowhere, qn_form_element(generic, 1)));
}

/* ---- overlaps ---- */

static qn_value *area(qn_form *f, qn_value *const *box) {
  qn_value *height = binary(f, QN_OP_ARITH_SUBF, box[BOTTOM], box[TOP]);
  qn_value *width = binary(f, QN_OP_ARITH_SUBF, box[RIGHT], box[LEFT]);
  return binary(f, QN_OP_ARITH_MULF, height, width);
}

/* The extent of the intersection between corners `from` and `to`; not negative. */
static qn_value *extent(qn_form *f, qn_value *const *a, qn_value *const *b, int from, int to) {
  qn_value *low = binary(f, QN_OP_ARITH_MAXIMUMF, a[from], b[from]);
  qn_value *high = binary(f, QN_OP_ARITH_MINIMUMF, a[to], b[to]);
  qn_value *length = binary(f, QN_OP_ARITH_SUBF, high, low);
  return binary(f, QN_OP_ARITH_MAXIMUMF, length, number(f, 0.0));
}

/* Whether intersection over union exceeds the threshold; a box without area overlaps nothing. */
static qn_value *overlaps(qn_form *f, qn_value *const *a, qn_value *const *b) {
  qn_value *area_a = area(f, a), *area_b = area(f, b), *zero = number(f, 0.0);
  qn_value *common = extent(f, a, b, TOP, BOTTOM);
  common = binary(f, QN_OP_ARITH_MULF, common, extent(f, a, b, LEFT, RIGHT));
  qn_value *all = binary(f, QN_OP_ARITH_ADDF, area_a, area_b);
  all = binary(f, QN_OP_ARITH_SUBF, all, common);
  qn_value *share = binary(f, QN_OP_ARITH_DIVF, common, all);
  qn_value *most = number(f, qn_op_iou_threshold(f->op));
  qn_value *is_empty = qn_form_compare_reals(f, QN_CMP_OLE, area_a, zero);
  is_empty =
      binary(f, QN_OP_ARITH_ORI, is_empty, qn_form_compare_reals(f, QN_CMP_OLE, area_b, zero));
  qn_value *over = qn_form_compare_reals(f, QN_CMP_OGT, share, most);
  return qn_build_select(f->b, is_empty, qn_build_int(f->b, 0, is_empty->type), over);
}

/* The scores with those of the found box and of boxes that overlap it removed. */
static qn_value *struck(qn_form *f, qn_value *scores, qn_value *boxes, qn_value *found) {
  const int64_t dims[] = {scores->type->shaped.dims[0], CORNERS};
  const qn_type *type = qn_type_tensor(f->cx, qn_type_element(boxes->type), 2, dims);
  qn_value *best = qn_build_1(f->b, QN_OP_ML_GATHER, type, QN_VALUES(boxes, found),
                              QN_ATTRS({"axis", qn_attr_i64(f->cx, 0)}));
  enum { SCORE, FOUND, MINE, OTHER = MINE + CORNERS, COUNT = OTHER + CORNERS };
  qn_form_access inputs[COUNT] = {qn_form_whole(f, scores), by(f, found, ROW)};
  qn_value *mine[CORNERS], *other[CORNERS];
  for (int c = 0; c < CORNERS; c++) {
    inputs[MINE + c] = corner(f, best, ROW, c);
    inputs[OTHER + c] = corner(f, boxes, BOX, c);
  }
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, scores->type));
  qn_op *generic = qn_form_open(f, 2, 0, inputs, COUNT, &output);
  for (uint32_t c = 0; c < CORNERS; c++) {
    mine[c] = qn_form_element(generic, MINE + c);
    other[c] = qn_form_element(generic, OTHER + c);
  }
  qn_value *is_over = overlaps(f, mine, other);
  qn_value *is_same =
      qn_build_cmpi(f->b, QN_CMP_EQ, index_of(f, BOX), qn_form_element(generic, FOUND));
  qn_value *is_out = binary(f, QN_OP_ARITH_ORI, is_over, is_same), *none = number(f, -INFINITY);
  return qn_form_close(f, generic,
                       qn_build_select(f->b, is_out, none, qn_form_element(generic, SCORE)));
}

static qn_value *stored_suppression(qn_form *f) {
  qn_value *boxes = f->operands[0], *scores = qn_form_map(f, f->operands[1], counted);
  const qn_type *type = f->op->results[0].type;
  int64_t k = qn_op_top(f->op), column[] = {type->shaped.dims[0], 1};
  const qn_type *part = qn_type_tensor(f->cx, qn_type_element(type), 2, column);
  qn_value **parts = qn_arena_array(&f->b->module->arena, (size_t)k, sizeof *parts);
  for (int64_t i = 0; i < k; i++) {
    qn_value *found = best_box(f, scores);
    parts[i] = qn_build_unary(f->b, QN_OP_ML_RESHAPE, found, part);
    if (i + 1 < k) scores = struck(f, scores, boxes, found);
  }
  if (k == 1) return parts[0];
  return qn_build_1(f->b, QN_OP_ML_CONCAT, type, parts, (uint32_t)k,
                    QN_ATTRS({"axis", qn_attr_i64(f->cx, 1)}));
}
const qn_float_form qn_float_form_ml_non_maximum_suppression = {
    .none = "its form is on stored values", .stored = stored_suppression};

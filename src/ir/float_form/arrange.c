/* Decompositions of data movement ops into simpler ones. Intermediate types are the operand's, so
 * only the op itself can change the quantization.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

/* An intermediate op, or the last one, whose result is that of the decomposition. */
typedef struct shape {
  uint32_t rank;
  int64_t dims[QN_FORM_MAX_RANK + 1];
} shape;

static shape shape_of(const qn_value *x) {
  shape s = {.rank = x->type->shaped.rank};
  for (uint32_t i = 0; i < s.rank; i++) s.dims[i] = x->type->shaped.dims[i];
  return s;
}

static qn_value *move(qn_form *f, qn_op_kind kind, qn_value *x, const shape *s,
                      const qn_attr_arg *attrs) {
  const qn_type *type = qn_type_tensor(f->cx, qn_type_element(x->type), s->rank, s->dims);
  return qn_build_1(f->b, kind, type, QN_VALUES(x), attrs);
}

static qn_value *reshape(qn_form *f, qn_value *x, const shape *s) {
  return move(f, QN_OP_ML_RESHAPE, x, s, NULL);
}

/* Converts the value to the op's result type, which may differ in quantization only. */
static qn_value *last(qn_form *f, qn_value *x) {
  const qn_type *type = f->op->results[0].type;
  return x->type == type ? x : qn_build_1(f->b, QN_OP_ML_RESHAPE, type, QN_VALUES(x), NULL);
}

static qn_value *transpose(qn_form *f, qn_value *x, const int64_t *perm) {
  shape s = shape_of(x), to = s;
  for (uint32_t i = 0; i < s.rank; i++) to.dims[i] = s.dims[perm[i]];
  return move(f, QN_OP_ML_TRANSPOSE, x, &to, QN_ATTRS({"perm", qn_attr_i64s(f->cx, perm, s.rank)}));
}

qn_value *qn_form_take(qn_form *f, qn_value *x, uint32_t axis, const int32_t *indices,
                       int64_t count) {
  bool same = count == x->type->shaped.dims[axis];
  for (int64_t i = 0; same && i < count; i++) same = indices[i] == i;
  if (same) return x;
  qn_value *row = qn_form_row(f, qn_type_i(f->cx, 32), indices, count);
  shape s = shape_of(x);
  s.dims[axis] = count;
  const qn_type *type = qn_type_tensor(f->cx, qn_type_element(x->type), s.rank, s.dims);
  return qn_build_1(f->b, QN_OP_ML_GATHER, type, QN_VALUES(x, row),
                    QN_ATTRS({"axis", qn_attr_i64(f->cx, axis)}));
}

static int32_t *indices_of(qn_form *f, int64_t count) {
  return qn_arena_array(&f->b->module->arena, (size_t)count, sizeof(int32_t));
}

#define MOVES(name)                                                                                \
  const qn_float_form qn_float_form_ml_##name = {.none = "there is no float op for it",            \
                                                 .stored = build_##name}

/* ---- along axes ---- */

static qn_value *build_tile(qn_form *f) {
  qn_value *x = f->operands[0];
  for (uint32_t d = 0; d < x->type->shaped.rank; d++) {
    int64_t size = x->type->shaped.dims[d], count = size * qn_op_reps(f->op).data[d];
    int32_t *indices = indices_of(f, count);
    for (int64_t i = 0; i < count; i++) indices[i] = (int32_t)(i % size);
    x = qn_form_take(f, x, d, indices, count);
  }
  return last(f, x);
}
MOVES(tile);

static qn_value *build_reverse(qn_form *f) {
  qn_i64s axes = qn_op_axes(f->op);
  qn_value *x = f->operands[0];
  shape s = shape_of(x);
  int64_t begin[QN_FORM_MAX_RANK], end[QN_FORM_MAX_RANK], stride[QN_FORM_MAX_RANK];
  for (uint32_t d = 0; d < s.rank; d++) begin[d] = 0, end[d] = s.dims[d], stride[d] = 1;
  for (uint32_t i = 0; i < axes.count; i++) {
    int64_t d = axes.data[i];
    begin[d] = s.dims[d] - 1, end[d] = -1, stride[d] = -1;
  }
  return last(f, move(f, QN_OP_ML_SLICE_BY_INDEX, x, &s,
                      QN_ATTRS({"begin", qn_attr_i64s(f->cx, begin, s.rank)},
                               {"end", qn_attr_i64s(f->cx, end, s.rank)},
                               {"stride", qn_attr_i64s(f->cx, stride, s.rank)})));
}
MOVES(reverse);

static qn_value *build_mirror_pad(qn_form *f) {
  qn_i64s pad = qn_op_pad(f->op);
  int64_t skipped = qn_op_mirror_mode(f->op) == QN_MIRROR_REFLECT ? 1 : 0;
  qn_value *x = f->operands[0];
  for (uint32_t d = 0; d < x->type->shaped.rank; d++) {
    int64_t size = x->type->shaped.dims[d], before = pad.data[2 * d];
    int64_t count = before + size + pad.data[2 * d + 1];
    int32_t *indices = indices_of(f, count);
    for (int64_t i = 0; i < count; i++) {
      int64_t at = i - before;
      if (at < 0) at = -at - 1 + skipped;
      if (at >= size) at = 2 * size - 1 - skipped - at;
      indices[i] = (int32_t)at;
    }
    x = qn_form_take(f, x, d, indices, count);
  }
  return last(f, x);
}
MOVES(mirror_pad);

static qn_value *build_stack(qn_form *f) {
  uint32_t count = f->op->operand_count;
  int64_t axis = qn_op_axis(f->op);
  qn_value **parts = qn_arena_array(&f->b->module->arena, count, sizeof *parts);
  const qn_type *element = qn_type_element(f->op->results[0].type);
  shape s = shape_of(f->operands[0]);
  for (uint32_t i = s.rank; i > axis; i--) s.dims[i] = s.dims[i - 1];
  s.dims[axis] = 1;
  s.rank++;
  const qn_type *type = qn_type_tensor(f->cx, element, s.rank, s.dims);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = qn_build_1(f->b, QN_OP_ML_RESHAPE, type, QN_VALUES(f->operands[i]), NULL);
  return qn_build_1(f->b, QN_OP_ML_CONCAT, f->op->results[0].type, parts, count,
                    QN_ATTRS({"axis", qn_attr_i64(f->cx, axis)}));
}
MOVES(stack);

/* ---- blocks ---- */

static qn_value *build_space_to_depth(qn_form *f) {
  int64_t b = qn_op_block_shape(f->op).data[0];
  const int64_t *in = f->operands[0]->type->shaped.dims;
  const shape cut = {6, {in[0], in[1] / b, b, in[2] / b, b, in[3]}};
  qn_value *x = reshape(f, f->operands[0], &cut);
  return last(f, transpose(f, x, (const int64_t[]){0, 1, 3, 2, 4, 5}));
}
MOVES(space_to_depth);

static qn_value *build_depth_to_space(qn_form *f) {
  int64_t b = qn_op_block_shape(f->op).data[0];
  const int64_t *in = f->operands[0]->type->shaped.dims;
  const shape cut = {6, {in[0], in[1], in[2], b, b, in[3] / (b * b)}};
  qn_value *x = reshape(f, f->operands[0], &cut);
  return last(f, transpose(f, x, (const int64_t[]){0, 1, 3, 2, 4, 5}));
}
MOVES(depth_to_space);

/* The space-to-batch view: [n, h / b, b, w / b, b, ...], with the dimensions of the blocks moved to
 * the front. */
static qn_value *build_space_to_batch(qn_form *f) {
  qn_i64s block = qn_op_block_shape(f->op), pad = qn_op_pad(f->op);
  qn_value *x = f->operands[0];
  shape s = shape_of(x), cut = {.rank = 0};
  int64_t amounts[2 * QN_FORM_MAX_RANK] = {0}, perm[QN_FORM_MAX_RANK];
  bool pads = false;
  for (uint32_t i = 0; i < 2 * block.count; i++) {
    amounts[2 + i] = pad.data[i];
    s.dims[1 + i / 2] += pad.data[i];
    pads |= pad.data[i] != 0;
  }
  if (pads)
    x = move(f, QN_OP_ML_PAD, x, &s, QN_ATTRS({"pad", qn_attr_i64s(f->cx, amounts, 2 * s.rank)}));
  uint32_t m = block.count, n = 0;
  cut.dims[cut.rank++] = s.dims[0];
  for (uint32_t i = 0; i < m; i++) {
    cut.dims[cut.rank++] = s.dims[1 + i] / block.data[i];
    cut.dims[cut.rank++] = block.data[i];
  }
  for (uint32_t i = 1 + m; i < s.rank; i++) cut.dims[cut.rank++] = s.dims[i];
  for (uint32_t i = 0; i < m; i++) perm[n++] = 2 + 2 * i;
  perm[n++] = 0;
  for (uint32_t i = 0; i < m; i++) perm[n++] = 1 + 2 * i;
  for (uint32_t i = 1 + 2 * m; i < cut.rank; i++) perm[n++] = i;
  return last(f, transpose(f, reshape(f, x, &cut), perm));
}
MOVES(space_to_batch);

static qn_value *build_batch_to_space(qn_form *f) {
  qn_i64s block = qn_op_block_shape(f->op), crops = qn_op_crops(f->op);
  shape s = shape_of(f->operands[0]), cut = {.rank = 0}, whole = s;
  int64_t perm[QN_FORM_MAX_RANK], begin[QN_FORM_MAX_RANK] = {0}, end[QN_FORM_MAX_RANK],
                                  stride[QN_FORM_MAX_RANK];
  uint32_t m = block.count, n = 0;
  for (uint32_t i = 0; i < m; i++) {
    cut.dims[cut.rank++] = block.data[i];
    whole.dims[0] /= block.data[i];
    whole.dims[1 + i] *= block.data[i];
  }
  cut.dims[cut.rank++] = whole.dims[0];
  for (uint32_t i = 1; i < s.rank; i++) cut.dims[cut.rank++] = s.dims[i];
  perm[n++] = m;
  for (uint32_t i = 0; i < m; i++) perm[n++] = m + 1 + i, perm[n++] = i;
  for (uint32_t i = 2 * m + 1; i < cut.rank; i++) perm[n++] = i;
  qn_value *x = reshape(f, transpose(f, reshape(f, f->operands[0], &cut), perm), &whole);
  shape left = whole;
  bool cuts = false;
  for (uint32_t d = 0; d < s.rank; d++) {
    bool blocks = d >= 1 && d <= m;
    begin[d] = blocks ? crops.data[2 * (d - 1)] : 0;
    end[d] = whole.dims[d] - (blocks ? crops.data[2 * (d - 1) + 1] : 0);
    stride[d] = 1;
    left.dims[d] = end[d] - begin[d];
    cuts |= left.dims[d] != whole.dims[d];
  }
  if (cuts)
    x = move(f, QN_OP_ML_SLICE_BY_INDEX, x, &left,
             QN_ATTRS({"begin", qn_attr_i64s(f->cx, begin, s.rank)},
                      {"end", qn_attr_i64s(f->cx, end, s.rank)},
                      {"stride", qn_attr_i64s(f->cx, stride, s.rank)}));
  return last(f, x);
}
MOVES(batch_to_space);

/* ---- gathering ---- */

/* Returns position * size + index, with the index clamped to its dimension. `position` is NULL for
 * the first index. */
static qn_value *add_index(qn_form *f, qn_value *position, qn_value *index, int64_t size) {
  const qn_type *i32 = qn_type_with_element(f->cx, index->type, qn_type_i(f->cx, 32));
  qn_form_access inputs[2] = {qn_form_whole(f, index)};
  if (position) inputs[1] = qn_form_whole(f, position);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, i32));
  qn_op *generic = qn_form_open(f, 2, 0, inputs, position ? 2 : 1, &output);
  qn_value *at = qn_form_element(generic, 0);
  at = qn_build_binary_int(f->b, QN_OP_ARITH_MAXSI, at, 0);
  at = qn_build_binary_int(f->b, QN_OP_ARITH_MINSI, at, size - 1);
  at = qn_form_widened(f, at, false, 32);
  if (position) {
    qn_value *scaled = qn_build_binary(f->b, QN_OP_ARITH_MULI, qn_form_element(generic, 1),
                                       qn_build_int(f->b, size, at->type));
    at = qn_build_binary(f->b, QN_OP_ARITH_ADDI, scaled, at);
  }
  return qn_form_close(f, generic, at);
}

qn_value *qn_form_positions(qn_form *f, qn_value *indices, const int64_t *dims) {
  qn_value *position = NULL;
  shape in = shape_of(indices);
  int64_t k = in.dims[in.rank - 1], rows = 1;
  for (uint32_t i = 0; i + 1 < in.rank; i++) rows *= in.dims[i];
  indices = reshape(f, indices, &(const shape){2, {rows, k}});
  for (int64_t c = 0; c < k; c++) {
    const int64_t begin[] = {0, c}, end[] = {rows, c + 1}, stride[] = {1, 1};
    qn_value *index = k == 1
                          ? indices
                          : move(f, QN_OP_ML_SLICE_BY_INDEX, indices, &(const shape){2, {rows, 1}},
                                 QN_ATTRS({"begin", qn_attr_i64s(f->cx, begin, 2)},
                                          {"end", qn_attr_i64s(f->cx, end, 2)},
                                          {"stride", qn_attr_i64s(f->cx, stride, 2)}));
    position = add_index(f, position, index, dims[c]);
  }
  return reshape(f, position, &(const shape){1, {rows}});
}

/* Converts index vectors to linear slice indices, and gathers along one dimension. */
static qn_value *build_gather_nd(qn_form *f) {
  qn_value *x = f->operands[0], *indices = f->operands[1];
  shape s = shape_of(x), in = shape_of(indices);
  int64_t k = in.dims[in.rank - 1], slices = 1, inner = 1;
  for (uint32_t i = 0; i < s.rank; i++) *(i < k ? &slices : &inner) *= s.dims[i];
  qn_value *position = qn_form_positions(f, indices, s.dims);
  int64_t rows = position->type->shaped.dims[0];
  x = reshape(f, x, &(const shape){2, {slices, inner}});
  const qn_type *type =
      qn_type_tensor(f->cx, qn_type_element(x->type), 2, (const int64_t[]){rows, inner});
  return last(f, qn_build_1(f->b, QN_OP_ML_GATHER, type, QN_VALUES(x, position),
                            QN_ATTRS({"axis", qn_attr_i64(f->cx, 0)})));
}
MOVES(gather_nd);
const qn_float_form qn_float_form_ml_gather = {.none = "there is no float op for it"};

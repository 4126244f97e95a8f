/* Decomposition of convolutions. A 2-D float convolution is its own decomposition; volumes become
 * 2-D convolutions: [N, D, H, W, C] becomes [N * out D, H, W, kernel D * C], where the channels of
 * a plane are those of all planes that the kernel reads for it. So every engine sums over rows,
 * columns, then planes and channels. On stored values the same is exact: the arithmetic is the
 * profile's for convolutions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/float_form/convolution.h"
#include "ir/float_form/fixed.h"

/* ---- intermediate values ---- */

static qn_value *move(const qn_convolution *c, qn_op_kind kind, qn_value *x, uint32_t rank,
                      const int64_t *dims, const qn_attr_arg *attrs) {
  const qn_type *type = qn_type_tensor(c->f->cx, qn_type_element(x->type), rank, dims);
  return qn_build_1(c->f->b, kind, type, QN_VALUES(x), attrs);
}
qn_value *qn_convolution_reshaped(const qn_convolution *c, qn_value *x, uint32_t rank,
                                  const int64_t *dims) {
  return move(c, QN_OP_ML_RESHAPE, x, rank, dims, NULL);
}
qn_value *qn_convolution_transposed(const qn_convolution *c, qn_value *x, uint32_t rank,
                                    const int64_t *perm) {
  int64_t dims[QN_FORM_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) dims[i] = x->type->shaped.dims[perm[i]];
  return move(c, QN_OP_ML_TRANSPOSE, x, rank, dims,
              QN_ATTRS({"perm", qn_attr_i64s(c->f->cx, perm, rank)}));
}
qn_value *qn_convolution_padded(const qn_convolution *c, qn_value *x, uint32_t rank,
                                const int64_t *pad) {
  int64_t dims[QN_FORM_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++)
    dims[i] = x->type->shaped.dims[i] + pad[2 * i] + pad[2 * i + 1];
  return move(c, QN_OP_ML_PAD, x, rank, dims,
              QN_ATTRS({"pad", qn_attr_i64s(c->f->cx, pad, 2 * rank)}));
}
qn_value *qn_convolution_sliced(const qn_convolution *c, qn_value *x, uint32_t rank,
                                const int64_t *begin, const int64_t *end, const int64_t *stride) {
  int64_t dims[QN_FORM_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) dims[i] = (end[i] - begin[i]) * stride[i];
  return move(c, QN_OP_ML_SLICE_BY_INDEX, x, rank, dims,
              QN_ATTRS({"begin", qn_attr_i64s(c->f->cx, begin, rank)},
                       {"end", qn_attr_i64s(c->f->cx, end, rank)},
                       {"stride", qn_attr_i64s(c->f->cx, stride, rank)}));
}

/* ---- weights: planes become channels, and taps their opposites ---- */

static int64_t tap(const qn_convolution *c, uint32_t way, int64_t i) {
  return c->backward ? c->kernel[way] - 1 - i : i;
}

static qn_value *constant_weights(const qn_convolution *c, const qn_attr *payload,
                                  const int64_t dims[4]) {
  const int64_t *d = c->weights->type->shaped.dims, *k = c->kernel;
  uint32_t planes = c->ways - 2; /* 1: there are planes */
  int64_t depth = planes ? k[0] : 1, height = k[planes], width = k[planes + 1];
  const qn_bytes *from = &payload->dense.bytes;
  uint8_t *bytes = qn_arena_alloc(&c->f->cx->arena, from->size), *to = bytes;
  size_t run = payload->dense.splat ? 0 : from->size / (size_t)(d[0] * depth * height * width);
  if (!run) memcpy(bytes, from->data, from->size);
  for (int64_t o = 0; run && o < d[0]; o++)
    for (int64_t y = 0; y < height; y++)
      for (int64_t x = 0; x < width; x++)
        for (int64_t z = 0; z < depth; z++, to += run) {
          int64_t plane = o * depth + (planes ? tap(c, 0, z) : 0);
          int64_t at = (plane * height + tap(c, planes, y)) * width + tap(c, planes + 1, x);
          memcpy(to, from->data + (size_t)at * run, run);
        }
  qn_ir_context *cx = c->f->cx;
  const qn_type *type = qn_type_tensor(cx, qn_type_element(payload->type), 4, dims);
  const qn_attr *value = qn_attr_dense(cx, type, (qn_bytes){bytes, from->size}, true);
  type = qn_type_tensor(cx, qn_type_element(c->weights->type), 4, dims);
  return qn_build_1(c->f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *computed_weights(const qn_convolution *c, const int64_t dims[4]) {
  qn_value *w = c->weights;
  uint32_t rank = w->type->shaped.rank;
  int64_t begin[QN_FORM_MAX_RANK], end[QN_FORM_MAX_RANK], stride[QN_FORM_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    bool turns = c->backward && i > 0 && i + 1 < rank;
    int64_t size = w->type->shaped.dims[i];
    begin[i] = turns ? size - 1 : 0, end[i] = turns ? -1 : size, stride[i] = turns ? -1 : 1;
  }
  if (c->backward) w = qn_convolution_sliced(c, w, rank, begin, end, stride);
  if (c->ways == 2) return w;
  return qn_convolution_reshaped(
      c, qn_convolution_transposed(c, w, rank, (const int64_t[]){0, 2, 3, 1, 4}), 4, dims);
}

static qn_value *planar_weights(const qn_convolution *c) {
  const int64_t *d = c->weights->type->shaped.dims, *k = c->kernel;
  uint32_t planes = c->ways - 2;
  if (!planes && !c->backward) return c->weights;
  int64_t channels = (planes ? k[0] : 1) * d[1 + c->ways];
  const int64_t dims[4] = {d[0], k[planes], k[planes + 1], channels};
  const qn_attr *payload = qn_value_constant(c->weights);
  if (payload && qn_attr_is_elements(payload)) return constant_weights(c, payload, dims);
  return computed_weights(c, dims);
}

/* ---- volumes: planes as channels ---- */

/* For each plane of the result, joins the planes that its taps read along channels, each group
 * separately. */
static void unfold(qn_convolution *c, int64_t out_depth, int64_t groups) {
  const int64_t border[10] = {0, 0, c->pad[0], c->pad[1]};
  if (c->pad[0] || c->pad[1]) c->x = qn_convolution_padded(c, c->x, 5, border);
  const int64_t *d = c->x->type->shaped.dims;
  int64_t taps = c->kernel[0], count = out_depth * taps;
  int32_t *planes = qn_arena_array(&c->f->b->module->arena, (size_t)count, sizeof *planes);
  for (int64_t i = 0; i < count; i++)
    planes[i] = (int32_t)(i / taps * c->strides[0] + i % taps * c->dilations[0]);
  const int64_t cut[] = {d[0] * out_depth, taps, d[2], d[3], groups, d[4] / groups};
  const int64_t whole[] = {cut[0], d[2], d[3], taps * d[4]};
  qn_value *x = qn_convolution_reshaped(c, qn_form_take(c->f, c->x, 1, planes, count), 6, cut);
  x = qn_convolution_transposed(c, x, 6, (const int64_t[]){0, 2, 3, 4, 1, 5});
  c->x = qn_convolution_reshaped(c, x, 4, whole);
}

/* ---- the convolution of two dimensions ---- */

qn_value *qn_convolution_build(qn_convolution *c, const qn_type *result) {
  qn_form *f = c->f;
  const int64_t *out = result->shaped.dims;
  int64_t groups = qn_op_groups(f->op), dims[4] = {out[0], out[1], out[2], out[3]};
  uint32_t planes = c->ways - 2;
  qn_value *operands[3] = {NULL, planar_weights(c), c->bias};
  if (planes) {
    unfold(c, out[1], groups);
    dims[0] = out[0] * out[1], dims[1] = out[2], dims[2] = out[3], dims[3] = out[4];
  }
  operands[0] = c->x;
  const qn_type *type = qn_type_tensor(f->cx, qn_type_element(result), 4, dims);
  qn_value *y = qn_build_1(f->b, QN_OP_ML_CONV, type, operands, c->bias ? 3 : 2,
                           QN_ATTRS({"strides", qn_attr_i64s(f->cx, c->strides + planes, 2)},
                                    {"dilations", qn_attr_i64s(f->cx, c->dilations + planes, 2)},
                                    {"pad", qn_attr_i64s(f->cx, c->pad + 2 * planes, 4)},
                                    {"groups", qn_attr_i64(f->cx, groups)}));
  const qn_attr *activation = qn_op_find(f->op, QN_A_ACTIVATION);
  if (activation) qn_op_set_attr(f->b->module, y->op, "activation", activation);
  const qn_attr *unfused = qn_op_find(f->op, QN_A_UNFUSED);
  if (unfused) qn_op_set_attr(f->b->module, y->op, qn_attr_decls[QN_A_UNFUSED].name, unfused);
  return planes ? qn_build_1(f->b, QN_OP_ML_RESHAPE, result, QN_VALUES(y), NULL) : y;
}

void qn_convolution_open(qn_form *f, qn_convolution *out) {
  const qn_op *op = f->op;
  *out = (qn_convolution){.f = f, .ways = op->results[0].type->shaped.rank - 2};
  for (uint32_t i = 0; i < out->ways; i++) {
    out->kernel[i] = f->operands[1]->type->shaped.dims[1 + i];
    out->strides[i] = qn_op_strides(op).data[i];
    out->dilations[i] = qn_op_dilations(op).data[i];
    out->pad[2 * i] = qn_op_pad(op).data[2 * i];
    out->pad[2 * i + 1] = qn_op_pad(op).data[2 * i + 1];
  }
}

void qn_convolution_take_reals(qn_form *f, qn_convolution *c) {
  c->x = qn_form_operand(f, 0);
  c->weights = qn_form_operand(f, 1);
  c->bias = f->op->operand_count > 2 ? qn_form_bias(f) : NULL;
}
void qn_convolution_take_stored(qn_form *f, qn_convolution *c) {
  c->x = f->operands[0];
  c->weights = f->operands[1];
  c->bias = f->op->operand_count > 2 ? f->operands[2] : NULL;
}

static bool is_planar(const qn_op *op) { return op->results[0].type->shaped.rank == 4; }

static qn_value *conv_reals(qn_form *f) {
  qn_convolution c;
  if (is_planar(f->op)) return qn_form_itself(f);
  qn_convolution_open(f, &c);
  qn_convolution_take_reals(f, &c);
  return qn_convolution_build(&c, qn_form_result_type(f));
}
static qn_value *conv_stored(qn_form *f) {
  qn_convolution c;
  qn_convolution_open(f, &c);
  qn_convolution_take_stored(f, &c);
  return qn_convolution_build(&c, f->op->results[0].type);
}

/* Checks the sizes of the planes for each tap, with padding. */
static const char *volume_problem(const qn_op *op) {
  if (is_planar(op)) return NULL;
  const qn_type *x = qn_op_operand(op, 0)->type, *w = qn_op_operand(op, 1)->type;
  const int64_t *pad = qn_op_pad(op).data;
  int64_t unfolded = sizeof(double), bordered = sizeof(double);
  bool fits = qn_convolution_grows(&unfolded, op->results[0].type->shaped.dims[1]) &&
              qn_convolution_grows(&unfolded, w->shaped.dims[1]);
  for (uint32_t i = 0; i < x->shaped.rank; i++) {
    bool along = i > 0 && i + 1 < x->shaped.rank;
    int64_t border = along ? pad[2 * (i - 1)] + pad[2 * (i - 1) + 1] : 0;
    fits = fits && qn_convolution_grows(&bordered, x->shaped.dims[i] + border);
    if (i != 1) fits = fits && qn_convolution_grows(&unfolded, x->shaped.dims[i] + border);
  }
  return fits ? NULL : "its input is too large with the planes that each tap reads";
}

const qn_float_form qn_float_form_ml_conv = {.build = conv_reals,
                                             .stored = conv_stored,
                                             .fixed = qn_form_hybrid,
                                             .is_itself = is_planar,
                                             .problem = volume_problem};

/* The steps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/differ/graph_build.h"
#include "ir/ops/forms.h"

enum { MAX_RANK = 8 };

static const qn_type *f32(qn_random_model *m) { return qn_type_float(&m->cx, QN_F32); }
const qn_type *graph_tensor(qn_random_model *m, uint32_t rank, const int64_t *dims) {
  return qn_type_tensor(&m->cx, f32(m), rank, dims);
}
static uint32_t rank_of(const qn_value *x) { return x->type->shaped.rank; }

qn_value *graph_unary(qn_random_model *m, qn_op_kind kind, qn_value *x) {
  return qn_build_1(&m->b, kind, x->type, QN_VALUES(x), NULL);
}

/* Small multiples of 1/8, so that sums stay near what they are. */
qn_value *graph_reals(qn_random_model *m, uint32_t rank, const int64_t *dims) {
  const qn_type *type = graph_tensor(m, rank, dims);
  int64_t count = qn_type_elements(type);
  float *values = QN_NEW_ARRAY(&m->cx.arena, count, float);
  for (int64_t i = 0; i < count; i++) values[i] = (float)qn_random_between(m, -16, 16) / 8;
  const qn_attr *value =
      qn_attr_dense(&m->cx, type, (qn_bytes){(uint8_t *)values, (size_t)count * 4}, false);
  return qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *step_relu(qn_random_model *m, qn_value *x) { return graph_unary(m, QN_OP_ML_RELU, x); }
qn_value *step_tanh(qn_random_model *m, qn_value *x) { return graph_unary(m, QN_OP_ML_TANH, x); }

/* ---- shapes ---- */

qn_value *graph_reshape(qn_random_model *m, qn_value *x, uint32_t rank, const int64_t *dims) {
  return qn_build_1(&m->b, QN_OP_ML_RESHAPE, graph_tensor(m, rank, dims), QN_VALUES(x), NULL);
}

qn_value *step_reshape(qn_random_model *m, qn_value *x) {
  int64_t dims[3] = {qn_type_elements(x->type), 1, 1};
  for (int i = 0; i < 2; i++)
    for (int64_t by = 2; by < 6; by++)
      if (dims[0] % by == 0 && qn_random_chance(m, 2)) {
        dims[0] /= by;
        dims[1 + i] *= by;
      }
  return graph_reshape(m, x, 3, dims);
}
qn_value *step_flatten(qn_random_model *m, qn_value *x) {
  return graph_reshape(m, x, 1, (int64_t[]){qn_type_elements(x->type)});
}
/* To the shape of the first argument, when it has as many elements. */
qn_value *step_restore(qn_random_model *m, qn_value *x) {
  const qn_type *first = qn_op_body(m->func)->args[0]->type;
  if (qn_type_elements(first) != qn_type_elements(x->type)) return x;
  return graph_reshape(m, x, first->shaped.rank, first->shaped.dims);
}
qn_value *step_same_reshape(qn_random_model *m, qn_value *x) {
  return graph_reshape(m, x, rank_of(x), x->type->shaped.dims);
}

qn_value *graph_transpose(qn_random_model *m, qn_value *x, const int64_t *perm) {
  int64_t dims[MAX_RANK];
  uint32_t rank = rank_of(x);
  for (uint32_t i = 0; i < rank; i++) dims[i] = x->type->shaped.dims[perm[i]];
  const qn_type *type = qn_type_tensor(&m->cx, x->type->shaped.element, rank, dims);
  return qn_build_1(&m->b, QN_OP_ML_TRANSPOSE, type, QN_VALUES(x),
                    QN_ATTRS({"perm", qn_random_i64s(m, perm, rank)}));
}
qn_value *step_turn(qn_random_model *m, qn_value *x) {
  int64_t perm[MAX_RANK];
  for (uint32_t i = 0; i < rank_of(x); i++) perm[i] = rank_of(x) - 1 - i;
  return graph_transpose(m, x, perm);
}
qn_value *step_shuffle(qn_random_model *m, qn_value *x) {
  int64_t perm[MAX_RANK];
  for (uint32_t i = 0; i < rank_of(x); i++) perm[i] = i;
  for (uint32_t i = rank_of(x); i-- > 1;) {
    uint32_t k = (uint32_t)qn_random_between(m, 0, i);
    int64_t other = perm[i];
    perm[i] = perm[k];
    perm[k] = other;
  }
  return graph_transpose(m, x, perm);
}

static qn_value *pad(qn_random_model *m, qn_value *x, const int64_t *amounts, int64_t value) {
  int64_t dims[MAX_RANK];
  for (uint32_t i = 0; i < rank_of(x); i++)
    dims[i] = x->type->shaped.dims[i] + amounts[2 * i] + amounts[2 * i + 1];
  return qn_build_1(&m->b, QN_OP_ML_PAD, graph_tensor(m, rank_of(x), dims), QN_VALUES(x),
                    QN_ATTRS({"pad", qn_random_i64s(m, amounts, 2 * rank_of(x))},
                             {"value", qn_attr_i64(&m->cx, value)}));
}
qn_value *step_pad(qn_random_model *m, qn_value *x) {
  int64_t amounts[2 * MAX_RANK];
  for (uint32_t i = 0; i < 2 * rank_of(x); i++)
    amounts[i] = qn_random_chance(m, 3) ? qn_random_between(m, 0, 2) : 0;
  return pad(m, x, amounts, qn_random_chance(m, 4) ? 1 : 0);
}
qn_value *step_pad_nothing(qn_random_model *m, qn_value *x) {
  return pad(m, x, (int64_t[2 * MAX_RANK]){0}, qn_random_between(m, 0, 9));
}
qn_value *step_pad_rows(qn_random_model *m, qn_value *x) {
  int64_t amounts[8] = {0};
  for (int i = 2; i < 6; i++) amounts[i] = qn_random_between(m, 0, 1);
  return pad(m, x, amounts, qn_random_chance(m, 6) ? 1 : 0);
}
qn_value *step_split_one(qn_random_model *m, qn_value *x) {
  return qn_build_1(&m->b, QN_OP_ML_SPLIT, x->type, QN_VALUES(x),
                    QN_ATTRS({"axis", qn_attr_i64(&m->cx, 0)}));
}

/* To rank 8, in any order, and to what it was. */
qn_value *step_high_rank(qn_random_model *m, qn_value *x) {
  int64_t dims[MAX_RANK], left = qn_type_elements(x->type);
  for (int i = 0; i + 1 < MAX_RANK; i++) {
    dims[i] = 1;
    for (int64_t by = 2; by < 5; by++)
      if (left % by == 0 && qn_random_chance(m, 2)) {
        dims[i] = by;
        left /= by;
        break;
      }
  }
  dims[MAX_RANK - 1] = left;
  const qn_type *was = x->type;
  x = step_shuffle(m, graph_reshape(m, x, MAX_RANK, dims));
  return graph_reshape(m, x, was->shaped.rank, was->shaped.dims);
}

/* ---- arithmetic ---- */

/* One number, or one per index of the last dimension; rarely per index of another. */
qn_value *graph_side(qn_random_model *m, const qn_value *x) {
  int64_t dims[2] = {1, 1};
  const int64_t *of = x->type->shaped.dims;
  uint32_t rank = rank_of(x), count = rank > 1 ? 2 : 1;
  if (!qn_random_chance(m, 4)) dims[count - 1] = of[rank - 1];
  if (count == 2 && qn_random_chance(m, 6)) dims[0] = of[rank - 2];
  return graph_reals(m, count, dims);
}
static qn_value *binary(qn_random_model *m, qn_op_kind kind, qn_value *a, qn_value *b,
                        const qn_type *type) {
  static const char *const names[] = {"none", "none", "relu", "finite"};
  const qn_attr *activation =
      qn_attr_string(&m->cx, qn_str_of(names[qn_random_between(m, 0, QN_COUNT(names) - 1)]));
  return qn_build_1(&m->b, kind, type, QN_VALUES(a, b), QN_ATTRS({"activation", activation}));
}
qn_value *step_add_constant(qn_random_model *m, qn_value *x) {
  qn_value *k = graph_side(m, x);
  if (qn_random_chance(m, 3)) return binary(m, QN_OP_ML_SUB, x, k, x->type);
  return binary(m, QN_OP_ML_ADD, k, x, x->type);
}
qn_value *step_subtract_from_constant(qn_random_model *m, qn_value *x) {
  return binary(m, QN_OP_ML_SUB, graph_side(m, x), x, x->type);
}
qn_value *step_multiply_constant(qn_random_model *m, qn_value *x) {
  qn_value *k = graph_side(m, x);
  bool left = qn_random_chance(m, 2);
  return binary(m, QN_OP_ML_MUL, left ? k : x, left ? x : k, x->type);
}
qn_value *step_one(qn_random_model *m, qn_value *x) {
  float one = 1.0F;
  const qn_type *type = graph_tensor(m, 1, (int64_t[]){1});
  const qn_attr *value = qn_attr_dense(&m->cx, type, (qn_bytes){(uint8_t *)&one, 4}, false);
  qn_value *k = qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  static const int64_t kinds[] = {QN_OP_ML_REAL_DIV, QN_OP_ML_POW, QN_OP_ML_FLOOR_DIV};
  if (qn_random_chance(m, 2))
    return qn_build_1(&m->b, (qn_op_kind)qn_random_pick(m, kinds, QN_COUNT(kinds)), x->type,
                      QN_VALUES(x, k), NULL);
  return qn_build_1(&m->b, QN_OP_ML_MUL, x->type, QN_VALUES(k, x), NULL);
}

/* The first element as a scalar, with a constant on some side of it, added to all. */
qn_value *step_scalar(qn_random_model *m, qn_value *x) {
  static const int64_t zeros[MAX_RANK] = {0};
  int64_t ones[MAX_RANK], zero = 0;
  uint32_t rank = rank_of(x);
  for (uint32_t i = 0; i < rank; i++) ones[i] = 1;
  qn_value *first = qn_build_1(
      &m->b, QN_OP_ML_SLICE_BY_INDEX, graph_tensor(m, rank, ones), QN_VALUES(x),
      QN_ATTRS({"begin", qn_random_i64s(m, zeros, rank)}, {"end", qn_random_i64s(m, ones, rank)},
               {"stride", qn_random_i64s(m, ones, rank)}));
  first = graph_reshape(m, first, 0, NULL);
  qn_value *k = graph_reals(m, 0, NULL);
  static const int64_t kinds[] = {QN_OP_ML_ADD, QN_OP_ML_SUB, QN_OP_ML_MUL};
  bool left = qn_random_chance(m, 2);
  first = binary(m, (qn_op_kind)qn_random_pick(m, kinds, QN_COUNT(kinds)), left ? k : first,
                 left ? first : k, first->type);
  first = qn_build_1(&m->b, QN_OP_ML_EXPAND_DIMS, graph_tensor(m, 1, ones), QN_VALUES(first),
                     QN_ATTRS({"axes", qn_random_i64s(m, &zero, 1)}));
  return binary(m, QN_OP_ML_ADD, x, first, x->type);
}

/* ---- convolutions ---- */

static qn_value *window(qn_random_model *m, qn_value *x, bool depthwise) {
  const int64_t *in = x->type->shaped.dims;
  int64_t kernel[2], out[4] = {in[0], 0, 0, 0};
  int64_t own[4] = {0};
  for (int i = 0; i < 2; i++) {
    kernel[i] = qn_random_between(m, 1, in[1 + i] < 3 ? in[1 + i] : 3);
    if (kernel[i] > 1) own[2 * i] = qn_random_between(m, 0, 1);
    out[1 + i] = in[1 + i] + own[2 * i] - kernel[i] + 1;
  }
  out[3] = depthwise ? in[3] * qn_random_between(m, 1, 2) : qn_random_between(m, 1, 4);
  int64_t weights[4] = {depthwise ? 1 : out[3], kernel[0], kernel[1], depthwise ? out[3] : in[3]};
  qn_value *operands[3] = {x, graph_reals(m, 4, weights), NULL};
  bool biased = qn_random_chance(m, 2);
  if (biased) operands[2] = graph_reals(m, 1, &out[3]);
  static const int64_t ones[2] = {1, 1};
  return qn_build_1(
      &m->b, depthwise ? QN_OP_ML_DEPTHWISE_CONV : QN_OP_ML_CONV, graph_tensor(m, 4, out), operands,
      biased ? 3 : 2,
      depthwise
          ? QN_ATTRS({"strides", qn_random_i64s(m, ones, 2)},
                     {"dilations", qn_random_i64s(m, ones, 2)}, {"pad", qn_random_i64s(m, own, 4)})
          : QN_ATTRS({"strides", qn_random_i64s(m, ones, 2)},
                     {"dilations", qn_random_i64s(m, ones, 2)}, {"pad", qn_random_i64s(m, own, 4)},
                     {"groups", qn_attr_i64(&m->cx, 1)}));
}
qn_value *step_conv(qn_random_model *m, qn_value *x) { return window(m, x, false); }
qn_value *step_depthwise(qn_random_model *m, qn_value *x) { return window(m, x, true); }
qn_value *step_conv_transpose(qn_random_model *m, qn_value *x) {
  const int64_t *in = x->type->shaped.dims;
  int64_t groups = in[3] % 2 == 0 && qn_random_chance(m, 2) ? 2 : 1;
  int64_t strides[2], pad[4] = {0}, out[4] = {in[0], 0, 0, groups * qn_random_between(m, 1, 2)};
  int64_t weights[4] = {out[3], 1, 1, in[3] / groups};
  bool states = qn_random_chance(m, 2);
  for (int i = 0; i < 2; i++) {
    weights[1 + i] = qn_random_between(m, 1, 2);
    strides[i] = in[1 + i] > 4 ? 1 : qn_random_between(m, 1, 2); /* or it grows with each step */
    int64_t whole = (in[1 + i] - 1) * strides[i] + weights[1 + i];
    if (whole > 1) pad[2 * i + 1] = qn_random_between(m, 0, 1);
    out[1 + i] = whole - pad[2 * i + 1];
    if (states) out[1 + i] += qn_random_between(m, 0, strides[i] - 1);
  }
  qn_value *operands[3] = {x, graph_reals(m, 4, weights), NULL};
  bool biased = qn_random_chance(m, 2);
  if (biased) operands[2] = graph_reals(m, 1, &out[3]);
  static const int64_t ones[2] = {1, 1};
  qn_value *made = qn_build_1(
      &m->b, QN_OP_ML_CONV_TRANSPOSE, graph_tensor(m, 4, out), operands, biased ? 3 : 2,
      QN_ATTRS({"strides", qn_random_i64s(m, strides, 2)}, {"pad", qn_random_i64s(m, pad, 4)},
               {"dilations", qn_random_i64s(m, ones, 2)}, {"groups", qn_attr_i64(&m->cx, groups)}));
  if (states) qn_op_set_attr(m->module, made->op, "output_shape", qn_random_i64s(m, out + 1, 2));
  return made;
}
static qn_value *along(qn_random_model *m, qn_op_kind kind, qn_value *x, int64_t axis,
                       const qn_type *type) {
  return qn_build_1(&m->b, kind, type, QN_VALUES(x),
                    QN_ATTRS({"axes", qn_random_i64s(m, &axis, 1)}));
}
/* A convolution over columns of the first row and what follows it, in rows or columns, of channels
 * that come first or last. */
qn_value *step_one_dimension(qn_random_model *m, qn_value *x) {
  static const int64_t first[] = {0, 2, 3, 1}, last[] = {0, 3, 1, 2};
  const int64_t *d = x->type->shaped.dims;
  int64_t dims[4] = {d[0] * d[1], d[2], d[3], 1}, at = qn_random_between(m, 1, 2);
  bool turned = qn_random_chance(m, 2);
  x = graph_reshape(m, x, 3, dims);
  if (turned) at++;
  int64_t wide[4] = {dims[0], dims[1], dims[2], dims[2]};
  for (int64_t i = 3; i > at; i--) wide[i] = dims[i - 1];
  wide[at] = 1;
  x = along(m, QN_OP_ML_EXPAND_DIMS, x, at, graph_tensor(m, 4, wide));
  if (turned) x = graph_transpose(m, x, first);
  x = window(m, x, qn_random_chance(m, 2));
  if (turned) x = graph_transpose(m, x, last);
  int64_t flat[3], count = 0;
  if (x->type->shaped.dims[at] != 1) return step_flatten(m, x);
  for (int64_t i = 0; i < 4; i++)
    if (i != at) flat[count++] = x->type->shaped.dims[i];
  x = along(m, QN_OP_ML_SQUEEZE, x, at, graph_tensor(m, 3, flat));
  if (qn_random_chance(m, 2)) x = step_add_constant(m, x);
  if (qn_random_chance(m, 3)) x = step_multiply_constant(m, x);
  return graph_reshape(m, x, 4, (int64_t[]){1, flat[0], flat[1], flat[2]});
}

/* Between blocks of rows and columns, which now and then are put together as others. */
qn_value *step_blocks(qn_random_model *m, qn_value *x) {
  const int64_t *in = x->type->shaped.dims;
  int64_t block[2], pad[4], crops[4], dims[4] = {in[0], 0, 0, in[3]};
  for (int i = 0; i < 2; i++) {
    block[i] = qn_random_between(m, 1, 2);
    pad[2 * i] = qn_random_between(m, 0, 2);
    pad[2 * i + 1] = qn_random_between(m, 0, 1);
    pad[2 * i + 1] += (in[1 + i] + pad[2 * i] + pad[2 * i + 1]) % block[i];
    dims[1 + i] = (in[1 + i] + pad[2 * i] + pad[2 * i + 1]) / block[i];
    dims[0] *= block[i];
  }
  x = qn_build_1(
      &m->b, QN_OP_ML_SPACE_TO_BATCH, graph_tensor(m, 4, dims), QN_VALUES(x),
      QN_ATTRS({"block_shape", qn_random_i64s(m, block, 2)}, {"pad", qn_random_i64s(m, pad, 4)}));
  x = window(m, x, qn_random_chance(m, 2));
  if (qn_random_chance(m, 12)) block[0] = 3 - block[0];
  if (x->type->shaped.dims[0] % (block[0] * block[1]) != 0) block[0] = 1;
  memcpy(dims, x->type->shaped.dims, sizeof dims);
  for (int i = 0; i < 2; i++) {
    dims[0] /= block[i];
    dims[1 + i] *= block[i];
    for (int k = 2 * i; k < 2 * i + 2; k++) {
      crops[k] = qn_random_between(m, 0, dims[1 + i] > 1 ? 1 : 0);
      dims[1 + i] -= crops[k];
    }
  }
  return qn_build_1(&m->b, QN_OP_ML_BATCH_TO_SPACE, graph_tensor(m, 4, dims), QN_VALUES(x),
                    QN_ATTRS({"block_shape", qn_random_i64s(m, block, 2)},
                             {"crops", qn_random_i64s(m, crops, 4)}));
}

/* As tensor 0 of the model. */
static qn_value *numbered(qn_random_model *m, qn_value *x) {
  const int64_t number = 0;
  qn_op_set_attr(m->module, x->op, "quern.tensors", qn_random_i64s(m, &number, 1));
  return x;
}
qn_value *step_numbered(qn_random_model *m, qn_value *x) { return numbered(m, step_relu(m, x)); }
qn_value *step_numbered_conv(qn_random_model *m, qn_value *x) {
  return numbered(m, step_conv(m, x));
}
qn_value *step_linear(qn_random_model *m, qn_value *x) {
  int64_t dims[4], units = qn_random_between(m, 1, 4);
  memcpy(dims, x->type->shaped.dims, sizeof dims);
  int64_t weights[2] = {units, dims[3]};
  dims[3] = units;
  qn_value *operands[3] = {x, graph_reals(m, 2, weights), NULL};
  bool biased = qn_random_chance(m, 2);
  if (biased) operands[2] = graph_reals(m, 1, &units);
  return qn_build_1(&m->b, QN_OP_ML_LINEAR, graph_tensor(m, 4, dims), operands, biased ? 3 : 2,
                    NULL);
}

/* ---- quantization ---- */

static qn_value *cast(qn_random_model *m, qn_op_kind kind, qn_value *x, const qn_type *element) {
  return qn_build_unary(&m->b, kind, x, qn_type_with_element(&m->cx, x->type, element));
}
static const qn_type *quantized(qn_random_model *m, bool low) {
  qn_random_affine q = qn_random_quant(m);
  if (low) q.zero_point = m->is_unsigned ? 128 : -128;
  return qn_random_tensor(m, q, 0, NULL)->shaped.element;
}
qn_value *step_through_integers(qn_random_model *m, qn_value *x) {
  const qn_type *q = quantized(m, false);
  x = cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_QCAST, x, q), f32(m));
  if (qn_random_chance(m, 4)) q = quantized(m, false);
  return cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_QCAST, x, q), f32(m));
}
qn_value *step_through_low(qn_random_model *m, qn_value *x) {
  const qn_type *q = quantized(m, !qn_random_chance(m, 5));
  return cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_QCAST, x, q), f32(m));
}
qn_value *step_move_quantized(qn_random_model *m, qn_value *x) {
  const qn_type *q = quantized(m, false);
  x = cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_QCAST, x, q), f32(m));
  x = qn_random_chance(m, 2) ? step_reshape(m, x) : step_shuffle(m, x);
  if (qn_random_chance(m, 4)) q = quantized(m, false);
  return cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_QCAST, x, q), f32(m));
}

qn_value *step_quantized_sum(qn_random_model *m, qn_value *x) {
  qn_value *sides[2];
  for (int i = 0; i < 2; i++)
    sides[i] =
        cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_QCAST, x, quantized(m, false)), f32(m));
  qn_op_kind kind = qn_random_chance(m, 2) ? QN_OP_ML_ADD : QN_OP_ML_SUB;
  x = binary(m, kind, sides[0], sides[1], x->type);
  if (qn_random_chance(m, 3)) x = step_relu(m, x);
  return cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_QCAST, x, quantized(m, false)), f32(m));
}

/* ---- constants ---- */

qn_value *step_folded_constant(qn_random_model *m, qn_value *x) {
  qn_value *k = step_relu(m, step_multiply_constant(m, graph_reals(m, 1, (int64_t[]){1})));
  return binary(m, QN_OP_ML_ADD, x, k, x->type);
}
/* Two of at least 100 elements: the threshold of const-deduplication. */
qn_value *step_equal_constants(qn_random_model *m, qn_value *x) {
  qn_choices choices = m->choices;
  int64_t count = 100 + (int64_t)qn_choose(&choices, 8);
  qn_value *sides[2];
  for (int i = 0; i < 2; i++) {
    m->choices = choices;
    sides[i] = graph_reals(m, 1, &count);
  }
  qn_value *sum = binary(m, QN_OP_ML_ADD, sides[0], sides[1], sides[0]->type);
  const int64_t begin = 0, end = 1, stride = 1;
  sum = qn_build_1(&m->b, QN_OP_ML_SLICE_BY_INDEX, graph_tensor(m, 1, &end), QN_VALUES(sum),
                   QN_ATTRS({"begin", qn_random_i64s(m, &begin, 1)},
                            {"end", qn_random_i64s(m, &end, 1)},
                            {"stride", qn_random_i64s(m, &stride, 1)}));
  return binary(m, QN_OP_ML_ADD, x, sum, x->type);
}
/* A constant laid out as x turned, and turned back. */
qn_value *step_compressed_constant(qn_random_model *m, qn_value *x) {
  int64_t dims[MAX_RANK];
  uint32_t rank = rank_of(x);
  for (uint32_t i = 0; i < rank; i++) dims[i] = x->type->shaped.dims[rank - 1 - i];
  qn_value *w = qn_random_weights(m, rank, dims, (int32_t)qn_random_between(m, 0, rank - 1));
  w = step_turn(m, cast(m, QN_OP_QUANT_DCAST, w, f32(m)));
  return binary(m, QN_OP_ML_ADD, x, w, x->type);
}
/* Bytes that are called quantized, dequantized, and sometimes dequantized again. */
qn_value *step_stored_constant(qn_random_model *m, qn_value *x) {
  uint32_t rank = rank_of(x);
  const qn_type *bytes = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 8), rank, x->type->shaped.dims);
  qn_value *c = qn_random_is_argument(m) ? qn_random_input(m, bytes) : qn_random_bytes(m, bytes);
  const qn_type *q = qn_type_element(
      qn_random_weights(m, rank, x->type->shaped.dims, (int32_t)qn_random_between(m, 0, rank - 1))
          ->type);
  qn_value *w = cast(m, QN_OP_QUANT_DCAST, cast(m, QN_OP_QUANT_SCAST, c, q), f32(m));
  return binary(m, QN_OP_ML_ADD, x, w, x->type);
}
qn_value *step_dead(qn_random_model *m, qn_value *x) {
  (void)step_tanh(m, step_add_constant(m, x));
  return x;
}

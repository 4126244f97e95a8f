/* Random models: the ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/plan.h"
#include "ir/ops/forms.h"
#include "tests/support/random_model.h"

static const qn_attr *activation_of(qn_random_model *m) {
  static const char *const names[] = {"none", "none", "relu", "relu6", "relu_n1_to_1", "finite"};
  return qn_attr_string(&m->cx,
                        qn_str_of(names[qn_random_between(m, 0, (int64_t)QN_COUNT(names) - 1)]));
}

/* Whether the drawn scale is kept even if it does not suit the computed values. */
static bool keeps_minmax(qn_random_model *m) { return m->extreme && qn_random_chance(m, 3); }

/* An output quantization that uses the range of 8 bits well, for sums of `taps` products. */
static qn_random_affine sum_quant(qn_random_model *m, qn_random_affine x, double weight,
                                  int64_t taps) {
  qn_random_affine y = qn_random_quant(m);
  /* ops with a 64-bit bias have no float fallback */
  if (keeps_minmax(m) && !m->words) return y;
  double wide = m->words ? qn_random_real(m, 0.3, 1.0) : 1; /* the steps of 16 bits are finer */
  y.scale = (double)(float)(x.scale * weight * wide * 100.0 * sqrt((double)taps) *
                            qn_random_real(m, 0.1, 4.0));
  return y;
}
typedef struct window {
  int64_t kernel[2], strides[2], dilations[2], pad[4], out[2];
} window;

/* Maximum number of windows that are drawn until one fits. A window with a single tap always fits,
 * but the bytes of a fuzzer may never choose it. */
enum { MAX_TRIES = 64 };

/* A window over an image, such that there is an output, and every output has a tap inside the
 * image. */
static window window_over(qn_random_model *m, const int64_t *x, bool dilate) {
  window w;
  for (int i = 0; i < 2; i++) {
    int64_t size = x[1 + i], total;
    int tries = 0;
    do {
      w.kernel[i] = ++tries > MAX_TRIES ? 1 : qn_random_between(m, 1, 4);
      w.strides[i] = qn_random_between(m, 1, 3);
      w.dilations[i] = dilate ? qn_random_between(m, 1, 2) : 1;
      w.pad[2 * i] = qn_random_between(m, 0, w.kernel[i] - 1);
      w.pad[2 * i + 1] = qn_random_between(m, 0, w.kernel[i] - 1);
      int64_t extent = (w.kernel[i] - 1) * w.dilations[i] + 1;
      total = size + w.pad[2 * i] + w.pad[2 * i + 1] - extent;
      w.out[i] = total < 0 ? 0 : total / w.strides[i] + 1;
    } while (total < 0 || (w.out[i] - 1) * w.strides[i] - w.pad[2 * i] >= size);
  }
  return w;
}

qn_value *qn_random_conv(qn_random_model *m, qn_value *x) {
  static const int64_t widths[] = {1, 2, 3, 4, 8, 17};
  const int64_t *in = qn_random_dims(x);
  window w = window_over(m, in, true);
  int64_t groups = in[3] % 2 == 0 && qn_random_between(m, 0, 2) == 0 ? 2 : 1;
  int64_t cout = qn_random_pick(m, widths, QN_COUNT(widths)) * groups;
  if (m->large) cout = cout / groups * 19 % 150 * groups;
  int64_t kernel[4] = {cout, w.kernel[0], w.kernel[1], in[3] / groups};
  qn_value *weights = qn_random_weights(m, 4, kernel, 0);
  qn_random_affine y = sum_quant(m, qn_random_quant_of(x), qn_random_quant_of(weights).scale,
                                 kernel[1] * kernel[2] * kernel[3]);
  qn_value *bias = qn_random_between(m, 0, 3) ? qn_random_bias(m, cout) : NULL;
  qn_value *operands[] = {x, weights, bias};
  int64_t out[4] = {in[0], w.out[0], w.out[1], cout};
  return qn_build_1(
      &m->b, QN_OP_ML_CONV, qn_random_tensor(m, y, 4, out), operands, bias ? 3 : 2,
      QN_ATTRS({"strides", qn_random_i64s(m, w.strides, 2)}, {"pad", qn_random_i64s(m, w.pad, 4)},
               {"dilations", qn_random_i64s(m, w.dilations, 2)},
               {"groups", qn_attr_i64(&m->cx, groups)}, {"activation", activation_of(m)}));
}

/* A 3-D convolution, on a tensor of rank 5. */
qn_value *qn_random_conv_volume(qn_random_model *m, qn_value *x) {
  const int64_t *in = qn_random_dims(x);
  int64_t groups = in[4] % 2 == 0 && qn_random_chance(m, 3) ? 2 : 1;
  int64_t cout = groups * qn_random_between(m, 1, 3), strides[3], dilations[3], pad[6];
  int64_t kernel[5] = {cout, 1, 1, 1, in[4] / groups}, out[5] = {in[0], 0, 0, 0, cout};
  for (int i = 0; i < 3; i++) {
    kernel[1 + i] = qn_random_between(m, 1, in[1 + i] < 3 ? in[1 + i] : 3);
    strides[i] = qn_random_between(m, 1, 2);
    dilations[i] = kernel[1 + i] * 2 - 1 <= in[1 + i] ? qn_random_between(m, 1, 2) : 1;
    pad[2 * i] = qn_random_between(m, 0, kernel[1 + i] - 1);
    pad[2 * i + 1] = qn_random_between(m, 0, kernel[1 + i] - 1);
    int64_t extent = (kernel[1 + i] - 1) * dilations[i] + 1;
    out[1 + i] = (in[1 + i] + pad[2 * i] + pad[2 * i + 1] - extent) / strides[i] + 1;
  }
  qn_value *weights = qn_random_weights(m, 5, kernel, 0);
  qn_random_affine y = sum_quant(m, qn_random_quant_of(x), qn_random_quant_of(weights).scale,
                                 kernel[1] * kernel[2] * kernel[3] * kernel[4]);
  qn_value *bias = qn_random_between(m, 0, 3) ? qn_random_bias(m, cout) : NULL;
  qn_value *operands[] = {x, weights, bias};
  return qn_build_1(
      &m->b, QN_OP_ML_CONV, qn_random_tensor(m, y, 5, out), operands, bias ? 3 : 2,
      QN_ATTRS({"strides", qn_random_i64s(m, strides, 3)}, {"pad", qn_random_i64s(m, pad, 6)},
               {"dilations", qn_random_i64s(m, dilations, 3)},
               {"groups", qn_attr_i64(&m->cx, groups)}, {"activation", activation_of(m)}));
}

/* A transposed convolution, on few rows and columns because the result has more. */
qn_value *qn_random_conv_transpose(qn_random_model *m, qn_value *x) {
  static const int64_t widths[] = {1, 2, 3, 5, 8};
  const int64_t *in = qn_random_dims(x);
  int64_t groups = in[3] % 2 == 0 && qn_random_chance(m, 3) ? 2 : 1;
  int64_t cout = qn_random_pick(m, widths, QN_COUNT(widths)) * groups;
  int64_t kernel[4] = {cout, 1, 1, in[3] / groups}, strides[2], dilations[2], pad[4];
  int64_t out[4] = {in[0], 0, 0, cout};
  for (int i = 0; i < 2; i++) {
    kernel[1 + i] = qn_random_between(m, 1, 4);
    strides[i] = qn_random_between(m, 1, 3);
    dilations[i] = qn_random_between(m, 1, 2);
    int64_t whole = (in[1 + i] - 1) * strides[i] + (kernel[1 + i] - 1) * dilations[i] + 1;
    pad[2 * i] = qn_random_between(m, 0, whole - 1 < 3 ? whole - 1 : 3);
    int64_t rest = whole - pad[2 * i] - 1;
    pad[2 * i + 1] = qn_random_between(m, 0, rest < 3 ? rest : 3);
    out[1 + i] = rest + 1 - pad[2 * i + 1];
  }
  bool states = qn_random_chance(m, 3);
  for (int i = 0; i < 2 && states; i++) out[1 + i] += qn_random_between(m, 0, strides[i] - 1);
  qn_value *weights = qn_random_weights(m, 4, kernel, 0);
  qn_random_affine y = sum_quant(m, qn_random_quant_of(x), qn_random_quant_of(weights).scale,
                                 kernel[1] * kernel[2] * kernel[3]);
  qn_value *bias = qn_random_between(m, 0, 3) ? qn_random_bias(m, cout) : NULL;
  qn_value *operands[] = {x, weights, bias};
  qn_value *made = qn_build_1(
      &m->b, QN_OP_ML_CONV_TRANSPOSE, qn_random_tensor(m, y, 4, out), operands, bias ? 3 : 2,
      QN_ATTRS({"strides", qn_random_i64s(m, strides, 2)}, {"pad", qn_random_i64s(m, pad, 4)},
               {"dilations", qn_random_i64s(m, dilations, 2)},
               {"groups", qn_attr_i64(&m->cx, groups)}, {"activation", activation_of(m)}));
  if (states) qn_op_set_attr(m->module, made->op, "output_shape", qn_random_i64s(m, out + 1, 2));
  return made;
}

qn_value *qn_random_depthwise(qn_random_model *m, qn_value *x) {
  const int64_t *in = qn_random_dims(x);
  window w = window_over(m, in, true);
  int64_t cout = in[3] * qn_random_between(m, 1, 3);
  int64_t kernel[4] = {1, w.kernel[0], w.kernel[1], cout};
  qn_value *weights = qn_random_weights(m, 4, kernel, 3);
  qn_random_affine y =
      sum_quant(m, qn_random_quant_of(x), qn_random_quant_of(weights).scale, kernel[1] * kernel[2]);
  int64_t out[4] = {in[0], w.out[0], w.out[1], cout};
  return qn_build_1(
      &m->b, QN_OP_ML_DEPTHWISE_CONV, qn_random_tensor(m, y, 4, out),
      QN_VALUES(x, weights, qn_random_bias(m, cout)),
      QN_ATTRS({"strides", qn_random_i64s(m, w.strides, 2)}, {"pad", qn_random_i64s(m, w.pad, 4)},
               {"dilations", qn_random_i64s(m, w.dilations, 2)}, {"activation", activation_of(m)}));
}

qn_value *qn_random_linear(qn_random_model *m, qn_value *x) {
  static const int64_t widths[] = {1, 3, 10, 16, 33};
  const int64_t *in = qn_random_dims(x);
  uint32_t rank = x->type->shaped.rank;
  int64_t units = qn_random_pick(m, widths, QN_COUNT(widths)) * (m->large ? 7 : 1),
          taps = in[rank - 1];
  qn_value *weights = qn_random_weights(m, 2, (const int64_t[]){units, taps}, 0);
  qn_random_affine y = sum_quant(m, qn_random_quant_of(x), qn_random_quant_of(weights).scale, taps);
  int64_t out[8];
  memcpy(out, in, rank * sizeof *out);
  out[rank - 1] = units;
  qn_value *bias = qn_random_between(m, 0, 3) ? qn_random_bias(m, units) : NULL;
  qn_value *operands[] = {x, weights, bias};
  return qn_build_1(&m->b, QN_OP_ML_LINEAR, qn_random_tensor(m, y, rank, out), operands,
                    bias ? 3 : 2, QN_ATTRS({"activation", activation_of(m)}));
}

/* add, sub or mul with a second input or a constant, of the same shape or one value per channel. */
qn_value *qn_random_binary(qn_random_model *m, qn_value *x) {
  static const qn_op_kind kinds[] = {QN_OP_ML_ADD, QN_OP_ML_SUB, QN_OP_ML_MUL};
  return qn_random_binary_of(m, kinds[qn_random_between(m, 0, (int64_t)QN_COUNT(kinds) - 1)], x);
}

qn_value *qn_random_binary_of(qn_random_model *m, qn_op_kind kind, qn_value *x) {
  uint32_t rank = x->type->shaped.rank;
  int64_t dims[8];
  memcpy(dims, qn_random_dims(x), rank * sizeof *dims);
  if (qn_random_between(m, 0, 2) == 0)
    for (uint32_t i = 0; i + 1 < rank; i++) dims[i] = 1;
  const qn_type *type = qn_random_tensor(m, qn_random_quant(m), rank, dims);
  qn_value *other = qn_random_is_argument(m) ? qn_random_input(m, type) : qn_random_bytes(m, type);
  qn_random_affine y = qn_random_quant(m);
  double reach = kind == QN_OP_ML_MUL
                     ? (m->words ? 32768.0 : 128.0) * qn_random_quant_of(x).scale *
                           qn_random_quant_of(other).scale
                     : qn_random_quant_of(x).scale + qn_random_quant_of(other).scale;
  if (!keeps_minmax(m)) y.scale = (double)(float)(reach * qn_random_real(m, 0.55, 4.0));
  return qn_build_1(&m->b, kind, qn_random_tensor(m, y, rank, qn_random_dims(x)),
                    QN_VALUES(x, other), QN_ATTRS({"activation", activation_of(m)}));
}

qn_value *qn_random_pool(qn_random_model *m, qn_value *x) {
  return qn_random_pool_of(m, qn_random_between(m, 0, 1) ? QN_OP_ML_AVG_POOL : QN_OP_ML_MAX_POOL,
                           x);
}

qn_value *qn_random_pool_of(qn_random_model *m, qn_op_kind kind, qn_value *x) {
  const int64_t *in = qn_random_dims(x);
  window w = window_over(m, in, false);
  int64_t out[4] = {in[0], w.out[0], w.out[1], in[3]};
  return qn_build_1(&m->b, kind, qn_random_tensor(m, qn_random_quant_of(x), 4, out), QN_VALUES(x),
                    QN_ATTRS({"kernel_sizes", qn_random_i64s(m, w.kernel, 2)},
                             {"strides", qn_random_i64s(m, w.strides, 2)},
                             {"pad", qn_random_i64s(m, w.pad, 4)},
                             {"activation", activation_of(m)}));
}

qn_value *qn_random_mean(qn_random_model *m, qn_value *x) {
  static const int64_t axes[][2] = {{1, 2}, {1, 0}, {3, 0}, {2, 3}};
  size_t pick = qn_random_between(m, 0, (int64_t)QN_COUNT(axes) - 1);
  uint32_t count = axes[pick][1] ? 2 : 1;
  bool keep = qn_random_between(m, 0, 1);
  int64_t out[4];
  uint32_t rank = 0;
  for (int64_t d = 0; d < 4; d++) {
    bool reduced = d == axes[pick][0] || (count == 2 && d == axes[pick][1]);
    if (!reduced || keep) out[rank++] = reduced ? 1 : qn_random_dims(x)[d];
  }
  qn_random_affine y = qn_random_quant(m);
  if (!keeps_minmax(m))
    y.scale = (double)(float)(qn_random_quant_of(x).scale * qn_random_real(m, 0.3, 2.0));
  return qn_build_1(&m->b, QN_OP_ML_REDUCE_MEAN, qn_random_tensor(m, y, rank, out), QN_VALUES(x),
                    QN_ATTRS({"axes", qn_random_i64s(m, axes[pick], count)},
                             {"keep_dims", qn_attr_bool(&m->cx, keep)}));
}

qn_value *qn_random_softmax(qn_random_model *m, qn_value *x) {
  qn_random_affine y = {0x1p-8, m->is_unsigned ? 0 : -128};
  if (m->words) y = (qn_random_affine){0x1p-15, 0};
  return qn_build_1(&m->b, QN_OP_ML_SOFTMAX,
                    qn_random_tensor(m, y, x->type->shaped.rank, qn_random_dims(x)), QN_VALUES(x),
                    QN_ATTRS({"beta", qn_attr_float(&m->cx, 1.0, qn_type_float(&m->cx, QN_F32))}));
}

qn_value *qn_random_unary(qn_random_model *m, qn_value *x) {
  qn_op_kind kinds[QN_OP_COUNT];
  int64_t count = 0;
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    const qn_plan_record *record = qn_plan_record_of((qn_op_kind)kind);
    if (record && record->plan && record->integer == QN_OP_ML_LUT)
      kinds[count++] = (qn_op_kind)kind;
  }
  return qn_random_unary_of(m, kinds[qn_random_between(m, 0, count - 1)], x);
}

qn_value *qn_random_unary_of(qn_random_model *m, qn_op_kind kind, qn_value *x) {
  qn_random_affine y = qn_random_quant(m);
  if (kind == QN_OP_ML_SIGMOID) y = (qn_random_affine){0x1p-8, m->is_unsigned ? 0 : -128};
  if (kind == QN_OP_ML_TANH) y = (qn_random_affine){0x1p-7, m->is_unsigned ? 128 : 0};
  bool curve = kind == QN_OP_ML_SIGMOID || kind == QN_OP_ML_TANH;
  if (m->words && curve) y = (qn_random_affine){0x1p-15, 0};
  return qn_build_1(&m->b, kind, qn_random_tensor(m, y, x->type->shaped.rank, qn_random_dims(x)),
                    QN_VALUES(x), NULL);
}

qn_value *qn_random_pad(qn_random_model *m, qn_value *x) {
  uint32_t rank = x->type->shaped.rank;
  int64_t pad[16], out[8];
  for (uint32_t i = 0; i < rank; i++) {
    pad[2 * i] = qn_random_between(m, 0, 2);
    pad[2 * i + 1] = qn_random_between(m, 0, 2);
    out[i] = qn_random_dims(x)[i] + pad[2 * i] + pad[2 * i + 1];
  }
  return qn_build_1(&m->b, QN_OP_ML_PAD, qn_random_tensor(m, qn_random_quant_of(x), rank, out),
                    QN_VALUES(x), QN_ATTRS({"pad", qn_random_i64s(m, pad, 2 * rank)}));
}

/* Concatenates x and a second input. uint8 inputs may have different quantizations. */
qn_value *qn_random_concat(qn_random_model *m, qn_value *x) {
  uint32_t rank = x->type->shaped.rank;
  int64_t axis = qn_random_between(m, 0, rank - 1), dims[8], out[8];
  memcpy(dims, qn_random_dims(x), rank * sizeof *dims);
  dims[axis] = qn_random_between(m, 1, 3);
  qn_random_affine other = m->is_unsigned ? qn_random_quant(m) : qn_random_quant_of(x);
  qn_random_affine y = m->is_unsigned ? qn_random_quant(m) : qn_random_quant_of(x);
  memcpy(out, dims, rank * sizeof *out);
  out[axis] += qn_random_dims(x)[axis];
  const qn_type *type = qn_random_tensor(m, other, rank, dims);
  qn_value *second = qn_random_is_variable(m) ? qn_random_input(m, type) : qn_random_bytes(m, type);
  return qn_build_1(&m->b, QN_OP_ML_CONCAT, qn_random_tensor(m, y, rank, out), QN_VALUES(x, second),
                    QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)}));
}

/* Float inputs with 8-bit weights (hybrid), where the profile's kernels quantize the input at run
 * time: an op that quantizes rows, and a byte product. Other ops use the linalg decomposition
 * (src/ir/float_form), which gives the same bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "ir/float_form/hybrid.h"
#include "lower/integer/hybrid.h"

/* Whether the windows of the convolution are single pixels. */
static bool is_pointwise(const qn_op *op) {
  const qn_type *w = qn_op_operand(op, 1)->type;
  qn_i64s strides = qn_op_strides(op), pad = qn_op_pad(op);
  bool moves = w->shaped.rank != 4 || w->shaped.dims[1] != 1 || w->shaped.dims[2] != 1;
  for (uint32_t i = 0; i < strides.count; i++) moves |= strides.data[i] != 1;
  for (uint32_t i = 0; i < pad.count; i++) moves |= pad.data[i] != 0;
  return !moves && qn_op_groups(op) == 1;
}

/* Whether it is visible that kernels skip an input of zeros. */
static bool may_show_skips(const qn_op *op, const qn_hybrid_numbers *n) {
  return n->skips && op->operand_count > 2 && qn_hybrid_shows_zeros(qn_op_operand(op, 2));
}

/* Whether the op is a convolution whose images are each quantized with their own range. */
static bool has_windows(const qn_op *op, const qn_hybrid_numbers *n) {
  return op->kind == QN_OP_ML_CONV && !n->pixels && qn_op_groups(op) == 1 &&
         qn_op_operand(op, 0)->type->shaped.rank == 4;
}

/* Whether each channel of images has one filter. */
static bool is_depthwise(const qn_op *op) {
  const qn_type *x = qn_op_operand(op, 0)->type, *w = qn_op_operand(op, 1)->type;
  return op->kind == QN_OP_ML_DEPTHWISE_CONV && x->shaped.rank == 4 &&
         x->shaped.dims[3] == w->shaped.dims[3];
}

/* The op that computes `op` on bytes; QN_OP_UNREGISTERED if none does. */
static qn_op_kind product_of(const qn_op *op, const qn_hybrid_numbers *n) {
  if (op->kind == QN_OP_ML_LINEAR || (op->kind == QN_OP_ML_CONV && is_pointwise(op)))
    return QN_OP_ML_HYBRID_LINEAR;
  if (has_windows(op, n)) return QN_OP_ML_HYBRID_CONV;
  return is_depthwise(op) ? QN_OP_ML_HYBRID_DEPTHWISE_CONV : QN_OP_UNREGISTERED;
}

static bool takes(const qn_op *op, const qn_hybrid_numbers *n) {
  const qn_type *x = qn_op_operand(op, 0)->type;
  const qn_attr *weights = qn_value_constant(qn_op_operand(op, 1));
  return product_of(op, n) != QN_OP_UNREGISTERED && x->shaped.rank >= 2 && weights &&
         qn_attr_is_elements(weights) && !may_show_skips(op, n);
}

/* ---- quantization of rows ---- */

/* An earlier op of the block that quantizes the same rows as `made`; NULL if none. */
static qn_op *known_rows(const qn_op *made) {
  for (const qn_use *use = qn_op_operand(made, 0)->first_use; use; use = use->next) {
    qn_op *other = use->owner;
    if (other != made && other->kind == QN_OP_ML_QUANTIZE_ROWS && other->block == made->block &&
        qn_type_is_unsigned(qn_type_element(other->results[0].type)) &&
        qn_op_find(other, QN_A_ROWS) == qn_op_find(made, QN_A_ROWS) &&
        qn_op_find(other, QN_A_ROW_SCHEME) == qn_op_find(made, QN_A_ROW_SCHEME))
      return other;
  }
  return NULL;
}

static qn_op *quantized_rows(qn_integer *in, qn_builder *b, const qn_op *op,
                             const qn_hybrid_numbers *n) {
  const qn_type *byte = qn_type_integer(in->cx, 8, QN_UNSIGNED);
  qn_op *made = qn_hybrid_quantize(b, op, n, qn_op_operand(op, 0), byte);
  qn_op *known = known_rows(made);
  if (!known) return made;
  qn_op_erase(in->module, made);
  return known;
}

/* ---- the product ---- */

static qn_value *constant(qn_builder *b, const qn_type *type, const void *data, size_t size) {
  const qn_attr *value = qn_attr_dense(b->cx, type, (qn_bytes){data, size}, true);
  return qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* The stored weights, [channel][k] or as windows. */
static qn_value *weights_of(qn_integer *in, qn_builder *b, const qn_op *op, bool windows) {
  const qn_type *w = qn_op_operand(op, 1)->type, *i8 = qn_type_i(in->cx, 8);
  const qn_attr *payload = qn_value_constant(qn_op_operand(op, 1));
  int64_t channels = w->shaped.dims[0];
  int64_t dims[] = {channels, qn_type_elements(w) / channels};
  const qn_type *type =
      windows ? qn_type_with_element(in->cx, w, i8) : qn_type_tensor(in->cx, i8, 2, dims);
  return constant(b, type, payload->dense.bytes.data, payload->dense.bytes.size);
}

static qn_value *scales_of(qn_integer *in, qn_builder *b, const qn_op *op, int64_t channels,
                           bool flush) {
  const qn_quant_uniform *q = qn_type_quant(qn_op_operand(op, 1)->type);
  float *scales = qn_arena_array(&in->module->arena, (size_t)channels, sizeof *scales);
  for (int64_t c = 0; c < channels; c++) {
    scales[c] = (float)q->scales[q->count > 1 ? c : 0];
    if (flush && scales[c] < FLT_MIN) scales[c] = 0;
  }
  const qn_type *type = qn_type_tensor(in->cx, qn_type_float(in->cx, QN_F32), 1, &channels);
  return constant(b, type, scales, (size_t)channels * sizeof *scales);
}

static qn_scale_order order_of(const qn_hybrid_numbers *n, int64_t channels) {
  enum { FOUR = 4 };
  static const qn_scale_order orders[] = {[QN_HYBRID_SCALES] = QN_ORDER_SCALES,
                                          [QN_HYBRID_CHANNELS] = QN_ORDER_CHANNEL_FIRST,
                                          [QN_HYBRID_FOURS] = QN_ORDER_FOURS,
                                          [QN_HYBRID_FUSED] = QN_ORDER_FUSED};
  bool whole = n->order == QN_HYBRID_FOURS && channels % FOUR == 0;
  return whole ? QN_ORDER_CHANNEL_FIRST : orders[n->order];
}

/* Whether the plan is a hybrid one; these kinds have no other fixed form. */
static bool is_hybrid(const qn_op *op, const qn_plan *plan) {
  bool product = op->kind == QN_OP_ML_LINEAR || op->kind == QN_OP_ML_CONV ||
                 op->kind == QN_OP_ML_DEPTHWISE_CONV;
  return plan->kind == QN_PLAN_FORM && plan->numbers && product;
}

bool qn_integer_hybrid(qn_integer *in, qn_op *op, const qn_plan *plan) {
  enum { X, SCALES, ZERO_POINTS, WEIGHTS, WEIGHT_SCALES, BIAS, OPERANDS };
  if (!is_hybrid(op, plan)) return false;
  if (!takes(op, &plan->numbers->hybrid)) return false;
  const qn_hybrid_numbers *n = &plan->numbers->hybrid;
  qn_builder b = qn_builder_before(in->module, op);
  qn_value *operands[OPERANDS];
  uint32_t count = BIAS;
  const qn_op_kind kind = product_of(op, n);
  bool windows = kind != QN_OP_ML_HYBRID_LINEAR;
  const int64_t *w = qn_op_operand(op, 1)->type->shaped.dims;
  int64_t channels = kind == QN_OP_ML_HYBRID_DEPTHWISE_CONV ? w[3] : w[0];
  const qn_op *rows = quantized_rows(in, &b, op, n);
  for (uint32_t i = 0; i < rows->result_count; i++) operands[X + i] = qn_op_result(rows, i);
  operands[WEIGHTS] = weights_of(in, &b, op, windows);
  operands[WEIGHT_SCALES] = scales_of(in, &b, op, channels, n->dynamic);
  if (op->operand_count > 2) operands[count++] = qn_op_operand(op, 2);
  const qn_attr *order = qn_attr_word(in->cx, QN_A_SCALE_ORDER, order_of(n, channels));
  qn_value *y =
      qn_build_1(&b, kind, op->results[0].type, operands, count, QN_ATTRS({"order", order}));
  static const qn_attr_id kept[] = {QN_A_ACTIVATION, QN_A_STRIDES, QN_A_PAD, QN_A_DILATIONS};
  for (size_t i = 0; i < (windows ? QN_COUNT(kept) : 1); i++) {
    const qn_attr *value = qn_op_find(op, kept[i]);
    if (value) qn_op_set_attr(in->module, y->op, qn_attr_decls[kept[i]].name, value);
  }
  qn_integer_replace(in, op, y);
  return true;
}

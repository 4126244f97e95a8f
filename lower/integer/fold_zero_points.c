/* Folds the zero points of matrix ops into their weights and bias:
 *
 *   sum (w - zw) * (x - zx) + bias = sum w' * x + bias'
 *   w' = w - zw,   bias' = bias - zx * sum w'
 *
 * Both sides are equal modulo 2^32. Accumulators and the folding wrap modulo 2^32, so the pass is
 * exact for all values. w' is i8 if all its values fit, else i16. Afterwards both zero points are 0
 * and the weights are signed.
 *
 *   before: %y = "ml.integer_linear"(%x, %w, %b, ...)
 *             {input_zero_point = 4, weight_zero_point = 2}
 *   after:  %y = "ml.integer_linear"(%x, %w1, %b1, ...)
 *             {input_zero_point = 0, weight_zero_point = 0}
 *
 * Requires materialize-padding: a convolution with padding is not changed, because the correction
 * would differ at the border. An op whose weights or bias are not constant is not changed either.
 * Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/weights.h"
#include "lower/integer/integer.h"

typedef struct fold {
  qn_weight_bytes weights;
  int32_t weight_zero, input_zero;
  qn_channel_layout layout;
} fold;

/* Whether the op is an integer-stage matrix op; ops of the model have zero points in their types.
 */
static bool is_matrix_op(const qn_op *op) {
  return qn_op_has_weights(op) && qn_op_find(op, QN_A_INPUT_ZERO_POINT);
}

static bool can_fold(const qn_op *op, fold *out) {
  if (!is_matrix_op(op)) return false;
  qn_i64s pad = qn_op_pad(op);
  for (uint32_t i = 0; i < pad.count; i++)
    if (pad.data[i] != 0) return false;
  const qn_type *element = qn_type_element(qn_op_operand(op, 1)->type);
  const qn_attr *weights = qn_value_constant(qn_op_operand(op, 1));
  if (!weights || !qn_type_is_int(element, 8) || !qn_value_constant(qn_op_operand(op, 2)))
    return false;
  *out = (fold){
      .weights = qn_weight_bytes_of(weights, qn_type_is_unsigned(element)),
      .weight_zero = (int32_t)qn_op_weight_zero_point(op),
      .input_zero = (int32_t)qn_op_input_zero_point(op),
      .layout = qn_channel_layout_of(op),
  };
  bool work = out->weight_zero != 0 || out->input_zero != 0 || out->weights.is_unsigned;
  return work && qn_channel_layout_fits(&out->layout);
}

/* Weights minus their zero point, in the narrowest type that holds all of them. */
static qn_value *build_weights(qn_pass_context *pc, qn_builder *b, const qn_value *old,
                               const fold *f) {
  int64_t count = f->layout.channels * f->layout.taps;
  int16_t *plain = QN_NEW_ARRAY(pc->scratch, (size_t)count + 1, int16_t);
  int8_t *small = QN_NEW_ARRAY(pc->scratch, (size_t)count + 1, int8_t);
  bool narrow = true;
  for (int64_t i = 0; i < count; i++) {
    plain[i] = (int16_t)(qn_weight_at(f->weights, i) - f->weight_zero);
    small[i] = (int8_t)plain[i];
    narrow &= small[i] == plain[i];
  }
  const qn_type *type = qn_type_with_element(pc->cx, old->type, qn_type_i(pc->cx, narrow ? 8 : 16));
  qn_bytes bytes = {(const uint8_t *)plain, (size_t)count * sizeof *plain};
  if (narrow) bytes = (qn_bytes){(const uint8_t *)small, (size_t)count};
  const qn_attr *value = qn_attr_dense(pc->cx, type, bytes, false);
  return qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* bias - zx * sum (w - zw) of every channel, modulo 2^32. */
static qn_value *build_bias(qn_pass_context *pc, qn_builder *b, const qn_value *old,
                            const fold *f) {
  const qn_attr *bias = qn_value_constant(old);
  int64_t channels = f->layout.channels, taps = f->layout.taps;
  int32_t *folded = QN_NEW_ARRAY(pc->scratch, (size_t)channels + 1, int32_t);
  for (int64_t c = 0; c < channels; c++) {
    uint32_t sum = 0u - (uint32_t)taps * (uint32_t)f->weight_zero;
    for (int64_t t = 0; t < taps; t++)
      sum += (uint32_t)qn_weight_at(f->weights, qn_channel_index(&f->layout, c, t));
    folded[c] = (int32_t)((uint32_t)qn_dense_int(bias, c) - (uint32_t)f->input_zero * sum);
  }
  return qn_plan_i32s(b, folded, channels);
}

static void fold_op(qn_op *op, void *user) {
  qn_pass_context *pc = user;
  fold f;
  if (!can_fold(op, &f)) return;
  qn_value *weights = qn_op_operand(op, 1), *bias = qn_op_operand(op, 2);
  qn_arena_mark mark = qn_arena_get_mark(pc->scratch);
  qn_builder b = qn_builder_before(pc->module, op);
  if (f.weight_zero != 0 || f.weights.is_unsigned)
    qn_op_set_operand(op, 1, build_weights(pc, &b, weights, &f));
  if (f.input_zero != 0) qn_op_set_operand(op, 2, build_bias(pc, &b, bias, &f));
  qn_op_set_attr(pc->module, op, "input_zero_point", qn_attr_i64(pc->cx, 0));
  qn_op_set_attr(pc->module, op, "weight_zero_point", qn_attr_i64(pc->cx, 0));
  qn_arena_rewind(pc->scratch, mark);
  pc->changed = true;
}

static qn_status run(qn_pass_context *pc) {
  qn_integer_for_each(pc->module, fold_op, pc);
  return QN_OK;
}

static bool is_folded(const qn_op *op) {
  fold f;
  return !can_fold(op, &f);
}

const qn_property qn_property_zero_points_folded = {
    .name = "zero-points-folded",
    .summary = "with all that its constants can take of zero points in them",
    .holds = is_folded,
    .by = &qn_pass_fold_zero_points,
};

const qn_pass qn_pass_fold_zero_points = {
    .name = "fold-zero-points",
    .summary = "move zero points of matrix ops into weights and bias",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_padding_explicit, NULL},
    .established = (const qn_property *const[]){&qn_property_zero_points_folded, NULL},
    .run = run,
};

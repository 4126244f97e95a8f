/* Zero points of matrix ops go into the constants:
 *
 *   sum (w - zw) * (x - zx) + bias = sum w' * x + bias',   w' = w - zw,   bias' = bias - zx * sum
 * w'
 *
 * Both sides are equal modulo 2^32, which is how accumulators and this arithmetic wrap, so the pass
 * is exact whatever the range. w' is i8 where all of it fits, else i16. Afterwards both zero points
 * are 0 and weights are signed.
 *
 *   before: %y = "ml.integer_linear"(%x, %w, %b, ...) {input_zero_point = 4, weight_zero_point = 2}
 *   after:  %y = "ml.integer_linear"(%x, %w1, %b1, ...) {input_zero_point = 0, weight_zero_point =
 * 0}
 *
 * Needs materialize-padding: a padded convolution is left alone, since the correction would differ
 * at the border. So are ops whose weights or bias are not constant. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

typedef struct fold {
  const qn_attr *weights;
  bool weights_unsigned;
  int32_t weight_zero, input_zero;
  qn_channel_layout layout;
} fold;

static bool is_matrix_op(const qn_op *op) {
  return op->kind == QN_OP_ML_INTEGER_CONV || op->kind == QN_OP_ML_INTEGER_DEPTHWISE_CONV ||
         op->kind == QN_OP_ML_INTEGER_LINEAR;
}

static bool can_fold(const qn_op *op, fold *out) {
  if (!is_matrix_op(op)) return false;
  qn_i64s pad = qn_op_i64s(op, "pad");
  for (uint32_t i = 0; i < pad.count; i++)
    if (pad.data[i] != 0) return false;
  const qn_type *element = qn_type_element(qn_op_operand(op, 1)->type);
  *out = (fold){
      .weights = qn_value_constant(qn_op_operand(op, 1)),
      .weights_unsigned = qn_type_is_unsigned(element),
      .weight_zero = (int32_t)qn_op_i64(op, "weight_zero_point", 0),
      .input_zero = (int32_t)qn_op_i64(op, "input_zero_point", 0),
      .layout = qn_channel_layout_of(op),
  };
  bool work = out->weight_zero != 0 || out->input_zero != 0 || out->weights_unsigned;
  return work && qn_type_is_int(element, 8) && out->weights &&
         qn_value_constant(qn_op_operand(op, 2));
}

/* The weights without their zero point, and whether they still fit 8 bits. */
static int16_t *plain_weights(const qn_pass_context *pc, const fold *f, int64_t count,
                              bool *out_narrow) {
  int16_t *plain = QN_NEW_ARRAY(pc->scratch, (size_t)count + 1, int16_t);
  *out_narrow = true;
  for (int64_t i = 0; i < count; i++) {
    plain[i] = (int16_t)(qn_storage8(f->weights, f->weights_unsigned, i) - f->weight_zero);
    *out_narrow &= plain[i] >= INT8_MIN && plain[i] <= INT8_MAX;
  }
  return plain;
}

static qn_value *build_weights(qn_pass_context *pc, qn_builder *b, const qn_value *old,
                               const int16_t *plain, int64_t count, bool narrow) {
  const qn_type *type = qn_type_with_element(pc->cx, old->type, qn_type_i(pc->cx, narrow ? 8 : 16));
  qn_bytes bytes = {(const uint8_t *)plain, (size_t)count * sizeof *plain};
  if (narrow) {
    int8_t *small = QN_NEW_ARRAY(pc->scratch, (size_t)count + 1, int8_t);
    for (int64_t i = 0; i < count; i++) small[i] = (int8_t)plain[i];
    bytes = (qn_bytes){(const uint8_t *)small, (size_t)count};
  }
  const qn_attr *value = qn_attr_dense(pc->cx, type, bytes, false);
  return qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *build_bias(qn_pass_context *pc, qn_builder *b, const qn_value *old, const fold *f,
                            const int16_t *plain) {
  const qn_attr *bias = qn_value_constant(old);
  int64_t channels = f->layout.channels;
  int32_t *folded = QN_NEW_ARRAY(pc->scratch, (size_t)channels + 1, int32_t);
  for (int64_t c = 0; c < channels; c++) {
    uint32_t sum = 0;
    for (int64_t t = 0; t < f->layout.taps; t++)
      sum += (uint32_t)plain[qn_channel_index(&f->layout, c, t)];
    folded[c] = (int32_t)((uint32_t)qn_dense_int(bias, c) - (uint32_t)f->input_zero * sum);
  }
  return qn_integer_i32s(b, folded, channels);
}

static void fold_op(qn_op *op, void *user) {
  qn_pass_context *pc = user;
  fold f;
  if (!can_fold(op, &f)) return;
  qn_value *weights = qn_op_operand(op, 1), *bias = qn_op_operand(op, 2);
  int64_t count = f.layout.channels * f.layout.taps;
  qn_arena_mark mark = qn_arena_get_mark(pc->scratch);
  bool narrow;
  const int16_t *plain = plain_weights(pc, &f, count, &narrow);
  qn_builder b = qn_builder_before(pc->module, op);
  qn_op_set_operand(op, 1,
                    f.weight_zero == 0 && !f.weights_unsigned
                        ? weights
                        : build_weights(pc, &b, weights, plain, count, narrow));
  if (f.input_zero != 0) qn_op_set_operand(op, 2, build_bias(pc, &b, bias, &f, plain));
  qn_op_set_attr(pc->module, op, "input_zero_point", qn_attr_i64(pc->cx, 0));
  qn_op_set_attr(pc->module, op, "weight_zero_point", qn_attr_i64(pc->cx, 0));
  qn_arena_rewind(pc->scratch, mark);
  pc->changed = true;
}

static qn_status run(qn_pass_context *pc) {
  qn_integer_for_each(pc->module, fold_op, pc);
  return QN_OK;
}

const qn_pass qn_pass_fold_zero_points = {
    .name = "fold-zero-points",
    .summary = "move zero points of matrix ops into weights and bias",
    .numerics = QN_EXACT,
    .run = run,
};

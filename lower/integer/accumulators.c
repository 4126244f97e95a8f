/* Proves from constant weights and bias that the 32-bit accumulators of convolutions and matrix
 * products do not wrap.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"
#include "quant/bounds.h"

static bool has_padding(const qn_op *op) {
  qn_i64s pad = qn_op_pad(op);
  for (uint32_t i = 0; i < pad.count; i++)
    if (pad.data[i] != 0) return true;
  return false;
}

static void warn_range(qn_integer *in, const qn_op *op, int64_t channel, qn_interval range,
                       int64_t others) {
  char more[48] = "";
  if (others > 0) snprintf(more, sizeof more, " (and of %lld more channels)", (long long)others);
  qn_warning(
      &in->cx->diag, op->loc,
      "the accumulator of channel %lld%s may be anywhere in [%lld, %lld] and wrap at 32 bits",
      (long long)channel, more, (long long)range.lo, (long long)range.hi);
}

/* Whether 32 bits suffice for arbitrary 8-bit weights, inputs of `width` bits and any bias up to
 * `bias`. */
static bool is_plainly_narrow(uint32_t width, int64_t taps, int64_t bias) {
  return taps < (width == 8 ? 1 << 14 : 1 << 6) && bias > -(1 << 30) && bias < (1 << 30);
}

typedef struct matrix_op {
  const qn_plan_matrix *plan;
  qn_channel_layout layout;
  qn_weight_bytes weights;
  uint32_t width; /* bits of an input */
  bool x_signed, padded;
} matrix_op;

static qn_interval accumulator_range(qn_integer *in, const matrix_op *m, int64_t channel,
                                     int64_t bias) {
  qn_arena_mark mark = qn_arena_get_mark(in->scratch);
  int32_t *taps = QN_NEW_ARRAY(in->scratch, (size_t)m->layout.taps + 1, int32_t);
  for (int64_t t = 0; t < m->layout.taps; t++) {
    int64_t i = qn_channel_index(&m->layout, channel, t);
    taps[t] = qn_weight_at(m->weights, i) - m->plan->weight_zero_point;
  }
  /* The range is that of all stored values, because nothing enforces the narrower range that the
   * type may state. */
  int64_t lowest, highest, zero = m->plan->input_zero_point;
  qn_storage_range(m->width, m->x_signed, &lowest, &highest);
  qn_interval range =
      qn_bounds_dot(taps, m->layout.taps, lowest - zero, highest - zero, bias, m->padded);
  qn_arena_rewind(in->scratch, mark);
  return range;
}

void qn_integer_check_accumulators(qn_integer *in, const qn_op *op, const qn_plan_matrix *plan) {
  const qn_attr *weights = qn_value_constant(op->operands[1].value);
  if (plan->wide) return;
  bool biased = op->operand_count > 2;
  const qn_attr *biases = biased ? qn_value_constant(op->operands[2].value) : NULL;
  if (!weights || (biased && !biases)) return;
  bool is_unsigned = !qn_type_quant(op->operands[1].value->type)->is_signed;
  matrix_op m = {plan,
                 qn_channel_layout_of(op),
                 qn_weight_bytes_of(weights, is_unsigned),
                 qn_type_quant(op->operands[0].value->type)->storage->integer.width,
                 qn_type_quant(op->operands[0].value->type)->is_signed,
                 has_padding(op)};
  int64_t first = -1, wide = 0;
  qn_interval first_range = {0, 0};
  for (int64_t c = 0; c < plan->channels; c++) {
    int64_t bias = biases ? qn_dense_int(biases, c) : 0;
    if (is_plainly_narrow(m.width, m.layout.taps, bias)) continue;
    qn_interval range = accumulator_range(in, &m, c, bias);
    if (qn_interval_fits_i32(range)) continue;
    if (wide++ > 0) continue;
    first = c;
    first_range = range;
  }
  if (wide > 0) warn_range(in, op, first, first_range, wide - 1);
}

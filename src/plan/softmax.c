/* ml.softmax over the last axis (docs/arithmetic.md 8).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/inside.h"

/* The largest exponential adds 2^19 to a 32-bit sum. With more than SAFE_ROW terms near the
 * largest, the final shift exceeds 31 bits; the reference kernels then have undefined behaviour and
 * Quern's kernels return 0. Only the data decide whether a row reaches this. All other rows have
 * the reference's integers. */
enum { SAFE_ROW = 511 };

static void remark_row(qn_planner *p, const qn_op *op, qn_plan *plan) {
  const qn_type *type = op->operands[0].value->type;
  int64_t row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  if (row > SAFE_ROW)
    qn_plan_note_on(p, plan, QN_REMARK,
                    "rows of %lld elements: the reference kernel is not defined when more than %d "
                    "elements are near the largest",
                    (long long)row, SAFE_ROW);
}

/* Whether the result has the quantization that the kernels write: scale 2^-width and zero point
 * `lowest`. For 8 bits the scale may deviate as long as no stored value moves by half a step. For
 * 16 bits the inexact scale that converters write is accepted, as in the kernels. */
static bool is_output(const qn_plan_tensor *y, int64_t lowest) {
  double off = fabs(ldexp(y->affine.scale, (int)y->width) - 1);
  bool scaled = y->width == 8 ? off * 255 < 0.5 : off <= 1e-3;
  return scaled && y->affine.zero_point == lowest;
}

static void by_table(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                     const qn_plan_tensor *y, qn_plan *out) {
  enum { DIFFERENCES = 256 };
  float *terms = QN_NEW_ARRAY(p->arena, DIFFERENCES, float);
  float scale = -(float)x->affine.scale * (float)qn_op_beta(op);
  for (int d = 0; d < DIFFERENCES; d++) terms[d] = expf(scale * (float)d);
  qn_form_numbers *n = QN_NEW(p->arena, qn_form_numbers);
  *n = (qn_form_numbers){.terms = terms,
                         .zero_point = y->affine.zero_point,
                         .min = y->affine.min,
                         .max = y->affine.max};
  out->numbers = n;
}

static qn_status plan_softmax(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[0].value, "the input", 8 | 16, &x));
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", 8 | 16, &y));
  if (x.width == 16 && y.width == 16) return qn_plan_softmax16_of(p, op, &x, &y, out);
  if (x.width == 16) return qn_plan_same_type(p, op, &x, &y);
  QN_TRY(qn_plan_same_sign(p, op, &x, &y));
  int64_t lowest, highest;
  qn_storage_range(y.width, !y.is_unsigned, &lowest, &highest);
  if (!is_output(&y, lowest))
    return qn_plan_refuse(p, op, "the result must have scale 1/%lld and zero point %lld",
                          (long long)(highest - lowest + 1), (long long)lowest);
  double beta = qn_op_beta(op), real = ldexp(beta * x.affine.scale, 26);
  if (!(real > 1) || isinf(real))
    return qn_plan_refuse_numbers(
        p, "softmax with beta %g and input scale %g is outside of the fixed-point range", beta,
        x.affine.scale);
  if (p->profile->softmax8 == QN_SOFTMAX_FLOAT && y.width == 8 &&
      op->operands[0].value->type->shaped.rank > 0) {
    by_table(p, op, &x, &y, out);
    return qn_plan_form(out);
  }
  out->kind = QN_PLAN_SOFTMAX;
  out->softmax = (qn_plan_softmax){.params = qn_softmax_params_of(beta, x.affine.scale),
                                   .output_zero_point = (int32_t)lowest,
                                   .output_bits = (int32_t)y.width};
  remark_row(p, op, out);
  return QN_OK;
}

static qn_value *write_softmax(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  if (plan->kind == QN_PLAN_SOFTMAX16) return qn_plan_write_softmax16(p, b, op, plan);
  const qn_plan_softmax *s = &plan->softmax;
  return qn_plan_build(p, b, op, QN_VALUES(op->operands[0].value),
                       QN_ATTRS({"multiplier", qn_attr_i64(b->cx, s->params.input.mantissa)},
                                {"shift", qn_attr_i64(b->cx, s->params.input.shift)},
                                {"diff_min", qn_attr_i64(b->cx, s->params.diff_min)},
                                {"output_zero_point", qn_attr_i64(b->cx, s->output_zero_point)}));
}

const char *qn_plan_read_softmax(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                                 qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_SOFTMAX};
  qn_softmax_params *s = &out->softmax.params;
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_MULTIPLIER, 0, INT32_MAX, &s->input.mantissa));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_SHIFT, 0, 31, &s->input.shift));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_DIFF_MIN, INT32_MIN, 0, &s->diff_min));
  out->softmax.output_bits = 8 * (int32_t)qn_type_bytes(qn_type_element(op->results[0].type));
  return qn_plan_read_zero_point(p, op, QN_A_OUTPUT_ZERO_POINT, &out->softmax.output_zero_point);
}

const qn_plan_record qn_plan_ml_softmax = {
    .plan = plan_softmax,
    .write = write_softmax,
    .integer = QN_OP_ML_INTEGER_SOFTMAX,
    .needs = "result scale 1/256, or 1/65536 of 16 bits, lowest zero point"};

/* ml.reduce_mean: the multiplier includes the division by the number of elements
 * (docs/arithmetic.md 7.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

/* Number of elements reduced to one result; 0 if none. */
static int64_t reduced_count(const qn_op *op) {
  int64_t in_count = qn_type_elements(op->operands[0].value->type);
  int64_t out_count = qn_type_elements(op->results[0].type);
  return out_count > 0 ? in_count / out_count : 0;
}

/* Plans a mean whose kernels add the zero points as part of the float offset. */
static qn_status plan_single(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                             const qn_plan_tensor *y, int64_t count, qn_plan *out) {
  if (count > INT32_MAX / 255)
    return qn_plan_refuse_numbers(p, "'%.*s' sums %lld elements, which 32 bits do not hold",
                                  QN_STR_ARG(op->name), (long long)count);
  qn_single single = qn_single_mean(&x->affine, &y->affine, count);
  out->kind = QN_PLAN_MEAN;
  out->mean = (qn_plan_mean){.multiplier = qn_multiplier_of((double)single.factor),
                             .rounding = QN_REQUANT_SINGLE,
                             .offset = single.offset,
                             .output = {0, y->affine.min, y->affine.max}};
  return QN_OK;
}

/* Whether the mean is over rows and columns. For these the kernels compute sixteen channels at
 * once, rounding ties up, and the remaining channels one by one, rounding otherwise. */
static bool is_over_places(const qn_op *op) {
  qn_i64s axes = qn_op_axes(op);
  return op->operands[0].value->type->shaped.rank == 4 && axes.count == 2 &&
         axes.data[0] + axes.data[1] == 3 && axes.data[0] * axes.data[1] == 2 &&
         qn_op_keep_dims(op);
}
static qn_status plan_offset(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                             const qn_plan_tensor *y, int64_t count, qn_plan *out) {
  enum { AT_ONCE = 16, LEAST_OFFSET = -128, MOST_OFFSET = 255 }; /* range of zero points */
  int64_t channels = op->operands[0].value->type->shaped.dims[3];
  if (channels > AT_ONCE && channels % AT_ONCE != 0)
    return qn_plan_refuse(p, op,
                          "of %lld channels the kernels of %s round an element as its place says",
                          (long long)channels, p->profile->name);
  out->kind = QN_PLAN_MEAN;
  out->mean = (qn_plan_mean){
      .rounding = channels < AT_ONCE ? QN_REQUANT_DOUBLE : QN_REQUANT_UP,
      .output = {0, y->affine.min, y->affine.max},
  };
  out->mean.multiplier =
      qn_multiplier_mean_offset(&x->affine, &y->affine, count, &out->mean.output.zero_point);
  int32_t offset = out->mean.output.zero_point;
  if (offset < LEAST_OFFSET || offset > MOST_OFFSET)
    return qn_plan_refuse_numbers(
        p, "'%.*s' adds %d for both zero points, beyond what an 8-bit type has",
        QN_STR_ARG(op->name), (int)offset);
  return QN_OK;
}

static qn_status plan_mean(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  int64_t count = reduced_count(op);
  if (qn_plan_is_whole(op->operands[0].value) && count > 0) return qn_plan_form(out);
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  if (count <= 0) return qn_plan_refuse_numbers(p, "the mean of no elements is not defined");
  QN_TRY(qn_plan_check_ratio(p, op, qn_real_requantize(x.affine.scale, y.affine.scale)));
  if (x.width == 8 && p->profile->mean == QN_MEAN_SINGLE)
    return plan_single(p, op, &x, &y, count, out);
  if (x.width == 8 && p->profile->mean == QN_MEAN_OFFSET && is_over_places(op))
    return plan_offset(p, op, &x, &y, count, out);
  out->kind = QN_PLAN_MEAN;
  out->mean = (qn_plan_mean){
      .input_zero_point = x.affine.zero_point,
      .multiplier = qn_multiplier_mean(x.affine.scale, y.affine.scale, count),
      .output = {y.affine.zero_point, y.affine.min, y.affine.max},
  };
  int64_t most = x.width == 8 ? 255 : 1 << 15; /* maximum difference from the zero point */
  if (count > INT32_MAX / most)
    qn_plan_note_on(p, out, QN_WARNING,
                    "the sum of %lld elements may be anywhere in [%lld, %lld] and wrap at 32 bits",
                    (long long)count, (long long)(-most * count), (long long)(most * count));
  return QN_OK;
}

static qn_value *write_mean(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_mean *m = &plan->mean;
  qn_value *y = qn_plan_build(
      p, b, op, QN_VALUES(op->operands[0].value),
      QN_ATTRS({"axes", qn_op_find(op, QN_A_AXES)}, {"keep_dims", qn_op_find(op, QN_A_KEEP_DIMS)},
               {"input_zero_point", qn_attr_i64(b->cx, m->input_zero_point)},
               {"multiplier", qn_attr_i64(b->cx, m->multiplier.mantissa)},
               {"shift", qn_attr_i64(b->cx, m->multiplier.shift)},
               {"output_zero_point", qn_attr_i64(b->cx, m->output.zero_point)},
               {"min", qn_attr_i64(b->cx, m->output.min)},
               {"max", qn_attr_i64(b->cx, m->output.max)}));
  if (m->rounding != QN_REQUANT_DOUBLE) qn_plan_set_rounding(b, y->op, m->rounding);
  if (m->rounding != QN_REQUANT_SINGLE) return y;
  qn_op_set_attr(b->module, y->op, "offset",
                 qn_attr_float(b->cx, (double)m->offset, qn_type_float(b->cx, QN_F32)));
  return y;
}

const char *qn_plan_read_mean(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                              qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_MEAN};
  qn_plan_mean *m = &out->mean;
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_INPUT_ZERO_POINT, &m->input_zero_point));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &m->multiplier));
  m->rounding = qn_op_requant_rounding(op);
  m->offset = (float)qn_op_product_offset(op);
  return qn_plan_read_output(p, op, &m->output);
}

const qn_plan_record qn_plan_ml_reduce_mean = {.plan = plan_mean,
                                               .write = write_mean,
                                               .integer = QN_OP_ML_INTEGER_MEAN,
                                               .needs = "one sign of storage"};

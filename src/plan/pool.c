/* ml.avg_pool and ml.max_pool, computed on stored values without subtracting the zero point
 * (docs/arithmetic.md 7.1, 7.2).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/inside.h"

/* The kernels do not rescale; they permit this relative difference between the scales. */
static const double SCALE_TOLERANCE = 1e-6;

static bool is_one_quantization(const qn_plan_tensor *x, const qn_plan_tensor *y) {
  return fabs(x->affine.scale - y->affine.scale) <= SCALE_TOLERANCE &&
         x->affine.zero_point == y->affine.zero_point;
}

static qn_status plan_pool(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  if (!is_one_quantization(&x, &y))
    return qn_plan_refuse(p, op, "input and result have different quantization");
  qn_plan_output output = qn_plan_output_of(op, &y);
  out->kind = QN_PLAN_POOL;
  out->pool = (qn_plan_pool){.min = output.min,
                             .max = output.max,
                             .rounding = x.is_unsigned ? QN_AVERAGE_HALF_UP : QN_AVERAGE_HALF_AWAY};
  return QN_OK;
}

static qn_value *write_max(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  return qn_plan_build(p, b, op, QN_VALUES(op->operands[0].value),
                       QN_ATTRS({"kernel_sizes", qn_op_find(op, QN_A_KERNEL_SIZES)},
                                {"strides", qn_op_find(op, QN_A_STRIDES)},
                                {"pad", qn_op_find(op, QN_A_PAD)},
                                {"min", qn_attr_i64(b->cx, plan->pool.min)},
                                {"max", qn_attr_i64(b->cx, plan->pool.max)}));
}

static qn_value *write_average(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  qn_value *y = write_max(p, b, op, plan);
  qn_op_set_attr(b->module, y->op, "rounding",
                 qn_attr_word(b->cx, QN_A_AVERAGE_ROUNDING, plan->pool.rounding));
  return y;
}

const char *qn_plan_read_pool(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                              qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_POOL};
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_MIN, INT32_MIN, INT32_MAX, &out->pool.min));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_MAX, INT32_MIN, INT32_MAX, &out->pool.max));
  out->pool.rounding = qn_op_average_rounding(op); /* unused for a maximum */
  return NULL;
}

#define POOL(stem, kind, writer)                                                                   \
  const qn_plan_record qn_plan_##stem = {.plan = plan_pool,                                        \
                                         .write = writer,                                          \
                                         .integer = kind,                                          \
                                         .needs = "one quantization of input and result"};
POOL(ml_avg_pool, QN_OP_ML_INTEGER_AVG_POOL, write_average)
POOL(ml_max_pool, QN_OP_ML_INTEGER_MAX_POOL, write_max)
#undef POOL

/* Table of the entries of all ops, and the entries of ops without a kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/schedule.h"
#include "ir/ops/forms.h"

#include "lower/loops/elements/elements.h"

#define NO_KERNEL(stem, why) const qn_schedule qn_schedule_##stem = {.none = why}
#define INTEGER "its integer form has one"
NO_KERNEL(ml_const, "constants are read where they are used");
NO_KERNEL(ml_add, INTEGER);
NO_KERNEL(ml_sub, INTEGER);
NO_KERNEL(ml_mul, INTEGER);
NO_KERNEL(ml_avg_pool, INTEGER);
NO_KERNEL(ml_max_pool, INTEGER);
NO_KERNEL(ml_reduce_mean, INTEGER);
NO_KERNEL(ml_softmax, INTEGER);
NO_KERNEL(ml_reexpress, INTEGER);

static const qn_schedule *const schedules[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = &qn_schedule_##stem,
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP
    [QN_OP_LINALG_GENERIC] = &qn_schedule_generic,
    [QN_OP_TENSOR_EXTRACT] = &qn_schedule_tensor_extract,
    [QN_OP_TENSOR_FROM_ELEMENTS] = &qn_schedule_tensor_from_elements,
    [QN_OP_TENSOR_SPLAT] = &qn_schedule_tensor_splat,
};

/* ---- parameters ---- */

static int64_t constant_integer(void *user, const qn_op *op, uint32_t operand, int64_t i) {
  (void)user;
  return qn_dense_int(qn_loops_payload(op, operand), i);
}
static double constant_real(void *user, const qn_op *op, uint32_t operand, int64_t i) {
  (void)user;
  return qn_dense_float(qn_loops_payload(op, operand), i);
}

const char *qn_schedule_read(qn_ir_context *cx, qn_arena *arena, const qn_op *op,
                             qn_plan *out_plan) {
  const qn_plan_operands operands = {NULL, constant_integer, constant_real};
  qn_planner planner = {.cx = cx, .arena = arena};
  return qn_schedule_of(op)->read(&planner, &operands, op, out_plan);
}

qn_plan qn_loops_plan(const qn_loops *lo, const qn_op *op) {
  qn_plan plan;
  const char *problem = qn_schedule_read(lo->cx, lo->scratch, op, &plan);
  QN_ASSERT(!problem);
  return plan;
}

/* ---- records ---- */

const qn_schedule *qn_schedule_of(const qn_op *op) {
  static const qn_schedule other = {.none = "no kernel is made of an op of its dialect"};
  static const qn_schedule form = {.none = "what it is at the integer stage has one"};
  static const bool forms[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = true,
#include "ir/ops/ml_forms.def"
#undef OP
  };
  if (qn_elements_is_elementwise(op))
    return qn_type_is_shaped(op->results[0].type) ? &qn_schedule_tensor_op : &qn_schedule_scalar_op;
  if (schedules[op->kind]) return schedules[op->kind];
  return forms[op->kind] ? &form : &other;
}

bool qn_loops_is_constant(const qn_op *op) {
  return qn_op_has(op, QN_CONSTANT) || op->kind == QN_OP_TENSOR_EMPTY;
}

/* Code that all reference kernels share: running a kernel with its plan, and reading operands and
 * attributes with checks (ref.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "eval/ref/ref.h"
#include "ir/cell_form/cell_form.h"
#include "ir/float_form/float_form.h"

/* Whether the type is static and small enough that no product of dimensions, strides and counts
 * overflows, even if a dimension is 0. */
static bool is_usable(const qn_type *type) {
  if (type->kind != QN_TYPE_TENSOR || !qn_type_is_static(type)) return false;
  int64_t bytes = qn_type_bytes(qn_type_element(type));
  for (uint32_t d = 0; d < type->shaped.rank; d++) {
    int64_t size = type->shaped.dims[d];
    if (!qn_checked_mul(bytes, size > 1 ? size : 1, &bytes)) return false;
  }
  return bytes > 0 && bytes <= QN_REF_MAX_BYTES;
}

static qn_status open_results(qn_eval *ev, const qn_op *op) {
  bool good = true;
  for (uint32_t i = 0; i < op->operand_count; i++) good &= is_usable(qn_ref_operand_type(op, i));
  for (uint32_t i = 0; i < op->result_count; i++) good &= is_usable(qn_ref_result_type(op, i));
  if (!good) return qn_eval_fail(ev, op, "needs tensors of static shape and at most 2 GiB");
  for (uint32_t i = 0; i < op->result_count; i++) qn_eval_result(ev, op, i);
  return QN_OK;
}

qn_status qn_ref_run(qn_eval *ev, const qn_op *op, qn_eval_fn *body) {
  QN_TRY(open_results(ev, op));
  qn_arena_mark mark = qn_arena_get_mark(ev->arena);
  qn_status status = body(ev, op);
  qn_arena_rewind(ev->arena, mark);
  return status;
}

typedef struct kernel_run {
  qn_plan_read_fn *read; /* NULL at the model stage */
  qn_ref_kernel *kernel;
} kernel_run;

static qn_status run_planned(qn_eval *ev, const qn_op *op, qn_planner *planner,
                             qn_ref_kernel *kernel) {
  qn_plan plan;
  qn_str reason;
  if (qn_cell_is_real(op)) return qn_ref_run_cell(ev, op);
  qn_status status = qn_plan_of(planner, op, &plan, &reason);
  if (status == QN_OK && plan.kind == QN_PLAN_FORM) return qn_ref_run_form(ev, op, planner, &plan);
  return status == QN_OK ? kernel(ev, op, &plan)
                         : qn_ref_run_unplanned(ev, op, planner, status, reason);
}

/* ---- operands of the integer stage, which may be computed ---- */

static int64_t operand_integer(void *user, const qn_op *op, uint32_t operand, int64_t i) {
  return qn_rt_int(qn_eval_operand(user, op, operand), i);
}
static double operand_real(void *user, const qn_op *op, uint32_t operand, int64_t i) {
  return qn_rt_float(qn_eval_operand(user, op, operand), i);
}

static qn_status run_read(qn_eval *ev, const qn_op *op, qn_planner *planner,
                          const kernel_run *run) {
  const qn_plan_operands operands = {ev, operand_integer, operand_real};
  qn_plan plan;
  const char *problem = run->read(planner, &operands, op, &plan);
  return problem ? qn_eval_fail(ev, op, "%s", problem) : run->kernel(ev, op, &plan);
}

static qn_status run_kernel(qn_eval *ev, const qn_op *op, const kernel_run *run) {
  QN_TRY(open_results(ev, op));
  qn_arena_mark mark = qn_arena_get_mark(ev->arena);
  qn_planner planner;
  qn_status status = qn_planner_of(ev->module, ev->arena, op->loc, &planner);
  if (status == QN_OK)
    status =
        run->read ? run_read(ev, op, &planner, run) : run_planned(ev, op, &planner, run->kernel);
  qn_arena_rewind(ev->arena, mark);
  return status;
}

qn_status qn_ref_run_model(qn_eval *ev, const qn_op *op, qn_ref_kernel *kernel) {
  return run_kernel(ev, op, &(kernel_run){NULL, kernel});
}
qn_status qn_ref_run_either(qn_eval *ev, const qn_op *op, qn_eval_fn *body, qn_ref_kernel *kernel) {
  return qn_is_float_form(op) ? qn_ref_run(ev, op, body) : qn_ref_run_model(ev, op, kernel);
}
qn_status qn_ref_run_integer(qn_eval *ev, const qn_op *op, qn_plan_read_fn *read,
                             qn_ref_kernel *kernel) {
  return run_kernel(ev, op, &(kernel_run){read, kernel});
}

int32_t *qn_ref_load(qn_eval *ev, const qn_rt_value *value, int32_t zero_point) {
  int64_t count = qn_rt_count(value);
  int32_t *loaded = QN_NEW_ARRAY(ev->arena, (size_t)count + 1, int32_t);
  const qn_type *element = qn_type_element(value->type);
  uint32_t bytes = qn_type_bytes(element);
  bool is_unsigned = qn_type_is_unsigned(element);
  for (int64_t i = 0; i < count; i++)
    loaded[i] = qn_wrap_sub32((int32_t)qn_read_int(value->data, i, bytes, is_unsigned), zero_point);
  return loaded;
}

void qn_ref_store(const qn_rt_value *result, int64_t first, const int32_t *values, int64_t count) {
  uint32_t bytes = qn_type_bytes(qn_type_element(result->type));
  for (int64_t i = 0; i < count; i++) qn_write_int(result->data, first + i, bytes, values[i]);
}

/* ---- attributes ---- */

qn_status qn_ref_i64s(qn_eval *ev, const qn_op *op, qn_attr_id id, uint32_t count, int64_t lo,
                      const int64_t **out_values) {
  const char *name = qn_attr_decls[id].name;
  qn_i64s values = qn_op_read_i64s(op, id);
  if (values.count != count)
    return qn_eval_fail(ev, op, "attribute '%s' must have %u values", name, count);
  for (uint32_t i = 0; i < count; i++)
    if (values.data[i] < lo || values.data[i] > INT32_MAX)
      return qn_eval_fail(ev, op, "attribute '%s' has the value %lld, out of range", name,
                          (long long)values.data[i]);
  *out_values = values.data;
  return QN_OK;
}

/* One walk that reports, with locations, all tensors and ops that the loops stage cannot represent.
 * So the lowering functions need no checks, and a user sees every problem at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/check.h"

#include "ir/entry/dtype.h"
#include "ir/ops/linalg.h"
#include "ir/walk.h"
#include "lower/loops/control/control.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/int16/int16.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/schedule.h"
#include "runtime/abi.h"

qn_dtype qn_loops_dtype(const qn_type *element) { return qn_dtype_of_type(element); }

/* Whether buffers of @main can hold the element type: the types that kernels support, and unsigned
 * integers. */
static bool has_buffers(qn_ir_context *cx, const qn_type *element) {
  if (element->kind == QN_TYPE_INTEGER) return element->integer.width <= 64;
  return element->kind == QN_TYPE_FLOAT && qn_elements_is_representable(cx, element);
}

typedef struct checker {
  qn_ir_context *cx;
  qn_arena *arena;
  const qn_target *target;
  qn_status status;
} checker;

static void reject(checker *c, const qn_loc *loc, qn_status status, const char *what) {
  qn_status reported = qn_error(&c->cx->diag, loc, status, "%s", what);
  if (c->status == QN_OK) c->status = reported;
}

/* Checks a tensor. `outside`: it is an input or output of @main, which must have a dtype. */
static void check_tensor(checker *c, const qn_value *v, const qn_loc *loc, bool outside) {
  const qn_type *t = v->type;
  if (t->kind != QN_TYPE_TENSOR || !t->shaped.ranked || !qn_type_is_static(t)) {
    reject(c, loc, QN_UNSUPPORTED, "the lowering to loops needs tensors of static shape");
    return;
  }
  int64_t elements = qn_type_elements(t), bytes = (int64_t)qn_type_bytes(t->shaped.element);
  bool known =
      outside ? qn_loops_dtype(t->shaped.element) != 0 : has_buffers(c->cx, t->shaped.element);
  if (bytes == 0 || !known)
    reject(c, loc, QN_UNSUPPORTED, "the element type of this tensor can't be lowered to loops");
  else if (outside && t->shaped.rank > QN_ABI_MAX_RANK)
    reject(c, loc, QN_UNSUPPORTED, "inputs and outputs of this rank can't be lowered to loops");
  else if (elements < 0 || elements > qn_target_max_bytes(c->target) / bytes)
    reject(c, loc, QN_LIMIT, "this tensor is too large");
}

static void check_payload(checker *c, const qn_op *op) {
  const qn_attr *payload = qn_value_constant(&op->results[0]);
  size_t one = qn_type_bytes(qn_type_element(op->results[0].type));
  int64_t elements = qn_type_elements(op->results[0].type);
  if (!payload ||
      (payload->dense.bytes.size != one && payload->dense.bytes.size != (size_t)elements * one))
    reject(c, op->loc, QN_INVALID, "this constant has no data");
}

static void check_generic(checker *c, const qn_op *op) {
  if (!qn_elements_check_generic(c->cx, op)) {
    if (c->status == QN_OK) c->status = QN_UNSUPPORTED;
  } else if (!qn_generic_is_closed(op)) {
    reject(c, op->loc, QN_UNSUPPORTED, "a kernel can't read what is computed outside of its body");
  }
}

static void check_parameters(checker *c, const qn_op *op) {
  qn_plan plan;
  const char *problem = qn_schedule_read(c->cx, c->arena, op, &plan);
  if (problem)
    c->status =
        qn_error(&c->cx->diag, op->loc, QN_INVALID, "'%.*s' op %s", QN_STR_ARG(op->name), problem);
}

/* ---- branches, loops and scalars ---- */

/* Checks that a value is a tensor, or a scalar of a type that @main can compute with. */
static void check_value(checker *c, const qn_value *v, const qn_op *op) {
  if (qn_type_is_shaped(v->type))
    check_tensor(c, v, op->loc, false);
  else if (!qn_elements_check_type(c->cx, op, v->type) && c->status == QN_OK)
    c->status = QN_UNSUPPORTED;
}

static void check_depth(checker *c, const qn_op *op) {
  uint32_t depth = 0;
  for (const qn_op *p = op; qn_op_has(p, QN_CONTROL); p = qn_op_parent(p)) depth++;
  if (depth == QN_LOOPS_MOST_NESTED + 1)
    reject(c, op->loc, QN_LIMIT, "branches and loops are nested too deep");
}

/* Whether the induction variable can exceed the range of its type, where machine code would wrap.
 */
static bool may_wrap(const checker *c, const qn_op *op, int64_t step) {
  const qn_type *type = qn_op_operand(op, 1)->type;
  const qn_attr *upper = qn_value_constant(qn_op_operand(op, 1));
  uint32_t width = type->kind == QN_TYPE_INTEGER ? type->integer.width : c->target->index_bits;
  int64_t most = (int64_t)(UINT64_MAX >> (65 - width));
  return step != 1 && (!upper || upper->integer > most - step);
}

static void check_control(checker *c, const qn_op *op) {
  check_depth(c, op);
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r])
  for (uint32_t i = 0; i < block->arg_count; i++) check_value(c, block->args[i], op);
  if (op->kind != QN_OP_SCF_FOR) return;
  const qn_attr *step = qn_value_constant(qn_op_operand(op, 2));
  if (!step || step->integer <= 0)
    reject(c, op->loc, QN_UNSUPPORTED, "the step of a loop must be a constant above 0");
  else if (may_wrap(c, op, step->integer))
    reject(
        c, op->loc, QN_UNSUPPORTED,
        "a loop with another step than 1 needs a constant upper bound that it can't wrap beyond");
}

/* Rejects indices that may be out of bounds, because machine code cannot report them. */
static void check_indices(checker *c, const qn_op *op) {
  const qn_type *type = qn_op_operand(op, 0)->type;
  for (uint32_t i = 1; i < op->operand_count; i++) {
    const qn_attr *index = qn_value_constant(qn_op_operand(op, i));
    if (!index)
      reject(c, op->loc, QN_UNSUPPORTED, "an index into a tensor must be a constant");
    else if (index->integer < 0 || index->integer >= type->shaped.dims[i - 1])
      reject(c, op->loc, QN_INVALID, "an index is outside of the tensor");
  }
}

/* Checks operands: kernels take tensors; ops that @main computes itself take scalars, except ops
 * that convert between both. */
static void check_operands(checker *c, const qn_op *op) {
  bool tensors = op->result_count > 0 && qn_type_is_shaped(op->results[0].type);
  for (uint32_t i = 0; i < op->operand_count && !qn_schedule_of(op)->between; i++)
    if (qn_type_is_shaped(qn_op_operand(op, i)->type) != tensors)
      reject(c, op->loc, QN_UNSUPPORTED, "scalar operands can't be lowered to loops");
}

static void check_op(checker *c, const qn_op *op) {
  bool constant = qn_op_has(op, QN_CONSTANT);
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!constant || qn_type_is_shaped(op->results[i].type)) check_value(c, &op->results[i], op);
  if (qn_op_has(op, QN_CONTROL)) {
    check_control(c, op);
    return;
  }
  if (op->kind == QN_OP_FUNC_RETURN) {
    for (uint32_t i = 0; i < op->operand_count; i++)
      check_tensor(c, qn_op_operand(op, i), op->loc, true);
    return;
  }
  if (qn_op_has(op, QN_TERMINATOR)) return;
  if (constant && c->status == QN_OK && qn_type_is_shaped(op->results[0].type))
    check_payload(c, op);
  if (qn_loops_is_constant(op)) return;
  const qn_schedule *schedule = qn_schedule_of(op);
  if (!schedule->lower) {
    qn_status s =
        qn_error(&c->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no lowering to loops: %s",
                 QN_STR_ARG(op->name), schedule->none);
    if (c->status == QN_OK) c->status = s;
    return;
  }
  if (op->kind == QN_OP_LINALG_GENERIC) check_generic(c, op);
  if (op->kind == QN_OP_TENSOR_EXTRACT) check_indices(c, op);
  check_operands(c, op);
  uint32_t first = schedule->constants_from ? schedule->constants_from : op->operand_count;
  if (qn_int16_applies(op)) first = 1;
  for (uint32_t i = first; i < op->operand_count; i++)
    if (!qn_value_constant(qn_op_operand(op, i)))
      reject(c, op->loc, QN_UNSUPPORTED, "multipliers and tables must be constants");
  if (schedule->read && c->status == QN_OK) check_parameters(c, op);
}

qn_status qn_loops_check(qn_module *module, const qn_op *func, const qn_target *target,
                         qn_arena *arena, qn_entry *out_entry) {
  checker c = {module->cx, arena, target, QN_OK};
  QN_FOR_EACH_OP(other, qn_op_body(module->op))
  if (other != func)
    reject(&c, other->loc, QN_UNSUPPORTED, "only one function can be lowered to loops");
  const qn_block *body = qn_op_body(func);
  if (!body || body->next) {
    reject(&c, func->loc, QN_UNSUPPORTED, "the lowering to loops needs a function of one block");
    return c.status;
  }
  for (uint32_t i = 0; i < body->arg_count; i++) check_tensor(&c, body->args[i], func->loc, true);
  QN_FOR_EACH_NESTED_OP(op, func) check_op(&c, op);
  return c.status == QN_OK ? qn_entry_read(module, func, arena, out_entry) : c.status;
}

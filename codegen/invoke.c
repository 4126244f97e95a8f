/* The entry point SYMBOL_invoke, which binds buffers and runs the kernels one after the other.
 *
 * The time of LLVM's back end grows with the square of a block's length, so many launches become a
 * table (launches.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "ir/walk.h"

enum { FEW_LAUNCHES = 128 };

/* ---- arguments ---- */

/* The value of an argument of @main. */
static LLVMValueRef bound_argument(const qn_cg *cg, qn_binding binding) {
  static const unsigned list_of[] = {
      [QN_ROLE_INPUT] = QN_CALL_INPUTS, [QN_ROLE_OUTPUT] = QN_CALL_OUTPUTS,
      [QN_ROLE_STATE] = QN_CALL_STATES, [QN_ROLE_SHAPE] = QN_CALL_SIZES,
      [QN_ROLE_ARENA] = QN_CALL_ARENA,  [QN_ROLE_PREPARED] = QN_CALL_PREPARED};
  LLVMValueRef field = e_call_field(cg, cg->call, list_of[binding.role]);
  LLVMValueRef number = e_index(cg, binding.number);
  const qn_abi_model *m = &cg->source->interface.model;
  switch (binding.role) {
  case QN_ROLE_ARENA:
  case QN_ROLE_PREPARED:
    return field;
  case QN_ROLE_STATE:
    return e_at(cg, cg->i8, field, e_index(cg, (int64_t)m->states[binding.number].offset));
  case QN_ROLE_SHAPE:
    return e_load(cg, cg->index, e_at(cg, cg->index, field, number), cg->index_bytes);
  default:
    return e_load(cg, cg->ptr, e_at(cg, cg->ptr, field, number), cg->index_bytes);
  }
}

static void begin_launches(qn_cg *cg, unsigned most) {
  qn_cg_enter(cg, cg->invoke);
  cg->call = LLVMGetParam(cg->invoke, 0);
  cg->launch_args = LLVMBuildAlloca(cg->b, LLVMArrayType2(cg->ptr, most), "args");
  qn_cg_check_prepared(cg);
}

static void fill_with_code(qn_cg *cg, const qn_op *op, unsigned most) {
  const qn_block *body = qn_op_body(op);
  begin_launches(cg, most);
  e_count_rounds(cg, op);
  for (uint32_t i = 0; i < body->arg_count; i++)
    cg->values[body->args[i]->id] = bound_argument(cg, cg->source->interface.bindings[i]);
  qn_cg_emit_block(cg, body);
}

/* Whether @main contains ops other than launches. */
static bool does_more(const qn_block *body) {
  QN_FOR_EACH_OP(op, body) {
    bool plain = qn_op_has(op, QN_PURE | QN_TERMINATOR) || op->kind == QN_OP_QUERN_LAUNCH;
    if (!plain) return true;
  }
  return false;
}

/* Fills SYMBOL_invoke. If @main has many launches and no other ops, it uses a table; @main of a
 * text may contain any ops. */
void qn_cg_fill_invoke(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  unsigned most = 1;
  int64_t launches = 0;
  QN_FOR_EACH_NESTED_OP(launch, op) {
    if (!qn_op_is_step(launch)) continue;
    launches++;
    if (launch->operand_count > most) most = launch->operand_count;
  }
  bool few = launches <= FEW_LAUNCHES || does_more(body);
  if (few || !qn_cg_fill_from_table(cg, body)) fill_with_code(cg, op, most);
  cg->call = cg->rounds = cg->iterations = NULL;
}

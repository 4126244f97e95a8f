/* Functions. Most are kernels with the ABI's signature.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/emit/tiles.h"
#include "ir/walk.h"

/* ---- kernels ---- */

static void fill_kernel(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  uint32_t buffers = body->arg_count - 2;
  qn_cg_enter(cg, qn_cg_symbol(cg, op));
  LLVMValueRef args = LLVMGetParam(cg->function, 0);
  for (uint32_t i = 0; i < buffers; i++)
    cg->values[body->args[i]->id] =
        e_load(cg, cg->ptr, e_at(cg, cg->ptr, args, e_i64(cg, i)), sizeof(void *));
  cg->values[body->args[buffers]->id] = LLVMGetParam(cg->function, 1);
  cg->values[body->args[buffers + 1]->id] = LLVMGetParam(cg->function, 2);
  cg->tiles = qn_cg_number_tiles(cg, op);
  qn_cg_begin_tiles(cg);
  qn_cg_emit_block(cg, body);
  cg->tiles = NULL;
}

/* ---- emitters ---- */

void qn_emit_func(qn_cg *cg, const qn_op *op) {
  if (op == cg->source->interface.main)
    qn_cg_fill_invoke(cg, op);
  else
    fill_kernel(cg, op);
}

void qn_emit_func_return(qn_cg *cg, const qn_op *op) {
  (void)op;
  if (cg->call) {
    e_end_invoke(cg);
    return;
  }
  qn_cg_end_tiles(cg);
  LLVMBuildRetVoid(cg->b);
}

void qn_emit_func_call(qn_cg *cg, const qn_op *op) {
  (void)cg;
  (void)op;
  QN_UNREACHABLE("check.c rejects func.call");
}

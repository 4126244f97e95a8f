/* SYMBOL_reset: sets the states to their initial values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"

/* Emits for (i = 0; i < count; i++) to[i] = from ? from[i % period] : 0. The period is `count`, or
 * the size of one element for a splat. The loop copies bytes, because it runs once and should be
 * small. */
static void fill(qn_cg *cg, LLVMValueRef to, uint64_t count, LLVMValueRef from, uint64_t period) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->b);
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(cg->llvm, cg->function, "fill");
  LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(cg->llvm, cg->function, "filled");
  LLVMBuildBr(cg->b, body);
  LLVMPositionBuilderAtEnd(cg->b, body);
  LLVMValueRef i = LLVMBuildPhi(cg->b, cg->index, "");
  LLVMValueRef value = LLVMConstInt(cg->i8, 0, 0);
  if (from) {
    LLVMValueRef at = LLVMBuildURem(cg->b, i, e_index(cg, (int64_t)period), "");
    value = e_load(cg, cg->i8, e_at(cg, cg->i8, from, at), 1);
  }
  LLVMSetAlignment(LLVMBuildStore(cg->b, value, e_at(cg, cg->i8, to, i)), 1);
  LLVMValueRef next = LLVMBuildAdd(cg->b, i, e_index(cg, 1), "");
  LLVMValueRef more = LLVMBuildICmp(cg->b, LLVMIntULT, next, e_index(cg, (int64_t)count), "");
  LLVMBuildCondBr(cg->b, more, body, after);
  LLVMAddIncoming(i, (LLVMValueRef[]){e_index(cg, 0), next}, (LLVMBasicBlockRef[]){before, body},
                  2);
  LLVMPositionBuilderAtEnd(cg->b, after);
}

static LLVMValueRef payload(qn_cg *cg, qn_bytes bytes) {
  LLVMValueRef content =
      LLVMConstStringInContext2(cg->llvm, (const char *)bytes.data, bytes.size, 1);
  return qn_cg_private_constant(cg, "initial", content);
}

void qn_cg_define_reset(qn_cg *cg) {
  const qn_interface *in = &cg->source->interface;
  qn_cg_enter(cg, cg->reset);
  LLVMValueRef states = LLVMGetParam(cg->reset, 0);
  for (uint32_t k = 0; k < in->model.state_count; k++) {
    const qn_abi_tensor *state = &in->model.states[k];
    if (state->bytes == 0) continue;
    qn_bytes bytes = in->initial[k] ? in->initial[k]->dense.bytes : (qn_bytes){NULL, 0};
    LLVMValueRef to = e_at(cg, cg->i8, states, e_index(cg, (int64_t)state->offset));
    fill(cg, to, state->bytes, bytes.size ? payload(cg, bytes) : NULL, bytes.size);
  }
  LLVMBuildRetVoid(cg->b);
}

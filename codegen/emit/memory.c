/* The memref dialect, and loads and stores of the vector dialect: an address is a pointer and a
 * linear index.
 *
 * A boolean takes a byte in memory. Loads and stores claim only the alignment of one element:
 * schedules access any position, and unaligned access costs nothing on the supported CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

void qn_emit_memref_view(qn_cg *cg, const qn_op *op) {
  e_set(cg, op, e_at(cg, cg->i8, e_operand(cg, op, 0), e_operand(cg, op, 1)));
}

/* Address and element alignment of an access; memref and index are operands i and i + 1. */
static LLVMValueRef address_of(const qn_cg *cg, const qn_op *op, uint32_t i, unsigned *out_align) {
  const qn_type *element = qn_op_operand(op, i)->type->shaped.element;
  *out_align = qn_type_bytes(element);
  return e_at(cg, qn_cg_memory_type(cg, element), e_operand(cg, op, i), e_operand(cg, op, i + 1));
}

static void load(qn_cg *cg, const qn_op *op) {
  unsigned align;
  LLVMValueRef address = address_of(cg, op, 0, &align);
  const qn_type *type = qn_op_result(op, 0)->type;
  LLVMValueRef value = e_load(cg, qn_cg_memory_type(cg, type), address, align);
  if (qn_type_is_int(qn_type_element(type), 1))
    value = LLVMBuildTrunc(cg->b, value, qn_cg_type(cg, type), "");
  e_set(cg, op, value);
}

static void store(qn_cg *cg, const qn_op *op) {
  unsigned align;
  LLVMValueRef address = address_of(cg, op, 1, &align);
  const qn_type *type = qn_op_operand(op, 0)->type;
  LLVMValueRef value = e_operand(cg, op, 0);
  if (qn_type_is_int(qn_type_element(type), 1))
    value = LLVMBuildZExt(cg->b, value, qn_cg_memory_type(cg, type), "");
  e_store(cg, value, address, align);
}

/* Prefetches into L2, because it happens long before the load and L1d is small. The address may
 * be invalid. */
void qn_emit_quern_prefetch(qn_cg *cg, const qn_op *op) {
  enum { READ = 0, INTO_L2 = 2, DATA = 1 };
  const qn_type *element = qn_op_operand(op, 0)->type->shaped.element;
  LLVMValueRef index = e_operand(cg, op, 1);
  LLVMValueRef address =
      LLVMBuildGEP2(cg->b, qn_cg_memory_type(cg, element), e_operand(cg, op, 0), &index, 1, "");
  LLVMValueRef args[] = {address, e_i32(cg, READ), e_i32(cg, INTO_L2), e_i32(cg, DATA)};
  (void)e_generic(cg, "llvm.prefetch", LLVMTypeOf(address), args, QN_COUNT(args));
}

/* An annotation is a label, which instruction scheduling doesn't cross, and no instruction. Its
 * text would be in debug information for CodeView, which is never made. */
static void boundary(const qn_cg *cg) {
  const char *name = "llvm.codeview.annotation";
  LLVMContextRef cx = LLVMGetModuleContext(cg->module);
  LLVMMetadataRef text = LLVMMDStringInContext2(cx, "", 0);
  LLVMValueRef arg = LLVMMetadataAsValue(cx, LLVMMDNodeInContext2(cx, &text, 1));
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(cg->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(function), function, &arg, 1, "");
}

void qn_emit_quern_boundary(qn_cg *cg, const qn_op *op) {
  (void)op;
  boundary(cg);
}

/* Assembly without instructions, whose result is in the register of its operand. */
void qn_emit_quern_opaque(qn_cg *cg, const qn_op *op) {
  static const char rule[] = "=r,0";
  enum { SIDE_EFFECTS = 1, ALIGNS_STACK = 0, CAN_THROW = 0 };
  LLVMValueRef in = e_operand(cg, op, 0);
  LLVMTypeRef index = LLVMTypeOf(in), type = LLVMFunctionType(index, &index, 1, 0);
  LLVMValueRef none = LLVMGetInlineAsm(type, "", 0, rule, strlen(rule), SIDE_EFFECTS, ALIGNS_STACK,
                                       LLVMInlineAsmDialectATT, CAN_THROW);
  e_set(cg, op, LLVMBuildCall2(cg->b, type, none, &in, 1, ""));
}

/* Positions the builder where `index` and `base` are known, which may be before the loop that the
 * builder is in. `index` is the sum of an instruction and a constant. */
static void position_early(const qn_cg *cg, LLVMValueRef base, LLVMValueRef index) {
  LLVMValueRef rest = LLVMGetOperand(index, 0);
  LLVMBasicBlockRef entry =
      LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInsertBlock(cg->b)));
  if (LLVMIsAInstruction(base) && LLVMGetInstructionParent(base) != entry) return;
  if (!LLVMIsAInstruction(rest)) return;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(rest));
  if (end) LLVMPositionBuilderBefore(cg->b, end);
}

/* As address_of, for an access that adds no constant to its address: the sum is computed early. */
static LLVMValueRef early_address(const qn_cg *cg, const qn_op *op, unsigned *out_align) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
  LLVMValueRef base = e_operand(cg, op, 0), index = e_operand(cg, op, 1);
  bool is_sum = e_is_sum_with_constant(index);
  if (is_sum) position_early(cg, base, index);
  LLVMValueRef address = address_of(cg, op, 0, out_align);
  LLVMPositionBuilderAtEnd(cg->b, here);
  return address;
}

/* A laundered pointer keeps optimizations from merging the load with an equal one, and a boundary
 * keeps instruction selection from it. */
void qn_emit_quern_reload(qn_cg *cg, const qn_op *op) {
  unsigned align;
  LLVMTypeRef type = qn_cg_memory_type(cg, qn_op_result(op, 0)->type);
  LLVMValueRef address = early_address(cg, op, &align);
  boundary(cg);
  address = e_generic(cg, "llvm.launder.invariant.group", cg->ptr, &address, 1);
  LLVMValueRef value = qn_cg_instruct(cg, QN_FORM_LOAD, type, &address, 1);
  e_set(cg, op, value ? value : e_load(cg, type, address, align));
}

void qn_emit_memref_load(qn_cg *cg, const qn_op *op) { load(cg, op); }
void qn_emit_memref_store(qn_cg *cg, const qn_op *op) { store(cg, op); }
void qn_emit_vector_load(qn_cg *cg, const qn_op *op) { load(cg, op); }
void qn_emit_vector_store(qn_cg *cg, const qn_op *op) { store(cg, op); }

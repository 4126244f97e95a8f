/* The vector dialect, except loads and stores: one-dimensional vectors, static positions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

void qn_emit_vector_broadcast(qn_cg *cg, const qn_op *op) {
  e_set(cg, op, e_splat(cg, e_operand(cg, op, 0), e_lanes(e_result_type(cg, op))));
}

void qn_emit_vector_bitcast(qn_cg *cg, const qn_op *op) {
  e_set(cg, op, LLVMBuildBitCast(cg->b, e_operand(cg, op, 0), e_result_type(cg, op), ""));
}

/* `v` with `lanes` lanes: the new ones undefined. */
static LLVMValueRef widen(const qn_cg *cg, LLVMValueRef v, unsigned lanes) {
  unsigned have = e_lanes(LLVMTypeOf(v));
  if (have == lanes) return v;
  int32_t mask[QN_CODEGEN_MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) mask[i] = i < have ? (int32_t)i : -1;
  return e_shuffle(cg, v, LLVMGetPoison(LLVMTypeOf(v)), mask, lanes);
}

/* The load of the float in all lanes of `v`; NULL if `v` has none. */
static LLVMValueRef load_of_lanes(const qn_cg *cg, const qn_value *v) {
  if (!v->op || v->op->kind != QN_OP_VECTOR_BROADCAST) return NULL;
  const qn_value *lane = qn_op_operand(v->op, 0);
  bool loaded = lane->op && lane->op->kind == QN_OP_MEMREF_LOAD;
  return loaded && qn_type_is_float(lane->type, QN_F32) ? e_value(cg, lane) : NULL;
}

/* Fewer lanes of a loaded float that is broadcast. LLVM would broadcast the first lane again, on a
 * port that Intel's 512-bit products need. If the float is loaded as an integer too, LLVM sees that
 * the low part of the longer register has these lanes. */
static LLVMValueRef part_of_broadcast(qn_cg *cg, LLVMValueRef load, unsigned lanes) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
  QN_ASSERT(LLVMIsALoadInst(load) && LLVMGetNextInstruction(load));
  LLVMPositionBuilderBefore(cg->b, LLVMGetNextInstruction(load)); /* before any store */
  LLVMValueRef bits = e_load(cg, cg->i32, LLVMGetOperand(load, 0), LLVMGetAlignment(load));
  LLVMPositionBuilderAtEnd(cg->b, here);
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(load), lanes);
  return LLVMBuildBitCast(cg->b, e_splat(cg, bits, lanes), type, "");
}

/* MLIR allows operands of different lengths, LLVM does not. */
void qn_emit_vector_shuffle(qn_cg *cg, const qn_op *op) {
  LLVMValueRef a = e_operand(cg, op, 0), b = e_operand(cg, op, 1);
  unsigned a_lanes = e_lanes(LLVMTypeOf(a)), b_lanes = e_lanes(LLVMTypeOf(b));
  unsigned lanes = a_lanes > b_lanes ? a_lanes : b_lanes;
  qn_i64s mask = qn_op_mask(op);
  LLVMValueRef loaded = a == b ? load_of_lanes(cg, qn_op_operand(op, 0)) : NULL;
  if (loaded && mask.count < a_lanes && cg->architecture->nests_registers) {
    e_set(cg, op, part_of_broadcast(cg, loaded, mask.count));
    return;
  }
  int32_t picked[QN_CODEGEN_MAX_LANES];
  QN_ASSERT(mask.count <= QN_CODEGEN_MAX_LANES);
  for (uint32_t i = 0; i < mask.count; i++) {
    bool from_b = mask.data[i] >= a_lanes;
    picked[i] = (int32_t)(from_b ? mask.data[i] - a_lanes + lanes : mask.data[i]);
  }
  b = widen(cg, b, lanes);
  a = widen(cg, a, lanes);
  e_set(cg, op, e_shuffle(cg, a, b, picked, mask.count));
}

void qn_emit_vector_extract(qn_cg *cg, const qn_op *op) {
  LLVMValueRef position = e_i64(cg, qn_op_static_position(op).data[0]);
  e_set(cg, op, LLVMBuildExtractElement(cg->b, e_operand(cg, op, 0), position, ""));
}

static const struct {
  const char *kind, *intrinsic;
} reductions[] = {
    {"#vector.kind<add>", "llvm.vector.reduce.add"},
    {"#vector.kind<maxsi>", "llvm.vector.reduce.smax"},
    {"#vector.kind<maxui>", "llvm.vector.reduce.umax"},
    {"#vector.kind<minsi>", "llvm.vector.reduce.smin"},
    {"#vector.kind<minui>", "llvm.vector.reduce.umin"},
};

void qn_emit_vector_reduction(qn_cg *cg, const qn_op *op) {
  LLVMValueRef source = e_operand(cg, op, 0);
  size_t row = 0; /* the verifier allows no other kinds */
  qn_str kind = qn_op_find(op, QN_A_REDUCTION_KIND)->string;
  while (row < QN_COUNT(reductions) && !qn_str_is(kind, reductions[row].kind)) row++;
  QN_ASSERT(row < QN_COUNT(reductions));
  e_set(cg, op, e_generic(cg, reductions[row].intrinsic, LLVMTypeOf(source), &source, 1));
}

/* The vector dialect, except loads and stores: one-dimensional vectors, static positions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"

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

/* MLIR allows operands of different lengths, LLVM does not. */
void qn_emit_vector_shuffle(qn_cg *cg, const qn_op *op) {
  LLVMValueRef a = e_operand(cg, op, 0), b = e_operand(cg, op, 1);
  unsigned a_lanes = e_lanes(LLVMTypeOf(a)), b_lanes = e_lanes(LLVMTypeOf(b));
  unsigned lanes = a_lanes > b_lanes ? a_lanes : b_lanes;
  qn_i64s mask = qn_op_mask(op);
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

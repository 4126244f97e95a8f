/* Asks an AArch64 for what code was compiled with, by the registers that say what it has. Linux and
 * FreeBSD answer for programs, which may not read them; bare metal reads them itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

static const struct {
  const char *where; /* the register */
  uint32_t bit;
} features[] = {
#define FEATURE(ident, name, where, bit) {where, bit},
#include "codegen/machine/aarch64_features.def"
#undef FEATURE
};

enum { FIELD = 15 /* four bits: 0, or which version of it */ };

static LLVMValueRef read_register(qn_cg *cg, const char *name) {
  LLVMMetadataRef text = LLVMMDStringInContext2(cg->llvm, name, strlen(name));
  LLVMMetadataRef node = LLVMMDNodeInContext2(cg->llvm, &text, 1);
  LLVMValueRef which = LLVMMetadataAsValue(cg->llvm, node);
  return e_generic(cg, "llvm.read_register", cg->i64, &which, 1);
}

LLVMValueRef qn_cg_aarch64_supports(qn_cg *cg, const qn_codegen_target *target) {
  LLVMValueRef all = LLVMConstInt(cg->i1, 1, 0);
  for (size_t i = 0; i < QN_COUNT(features); i++) {
    if (!(target->required >> i & 1)) continue;
    LLVMValueRef field = read_register(cg, features[i].where);
    field = LLVMBuildLShr(cg->b, field, e_i64(cg, features[i].bit), "");
    field = LLVMBuildAnd(cg->b, field, e_i64(cg, FIELD), "");
    LLVMValueRef has = LLVMBuildICmp(cg->b, LLVMIntNE, field, e_i64(cg, 0), "");
    all = LLVMBuildAnd(cg->b, all, has, "");
  }
  return all;
}

/* Tests on AArch64 whether the CPU has the features that code was compiled with, from its
 * identification registers. Linux and FreeBSD provide their values to programs, which may not read
 * them; on bare metal the code reads them itself. Neither macOS nor Windows provides them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

static const struct {
  const char *where; /* name of the identification register */
  uint32_t bit;
  bool all_macs; /* every CPU for which macOS exists has it */
} features[] = {
#define FEATURE(ident, name, where, bit, all_macs) {where, bit, all_macs},
#include "codegen/machine/aarch64_features.def"
#undef FEATURE
};

enum { FIELD = 15 /* a four-bit field: 0 if absent, else the version */ };

static LLVMValueRef read_register(qn_cg *cg, const char *name) {
  LLVMMetadataRef text = LLVMMDStringInContext2(cg->llvm, name, strlen(name));
  LLVMMetadataRef node = LLVMMDNodeInContext2(cg->llvm, &text, 1);
  LLVMValueRef which = LLVMMetadataAsValue(cg->llvm, node);
  return e_generic(cg, "llvm.read_register", cg->i64, &which, 1);
}

uint64_t qn_cg_aarch64_untold(const char *triple) {
  qn_cg_format format = qn_cg_format_of(triple);
  uint64_t untold = 0;
  for (size_t i = 0; i < QN_COUNT(features); i++)
    if (format == QN_FORMAT_COFF || (format == QN_FORMAT_MACHO && !features[i].all_macs))
      untold |= UINT64_C(1) << i;
  return untold;
}

LLVMValueRef qn_cg_aarch64_supports(qn_cg *cg, const qn_codegen_target *target) {
  LLVMValueRef all = LLVMConstInt(cg->i1, 1, 0);
  if (qn_cg_format_of(target->triple.data) != QN_FORMAT_ELF) return all;
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

/* Tests on RISC-V whether the CPU has the features that code was compiled with, by a system call of
 * Linux, which needs no library. No instruction tells a program of other systems, so its CPU must
 * have them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

static const uint32_t bits[] = {
#define FEATURE(ident, name, bit) bit,
#include "codegen/machine/riscv_features.def"
#undef FEATURE
};

/* riscv_hwprobe(pairs, pair_count, cpusetsize, cpus, flags): fills in the value of each key, for
 * all CPUs that are online. */
enum { HWPROBE = 258, KEY_IMA_EXT_0 = 4, PAIRS = 1 };

static LLVMValueRef probe(qn_cg *cg, LLVMValueRef pair) {
  static const char rule[] =
      "={x10},{x17},{x10},{x11},{x12},{x13},{x14},~{memory}"; /* a0; a7, a0 to a4 */
  LLVMTypeRef params[] = {cg->i64, cg->ptr, cg->i64, cg->i64, cg->i64, cg->i64};
  LLVMTypeRef type = LLVMFunctionType(cg->i64, params, QN_COUNT(params), 0);
  LLVMValueRef assembly = LLVMGetInlineAsm(type, "ecall", strlen("ecall"), rule, strlen(rule), 1, 0,
                                           LLVMInlineAsmDialectATT, 0);
  LLVMValueRef none = e_i64(cg, 0);
  LLVMValueRef args[] = {e_i64(cg, HWPROBE), pair, e_i64(cg, PAIRS), none, none, none};
  return LLVMBuildCall2(cg->b, type, assembly, args, QN_COUNT(args), "");
}

LLVMValueRef qn_cg_riscv_supports(qn_cg *cg, const qn_codegen_target *target) {
  uint64_t mask = 0;
  for (size_t i = 0; i < QN_COUNT(bits); i++)
    if (target->required >> i & 1) mask |= UINT64_C(1) << bits[i];
  bool is_linux = strstr(target->triple.data, "-linux") != NULL;
  if (mask == 0 || !is_linux) return LLVMConstInt(cg->i1, 1, 0);
  LLVMTypeRef type = LLVMArrayType2(cg->i64, 2); /* key and value */
  LLVMValueRef pair = LLVMBuildAlloca(cg->b, type, "");
  LLVMValueRef value = e_at(cg, cg->i64, pair, e_i64(cg, 1));
  e_store(cg, e_i64(cg, KEY_IMA_EXT_0), pair, sizeof(int64_t));
  e_store(cg, e_i64(cg, 0), value, sizeof(int64_t));
  LLVMValueRef failed = probe(cg, pair); /* -ENOSYS before Linux 6.4, which knows no V */
  LLVMValueRef known = LLVMBuildICmp(cg->b, LLVMIntEQ, failed, e_i64(cg, 0), "");
  LLVMValueRef has =
      LLVMBuildAnd(cg->b, LLVMBuildLoad2(cg->b, cg->i64, value, ""), e_i64(cg, (int64_t)mask), "");
  has = LLVMBuildICmp(cg->b, LLVMIntEQ, has, e_i64(cg, (int64_t)mask), "");
  return LLVMBuildAnd(cg->b, known, has, "");
}

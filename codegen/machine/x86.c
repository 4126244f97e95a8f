/* x86-64: the instructions of its levels, by width and the feature that brought each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

#include "codegen/machine/grant.h"

enum {
#define FEATURE(ident, ...) ident,
#include "codegen/machine/features.def"
#undef FEATURE
};

/* A feature implies those that its row needs besides: levels with AVX-512 have BW and VL. Of pshufb
 * the form with 16 bytes is missing on purpose (emit/lookup.c). */
static const qn_cg_instruction instructions[] = {
    {QN_FORM_DOT_U8S8, 16, AVXVNNI, "llvm.x86.avx512.vpdpbusd.128", false},
    {QN_FORM_DOT_U8S8, 16, AVX512VNNI, "llvm.x86.avx512.vpdpbusd.128", false},
    {QN_FORM_DOT_U8S8, 32, AVXVNNI, "llvm.x86.avx512.vpdpbusd.256", false},
    {QN_FORM_DOT_U8S8, 32, AVX512VNNI, "llvm.x86.avx512.vpdpbusd.256", false},
    {QN_FORM_DOT_U8S8, 64, AVX512VNNI, "llvm.x86.avx512.vpdpbusd.512", false},
    {QN_FORM_MADD_U8S8, 16, SSSE3, "llvm.x86.ssse3.pmadd.ub.sw.128", false},
    {QN_FORM_MADD_U8S8, 32, AVX2, "llvm.x86.avx2.pmadd.ub.sw", false},
    {QN_FORM_MADD_U8S8, 64, AVX512BW, "llvm.x86.avx512.pmaddubs.w.512", false},
    {QN_FORM_MADD_S16, 16, QN_FEATURE_NONE, "llvm.x86.sse2.pmadd.wd", false},
    {QN_FORM_MADD_S16, 32, AVX2, "llvm.x86.avx2.pmadd.wd", false},
    {QN_FORM_MADD_S16, 64, AVX512BW, "llvm.x86.avx512.pmaddw.d.512", false},
    {QN_FORM_PACK_S8, 16, QN_FEATURE_NONE, "llvm.x86.sse2.packsswb.128", false},
    {QN_FORM_PACK_S8, 32, AVX2, "llvm.x86.avx2.packsswb", false},
    {QN_FORM_PACK_S8, 64, AVX512BW, "llvm.x86.avx512.packsswb.512", false},
    {QN_FORM_PACK_U8, 16, QN_FEATURE_NONE, "llvm.x86.sse2.packuswb.128", false},
    {QN_FORM_PACK_U8, 32, AVX2, "llvm.x86.avx2.packuswb", false},
    {QN_FORM_PACK_U8, 64, AVX512BW, "llvm.x86.avx512.packuswb.512", false},
    {QN_FORM_PACK_S16, 16, QN_FEATURE_NONE, "llvm.x86.sse2.packssdw.128", false},
    {QN_FORM_PACK_S16, 32, AVX2, "llvm.x86.avx2.packssdw", false},
    {QN_FORM_PACK_S16, 64, AVX512BW, "llvm.x86.avx512.packssdw.512", false},
    {QN_FORM_PACK_U16, 16, SSE4_1, "llvm.x86.sse41.packusdw", false},
    {QN_FORM_PACK_U16, 32, AVX2, "llvm.x86.avx2.packusdw", false},
    {QN_FORM_PACK_U16, 64, AVX512BW, "llvm.x86.avx512.packusdw.512", false},
    {QN_FORM_ROUND_TO_INT, 16, QN_FEATURE_NONE, "llvm.x86.sse2.cvtps2dq", false},
    {QN_FORM_ROUND_TO_INT, 32, AVX, "llvm.x86.avx.cvt.ps2dq.256", false},
    {QN_FORM_ROUND_TO_INT, 64, AVX512F, "llvm.x86.avx512.mask.cvtps2dq.512", true},
    {QN_FORM_PERMUTE, 64, AVX512VBMI, "llvm.x86.avx512.vpermi2var.qi.512", false},
    {QN_FORM_SHUFFLE, 32, AVX2, "llvm.x86.avx2.pshuf.b", false},
    {QN_FORM_SHUFFLE, 64, AVX512BW, "llvm.x86.avx512.pshuf.b.512", false},
};

/* Targets of indirect calls say so (SECURITY.md): a program whose other parts do loses nothing by
 * linking an object of ours. One instruction per kernel. */
static const char *const module_flags[] = {"cf-protection-branch", "cf-protection-return", NULL};

/* Both widths are the level's: some CPUs are tuned to split 512-bit vectors otherwise. */
static const char *const width_attributes[] = {"prefer-vector-width", "min-legal-vector-width",
                                               NULL};

static void start(void) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser(); /* of inline assembly */
}

const qn_cg_architecture qn_cg_x86 = {
    .name = "x86_64",
    .baseline = "x86-64",
    .cpu = "x86-64",
    .features = "",
    .has_named_features = true,
    .module_flags = module_flags,
    .width_attributes = width_attributes,
    .instructions = instructions,
    .instruction_count = QN_COUNT(instructions),
    .tiles = &qn_cg_x86_tiles,
    .start = start,
    .grant = qn_cg_x86_grant,
    .supports = qn_cg_x86_supports,
};

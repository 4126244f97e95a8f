/* x86-64: the instructions of its levels, by width and by the feature that introduced each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

#include "codegen/machine/grant.h"

enum {
#define FEATURE(ident, ...) ident,
#include "codegen/machine/x86_features.def"
#undef FEATURE
};

static const qn_cg_feature features[] = {
#define FEATURE(ident, name, psabi, ...) {name, psabi},
#include "codegen/machine/x86_features.def"
#undef FEATURE
};
_Static_assert(QN_COUNT(features) <= 64, "a set of features is 64 bits");

/* Base levels of the x86-64 ABI. */
static const char *const bases[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

/* Some rows need more features than the named one: levels with AVX-512 always have BW and VL. For
 * pshufb, the form with 16 bytes is omitted on purpose (emit/lookup.c). */
static const qn_cg_instruction instructions[] = {
    {QN_FORM_DOT_U8S8, 16, AVXVNNI, "llvm.x86.avx512.vpdpbusd.128", QN_CALL_PLAIN},
    {QN_FORM_DOT_U8S8, 16, AVX512VNNI, "llvm.x86.avx512.vpdpbusd.128", QN_CALL_PLAIN},
    {QN_FORM_DOT_U8S8, 32, AVXVNNI, "llvm.x86.avx512.vpdpbusd.256", QN_CALL_PLAIN},
    {QN_FORM_DOT_U8S8, 32, AVX512VNNI, "llvm.x86.avx512.vpdpbusd.256", QN_CALL_PLAIN},
    {QN_FORM_DOT_U8S8, 64, AVX512VNNI, "llvm.x86.avx512.vpdpbusd.512", QN_CALL_PLAIN},
    {QN_FORM_MADD_U8S8, 16, SSSE3, "llvm.x86.ssse3.pmadd.ub.sw.128", QN_CALL_PLAIN},
    {QN_FORM_MADD_U8S8, 32, AVX2, "llvm.x86.avx2.pmadd.ub.sw", QN_CALL_PLAIN},
    {QN_FORM_MADD_U8S8, 64, AVX512BW, "llvm.x86.avx512.pmaddubs.w.512", QN_CALL_PLAIN},
    {QN_FORM_MADD_S16, 16, QN_FEATURE_NONE, "llvm.x86.sse2.pmadd.wd", QN_CALL_PLAIN},
    {QN_FORM_MADD_S16, 32, AVX2, "llvm.x86.avx2.pmadd.wd", QN_CALL_PLAIN},
    {QN_FORM_MADD_S16, 64, AVX512BW, "llvm.x86.avx512.pmaddw.d.512", QN_CALL_PLAIN},
    {QN_FORM_PACK_S8, 16, QN_FEATURE_NONE, "llvm.x86.sse2.packsswb.128", QN_CALL_PLAIN},
    {QN_FORM_PACK_S8, 32, AVX2, "llvm.x86.avx2.packsswb", QN_CALL_PLAIN},
    {QN_FORM_PACK_S8, 64, AVX512BW, "llvm.x86.avx512.packsswb.512", QN_CALL_PLAIN},
    {QN_FORM_PACK_U8, 16, QN_FEATURE_NONE, "llvm.x86.sse2.packuswb.128", QN_CALL_PLAIN},
    {QN_FORM_PACK_U8, 32, AVX2, "llvm.x86.avx2.packuswb", QN_CALL_PLAIN},
    {QN_FORM_PACK_U8, 64, AVX512BW, "llvm.x86.avx512.packuswb.512", QN_CALL_PLAIN},
    {QN_FORM_PACK_S16, 16, QN_FEATURE_NONE, "llvm.x86.sse2.packssdw.128", QN_CALL_PLAIN},
    {QN_FORM_PACK_S16, 32, AVX2, "llvm.x86.avx2.packssdw", QN_CALL_PLAIN},
    {QN_FORM_PACK_S16, 64, AVX512BW, "llvm.x86.avx512.packssdw.512", QN_CALL_PLAIN},
    {QN_FORM_PACK_U16, 16, SSE4_1, "llvm.x86.sse41.packusdw", QN_CALL_PLAIN},
    {QN_FORM_PACK_U16, 32, AVX2, "llvm.x86.avx2.packusdw", QN_CALL_PLAIN},
    {QN_FORM_PACK_U16, 64, AVX512BW, "llvm.x86.avx512.packusdw.512", QN_CALL_PLAIN},
    {QN_FORM_ROUND_TO_INT, 16, QN_FEATURE_NONE, "llvm.x86.sse2.cvtps2dq", QN_CALL_PLAIN},
    {QN_FORM_ROUND_TO_INT, 32, AVX, "llvm.x86.avx.cvt.ps2dq.256", QN_CALL_PLAIN},
    {QN_FORM_ROUND_TO_INT, 64, AVX512F, "llvm.x86.avx512.mask.cvtps2dq.512", QN_CALL_MASKED},
    {QN_FORM_WIDEN_HALF, 16, F16C, "fpext", QN_CALL_PLAIN},
    {QN_FORM_PERMUTE, 64, AVX512VBMI, "llvm.x86.avx512.vpermi2var.qi.512", QN_CALL_PLAIN},
    {QN_FORM_SHUFFLE, 32, AVX2, "llvm.x86.avx2.pshuf.b", QN_CALL_PLAIN},
    {QN_FORM_SHUFFLE, 64, AVX512BW, "llvm.x86.avx512.pshuf.b.512", QN_CALL_PLAIN},
    {QN_FORM_SELECT_BITS, 16, AVX512F, "llvm.x86.avx512.pternlog.d.128", QN_CALL_SELECT},
    {QN_FORM_SELECT_BITS, 32, AVX512F, "llvm.x86.avx512.pternlog.d.256", QN_CALL_SELECT},
    {QN_FORM_SELECT_BITS, 64, AVX512F, "llvm.x86.avx512.pternlog.d.512", QN_CALL_SELECT},
};

/* Marks the targets of indirect calls (SECURITY.md), so that linking an object does not disable the
 * protection of the rest of a program. One instruction per kernel. */
static const char *const module_flags[] = {"cf-protection-branch", "cf-protection-return", NULL};

/* Both attributes have the level's width: some CPUs are tuned to split 512-bit vectors otherwise.
 */
static const char *const width_attributes[] = {"prefer-vector-width", "min-legal-vector-width",
                                               NULL};

static const char *const none[] = {NULL};

static void start(void) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser(); /* needed for inline assembly */
}

const qn_cg_architecture qn_cg_x86 = {
    .name = "x86_64",
    .baseline = "x86-64",
    .usual = "linux-gnu",
    .systems = qn_cg_hosted,
    .cpu = "x86-64",
    .features = "",
    .pointer_bits = 64,
    .stack_align = 16,
    .call_bytes = 8,
    .red_zone = 128,
    .relocation = LLVMRelocPIC,
    .code_model = LLVMCodeModelDefault,
    .nests_registers = true,
    .library = none,
    .module_flags = module_flags,
    .width_attributes = width_attributes,
    .bases = bases,
    .base_count = QN_COUNT(bases),
    .feature_rows = features,
    .feature_count = QN_COUNT(features),
    .instructions = instructions,
    .instruction_count = QN_COUNT(instructions),
    .tiles = &qn_cg_x86_tiles,
    .start = start,
    .grant = qn_cg_x86_grant,
    .supports = qn_cg_x86_supports,
};

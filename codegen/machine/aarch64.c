/* AArch64: the instructions of its levels. All vectors have 128 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

#include "codegen/machine/grant.h"

enum {
#define FEATURE(ident, ...) ident,
#include "codegen/machine/aarch64_features.def"
#undef FEATURE
};

static const qn_cg_feature features[] = {
#define FEATURE(ident, name, ...) {name, 0},
#include "codegen/machine/aarch64_features.def"
#undef FEATURE
};

static const char *const bases[] = {"generic"};

/* SDOT can broadcast one lane of its second factor. For USDOT, LLVM's back end broadcasts the first
 * factor instead: x, of which one quad is needed in all lanes. FCVTNS to i32 rounds to nearest
 * even, as quern.round_to_int does. */
static const qn_cg_instruction instructions[] = {
    {QN_FORM_DOT_U8S8, 16, I8MM, "llvm.aarch64.neon.usdot", QN_CALL_OVERLOADED},
    {QN_FORM_DOT_S8S8, 16, DOTPROD, "llvm.aarch64.neon.sdot", QN_CALL_SWAPPED},
    {QN_FORM_BLOCKS_U8S8, 16, I8MM, "llvm.aarch64.neon.usmmla", QN_CALL_OVERLOADED},
    {QN_FORM_BLOCKS_S8S8, 16, I8MM, "llvm.aarch64.neon.smmla", QN_CALL_OVERLOADED},
    {QN_FORM_ADD_PAIRS, 16, QN_FEATURE_NONE, "llvm.aarch64.neon.saddlp", QN_CALL_OVERLOADED},
    {QN_FORM_ROUND_TO_INT, 16, QN_FEATURE_NONE, "llvm.aarch64.neon.fcvtns", QN_CALL_OVERLOADED},
    {QN_FORM_WIDEN_HALF, 16, QN_FEATURE_NONE, "fpext", QN_CALL_PLAIN},
    {QN_FORM_MULTIPLY_HIGH, 16, QN_FEATURE_NONE, "llvm.aarch64.neon.sqrdmulh", QN_CALL_BY_RESULT},
    {QN_FORM_SHIFT_ROUNDED, 16, QN_FEATURE_NONE, "llvm.aarch64.neon.srshl", QN_CALL_BY_RESULT},
    {QN_FORM_LOAD, 48, QN_FEATURE_NONE, "llvm.aarch64.neon.ld1x3", QN_CALL_REGISTERS},
    {QN_FORM_LOAD, 64, QN_FEATURE_NONE, "llvm.aarch64.neon.ld1x4", QN_CALL_REGISTERS},
    {QN_FORM_TABLE, 16, QN_FEATURE_NONE, "llvm.aarch64.neon.tbl4", QN_CALL_BY_RESULT},
    {QN_FORM_TABLE_ELSE, 16, QN_FEATURE_NONE, "llvm.aarch64.neon.tbx4", QN_CALL_BY_RESULT},
};

/* Marks the targets of indirect calls (SECURITY.md). */
static const char *const module_flags[] = {"branch-target-enforcement", NULL};
static const char *const none[] = {NULL};

static void start(void) {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}

const qn_cg_architecture qn_cg_aarch64 = {
    .name = "aarch64",
    .baseline = "armv8",
    .usual = "linux-gnu",
    .systems = qn_cg_hosted,
    .cpu = "generic",
    .features = "",
    .pointer_bits = 64,
    .stack_align = 16,
    .relocation = LLVMRelocPIC,
    .code_model = LLVMCodeModelDefault,
    .library = none,
    .module_flags = module_flags,
    .width_attributes = none,
    .bases = bases,
    .base_count = QN_COUNT(bases),
    .feature_rows = features,
    .feature_count = QN_COUNT(features),
    .instructions = instructions,
    .instruction_count = QN_COUNT(instructions),
    .start = start,
    .grant = qn_cg_aarch64_grant,
    .untold = qn_cg_aarch64_untold,
    .supports = qn_cg_aarch64_supports,
};

/* RISC-V: RV64GC without and with V, and RV32IMC for microcontrollers. LLVM selects most
 * instructions from generic IR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/grant.h"
#include "codegen/machine/machine.h"

static const char *const none[] = {NULL};
static const char *const bare[] = {"none-elf", "unknown-elf", NULL};
static const char *const bases32[] = {"generic-rv32"}, *const bases64[] = {"generic-rv64"};

enum {
#define FEATURE(ident, ...) ident,
#include "codegen/machine/riscv_features.def"
#undef FEATURE
};

static const qn_cg_feature features[] = {
#define FEATURE(ident, name, ...) {name, 0},
#include "codegen/machine/riscv_features.def"
#undef FEATURE
};

/* vfcvt.x.f.v rounds by frm, which is to nearest even in the default environment. */
static const qn_cg_instruction instructions[] = {
    {QN_FORM_ROUND_TO_INT, 16, V, "llvm.lrint", QN_CALL_OVERLOADED},
    {QN_FORM_ROUND_TO_INT, 32, V, "llvm.lrint", QN_CALL_OVERLOADED},
    {QN_FORM_ROUND_TO_INT, 64, V, "llvm.lrint", QN_CALL_OVERLOADED},
};

static void start(void) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  LLVMInitializeRISCVAsmParser(); /* of inline assembly */
}

/* The base for which Linux distributions compile. The ABI that passes floats in registers must be
 * stated explicitly. */
const qn_cg_architecture qn_cg_riscv64 = {
    .name = "riscv64",
    .baseline = "rv64",
    .usual = "linux-gnu",
    .systems = qn_cg_elf,
    .cpu = "generic-rv64",
    .features = "+m,+a,+f,+d,+c",
    .abi = "lp64d",
    .pointer_bits = 64,
    .stack_align = 16,
    .relocation = LLVMRelocPIC,
    .code_model = LLVMCodeModelDefault,
    .vectors = "+v",
    .library = none,
    .width_attributes = none,
    .module_flags = none,
    .bases = bases64,
    .base_count = QN_COUNT(bases64),
    .feature_rows = features,
    .feature_count = QN_COUNT(features),
    .instructions = instructions,
    .instruction_count = QN_COUNT(instructions),
    .start = start,
    .grant = qn_cg_riscv_grant,
    .supports = qn_cg_riscv_supports,
};

/* Microcontroller programs are linked to fixed addresses, so code is not relocatable. */
const qn_cg_architecture qn_cg_riscv32 = {
    .name = "riscv32",
    .baseline = "rv32imc",
    .usual = "unknown-elf",
    .systems = bare,
    .cpu = "generic-rv32",
    .features = "+m,+c",
    .abi = "ilp32",
    .pointer_bits = 32,
    .stack_align = 16,
    .relocation = LLVMRelocStatic,
    .code_model = LLVMCodeModelDefault,
    .vectors = "+v",
    .library = none,
    .width_attributes = none,
    .module_flags = none,
    .bases = bases32,
    .base_count = QN_COUNT(bases32),
    .start = start,
};

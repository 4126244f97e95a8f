/* RISC-V: RV64GC, and RV32IMC for microcontrollers. No instruction is selected by name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

static const char *const none[] = {NULL};
static const char *const bare[] = {"none-elf", "unknown-elf", NULL};
static const char *const bases32[] = {"generic-rv32"};

static void start(void) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
}

/* The base for which Linux distributions compile. The ABI that passes floats in registers must be
 * stated explicitly. */
const qn_cg_architecture qn_cg_riscv64 = {
    .name = "riscv64",
    .baseline = "generic",
    .usual = "linux-gnu",
    .systems = qn_cg_hosted,
    .cpu = "generic-rv64",
    .features = "+m,+a,+f,+d,+c",
    .abi = "lp64d",
    .pointer_bits = 64,
    .stack_align = 16,
    .relocation = LLVMRelocPIC,
    .code_model = LLVMCodeModelDefault,
    .library = none,
    .width_attributes = none,
    .module_flags = none,
    .start = start,
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
    .library = none,
    .width_attributes = none,
    .module_flags = none,
    .bases = bases32,
    .base_count = QN_COUNT(bases32),
    .start = start,
};

/* Arm microcontrollers. Each instruction set is an architecture, as named in triples, because code
 * for one does not run on all CPUs of the next. The triple specifies whether floats are passed in
 * registers (eabihf); no function of the object has a float argument.
 *
 * Only integer code: the floating-point unit is an option of all of these CPUs, so the base CPUs
 * lack it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

static const char *const none[] = {NULL}, *const bare[] = {"none-eabi", "none-eabihf", NULL};

static void start(void) {
  LLVMInitializeARMTargetInfo();
  LLVMInitializeARMTarget();
  LLVMInitializeARMTargetMC();
  LLVMInitializeARMAsmPrinter();
}

/* Microcontroller programs are linked to fixed addresses, so code is not relocatable. */
#define COMMON                                                                                     \
  .usual = "none-eabi", .systems = bare, .pointer_bits = 32, .stack_align = 8,                     \
  .relocation = LLVMRelocStatic, .code_model = LLVMCodeModelDefault, .unwinds_by_library = true,   \
  .width_attributes = none, .module_flags = none, .start = start

/* These CPUs have no division, no 64-bit product and no count of leading zeros. */
static const char *const library6[] = {
    "__aeabi_lmul", "__aeabi_idiv",     "__aeabi_uidiv", "__aeabi_idivmod", "__aeabi_lasr",
    "__aeabi_llsl", "__aeabi_uidivmod", "__aeabi_llsr",  "__clzsi2",        NULL};

static const char *const v6m[] = {"cortex-m0plus"}, *const v7m[] = {"cortex-m3"};
static const char *const v7em[] = {"cortex-m4", "cortex-m7"}, *const v81m[] = {"cortex-m55"};

/* The DSP extension: instructions on two halves of a register. */
#define DSP                                                                                        \
  {QN_FORM_DOT_PAIR, 4, QN_FEATURE_NONE, "llvm.arm.smlad", QN_CALL_PLAIN},                         \
      {QN_FORM_DOT_LOW, 4, QN_FEATURE_NONE, "llvm.arm.smlabb", QN_CALL_PLAIN},                     \
      {QN_FORM_DOT_HIGH, 4, QN_FEATURE_NONE, "llvm.arm.smlatt", QN_CALL_PLAIN},                    \
      {QN_FORM_EVEN_S8, 4, QN_FEATURE_NONE, "llvm.arm.sxtb16", QN_CALL_PLAIN}, {                   \
    QN_FORM_EVEN_U8, 4, QN_FEATURE_NONE, "llvm.arm.uxtb16", QN_CALL_PLAIN                          \
  }
static const qn_cg_instruction dsp[] = {DSP};
/* The same, and integers of Helium. */
static const qn_cg_instruction helium[] = {
    DSP,
    {QN_FORM_DOT_ACROSS, 4, QN_FEATURE_NONE, "llvm.arm.mve.vmldava", QN_CALL_ACROSS},
    {QN_FORM_MULTIPLY_HIGH, 16, QN_FEATURE_NONE, "llvm.arm.mve.vqrdmulh", QN_CALL_BY_RESULT},
    {QN_FORM_SHIFT_ROUNDED, 16, QN_FEATURE_NONE, "llvm.arm.mve.vshl.vector", QN_CALL_SHIFT},
};

const qn_cg_architecture qn_cg_thumbv6m = {COMMON,
                                           .name = "thumbv6m",
                                           .baseline = "cortex-m0plus",
                                           .cpu = "cortex-m0plus",
                                           .features = "",
                                           .library = library6,
                                           .bases = v6m,
                                           .base_count = QN_COUNT(v6m)};
const qn_cg_architecture qn_cg_thumbv7m = {COMMON,
                                           .name = "thumbv7m",
                                           .baseline = "cortex-m3",
                                           .cpu = "cortex-m3",
                                           .features = "",
                                           .library = none,
                                           .bases = v7m,
                                           .base_count = QN_COUNT(v7m)};
const qn_cg_architecture qn_cg_thumbv7em = {COMMON,
                                            .name = "thumbv7em",
                                            .baseline = "cortex-m4",
                                            .cpu = "cortex-m4",
                                            .features = "-fpregs",
                                            .library = none,
                                            .bases = v7em,
                                            .base_count = QN_COUNT(v7em),
                                            .instructions = dsp,
                                            .instruction_count = QN_COUNT(dsp)};
const qn_cg_architecture qn_cg_thumbv81m = {COMMON,
                                            .name = "thumbv8.1m.main",
                                            .baseline = "cortex-m55",
                                            .cpu = "cortex-m55",
                                            .features = "-vfp2sp",
                                            .library = none,
                                            .bases = v81m,
                                            .base_count = QN_COUNT(v81m),
                                            .instructions = helium,
                                            .instruction_count = QN_COUNT(helium)};
#undef DSP
#undef COMMON

/* Arm's microcontrollers. Each instruction set is an architecture, as a triple names it: code for
 * one does not run on all CPUs of the next. Whether floats are passed in registers (eabihf) is the
 * triple's; no function of ours has a float for an argument.
 *
 * Integer code alone: the base CPUs are without the floating-point unit, which is an option of all
 * of them.
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

/* Images at fixed addresses: nothing relocates them. */
#define COMMON                                                                                     \
  .usual = "none-eabi", .systems = bare, .pointer_bits = 32, .stack_align = 8,                     \
  .relocation = LLVMRelocStatic, .code_model = LLVMCodeModelDefault, .unwinds_by_library = true,   \
  .width_attributes = none, .module_flags = none, .start = start

/* No division, no product of 64 bits and no count of zeros there. */
static const char *const library6[] = {
    "__aeabi_lmul", "__aeabi_idiv",     "__aeabi_uidiv", "__aeabi_idivmod", "__aeabi_lasr",
    "__aeabi_llsl", "__aeabi_uidivmod", "__aeabi_llsr",  "__clzsi2",        NULL};

static const char *const v6m[] = {"cortex-m0plus"}, *const v7m[] = {"cortex-m3"};
static const char *const v7em[] = {"cortex-m4", "cortex-m7"}, *const v81m[] = {"cortex-m55"};

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
                                            .base_count = QN_COUNT(v7em)};
const qn_cg_architecture qn_cg_thumbv81m = {COMMON,
                                            .name = "thumbv8.1m.main",
                                            .baseline = "cortex-m55",
                                            .cpu = "cortex-m55",
                                            .features = "-fpregs",
                                            .library = none,
                                            .bases = v81m,
                                            .base_count = QN_COUNT(v81m)};
#undef COMMON

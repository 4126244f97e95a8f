/* Asks Linux whether the process may use V, which system administrators and parent processes can
 * deny; riscv_hwprobe reports V all the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/grant.h"

#if defined(__linux__) && defined(__riscv)
#include <stdbool.h>
#include <sys/prctl.h>

enum {
#define FEATURE(ident, ...) ident,
#include "codegen/machine/riscv_features.def"
#undef FEATURE
};

/* PR_RISCV_V_GET_CONTROL; the low bits say whether V is off. Systems before Linux 6.5 fail. */
enum { GET_CONTROL = 70, CURRENT = 3, OFF = 1 };

uint64_t qn_cg_riscv_grant(uint64_t features) {
  int control = prctl(GET_CONTROL, 0, 0, 0, 0);
  bool denied = control >= 0 && (control & CURRENT) == OFF;
  return denied ? features & ~(UINT64_C(1) << V) : features;
}
#else
uint64_t qn_cg_riscv_grant(uint64_t features) { return features; }
#endif

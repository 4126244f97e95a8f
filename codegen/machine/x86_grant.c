/* Requests AMX tiles from the operating system.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/grant.h"

#include <stdbool.h>
#include <unistd.h>

enum {
#define FEATURE(ident, ...) ident,
#include "codegen/machine/x86_features.def"
#undef FEATURE
};

uint64_t qn_cg_x86_grant(uint64_t features) {
  const uint64_t tiles = UINT64_C(1) << AMX_TILE | UINT64_C(1) << AMX_INT8;
  if (!(features & tiles)) return features;
#if defined(__linux__) && defined(__x86_64__)
  bool granted = syscall(QN_X86_ARCH_PRCTL, QN_X86_REQUEST_STATE, QN_X86_TILE_DATA) == 0;
  return granted ? features : features & ~tiles;
#else
  return features & ~tiles;
#endif
}

/* Reads the features of an AArch64 host from Linux's auxiliary vector.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/grant.h"

#if defined(__linux__) && defined(__aarch64__)
#include <stddef.h>
#include <sys/auxv.h>

static const struct {
  unsigned long entry;
  unsigned bit;
} features_of[] = {
#define FEATURE(ident, name, where, field, all_macs, entry, bit) {entry, bit},
#include "codegen/machine/aarch64_features.def"
#undef FEATURE
};

uint64_t qn_cg_aarch64_grant(uint64_t features) {
  features = 0;
  for (size_t i = 0; i < sizeof features_of / sizeof *features_of; i++)
    features |= (uint64_t)(getauxval(features_of[i].entry) >> features_of[i].bit & 1) << i;
  return features;
}
#else
uint64_t qn_cg_aarch64_grant(uint64_t features) { return features; }
#endif

/* Sets of features: of a level, and of "+a,-b".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include "codegen/machine/machine.h"

static const struct feature {
  const char *name;
  int psabi; /* level of the ABI that brought it; 0: none */
} features[] = {
#define FEATURE(ident, name, psabi, ...) {name, psabi},
#include "codegen/machine/features.def"
#undef FEATURE
};
_Static_assert(QN_COUNT(features) <= 64, "a set of features is 64 bits");

const char *qn_cg_feature_at(uint32_t i) {
  return i < QN_COUNT(features) ? features[i].name : NULL;
}

uint64_t qn_cg_features_apply(uint64_t set, qn_str list, qn_str *out_unknown) {
  while (list.size) {
    const char *comma = memchr(list.data, ',', list.size);
    qn_str item = {list.data, comma ? (size_t)(comma - list.data) : list.size};
    size_t used = item.size + (comma != NULL);
    list = (qn_str){list.data + used, list.size - used};
    bool add = item.size && item.data[0] == '+', remove = item.size && item.data[0] == '-';
    qn_str name = add || remove ? (qn_str){item.data + 1, item.size - 1} : item;
    size_t i = 0;
    while (i < QN_COUNT(features) && !qn_str_is(name, features[i].name)) i++;
    uint64_t bit = i < QN_COUNT(features) ? UINT64_C(1) << i : 0;
    if (add) set |= bit;
    if (remove) set &= ~bit;
    if (out_unknown && !out_unknown->data && (!bit || (!add && !remove))) *out_unknown = item;
  }
  return set;
}

uint64_t qn_cg_features_of(const qn_target *level) {
  static const char *const base[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  uint64_t set = 0;
  if (!level->architecture) return set;
  for (int psabi = 1; psabi <= (int)QN_COUNT(base); psabi++) {
    for (size_t i = 0; i < QN_COUNT(features); i++)
      if (features[i].psabi == psabi) set |= UINT64_C(1) << i;
    if (strcmp(level->llvm_cpu, base[psabi - 1]) == 0)
      return qn_cg_features_apply(set, qn_str_of(level->llvm_features), NULL);
  }
  QN_UNREACHABLE("a level is based on one of the ABI's");
}

/* Feature sets: the set of a level, and changes by "+a,-b".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include "codegen/machine/machine.h"

uint64_t qn_cg_features_apply(const qn_cg_architecture *a, uint64_t set, qn_str list,
                              qn_str *out_unknown) {
  QN_ASSERT(a->feature_count <= 64);
  while (list.size) {
    const char *comma = memchr(list.data, ',', list.size);
    qn_str item = {list.data, comma ? (size_t)(comma - list.data) : list.size};
    size_t used = item.size + (comma != NULL);
    list = (qn_str){list.data + used, list.size - used};
    bool add = item.size && item.data[0] == '+', remove = item.size && item.data[0] == '-';
    qn_str name = add || remove ? (qn_str){item.data + 1, item.size - 1} : item;
    size_t i = 0;
    while (i < a->feature_count && !qn_str_is(name, a->feature_rows[i].name)) i++;
    uint64_t bit = i < a->feature_count ? UINT64_C(1) << i : 0;
    if (add) set |= bit;
    if (remove) set &= ~bit;
    if (out_unknown && !out_unknown->data && (!bit || (!add && !remove))) *out_unknown = item;
  }
  return set;
}

uint64_t qn_cg_features_of(const qn_target *level) {
  uint64_t set = 0;
  if (!level->architecture) return set;
  const qn_cg_architecture *a = qn_cg_architecture_of(level->architecture);
  QN_ASSERT(a);
  for (int base = 1; base <= (int)a->base_count; base++) {
    for (size_t i = 0; i < a->feature_count; i++)
      if (a->feature_rows[i].base == base) set |= UINT64_C(1) << i;
    if (strcmp(level->llvm_cpu, a->bases[base - 1]) == 0)
      return qn_cg_features_apply(a, set, qn_str_of(level->llvm_features), NULL);
  }
  QN_UNREACHABLE("a level is based on one of its architecture's CPUs");
}

/* Lookup by name, and what to suggest when there is no such name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/registry.h"

#include "base/spelling.h"

void qn_registry_deinit(qn_registry *registry) {
  qn_array_free(&registry->passes);
  qn_str_map_deinit(&registry->by_name);
}

bool qn_registry_add(qn_registry *registry, const qn_pass *pass) {
  qn_str name = qn_str_of(pass->name);
  if (qn_registry_find(registry, name)) return false;
  qn_array_reserve(&registry->passes, registry->passes.count + 1); /* then both or none */
  qn_str_map_set(&registry->by_name, name, (void *)(uintptr_t)pass);
  qn_array_push(&registry->passes, pass);
  return true;
}

void qn_registry_add_table(qn_registry *registry, const qn_pass *const *table) {
  for (; *table; table++)
    if (!qn_registry_add(registry, *table)) QN_UNREACHABLE("two passes of one name in the tables");
}

const qn_pass *qn_registry_find(const qn_registry *registry, qn_str name) {
  return registry->passes.count ? qn_str_map_get(&registry->by_name, name) : NULL;
}

const char *qn_registry_near(const qn_registry *registry, qn_str name) {
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < registry->passes.count; i++) {
    size_t distance = qn_name_distance(name, qn_str_of(registry->passes.data[i]->name));
    if (distance >= least) continue;
    least = distance;
    nearest = registry->passes.data[i]->name;
  }
  return nearest;
}

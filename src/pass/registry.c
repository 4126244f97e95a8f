/* Looks up passes by name, and suggests a name for a misspelled one.
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
  if (registry->passes.count && qn_str_map_get(&registry->by_name, name)) return false;
  qn_array_reserve(&registry->passes, registry->passes.count + 1); /* then both or none */
  qn_str_map_set(&registry->by_name, name, (void *)(uintptr_t)pass);
  qn_array_push(&registry->passes, pass);
  return true;
}

void qn_registry_add_table(qn_registry *registry, const qn_pass *const *table) {
  for (; *table; table++)
    if (!qn_registry_add(registry, *table)) QN_UNREACHABLE("two passes of one name in the tables");
}

/* Converts a name to the spelling of records: dashes instead of underscores, without a namespace.
 * Returns false if it is too long. */
static bool plain_name(qn_str name, char *buffer, size_t size) {
  for (size_t i = 0; i + 1 < name.size; i++) {
    if (name.data[i] != ':' || name.data[i + 1] != ':') continue;
    name = (qn_str){name.data + i + 2, name.size - i - 2};
    break;
  }
  if (name.size >= size) return false;
  for (size_t i = 0; i < name.size; i++) buffer[i] = name.data[i] == '_' ? '-' : name.data[i];
  buffer[name.size] = '\0';
  return true;
}

const qn_pass *qn_registry_find(const qn_registry *registry, qn_str name) {
  char plain[128];
  if (registry->passes.count == 0) return NULL;
  const qn_pass *pass = qn_str_map_get(&registry->by_name, name);
  if (pass || !plain_name(name, plain, sizeof plain)) return pass;
  return qn_str_map_get(&registry->by_name, qn_str_of(plain));
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

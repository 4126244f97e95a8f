/* Hash maps from pointers or strings to pointers (open addressing, heap).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_MAP_H
#define QN_BASE_MAP_H

#include <quern/base.h>
#include <stdbool.h>

typedef struct qn_map_slot qn_map_slot;
typedef struct qn_map {
  qn_map_slot *slots;
  size_t count, capacity;
} qn_map; /* zero-initialize */

void qn_map_deinit(qn_map *map);
/* Keys are pointers other than NULL. qn_map_get returns NULL if the key is absent; qn_map_set
 * replaces the value of a key that is present. */
void *qn_map_get(const qn_map *map, const void *key);
void qn_map_set(qn_map *map, const void *key, void *value);
void qn_map_reserve(
    qn_map *map,
    size_t count); /* makes room for `count` keys in total, so that the map grows only once */

typedef struct qn_str_map_slot qn_str_map_slot;
typedef struct qn_str_map {
  qn_str_map_slot *slots;
  size_t count, capacity;
} qn_str_map; /* zero-initialize; keys are views and must outlive the map */

void qn_str_map_deinit(qn_str_map *map);
void *qn_str_map_get(const qn_str_map *map, qn_str key);
void qn_str_map_set(qn_str_map *map, qn_str key, void *value);
/* Address of the value of a key, which is added with the value NULL if it is absent. The address is
 * valid until the next call of qn_str_map_set or qn_str_map_at. */
void **qn_str_map_at(qn_str_map *map, qn_str key);

#endif

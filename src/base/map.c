/* Hash maps with open addressing and linear probing, at most three quarters full. Nothing is ever
 * removed, so there are no tombstones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/str.h"

/* ---- pointers ---- */

struct qn_map_slot {
  const void *key;
  void *value;
};

static bool is_full(size_t count, size_t capacity) { return (count + 1) * 4 > capacity * 3; }

/* The upper half of a product depends on all bits of an address. */
static qn_map_slot *find(const qn_map *map, const void *key) {
  uint64_t h = (uintptr_t)key * QN_HASH_ODD;
  size_t i = (size_t)(h ^ h >> 32) & (map->capacity - 1);
  while (map->slots[i].key && map->slots[i].key != key) i = (i + 1) & (map->capacity - 1);
  return &map->slots[i];
}

void qn_map_deinit(qn_map *map) {
  qn_heap_free(map->slots);
  *map = (qn_map){0};
}

void *qn_map_get(const qn_map *map, const void *key) {
  return map->capacity ? find(map, key)->value : NULL;
}

static void resize(qn_map *map, size_t capacity) {
  qn_map bigger = {qn_heap_zeroed_beside(map->slots, capacity * sizeof(qn_map_slot)), map->count,
                   capacity};
  for (size_t i = 0; i < map->capacity; i++) {
    if (map->slots[i].key) *find(&bigger, map->slots[i].key) = map->slots[i];
  }
  qn_heap_free(map->slots);
  *map = bigger;
}

static void grow(qn_map *map) {
  /* Small ones are filled at once, by a walk over a kernel or function. */
  resize(map, map->capacity ? (map->capacity < 4096 ? 4 : 2) * map->capacity : 16);
}

void qn_map_reserve(qn_map *map, size_t count) {
  size_t capacity = 16;
  while (is_full(count, capacity)) capacity *= 2;
  if (capacity > map->capacity) resize(map, capacity);
}

void qn_map_set(qn_map *map, const void *key, void *value) {
  QN_ASSERT(key);
  if (is_full(map->count, map->capacity)) grow(map);
  qn_map_slot *slot = find(map, key);
  if (!slot->key) map->count++;
  *slot = (qn_map_slot){key, value};
}

/* ---- strings ---- */

struct qn_str_map_slot {
  qn_str key;
  uint64_t hash; /* 0: free */
  void *value;
};

static qn_str_map_slot *find_str(const qn_str_map *map, qn_str key, uint64_t hash) {
  size_t i = (size_t)(hash >> 1) & (map->capacity - 1);
  for (;; i = (i + 1) & (map->capacity - 1)) {
    qn_str_map_slot *slot = &map->slots[i];
    if (!slot->hash || (slot->hash == hash && qn_str_equal(slot->key, key))) return slot;
  }
}

static uint64_t str_hash(qn_str key) { return qn_str_hash(key) | 1; }

void qn_str_map_deinit(qn_str_map *map) {
  qn_heap_free(map->slots);
  *map = (qn_str_map){0};
}

void *qn_str_map_get(const qn_str_map *map, qn_str key) {
  return map->capacity ? find_str(map, key, str_hash(key))->value : NULL;
}

static void grow_str(qn_str_map *map) {
  size_t capacity = map->capacity ? 2 * map->capacity : 16;
  qn_str_map bigger = {qn_heap_zeroed_beside(map->slots, capacity * sizeof(qn_str_map_slot)),
                       map->count, capacity};
  for (size_t i = 0; i < map->capacity; i++) {
    const qn_str_map_slot *slot = &map->slots[i];
    if (slot->hash) *find_str(&bigger, slot->key, slot->hash) = *slot;
  }
  qn_heap_free(map->slots);
  *map = bigger;
}

void **qn_str_map_at(qn_str_map *map, qn_str key) {
  if (is_full(map->count, map->capacity)) grow_str(map);
  uint64_t hash = str_hash(key);
  qn_str_map_slot *slot = find_str(map, key, hash);
  if (!slot->hash) {
    map->count++;
    *slot = (qn_str_map_slot){key, hash, NULL};
  }
  return &slot->value;
}

void qn_str_map_set(qn_str_map *map, qn_str key, void *value) { *qn_str_map_at(map, key) = value; }

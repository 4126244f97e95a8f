/* Hash maps with open addressing and linear probing, at most three quarters full, and the hash
 * functions. Nothing is ever removed, so there are no tombstones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <string.h>

#include "base/check.h"
#include "base/heap.h"
#include "base/str.h"

/* ---- hashing ---- */

static const uint64_t odd = 0x9E3779B97F4A7C15u; /* 2^64 / golden ratio */

static uint64_t finish(uint64_t h) {
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  return h ^ h >> 32;
}

static uint64_t rotate(uint64_t v, int by) { return v << by | v >> (64 - by); }

uint64_t qn_hash_mix(uint64_t a, uint64_t b) { return finish(rotate(a * odd, 31) + b * odd + 1); }

static uint64_t load(const uint8_t *p, size_t size) {
  uint64_t word = 0;
  memcpy(&word, p, size);
  return word;
}

uint64_t qn_hash_bytes(uint64_t seed, const void *data, size_t size) {
  enum { LANES = 4 }; /* independent multiplications: weights are hashed at memory speed */
  const uint8_t *p = data;
  size_t left = size;
  uint64_t lane[LANES];
  for (int i = 0; i < LANES; i++) lane[i] = seed + (uint64_t)(i + 1) * odd;
  for (; left >= 8 * LANES; left -= 8 * LANES, p += 8 * LANES) {
    for (int i = 0; i < LANES; i++) {
      lane[i] = rotate((lane[i] ^ load(p + 8 * i, 8)) * odd, 29);
    }
  }
  uint64_t h = size;
  if (size < 8 * LANES)
    h = (h ^ seed) * odd; /* names: the lanes hold nothing */
  else
    for (int i = 0; i < LANES; i++) h = qn_hash_mix(h, lane[i]);
  for (; left >= 8; left -= 8, p += 8) h = rotate((h ^ load(p, 8)) * odd, 29);
  if (left) h = rotate((h ^ load(p, left)) * odd, 29);
  return finish(h);
}

/* ---- pointers ---- */

struct qn_map_slot {
  const void *key;
  void *value;
};

static bool is_full(size_t count, size_t capacity) { return (count + 1) * 4 > capacity * 3; }

/* The upper half of a product depends on all bits of an address. */
static qn_map_slot *find(const qn_map *map, const void *key) {
  uint64_t h = (uintptr_t)key * odd;
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

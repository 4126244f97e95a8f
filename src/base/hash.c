/* Hash functions: multiplications by an QN_HASH_ODD number, and rotations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <string.h>

static uint64_t finish(uint64_t h) {
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  return h ^ h >> 32;
}

static uint64_t rotate(uint64_t v, int by) { return v << by | v >> (64 - by); }

uint64_t qn_hash_mix(uint64_t a, uint64_t b) {
  return finish(rotate(a * QN_HASH_ODD, 31) + b * QN_HASH_ODD + 1);
}

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
  for (int i = 0; i < LANES; i++) lane[i] = seed + (uint64_t)(i + 1) * QN_HASH_ODD;
  for (; left >= 8 * LANES; left -= 8 * LANES, p += 8 * LANES) {
    for (int i = 0; i < LANES; i++) {
      lane[i] = rotate((lane[i] ^ load(p + 8 * i, 8)) * QN_HASH_ODD, 29);
    }
  }
  uint64_t h = size;
  if (size < 8 * LANES)
    h = (h ^ seed) * QN_HASH_ODD; /* names: the lanes hold nothing */
  else
    for (int i = 0; i < LANES; i++) h = qn_hash_mix(h, lane[i]);
  for (; left >= 8; left -= 8, p += 8) h = rotate((h ^ load(p, 8)) * QN_HASH_ODD, 29);
  if (left) h = rotate((h ^ load(p, left)) * QN_HASH_ODD, 29);
  return finish(h);
}

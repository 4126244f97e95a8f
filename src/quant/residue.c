/* Follows Euclid's algorithm. If a multiple of the factor is in [lo, hi] before it exceeds the
 * modulus, it is the answer. Otherwise the answer follows from the number of times that the
 * multiple exceeds the modulus. To find that number is the same problem with smaller numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/residue.h"

enum { MOST = 1 << 24, MOST_STEPS = 64 };

typedef struct level {
  uint64_t factor, modulus, lo;
} level;

int64_t qn_residue_first(uint64_t factor, uint64_t modulus, uint64_t lo, uint64_t hi) {
  level levels[MOST_STEPS];
  uint32_t depth = 0;
  uint64_t n = 0;
  while (lo > 0) {
    if (factor == 0 || depth == MOST_STEPS) return -1;
    n = (lo + factor - 1) / factor;
    if (n * factor <= hi) break;
    levels[depth++] = (level){factor, modulus, lo};
    uint64_t next = modulus % factor, from = factor - hi % factor, to = factor - lo % factor;
    modulus = factor, factor = next, lo = from, hi = to;
    n = 0;
  }
  /* `n` is the number of times that the multiple exceeds the modulus of this level */
  while (depth-- > 0) {
    if (n >= MOST) return -1;
    const level *l = &levels[depth];
    n = (l->lo + l->modulus * n + l->factor - 1) / l->factor;
  }
  return n < MOST ? (int64_t)n : -1;
}

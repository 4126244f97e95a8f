/* The smallest multiple of a number whose residue is between two bounds, compared with a test of
 * all multiples.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quant/residue.h"

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static int64_t tried(uint64_t factor, uint64_t modulus, uint64_t lo, uint64_t hi) {
  for (uint64_t n = 0; n < modulus; n++)
    if (n * factor % modulus >= lo && n * factor % modulus <= hi) return (int64_t)n;
  return -1;
}

static void least_of_small_moduli(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int i = 0; i < 20000; i++) {
    uint64_t modulus = 1 + next_random(&seed) % 150, factor = next_random(&seed) % modulus;
    uint64_t lo = next_random(&seed) % modulus, hi = lo + next_random(&seed) % (modulus - lo);
    assert_int_equal(qn_residue_first(factor, modulus, lo, hi), tried(factor, modulus, lo, hi));
  }
}

/* The largest allowed moduli: the residue of the result is between the bounds, and no smaller
 * multiple has such a residue. */
static void least_of_large_moduli(void **unused) {
  (void)unused;
  const uint64_t modulus = UINT64_C(1) << QN_RESIDUE_MAX_BITS, mask = modulus - 1;
  uint64_t seed = 4;
  int found = 0;
  for (int i = 0; i < 50; i++) {
    uint64_t factor = (1 << 23) | next_random(&seed) >> 41, room = UINT64_C(1) << (10 + i % 20);
    uint64_t lo = next_random(&seed) & mask, hi = lo + room < modulus ? lo + room : mask;
    int64_t n = qn_residue_first(factor, modulus, lo, hi), most = n < 0 ? 1 << 24 : n;
    found += n >= 0;
    if (n >= 0) assert_in_range((uint64_t)n * factor & mask, lo, hi);
    for (uint64_t k = 0; k < (uint64_t)most; k++)
      if ((k * factor & mask) >= lo && (k * factor & mask) <= hi) fail();
  }
  assert_true(found >= 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(least_of_small_moduli),
      cmocka_unit_test(least_of_large_moduli),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Source of random decisions: a seed, or a string of bytes from a fuzzer. Each decision uses as few
 * bytes as its range needs, so that changing a byte of the string changes one decision. After the
 * end of the string all decisions are 0, so that generators end soon.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_CHOICES_H
#define QN_TESTS_SUPPORT_CHOICES_H

#include <stddef.h>
#include <stdint.h>

typedef struct qn_choices {
  const uint8_t *bytes; /* the string of bytes; NULL: decisions come from the seed */
  size_t size, at;
  uint64_t state;
} qn_choices;

static inline qn_choices qn_choices_of_seed(uint64_t seed) { return (qn_choices){.state = seed}; }
/* The bytes must outlive the choices. */
static inline qn_choices qn_choices_of_bytes(const void *bytes, size_t size) {
  return (qn_choices){.bytes = bytes ? bytes : (const uint8_t *)"", .size = size};
}

/* A number less than `range`; any 64-bit number if `range` is 0. */
uint64_t qn_choose(qn_choices *c, uint64_t range);

/* Fills a large payload with noise that depends on one decision, so that it does not use up the
 * string. */
void qn_choices_fill(qn_choices *c, void *bytes, size_t size);

#endif

/* Where random things take their decisions from: a seed, or a string of bytes that a fuzzer made.
 * Each decision takes as few bytes as its range needs, so that a byte changed in the string changes
 * one decision. Behind the end of the string all decisions are 0: whatever asks ends soon.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_CHOICES_H
#define QN_TESTS_SUPPORT_CHOICES_H

#include <stddef.h>
#include <stdint.h>

typedef struct qn_choices {
  const uint8_t *bytes; /* NULL: from the seed */
  size_t size, at;
  uint64_t state;
} qn_choices;

static inline qn_choices qn_choices_of_seed(uint64_t seed) { return (qn_choices){.state = seed}; }
/* The bytes must outlive the choices. */
static inline qn_choices qn_choices_of_bytes(const void *bytes, size_t size) {
  return (qn_choices){.bytes = bytes ? bytes : (const uint8_t *)"", .size = size};
}

/* A number below `range`; any 64 bits for 0. */
uint64_t qn_choose(qn_choices *c, uint64_t range);

/* Noise for large payloads, which shall not eat the string: fills from one decision. */
void qn_choices_fill(qn_choices *c, void *bytes, size_t size);

#endif

/* See choices.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/choices.h"

#include <string.h>

/* splitmix64 */
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Reads as many bytes of the string as are needed to hold every number below `range`. */
static uint64_t from_bytes(qn_choices *c, uint64_t range) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && c->at < c->size; shift += 8) {
    value |= (uint64_t)c->bytes[c->at++] << shift;
    if (shift < 56 && range && range <= UINT64_C(1) << (shift + 8)) break;
  }
  return value;
}

uint64_t qn_choose(qn_choices *c, uint64_t range) {
  uint64_t value = c->bytes ? from_bytes(c, range) : next(&c->state);
  return range ? value % range : value;
}

/* Fills the payload with noise, with constants, or with values near the limits of the type. The
 * latter two bring sums to the limits of their ranges. */
void qn_choices_fill(qn_choices *c, void *bytes, size_t size) {
  enum { NOISE = 4 };
  static const uint8_t fixed[] = {0x7f, 0x80, 0x00, 0xff};
  uint8_t *out = bytes;
  uint64_t how = qn_choose(c, 16);
  if (how < sizeof fixed) {
    memset(out, fixed[how], size);
    return;
  }
  uint64_t noise = qn_choose(c, 65536);
  for (size_t i = 0; i < size; i++) {
    uint64_t bits = next(&noise);
    out[i] = how == NOISE ? (uint8_t)(bits % 2 ? 0x7f : 0x80) : (uint8_t)bits;
  }
}

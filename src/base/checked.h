/* Overflow-checked size arithmetic, for every size that comes from a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_CHECKED_H
#define QN_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* false, with *out unchanged, when the result does not fit. */
static inline bool qn_checked_mul(int64_t a, int64_t b, int64_t *out) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) return false;
  *out = r;
  return true;
}
static inline bool qn_checked_add(int64_t a, int64_t b, int64_t *out) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r)) return false;
  *out = r;
  return true;
}

#endif

/* Packed constants of 16 bits that are stored as bytes, where the target keeps constants small and
 * their values span at most 256 integers: value = byte + base. They are widened in registers, or
 * once for many uses into memory of the kernel's own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_COMPACT_H
#define QN_LOWER_LOOPS_COMPACT_H

#include "lower/loops/loops.h"

/* The limit of quern.scratch. */
enum { QN_COMPACT_SCRATCH_BYTES = 1 << 16 };

typedef struct qn_compact {
  bool narrow;  /* values are stored as bytes */
  int32_t base; /* what is added to each byte; 0 if all values fit into i8 */
} qn_compact;

/* Halves `values`, little-endian i16, in place, if that is possible. */
qn_compact qn_compact_store(const qn_target *target, uint8_t *values, size_t *io_bytes);
/* A constant of i8 if it can be stored so without a base, else of i16. */
qn_value *qn_compact_constant(qn_loops *lo, const int16_t *values, size_t count);

/* The base in all lanes of a vector of i16, from the last of `params`, i32; NULL: 0. It is data, so
 * that layers of one shape share a kernel. */
qn_value *qn_compact_base(qn_builder *b, const qn_compact *compact, qn_value *params);

/* `count` values from index + offset on, of a memref of i8 with the base, or of i16. */
qn_value *qn_compact_load(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                          int64_t offset, int64_t count);
/* A loop that widens `count` bytes from `index` on to elements [0, count) of `to`. */
void qn_compact_widen(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                      int64_t count, qn_value *to);

#endif

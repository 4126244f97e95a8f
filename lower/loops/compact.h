/* 16-bit packed constants that are stored as bytes. This is possible if their values span at most
 * 256 integers, value = byte + base, and is done if the target keeps constants small. A kernel
 * widens them in registers, or, if it uses them several times, once into kernel-local scratch.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_COMPACT_H
#define QN_LOWER_LOOPS_COMPACT_H

#include "lower/loops/loops.h"

/* Maximum bytes of kernel-local scratch (quern.scratch). */
enum { QN_COMPACT_SCRATCH_BYTES = 1 << 16 };

typedef struct qn_compact {
  bool narrow;  /* values are stored as bytes */
  int32_t base; /* added to each byte; 0 if all values fit in i8 */
} qn_compact;

/* Replaces `values`, little-endian i16, by bytes in place, if that is possible. *io_bytes is the
 * size. */
qn_compact qn_compact_store(const qn_target *target, uint8_t *values, size_t *io_bytes);
/* A constant of i8 if all values fit in i8, else of i16. */
qn_value *qn_compact_constant(qn_loops *lo, const int16_t *values, size_t count);

/* The base in all lanes of an i16 vector, loaded from the last element of `params` (i32); NULL: the
 * base is 0. The base is data, so that layers of one shape share a kernel. */
qn_value *qn_compact_base(qn_builder *b, const qn_compact *compact, qn_value *params);

/* Loads `count` values from index + offset of a memref. The memref has i8, which is widened and to
 * which the base is added, or i16. */
qn_value *qn_compact_load(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                          int64_t offset, int64_t count);
/* Loads `count` values as pairs of i16: each value, and 0. */
qn_value *qn_compact_load_pairs(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                                int64_t offset, int64_t count);
/* Builds a loop that widens `count` bytes from `index` on into elements [0, count) of `to`. */
void qn_compact_widen(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                      int64_t count, qn_value *to);

#endif

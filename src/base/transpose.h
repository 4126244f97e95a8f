/* Transposing arrays in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_TRANSPOSE_H
#define QN_BASE_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

enum { QN_TRANSPOSE_MAX_RANK = 16 };

/* Copies an array of `rank` dimensions with elements of `width` bytes. `dims` are those of the
 * result, which is dense; strides[d], in elements of `in`, is the distance of neighbours along its
 * dimension d. The arrays do not overlap. */
void qn_transpose(uint32_t rank, const int64_t *dims, const int64_t *strides, size_t width,
                  const uint8_t *in, uint8_t *out);

#endif

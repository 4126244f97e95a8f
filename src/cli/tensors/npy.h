/* numpy's .npy files: versions 1 to 3, little endian, C order, the element types of qn_dtype.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_NPY_H
#define QN_CLI_NPY_H

#include <quern/quern.h>

enum { NPY_MAX_RANK = 64 }; /* numpy has no arrays of more */

typedef struct npy {
  qn_dtype dtype;
  uint32_t rank;
  int64_t dims[NPY_MAX_RANK];
  const void *data; /* into the bytes that were read */
  size_t bytes;
} npy;

/* Bytes of an element; 0 for a number that is no qn_dtype. */
size_t npy_dtype_size(qn_dtype dtype);

/* A view of a file in memory. NULL, or what is wrong with it (static text). */
const char *npy_decode(const void *file, size_t size, npy *out_array);
/* A malloc'ed file; NULL when out of memory, or when rank > NPY_MAX_RANK. */
void *npy_encode(qn_dtype dtype, uint32_t rank, const int64_t *dims, const void *data, size_t bytes,
                 size_t *out_size);

#endif

/* numpy's .npy files: versions 1 to 3, little endian, C order, the element types of qn_dtype.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_NPY_H
#define QN_CLI_NPY_H

#include <quern/quern.h>

enum { NPY_MAX_RANK = 64 }; /* numpy's maximum */

typedef struct npy {
  qn_dtype dtype;
  uint32_t rank;
  int64_t dims[NPY_MAX_RANK];
  const void *data; /* pointer into the file's bytes */
  size_t bytes;
} npy;

/* Bytes of an element; 0 for an unknown type. */
size_t npy_dtype_size(qn_dtype dtype);

/* Parses a file in memory; `out_array` refers to its bytes. Returns NULL on success, else the
 * reason (static text). */
const char *npy_decode(const void *file, size_t size, npy *out_array);
/* Returns the contents of a file, which the caller frees; NULL if out of memory, or if rank >
 * NPY_MAX_RANK. */
void *npy_encode(qn_dtype dtype, uint32_t rank, const int64_t *dims, const void *data, size_t bytes,
                 size_t *out_size);

#endif

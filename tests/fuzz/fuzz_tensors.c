/* Tensors that are not part of a model: .npy files, and literals of the command line. An accepted
 * tensor has the bytes that its shape needs, and writing an array gives the same file again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/tensors/literal.h"
#include "tests/fuzz/fuzz.h"

static size_t bytes_of(qn_dtype dtype, uint32_t rank, const int64_t *dims) {
  size_t bytes = npy_dtype_size(dtype);
  for (uint32_t i = 0; i < rank; i++) bytes *= (size_t)dims[i];
  return bytes;
}

static void check_npy(const uint8_t *data, size_t size) {
  npy array, again;
  if (npy_decode(data, size, &array)) return;
  fuzz_require(array.rank <= NPY_MAX_RANK && npy_dtype_size(array.dtype) > 0);
  fuzz_require(array.bytes == bytes_of(array.dtype, array.rank, array.dims));
  const uint8_t *at = array.data;
  fuzz_require(array.bytes == 0 || (at >= data && at + array.bytes <= data + size));
  size_t written;
  void *file = npy_encode(array.dtype, array.rank, array.dims, array.data, array.bytes, &written);
  fuzz_require(file && !npy_decode(file, written, &again));
  fuzz_require(again.rank == array.rank && again.bytes == array.bytes &&
               (array.bytes == 0 || memcmp(again.data, array.data, array.bytes) == 0));
  free(file);
}

static void check_literal(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (size) memcpy(text, data, size);
  text[size] = 0;
  literal value;
  if (literal_is_one(text) && !literal_parse(text, &value)) {
    size_t bytes = bytes_of(value.dtype, value.rank, value.dims);
    uint8_t *copy = malloc(bytes + 1); /* all bytes must be readable */
    if (copy && bytes) memcpy(copy, value.data, bytes);
    free(copy);
    literal_free(&value);
  }
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  check_npy(data, size);
  check_literal(data, size);
  return 0;
}

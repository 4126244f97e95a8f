/* Transposing arrays: every element arrives where the definition puts it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/transpose.h"

enum { MOST_BYTES = 1 << 16 };

/* The index in the operand of element i of the result. */
static int64_t source_of(uint32_t rank, const int64_t *dims, const int64_t *strides, int64_t i) {
  int64_t from = 0;
  for (uint32_t d = rank; d-- > 0; i /= dims[d]) from += i % dims[d] * strides[d];
  return from;
}

static void check(uint32_t rank, const int64_t *in_dims, const uint32_t *perm, size_t width) {
  static uint8_t in[MOST_BYTES], out[MOST_BYTES + 1];
  int64_t dims[QN_TRANSPOSE_MAX_RANK], strides[QN_TRANSPOSE_MAX_RANK], of[QN_TRANSPOSE_MAX_RANK];
  int64_t count = 1;
  for (uint32_t d = rank; d-- > 0; count *= in_dims[d]) of[d] = count;
  assert_true((size_t)count * width <= MOST_BYTES);
  for (uint32_t d = 0; d < rank; d++) {
    dims[d] = in_dims[perm[d]];
    strides[d] = of[perm[d]];
  }
  for (size_t i = 0; i < (size_t)count * width; i++) in[i] = (uint8_t)(i * 2654435761u >> 13);
  memset(out, 0xA5, sizeof out);
  qn_transpose(rank, dims, strides, width, in, out);
  for (int64_t i = 0; i < count; i++)
    assert_memory_equal(out + (size_t)i * width,
                        in + (size_t)source_of(rank, dims, strides, i) * width, width);
  assert_int_equal(out[(size_t)count * width], 0xA5);
}

static void all_orders(void **state) {
  static const uint32_t orders[][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {3, 2, 1, 0}, {1, 0, 2, 3},
                                       {0, 1, 3, 2}, {2, 0, 3, 1}, {3, 0, 1, 2}};
  static const int64_t shapes[][4] = {{2, 3, 5, 7},  {1, 33, 1, 65}, {1, 1, 1, 1},
                                      {3, 1, 40, 1}, {1, 64, 3, 3},  {2, 0, 3, 4}};
  static const size_t widths[] = {1, 2, 3, 4, 8};
  (void)state;
  for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
      for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        check(4, shapes[s], orders[o], widths[w]);
}

static void few_dimensions(void **state) {
  static const int64_t matrix[] = {100, 37}, vector[] = {19};
  static const uint32_t turned[] = {1, 0}, straight[] = {0};
  (void)state;
  check(2, matrix, turned, 4);
  check(1, vector, straight, 2);
  check(0, NULL, NULL, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_orders),
                                     cmocka_unit_test(few_dimensions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

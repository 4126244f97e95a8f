/* Constants of 16 bits are stored as bytes if they span at most 256 integers and the target
 * supports that. The value is byte + base.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "base/check.h"
#include "lower/loops/compact.h"

enum { COUNT = 16 };

static const qn_target *target_of(const char *name) { return qn_target_find(qn_str_of(name)); }

/* Stores COUNT numbers, alternately `even` and `odd`. */
static qn_compact store(const char *level, int16_t even, int16_t odd, size_t *out_bytes) {
  uint8_t values[2 * COUNT];
  *out_bytes = sizeof values;
  for (size_t i = 0; i < COUNT; i++) {
    uint16_t value = (uint16_t)(i % 2 == 0 ? even : odd);
    values[2 * i] = (uint8_t)value, values[2 * i + 1] = (uint8_t)(value >> 8);
  }
  qn_compact compact = qn_compact_store(target_of(level), values, out_bytes);
  for (size_t i = 0; i < COUNT && compact.narrow; i++)
    assert_int_equal((int8_t)values[i] + compact.base, i % 2 == 0 ? even : odd);
  return compact;
}

static void values_that_span_a_byte_are_bytes(void **state) {
  (void)state;
  const struct {
    int16_t even, odd;
    bool narrow, has_base;
  } cases[] = {{-128, 127, true, false},     {0, 0, true, false},
               {-255, 0, true, true},        {0, 255, true, true},
               {-100, 155, true, true},      {-129, 127, false, false},
               {-128, 128, false, false},    {-256, 0, false, false},
               {INT16_MIN, 0, false, false}, {INT16_MIN, INT16_MAX, false, false}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    size_t bytes;
    qn_compact compact = store("generic", cases[i].even, cases[i].odd, &bytes);
    assert_int_equal(compact.narrow, cases[i].narrow);
    assert_int_equal(compact.base != 0, cases[i].has_base);
    assert_int_equal(bytes, cases[i].narrow ? COUNT : 2 * COUNT);
  }
}

static void other_levels_keep_16_bits(void **state) {
  (void)state;
  uint32_t count;
  const qn_target *all = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    size_t bytes;
    assert_int_equal(store(all[i].name, -1, 1, &bytes).narrow, i == 0);
    assert_int_equal(bytes, i == 0 ? COUNT : 2 * COUNT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_that_span_a_byte_are_bytes),
      cmocka_unit_test(other_levels_keep_16_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

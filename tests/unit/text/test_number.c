/* Float formats and text of floats. All bit patterns of 16-bit formats are tested; text is compared
 * with recorded output of the reference printer, and read back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include "text/number.h"
#include "text/text.h"

#include <cmocka.h>

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 11 ^ *state << 31;
}

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void every_16_bit_pattern_survives(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 65536; bits++) {
    assert_int_equal(qn_float_encode(QN_F16, qn_float_decode(QN_F16, bits)), bits);
    assert_int_equal(qn_float_encode(QN_BF16, qn_float_decode(QN_BF16, bits)), bits);
  }
}

/* Every value is decoded and encoded again. Decoding a NaN keeps only its sign and that it is
 * NaN. */
static void every_small_pattern_survives(void **state) {
  (void)state;
  for (qn_float_kind kind = QN_F8E5M2; kind < QN_FLOAT_KINDS; kind++) {
    const qn_float_format *format = qn_float_format_of(kind);
    double largest = 0, least = HUGE_VAL;
    for (uint64_t bits = 0; bits >> format->width == 0; bits++) {
      double value = qn_float_decode(kind, bits);
      uint64_t again = qn_float_encode(kind, value);
      if (isnan(value))
        assert_true(isnan(qn_float_decode(kind, again)));
      else
        assert_int_equal(again, bits);
      if (isfinite(value)) largest = fmax(largest, value);
      if (value > 0) least = fmin(least, value);
    }
    assert_true(largest == format->largest && least == format->denormal);
    double beyond = qn_float_round(kind, 2 * largest), infinite = qn_float_round(kind, HUGE_VAL);
    bool is_finite = format->specials == QN_FLOAT_FINITE,
         is_ieee = format->specials == QN_FLOAT_IEEE;
    assert_true(is_ieee ? isinf(beyond) : is_finite ? beyond == largest : isnan(beyond));
    assert_true(is_ieee ? isinf(infinite) : is_finite ? infinite == largest : isnan(infinite));
  }
}

/* The nearest of two neighbours, in the middle the even one. The distances are computed exactly. */
static void rounding_is_nearest_even(void **state) {
  (void)state;
  static const qn_float_kind kinds[] = {QN_F16,        QN_BF16,          QN_F8E5M2,   QN_F8E4M3FN,
                                        QN_F8E4M3FNUZ, QN_F8E4M3B11FNUZ, QN_F6E3M2FN, QN_F4E2M1FN};
  uint64_t seed = 1;
  for (int i = 0; i < 400000; i++) {
    qn_float_kind kind = kinds[i % (int)QN_COUNT(kinds)];
    uint64_t largest = qn_float_encode(kind, qn_float_format_of(kind)->largest);
    uint32_t low = (uint32_t)(next_random(&seed) % largest);
    double a = qn_float_decode(kind, low), b = qn_float_decode(kind, low + 1);
    double t = i % 5 == 0 ? 0.5 : (double)(next_random(&seed) % 1000) / 1000.0;
    double value = a + (b - a) * t, to_a = value - a, to_b = b - value;
    uint64_t want = to_a < to_b || (to_a == to_b && low % 2 == 0) ? low : low + 1;
    assert_int_equal(qn_float_encode(kind, value), want);
  }
}

static void f32_agrees_with_the_compiler(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int i = 0; i < 200000; i++) {
    double value = double_of(next_random(&seed));
    if (i % 2)
      value = ldexp(1.0 + (double)(next_random(&seed) >> 12) * 0x1p-52, (int)(seed % 300) - 160);
    if (isnan(value)) continue;
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    assert_int_equal(qn_float_encode(QN_F32, value), bits);
    assert_true(qn_float_decode(QN_F32, bits) == (double)narrow);
  }
}

/* A signalling NaN must not be converted by the processor, which would make it quiet. */
static void nan_is_stored_by_bits(void **state) {
  (void)state;
  static const uint32_t patterns[] = {0x7f800001, 0xff92d201, 0x7fbfffff, 0x7fc00000, 0xffffffff};
  for (size_t i = 0; i < QN_COUNT(patterns); i++) {
    uint32_t stored = 0, quiet = patterns[i] | 0x00400000;
    double value = qn_float_load(QN_F32, (const uint8_t *)&patterns[i]);
    assert_true(isnan(value));
    qn_float_store(QN_F32, value, (uint8_t *)&stored);
    assert_int_equal(stored, patterns[i]);
    qn_float_store(QN_F32, qn_float_round(QN_F32, value), (uint8_t *)&stored);
    assert_int_equal(stored, patterns[i]);
    value = qn_float_decode(QN_F32, quiet);
    qn_float_store(QN_F32, value, (uint8_t *)&stored);
    assert_int_equal(stored, quiet);
  }
}

static void literals_read_like_strtod(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 100000; i++) {
    char text[64];
    int digits = 1 + (int)(next_random(&seed) % 18);
    snprintf(text, sizeof text, "%.*e", digits, fabs(double_of(next_random(&seed))));
    if (!strchr(text, '.')) continue; /* inf, nan */
    assert_true(qn_number_read_double(qn_str_of(text)) == strtod(text, NULL));
  }
  static const char *const cases[] = {"0.0",
                                      "0.1",
                                      "123456789012345.0",
                                      "1234567890123456789.0",
                                      "1.0e22",
                                      "1.0e23",
                                      "4.9e-324",
                                      "1.0e-400",
                                      "000000000000000000001.5",
                                      "0.00000000000000000000001",
                                      "9007199254740993.0",
                                      "1."};
  for (size_t i = 0; i < QN_COUNT(cases); i++)
    assert_true(qn_number_read_double(qn_str_of(cases[i])) == strtod(cases[i], NULL));
  assert_true(isinf(qn_number_read_double(qn_str_of("1.0e400"))));
}

static void integers_are_read_with_overflow(void **state) {
  (void)state;
  uint64_t value = 0;
  assert_true(qn_number_read_uint(qn_str_of("18446744073709551615"), &value));
  assert_int_equal(value, UINT64_MAX);
  assert_true(qn_number_read_uint(qn_str_of("0xfFFFffffFFFFffff"), &value));
  assert_int_equal(value, UINT64_MAX);
  assert_false(qn_number_read_uint(qn_str_of("18446744073709551616"), &value));
  assert_false(qn_number_read_uint(qn_str_of("0x10000000000000000"), &value));
}

static void check_text(double value, qn_float_kind kind, const char *want) {
  qn_text text = {0};
  qn_text_print_float(value, kind, &text);
  assert_string_equal(text.data, want);
  qn_text_deinit(&text);
}

/* Recorded from mlir-opt 22. */
static void floats_are_written_as_upstream_does(void **state) {
  (void)state;
  check_text(0.0, QN_F64, "0.000000e+00");
  check_text(-0.0, QN_F32, "-0.000000e+00");
  check_text(2.0, QN_F64, "2.000000e+00");
  check_text(0.1, QN_F64, "1.000000e-01");
  check_text(0.998, QN_F64, "0.998");
  check_text(0.948, QN_F64, "0.94799999999999995");
  check_text(0.015655439347028732, QN_F64, "0.015655439347028732");
  check_text((double)0.015655439347028732f, QN_F32, "0.0156554393");
  check_text(1234567.0, QN_F64, "0x4132D68700000000");
  check_text(1234567.0, QN_F32, "0x4996B438");
  check_text(4494910647.8873816, QN_F64, "4494910647.8873816");
  check_text(6.4229436293244565e-6, QN_F64, "6.4229436293244565E-6");
  check_text(-5.6746649181362161e+64, QN_F64, "-5.6746649181362161E+64");
  check_text(1.0 / 3.0, QN_F16, "3.332520e-01");
  check_text(1.0e10, QN_BF16, "9.999220e+09");
  check_text(INFINITY, QN_F32, "0x7F800000");
  check_text(-INFINITY, QN_F16, "0xFC00");
  check_text(double_of(0x7FF8000000000000), QN_F64, "0x7FF8000000000000");
  check_text(4.9406564584124654e-324, QN_F64, "4.940660e-324");
}

static void what_is_written_reads_back(void **state) {
  (void)state;
  static const qn_float_kind kinds[] = {QN_F64, QN_F32, QN_BF16, QN_F16, QN_TF32};
  uint64_t seed = 4;
  qn_text text = {0};
  for (int i = 0; i < 100000; i++) {
    qn_float_kind kind = kinds[(size_t)i % QN_COUNT(kinds)];
    double value = double_of(next_random(&seed));
    if (i % 3)
      value = (double)(int64_t)(next_random(&seed) % 2000000) / pow(10, (double)(seed % 12));
    value = qn_float_round(kind, value);
    qn_text_clear(&text);
    qn_text_print_float(value, kind, &text);
    qn_str literal = qn_text_view(&text);
    bool negative = literal.data[0] == '-';
    literal.data += negative;
    literal.size -= negative;
    uint64_t bits = qn_float_encode(kind, value), pattern = 0;
    if (strchr(text.data, 'x')) {
      assert_true(qn_number_read_uint(literal, &pattern));
      assert_int_equal(pattern, bits);
    } else {
      double back = qn_number_read_double(literal);
      assert_int_equal(qn_float_encode(kind, negative ? -back : back), bits);
    }
  }
  qn_text_deinit(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_16_bit_pattern_survives),
      cmocka_unit_test(every_small_pattern_survives),
      cmocka_unit_test(rounding_is_nearest_even),
      cmocka_unit_test(f32_agrees_with_the_compiler),
      cmocka_unit_test(nan_is_stored_by_bits),
      cmocka_unit_test(literals_read_like_strtod),
      cmocka_unit_test(integers_are_read_with_overflow),
      cmocka_unit_test(floats_are_written_as_upstream_does),
      cmocka_unit_test(what_is_written_reads_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

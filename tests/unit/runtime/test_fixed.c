/* runtime/fixed.h compared with the test vectors of the specification, and with models in 128-bit
 * and long double arithmetic that share no code with it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/fixed.h"

__extension__ typedef __int128 wide;

enum { RANDOM_CASES = 200000 };

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}
/* Random int32 of every magnitude; sometimes INT32_MIN or INT32_MAX. */
static int32_t random_word(uint64_t *state) {
  uint64_t r = next_random(state);
  if (r % 64 == 0) return (r >> 8) % 2 ? INT32_MIN : INT32_MAX;
  return (int32_t)(uint32_t)(r >> 32) >> (r % 32);
}

static wide floor_div(wide a, wide b) {
  wide q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}
static int64_t model_rdhm(int32_t a, int32_t b) {
  wide h = floor_div((wide)a * b + ((wide)1 << 30), (wide)1 << 31);
  return h > INT32_MAX ? INT32_MAX : (int64_t)h;
}
static int64_t model_rdivp2(int64_t x, int32_t n) {
  return (int64_t)roundl(ldexpl((long double)x, -n));
}

static void test_products_and_quotients(void **unused) {
  (void)unused;
  uint64_t seed = 1;
  for (int i = 0; i < RANDOM_CASES; i++) {
    int32_t a = random_word(&seed), b = random_word(&seed), n = (int32_t)(next_random(&seed) % 32);
    assert_int_equal(qn_rdhm32(a, b), model_rdhm(a, b));
    assert_int_equal(qn_rdivp2(a, n), model_rdivp2(a, n));
    assert_int_equal(qn_half_sum32(a, b), (int64_t)roundl(((long double)a + (long double)b) / 2));
    assert_int_equal(qn_shl32(a, n), (int32_t)(uint32_t)((uint64_t)(int64_t)a << n));
    int16_t a16 = (int16_t)a, b16 = (int16_t)b;
    if (a16 != INT16_MIN || b16 != INT16_MIN)
      assert_int_equal(qn_rdhm16(a16, b16), (int64_t)floor_div((wide)a16 * b16 + 16384, 32768));
  }
  assert_int_equal(qn_rdhm32(INT32_MIN, INT32_MIN), INT32_MAX);
  assert_int_equal(qn_rdhm16(INT16_MIN, INT16_MIN), INT16_MAX);
  /* Ties are rounded up in the product, and away from zero in the quotient. */
  assert_int_equal(qn_rdhm32(1, 1 << 30), 1);
  assert_int_equal(qn_rdhm32(-1, 1 << 30), 0);
  assert_int_equal(qn_rdivp2(1, 1), 1);
  assert_int_equal(qn_rdivp2(-1, 1), -1);
}

static void test_requantization(void **unused) {
  (void)unused;
  uint64_t seed = 2;
  for (int i = 0; i < RANDOM_CASES; i++) {
    int32_t x = random_word(&seed);
    int32_t mantissa = (1 << 30) + (int32_t)(next_random(&seed) % (1u << 30));
    int32_t shift = (int32_t)(next_random(&seed) % 36) - 31;
    int32_t shifted = (int32_t)(uint32_t)((uint64_t)(int64_t)x << (shift > 0 ? shift : 0));
    int64_t high = model_rdhm(shifted, mantissa);
    assert_int_equal(qn_requant32(x, mantissa, shift), model_rdivp2(high, shift < 0 ? -shift : 0));
    if (shift <= 0) {
      wide single =
          floor_div((wide)x * mantissa + ((wide)1 << (30 - shift)), (wide)1 << (31 - shift));
      assert_int_equal(qn_requant32_once(x, mantissa, shift), (int64_t)single);
      wide reduced = mantissa < 0x7FFF0000 ? floor_div((wide)mantissa + 32768, 65536) : 0x7FFF;
      wide product = (wide)x * 1000 * reduced;
      wide wanted = floor_div(product + ((wide)1 << (14 - shift)), (wide)1 << (15 - shift));
      assert_int_equal(qn_requant64((int64_t)x * 1000, mantissa, shift), (int32_t)(int64_t)wanted);
    }
  }
}

static void test_requantization_vectors(void **unused) {
  (void)unused;
  static const struct {
    int32_t x, mantissa, shift, twice, single, wide;
  } rows[] = {
      {5, 1 << 30, -1, 2, 1, 1},
      {-5, 1 << 30, -1, -1, -1, -1},
      {3, 1 << 30, -1, 1, 1, 1},
      {1, 1 << 30, 0, 1, 1, 1},
      {-1, 1 << 30, 0, 0, 0, 0},
      {1000, 1518500250, -3, 88, 88, 88},
      {12345678, 1999999999, -11, 5614, 5614, 5614},
      {77, 1100000000, 4, 631, 631, 631},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assert_int_equal(qn_requant32(rows[i].x, rows[i].mantissa, rows[i].shift), rows[i].twice);
    assert_int_equal(qn_requant32_once(rows[i].x, rows[i].mantissa, rows[i].shift), rows[i].single);
    assert_int_equal(qn_requant64(rows[i].x, rows[i].mantissa, rows[i].shift), rows[i].wide);
  }
}

/* Multipliers beyond those of the original kernels saturate. */
static void test_requantization_far(void **unused) {
  (void)unused;
  static const int64_t xs[] = {0, 1, -1, 5, -77, 511, 1 << 20, -(1 << 25), INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++) {
    int32_t far = xs[i] > 0 ? INT32_MAX : xs[i] < 0 ? INT32_MIN : 0;
    assert_int_equal(qn_requant32((int32_t)xs[i], 1 << 30, 32), far);
    for (int32_t shift = 8; shift <= 32; shift++) {
      wide exact = (wide)xs[i] * 22222 * ((wide)1 << shift);
      exact = floor_div(exact + 16384, 32768);
      int32_t wanted = exact > INT32_MAX   ? INT32_MAX
                       : exact < INT32_MIN ? INT32_MIN
                                           : (int32_t)exact;
      assert_int_equal(qn_requant64(xs[i], 22222 << 16, shift), wanted);
    }
  }
  assert_int_equal(qn_requant64(INT64_MIN, 1 << 30, 8), INT32_MIN);
}

static void test_words(void **unused) {
  (void)unused;
  assert_int_equal(qn_sat_shl32(1 << 30, 1), INT32_MAX);
  assert_int_equal(qn_sat_shl32(-3, 31), INT32_MIN);
  assert_int_equal(qn_sat_shl32(-3, 2), -12);
  assert_int_equal(qn_wrap_add32(INT32_MAX, 1), INT32_MIN);
  assert_int_equal(qn_wrap_sub32(INT32_MIN, 1), INT32_MAX);
  assert_int_equal(qn_wrap_mul32(1 << 20, 1 << 12), 0);
  assert_int_equal(qn_sat16(40000), 32767);
  assert_int_equal(qn_clz32(0), 32);
  assert_int_equal(qn_clz32(1), 31);
  assert_int_equal(qn_clrsb32(0), 31);
  assert_int_equal(qn_clrsb32(-1), 31);
  assert_int_equal(qn_clrsb32(INT32_MIN), 0);
  assert_int_equal(qn_clrsb32(-256), 23);
}

static void test_rounding_of_reals(void **unused) {
  (void)unused;
  assert_int_equal(qn_round_away_i32(2.5), 3);
  assert_int_equal(qn_round_away_i32(-2.5), -3);
  assert_int_equal(qn_round_away_i32(0.49999999999999994), 0);
  assert_int_equal(qn_round_away_i32(1e30), INT32_MAX);
  assert_int_equal(qn_round_away_i32(-1e30), INT32_MIN);
  assert_int_equal(qn_round_away_i32((double)NAN), INT32_MIN);
  static const struct {
    float x;
    int stored[4]; /* by rounding, with scale 0.5 and zero point 3 */
  } rows[] = {{0.25F, {3, 4, 3, 3}},     {-0.25F, {3, 2, 3, 2}}, {0.75F, {5, 5, 4, 4}},
              {-1.25F, {1, 0, 1, 0}},    {NAN, {3, 3, 3, 3}},    {INFINITY, {127, 127, 127, 127}},
              {-3e38F, {-9, -9, -9, -9}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int r = QN_ROUND_EVEN; r <= QN_ROUND_FLOOR; r++)
      assert_int_equal(qn_quantize_f32(rows[i].x, 0.5F, (qn_rounding)r, 3, -9, 127),
                       rows[i].stored[r]);
  assert_int_equal(qn_quantize(0x1p31 + 0.5, QN_ROUND_EVEN, 1, 0, UINT32_MAX), 0x80000001);
  assert_true(qn_dequantize(-3, 0.5, 1) == -2.0);
  assert_int_equal(qn_requant_real(-5, 0.5), -3);
}

/* Compared with the exact product, which a double can hold, and with sums of floats. */
static void test_single(void **unused) {
  (void)unused;
  static const float offsets[] = {0, -3, 0.5F, 17.3F, -127.9F};
  uint32_t state = 9;
  for (int i = 0; i < 200000; i++) {
    state = state * 1664525 + 1013904223;
    int32_t x = (int32_t)state >> (state >> 8) % 31, shift = (int32_t)(state >> 20) % 24 - 20;
    int32_t mantissa =
        (int32_t)(1 << 30 | (state & 0x3FFFFF) << 8); /* 23 bits, then zeros: exact as float */
    float offset = offsets[i % 5];
    double product = (double)(float)((double)(float)x * ldexp(mantissa, shift - 31));
    double sum = rint((double)(float)(product + (double)offset));
    double expected = fmin(fmax(sum, (double)INT32_MIN), (double)INT32_MAX);
    assert_int_equal(qn_requant_single(x, mantissa, shift, offset), (int32_t)expected);
  }
  assert_int_equal(qn_requant_single(5, 1 << 30, 0, 0), 2); /* 2.5 is a tie, rounded to even */
  assert_int_equal(qn_requant_single(7, 1 << 30, 0, 0), 4);
  assert_int_equal(qn_requant_single(INT32_MAX, 1 << 30, 9, 0), INT32_MAX);
  assert_int_equal(qn_requant_single(INT32_MIN, 1 << 30, 9, 0), INT32_MIN);
}

/* Half of an odd number is a tie in the second rounding. */
static void test_ties_up(void **unused) {
  (void)unused;
  assert_int_equal(qn_requant32(-13, INT32_MAX, -1), -7);
  assert_int_equal(qn_requant32_up(-13, INT32_MAX, -1), -6);
  assert_int_equal(qn_requant32_up(13, INT32_MAX, -1), 7);
  for (int32_t x = -1000; x < 1000; x++) {
    int32_t high = qn_rdhm32(x, 1518500250), up = qn_requant32_up(x, 1518500250, -3);
    assert_int_equal(up, (int32_t)floor((double)high / 8 + 0.5));
    assert_int_equal(qn_requant32_up(x, 1518500250, 2), qn_requant32(x, 1518500250, 2));
  }
}

static void test_averages(void **unused) {
  (void)unused;
  for (int32_t count = 1; count < 40; count++)
    for (int32_t sum = -400; sum < 400; sum++) {
      long double exact = (long double)sum / count;
      assert_int_equal(qn_average_half_away(sum, count), (int64_t)roundl(exact));
      if (sum >= 0) assert_int_equal(qn_average_half_up(sum, count), (int64_t)floorl(exact + 0.5L));
    }
}

typedef struct vector {
  int32_t x, y;
} vector;

static void test_function_vectors(void **unused) {
  (void)unused;
  static const vector exps[] = {
      {-1, 2147483124},   {-1000, 2147451157}, {-67108864, 790015308}, {-134217728, 290630390},
      {-1000000000, 725}, {-2147483647, 0},    {0, INT32_MAX}};
  for (size_t i = 0; i < sizeof exps / sizeof exps[0]; i++)
    assert_int_equal(qn_fixed_exp(exps[i].x, 5), exps[i].y);
  static const vector recips[] = {
      {0, 2147483647}, {1, 2147483647}, {1 << 30, 1431655762}, {INT32_MAX, 1073741820}};
  for (size_t i = 0; i < sizeof recips / sizeof recips[0]; i++)
    assert_int_equal(qn_fixed_recip_1p(recips[i].x), recips[i].y);
  static const vector logistics[] = {{-2000000000, 723},      {-134217728, 577547421},
                                     {-1, 1073741699},        {1, 1073741948},
                                     {134217728, 1569936226}, {2000000000, 2147482924}};
  for (size_t i = 0; i < sizeof logistics / sizeof logistics[0]; i++)
    assert_int_equal(qn_fixed_logistic(logistics[i].x, 4), logistics[i].y);
  static const vector tanhs[] = {
      {-134217728, -1635510876}, {-1, -260}, {1, 260}, {134217728, 1635510876}, {0, 0}};
  for (size_t i = 0; i < sizeof tanhs / sizeof tanhs[0]; i++)
    assert_int_equal(qn_fixed_tanh(tanhs[i].x, 4), tanhs[i].y);
  static const vector logs[] = {{524288, 0},
                                {524289, 128},
                                {1000000, 43333142},
                                {50000000, 305864562},
                                {2000000000, 553421070}};
  for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
    assert_int_equal(qn_fixed_log(logs[i].x, 12, 5), logs[i].y);
}

static void test_reciprocal_vectors(void **unused) {
  (void)unused;
  static const struct {
    int32_t x, value, exponent;
  } recips[] = {{3, 1431655762, -18},
                {524288, 2147483647, 0},
                {600000, 1876499846, 0},
                {7654321, 1176746994, 3}};
  for (size_t i = 0; i < sizeof recips / sizeof recips[0]; i++) {
    qn_fixed_recip r = qn_fixed_recip_of((uint32_t)recips[i].x, 12);
    assert_int_equal(r.value, recips[i].value);
    assert_int_equal(r.exponent, recips[i].exponent);
  }
  static const struct {
    int32_t x, value, exponent;
  } roots[] = {{0, INT32_MAX, 0},       {1, INT32_MAX, 0},       {2, 1518498372, 0},
               {3, 1239850284, 0},      {100, 214748363, 0},     {16384, 268435457, 4},
               {1000000, 274877901, 7}, {1 << 30, 268435457, 12}};
  for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
    qn_fixed_recip r = qn_fixed_inv_sqrt(roots[i].x);
    assert_int_equal(r.value, roots[i].value);
    assert_int_equal(r.exponent, roots[i].exponent);
  }
}

/* Errors of the functions are a few parts in 10^6. */
static void test_functions_are_accurate(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int i = 0; i < RANDOM_CASES / 4; i++) {
    int32_t word = random_word(&seed);
    double x = ldexp((double)word, -27); /* Q4 */
    assert_true(fabs(ldexp(qn_fixed_logistic(word, 4), -31) - 1 / (1 + exp(-x))) < 2e-6);
    assert_true(fabs(ldexp(qn_fixed_tanh(word, 4), -31) - tanh(x)) < 4e-6);
    int32_t negative = word > 0 ? -word : word;
    assert_true(fabs(ldexp(qn_fixed_exp(negative, 5), -31) - exp(ldexp(negative, -26))) < 2e-6);
    int32_t fraction = word & INT32_MAX;
    double a = ldexp(fraction, -31);
    assert_true(fabs(ldexp(qn_fixed_recip_1p(fraction), -31) - 1 / (1 + a)) < 1e-7);
    assert_true(fabs(ldexp(qn_fixed_ratio_1p(fraction), -31) - (1 - a) / (1 + a)) < 1e-7);
    if (fraction == 0) continue;
    qn_fixed_recip root = qn_fixed_inv_sqrt(fraction);
    assert_true(fabs(ldexp(root.value, -31 - root.exponent) * sqrt(fraction) - 1) < 2e-5);
  }
}

static void test_softmax(void **unused) {
  (void)unused;
  /* beta * scale = 1/16: multiplier 2^22 = mantissa 2^30 with shift 23. */
  assert_int_equal(qn_softmax_exp(0, 1 << 30, 23), INT32_MAX);
  assert_true(fabs(ldexp(qn_softmax_exp(-16, 1 << 30, 23), -31) - exp(-1)) < 1e-6);
  /* n equal elements have 256 / n steps each. */
  for (uint32_t n = 1; n <= 8191; n++) {
    uint32_t sum = n * qn_softmax_term(INT32_MAX);
    int32_t y = qn_softmax_scale(INT32_MAX, qn_fixed_recip_of(sum, 12), 8);
    long wanted = lround(256.0 / n);
    if (qn_fixed_recip_of(sum, 12).exponent + 23 <= 31)
      assert_in_range(y - wanted + 1, 0, 2);
    else
      assert_int_equal(y, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products_and_quotients),
      cmocka_unit_test(test_requantization),
      cmocka_unit_test(test_requantization_vectors),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_requantization_far),
      cmocka_unit_test(test_rounding_of_reals),
      cmocka_unit_test(test_single),
      cmocka_unit_test(test_ties_up),
      cmocka_unit_test(test_averages),
      cmocka_unit_test(test_function_vectors),
      cmocka_unit_test(test_reciprocal_vectors),
      cmocka_unit_test(test_functions_are_accurate),
      cmocka_unit_test(test_softmax),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

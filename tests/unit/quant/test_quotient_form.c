/* Quantization by a reciprocal: results equal those of the division around all thresholds, at
 * random floats, and at the ends of the floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "quant/quotient_form.h"

static const int32_t LO = -135, HI = 120;

/* Numerical Recipes' generator of 64 bits; the upper 32 are used. */
static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (uint32_t)(*state >> 32);
}

/* clamp(round(x / scale)), by the definition of both roundings. */
static int32_t divided(float x, float scale, qn_rounding rounding) {
  double q = (double)(x / scale);
  if (q < LO) return LO;
  if (q > HI) return HI;
  double low = floor(q), rest = q - low;
  bool even = fmod(low, 2) == 0, up = rest > 0.5;
  if (rest == 0.5) up = rounding == QN_ROUND_AWAY ? q > 0 : !even;
  double y = up ? low + 1 : low;
  return y < LO ? LO : y > HI ? HI : (int32_t)y;
}

static void check_at(const qn_quotient_form *form, float x, float scale, qn_rounding rounding) {
  assert_int_equal(qn_quotient_form_apply(form, x, rounding), divided(x, scale, rounding));
}

static void check_scale(uint64_t *r, float scale, qn_rounding rounding) {
  enum { CLOSE = 12, RANDOM = 2000 };
  const float ends[] = {0, -0.0F, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, FLT_MIN, FLT_TRUE_MIN};
  const qn_quotient_form form = qn_quotient_form_find(scale, LO, HI, rounding);
  assert_true(form.proved);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) check_at(&form, ends[i], scale, rounding);
  for (int32_t k = LO - 2; k <= HI + 2; k++) {
    float x = (float)((k + 0.5) * (double)scale);
    for (int i = 0; i < CLOSE; i++) x = nextafterf(x, -INFINITY);
    for (int i = 0; i < 2 * CLOSE; i++, x = nextafterf(x, INFINITY))
      check_at(&form, x, scale, rounding);
  }
  for (int i = 0; i < RANDOM; i++) {
    uint32_t bits = next_random(r);
    float x;
    memcpy(&x, &bits, sizeof x);
    if (!isnan(x)) check_at(&form, x, scale, rounding);
  }
}

static void test_equals_the_division(void **state) {
  (void)state;
  enum { SCALES = 300 };
  static const float round[] = {1.0F,     0.5F,           0x1p-7F,       0.1F, 0.05F,
                                0.0235F,  1 / 255.0F,     2 / 255.0F,    3.0F, 0x1p59F,
                                0x1p-59F, 0x1.fffffep-8F, 0x1.000002p-8F};
  uint64_t r = 7;
  for (size_t i = 0; i < sizeof round / sizeof *round; i++) {
    check_scale(&r, round[i], QN_ROUND_AWAY);
    check_scale(&r, round[i], QN_ROUND_EVEN);
  }
  for (int i = 0; i < SCALES; i++) {
    float part = (float)(next_random(&r) % (1 << 23)) * 0x1p-23F;
    float scale = ldexpf(1 + part, -(int)(next_random(&r) % 24));
    check_scale(&r, scale, i % 2 ? QN_ROUND_EVEN : QN_ROUND_AWAY);
  }
}

static void test_proves_sixteen_bits(void **state) {
  (void)state;
  assert_true(qn_quotient_form_find(0.0003F, INT16_MIN, INT16_MAX, QN_ROUND_AWAY).proved);
  assert_true(qn_quotient_form_find(0.0003F, 0, UINT16_MAX, QN_ROUND_EVEN).proved);
}

static void test_proves_no_extreme_scales(void **state) {
  (void)state;
  const float scales[] = {0, -1, NAN, INFINITY, FLT_TRUE_MIN, FLT_MIN, FLT_MAX, 0x1p61F};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
    assert_false(qn_quotient_form_find(scales[i], -128, 127, QN_ROUND_EVEN).proved);
  assert_false(qn_quotient_form_find(1, INT32_MIN, INT32_MAX, QN_ROUND_EVEN).proved);
  assert_false(qn_quotient_form_find(1, 1, 0, QN_ROUND_EVEN).proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_the_division),
                                     cmocka_unit_test(test_proves_sixteen_bits),
                                     cmocka_unit_test(test_proves_no_extreme_scales)};
  return cmocka_run_group_tests_name("quotient_form", tests, NULL, NULL);
}

/* The interpreter: float types that are narrower or wider than those of the host.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text_function.h"

static void narrow_floats_round_once(void **state) {
  fixture *f = *state;
  load(
      f,
      "func.func @main(%a: tensor<?xf16>, %b: tensor<?xf16>, %c: tensor<?xf16>) -> (tensor<?xf16>, "
      "tensor<?xf16>) {\n"
      "  %0 = arith.addf %a, %b : tensor<?xf16>\n  %1 = math.fma %a, %b, %c : tensor<?xf16>\n"
      "  return %0, %1 : tensor<?xf16>, tensor<?xf16>\n}\n");
  /* 2048 + 1 is a tie and is rounded to even; 2048 + 3 is rounded up; 65504 + 65504 is infinite;
   * denormals are added exactly. */
  DATA(f, "tensor<4xf16>", uint16_t, 0x6800, 0x6800, 0x7bff, 0x0001);
  DATA(f, "tensor<4xf16>", uint16_t, 0x3c00, 0x4200, 0x7bff, 0x0001);
  /* 2048 * 1 + 2^-24; 2048 * 3 + 0; 65504^2 - inf; denormal^2 + denormal. */
  DATA(f, "tensor<4xf16>", uint16_t, 0x0001, 0x0000, 0xfc00, 0x0001);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, uint16_t, 0x6800, 0x6802, 0x7c00, 0x0002);
  EXPECT(f, 1, uint16_t, 0x6800, 0x6e00, 0xfc00, 0x0001);
}

/* An integer next to the midpoint of two bf16 values, which conversion to f64 would move onto the
 * midpoint. */
static void narrow_conversions_round_once(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<?xi64>, %x: f64) -> (tensor<?xbf16>, bf16, f32) {\n"
          "  %0 = arith.sitofp %a : tensor<?xi64> to tensor<?xbf16>\n"
          "  %1 = arith.truncf %x : f64 to bf16\n  %2 = arith.extf %1 : bf16 to f32\n"
          "  return %0, %1, %2 : tensor<?xbf16>, bf16, f32\n}\n");
  /* 2^62 + 2^54 is a tie. 2^62 + 2^54 + 1 is rounded up, its negative down. */
  int64_t tie = (INT64_C(1) << 62) + (INT64_C(1) << 54);
  DATA(f, "tensor<4xi64>", int64_t, tie, tie + 1, -tie - 1, -1);
  add_arg(f, "f64")->f = 1.00390626;
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, uint16_t, 0x5e80, 0x5e81, 0xde81, 0xbf80);
  assert_true(f->results[1].f == 1.0078125);
  assert_true(f->results[2].f == 1.0078125);
}

/* Moving a signalling NaN keeps its bits. Converting it between f32 and f64 makes it quiet, as
 * processors do. */
static void conversions_quiet_nan(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xf64>, tensor<?xi32>) {\n"
          "  %0 = arith.bitcast %a : tensor<?xi32> to tensor<?xf32>\n"
          "  %1 = arith.extf %0 : tensor<?xf32> to tensor<?xf64>\n"
          "  %2 = arith.bitcast %0 : tensor<?xf32> to tensor<?xi32>\n"
          "  return %0, %1, %2 : tensor<?xf32>, tensor<?xf64>, tensor<?xi32>\n}\n");
  DATA(f, "tensor<2xi32>", uint32_t, 0xff92d201, 0x7fc00000);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, uint32_t, 0xff92d201, 0x7fc00000);
  EXPECT(f, 1, uint64_t, 0xfffa5a4020000000, 0x7ff8000000000000);
  EXPECT(f, 2, uint32_t, 0xff92d201, 0x7fc00000);
}

/* f80 and f128 are stored as doubles, in elements of 16 bytes. */
static void wide_floats_are_moved(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%x: f80, %i: index) -> (tensor<?xf80>, f80) {\n"
          "  %0 = tensor.splat %x[%i] : tensor<?xf80>\n"
          "  %1 = tensor.from_elements %x : tensor<1xf80>\n"
          "  %c0 = arith.constant 0 : index\n"
          "  %2 = tensor.extract %1[%c0] : tensor<1xf80>\n"
          "  return %0, %2 : tensor<?xf80>, f80\n}\n");
  add_arg(f, "f80")->f = 1.5;
  add_int(f, "index", 2);
  assert_int_equal(run(f), QN_OK);
  assert_true(qn_rt_float(&f->results[0], 1) == 1.5);
  assert_true(f->results[1].f == 1.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(narrow_floats_round_once),
      TEST(narrow_conversions_round_once),
      TEST(conversions_quiet_nan),
      TEST(wide_floats_are_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Operators on bits and on angles: types, shapes and elements that are rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

enum { BITCAST = 159, ATAN2 = 156, FLOAT16 = 1, FLOAT64 = 10 };

/* A model of one operator with one operand or, if `by` is not NULL, two. */
static qn_tfb *model(int32_t code, qn_tfb_tensor x, const qn_tfb_tensor *by, qn_tfb_tensor y) {
  qn_tfb *b = qn_tfb_create();
  x.name = "x", y.name = "y";
  int32_t in = qn_tfb_any(b, &x), second = by ? qn_tfb_any(b, by) : -1, out = qn_tfb_any(b, &y);
  int32_t inputs[] = {in, second};
  qn_tfb_list list = {by ? 2u : 1u, inputs};
  qn_tfb_op(b, code, 1, list, QN_TFB_LIST(out), qn_tfb_no_options());
  if (x.size)
    qn_tfb_interface(b, (qn_tfb_list){0, inputs}, QN_TFB_LIST(out));
  else
    qn_tfb_interface(b, list, QN_TFB_LIST(out));
  return b;
}

static void test_bitcast(void **state) {
  (void)state;
  static const uint16_t half[] = {0x3c00, 0x4000};
  const qn_tfb_tensor bytes = {.type = QN_TFB_INT8, .shape = QN_TFB_SHAPE(2, 4)},
                      floats = {.type = QN_TFB_FLOAT32, .shape = QN_TFB_SHAPE(2)},
                      three = {.type = QN_TFB_INT8, .shape = QN_TFB_SHAPE(2, 3)},
                      one = {.type = QN_TFB_INT8, .shape = {0}},
                      wide = {.type = FLOAT64, .shape = QN_TFB_SHAPE(1)},
                      none = {.type = QN_TFB_INT8, .shape = QN_TFB_SHAPE(0, 4)},
                      none_wide = {.type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(0)},
                      halves = {.type = FLOAT16,
                                .shape = QN_TFB_SHAPE(2),
                                .data = half,
                                .size = sizeof half};
  expect_import(model(BITCAST, bytes, NULL, floats), QN_OK, NULL);
  expect_import(model(BITCAST, floats, NULL, bytes), QN_OK, NULL);
  expect_import(model(BITCAST, none, NULL, none_wide), QN_OK, NULL);
  expect_import(model(BITCAST, none_wide, NULL, none), QN_OK, NULL);
  expect_import(model(BITCAST, three, NULL, floats), QN_INVALID,
                "operator 0 (BITCAST), tensor 'x': error: 32 bits are not made of its last "
                "dimension of 8-bit elements");
  expect_import(model(BITCAST, one, NULL, floats), QN_INVALID, "32 bits are not made of its last");
  expect_import(model(BITCAST, floats, NULL, wide), QN_UNSUPPORTED,
                "operator 0 (BITCAST), tensor 'y': error: float64 is not supported here");
  /* a float16 constant would be unpacked to f32 */
  expect_import(model(BITCAST, halves, NULL, bytes), QN_UNSUPPORTED,
                "operator 0 (BITCAST), tensor 'x': error: float16 is not supported here");
}

static void test_atan2(void **state) {
  (void)state;
  const qn_tfb_tensor y = {.type = QN_TFB_FLOAT32, .shape = QN_TFB_SHAPE(2, 3)},
                      row = {.name = "r", .type = QN_TFB_FLOAT32, .shape = QN_TFB_SHAPE(3)},
                      whole = {.type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(2, 3)};
  expect_import(model(ATAN2, y, &row, y), QN_UNSUPPORTED,
                "operator 0 (ATAN2), tensor 'r': error: it has shape [3], the first operand "
                "[2, 3]");
  expect_import(model(ATAN2, whole, &row, y), QN_UNSUPPORTED, "it is int32 where float32 is");
}

static void test_unsigned(void **state) {
  (void)state;
  enum { BITWISE_XOR = 160, RIGHT_SHIFT = 161, UINT16 = 16, UINT32 = 15, UINT64 = 12 };
  const qn_tfb_tensor narrow = {.name = "n", .type = UINT16, .shape = QN_TFB_SHAPE(2, 3)},
                      row = {.name = "r", .type = UINT16, .shape = QN_TFB_SHAPE(3)},
                      wide = {.name = "w", .type = UINT32, .shape = QN_TFB_SHAPE(2, 3)},
                      widest = {.name = "v", .type = UINT64, .shape = QN_TFB_SHAPE(2, 3)};
  expect_import(model(BITWISE_XOR, narrow, &row, narrow), QN_OK, NULL);
  expect_import(model(RIGHT_SHIFT, narrow, &row, narrow), QN_OK, NULL);
  expect_import(model(RIGHT_SHIFT, wide, &wide, wide), QN_OK, NULL);
  expect_import(model(RIGHT_SHIFT, wide, &row, wide), QN_UNSUPPORTED,
                "tensor 'r': error: uint16 is not supported here beside uint32");
  expect_import(model(BITWISE_XOR, wide, &wide, narrow), QN_UNSUPPORTED,
                "tensor 'y': error: it is uint16 where uint32 is expected");
  expect_import(model(RIGHT_SHIFT, widest, &widest, widest), QN_UNSUPPORTED,
                "uint64 is not supported here");
  expect_import(model(QN_TFB_RELU, narrow, NULL, narrow), QN_UNSUPPORTED,
                "uint16 is not supported here"); /* no other operator supports uint16 */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bitcast), cmocka_unit_test(test_atan2),
                                     cmocka_unit_test(test_unsigned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

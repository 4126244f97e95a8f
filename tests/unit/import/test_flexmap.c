/* Options of custom operators: numbers of every encoding, and damaged bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/flexmap.h"

#include "tests/unit/import/import_test.h"

/* {"a": -300, "b": [3, -4, 5], "c": 2.5, "d": true, "e": "text", "f": [1, 2.5]} as the FlexBuffers
 * library writes it. */
static const uint8_t numbers[] = {
    97,  0,   98, 0,   3,   3,   252, 5,   4,  4,  4,  99,  0,  100, 0,  101, 0, 4, 116, 101,
    120, 116, 0,  102, 0,   0,   0,   0,   2,  0,  0,  0,   1,  0,   0,  0,   0, 0, 32,  64,
    6,   14,  6,  43,  42,  34,  33,  32,  25, 0,  0,  0,   9,  0,   0,  0,   1, 0, 0,   0,
    6,   0,   0,  0,   212, 254, 255, 255, 63, 0,  0,  0,   0,  0,   32, 64,  1, 0, 0,   0,
    62,  0,   0,  0,   52,  0,   0,   0,   6,  40, 14, 106, 20, 42,  30, 38,  1};

static void test_numbers(void **state) {
  (void)state;
  qn_flexmap map;
  int64_t value, values[3];
  uint64_t count;
  double real;
  assert_true(qn_flexmap_open((qn_bytes){numbers, sizeof numbers}, &map));
  assert_true(qn_flexmap_int(&map, "a", &value) && value == -300);
  assert_true(qn_flexmap_ints(&map, "b", 3, values, &count) && count == 3);
  assert_true(values[0] == 3 && values[1] == -4 && values[2] == 5);
  assert_true(qn_flexmap_real(&map, "c", &real) && real == 2.5);
  assert_true(qn_flexmap_int(&map, "c", &value) && value == 2);
  assert_true(qn_flexmap_int(&map, "d", &value) && value == 1);
  assert_true(qn_flexmap_has(&map, "e") && !qn_flexmap_int(&map, "e", &value));
  assert_true(qn_flexmap_ints(&map, "f", 3, values, &count) && count == 2 && values[1] == 2);
  assert_false(qn_flexmap_ints(&map, "b", 2, values, &count));
  assert_false(qn_flexmap_has(&map, "g") || qn_flexmap_has(&map, ""));
}

static void look_at(const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size + 1); /* so that a sanitizer detects reads beyond the end */
  memcpy(copy, bytes, size);
  qn_flexmap map;
  int64_t value, values[3];
  uint64_t count;
  double real;
  if (qn_flexmap_open((qn_bytes){copy, size}, &map)) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "none"};
    for (size_t i = 0; i < QN_COUNT(names); i++) {
      (void)qn_flexmap_int(&map, names[i], &value);
      (void)qn_flexmap_real(&map, names[i], &real);
      (void)qn_flexmap_ints(&map, names[i], 3, values, &count);
    }
  }
  free(copy);
}

/* Every byte with every value, and every truncation. */
static void test_damage(void **state) {
  (void)state;
  uint8_t bytes[sizeof numbers];
  for (size_t size = 0; size <= sizeof numbers; size++) look_at(numbers, size);
  for (size_t i = 0; i < sizeof numbers; i++)
    for (int value = 0; value < 256; value++) {
      memcpy(bytes, numbers, sizeof bytes);
      bytes[i] = (uint8_t)value;
      look_at(bytes, sizeof bytes);
    }
}

/* ---- TFLite_Detection_PostProcess ---- */

/* Imports the sample model (2 classes, 3 detections) with these options. */
static void detect(const uint8_t *options, uint32_t size, qn_status status, const char *message) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 5, 4)),
          s = qn_tfb_f32(b, "s", QN_TFB_SHAPE(1, 5, 2)), a = qn_tfb_f32(b, "a", QN_TFB_SHAPE(5, 4)),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 3, 4)), c = qn_tfb_f32(b, "c", QN_TFB_SHAPE(1, 3)),
          v = qn_tfb_f32(b, "v", QN_TFB_SHAPE(1, 3)), n = qn_tfb_f32(b, "n", QN_TFB_SHAPE(1));
  qn_tfb_op(b, QN_TFB_CUSTOM, 1, QN_TFB_LIST(x, s, a), QN_TFB_LIST(y, c, v, n),
            qn_tfb_no_options());
  qn_tfb_custom_name(b, "TFLite_Detection_PostProcess");
  qn_tfb_custom_options(b, options, size);
  qn_tfb_interface(b, QN_TFB_LIST(x, s, a), QN_TFB_LIST(y, c, v, n));
  expect_import(b, status, message);
}

static void test_detections(void **state) {
  (void)state;
  detect(NULL, 0, QN_INVALID, "its options are no map");
  detect(numbers, sizeof numbers, QN_INVALID, "its option y_scale is missing, or no number");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_damage),
                                     cmocka_unit_test(test_detections)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every field of a profile has an effect: a copy of a profile with another value in one field gives
 * another result. A field that nothing reads, or that no module here depends on, fails the test.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/profile_fields.h"
#include "tests/unit/import/profile_texts.h"

/* ---- models ---- */

static const float SCALE = 0.0371f;
static const uint8_t BYTES[64] = {17, 230, 3, 99, 128, 54, 201, 7};

/* QUANTIZE of floats to int16. */
static void words(qn_tfb *b) {
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 19));
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT16, QN_TFB_SHAPE(1, 19), 0.00071f, 0);
  qn_tfb_op(b, QN_TFB_QUANTIZE, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* DEQUANTIZE of int8. */
static void reals(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 64), SCALE, 77);
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 64));
  qn_tfb_op(b, QN_TFB_DEQUANTIZE, 2, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void depthwise_u8(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_UINT8, QN_TFB_SHAPE(1, 4, 4, 8), 0.0123f, 131);
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_UINT8, QN_TFB_SHAPE(1, 2, 2, 8), BYTES, &SCALE, 1, 120, 3);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_UINT8, QN_TFB_SHAPE(1, 4, 4, 8), 0.0517f, 111);
  qn_tfb_op(b, QN_TFB_DEPTHWISE_CONV_2D, 3, QN_TFB_LIST(x, w, -1), QN_TFB_LIST(y),
            qn_tfb_depthwise_options(QN_TFB_SAME, 1, 1, 1, QN_TFB_NONE, 1, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* ADD of more elements than a group of vectors, with a remainder. */
static void sums(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 35), 0.0123f, 3);
  int32_t z = qn_tfb_q8(b, "z", QN_TFB_INT8, QN_TFB_SHAPE(1, 35), SCALE, -7);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 35), 0.0517f, 11);
  qn_tfb_op(b, QN_TFB_ADD, 2, QN_TFB_LIST(x, z), QN_TFB_LIST(y),
            qn_tfb_binary_options(QN_TFB_ADD, QN_TFB_NONE));
  qn_tfb_interface(b, QN_TFB_LIST(x, z), QN_TFB_LIST(y));
}

static void sums16(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT16, QN_TFB_SHAPE(1, 35), 0.0123f, 0);
  int32_t z = qn_tfb_q8(b, "z", QN_TFB_INT16, QN_TFB_SHAPE(1, 35), SCALE, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT16, QN_TFB_SHAPE(1, 35), 0.0517f, 0);
  qn_tfb_op(b, QN_TFB_ADD, 2, QN_TFB_LIST(x, z), QN_TFB_LIST(y),
            qn_tfb_binary_options(QN_TFB_ADD, QN_TFB_NONE));
  qn_tfb_interface(b, QN_TFB_LIST(x, z), QN_TFB_LIST(y));
}

static void clamped(qn_tfb *b) {
  const qn_tfb_tensor in = {.name = "x", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(1, 6)};
  int32_t x = qn_tfb_any(b, &in), y = qn_tfb_any(b, &in);
  qn_tfb_op(b, QN_TFB_ADD, 1, QN_TFB_LIST(x, x), QN_TFB_LIST(y),
            qn_tfb_binary_options(QN_TFB_ADD, QN_TFB_ACT_RELU));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* One scale, with quantized_dimension 1. */
static void dimension(qn_tfb *b) {
  const int64_t zero_point = 120;
  const qn_tfb_tensor in = {.name = "x",
                            .type = QN_TFB_UINT8,
                            .shape = QN_TFB_SHAPE(1, 6),
                            .scales = &SCALE,
                            .scale_count = 1,
                            .zero_points = &zero_point,
                            .zero_point_count = 1,
                            .quantized_dimension = 1};
  int32_t x = qn_tfb_any(b, &in), y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 6));
  qn_tfb_op(b, QN_TFB_DEQUANTIZE, 2, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void weights_u8(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 8), 0.0123f, 3);
  int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_UINT8, QN_TFB_SHAPE(3, 8), BYTES, &SCALE, 1, 0, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.0517f, 11);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(x, w, -1), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void shifted_weights(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 2), 0.0123f, 3);
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(4, 2, 2, 2), BYTES, &SCALE, 1, 5, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 3, 3, 4), 0.0517f, 11);
  qn_tfb_op(b, QN_TFB_CONV_2D, 3, QN_TFB_LIST(x, w, -1), QN_TFB_LIST(y),
            qn_tfb_conv_options(QN_TFB_VALID, 1, 1, QN_TFB_NONE, 1, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static const struct {
  const char *name;
  void (*build)(qn_tfb *b);
} models[] = {
    {"words", words},         {"reals", reals},           {"depthwise_u8", depthwise_u8},
    {"sums", sums},           {"sums16", sums16},         {"clamped", clamped},
    {"dimension", dimension}, {"weights_u8", weights_u8}, {"shifted_weights", shifted_weights}};

/* ---- the module of a row ---- */

static void sample(const char *name, qn_text *out) {
  for (uint32_t i = 0; i < qn_tflite_sample_count; i++)
    if (strcmp(qn_tflite_samples[i].name, name) == 0) {
      run_model(qn_tflite_samples[i].build, out);
      return;
    }
  fail_msg("there is no sample '%s'", name);
}

static void model(const char *name, qn_text *out) {
  for (size_t i = 0; i < QN_COUNT(models); i++)
    if (strcmp(models[i].name, name) == 0) {
      run_model(models[i].build, out);
      return;
    }
  fail_msg("there is no model '%s'", name);
}

static void text(const char *name, qn_text *out) {
  for (size_t i = 0; i < QN_COUNT(profile_texts); i++)
    if (strcmp(profile_texts[i].name, name) == 0) {
      run_text(qn_str_of(profile_texts[i].text), out);
      return;
    }
  fail_msg("there is no text '%s'", name);
}

static void golden(const char *name, qn_text *out) {
  qn_text path = {0};
  qn_text_format(&path, "%s/golden/%s", QN_TEST_SOURCES, name);
  qn_file *file;
  const char *reason;
  if (qn_file_open(path.data, &file, &reason) != QN_OK) fail_msg("%s: %s", path.data, reason);
  qn_bytes bytes = qn_file_bytes(file);
  run_text((qn_str){(const char *)bytes.data, bytes.size}, out);
  qn_file_release(file);
  qn_text_deinit(&path);
}

/* ---- the rows ---- */

#define FIELD(name, base, value, where, what)                                                      \
  static void change_##name(qn_profile *p) { p->name = value; }
#include "tests/unit/import/profile_fields.def"
#undef FIELD

static const struct {
  const char *field;
  const qn_profile *base;
  void (*change)(qn_profile *p);
  void (*run)(const char *what, qn_text *out);
  const char *what;
} rows[] = {
#define FIELD(name, base, value, where, what)                                                      \
  {#name, &qn_profile_##base, change_##name, where, what},
#include "tests/unit/import/profile_fields.def"
#undef FIELD
};

static void every_field_decides_something(void **state) {
  (void)state;
  int failed = 0;
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    qn_text before = {0}, after = {0};
    changed = *rows[i].base;
    rows[i].run(rows[i].what, &before);
    rows[i].change(&changed);
    assert_int_not_equal(memcmp(&changed, rows[i].base, sizeof changed), 0);
    rows[i].run(rows[i].what, &after);
    if (before.size == after.size && memcmp(before.data, after.data, before.size) == 0) {
      print_error("'%s' does not change '%s':\n%s\n", rows[i].field, rows[i].what, before.data);
      failed++;
    }
    qn_text_deinit(&before);
    qn_text_deinit(&after);
  }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_field_decides_something)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

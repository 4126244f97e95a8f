/* Damaged files: every truncation, and flipped bits of every byte, of the sample models and of two
 * real files if the shared models are available. It takes some seconds; argument "all": every bit
 * of every sample. Nothing may crash (sanitizers check it, too), the status must be a documented
 * one, and what is imported must be valid.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

#include <string.h>

#include "import/tflite/flatbuffer.h"
#include "tests/support/tflite_samples.h"

/* Imports and discards the module; messages are only counted. */
static void count_message(void *user, const qn_diag *diag) {
  assert_true(diag->loc && diag->text.size > 0);
  ++*(uint32_t *)user;
}

static qn_status check_import(qn_bytes bytes, bool keep_unsupported) {
  qn_ir_context cx;
  uint32_t messages = 0;
  qn_ir_context_init(&cx);
  cx.allow_unregistered = keep_unsupported;
  cx.diag.handler = count_message;
  cx.diag.user = &messages;
  qn_file *file = qn_file_from_memory(bytes, false);
  qn_import_options options = {.path = qn_str_of("m.tflite"), .keep_unsupported = keep_unsupported};
  qn_module *module = NULL;
  qn_status status = qn_import_tflite(&cx, file, &options, &module);
  assert_true(status == QN_OK || status == QN_INVALID || status == QN_UNSUPPORTED ||
              status == QN_LIMIT);
  assert_true((status == QN_OK) == (module != NULL));
  assert_true(status == QN_OK || messages > 0);
  if (module) assert_int_equal(qn_verify(module), QN_OK);
  if (module && !keep_unsupported) assert_int_equal(qn_verify_stage(module, QN_STAGE_MODEL), QN_OK);
  qn_module_destroy(module);
  qn_file_release(file);
  qn_ir_context_deinit(&cx);
  return status;
}

/* A model that is not supported can be imported with keep_unsupported. */
static void check_bytes(qn_bytes bytes) {
  if (check_import(bytes, false) == QN_UNSUPPORTED) check_import(bytes, true);
}

/* Each case is in a buffer of its exact size, so that sanitizers detect reads beyond it. */
static void check_truncations(qn_bytes good) {
  for (size_t size = 0; size < good.size; size++) {
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, good.data, size);
    check_bytes((qn_bytes){copy, size});
    free(copy);
  }
}

/* Flip every bit of every sample. Default: for each byte, one bit, and all bits at once. */
static bool all_bits;

static void check_flips(qn_bytes good, bool every) {
  uint8_t *copy = malloc(good.size);
  memcpy(copy, good.data, good.size);
  static const uint8_t masks[] = {1, 2, 4, 8, 16, 32, 64, 128, 255};
  for (size_t i = 0; i < good.size; i++) {
    for (size_t m = 0; m < sizeof masks; m++) {
      if (!every && m != i % 8 && m != 8) continue;
      copy[i] = (uint8_t)(good.data[i] ^ masks[m]);
      check_bytes((qn_bytes){copy, good.size});
    }
    copy[i] = good.data[i];
  }
  free(copy);
}

static void test_samples(void **state) {
  (void)state;
  for (uint32_t i = 0; i < qn_tflite_sample_count; i++) {
    qn_tfb *b = qn_tfb_create();
    qn_tflite_samples[i].build(b);
    qn_bytes good = qn_tfb_finish(b);
    check_truncations(good);
    check_flips(good, all_bits);
    qn_tfb_destroy(b);
  }
}

static void test_real(const char *name) {
  qn_file *file = open_shared_model(name);
  if (!file) {
    fprintf(stderr, "SKIP: the shared model %s is not here (QUERN_SHARED)\n", name);
    skip();
  }
  check_truncations(qn_file_bytes(file));
  check_flips(qn_file_bytes(file), true);
  qn_file_release(file);
}

static void test_hello_world(void **state) {
  (void)state;
  test_real("hello_world_int8");
}

static void test_split_concat(void **state) {
  (void)state;
  test_real("split_concat");
}

/* Returns the position of the offset that refers to `target`. */
static size_t offset_to(qn_bytes file, size_t target) {
  for (size_t i = 0; i + 4 <= file.size; i++)
    if (i + qn_fb_load_u32(file.data + i) == target) return i;
  fail_msg("nothing leads to %zu", target);
  return 0;
}

/* A vector of a million offsets after the file, which all refer to one table after it. It is
 * rejected before all offsets are followed. If the table is cut off, the first error ends the
 * check. */
static void test_amplification(void **state) {
  (void)state;
  enum { COUNT = 1 << 20, TABLE = 8 };
  qn_tfb *b = qn_tfb_create();
  qn_tflite_samples[0].build(b);
  qn_bytes good = qn_tfb_finish(b);
  import_run run;
  import_bytes(&run, good, NULL);
  qn_fb_table model;
  size_t end;
  assert_int_equal(qn_fb_verify(&run.cx.diag, run.cx.diag.unknown, good, &model, &end), QN_OK);
  size_t at = offset_to(good, qn_fb_vector_of(model, QN_FB_MODEL_BUFFERS).at - 4);
  size_t size = good.size + 4 + 4 * (size_t)COUNT + TABLE, table = size - 4;
  uint8_t *file = calloc(size, 1);
  memcpy(file, good.data, good.size);
  uint32_t offset = (uint32_t)(good.size - at), count = COUNT;
  memcpy(file + at, &offset, 4);
  memcpy(file + good.size, &count, 4);
  for (size_t p = good.size + 4; p < size - TABLE; p += 4) {
    uint32_t to = (uint32_t)(table - p);
    memcpy(file + p, &to, 4);
  }
  memcpy(file + size - TABLE, (uint8_t[]){4, 0, 4, 0, 4, 0, 0, 0}, TABLE); /* vtable, empty table */
  qn_bytes hostile = {file, size}, cut = {file, size - TABLE};
  qn_text_clear(&run.messages);
  assert_int_equal(qn_fb_verify(&run.cx.diag, run.cx.diag.unknown, hostile, &model, &end),
                   QN_LIMIT);
  assert_true(has_message(&run, "the same bytes are used by so many offsets"));
  qn_text_clear(&run.messages);
  assert_int_equal(qn_fb_verify(&run.cx.diag, run.cx.diag.unknown, cut, &model, &end), QN_INVALID);
  assert_true(has_message(
      &run, "buffers[0]: an offset leads outside of the file: it is damaged, or was cut short"));
  assert_non_null(run.messages.data);
  assert_null(strstr(run.messages.data, "buffers[1]")); /* one message is enough */
  free(file);
  import_end(&run);
  qn_tfb_destroy(b);
}

/* Hundreds of weight tensors of different types share one buffer. The model is rejected if their
 * constants need more than a multiple of the file's size. */
static void test_shared_buffer(void **state) {
  (void)state;
  enum { K = 128, LAYERS = 400 };
  static const int8_t zeros[K * K] = {0};
  qn_tfb *b = qn_tfb_create();
  float scale = 0.5f;
  int64_t zero = 0;
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, K), 0.5f, 0), last = x;
  int32_t first = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(K, K), zeros, &scale, 1, 0, 0);
  for (int i = 0; i < LAYERS; i++) {
    qn_tfb_tensor weights = {.name = "w",
                             .type = QN_TFB_INT8,
                             .shape = QN_TFB_SHAPE(K, K),
                             .scales = &scale,
                             .scale_count = 1,
                             .zero_points = &zero,
                             .zero_point_count = 1,
                             .buffer = (uint32_t)first + 1};
    scale = 0.5f + (float)i / (float)LAYERS;
    int32_t w = qn_tfb_any(b, &weights);
    int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, K), 0.5f, 0);
    qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(last, w), QN_TFB_LIST(y),
              qn_tfb_fully_connected_options(QN_TFB_NONE, false));
    last = y;
  }
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(last));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_LIMIT);
  assert_true(has_message(&run, "operators share large constants so often"));
  assert_int_equal(run.cx.diag.errors, 1);
  import_end(&run);
  qn_tfb_destroy(b);
}

int main(int argc, char **argv) {
  all_bits = argc > 1 && strcmp(argv[1], "all") == 0;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),       cmocka_unit_test(test_hello_world),
      cmocka_unit_test(test_split_concat),  cmocka_unit_test(test_amplification),
      cmocka_unit_test(test_shared_buffer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

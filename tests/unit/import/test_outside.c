/* Data of buffers that is in the file after the FlatBuffer, and places that are invalid. With an
 * argument: in a sparse file of more than 2 GiB.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/import/import_test.h"
#include "ir/ops/forms.h"

static const int8_t values[6] = {1, -2, 3, -4, 5, -6};

/* y = x + c. The data of c is `size` bytes at `at`. */
static qn_tfb *sum_model(uint64_t at, uint64_t size) {
  qn_tfb *b = qn_tfb_create();
  const float scale = 0.5f;
  const qn_tfb_tensor c = {.name = "c",
                           .type = QN_TFB_INT8,
                           .shape = QN_TFB_SHAPE(2, 3),
                           .scales = &scale,
                           .scale_count = 1,
                           .outside = {at, size}};
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0), y, w;
  w = qn_tfb_any(b, &c);
  y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_ADD, 1, QN_TFB_LIST(x, w), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

/* The size of the FlatBuffer, which does not depend on the place. */
static size_t front_size(void) {
  qn_tfb *b = sum_model(4096, 6);
  size_t size = qn_tfb_finish(b).size;
  qn_tfb_destroy(b);
  return size;
}

static void expect_values(const import_run *run) {
  const qn_op *op = qn_op_body(import_main(run))->first;
  assert_int_equal(op->kind, QN_OP_ML_CONST);
  const qn_attr *value = qn_op_attr(op, "value");
  assert_int_equal(value->dense.bytes.size, sizeof values);
  assert_memory_equal(value->dense.bytes.data, values, sizeof values);
}

/* Imports the FlatBuffer with the values after it. */
static void expect_place(uint64_t at, uint64_t size, qn_status status, const char *message) {
  qn_tfb *b = sum_model(at, size);
  qn_bytes front = qn_tfb_finish(b);
  uint8_t *file = malloc(front.size + sizeof values);
  memcpy(file, front.data, front.size);
  memcpy(file + front.size, values, sizeof values);
  import_run run;
  import_bytes(&run, (qn_bytes){file, front.size + sizeof values}, NULL);
  if (run.status != status || (message && !has_message(&run, message)))
    fail_msg("status %d, wanted %d with: %s\n%s", run.status, status, message ? message : "nothing",
             run.messages.data ? run.messages.data : "");
  if (run.module) {
    assert_valid(&run);
    expect_values(&run);
  }
  import_end(&run);
  free(file);
  qn_tfb_destroy(b);
}

static void test_places(void **state) {
  (void)state;
  size_t end = front_size();
  expect_place(end, 6, QN_OK, NULL);
  expect_place(
      end, 5, QN_INVALID,
      "operator 0 (ADD), tensor 'c': error: its buffer has 5 bytes, its shape and type say "
      "6");
  expect_place(end + 1, 6, QN_INVALID, "reach beyond the end of the file");
  expect_place(end, 7, QN_INVALID, "reach beyond the end of the file");
  expect_place(end - 1, 6, QN_INVALID, "stand within the FlatBuffer");
  expect_place(2, 6, QN_INVALID, "its data, 6 bytes from byte 2 on, stand within the FlatBuffer");
  expect_place(UINT64_MAX, UINT64_MAX, QN_INVALID,
               "its data, 18446744073709551615 bytes from byte 18446744073709551615 on");
  expect_place(end, UINT64_MAX - end + 7, QN_INVALID, "reach beyond the end of the file");
  expect_place(UINT64_MAX - 5, 6, QN_INVALID, "reach beyond the end of the file");
  expect_place(1, 1, QN_INVALID, "it has no data"); /* writers use 1, 1 for buffers without data */
  expect_place(end, 1, QN_INVALID, "it has no data");
}

/* ---- options of a custom operator ---- */

/* {"shift": 5} as a FlexBuffer. */
static const uint8_t map[] = {'s', 'h', 'i', 'f', 't', 0, 1, 7, 1, 1, 1, 5, 4, 2, 36, 1};

static qn_tfb *window_model(uint64_t at, uint64_t size) {
  enum { INT16 = 7 };
  static const int16_t ones[4] = {1, 1, 1, 1};
  qn_tfb_tensor t = {.name = "x", .type = INT16, .shape = QN_TFB_SHAPE(4)};
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_any(b, &t);
  t.name = "y";
  int32_t y = qn_tfb_any(b, &t);
  t.name = "w", t.data = ones, t.size = sizeof ones;
  int32_t w = qn_tfb_any(b, &t);
  qn_tfb_op(b, QN_TFB_CUSTOM, 1, QN_TFB_LIST(x, w), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_custom_name(b, "SignalWindow");
  qn_tfb_custom_outside(b, at, size);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void expect_options(uint64_t behind, uint64_t size, qn_status status, const char *message) {
  qn_tfb *b = window_model(4096, size);
  size_t end = qn_tfb_finish(b).size; /* does not depend on the place */
  qn_tfb_destroy(b);
  b = window_model(end + behind, size);
  qn_bytes front = qn_tfb_finish(b);
  assert_int_equal(front.size, end);
  uint8_t *file = malloc(end + sizeof map);
  memcpy(file, front.data, end);
  memcpy(file + end, map, sizeof map);
  import_run run;
  import_bytes(&run, (qn_bytes){file, end + sizeof map}, NULL);
  assert_int_equal(run.status, status);
  if (message && !has_message(&run, message)) fail_msg("%s", run.messages.data);
  if (run.module) {
    assert_valid(&run);
    const qn_value *by = qn_op_operand(nth_op(&run, QN_OP_ML_SHIFT, 0), 1);
    assert_int_equal(qn_dense_int(qn_value_constant(by), 0), -5);
  }
  import_end(&run);
  free(file);
  qn_tfb_destroy(b);
}

static void test_options(void **state) {
  (void)state;
  expect_options(0, sizeof map, QN_OK, NULL);
  expect_options(0, sizeof map - 1, QN_INVALID, "operator 0 (CUSTOM 'SignalWindow')");
  expect_options(1, sizeof map, QN_INVALID, "its options, 16 bytes from byte");
  expect_options(0, UINT64_MAX, QN_INVALID, "on, reach beyond the end of the file");
  expect_options((uint64_t)0 - 1, sizeof map, QN_INVALID, "on, stand within the FlatBuffer");
}

/* The values are at 2.5 GiB. A damaged FlatBuffer in a file of that size is an error. A file of
 * that size without the file identifier is not read. */
static void test_vast(void **state) {
  (void)state;
  const off_t far = (off_t)5 << 29;
  char path[] = "vast_XXXXXX";
  qn_tfb *b = sum_model((uint64_t)far, sizeof values);
  qn_bytes front = qn_tfb_finish(b);
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(pwrite(fd, front.data, front.size, 0), (ssize_t)front.size);
  assert_int_equal(pwrite(fd, values, sizeof values, far), (ssize_t)sizeof values);
  for (int damaged = 0; damaged < 2; damaged++) {
    import_run run = {0};
    qn_file *file = NULL;
    qn_ir_context_init(&run.cx);
    run.cx.diag.handler = collect_message;
    run.cx.diag.user = &run.messages;
    if (damaged) assert_int_equal(pwrite(fd, (uint8_t[]){255, 255, 255, 255}, 4, 0), 4);
    const char *reason;
    assert_int_equal(qn_file_open(path, &file, &reason), QN_LIMIT);
    assert_int_equal(qn_file_open_long(path, qn_import_is_tflite, &file, &reason), QN_OK);
    const qn_import_options options = {.path = qn_str_of("m.tflite")};
    run.status = qn_import_tflite(&run.cx, file, &options, &run.module);
    qn_file_release(file);
    if (run.messages.size) print_message("%s\n", run.messages.data);
    assert_int_equal(run.status, damaged ? QN_INVALID : QN_OK);
    if (damaged) assert_true(has_message(&run, "of a file above 2 GiB"));
    if (!damaged) expect_values(&run);
    import_end(&run);
  }
  assert_int_equal(pwrite(fd, "text", 4, 4), 4);
  qn_file *other = NULL;
  const char *reason = NULL;
  assert_int_equal(qn_file_open_long(path, qn_import_is_tflite, &other, &reason), QN_LIMIT);
  assert_string_equal(reason, "File too large");
  assert_null(other);
  close(fd);
  unlink(path);
  qn_tfb_destroy(b);
}

int main(int argc, char **argv) {
  (void)argv;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_options),
                                     cmocka_unit_test(test_vast)};
  const struct CMUnitTest places[] = {cmocka_unit_test(test_places),
                                      cmocka_unit_test(test_options)};
  return argc > 1 ? cmocka_run_group_tests(tests, NULL, NULL)
                  : cmocka_run_group_tests(places, NULL, NULL);
}

/* Types, shapes and data of tensors in .onnx files, with data in the file and in other files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/import/onnx_test.h"

static const float FOUR[4] = {1, 2, 3, 4};

/* y = x + w, where w is the given tensor message. */
static qn_onb *with_tensor(qn_text *tensor) {
  qn_onb *b = small_model();
  qn_onb_put_string(tensor, 8, "w");
  qn_onb_put_message(&b->graph, 5, tensor);
  qn_text_deinit(tensor);
  qn_onb_node(b, "", "Add", "x,w", "y");
  return b;
}

static qn_text tensor_of(int64_t type, int64_t dim) {
  qn_text t = {0};
  qn_onb_put_int(&t, 1, dim);
  qn_onb_put_int(&t, 2, type);
  return t;
}

static void test_raw_size(void **state) {
  (void)state;
  static const size_t sizes[] = {12, 15, 17, 20};
  uint8_t bytes[20] = {0};
  for (size_t i = 0; i < QN_COUNT(sizes); i++) {
    qn_text t = tensor_of(QN_ONB_FLOAT, 4);
    char wanted[80];
    snprintf(wanted, sizeof wanted, "it has %zu bytes of raw data, its shape and type say 16",
             sizes[i]);
    qn_onb_put_bytes(&t, 9, bytes, sizes[i]);
    expect_onnx(with_tensor(&t), QN_INVALID, wanted);
  }
  qn_text t = tensor_of(QN_ONB_FLOAT, 4);
  expect_onnx(with_tensor(&t), QN_INVALID, "it has 0 numbers of data, its shape and type say 4");
}

static void test_fields(void **state) {
  (void)state;
  qn_text t = tensor_of(QN_ONB_FLOAT, 4);
  qn_onb_put_bytes(&t, 4, FOUR, sizeof FOUR);
  expect_onnx(with_tensor(&t), QN_OK, NULL);
  t = tensor_of(QN_ONB_FLOAT, 4);
  for (int i = 0; i < 4; i++) qn_onb_put_float(&t, 4, FOUR[i]); /* not packed */
  expect_onnx(with_tensor(&t), QN_OK, NULL);
  t = tensor_of(QN_ONB_FLOAT, 4);
  qn_onb_put_bytes(&t, 4, FOUR, sizeof FOUR);
  qn_onb_put_bytes(&t, 9, FOUR, sizeof FOUR);
  expect_onnx(with_tensor(&t), QN_INVALID, "it has data in several fields");
  t = tensor_of(QN_ONB_FLOAT, 4);
  qn_text segment = {0};
  qn_onb_put_message(&t, 3, &segment);
  qn_onb_put_bytes(&t, 9, FOUR, sizeof FOUR);
  expect_onnx(with_tensor(&t), QN_INVALID, "data in segments are not read");
}

static void test_shapes(void **state) {
  (void)state;
  qn_text t = tensor_of(QN_ONB_FLOAT, -4);
  expect_onnx(with_tensor(&t), QN_INVALID, "dimension 0 is -4");
  t = tensor_of(QN_ONB_FLOAT, INT64_C(1) << 32);
  qn_onb_put_int(&t, 1, INT64_C(1) << 32);
  expect_onnx(with_tensor(&t), QN_LIMIT, "larger than the limit");
  t = tensor_of(QN_ONB_FLOAT, INT64_MAX);
  qn_onb_put_int(&t, 1, 0);
  expect_onnx(with_tensor(&t), QN_LIMIT, "larger than the limit");
  t = (qn_text){0};
  for (int i = 0; i < 40; i++) qn_onb_put_int(&t, 1, 1);
  qn_onb_put_int(&t, 2, QN_ONB_FLOAT);
  expect_onnx(with_tensor(&t), QN_LIMIT, "rank 40 is above the limit of 16");
}

static void test_types(void **state) {
  (void)state;
  static const struct {
    int64_t type;
    qn_status status;
    const char *message;
  } cases[] = {{0, QN_INVALID, "data of type 0, which there is not"},
               {99, QN_UNSUPPORTED, "data of type 99, which there is not"},
               {8, QN_UNSUPPORTED, "a constant of type string is not supported"},
               {14, QN_UNSUPPORTED, "a constant of type complex64 is not supported"},
               {16, QN_UNSUPPORTED, "a constant of type bfloat16 is not supported"},
               {17, QN_UNSUPPORTED, "a constant of type float8e4m3fn is not supported"},
               {23, QN_UNSUPPORTED, "a constant of type float4e2m1 is not supported"}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_text t = tensor_of(cases[i].type, 4);
    expect_onnx(with_tensor(&t), cases[i].status, cases[i].message);
  }
  qn_text t = tensor_of(QN_ONB_INT8, 4);
  for (int i = 0; i < 4; i++) qn_onb_put_int(&t, 5, 100 * i);
  expect_onnx(with_tensor(&t), QN_INVALID, "one of its numbers is no int8");
}

static void test_inputs(void **state) {
  (void)state;
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "x", QN_ONB_FLOAT, NULL);
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
  qn_onb_node(b, "", "Relu", "x", "y");
  expect_onnx(b, QN_UNSUPPORTED, "an input without a shape is not supported");
  b = qn_onb_create();
  qn_onb_input(b, "x", 8, "1");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
  qn_onb_node(b, "", "Relu", "x", "y");
  expect_onnx(b, QN_UNSUPPORTED, "tensor 'x'");
}

/* Unknown dimensions, with or without a name, become 1 or the value of the options. */
static void test_dimensions(void **state) {
  (void)state;
  static const char *const dims[] = {"N,4", "?,4", "-1,4"};
  for (size_t i = 0; i < QN_COUNT(dims); i++)
    for (int64_t batch = 0; batch < 4; batch += 3) {
      qn_onb *b = qn_onb_create();
      qn_onb_input(b, "x", QN_ONB_FLOAT, dims[i]);
      qn_onb_output(b, "y", QN_ONB_FLOAT, dims[i]);
      qn_onb_node(b, "", "Relu", "x", "y");
      import_run run;
      qn_import_options options = {.batch = batch};
      import_onnx(&run, qn_onb_finish(b, 8, 17), &options);
      assert_int_equal(run.status, QN_OK);
      const qn_type *type = qn_op_body(import_main(&run))->args[0]->type;
      assert_int_equal(type->shaped.dims[0], batch ? batch : 1);
      import_end(&run);
      qn_onb_destroy(b);
    }
}

/* ---- data in other files ---- */

static void put_entry(qn_text *tensor, const char *key, const char *value) {
  qn_text entry = {0};
  qn_onb_put_string(&entry, 1, key);
  qn_onb_put_string(&entry, 2, value);
  qn_onb_put_message(tensor, 13, &entry);
  qn_text_deinit(&entry);
}

static void write_file(const char *in, const char *name, const void *data, size_t size) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", in, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  fclose(file);
}

static void test_external(void **state) {
  (void)state;
  char path[] = "/tmp/quern-onnx-XXXXXX", model[96], name[256], other[96];
  assert_non_null(mkdtemp(path));
  snprintf(model, sizeof model, "%s/m.onnx", path);
  snprintf(name, sizeof name, "%s/sub", path);
  assert_int_equal(mkdir(name, 0700), 0);
  static const uint8_t padding[8] = {0};
  uint8_t data[24];
  memcpy(data, padding, 8);
  memcpy(data + 8, FOUR, sizeof FOUR);
  write_file(path, "w.bin", data, sizeof data);
  write_file(path, "m.onnx", data, 1); /* the model itself is imported from memory */
  write_file(name, "w.bin", data, sizeof data);
  snprintf(name, sizeof name, "%s/link", path);
  snprintf(other, sizeof other, "%s/sub", path);
  assert_int_equal(symlink(other, name), 0);
  snprintf(name, sizeof name, "%s/file-link", path);
  assert_int_equal(symlink("/etc/passwd", name), 0);
  snprintf(name, sizeof name, "%s/fifo", path);
  assert_int_equal(mkfifo(name, 0600), 0);
  snprintf(other, sizeof other, "%s/w.bin", path);
  const char *const rejected = "are no file that can be read below the folder of the model";
  const struct {
    const char *location, *offset, *length;
    qn_status status;
    const char *message;
  } cases[] = {{"w.bin", "8", "16", QN_OK, NULL},
               {"w.bin", "8", "", QN_OK, NULL},
               {"sub/w.bin", "8", "16", QN_OK, NULL},
               {"w.bin", "", "", QN_INVALID, "it has 24 bytes of raw data"},
               {"w.bin", "9", "16", QN_INVALID, "reach beyond the end of 'w.bin'"},
               {"w.bin", "25", "", QN_INVALID, "reach beyond the end of 'w.bin'"},
               {"w.bin", "8", "15", QN_INVALID, "it has 15 bytes of raw data"},
               {"w.bin", "x", "16", QN_INVALID, "offset or length of its external data"},
               {"w.bin", "-8", "16", QN_INVALID, "offset or length of its external data"},
               {"w.bin", "9999999999999999999", "16", QN_INVALID, "is not a number"},
               {other, "8", "16", QN_INVALID, rejected},
               {"../w.bin", "8", "16", QN_INVALID, rejected},
               {"sub/../w.bin", "8", "16", QN_INVALID, rejected},
               {"link/w.bin", "8", "16", QN_INVALID, rejected},
               {"file-link", "0", "16", QN_INVALID, rejected},
               {"fifo", "0", "16", QN_INVALID, rejected},
               {"sub", "0", "16", QN_INVALID, rejected},
               {"none", "0", "16", QN_INVALID, rejected},
               {"", "0", "16", QN_INVALID, rejected}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_text t = tensor_of(QN_ONB_FLOAT, 4);
    put_entry(&t, "location", cases[i].location);
    if (*cases[i].offset) put_entry(&t, "offset", cases[i].offset);
    if (*cases[i].length) put_entry(&t, "length", cases[i].length);
    qn_onb_put_int(&t, 14, 1);
    qn_onb *b = with_tensor(&t);
    import_run run;
    import_onnx_at(&run, model, qn_onb_finish(b, 8, 17), NULL);
    if (run.status != cases[i].status || (cases[i].message && !has_message(&run, cases[i].message)))
      fprintf(stderr, "case %zu: status %d\n%s", i, run.status,
              run.messages.data ? run.messages.data : "");
    assert_int_equal(run.status, cases[i].status);
    if (cases[i].message) assert_true(has_message(&run, cases[i].message));
    import_end(&run);
    qn_onb_destroy(b);
  }
  static const char *const made[] = {"w.bin", "m.onnx", "sub/w.bin", "link", "file-link", "fifo"};
  for (size_t i = 0; i < QN_COUNT(made); i++) {
    snprintf(name, sizeof name, "%s/%s", path, made[i]);
    unlink(name);
  }
  snprintf(name, sizeof name, "%s/sub", path);
  rmdir(name);
  rmdir(path);
}

/* The folder `path`, with count float ones in w.bin; the model's path in it. */
static void make_folder(char *path, size_t count, char model[96]) {
  assert_non_null(mkdtemp(path));
  float *ones = malloc(count * sizeof *ones);
  assert_non_null(ones);
  for (size_t i = 0; i < count; i++) ones[i] = 1;
  write_file(path, "w.bin", ones, count * sizeof *ones);
  free(ones);
  write_file(path, "m.onnx", "", 1); /* the model itself is imported from memory */
  snprintf(model, 96, "%s/m.onnx", path);
}

static void remove_folder(const char *path) {
  char name[96];
  static const char *const made[] = {"w.bin", "m.onnx"};
  for (size_t i = 0; i < QN_COUNT(made); i++) {
    snprintf(name, sizeof name, "%s/%s", path, made[i]);
    unlink(name);
  }
  rmdir(path);
}

/* Names of one file; the file counts once. */
static const char *const names_of_w[] = {"w.bin", "./w.bin", "././w.bin"};

/* y = x + w0 + w1 + ..., and each sum is a vector of `count` floats of one external file. */
static qn_onb *sums_of_external(int64_t count, size_t sums) {
  char dims[24], from[24] = "x", to[24], operands[64], w[24];
  qn_onb *b = qn_onb_create();
  snprintf(dims, sizeof dims, "%lld", (long long)count);
  qn_onb_input(b, "x", QN_ONB_FLOAT, dims);
  for (size_t i = 0; i < sums; i++) {
    qn_text t = tensor_of(QN_ONB_FLOAT, count);
    put_entry(&t, "location", names_of_w[i % QN_COUNT(names_of_w)]);
    qn_onb_put_int(&t, 14, 1);
    snprintf(w, sizeof w, "w%zu", i);
    qn_onb_put_string(&t, 8, w);
    qn_onb_put_message(&b->graph, 5, &t);
    qn_text_deinit(&t);
    snprintf(to, sizeof to, "y%zu", i);
    snprintf(operands, sizeof operands, "%s,%s", from, w);
    qn_onb_node(b, "", "Add", operands, to);
    memcpy(from, to, sizeof from);
  }
  qn_onb_output(b, from, QN_ONB_FLOAT, dims);
  return b;
}

/* The budget of an import grows with the data in other files, once per file. */
static void test_external_budget(void **state) {
  (void)state;
  enum { COUNT = 1 << 16 };
  const struct {
    size_t sums;
    qn_status status;
  } cases[] = {{1, QN_OK}, {3, QN_OK}, {20, QN_LIMIT}};
  char path[] = "/tmp/quern-onnx-XXXXXX", model[96];
  make_folder(path, COUNT, model);
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *b = sums_of_external(COUNT, cases[i].sums);
    import_run run;
    import_onnx_at(&run, model, qn_onb_finish(b, 8, 17), NULL);
    assert_int_equal(run.status, cases[i].status);
    assert_true(run.status == QN_OK || has_message(&run, "share large constants so often"));
    import_end(&run);
    qn_onb_destroy(b);
  }
  remove_folder(path);
}

/* Weights are copied to the layout of the IR until the copies are 16 MiB, then the op that
 * transposes them follows the bytes of the file, whose type has no scales. */
static void test_large_weights(void **state) {
  (void)state;
  enum { ROWS = 2048, COLUMNS = 3072, LAYERS = 3 };
  static uint8_t weights[ROWS * COLUMNS];
  float scales[COLUMNS];
  qn_onb *b = qn_onb_create();
  import_run run;
  for (size_t i = 0; i < sizeof weights; i++) weights[i] = (uint8_t)(i * 7 / 5);
  for (size_t i = 0; i < COLUMNS; i++) scales[i] = 0.01F + (float)i * 1e-5F;
  qn_onb_tensor(b, "w", QN_ONB_INT8, "2048,3072", weights, sizeof weights);
  qn_onb_tensor(b, "ws", QN_ONB_FLOAT, "3072", scales, sizeof scales);
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "", scales, sizeof *scales);
  qn_onb_input(b, "x", QN_ONB_UINT8, "1,2048");
  qn_onb_node(b, "", "DequantizeLinear", "x,s", "d");
  qn_onb_node(b, "", "DequantizeLinear", "w,ws", "e");
  for (int i = 0; i < LAYERS; i++) {
    char name[2] = {(char)('1' + i), 0};
    qn_onb_node(b, "", "MatMul", "d,e", name);
    qn_onb_output(b, name, QN_ONB_FLOAT, "1,3072");
  }
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  int32_t copies = 0, turned = 0;
  for (const qn_op *op = qn_op_body(import_main(&run))->first; op; op = op->next) {
    if (op->kind != QN_OP_ML_LINEAR) continue;
    const qn_value *w = qn_op_operand(op, 1);
    const qn_quant_uniform *q = qn_type_quant(w->type);
    assert_true(q && q->axis == 0 && q->count == COLUMNS);
    if (w->op->kind == QN_OP_ML_CONST) {
      copies++;
      continue;
    }
    const qn_op *transpose = qn_op_operand(w->op, 0)->op;
    const qn_attr *value = qn_value_constant(qn_op_operand(transpose, 0));
    assert_int_equal(w->op->kind, QN_OP_QUANT_SCAST);
    assert_int_equal(transpose->kind, QN_OP_ML_TRANSPOSE);
    assert_memory_equal(value->dense.bytes.data, weights, sizeof weights);
    turned++;
  }
  assert_int_equal(copies, 2);
  assert_int_equal(turned, 1);
  import_end(&run);
  qn_onb_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_raw_size),      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_shapes),        cmocka_unit_test(test_types),
      cmocka_unit_test(test_inputs),        cmocka_unit_test(test_dimensions),
      cmocka_unit_test(test_external),      cmocka_unit_test(test_external_budget),
      cmocka_unit_test(test_large_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

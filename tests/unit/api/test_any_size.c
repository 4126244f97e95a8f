/* Models of .tflite files loaded with another batch size than the file's, or with a batch size that
 * each call sets. On every engine, results equal those of the model loaded for that batch size; for
 * models with states, those of the entries one by one. Operators that combine entries are rejected,
 * at their place in the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"
#include "tests/support/tflite_builder.h"
#include "tests/support/tflite_samples_numbers.h"

enum { BOUND = 7, SHAPE = 77, STRIDED_SLICE = 45, PACK = 83, TRANSPOSE = 39, RESHAPE = 22 };

static int32_t tensor(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape,
                      qn_tfb_list signature) {
  static const float scale = 0.5f;
  static const int64_t zero = -3;
  qn_tfb_tensor t = {.name = name, .type = type, .shape = shape, .signature = signature};
  if (type == QN_TFB_INT8)
    t.scales = &scale, t.scale_count = 1, t.zero_points = &zero, t.zero_point_count = 1;
  return qn_tfb_any(b, &t);
}

static int32_t integers(qn_tfb *b, const char *name, qn_tfb_list shape) {
  return tensor(b, name, QN_TFB_INT32, shape, QN_TFB_EMPTY);
}

static int32_t number(qn_tfb *b, int32_t value) {
  return qn_tfb_const_i32(b, "number", QN_TFB_SHAPE(1), &value);
}

/* Element 0 of the shape of x, which is the batch size. */
static int32_t batch_of(qn_tfb *b, int32_t x, int32_t rank) {
  int32_t shape = integers(b, "shape", QN_TFB_SHAPE(rank));
  int32_t batch = integers(b, "batch", QN_TFB_EMPTY);
  int32_t begin = number(b, 0), end = number(b, 1), stride = number(b, 1);
  qn_tfb_op(b, SHAPE, 1, QN_TFB_LIST(x), QN_TFB_LIST(shape), qn_tfb_no_options());
  qn_tfb_op(b, STRIDED_SLICE, 1, QN_TFB_LIST(shape, begin, end, stride), QN_TFB_LIST(batch),
            qn_tfb_slice_options(0, 0, 0, 0, 1));
  return batch;
}

static qn_tfb_options of_pack(uint32_t count) {
  qn_tfb_options options = {.type = 59, .count = 1};
  options.fields[0].id = 0;
  options.fields[0].width = 4;
  options.fields[0].bits = count;
  return options;
}

/* conv -> reshape to [batch size of the input, K], as Keras writes it -> linear -> softmax. */
static void build_classifier(qn_tfb *b) {
  static const float scale = 0.25f;
  int8_t weights[2 * 3 * 3 * 2], rows[5 * 32];
  for (size_t i = 0; i < sizeof weights; i++) weights[i] = (int8_t)(i * 37 + 11);
  for (size_t i = 0; i < sizeof rows; i++) rows[i] = (int8_t)(i * 53 + 7);
  int32_t x = tensor(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 2), QN_TFB_SHAPE(-1, 4, 4, 2));
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 3, 3, 2), weights, &scale, 1, 0, 0);
  int32_t c = tensor(b, "c", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 2), QN_TFB_SHAPE(-1, 4, 4, 2));
  qn_tfb_op(b, QN_TFB_CONV_2D, 1, QN_TFB_LIST(x, w), QN_TFB_LIST(c),
            qn_tfb_conv_options(QN_TFB_SAME, 1, 1, QN_TFB_NONE, 1, 1));
  int32_t batch = batch_of(b, c, 4),
          columns = qn_tfb_const_i32(b, "k", QN_TFB_EMPTY, &(int32_t){32});
  int32_t target = integers(b, "target", QN_TFB_SHAPE(2));
  qn_tfb_op(b, PACK, 1, QN_TFB_LIST(batch, columns), QN_TFB_LIST(target), of_pack(2));
  int32_t r = tensor(b, "r", QN_TFB_INT8, QN_TFB_SHAPE(1, 32), QN_TFB_SHAPE(-1, 32));
  qn_tfb_op(b, RESHAPE, 1, QN_TFB_LIST(c, target), QN_TFB_LIST(r), qn_tfb_no_options());
  int32_t v = qn_tfb_const_q8(b, "v", QN_TFB_INT8, QN_TFB_SHAPE(5, 32), rows, &scale, 1, 0, 0);
  int32_t l = tensor(b, "l", QN_TFB_INT8, QN_TFB_SHAPE(1, 5), QN_TFB_SHAPE(-1, 5));
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(r, v), QN_TFB_LIST(l),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 5), 0.00390625f, -128);
  qn_tfb_op(b, QN_TFB_SOFTMAX, 1, QN_TFB_LIST(l), QN_TFB_LIST(y), qn_tfb_softmax_options(1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static qn_status load(engines *e, qn_tfb *b, int64_t batch, int any_size, qn_model **out_model) {
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  options.batch = batch;
  options.any_size = any_size;
  e->messages[0] = '\0';
  return qn_model_load_memory(e->context, qn_tfb_finish(b), "m.tflite", &options, out_model);
}

static void run_guarded(engines *e, qn_executable *x, const uint8_t *in, uint8_t *out) {
  guarded from = guarded_create(qn_executable_input(x, 0).bytes),
          to = guarded_create(qn_executable_output(x, 0).bytes);
  memcpy(from.data, in, qn_executable_input(x, 0).bytes);
  if (qn_executable_invoke(x, (const void *[]){from.data}, (void *[]){to.data}) != QN_OK)
    fail_msg("%s", e->messages);
  memcpy(out, to.data, qn_executable_output(x, 0).bytes);
  guarded_destroy(&from);
  guarded_destroy(&to);
}

static void check_size(engines *e, qn_tfb *b, qn_executable *x, int64_t size, const char *name) {
  static uint8_t in[BOUND * 32], want[BOUND * 5], got[BOUND * 5];
  qn_model *fixed;
  fill_bytes(in, sizeof in, (uint32_t)size);
  assert_int_equal(load(e, b, size, 0, &fixed), QN_OK);
  qn_executable *reference = compile_for(e, fixed, 0);
  assert_int_equal(qn_executable_set_size(x, 0, size), QN_OK);
  assert_int_equal(qn_executable_output(x, 0).bytes, size * 5);
  run_guarded(e, reference, in, want);
  run_guarded(e, x, in, got);
  if (memcmp(want, got, (size_t)size * 5) != 0)
    fail_msg("%s: other results for a batch of %d", name, (int)size);
  qn_executable_destroy(reference);
  qn_model_destroy(fixed);
}

static void the_bits_are_those_of_a_fixed_batch(void **unused) {
  static const int64_t sizes[] = {BOUND, 1, 2, 3};
  engines e;
  (void)unused;
  engines_open(&e);
  qn_tfb *b = qn_tfb_create();
  build_classifier(b);
  qn_model *model;
  if (load(&e, b, BOUND, 1, &model) != QN_OK) fail_msg("%s", e.messages);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, model, k);
    assert_int_equal(qn_executable_size_count(x), 1);
    assert_string_equal(qn_executable_size(x, 0).name, "batch");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      check_size(&e, b, x, sizes[i], e.names[k]);
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  qn_tfb_destroy(b);
  engines_close(&e);
}

/* The target shape that the importer computes from the batch size is right for other batch sizes.
 */
static void a_computed_target_follows_the_batch(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  qn_tfb *b = qn_tfb_create();
  build_classifier(b);
  for (int64_t size = 1; size < 4; size++) {
    qn_model *model;
    assert_int_equal(load(&e, b, size, 0, &model), QN_OK);
    assert_string_equal(e.messages, "");
    qn_executable *x = compile_for(&e, model, 0);
    assert_int_equal(qn_executable_output(x, 0).dims[0], size);
    qn_executable_destroy(x);
    qn_model_destroy(model);
  }
  qn_tfb_destroy(b);
  engines_close(&e);
}

static void expect_refusal(void (*build)(qn_tfb *b), qn_status status, const char *said) {
  engines e;
  engines_open(&e);
  qn_tfb *b = qn_tfb_create();
  qn_model *model = NULL;
  build(b);
  assert_int_equal(load(&e, b, 4, 1, &model), status);
  assert_null(model);
  if (!strstr(e.messages, said)) fail_msg("%s\ninstead of\n%s", e.messages, said);
  qn_tfb_destroy(b);
  engines_close(&e);
}

static void build_transpose(qn_tfb *b) {
  int32_t x = tensor(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4), QN_TFB_SHAPE(-1, 4));
  int32_t y = tensor(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(4, 1), QN_TFB_SHAPE(4, -1));
  int32_t order = qn_tfb_const_i32(b, "order", QN_TFB_SHAPE(2), (int32_t[]){1, 0});
  qn_tfb_op(b, TRANSPOSE, 1, QN_TFB_LIST(x, order), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* The batch size is itself an output. */
static void build_number(qn_tfb *b) {
  int32_t x = tensor(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4), QN_TFB_SHAPE(-1, 4));
  int32_t y = tensor(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4), QN_TFB_SHAPE(-1, 4));
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  int32_t batch = batch_of(b, x, 2);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y, batch));
}

/* The target of the reshape is right for the largest batch size only. */
static void build_fixed_target(qn_tfb *b) {
  int32_t x = tensor(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 2, 2), QN_TFB_SHAPE(-1, 2, 2));
  int32_t y = tensor(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4), QN_TFB_SHAPE(-1, 4));
  int32_t target = qn_tfb_const_i32(b, "target", QN_TFB_SHAPE(2), (int32_t[]){4, 4});
  qn_tfb_op(b, RESHAPE, 1, QN_TFB_LIST(x, target), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void build_two(qn_tfb *b) {
  int32_t x = tensor(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 1, 4), QN_TFB_SHAPE(-1, -1, 4));
  int32_t y = tensor(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 1, 4), QN_TFB_SHAPE(-1, -1, 4));
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void build_inner(qn_tfb *b) {
  int32_t x = tensor(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(3, 1), QN_TFB_SHAPE(3, -1));
  int32_t y = tensor(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(3, 1), QN_TFB_SHAPE(3, -1));
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void other_operators_are_refused_where_they_stand(void **unused) {
  (void)unused;
  expect_refusal(qn_sample_conv_3d, QN_UNSUPPORTED,
                 "m.tflite: operator 0 (CONV_3D), tensor 'y': error: 'ml.conv' can't be computed "
                 "for a size known at run time only (\"batch\"): its planes are taken for entries");
  expect_refusal(build_transpose, QN_UNSUPPORTED,
                 "m.tflite: operator 0 (TRANSPOSE), tensor 'y': error: 'ml.transpose' can't be "
                 "computed for a size known at run time only (\"batch\"): its result has other "
                 "entries");
  expect_refusal(build_number, QN_UNSUPPORTED,
                 "m.tflite: operator 1 (SHAPE), tensor 'shape': error: it depends on a "
                 "size known at run time only by more than its shape");
  expect_refusal(build_fixed_target, QN_INVALID,
                 "m.tflite: operator 0 (RESHAPE), tensor 'x': error: 12 elements do not fit the "
                 "shape [4, 4], which the file fixes for its own batch size");
  expect_refusal(build_two, QN_UNSUPPORTED,
                 "m.tflite: input, tensor 'x': error: dimension 0 is not the only one "
                 "that is unknown: a call can say the size of one dimension");
  expect_refusal(build_inner, QN_UNSUPPORTED,
                 "m.tflite: input, tensor 'x': error: dimension 1 is unknown: a call "
                 "can say the size of one dimension, of which all before it are 1");
}

/* For a rejected model, inspect reports what it reports without run-time sizes, and the reason. */
static void expect_report(void (*build)(qn_tfb *b), const char *input, const char *problem) {
  engines e;
  engines_open(&e);
  qn_tfb *b = qn_tfb_create();
  qn_model *model;
  char *text;
  size_t size;
  build(b);
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  options.batch = 4;
  options.any_size = options.keep_unsupported = 1;
  assert_int_equal(qn_model_load_memory(e.context, qn_tfb_finish(b), "m.tflite", &options, &model),
                   QN_OK);
  assert_int_equal(qn_model_inspect(model, &text, &size), QN_OK);
  json_t *report = json_loadb(text, size, 0, NULL);
  const char *why = json_string_value(json_object_get(report, "problem"));
  if (!json_is_false(json_object_get(report, "compilable"))) fail_msg("not: %s", problem);
  if (!why || !strstr(why, problem)) fail_msg("%s\ninstead of\n%s", why, problem);
  json_t *inputs = json_object_get(report, "inputs");
  assert_int_equal(json_array_size(inputs), 1);
  char *shape = json_dumps(json_object_get(json_array_get(inputs, 0), "shape"), JSON_COMPACT);
  assert_string_equal(shape, input);
  assert_true(json_array_size(json_object_get(report, "outputs")) > 0);
  free(shape);
  json_decref(report);
  qn_free(text);
  qn_model_destroy(model);
  qn_tfb_destroy(b);
  engines_close(&e);
}

static void a_refused_model_can_be_looked_at(void **unused) {
  (void)unused;
  expect_report(build_transpose, "[4,4]", "its result has other entries");
  expect_report(qn_sample_conv_3d, "[4,4,2,2,1]", "can't be computed for a size known at run time");
  expect_report(build_inner, "[3,4]", "dimension 1 is unknown");
  expect_report(build_number, "[4,4]", "by more than its shape: for a batch of 3");
}

/* An SVDF with four features, rank 2 and a memory of two steps. */
static void build_filter(qn_tfb *b) {
  static const int8_t weights[4 * 3] = {1, -2, 3, 40, 5, -60, 7, 8, -90, 100, 11, -12};
  static const float scale = 0.25f;
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 3), 0.5f, 3);
  int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(4, 3), weights, &scale, 1, 0, 0);
  int32_t t = qn_tfb_const_q8(b, "t", QN_TFB_INT8, QN_TFB_SHAPE(4, 2), weights, &scale, 1, 0, 0);
  int32_t s = qn_tfb_state(b, "s", QN_TFB_INT8, QN_TFB_SHAPE(1, 8), 2.0f, 5);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 2), 4.0f, -7);
  qn_tfb_op(b, QN_TFB_SVDF, 1, QN_TFB_LIST(x, w, t, -1, s), QN_TFB_LIST(y), qn_tfb_svdf_options(2));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static qn_model *load_batch(engines *e, qn_tfb *b, int64_t batch) {
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  options.batch = batch;
  options.rebatch = 1;
  qn_model *model;
  if (qn_model_load_memory(e->context, qn_tfb_finish(b), "m.tflite", &options, &model) != QN_OK)
    fail_msg("%s", e->messages);
  return model;
}

enum { TIMES = 4, ENTRIES = 3 };

/* Runs entry `entry` of all inputs in turn, from the initial states. */
static void run_times(engines *e, qn_executable *x, uint8_t in[TIMES][ENTRIES * 3],
                      uint8_t out[TIMES][ENTRIES * 2], size_t entry) {
  qn_executable_reset(x);
  for (size_t i = 0; i < TIMES; i++) run_guarded(e, x, in[i] + 3 * entry, out[i] + 2 * entry);
}

static void each_entry_of_a_batch_has_its_own_state(void **unused) {
  static uint8_t in[TIMES][ENTRIES * 3], want[TIMES][ENTRIES * 2], got[TIMES][ENTRIES * 2];
  engines e;
  (void)unused;
  engines_open(&e);
  qn_tfb *b = qn_tfb_create();
  build_filter(b);
  qn_model *one = load_batch(&e, b, 1), *all = load_batch(&e, b, ENTRIES);
  fill_bytes(&in[0][0], sizeof in, 5);
  qn_executable *reference = compile_for(&e, one, 0);
  for (size_t entry = 0; entry < ENTRIES; entry++) run_times(&e, reference, in, want, entry);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, all, k);
    assert_int_equal(qn_executable_state(x, 0).dims[0], ENTRIES);
    run_times(&e, x, in, got, 0);
    if (memcmp(want, got, sizeof want) != 0) fail_msg("%s: other results", e.names[k]);
    qn_executable_destroy(x);
  }
  qn_executable_destroy(reference);
  qn_model_destroy(one);
  qn_model_destroy(all);
  qn_tfb_destroy(b);
  engines_close(&e);
}

static void the_largest_size_has_to_be_said(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  qn_tfb *b = qn_tfb_create();
  qn_model *model = NULL;
  build_transpose(b);
  assert_int_equal(load(&e, b, 0, 1, &model), QN_NOT_FOUND);
  assert_non_null(strstr(e.messages, "--any-size needs the largest one"));
  qn_tfb_destroy(b);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bits_are_those_of_a_fixed_batch),
      cmocka_unit_test(a_computed_target_follows_the_batch),
      cmocka_unit_test(other_operators_are_refused_where_they_stand),
      cmocka_unit_test(a_refused_model_can_be_looked_at),
      cmocka_unit_test(each_entry_of_a_batch_has_its_own_state),
      cmocka_unit_test(the_largest_size_has_to_be_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

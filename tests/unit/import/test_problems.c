/* Errors in a model: messages use its terms, all errors are reported in one run, and the status is
 * right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tests/unit/import/import_test.h"
#include "ir/ops/forms.h"

#include "tests/support/tflite_samples.h"

/* x -> RELU -> y with given tensors (NULL: a default). */
static qn_tfb *relu_model(const qn_tfb_tensor *x_or_null, const qn_tfb_tensor *y_or_null) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = x_or_null ? qn_tfb_any(b, x_or_null)
                        : qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  int32_t y = y_or_null ? qn_tfb_any(b, y_or_null)
                        : qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

/* Three operators with different errors: all are reported in one run. */
static void test_all_at_once(void **state) {
  (void)state;
  enum { LSH_PROJECTION = 15, NON_MAX_SUPPRESSION_V4 = 120 };
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 1), 0.5f, 0);
  int32_t r = qn_tfb_q8(b, "hashed", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 1), 0.5f, 0);
  int32_t g = qn_tfb_q8(b, "kept", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 1), 0.5f, 0);
  int32_t p = qn_tfb_q8(b, "pooled", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 1), 0.25f, 0);
  int32_t c = qn_tfb_q8(b, "custom", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 1), 0.5f, 0);
  qn_tfb_op(b, LSH_PROJECTION, 3, QN_TFB_LIST(x), QN_TFB_LIST(r), qn_tfb_no_options());
  qn_tfb_op(b, NON_MAX_SUPPRESSION_V4, 1, QN_TFB_LIST(r), QN_TFB_LIST(g), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_MAX_POOL_2D, 2, QN_TFB_LIST(g), QN_TFB_LIST(p),
            qn_tfb_pool_options(QN_TFB_SAME, 1, 1, 2, 2, 0));
  qn_tfb_op(b, QN_TFB_CUSTOM, 1, QN_TFB_LIST(p), QN_TFB_LIST(c), qn_tfb_no_options());
  qn_tfb_custom_name(b, "Pose\tDecoder");
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(c));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_int_equal(run.cx.diag.errors, 3);
  assert_true(has_message(&run,
                          "dir/m.tflite: operator 0 (LSH_PROJECTION), tensor 'hashed': error: "
                          "the operator LSH_PROJECTION is not supported"));
  assert_true(has_message(&run,
                          "operator 1 (NON_MAX_SUPPRESSION_V4), tensor 'kept': error: the operator "
                          "NON_MAX_SUPPRESSION_V4 is not supported"));
  assert_true(has_message(&run, "operator 3 (CUSTOM 'Pose\\x09Decoder'), tensor 'custom': error"));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* A shape that is an input: the stored shape of the result is used. If the batch is unknown, the
 * model is rejected. */
static void test_stated_shapes(void **state) {
  (void)state;
  for (int times = 0; times < 2; times++) {
    qn_tfb *b = qn_tfb_create();
    const int32_t signature[] = {-1, 3};
    qn_tfb_tensor x_tensor = int8_tensor("x", QN_TFB_SHAPE(2, 3));
    if (times) x_tensor.signature = (qn_tfb_list){2, signature};
    int32_t x = qn_tfb_any(b, &x_tensor);
    const qn_tfb_tensor plain = {.name = "s", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(2)};
    int32_t s = qn_tfb_any(b, &plain);
    int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(3, 2), 0.5f, 0);
    qn_tfb_op(b, 22, 1, QN_TFB_LIST(x, s), QN_TFB_LIST(y), qn_tfb_no_options());
    qn_tfb_interface(b, QN_TFB_LIST(x, s), QN_TFB_LIST(y));
    if (times == 0)
      expect_import(b, QN_OK,
                    "operator 0 (RESHAPE), tensor 's': warning: its value is not in the file; the "
                    "stored shape [3, 2] of the result is used");
    else
      expect_import(b, QN_UNSUPPORTED, "it must be a constant: shapes are fixed at compile time");
  }
}

/* With keep_unsupported the same operators become ops of an unregistered dialect; the others are
 * imported as usual. */
static void test_kept(void **state) {
  (void)state;
  enum { LSH_PROJECTION = 15, STRING = 5 };
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4), 0.5f, 0);
  int32_t r = qn_tfb_q8(b, "hashed", QN_TFB_INT8, QN_TFB_SHAPE(1, 4), 0.5f, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4), 0.5f, 0);
  int32_t t =
      qn_tfb_any(b, &(qn_tfb_tensor){.name = "t", .type = STRING, .shape = QN_TFB_SHAPE(3)});
  qn_tfb_op(b, LSH_PROJECTION, 3, QN_TFB_LIST(x), QN_TFB_LIST(r), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(r), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_CUSTOM, 1, QN_TFB_LIST(y), QN_TFB_LIST(t), qn_tfb_no_options());
  qn_tfb_custom_name(b, "Pose\tDecoder");
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(t));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.keep_unsupported = true});
  assert_int_equal(run.status, QN_OK);
  assert_int_equal(qn_verify(run.module), QN_OK);
  const qn_op *hashed = nth_op(&run, QN_OP_UNREGISTERED, 0);
  const qn_op *custom = nth_op(&run, QN_OP_UNREGISTERED, 1);
  assert_true(qn_str_is(hashed->name, "tflite.LSH_PROJECTION"));
  assert_true(qn_str_is(qn_op_reason(hashed), "the operator LSH_PROJECTION is not supported: "
                                              "strings and hash tables are not supported"));
  assert_int_equal(qn_op_tensors(hashed).data[0], 1);
  assert_ptr_equal(qn_op_operand(nth_op(&run, QN_OP_ML_RELU, 0), 0), &hashed->results[0]);
  assert_true(qn_str_is(custom->name, "tflite.CUSTOM__Pose_x09Decoder_"));
  assert_int_equal(custom->results[0].type->shaped.dims[0], 3);
  import_end(&run);
  qn_tfb_destroy(b);
}

static void test_file(void **state) {
  (void)state;
  qn_tfb *b = relu_model(NULL, NULL);
  qn_tfb_version(b, 2, 1);
  expect_import(b, QN_UNSUPPORTED,
                "dir/m.tflite: error: version 2 of the file format; only 3 is supported");
  b = relu_model(NULL, NULL);
  qn_tfb_version(b, 3, 0);
  expect_import(b, QN_INVALID, "the file has no subgraph");
  b = relu_model(NULL, NULL);
  qn_tfb_version(b, 3, 4);
  expect_import(b, QN_OK, "remark: 3 of 4 subgraphs are not imported, as nothing calls them");
  import_run run;
  import_bytes(&run, (qn_bytes){NULL, 0}, NULL);
  assert_true(run.status == QN_INVALID &&
              has_message(&run, "dir/m.tflite: error: the file is empty"));
  import_end(&run);
  b = relu_model(NULL, NULL);
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.numerics = qn_str_of("exactish")});
  assert_true(run.status == QN_NOT_FOUND &&
              has_message(&run, "unknown numerics profile 'exactish'"));
  import_end(&run);
  qn_tfb_destroy(b);
}

static void test_tensors(void **state) {
  (void)state;
  qn_tfb_tensor t =
      int8_tensor("t", QN_TFB_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
  expect_import(relu_model(&t, NULL), QN_LIMIT,
                "input, tensor 't': error: rank 17 is above the limit of 16");
  t = int8_tensor("t", QN_TFB_SHAPE(65536, 65536, 65536, 65536));
  expect_import(relu_model(&t, NULL), QN_LIMIT, "larger than the limit of 1024 MiB");
  t = int8_tensor("t", QN_TFB_SHAPE(2, -3));
  expect_import(relu_model(NULL, &t), QN_INVALID,
                "operator 0 (RELU), tensor 't': error: dimension 1 is -3");
  t = int8_tensor("t", QN_TFB_SHAPE(2, 0));
  expect_import(relu_model(&t, NULL), QN_UNSUPPORTED,
                "operator 0 (RELU), tensor 'y': error: it is computed from a tensor without "
                "elements");
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.is_variable = true;
  expect_import(relu_model(&t, NULL), QN_INVALID,
                "input, tensor 't': error: a variable tensor is neither an input nor a constant");
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.is_sparse = true;
  expect_import(relu_model(NULL, &t), QN_UNSUPPORTED, "sparse tensors are not supported");
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.outside.at = 4096, t.outside.size = 6;
  expect_import(relu_model(NULL, &t), QN_INVALID,
                "tensor 't': error: its data, 6 bytes from byte 4096 on, reach beyond the end of "
                "the file");
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.buffer = 77; /* out of range: no data */
  expect_import(relu_model(&t, &t), QN_OK, NULL);
}

/* An SVDF with the given state, time weights and rank. */
static qn_tfb *svdf_model(const qn_tfb_tensor *state, qn_tfb_list times_shape, int32_t rank,
                          bool bias_is_state) {
  static const int8_t weights[24] = {1, 2, 3};
  static const float scale = 0.5f;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 3), 0.5f, 0);
  int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(4, 3), weights, &scale, 1, 0, 0);
  int32_t t = qn_tfb_const_q8(b, "t", QN_TFB_INT8, times_shape, weights, &scale, 1, 0, 0);
  int32_t s = state ? qn_tfb_any(b, state) : -1;
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 2), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_SVDF, 1, QN_TFB_LIST(x, w, t, bias_is_state ? s : -1, s), QN_TFB_LIST(y),
            qn_tfb_svdf_options(rank));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_states(void **state) {
  (void)state;
  qn_tfb_list times = QN_TFB_SHAPE(4, 2);
  qn_tfb_tensor s = int8_tensor("s", QN_TFB_SHAPE(1, 8));
  s.is_variable = true;
  expect_import(svdf_model(&s, times, 2, false), QN_OK, NULL);
  expect_import(svdf_model(NULL, times, 2, false), QN_INVALID,
                "operator 0 (SVDF): error: operand 4 is missing");
  expect_import(svdf_model(&s, times, 3, false), QN_INVALID,
                "tensor 'w': error: 4 filters are no multiple of the rank 3");
  expect_import(svdf_model(&s, times, 0, false), QN_INVALID, "no multiple of the rank 0");
  expect_import(svdf_model(&s, times, 2, true), QN_UNSUPPORTED,
                "tensor 's': error: a bias of type int8 is not supported, only int32");
  expect_import(svdf_model(&s, QN_TFB_SHAPE(3, 2), 2, false), QN_INVALID,
                "tensor 't': error: shape [3, 2] where [4, 2] follows from the others");
  s.is_variable = false;
  expect_import(svdf_model(&s, times, 2, false), QN_INVALID,
                "tensor 's': error: it must be a variable tensor: the operator changes it");
  s = int8_tensor("s", QN_TFB_SHAPE(1, 9));
  s.is_variable = true;
  expect_import(svdf_model(&s, times, 2, false), QN_INVALID,
                "tensor 's': error: shape [1, 9] where [1, 8] follows from the others");
  s = int8_tensor("s", QN_TFB_SHAPE(1, 8));
  s.is_variable = true;
  s.data = "12345678";
  s.size = 8;
  expect_import(svdf_model(&s, times, 2, false), QN_INVALID,
                "tensor 's': error: a variable tensor is neither an input nor a constant");
}

/* UNIDIRECTIONAL_SEQUENCE_LSTM without the operands from `missing` on, and with operand `extra`. */
static qn_tfb *lstm_model(int32_t missing, int32_t extra, int activation) {
  static const int8_t weights[6] = {1, 2, 3};
  static const int32_t bias[2] = {0};
  static const float scale = 0.5f;
  qn_tfb *b = qn_tfb_create();
  int32_t in[24], x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 3), 0.1f, 3);
  for (int i = 0; i < 24; i++) in[i] = -1;
  in[0] = x;
  for (int g = 0; g < 4; g++) {
    in[1 + g] = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), weights, &scale, 1, 0, 0);
    in[5 + g] = qn_tfb_const_q8(b, "r", QN_TFB_INT8, QN_TFB_SHAPE(2, 2), weights, &scale, 1, 0, 0);
    in[12 + g] = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(2), bias);
  }
  in[18] = qn_tfb_state(b, "h", QN_TFB_INT8, QN_TFB_SHAPE(1, 2), 0.0078125f, -5);
  in[19] = qn_tfb_state(b, "c", QN_TFB_INT16, QN_TFB_SHAPE(1, 2), 0x1p-11f, 0);
  if (missing >= 0) in[missing] = -1;
  if (extra >= 0) in[extra] = in[1];
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 2), 0.0078125f, -5);
  qn_tfb_op(b, QN_TFB_LSTM, 1, (qn_tfb_list){24, in}, QN_TFB_LIST(y),
            qn_tfb_lstm_options(activation, 0, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_lstm(void **state) {
  (void)state;
  expect_import(lstm_model(-1, -1, QN_TFB_ACT_TANH), QN_OK, NULL);
  expect_import(lstm_model(-1, -1, QN_TFB_ACT_RELU), QN_UNSUPPORTED, "only the activation TANH");
  expect_import(lstm_model(1, -1, QN_TFB_ACT_TANH), QN_INVALID,
                "an input gate has some of its operands only");
  expect_import(lstm_model(6, -1, QN_TFB_ACT_TANH), QN_INVALID, "operand 6 is missing");
  expect_import(lstm_model(19, -1, QN_TFB_ACT_TANH), QN_INVALID, "operand 19 is missing");
  expect_import(lstm_model(-1, 9, QN_TFB_ACT_TANH), QN_INVALID,
                "operand 9: weights of the cell are there for some gates only");
  expect_import(lstm_model(-1, 16, QN_TFB_ACT_TANH), QN_INVALID,
                "intermediate 4 is tensor -1, but there are 16");
  expect_import(lstm_model(-1, 17, QN_TFB_ACT_TANH), QN_INVALID,
                "a projection has a bias and no weights");
  expect_import(lstm_model(-1, 20, QN_TFB_ACT_TANH), QN_INVALID,
                "operand 20: gains are there for some gates only");
}

static void test_quantization(void **state) {
  (void)state;
  qn_tfb_tensor t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.type = QN_TFB_INT64;
  expect_import(relu_model(NULL, &t), QN_UNSUPPORTED,
                "operator 0 (RELU), tensor 't': error: int64 is not supported here, only quantized "
                "int8, uint8, int16 and int32");
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.scale_count = t.zero_point_count = 0;
  expect_import(relu_model(NULL, &t), QN_UNSUPPORTED, "int8 without quantization parameters");
  const float bad_scales[] = {0.0f, -1.0f, INFINITY, NAN};
  for (size_t i = 0; i < QN_COUNT(bad_scales); i++) {
    t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
    t.scales = &bad_scales[i];
    expect_import(relu_model(NULL, &t), QN_INVALID, "it must be positive and finite");
  }
  int64_t far = 128;
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.zero_points = &far;
  expect_import(relu_model(NULL, &t), QN_INVALID, "zero point 0 is 128, outside of int8");
  float two[] = {0.5f, 0.25f};
  int64_t three[] = {0, 0, 0};
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.scales = two, t.scale_count = 2;
  expect_import(relu_model(NULL, &t), QN_UNSUPPORTED,
                "activations with more than one scale are not supported");
  t.zero_points = three, t.zero_point_count = 3;
  expect_import(relu_model(NULL, &t), QN_INVALID, "2 scales but 3 zero points");
  t = int8_tensor("t", QN_TFB_SHAPE(2, 3));
  t.type = QN_TFB_UINT8;
  expect_import(relu_model(NULL, &t), QN_UNSUPPORTED,
                "int8 with uint8 in one operator is not supported");
}

/* A graph of RELUs over three tensors, the third of which is constant. `edges` lists pairs of
 * tensor numbers. */
static qn_tfb *graph_model(const int32_t *edges, uint32_t count, qn_tfb_list inputs,
                           qn_tfb_list outputs) {
  qn_tfb *b = qn_tfb_create();
  for (int i = 0; i < 4; i++)
    qn_tfb_q8(b, (const char *[]){"a", "b", "c", "d"}[i], QN_TFB_INT8, QN_TFB_SHAPE(2), 0.5f, 0);
  qn_tfb_const_q8(b, "k", QN_TFB_INT8, QN_TFB_SHAPE(2), (int8_t[]){1, 2}, &HALF, 1, 0, 0);
  for (uint32_t i = 0; i < count; i++)
    qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(edges[2 * i]), QN_TFB_LIST(edges[2 * i + 1]),
              qn_tfb_no_options());
  qn_tfb_interface(b, inputs, outputs);
  return b;
}
#define GRAPH(inputs, outputs, ...)                                                                \
  graph_model((const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / 8, inputs,  \
              outputs)

static void test_graph(void **state) {
  (void)state;
  enum { A, B, C, D, K };
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(C), A, B, B, C), QN_OK, NULL);
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(C), B, C, A, B), QN_INVALID,
                "operator 0 (RELU), tensor 'b': error: used before operator 1 writes it");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(B), B, B), QN_INVALID,
                "operator 0 (RELU), tensor 'b': error: used before operator 0 writes it");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(B), A, B, A, B), QN_INVALID,
                "operator 1 (RELU), tensor 'b': error: already written by operator 0");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(A), K, A), QN_INVALID,
                "operator 0 (RELU), tensor 'a': error: writes an input of the model");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(K), A, K), QN_INVALID,
                "operator 0 (RELU), tensor 'k': error: writes a constant");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(C), D, C), QN_INVALID,
                "operator 0 (RELU), tensor 'd': error: it has no data, no operator writes it and "
                "it is no input");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(D), A, B), QN_INVALID,
                "output, tensor 'd': error: it has no data");
  expect_import(GRAPH(QN_TFB_LIST(A, A), QN_TFB_LIST(B), A, B), QN_INVALID,
                "tensor 'a': error: listed twice among the inputs");
  expect_import(GRAPH(QN_TFB_LIST(9), QN_TFB_LIST(B), A, B), QN_INVALID,
                "input 0 of the model is tensor 9, but there are 5 tensors");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_EMPTY, A, B), QN_INVALID, "the model has no outputs");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(B), 5, B), QN_INVALID,
                "operator 0 (RELU): error: operand 0 is tensor 5, but there are 5 tensors");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(B), A, -1), QN_INVALID, "result 0 is tensor -1");
  expect_import(GRAPH(QN_TFB_LIST(A), QN_TFB_LIST(B), -1, B), QN_INVALID, "operand 0 is missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_at_once), cmocka_unit_test(test_kept),
      cmocka_unit_test(test_file),        cmocka_unit_test(test_stated_shapes),
      cmocka_unit_test(test_tensors),     cmocka_unit_test(test_states),
      cmocka_unit_test(test_lstm),        cmocka_unit_test(test_quantization),
      cmocka_unit_test(test_graph),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

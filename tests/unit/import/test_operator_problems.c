/* Errors in an operator: its options, operands, weights, bias and version.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

/* A 3x3 convolution of [1, 5, 5, 2] with `weights` and `bias`. */
static qn_tfb *conv_model(const qn_tfb_tensor *weights, const qn_tfb_tensor *bias,
                          qn_tfb_options options) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 5, 5, 2), 0.5f, 0);
  int32_t w = qn_tfb_any(b, weights), c = bias ? qn_tfb_any(b, bias) : -1;
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 5, 5, 2), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_CONV_2D, 3, QN_TFB_LIST(x, w, c), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_conv(void **state) {
  (void)state;
  static const int8_t zeros[64] = {0};
  qn_tfb_options same = qn_tfb_conv_options(QN_TFB_SAME, 1, 1, 0, 1, 1);
  qn_tfb_tensor w = int8_tensor("w", QN_TFB_SHAPE(2, 3, 3, 2));
  expect_import(conv_model(&w, NULL, same), QN_UNSUPPORTED,
                "operator 0 (CONV_2D), tensor 'w': error: it must be a constant");
  w.data = zeros, w.size = 35;
  expect_import(conv_model(&w, NULL, same), QN_INVALID,
                "its buffer has 35 bytes, its shape and type say 36");
  w.size = 36;
  expect_import(conv_model(&w, NULL, same), QN_OK, NULL);
  expect_import(conv_model(&w, NULL, qn_tfb_conv_options(QN_TFB_SAME, 0, 1, 0, 1, 1)), QN_INVALID,
                "height: kernel 3, stride 0 and dilation 1 must be positive");
  expect_import(conv_model(&w, NULL, qn_tfb_conv_options(QN_TFB_VALID, 1, 1, 0, 1, 3)), QN_INVALID,
                "width: a kernel that spans 7 does not fit into 5");
  expect_import(conv_model(&w, NULL, qn_tfb_conv_options(QN_TFB_SAME, 1, 1, 0, 1 << 30, 1)),
                QN_LIMIT, "larger than the limit");
  expect_import(conv_model(&w, NULL, qn_tfb_conv_options(7, 1, 1, 0, 1, 1)), QN_INVALID,
                "unknown padding 7");
  expect_import(conv_model(&w, NULL, qn_tfb_conv_options(QN_TFB_SAME, 1, 1, 9, 1, 1)), QN_INVALID,
                "unknown fused activation 9");
  expect_import(conv_model(&w, NULL, qn_tfb_conv_options(QN_TFB_SAME, 1, 1, QN_TFB_ACT_TANH, 1, 1)),
                QN_OK, "warning: the fused activation TANH is left out");
  expect_import(conv_model(&w, NULL, qn_tfb_pool_options(QN_TFB_SAME, 1, 1, 1, 1, 0)), QN_INVALID,
                "its options are of kind 5 instead of 1 (CONV_2D options)");
  float scales[] = {0.5f, 0.25f, 0.125f};
  w.scales = scales, w.scale_count = 3;
  expect_import(conv_model(&w, NULL, same), QN_INVALID, "3 scales for 2 output channels");
  w.scale_count = 2, w.quantized_dimension = 3;
  expect_import(conv_model(&w, NULL, same), QN_OK, "remark: quantized_dimension is 3, taken as 0");
  int64_t seven = 7;
  w.quantized_dimension = 0, w.zero_points = &seven;
  expect_import(conv_model(&w, NULL, same), QN_OK, NULL); /* compilation rejects them */
  import_run run;
  qn_tfb *b = conv_model(&w, NULL, same);
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.numerics = qn_str_of("tflm")});
  assert_true(run.status == QN_OK &&
              has_message(&run, "warning: zero points of int8 weights other than 0 are ignored"));
  import_end(&run);
  qn_tfb_destroy(b);
  w = int8_tensor("w", QN_TFB_SHAPE(2, 3, 3, 3));
  expect_import(conv_model(&w, NULL, same), QN_INVALID,
                "2 filters of 3 channels for an input of 2 channels");
  w = int8_tensor("w", QN_TFB_SHAPE(2, 18));
  expect_import(conv_model(&w, NULL, same), QN_INVALID,
                "tensor 'w': error: rank 2 where 4 is expected");
}

static void test_bias(void **state) {
  (void)state;
  static const int8_t zeros[64] = {0};
  qn_tfb_options same = qn_tfb_conv_options(QN_TFB_SAME, 1, 1, 0, 1, 1);
  qn_tfb_tensor w = int8_tensor("w", QN_TFB_SHAPE(2, 3, 3, 2));
  w.data = zeros, w.size = 36;
  float scale = 0.25f, other = 0.5f;
  qn_tfb_tensor bias = {.name = "bias",
                        .type = QN_TFB_INT32,
                        .shape = QN_TFB_SHAPE(2),
                        .scales = &scale,
                        .scale_count = 1,
                        .data = zeros,
                        .size = 8};
  expect_import(conv_model(&w, &bias, same), QN_OK, NULL);
  bias.scales = &other;
  expect_import(conv_model(&w, &bias, same), QN_OK,
                "warning: its stored scale is not input scale times weight scale");
  bias.scales = &scale, bias.type = QN_TFB_INT64;
  expect_import(conv_model(&w, &bias, same), QN_UNSUPPORTED,
                "a bias of type int64 is not supported, only int32");
  bias.type = QN_TFB_INT32, bias.shape = QN_TFB_SHAPE(3);
  expect_import(conv_model(&w, &bias, same), QN_INVALID,
                "a bias with 3 elements for 2 output channels");
}

/* Float activations with 8-bit weights (dynamic range quantization). */
/* Floats beside weights of int8, and of other types. */
static void test_hybrid(void **state) {
  (void)state;
  static const int8_t zeros[64] = {0};
  for (int times = 0; times < 2; times++) {
    uint8_t type = times ? QN_TFB_UINT8 : QN_TFB_INT8;
    qn_tfb *b = qn_tfb_create();
    int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 4));
    int32_t w = qn_tfb_const_q8(b, "w", type, QN_TFB_SHAPE(2, 4), zeros, &HALF, 1, 0, 0);
    int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 2));
    qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 3, QN_TFB_LIST(x, w), QN_TFB_LIST(y),
              qn_tfb_fully_connected_options(0, false));
    qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
    expect_import(b, times ? QN_UNSUPPORTED : QN_OK,
                  times ? "operator 0 (FULLY_CONNECTED), tensor 'w': error: float32 input, uint8 "
                          "weights and float32 output are not supported"
                        : NULL);
  }
}

static void test_versions(void **state) {
  (void)state;
  for (int32_t version = 0; version < 100; version += 99) {
    qn_tfb *b = qn_tfb_create();
    int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2), 0.5f, 0);
    int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2), 0.5f, 0);
    qn_tfb_op(b, QN_TFB_RELU, version, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
    qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
    expect_import(b, version ? QN_UNSUPPORTED : QN_INVALID,
                  version ? "version 99 of the operator; 1 to 3 are supported"
                          : "version 0 of the operator");
  }
}

/* Shapes and numbers of operands that an operator can't have. */
static void test_operands(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  int32_t z = qn_tfb_q8(b, "z", QN_TFB_INT8, QN_TFB_SHAPE(2, 2), 0.5f, 0);
  int32_t axes = qn_tfb_const_i32(b, "axes", QN_TFB_SHAPE(1), (int32_t[]){5});
  int32_t perm = qn_tfb_const_i32(b, "perm", QN_TFB_SHAPE(2), (int32_t[]){1, 1});
  int32_t pads = qn_tfb_const_i32(b, "pads", QN_TFB_SHAPE(2, 2), (int32_t[]){1, 1, -1, 0});
  int32_t shape = qn_tfb_const_i32(b, "shape", QN_TFB_SHAPE(2), (int32_t[]){-1, 4});
  int32_t y[8];
  for (int i = 0; i < 8; i++) y[i] = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  qn_tfb_options none = qn_tfb_no_options();
  qn_tfb_op(b, QN_TFB_ADD, 1, QN_TFB_LIST(x, z), QN_TFB_LIST(y[0]), none);
  qn_tfb_op(b, QN_TFB_MEAN, 1, QN_TFB_LIST(x, axes), QN_TFB_LIST(y[1]), none);
  qn_tfb_op(b, QN_TFB_TRANSPOSE, 1, QN_TFB_LIST(x, perm), QN_TFB_LIST(y[2]), none);
  qn_tfb_op(b, QN_TFB_PAD, 1, QN_TFB_LIST(x, pads), QN_TFB_LIST(y[3]), none);
  qn_tfb_op(b, QN_TFB_RESHAPE, 1, QN_TFB_LIST(x, shape), QN_TFB_LIST(y[4]), none);
  qn_tfb_op(b, QN_TFB_CONCATENATION, 1, QN_TFB_LIST(x, z), QN_TFB_LIST(y[5]),
            qn_tfb_concat_options(0));
  qn_tfb_op(b, QN_TFB_SPLIT, 1, QN_TFB_LIST(axes, x), QN_TFB_LIST(y[6]), qn_tfb_split_options(1));
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x, x), QN_TFB_LIST(y[7]), none);
  qn_tfb_interface(b, QN_TFB_LIST(x, z), QN_TFB_LIST(y[0]));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_INVALID);
  assert_int_equal(run.cx.diag.errors, 8);
  static const char *const wanted[] = {
      "operator 0 (ADD), tensor 'z': error: shapes [2, 3] and [2, 2] cannot be broadcast",
      "operator 1 (MEAN): error: axis 5 of a tensor of rank 2",
      "operator 2 (TRANSPOSE), tensor 'perm': error: no permutation of 2 dimensions",
      "operator 3 (PAD), tensor 'pads': error: no amounts of padding for 2 dimensions",
      "operator 4 (RESHAPE), tensor 'x': error: 6 elements do not fit the shape [-1, 4]",
      "operator 5 (CONCATENATION)",
      "tensor 'z': error: shape [2, 2] cannot be joined to [2, 3] along dimension 0",
      "operator 6 (SPLIT): error: axis 5 of a tensor of rank 2",
      "operator 7 (RELU), tensor 'y': error: 2 operands; 1 are expected",
  };
  for (size_t i = 0; i < QN_COUNT(wanted); i++) {
    if (!has_message(&run, wanted[i]))
      fprintf(stderr, "missing: %s\nin:\n%s", wanted[i], run.messages.data);
    assert_true(has_message(&run, wanted[i]));
  }
  import_end(&run);
  qn_tfb_destroy(b);
}

/* ---- buckets ---- */

static qn_tfb *buckets(uint8_t type, qn_tfb_list boundaries) {
  enum { BUCKETIZE = 147, OPTIONS = 115 };
  qn_tfb *b = qn_tfb_create();
  const qn_tfb_tensor in = {.name = "x", .type = type, .shape = QN_TFB_SHAPE(2)},
                      out = {.name = "y", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(2)};
  int32_t x = qn_tfb_any(b, &in), y = qn_tfb_any(b, &out);
  qn_tfb_op(b, BUCKETIZE, 1, QN_TFB_LIST(x), QN_TFB_LIST(y),
            (qn_tfb_options){.type = OPTIONS, .vector = boundaries});
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_buckets(void **state) {
  (void)state;
  enum { ONE = 0x3f800000, TWO = 0x40000000, NO_NUMBER = 0x7fc00000 };
  expect_import(buckets(QN_TFB_INT32, QN_TFB_LIST(ONE, TWO)), QN_OK, NULL);
  expect_import(buckets(QN_TFB_INT32, QN_TFB_LIST(TWO, ONE)), QN_INVALID,
                "operator 0 (BUCKETIZE): error: boundary 1 is 1, not above the one before");
  expect_import(buckets(QN_TFB_INT32, QN_TFB_LIST(ONE, NO_NUMBER)), QN_INVALID,
                "not above the one before");
  expect_import(buckets(QN_TFB_INT32, (qn_tfb_list){0, NULL}), QN_INVALID,
                "there are no boundaries");
  expect_import(buckets(6, QN_TFB_LIST(ONE, TWO)), QN_UNSUPPORTED, "bool is not supported here");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conv),     cmocka_unit_test(test_bias),
      cmocka_unit_test(test_hybrid),   cmocka_unit_test(test_versions),
      cmocka_unit_test(test_operands), cmocka_unit_test(test_buckets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

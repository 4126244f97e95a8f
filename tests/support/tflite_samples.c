/* See tflite_samples.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tflite_samples_numbers.h"

static const int8_t WEIGHTS[96] = {3,  -7, 11, 5,  -2, 9,  -4, 8, 1, -6,
                                   12, -3, 7,  -5, 2,  10, -8, 4, 6, -1};
static const int32_t BIAS[8] = {100, -200, 300, -400, 500, -600, 700, -800};
static const float SCALES[8] = {0.01f, 0.02f, 0.03f, 0.04f, 0.05f, 0.06f, 0.07f, 0.08f};

/* A model with one input, one output, and one operator with constant operands. */
static void single(qn_tfb *b, int32_t code, qn_tfb_list x_shape, qn_tfb_list y_shape,
                   qn_tfb_options options) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, x_shape, 0.5f, -3);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, y_shape, 0.5f, -3);
  qn_tfb_op(b, code, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* Like `single`, with one int32 operand after the input. */
static void single_with(qn_tfb *b, int32_t code, qn_tfb_list x_shape, qn_tfb_list y_shape,
                        qn_tfb_list shape, const int32_t *operand, qn_tfb_options options) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, x_shape, 0.5f, -3);
  int32_t c = qn_tfb_const_i32(b, "c", shape, operand);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, y_shape, 0.5f, -3);
  qn_tfb_op(b, code, 1, QN_TFB_LIST(x, c), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void conv(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 5, 5, 3), 0.5f, 4);
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 3, 3, 3), WEIGHTS, SCALES, 2, 0, 0);
  int32_t c = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(2), BIAS);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 3, 3, 2), 0.25f, -5);
  qn_tfb_op(b, QN_TFB_CONV_2D, 3, QN_TFB_LIST(x, w, c), QN_TFB_LIST(y),
            qn_tfb_conv_options(QN_TFB_SAME, 2, 2, QN_TFB_ACT_RELU6, 1, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* uint8 with a zero point of the weights, without bias, dilated. */
static void conv_u8(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_UINT8, QN_TFB_SHAPE(2, 6, 7, 2), 0.5f, 128);
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_UINT8, QN_TFB_SHAPE(4, 2, 2, 2), WEIGHTS, SCALES, 1, 131, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_UINT8, QN_TFB_SHAPE(2, 4, 4, 4), 0.25f, 7);
  qn_tfb_op(b, QN_TFB_CONV_2D, 1, QN_TFB_LIST(x, w), QN_TFB_LIST(y),
            qn_tfb_conv_options(QN_TFB_VALID, 1, 1, QN_TFB_NONE, 2, 3));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void depthwise(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 2), 0.5f, 4);
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(1, 3, 3, 4), WEIGHTS, SCALES, 4, 0, 3);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 4), 0.25f, -5);
  qn_tfb_op(b, QN_TFB_DEPTHWISE_CONV_2D, 3, QN_TFB_LIST(x, w, -1), QN_TFB_LIST(y),
            qn_tfb_depthwise_options(QN_TFB_SAME, 1, 1, 2, QN_TFB_ACT_RELU, 1, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void linear(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 2, 2, 2), 0.5f, 4);
  int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(3, 8), WEIGHTS, SCALES, 1, 0, 0);
  int32_t c = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(3), BIAS);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.25f, -5);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(x, w, c), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void binary(qn_tfb *b, int32_t code, uint8_t type) {
  int32_t x = qn_tfb_q8(b, "x", type, QN_TFB_SHAPE(1, 2, 3, 4), 0.5f, 4);
  int32_t c = qn_tfb_const_q8(b, "c", type, QN_TFB_SHAPE(3, 1), WEIGHTS, SCALES, 1, 2, 0);
  int32_t y = qn_tfb_q8(b, "y", type, QN_TFB_SHAPE(1, 2, 3, 4), 0.25f, 5);
  qn_tfb_op(b, code, 2, QN_TFB_LIST(x, c), QN_TFB_LIST(y),
            qn_tfb_binary_options(code, QN_TFB_ACT_RELU_N1_TO_1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}
static void add(qn_tfb *b) { binary(b, QN_TFB_ADD, QN_TFB_INT8); }
static void sub(qn_tfb *b) { binary(b, QN_TFB_SUB, QN_TFB_UINT8); }
static void mul(qn_tfb *b) { binary(b, QN_TFB_MUL, QN_TFB_INT8); }

static void average_pool(qn_tfb *b) {
  single(b, QN_TFB_AVERAGE_POOL_2D, QN_TFB_SHAPE(1, 5, 5, 2), QN_TFB_SHAPE(1, 3, 3, 2),
         qn_tfb_pool_options(QN_TFB_SAME, 2, 2, 3, 3, QN_TFB_NONE));
}
static void max_pool(qn_tfb *b) {
  single(b, QN_TFB_MAX_POOL_2D, QN_TFB_SHAPE(1, 5, 5, 2), QN_TFB_SHAPE(1, 2, 2, 2),
         qn_tfb_pool_options(QN_TFB_VALID, 2, 2, 2, 3, QN_TFB_ACT_RELU));
}
static void mean(qn_tfb *b) {
  single_with(b, QN_TFB_MEAN, QN_TFB_SHAPE(1, 4, 4, 3), QN_TFB_SHAPE(1, 3), QN_TFB_SHAPE(2),
              (int32_t[]){1, -2}, qn_tfb_reducer_options(false));
}

static void unary(qn_tfb *b, int32_t code, float scale, int64_t zero_point,
                  qn_tfb_options options) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 7), 0.1f, 4);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 7), scale, zero_point);
  qn_tfb_op(b, code, 2, QN_TFB_LIST(x), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}
static void softmax(qn_tfb *b) {
  unary(b, QN_TFB_SOFTMAX, 1.0f / 256, -128, qn_tfb_softmax_options(1.0f));
}
static void logistic(qn_tfb *b) {
  unary(b, QN_TFB_LOGISTIC, 1.0f / 256, -128, qn_tfb_no_options());
}
static void tanh8(qn_tfb *b) { unary(b, QN_TFB_TANH, 1.0f / 128, 0, qn_tfb_no_options()); }
static void relu(qn_tfb *b) { unary(b, QN_TFB_RELU, 0.2f, -100, qn_tfb_no_options()); }
static void relu6(qn_tfb *b) { unary(b, QN_TFB_RELU6, 0.05f, -128, qn_tfb_no_options()); }

static void hard_swish(qn_tfb *b) {
  enum { HARD_SWISH = 117 };
  single(b, HARD_SWISH, QN_TFB_SHAPE(2, 7), QN_TFB_SHAPE(2, 7), qn_tfb_no_options());
}

static void pad(qn_tfb *b) {
  single_with(b, QN_TFB_PAD, QN_TFB_SHAPE(1, 2, 2, 3), QN_TFB_SHAPE(1, 5, 4, 3), QN_TFB_SHAPE(4, 2),
              (int32_t[]){0, 0, 1, 2, 0, 2, 0, 0}, qn_tfb_no_options());
}
static void padv2(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 4);
  int32_t p = qn_tfb_const_i32(b, "p", QN_TFB_SHAPE(2, 2), (int32_t[]){1, 0, 0, 2});
  int32_t v = qn_tfb_const_q8(b, "v", QN_TFB_INT8, QN_TFB_SHAPE(1), (int8_t[]){-7}, (float[]){0.5f},
                              1, 4, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(3, 5), 0.5f, 4);
  qn_tfb_op(b, QN_TFB_PADV2, 2, QN_TFB_LIST(x, p, v), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}
static void reshape(qn_tfb *b) {
  single_with(b, QN_TFB_RESHAPE, QN_TFB_SHAPE(2, 3, 4), QN_TFB_SHAPE(6, 4), QN_TFB_SHAPE(2),
              (int32_t[]){-1, 4}, qn_tfb_no_options());
}
static void squeeze(qn_tfb *b) {
  single(b, QN_TFB_SQUEEZE, QN_TFB_SHAPE(1, 3, 1, 2), QN_TFB_SHAPE(3, 1, 2),
         qn_tfb_squeeze_options(QN_TFB_LIST(0)));
}
static void expand_dims(qn_tfb *b) {
  single_with(b, QN_TFB_EXPAND_DIMS, QN_TFB_SHAPE(3, 2), QN_TFB_SHAPE(3, 2, 1), QN_TFB_SHAPE(1),
              (int32_t[]){-1}, qn_tfb_no_options());
}
static void transpose(qn_tfb *b) {
  single_with(b, QN_TFB_TRANSPOSE, QN_TFB_SHAPE(2, 3, 4), QN_TFB_SHAPE(4, 2, 3), QN_TFB_SHAPE(3),
              (int32_t[]){2, 0, 1}, qn_tfb_no_options());
}

/* Two inputs, one of which is also an output; uint8 with unequal parameters. */
static void concat(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_UINT8, QN_TFB_SHAPE(2, 3), 0.5f, 4);
  int32_t z = qn_tfb_q8(b, "z", QN_TFB_UINT8, QN_TFB_SHAPE(2, 2), 0.25f, 9);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_UINT8, QN_TFB_SHAPE(2, 5), 0.5f, 4);
  qn_tfb_op(b, QN_TFB_CONCATENATION, 1, QN_TFB_LIST(x, z), QN_TFB_LIST(y),
            qn_tfb_concat_options(-1));
  qn_tfb_interface(b, QN_TFB_LIST(x, z), QN_TFB_LIST(y, x));
}
static void split(qn_tfb *b) {
  int32_t a = qn_tfb_const_i32(b, "axis", QN_TFB_EMPTY, (int32_t[]){1});
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 6), 0.5f, 4);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 4);
  int32_t z = qn_tfb_q8(b, "z", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 4);
  qn_tfb_op(b, QN_TFB_SPLIT, 1, QN_TFB_LIST(a, x), QN_TFB_LIST(y, z), qn_tfb_split_options(2));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y, z));
}
static void strided_slice(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(4, 5, 6), 0.5f, 4);
  int32_t begin = qn_tfb_const_i32(b, "begin", QN_TFB_SHAPE(3), (int32_t[]){1, -1, 0});
  int32_t end = qn_tfb_const_i32(b, "end", QN_TFB_SHAPE(3), (int32_t[]){2, 0, 99});
  int32_t stride = qn_tfb_const_i32(b, "stride", QN_TFB_SHAPE(3), (int32_t[]){1, -2, 4});
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 2), 0.5f, 4);
  qn_tfb_op(b, QN_TFB_STRIDED_SLICE, 1, QN_TFB_LIST(x, begin, end, stride), QN_TFB_LIST(y),
            qn_tfb_slice_options(0, 0, 0, 0, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* float32 inputs and outputs: QUANTIZE, QUANTIZE to uint8, DEQUANTIZE. */
static void quantize(qn_tfb *b) {
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 6));
  int32_t q = qn_tfb_q8(b, "q", QN_TFB_INT8, QN_TFB_SHAPE(1, 6), 0.5f, 4);
  int32_t r = qn_tfb_q8(b, "r", QN_TFB_UINT8, QN_TFB_SHAPE(1, 6), 0.25f, 100);
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 6));
  qn_tfb_op(b, QN_TFB_QUANTIZE, 1, QN_TFB_LIST(x), QN_TFB_LIST(q), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_QUANTIZE, 1, QN_TFB_LIST(q), QN_TFB_LIST(r), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_DEQUANTIZE, 2, QN_TFB_LIST(r), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* float32: LOGISTIC, and a FULLY_CONNECTED with bias. */
static void linear_f32(qn_tfb *b) {
  static const float ONES[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  const qn_tfb_tensor weights = {.name = "w",
                                 .type = QN_TFB_FLOAT32,
                                 .shape = QN_TFB_SHAPE(2, 4),
                                 .data = ONES,
                                 .size = sizeof ONES};
  const qn_tfb_tensor bias = {
      .name = "b", .type = QN_TFB_FLOAT32, .shape = QN_TFB_SHAPE(2), .data = ONES, .size = 8};
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(3, 4)), s = qn_tfb_f32(b, "s", QN_TFB_SHAPE(3, 4));
  int32_t w = qn_tfb_any(b, &weights), c = qn_tfb_any(b, &bias);
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(3, 2));
  qn_tfb_op(b, QN_TFB_LOGISTIC, 1, QN_TFB_LIST(x), QN_TFB_LIST(s), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 3, QN_TFB_LIST(s, w, c), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_ACT_RELU, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}
/* int64 tensors, which are only moved. */
static void reshape_i64(qn_tfb *b) {
  const qn_tfb_tensor in = {.name = "x", .type = QN_TFB_INT64, .shape = QN_TFB_SHAPE(2, 3)};
  const qn_tfb_tensor out = {.name = "y", .type = QN_TFB_INT64, .shape = QN_TFB_SHAPE(6)};
  int32_t x = qn_tfb_any(b, &in), y = qn_tfb_any(b, &out);
  int32_t shape = qn_tfb_const_i32(b, "shape", QN_TFB_SHAPE(1), (int32_t[]){-1});
  qn_tfb_op(b, QN_TFB_RESHAPE, 1, QN_TFB_LIST(x, shape), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* int16 input, int8 intermediate tensor, int32 output. */
static void requantize(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT16, QN_TFB_SHAPE(1, 6), 0.001f, 0);
  int32_t q = qn_tfb_q8(b, "q", QN_TFB_INT8, QN_TFB_SHAPE(1, 6), 0.25f, 4);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT32, QN_TFB_SHAPE(1, 6), 0.0001f, 0);
  qn_tfb_op(b, QN_TFB_QUANTIZE, 1, QN_TFB_LIST(x), QN_TFB_LIST(q), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_QUANTIZE, 1, QN_TFB_LIST(q), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void softmax16(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 7), 0.1f, 4);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT16, QN_TFB_SHAPE(2, 7), 1.0f / 65535, -32768);
  qn_tfb_op(b, QN_TFB_SOFTMAX, 2, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_softmax_options(1.0f));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* Three units with two filters each, over the last four inputs. */
static void svdf(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 5), 0.5f, 3);
  int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(6, 5), WEIGHTS, SCALES, 1, 0, 0);
  int32_t t =
      qn_tfb_const_q8(b, "t", QN_TFB_INT8, QN_TFB_SHAPE(6, 4), WEIGHTS + 7, SCALES, 1, 0, 0);
  int32_t c = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(3), BIAS);
  int32_t s = qn_tfb_state(b, "s", QN_TFB_INT8, QN_TFB_SHAPE(2, 24), 0.75f, -9);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.25f, -128);
  qn_tfb_op(b, QN_TFB_SVDF, 3, QN_TFB_LIST(x, w, t, c, s), QN_TFB_LIST(y), qn_tfb_svdf_options(2));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* Two units, inputs of three elements, four time steps. */
static void lstm(qn_tfb *b) {
  int32_t in[24], x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 3), 0.1f, 3);
  for (int i = 0; i < 24; i++) in[i] = -1;
  in[0] = x;
  for (int g = 0; g < 4; g++) {
    in[1 + g] =
        qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), WEIGHTS + 6 * g, SCALES, 1, 0, 0);
    in[5 + g] =
        qn_tfb_const_q8(b, "r", QN_TFB_INT8, QN_TFB_SHAPE(2, 2), WEIGHTS + 4 * g, SCALES, 1, 0, 0);
    in[12 + g] = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(2), BIAS + g);
  }
  in[18] = qn_tfb_state(b, "h", QN_TFB_INT8, QN_TFB_SHAPE(1, 2), 0.0078125f, -5);
  in[19] = qn_tfb_state(b, "c", QN_TFB_INT16, QN_TFB_SHAPE(1, 2), 0x1p-11f, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 2), 0.0078125f, -5);
  qn_tfb_op(b, QN_TFB_LSTM, 1, (qn_tfb_list){24, in}, QN_TFB_LIST(y),
            qn_tfb_lstm_options(QN_TFB_ACT_TANH, 10.0f, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* int16 activations, int8 weights and an int64 bias; then logistic. */
static void conv16(qn_tfb *b) {
  static const int64_t BIAS64[2] = {INT64_C(1) << 40, -7};
  const qn_tfb_tensor bias = {
      .name = "b", .type = QN_TFB_INT64, .shape = QN_TFB_SHAPE(2), .data = BIAS64, .size = 16};
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT16, QN_TFB_SHAPE(1, 5, 5, 3), 0.5f, 0);
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 3, 3, 3), WEIGHTS, SCALES, 2, 0, 0);
  int32_t c = qn_tfb_any(b, &bias);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT16, QN_TFB_SHAPE(1, 3, 3, 2), 0.25f, 0);
  int32_t z = qn_tfb_q8(b, "z", QN_TFB_INT16, QN_TFB_SHAPE(1, 3, 3, 2), 1.0f / 32768, 0);
  qn_tfb_op(b, QN_TFB_CONV_2D, 4, QN_TFB_LIST(x, w, c), QN_TFB_LIST(y),
            qn_tfb_conv_options(QN_TFB_SAME, 2, 2, QN_TFB_NONE, 1, 1));
  qn_tfb_op(b, QN_TFB_LOGISTIC, 3, QN_TFB_LIST(y), QN_TFB_LIST(z), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(z));
}

#define S(name, ops) {#name, qn_sample_##name, ops},
const qn_tflite_sample qn_tflite_samples[] = {
    {"conv", conv,
     "ml.conv activation=relu6 dilations=1,1 groups=1 pad=1,1,1,1 strides=2,2 [1,3,3,2]"},
    {"conv_u8", conv_u8, "ml.conv dilations=2,3 groups=1 pad=0,0,0,0 strides=1,1 [2,4,4,4]"},
    {"depthwise", depthwise,
     "ml.depthwise_conv activation=relu dilations=1,1 pad=1,1,1,1 strides=1,1 [1,4,4,4]"},
    {"linear", linear, "ml.reshape [2,8]; ml.linear [2,3]"},
    {"add", add, "ml.add activation=relu_n1_to_1 [1,2,3,4]"},
    {"sub", sub, "ml.sub activation=relu_n1_to_1 [1,2,3,4]"},
    {"mul", mul, "ml.mul activation=relu_n1_to_1 [1,2,3,4]"},
    {"average_pool", average_pool,
     "ml.avg_pool kernel_sizes=3,3 pad=1,1,1,1 strides=2,2 [1,3,3,2]"},
    {"max_pool", max_pool,
     "ml.max_pool activation=relu kernel_sizes=2,3 pad=0,0,0,0 strides=2,2 [1,2,2,2]"},
    {"mean", mean, "ml.reduce_mean axes=1,2 keep_dims=false [1,3]"},
    {"softmax", softmax, "ml.softmax beta=1 [2,7]"},
    {"logistic", logistic, "ml.sigmoid [2,7]"},
    {"tanh", tanh8, "ml.tanh [2,7]"},
    {"relu", relu, "ml.relu [2,7]"},
    {"relu6", relu6, "ml.relu6 [2,7]"},
    {"hard_swish", hard_swish, "ml.hard_swish [2,7]"},
    {"pad", pad, "ml.pad pad=0,0,1,2,0,2,0,0 [1,5,4,3]"},
    {"padv2", padv2, "ml.pad pad=1,0,0,2 value=-7 [3,5]"},
    {"reshape", reshape, "ml.reshape [6,4]"},
    {"squeeze", squeeze, "ml.squeeze axes=0 [3,1,2]"},
    {"expand_dims", expand_dims, "ml.expand_dims axes=2 [3,2,1]"},
    {"transpose", transpose, "ml.transpose perm=2,0,1 [4,2,3]"},
    {"concat", concat, "ml.concat axis=1 [2,5]"},
    {"split", split, "ml.split axis=1 [2,3] [2,3]"},
    {"strided_slice", strided_slice,
     "ml.slice_by_index begin=1,4,0 end=2,0,6 stride=1,-2,4 [1,2,2]; ml.reshape [2,2]"},
    {"linear_f32", linear_f32, "ml.sigmoid [3,4]; ml.linear activation=relu [3,2]"},
    {"reshape_i64", reshape_i64, "ml.reshape [6]"},
    {"quantize", quantize, "quant.qcast [1,6]; ml.requantize [1,6]; quant.dcast [1,6]"},
    {"requantize", requantize, "ml.requantize [1,6]; ml.requantize [1,6]"},
    {"softmax16", softmax16, "ml.softmax beta=1 [2,7]"},
    {"conv16", conv16,
     "ml.conv dilations=1,1 groups=1 pad=1,1,1,1 strides=2,2 [1,3,3,2]; ml.sigmoid [1,3,3,2]"},
    {"svdf", svdf, "ml.svdf [2,3] [2,24]"},
    {"lstm", lstm,
     "ml.lstm cell_clip=10 operandSegmentSizes=1,2,4,4,4,0,0,0 time_major=false [1,4,2] [1,2] "
     "[1,2]"},
    QN_SAMPLES_OF_NUMBERS(S)};
const uint32_t qn_tflite_sample_count = sizeof qn_tflite_samples / sizeof *qn_tflite_samples;

/* Samples of operators on numbers of any type, and of data movement operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tflite_samples_numbers.h"

static qn_tfb_options one_option(uint8_t type, uint16_t id, uint8_t width, uint32_t bits) {
  qn_tfb_options options = {.type = type, .count = 1};
  options.fields[0].id = id;
  options.fields[0].width = width;
  options.fields[0].bits = bits;
  return options;
}

static int32_t plain(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape) {
  const qn_tfb_tensor tensor = {.name = name, .type = type, .shape = shape};
  return qn_tfb_any(b, &tensor);
}
static int32_t byte(qn_tfb *b, const char *name, qn_tfb_list shape) {
  return qn_tfb_q8(b, name, QN_TFB_INT8, shape, 0.5f, -3);
}

/* Input, constant int32 operands (count 0: none), output. */
typedef struct operand {
  uint32_t count;
  const int32_t *values;
} operand;
#define OPERAND(...)                                                                               \
  {                                                                                                \
    sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t), (const int32_t[]) { __VA_ARGS__ }    \
  }

static void with(qn_tfb *b, int32_t code, qn_tfb_list x_shape, const operand operands[2],
                 qn_tfb_list y_shape, qn_tfb_options options) {
  int32_t inputs[3] = {byte(b, "x", x_shape)};
  uint32_t count = 1;
  for (uint32_t i = 0; i < 2 && operands[i].count; i++) {
    const int32_t shape[] = {(int32_t)operands[i].count};
    inputs[count++] = qn_tfb_const_i32(b, "c", (qn_tfb_list){1, shape}, operands[i].values);
  }
  int32_t y = byte(b, "y", y_shape);
  qn_tfb_op(b, code, 1, (qn_tfb_list){count, inputs}, QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(inputs[0]), QN_TFB_LIST(y));
}

void qn_sample_leaky_relu(qn_tfb *b) {
  const operand operands[2] = {{0, NULL}, {0, NULL}};
  with(b, 98, QN_TFB_SHAPE(2, 3), operands, QN_TFB_SHAPE(2, 3), one_option(75, 0, 4, 0x3e800000));
}

void qn_sample_elu(qn_tfb *b) {
  const operand operands[2] = {{0, NULL}, {0, NULL}};
  with(b, 111, QN_TFB_SHAPE(2, 3), operands, QN_TFB_SHAPE(2, 3), qn_tfb_no_options());
}

void qn_sample_abs8(qn_tfb *b) {
  const operand operands[2] = {{0, NULL}, {0, NULL}};
  with(b, 101, QN_TFB_SHAPE(2, 3), operands, QN_TFB_SHAPE(2, 3), qn_tfb_no_options());
}

void qn_sample_reduce_max(qn_tfb *b) {
  const operand operands[2] = {OPERAND(0, -1), {0, NULL}};
  with(b, 82, QN_TFB_SHAPE(2, 3, 4), operands, QN_TFB_SHAPE(3), qn_tfb_reducer_options(false));
}

void qn_sample_matmul(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(2, 3, 5)), y = byte(b, "y", QN_TFB_SHAPE(4, 5));
  int32_t z = byte(b, "z", QN_TFB_SHAPE(2, 3, 4));
  qn_tfb_op(b, 126, 2, QN_TFB_LIST(x, y), QN_TFB_LIST(z), one_option(101, 1, 1, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x, y), QN_TFB_LIST(z));
}

/* int8 products summed to int32; floats times an int8 constant. */
void qn_sample_matmul_sums(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(3, 5)), y = byte(b, "y", QN_TFB_SHAPE(5, 4));
  int32_t z = plain(b, "z", QN_TFB_INT32, QN_TFB_SHAPE(3, 4));
  qn_tfb_op(b, 126, 4, QN_TFB_LIST(x, y), QN_TFB_LIST(z), one_option(101, 1, 1, 0));
  qn_tfb_interface(b, QN_TFB_LIST(x, y), QN_TFB_LIST(z));
}
void qn_sample_matmul_hybrid(qn_tfb *b) {
  static const int8_t weights[6] = {1, 2, 3, -4, -5, -6};
  static const float scale = 0.5f;
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(2, 3)), z = qn_tfb_f32(b, "z", QN_TFB_SHAPE(2, 2));
  int32_t y = qn_tfb_const_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(3, 2), weights, &scale, 1, 0, 0);
  qn_tfb_op(b, 126, 4, QN_TFB_LIST(x, y), QN_TFB_LIST(z), one_option(101, 2, 1, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(z));
}

void qn_sample_reduce_prod(qn_tfb *b) {
  const operand operands[2] = {OPERAND(-1), {0, NULL}};
  with(b, 81, QN_TFB_SHAPE(2, 3), operands, QN_TFB_SHAPE(2), qn_tfb_reducer_options(false));
}

/* int16 with int8 slopes. */
void qn_sample_prelu16(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT16, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  int32_t slopes = byte(b, "slopes", QN_TFB_SHAPE(3));
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT16, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  qn_tfb_op(b, 54, 1, QN_TFB_LIST(x, slopes), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x, slopes), QN_TFB_LIST(y));
}

void qn_sample_sum(qn_tfb *b) {
  const operand operands[2] = {OPERAND(1), {0, NULL}};
  with(b, 74, QN_TFB_SHAPE(2, 3), operands, QN_TFB_SHAPE(2, 1), qn_tfb_reducer_options(true));
}

void qn_sample_resize_bilinear(qn_tfb *b) {
  const operand operands[2] = {OPERAND(5, 6), {0, NULL}};
  with(b, 23, QN_TFB_SHAPE(1, 2, 3, 4), operands, QN_TFB_SHAPE(1, 5, 6, 4),
       one_option(15, 3, 1, 1));
}

void qn_sample_resize_nearest(qn_tfb *b) {
  const operand operands[2] = {OPERAND(5, 6), {0, NULL}};
  with(b, 97, QN_TFB_SHAPE(1, 2, 3, 4), operands, QN_TFB_SHAPE(1, 5, 6, 4), qn_tfb_no_options());
}

void qn_sample_gather(qn_tfb *b) {
  const operand operands[2] = {OPERAND(2, 0), {0, NULL}};
  with(b, 36, QN_TFB_SHAPE(4, 3), operands, QN_TFB_SHAPE(4, 2), one_option(23, 0, 4, 1));
}

void qn_sample_gather_nd(qn_tfb *b) {
  const operand operands[2] = {OPERAND(2), {0, NULL}};
  with(b, 107, QN_TFB_SHAPE(4, 3), operands, QN_TFB_SHAPE(3), qn_tfb_no_options());
}

void qn_sample_tile(qn_tfb *b) {
  const operand operands[2] = {OPERAND(1, 2), {0, NULL}};
  with(b, 69, QN_TFB_SHAPE(2, 3), operands, QN_TFB_SHAPE(2, 6), qn_tfb_no_options());
}

void qn_sample_reverse(qn_tfb *b) {
  const operand operands[2] = {OPERAND(-1), {0, NULL}};
  with(b, 105, QN_TFB_SHAPE(2, 3), operands, QN_TFB_SHAPE(2, 3), qn_tfb_no_options());
}

void qn_sample_space_to_depth(qn_tfb *b) {
  const operand operands[2] = {{0, NULL}, {0, NULL}};
  with(b, 26, QN_TFB_SHAPE(1, 2, 4, 3), operands, QN_TFB_SHAPE(1, 1, 2, 12),
       one_option(19, 0, 4, 2));
}

void qn_sample_depth_to_space(qn_tfb *b) {
  const operand operands[2] = {{0, NULL}, {0, NULL}};
  with(b, 5, QN_TFB_SHAPE(1, 1, 2, 12), operands, QN_TFB_SHAPE(1, 2, 4, 3),
       one_option(94, 0, 4, 2));
}

void qn_sample_slice(qn_tfb *b) {
  const operand operands[2] = {OPERAND(1, 0), OPERAND(2, -1)};
  with(b, 65, QN_TFB_SHAPE(4, 3), operands, QN_TFB_SHAPE(2, 3), qn_tfb_no_options());
}

void qn_sample_broadcast_to(qn_tfb *b) {
  const operand operands[2] = {OPERAND(2, 3), {0, NULL}};
  with(b, 130, QN_TFB_SHAPE(3), operands, QN_TFB_SHAPE(2, 3), qn_tfb_no_options());
}

void qn_sample_mirror_pad(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(2, 3));
  int32_t p = qn_tfb_const_i32(b, "p", QN_TFB_SHAPE(2, 2), (int32_t[]){1, 0, 0, 2});
  int32_t y = byte(b, "y", QN_TFB_SHAPE(3, 5));
  qn_tfb_op(b, 100, 1, QN_TFB_LIST(x, p), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void blocks(qn_tfb *b, int32_t code, qn_tfb_list x_shape, const int32_t *border,
                   qn_tfb_list y_shape) {
  int32_t x = byte(b, "x", x_shape);
  int32_t s = qn_tfb_const_i32(b, "s", QN_TFB_SHAPE(2), (int32_t[]){2, 1});
  int32_t p = qn_tfb_const_i32(b, "p", QN_TFB_SHAPE(2, 2), border);
  int32_t y = byte(b, "y", y_shape);
  qn_tfb_op(b, code, 1, QN_TFB_LIST(x, s, p), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}
void qn_sample_space_to_batch(qn_tfb *b) {
  blocks(b, 38, QN_TFB_SHAPE(1, 3, 2, 2), (int32_t[]){0, 1, 0, 0}, QN_TFB_SHAPE(2, 2, 2, 2));
}
void qn_sample_batch_to_space(qn_tfb *b) {
  blocks(b, 37, QN_TFB_SHAPE(2, 2, 2, 2), (int32_t[]){1, 0, 0, 0}, QN_TFB_SHAPE(1, 3, 2, 2));
}

void qn_sample_split_v(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(2, 6));
  int32_t sizes = qn_tfb_const_i32(b, "sizes", QN_TFB_SHAPE(2), (int32_t[]){2, -1});
  int32_t axis = qn_tfb_const_i32(b, "axis", QN_TFB_EMPTY, (int32_t[]){1});
  int32_t y = byte(b, "y", QN_TFB_SHAPE(2, 2)), z = byte(b, "z", QN_TFB_SHAPE(2, 4));
  qn_tfb_op(b, 102, 1, QN_TFB_LIST(x, sizes, axis), QN_TFB_LIST(y, z), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y, z));
}

/* UNPACK, then PACK along another axis. */
void qn_sample_pack(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(2, 3));
  int32_t u = byte(b, "u", QN_TFB_SHAPE(3)), v = byte(b, "v", QN_TFB_SHAPE(3));
  int32_t y = byte(b, "y", QN_TFB_SHAPE(3, 2));
  qn_tfb_op(b, 88, 1, QN_TFB_LIST(x), QN_TFB_LIST(u, v), qn_tfb_no_options());
  qn_tfb_op(b, 83, 1, QN_TFB_LIST(u, v), QN_TFB_LIST(y), one_option(59, 1, 4, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* int32: FLOOR_DIV, LESS, SELECT_V2, CAST, and ARG_MAX. */
void qn_sample_whole(qn_tfb *b) {
  int32_t x = plain(b, "x", QN_TFB_INT32, QN_TFB_SHAPE(2, 3));
  int32_t c = qn_tfb_const_i32(b, "c", QN_TFB_SHAPE(3), (int32_t[]){2, -3, 5});
  int32_t d = plain(b, "d", QN_TFB_INT32, QN_TFB_SHAPE(2, 3));
  int32_t l = plain(b, "l", 6, QN_TFB_SHAPE(2, 3)),
          s = plain(b, "s", QN_TFB_INT32, QN_TFB_SHAPE(2, 3));
  int32_t f = qn_tfb_f32(b, "f", QN_TFB_SHAPE(2, 3));
  int32_t axis = qn_tfb_const_i32(b, "axis", QN_TFB_EMPTY, (int32_t[]){-1});
  int32_t y = plain(b, "y", QN_TFB_INT64, QN_TFB_SHAPE(2));
  qn_tfb_op(b, 90, 1, QN_TFB_LIST(x, c), QN_TFB_LIST(d), qn_tfb_no_options());
  qn_tfb_op(b, 58, 1, QN_TFB_LIST(d, x), QN_TFB_LIST(l), qn_tfb_no_options());
  qn_tfb_op(b, 123, 1, QN_TFB_LIST(l, d, c), QN_TFB_LIST(s), qn_tfb_no_options());
  qn_tfb_op(b, 53, 1, QN_TFB_LIST(s), QN_TFB_LIST(f), qn_tfb_no_options());
  qn_tfb_op(b, 56, 1, QN_TFB_LIST(f, axis), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* The result of SHAPE is known at import, so RESHAPE uses it as a constant. */
void qn_sample_shape_of(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(2, 3)), z = byte(b, "z", QN_TFB_SHAPE(6));
  int32_t s = plain(b, "s", QN_TFB_INT32, QN_TFB_SHAPE(2)), y = byte(b, "y", QN_TFB_SHAPE(2, 3));
  qn_tfb_op(b, 77, 1, QN_TFB_LIST(x), QN_TFB_LIST(s), qn_tfb_no_options());
  qn_tfb_op(b, 22, 1, QN_TFB_LIST(z, s), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x, z), QN_TFB_LIST(y));
}

static const int8_t TAPS[18] = {1,  -2,  3,  -4,  5,  -6,  7,  -8,  9,
                                10, -11, 12, -13, 14, -15, 16, -17, 18};

void qn_sample_transpose_conv(qn_tfb *b) {
  static const float SCALES[2] = {0.01f, 0.02f};
  int32_t s = qn_tfb_const_i32(b, "shape", QN_TFB_SHAPE(4), (int32_t[]){1, 5, 5, 2});
  int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 3, 3, 1), TAPS, SCALES, 2, 0, 0);
  int32_t x = byte(b, "x", QN_TFB_SHAPE(1, 2, 2, 1)), y = byte(b, "y", QN_TFB_SHAPE(1, 5, 5, 2));
  qn_tfb_options options = one_option(49, 1, 4, 2);
  options.count = 3;
  options.fields[1] = options.fields[0];
  options.fields[1].id = 2;
  options.fields[2].id = 0;
  options.fields[2].width = 1;
  options.fields[2].bits = QN_TFB_VALID;
  qn_tfb_op(b, 67, 1, QN_TFB_LIST(s, w, x), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* VALID padding, with stride 2 over planes. */
static qn_tfb_options volume_options(void) {
  static const uint32_t strides[] = {2, 1, 1};
  qn_tfb_options options = one_option(106, 0, 1, QN_TFB_VALID);
  options.count = 4;
  for (uint16_t i = 0; i < 3; i++) {
    options.fields[1 + i].id = (uint16_t)(i + 1);
    options.fields[1 + i].width = 4;
    options.fields[1 + i].bits = strides[i];
  }
  return options;
}
static int32_t volume_weights(qn_tfb *b) {
  static const float VALUES[4] = {1, -2, 0.5f, 3};
  const qn_tfb_tensor weights = {.name = "w",
                                 .type = QN_TFB_FLOAT32,
                                 .shape = QN_TFB_SHAPE(2, 1, 2, 1, 1),
                                 .data = VALUES,
                                 .size = sizeof VALUES};
  return qn_tfb_any(b, &weights);
}

void qn_sample_conv_3d(qn_tfb *b) {
  const qn_tfb_tensor of_any_batch = {.name = "x",
                                      .type = QN_TFB_FLOAT32,
                                      .shape = QN_TFB_SHAPE(1, 4, 2, 2, 1),
                                      .signature = QN_TFB_SHAPE(-1, 4, 2, 2, 1)};
  int32_t w = volume_weights(b), x = qn_tfb_any(b, &of_any_batch),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 2, 2, 1, 1));
  qn_tfb_op(b, 132, 1, QN_TFB_LIST(x, w), QN_TFB_LIST(y), volume_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

void qn_sample_conv_3d_transpose(qn_tfb *b) {
  int32_t s = qn_tfb_const_i32(b, "shape", QN_TFB_SHAPE(5), (int32_t[]){1, 5, 2, 3, 1});
  int32_t w = volume_weights(b), x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 2, 2, 2, 1)),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 5, 2, 3, 1));
  qn_tfb_op(b, 141, 1, QN_TFB_LIST(s, w, x), QN_TFB_LIST(y), volume_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* EMBEDDING_LOOKUP of a filled table, and a sum of three. */
void qn_sample_filled(qn_tfb *b) {
  int32_t ids = plain(b, "ids", QN_TFB_INT32, QN_TFB_SHAPE(3));
  int32_t dims = qn_tfb_const_i32(b, "dims", QN_TFB_SHAPE(2), (int32_t[]){4, 2});
  int32_t value = qn_tfb_const_i32(b, "value", QN_TFB_EMPTY, (int32_t[]){7});
  int32_t table = plain(b, "table", QN_TFB_INT32, QN_TFB_SHAPE(4, 2));
  int32_t r = plain(b, "r", QN_TFB_INT32, QN_TFB_SHAPE(3, 2)),
          y = plain(b, "y", QN_TFB_INT32, QN_TFB_SHAPE(3, 2));
  qn_tfb_op(b, 94, 1, QN_TFB_LIST(dims, value), QN_TFB_LIST(table), qn_tfb_no_options());
  qn_tfb_op(b, 7, 1, QN_TFB_LIST(ids, table), QN_TFB_LIST(r), qn_tfb_no_options());
  qn_tfb_op(b, 106, 1, QN_TFB_LIST(r, r, r), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(ids), QN_TFB_LIST(y));
}

/* ---- by indices ---- */

void qn_sample_one_hot(qn_tfb *b) {
  int32_t x = plain(b, "x", QN_TFB_INT32, QN_TFB_SHAPE(3)),
          y = plain(b, "y", QN_TFB_INT32, QN_TFB_SHAPE(3, 4));
  int32_t depth = qn_tfb_const_i32(b, "depth", QN_TFB_EMPTY, (int32_t[]){4});
  int32_t on = qn_tfb_const_i32(b, "on", QN_TFB_EMPTY, (int32_t[]){5});
  int32_t off = qn_tfb_const_i32(b, "off", QN_TFB_EMPTY, (int32_t[]){-1});
  qn_tfb_op(b, 85, 1, QN_TFB_LIST(x, depth, on, off), QN_TFB_LIST(y),
            one_option(61, 0, 4, UINT32_MAX));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

void qn_sample_top(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(2, 3)), y = byte(b, "y", QN_TFB_SHAPE(2, 2));
  int32_t k = qn_tfb_const_i32(b, "k", QN_TFB_EMPTY, (int32_t[]){2});
  int32_t at = plain(b, "at", QN_TFB_INT32, QN_TFB_SHAPE(2, 2));
  qn_tfb_op(b, 48, 1, QN_TFB_LIST(x, k), QN_TFB_LIST(y, at), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y, at));
}

/* Two classes, three detections with one class each, score threshold 0.25, intersection over union
 * 0.5. */
void qn_sample_detections(qn_tfb *b) {
  static const uint8_t options[] = {
      109, 97,  120, 95,  100, 101, 116, 101, 99, 116, 105, 111, 110, 115, 0,   109, 97,  120,
      95,  99,  108, 97,  115, 115, 101, 115, 95, 112, 101, 114, 95,  100, 101, 116, 101, 99,
      116, 105, 111, 110, 0,   110, 117, 109, 95, 99,  108, 97,  115, 115, 101, 115, 0,   110,
      109, 115, 95,  115, 99,  111, 114, 101, 95, 116, 104, 114, 101, 115, 104, 111, 108, 100,
      0,   110, 109, 115, 95,  105, 111, 117, 95, 116, 104, 114, 101, 115, 104, 111, 108, 100,
      0,   121, 95,  115, 99,  97,  108, 101, 0,  120, 95,  115, 99,  97,  108, 101, 0,   104,
      95,  115, 99,  97,  108, 101, 0,   119, 95, 115, 99,  97,  108, 101, 0,   9,   17,  110,
      126, 54,  75,  88,  15,  32,  41,  0,   0,  0,   12,  0,   0,   0,   1,   0,   0,   0,
      9,   0,   0,   0,   0,   0,   160, 64,  1,  0,   0,   0,   3,   0,   0,   0,   0,   0,
      0,   63,  0,   0,   128, 62,  2,   0,   0,  0,   0,   0,   160, 64,  0,   0,   32,  65,
      0,   0,   32,  65,  14,  6,   6,   14,  14, 6,   14,  14,  14,  45,  38,  1};
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 5, 4)),
          s = qn_tfb_f32(b, "s", QN_TFB_SHAPE(1, 5, 3)), a = qn_tfb_f32(b, "a", QN_TFB_SHAPE(5, 4)),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 3, 4)), c = qn_tfb_f32(b, "c", QN_TFB_SHAPE(1, 3)),
          v = qn_tfb_f32(b, "v", QN_TFB_SHAPE(1, 3)), n = qn_tfb_f32(b, "n", QN_TFB_SHAPE(1));
  qn_tfb_op(b, QN_TFB_CUSTOM, 1, QN_TFB_LIST(x, s, a), QN_TFB_LIST(y, c, v, n),
            qn_tfb_no_options());
  qn_tfb_custom_name(b, "TFLite_Detection_PostProcess");
  qn_tfb_custom_options(b, options, sizeof options);
  qn_tfb_interface(b, QN_TFB_LIST(x, s, a), QN_TFB_LIST(y, c, v, n));
}

void qn_sample_diagonals(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(2, 3)), y = byte(b, "y", QN_TFB_SHAPE(2, 3, 3)),
          z = byte(b, "z", QN_TFB_SHAPE(2, 3, 3));
  qn_tfb_op(b, 113, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_op(b, 115, 1, QN_TFB_LIST(y, x), QN_TFB_LIST(z), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(z));
}

void qn_sample_reverse_sequence(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(4, 3)), y = byte(b, "y", QN_TFB_SHAPE(4, 3));
  int32_t lengths = plain(b, "lengths", QN_TFB_INT32, QN_TFB_SHAPE(3));
  qn_tfb_op(b, 112, 1, QN_TFB_LIST(x, lengths), QN_TFB_LIST(y), one_option(87, 1, 4, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x, lengths), QN_TFB_LIST(y));
}

void qn_sample_segments(qn_tfb *b) {
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(4, 3)), y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(2, 3));
  int32_t numbers = plain(b, "numbers", QN_TFB_INT32, QN_TFB_SHAPE(4));
  int32_t count = qn_tfb_const_i32(b, "count", QN_TFB_EMPTY, (int32_t[]){2});
  qn_tfb_op(b, 154, 1, QN_TFB_LIST(x, numbers, count), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x, numbers), QN_TFB_LIST(y));
}

void qn_sample_root_of_squares(qn_tfb *b) {
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 4, 4, 2)),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 2, 2, 2)),
          z = qn_tfb_f32(b, "z", QN_TFB_SHAPE(1, 2, 2, 2));
  qn_tfb_op(b, 12, 1, QN_TFB_LIST(x), QN_TFB_LIST(y),
            qn_tfb_pool_options(QN_TFB_VALID, 2, 2, 2, 2, QN_TFB_NONE));
  qn_tfb_op(b, 158, 1, QN_TFB_LIST(y), QN_TFB_LIST(z), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(z));
}

void qn_sample_scatter(qn_tfb *b) {
  int32_t at = plain(b, "at", QN_TFB_INT32, QN_TFB_SHAPE(2, 1)),
          x = byte(b, "x", QN_TFB_SHAPE(2, 3));
  int32_t shape = qn_tfb_const_i32(b, "shape", QN_TFB_SHAPE(2), (int32_t[]){4, 3});
  int32_t y = byte(b, "y", QN_TFB_SHAPE(4, 3));
  qn_tfb_op(b, 122, 1, QN_TFB_LIST(at, x, shape), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(at, x), QN_TFB_LIST(y));
}

void qn_sample_update_slice(qn_tfb *b) {
  int32_t x = byte(b, "x", QN_TFB_SHAPE(4, 3)), u = byte(b, "u", QN_TFB_SHAPE(2, 3));
  int32_t at = plain(b, "at", QN_TFB_INT32, QN_TFB_SHAPE(2)), y = byte(b, "y", QN_TFB_SHAPE(4, 3));
  qn_tfb_op(b, 151, 1, QN_TFB_LIST(x, u, at), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x, u, at), QN_TFB_LIST(y));
}

/* A reverse, exclusive sum. */
void qn_sample_cumsum(qn_tfb *b) {
  int32_t x = plain(b, "x", QN_TFB_INT32, QN_TFB_SHAPE(2, 3)),
          y = plain(b, "y", QN_TFB_INT32, QN_TFB_SHAPE(2, 3));
  int32_t axis = qn_tfb_const_i32(b, "axis", QN_TFB_EMPTY, (int32_t[]){-1});
  qn_tfb_options options = one_option(102, 0, 1, 1);
  options.count = 2;
  options.fields[1] = options.fields[0];
  options.fields[1].id = 1;
  qn_tfb_op(b, 128, 1, QN_TFB_LIST(x, axis), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* L2_NORMALIZATION, LOG_SOFTMAX, LOCAL_RESPONSE_NORMALIZATION. */
void qn_sample_rows(qn_tfb *b) {
  static const uint32_t bits[] = {5, 0x3f800000, 0x3f000000, 0x3f000000}; /* 5, 1.0, 0.5, 0.5 */
  int32_t x[4];
  for (int i = 0; i < 4; i++) x[i] = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 1, 2, 3));
  qn_tfb_options options = one_option(13, 0, 4, bits[0]);
  for (options.count = 1; options.count < 4; options.count++) {
    options.fields[options.count] = options.fields[0];
    options.fields[options.count].id = (uint16_t)options.count;
    options.fields[options.count].bits = bits[options.count];
  }
  qn_tfb_op(b, 11, 1, QN_TFB_LIST(x[0]), QN_TFB_LIST(x[1]), qn_tfb_no_options());
  qn_tfb_op(b, 50, 1, QN_TFB_LIST(x[1]), QN_TFB_LIST(x[2]), qn_tfb_no_options());
  qn_tfb_op(b, 13, 1, QN_TFB_LIST(x[2]), QN_TFB_LIST(x[3]), options);
  qn_tfb_interface(b, QN_TFB_LIST(x[0]), QN_TFB_LIST(x[3]));
}

/* RANGE gives the indices of GATHER. */
void qn_sample_range(qn_tfb *b) {
  int32_t ends[3], from[] = {3, -1, -2}; /* 3 and 1; -1 is excluded */
  for (int i = 0; i < 3; i++) ends[i] = qn_tfb_const_i32(b, "end", QN_TFB_EMPTY, &from[i]);
  int32_t x = byte(b, "x", QN_TFB_SHAPE(4, 2)), y = byte(b, "y", QN_TFB_SHAPE(2, 2));
  int32_t at = plain(b, "at", QN_TFB_INT32, QN_TFB_SHAPE(2));
  qn_tfb_op(b, 96, 1, QN_TFB_LIST(ends[0], ends[1], ends[2]), QN_TFB_LIST(at), qn_tfb_no_options());
  qn_tfb_op(b, 36, 1, QN_TFB_LIST(x, at), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* Samples of bitwise operators, of comparisons with constants, and of operators whose results or
 * sizes follow from constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tflite_samples_numbers.h"

enum {
  BOOL = 6,
  BITWISE_XOR = 160,
  RIGHT_SHIFT = 161,
  POW = 78,
  RELU_0_TO_1 = 152,
  BUCKETIZE = 147,
  ATAN2 = 156,
  BITCAST = 159,
  WHERE = 109,
  GATHER_ND = 107,
  EMBEDDING_LOOKUP = 7,
  FILL = 94,
  RANGE = 96,
  ADD = 0,
  SHAPE = 77,
  STRIDED_SLICE = 45,
  PACK = 83,
  RESHAPE = 22
};

static int32_t whole(qn_tfb *b, const char *name) {
  const qn_tfb_tensor t = {.name = name, .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(2, 3)};
  return qn_tfb_any(b, &t);
}

void qn_sample_bits(qn_tfb *b) {
  int32_t x = whole(b, "x"), by = whole(b, "by"), y = whole(b, "y"), z = whole(b, "z"),
          p = whole(b, "p");
  qn_tfb_op(b, BITWISE_XOR, 1, QN_TFB_LIST(x, by), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_op(b, RIGHT_SHIFT, 1, QN_TFB_LIST(y, by), QN_TFB_LIST(z), qn_tfb_no_options());
  qn_tfb_op(b, POW, 1, QN_TFB_LIST(z, by), QN_TFB_LIST(p), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x, by), QN_TFB_LIST(p));
}

/* A float bitcast to integers, and these to another number of elements. */
void qn_sample_bitcast(qn_tfb *b) {
  const qn_tfb_tensor words = {.name = "w", .type = QN_TFB_INT16, .shape = QN_TFB_SHAPE(3, 2)},
                      whole = {.name = "z", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(3)};
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(3)), x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(3)),
          a = qn_tfb_f32(b, "a", QN_TFB_SHAPE(3)), w = qn_tfb_any(b, &words),
          z = qn_tfb_any(b, &whole);
  qn_tfb_op(b, ATAN2, 1, QN_TFB_LIST(y, x), QN_TFB_LIST(a), qn_tfb_no_options());
  qn_tfb_op(b, BITCAST, 1, QN_TFB_LIST(a), QN_TFB_LIST(w), qn_tfb_no_options());
  qn_tfb_op(b, BITCAST, 1, QN_TFB_LIST(w), QN_TFB_LIST(z), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(y, x), QN_TFB_LIST(z));
}

void qn_sample_unit_range(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 3),
          y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.0078125f, -5);
  qn_tfb_op(b, RELU_0_TO_1, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

void qn_sample_buckets(qn_tfb *b) {
  static const int32_t boundaries[] = {0, 0x3f800000, 0x40400000}; /* 0, 1.0, 3.0 */
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(2, 3)), y = whole(b, "y");
  qn_tfb_op(b, BUCKETIZE, 1, QN_TFB_LIST(x), QN_TFB_LIST(y),
            (qn_tfb_options){.type = 115, .vector = {3, boundaries}});
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

/* ---- results that follow from constants ---- */

/* The elements at the positions where a constant condition is true. */
void qn_sample_where(qn_tfb *b) {
  static const uint8_t flags[] = {0, 1, 0, 0, 0, 1};
  const qn_tfb_tensor holds = {.name = "holds",
                               .type = BOOL,
                               .shape = QN_TFB_SHAPE(2, 3),
                               .data = flags,
                               .size = sizeof flags},
                      places = {.name = "at", .type = QN_TFB_INT64, .shape = QN_TFB_SHAPE(2, 2)};
  int32_t x = whole(b, "x"), constant = qn_tfb_any(b, &holds), at = qn_tfb_any(b, &places);
  const qn_tfb_tensor found = {.name = "y", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(2)};
  int32_t y = qn_tfb_any(b, &found);
  qn_tfb_op(b, WHERE, 1, QN_TFB_LIST(constant), QN_TFB_LIST(at), qn_tfb_no_options());
  qn_tfb_op(b, GATHER_ND, 1, QN_TFB_LIST(x, at), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static int32_t real(qn_tfb *b, float value) {
  const qn_tfb_tensor t = {
      .name = "real", .type = QN_TFB_FLOAT32, .data = &value, .size = sizeof value};
  return qn_tfb_any(b, &t);
}

/* Rows of a quantized table as floats, with a range and a repeated element. */
void qn_sample_reals(qn_tfb *b) {
  static const int8_t rows[] = {1, -2, 3, -4, 5, -6};
  static const float scales[] = {0.5f, 0.25f};
  const qn_tfb_tensor of_ids = {.name = "ids", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(2)};
  int32_t ids = qn_tfb_any(b, &of_ids), value = qn_tfb_f32(b, "value", QN_TFB_EMPTY);
  int32_t table =
      qn_tfb_const_q8(b, "table", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), rows, scales, 2, 0, 0);
  int32_t dims = qn_tfb_const_i32(b, "dims", QN_TFB_SHAPE(2), (int32_t[]){2, 3});
  int32_t from = real(b, 0.5f), to = real(b, 2), by = real(b, 0.5f);
  int32_t found = qn_tfb_f32(b, "found", QN_TFB_SHAPE(2, 3)),
          row = qn_tfb_f32(b, "row", QN_TFB_SHAPE(3)),
          full = qn_tfb_f32(b, "full", QN_TFB_SHAPE(2, 3)),
          sum = qn_tfb_f32(b, "sum", QN_TFB_SHAPE(2, 3)),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(2, 3));
  qn_tfb_op(b, EMBEDDING_LOOKUP, 1, QN_TFB_LIST(ids, table), QN_TFB_LIST(found),
            qn_tfb_no_options());
  qn_tfb_op(b, RANGE, 1, QN_TFB_LIST(from, to, by), QN_TFB_LIST(row), qn_tfb_no_options());
  qn_tfb_op(b, FILL, 1, QN_TFB_LIST(dims, value), QN_TFB_LIST(full), qn_tfb_no_options());
  qn_tfb_op(b, ADD, 1, QN_TFB_LIST(found, row), QN_TFB_LIST(sum), qn_tfb_no_options());
  qn_tfb_op(b, ADD, 1, QN_TFB_LIST(sum, full), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(ids, value), QN_TFB_LIST(y));
}

/* RESHAPE to a target computed from the first size of the input and the remaining elements. */
void qn_sample_own_shape(qn_tfb *b) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 3, 4), 0.5f, 3);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 12), 0.5f, 3);
  const qn_tfb_tensor sizes = {.name = "sizes", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(3)},
                      size = {.name = "size", .type = QN_TFB_INT32},
                      target = {.name = "to", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(2)};
  int32_t of_x = qn_tfb_any(b, &sizes), first = qn_tfb_any(b, &size), to = qn_tfb_any(b, &target);
  int32_t begin = qn_tfb_const_i32(b, "begin", QN_TFB_SHAPE(1), (int32_t[]){0}),
          end = qn_tfb_const_i32(b, "end", QN_TFB_SHAPE(1), (int32_t[]){1}),
          rest = qn_tfb_const_i32(b, "rest", QN_TFB_EMPTY, (int32_t[]){-1});
  qn_tfb_options pack = {.type = 59, .count = 1};
  pack.fields[0].width = 4;
  pack.fields[0].bits = 2;
  qn_tfb_op(b, SHAPE, 1, QN_TFB_LIST(x), QN_TFB_LIST(of_x), qn_tfb_no_options());
  qn_tfb_op(b, STRIDED_SLICE, 1, QN_TFB_LIST(of_x, begin, end, end), QN_TFB_LIST(first),
            qn_tfb_slice_options(0, 0, 0, 0, 1));
  qn_tfb_op(b, PACK, 1, QN_TFB_LIST(first, rest), QN_TFB_LIST(to), pack);
  qn_tfb_op(b, RESHAPE, 1, QN_TFB_LIST(x, to), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

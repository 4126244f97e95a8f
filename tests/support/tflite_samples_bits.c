/* Samples of operators on bits and by comparisons with constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tflite_samples_numbers.h"

enum {
  BITWISE_XOR = 160,
  RIGHT_SHIFT = 161,
  POW = 78,
  RELU_0_TO_1 = 152,
  BUCKETIZE = 147,
  ATAN2 = 156,
  BITCAST = 159
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

/* A float to words, and those to another number. */
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

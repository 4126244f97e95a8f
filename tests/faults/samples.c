/* The models that scenarios load, as files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/faults/scenario.h"
#include "tests/support/tflite_samples.h"

static void write_model(const char *folder, const char *name, void (*build)(qn_tfb *b)) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.tflite", folder, name);
  qn_tfb *b = qn_tfb_create();
  build(b);
  qn_bytes bytes = qn_tfb_finish(b);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes.data, 1, bytes.size, file) != bytes.size || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
  qn_tfb_destroy(b);
}

/* Convolutions of different shapes in a row: enough code for several parts. */
static void chain(qn_tfb *b) {
  enum { LENGTH = 12, SIZE = 7, MOST = LENGTH + 2 };
  static const int8_t weights[MOST * 9 * MOST] = {3, -7, 11, 5, -2, 9, -4, 8, 1, -6};
  static const int32_t bias[MOST] = {100, -200, 300};
  const float scale = 0.01f;
  int32_t first = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, SIZE, SIZE, 1), 0.5f, 4),
          x = first;
  for (int32_t in = 1; in <= LENGTH; in++) {
    int32_t out = in + 1;
    int32_t w =
        qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(out, 3, 3, in), weights, &scale, 1, 0, 0);
    int32_t c = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(out), bias);
    int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, SIZE, SIZE, out), 0.25f, -5);
    qn_tfb_op(b, QN_TFB_CONV_2D, 3, QN_TFB_LIST(x, w, c), QN_TFB_LIST(y),
              qn_tfb_conv_options(QN_TFB_SAME, 1, 1, QN_TFB_NONE, 1, 1));
    x = y;
  }
  qn_tfb_interface(b, QN_TFB_LIST(first), QN_TFB_LIST(x));
}

/* Enough weights for pages of their own. */
static void wide(qn_tfb *b) {
  enum { IN = 512, OUT = 640 };
  static int8_t weights[OUT * IN];
  const float scale = 0.01f;
  for (int i = 0; i < OUT * IN; i++) weights[i] = (int8_t)(i * 7 % 251 - 125);
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, IN), 0.5f, 4);
  int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(OUT, IN), weights, &scale, 1, 0, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, OUT), 0.25f, -5);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(x, w, -1), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

void write_samples(const char *folder) {
  for (uint32_t i = 0; i < qn_tflite_sample_count; i++)
    write_model(folder, qn_tflite_samples[i].name, qn_tflite_samples[i].build);
  write_model(folder, "chain", chain);
  write_model(folder, "wide", wide);
}

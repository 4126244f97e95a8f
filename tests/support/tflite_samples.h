/* A small valid model for every operator that the importer supports. The models are seeds of the
 * fuzzer and of tests that damage files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_TFLITE_SAMPLES_H
#define QN_TESTS_TFLITE_SAMPLES_H

#include "tests/support/tflite_builder.h"

typedef struct qn_tflite_sample {
  const char *name;
  void (*build)(qn_tfb *b);
  const char *ops; /* the ops to which it is imported, without constants and return: "ml.pad pad=0,1
                      [1,3]; ..." */
} qn_tflite_sample;
extern const qn_tflite_sample qn_tflite_samples[];
extern const uint32_t qn_tflite_sample_count;

#endif

/* Small valid .onnx models for every operator that the importer supports, alone and in
 * combinations. Seeds of the fuzzer and of tests that damage files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_ONNX_SAMPLES_H
#define QN_TESTS_ONNX_SAMPLES_H

#include "tests/support/onnx_builder.h"

typedef struct qn_onnx_sample {
  const char *name;
  void (*build)(qn_onb *b);
  const char *ops; /* the ops to which it is imported, without constants and return: "ml.conv;
                      ml.transpose" */
} qn_onnx_sample;
extern const qn_onnx_sample qn_onnx_samples[];
extern const uint32_t qn_onnx_sample_count;

/* Finishes the file with the operator sets that all samples use. */
qn_bytes qn_onnx_sample_finish(qn_onb *b);

#endif

/* See onnx_samples.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples_parts.h"

const qn_onnx_sample qn_onnx_samples[] = {
#define S(name, ops) {#name, qn_onnx_sample_##name, ops},
#include "tests/support/onnx_samples.def"
#undef S
};
const uint32_t qn_onnx_sample_count = (uint32_t)QN_COUNT(qn_onnx_samples);

qn_bytes qn_onnx_sample_finish(qn_onb *b) {
  qn_onb_import(b, "com.microsoft", 1);
  return qn_onb_finish(b, 10, 21);
}

/* Writes the sample models to the folder given as the argument: seeds of fuzz_onnx.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "tests/support/onnx_samples.h"

static int write_sample(const char *folder, const qn_onnx_sample *sample) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s.onnx", folder, sample->name) >= (int)sizeof path) return 1;
  FILE *out = fopen(path, "wb");
  if (!out) {
    perror(path);
    return 1;
  }
  qn_onb *b = qn_onb_create();
  sample->build(b);
  qn_bytes bytes = qn_onnx_sample_finish(b);
  int failed = fwrite(bytes.data, 1, bytes.size, out) != bytes.size;
  qn_onb_destroy(b);
  return fclose(out) != 0 || failed;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  int failed = 0;
  for (uint32_t i = 0; i < qn_onnx_sample_count; i++)
    failed |= write_sample(argv[1], &qn_onnx_samples[i]);
  return failed;
}

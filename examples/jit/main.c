/* Classifies a digit through the C API: loads a model, compiles it for this machine, runs it.
 *
 *     jit examples/digits/digits_int8.tflite
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <quern/quern.h>
#include <stdio.h>

#include "../digits/seven.h"

/* Diagnostics go to standard error by default, so a failure needs no more than the status. */
static qn_executable *compile(qn_context *context, const char *path) {
  qn_load_options load = QN_LOAD_OPTIONS_INIT;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  qn_model *model = NULL;
  qn_executable *executable = NULL;
  if (qn_model_load(context, path, &load, &model) != QN_OK) return NULL;
  qn_status status = qn_compile(model, &options, &executable);
  qn_model_destroy(model); /* the executable does not need it */
  return status == QN_OK ? executable : NULL;
}

static int classify(qn_executable *executable) {
  qn_tensor_info x = qn_executable_input(executable, 0), y = qn_executable_output(executable, 0);
  int8_t in[64], out[10];
  if (x.dtype != QN_DTYPE_I8 || x.bytes != sizeof in || y.bytes != sizeof out) {
    fputs("this is not the model of digits\n", stderr);
    return 1;
  }
  for (int i = 0; i < 64; i++) in[i] = (int8_t)(lrint(seven[i] / 16.0 / x.scale) + x.zero_point);
  if (qn_executable_invoke(executable, (const void *[]){in}, (void *[]){out}) != QN_OK) return 1;
  int best = 0;
  for (int i = 1; i < 10; i++)
    if (out[i] > out[best]) best = i;
  printf("%d (%.1f %%)\n", best, 100 * y.scale * (double)(out[best] - y.zero_point));
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODEL\n", argv[0]);
    return 2;
  }
  qn_context *context = qn_context_create();
  qn_executable *executable = compile(context, argv[1]);
  int failed = executable ? classify(executable) : 1;
  qn_executable_destroy(executable);
  qn_context_destroy(context);
  return failed;
}

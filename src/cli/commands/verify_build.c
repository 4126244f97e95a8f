/* Builds of the model that quern verify checks, and the end of a verification.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "cli/commands/verify.h"

void verify_close_build(build *b) {
  cli_tensors_destroy(&b->tensors);
  qn_executable_destroy(b->executable);
  *b = (build){0};
}

cli_exit verify_open_build(verifier *v, bool keep, build *b) {
  verify_close_build(b);
  cli_exit code = cli_compile(v->c, v->model, keep, &b->executable);
  if (code == CLI_OK) code = cli_tensors_create(v->c, b->executable, &b->tensors);
  return code;
}

void verify_close(verifier *v) {
  verify_close_build(&v->keeping);
  verify_close_build(&v->ordinary);
  qn_model_destroy(v->model);
  json_decref(v->report);
  json_decref(v->inspection);
  free(v->kept);
}

/* Shared by the tests of the .onnx importer: importing models made by the builder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_ONNX_TEST_H
#define QN_TESTS_ONNX_TEST_H

#include "import/onnx/importer.h"
#include "tests/support/onnx_builder.h"
#include "tests/unit/import/import_test.h"

/* Imports a copy of the bytes as a file with that path. Options may be NULL. */
static inline void import_onnx_at(import_run *run, const char *path, qn_bytes bytes,
                                  const qn_import_options *options) {
  *run = (import_run){0};
  qn_ir_context_init(&run->cx);
  run->cx.diag.handler = collect_message;
  run->cx.diag.user = &run->messages;
  qn_import_options chosen = options ? *options : (qn_import_options){0};
  run->cx.allow_unregistered = chosen.keep_unsupported;
  chosen.path = qn_str_of(path);
  qn_file *file = qn_file_from_memory(bytes, true);
  run->status = qn_import_onnx(&run->cx, file, &chosen, &run->module);
  qn_file_release(file); /* the module retains it */
  assert_true((run->status == QN_OK) == (run->module != NULL));
  assert_true((run->status == QN_OK) == (run->cx.diag.errors == 0));
}

static inline void import_onnx(import_run *run, qn_bytes bytes, const qn_import_options *options) {
  import_onnx_at(run, "dir/m.onnx", bytes, options);
}

/* Imports the bytes; expects the status and a message that contains `message` (NULL: no messages).
 */
static inline void expect_onnx_bytes(qn_bytes bytes, qn_status status, const char *message) {
  import_run run;
  import_onnx(&run, bytes, NULL);
  bool good =
      run.status == status && (message ? has_message(&run, message) : run.messages.size == 0);
  if (!good)
    fprintf(stderr, "status %d, wanted %d with: %s\n%s", run.status, status,
            message ? message : "nothing", run.messages.data ? run.messages.data : "");
  assert_true(good);
  if (run.module) assert_valid(&run);
  import_end(&run);
}

/* Finishes the model, with IR version 8 and opset 17, and does the same with it. */
static inline void expect_onnx(qn_onb *b, qn_status status, const char *message) {
  expect_onnx_bytes(qn_onb_finish(b, 8, 17), status, message);
  qn_onb_destroy(b);
}

/* A model with input x and output y of four floats, without nodes. */
static inline qn_onb *small_model(void) {
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,4");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,4");
  return b;
}

#endif

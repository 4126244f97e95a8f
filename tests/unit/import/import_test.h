/* Shared by the tests of the importer: importing bytes and collecting all messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_IMPORT_TEST_H
#define QN_TESTS_IMPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "import/tflite/importer.h"
#include "ir/verify/verify.h"
#include "tests/support/tflite_builder.h"

typedef struct import_run {
  qn_ir_context cx;
  qn_text messages; /* all messages as text */
  qn_module *module;
  qn_status status;
} import_run;

static void collect_message(void *user, const qn_diag *diag) {
  qn_diag_render(diag, (qn_str){NULL, 0}, false, user);
}

/* Imports a copy of the bytes as "dir/m.tflite". Options may be NULL. */
static inline void import_bytes(import_run *run, qn_bytes bytes, const qn_import_options *options) {
  *run = (import_run){0};
  qn_ir_context_init(&run->cx);
  run->cx.diag.handler = collect_message;
  run->cx.diag.user = &run->messages;
  qn_import_options chosen = options ? *options : (qn_import_options){0};
  run->cx.allow_unregistered = chosen.keep_unsupported;
  chosen.path = qn_str_of("dir/m.tflite");
  qn_file *file = qn_file_from_memory(bytes, true);
  run->status = qn_import_tflite(&run->cx, file, &chosen, &run->module);
  qn_file_release(file); /* the module retains it */
  assert_true((run->status == QN_OK) == (run->module != NULL));
  assert_true((run->status == QN_OK) == (run->cx.diag.errors == 0));
}

static inline void import_end(import_run *run) {
  qn_module_destroy(run->module);
  qn_ir_context_deinit(&run->cx);
  qn_text_deinit(&run->messages);
}

/* The module is valid at the model stage. */
static inline void assert_valid(import_run *run) {
  assert_int_equal(qn_verify(run->module), QN_OK);
  assert_int_equal(qn_verify_stage(run->module, QN_STAGE_MODEL), QN_OK);
}

static inline bool has_message(const import_run *run, const char *text) {
  return run->messages.data && strstr(run->messages.data, text) != NULL;
}

/* Finishes and imports the model; expects the status and a message that contains `message` (NULL:
 * no messages). */
static inline void expect_import(qn_tfb *b, qn_status status, const char *message) {
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  bool good =
      run.status == status && (message ? has_message(&run, message) : run.messages.size == 0);
  if (!good) {
    fprintf(stderr, "status %d, wanted %d with: %s\n%s", run.status, status,
            message ? message : "nothing", run.messages.data ? run.messages.data : "");
  }
  assert_true(good);
  if (run.module) assert_valid(&run);
  import_end(&run);
  qn_tfb_destroy(b);
}

static inline qn_op *import_main(const import_run *run) {
  qn_op *func = qn_module_main(run->module);
  assert_non_null(func);
  return func;
}

/* Returns the n-th op of a kind in @main, or NULL if there are fewer. */
static inline qn_op *nth_op(const import_run *run, qn_op_kind kind, uint32_t n) {
  for (qn_op *op = qn_op_body(import_main(run))->first; op; op = op->next)
    if (op->kind == kind && n-- == 0) return op;
  return NULL;
}

/* Opens a model of the shared folder (QUERN_SHARED, default ../shared). NULL if it does not exist.
 */
static inline qn_file *open_shared_model(const char *name) {
  const char *root = getenv("QUERN_SHARED"), *reason;
  char path[512];
  qn_file *file = NULL;
  snprintf(path, sizeof path, "%s/models/%s.tflite", root ? root : QN_TEST_SHARED, name);
  return qn_file_open(path, &file, &reason) == QN_OK ? file : NULL;
}

/* An int8 tensor with scale 1/2 and zero point 0. */
static const float HALF = 0.5f;
static const int64_t ZERO = 0;
static inline qn_tfb_tensor int8_tensor(const char *name, qn_tfb_list shape) {
  return (qn_tfb_tensor){.name = name,
                         .type = QN_TFB_INT8,
                         .shape = shape,
                         .scales = &HALF,
                         .scale_count = 1,
                         .zero_points = &ZERO,
                         .zero_point_count = 1};
}

#endif

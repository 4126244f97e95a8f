/* Anything that a user's pass may return: any status, reports of any severity, and any text in
 * place of the module or of each function. If the pipeline succeeds, the module can be printed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

typedef struct answer {
  const uint8_t *data;
  size_t size;
} answer;

static void ignore(void *user, int severity, const char *message) {
  (void)user, (void)severity;
  fuzz_require(message != NULL);
}

static qn_status run(const qn_pass_api *api, qn_pass_run *pass, void *user) {
  const answer *a = user;
  if (a->size < 3) return QN_OK;
  qn_status status = QN_OK;
  if (a->data[1] & 1) api->report(pass, a->data[1] >> 4, "said");
  if (a->data[1] & 2) status = api->replace(pass, (qn_str){(const char *)a->data + 3, a->size - 3});
  if (a->data[1] & 4) fuzz_require(api->text(pass, a->data[1] & 8).size > 0);
  return a->data[2] ? (qn_status)a->data[2] : status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char text[] = "func.func @f(%x: i32) -> i32 { return %x : i32 }\n"
                             "func.func @g() { return }";
  answer a = {data, size};
  qn_context *context = qn_context_create();
  qn_context_set_handler(context, ignore, NULL);
  qn_model *model = NULL;
  qn_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
  fuzz_require(qn_model_load_memory(context, bytes, "m", NULL, &model) == QN_OK);
  qn_user_pass pass = {.size = sizeof(qn_user_pass),
                       .name = "answer",
                       .summary = "as the bytes say",
                       .run = run,
                       .user = &a,
                       .runs_on = size && data[0] & 1 ? "func.func" : "builtin.module"};
  fuzz_require(qn_pass_register(context, &pass) == QN_OK);
  qn_status status = qn_model_run_pipeline(model, "answer,cse", NULL);
  fuzz_require(status >= QN_OK && status <= QN_INTERNAL);
  if (status == QN_OK) {
    char *printed = NULL;
    size_t printed_size;
    fuzz_require(qn_model_print(model, NULL, &printed, &printed_size) == QN_OK);
    qn_free(printed);
  }
  qn_model_destroy(model);
  qn_context_destroy(context);
  return 0;
}

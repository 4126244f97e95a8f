/* Pipelines with options of passes from any text: a documented status, and a pipeline that is read,
 * printed and read again is the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/context.h"
#include "pass/pipeline.h"
#include "passes/passes.h"
#include "tests/fuzz/fuzz.h"

static qn_pipeline *parse(qn_ir_context *cx, const qn_registry *registry, qn_str text) {
  qn_pipeline *pipeline = NULL;
  qn_status status = qn_pipeline_parse_text(cx, registry, text, qn_str_of("fuzz"), &pipeline);
  fuzz_require(status == QN_OK || status == QN_INVALID || status == QN_NOT_FOUND ||
               status == QN_LIMIT || status == QN_UNSUPPORTED);
  fuzz_require((status == QN_OK) == (pipeline != NULL));
  return pipeline;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qn_ir_context cx;
  qn_text seen = {0}, first = {0}, second = {0};
  qn_registry registry = {0};
  qn_ir_context_init(&cx);
  cx.diag.handler = fuzz_render;
  cx.diag.user = &seen;
  qn_registry_add_table(&registry, qn_passes);
  qn_pipeline *pipeline = parse(&cx, &registry, (qn_str){(const char *)data, size});
  if (pipeline) {
    qn_pipeline_print_text(pipeline, &first);
    qn_pipeline *again = parse(&cx, &registry, qn_text_view(&first));
    fuzz_require(again != NULL);
    qn_pipeline_print_text(again, &second);
    fuzz_require(qn_str_equal(qn_text_view(&first), qn_text_view(&second)));
    qn_pipeline_destroy(again);
  }
  qn_pipeline_destroy(pipeline);
  qn_registry_deinit(&registry);
  qn_text_deinit(&first), qn_text_deinit(&second), qn_text_deinit(&seen);
  qn_ir_context_deinit(&cx);
  return 0;
}

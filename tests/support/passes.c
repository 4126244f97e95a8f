/* Reading pipelines for tests.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/passes.h"

#include "pass/pipeline.h"

qn_test_passes qn_test_passes_of(qn_ir_context *cx, const char *text) {
  qn_test_passes passes = {0};
  qn_registry registry = {0};
  qn_pipeline *pipeline = NULL;
  qn_registry_add_table(&registry, qn_lower_passes);
  qn_status status =
      qn_pipeline_parse_text(cx, &registry, qn_str_of(text), qn_str_of("passes"), &pipeline);
  QN_ASSERT(status == QN_OK);
  for (const qn_pipeline_node *node = pipeline->root; node; node = qn_pipeline_next(node)) {
    if (!node->pass) continue;
    QN_ASSERT(passes.count < QN_TEST_MAX_PASSES);
    passes.pass[passes.count++] = node->pass;
  }
  qn_pipeline_destroy(pipeline);
  qn_registry_deinit(&registry);
  return passes;
}

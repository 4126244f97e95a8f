/* The compiler's own pipeline has exact passes only, and can leave the graph unchanged.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "api/api.h"

static void compile_moves_no_result(void **state) {
  (void)state;
  qn_ir_context cx;
  qn_registry registry = {0};
  qn_pipeline *pipeline;
  uint32_t passes = 0;
  qn_ir_context_init(&cx);
  qn_registry_add_all(&registry);
  qn_status status =
      qn_pipeline_parse_text(&cx, &registry, qn_str_of("compile"), qn_str_of("test"), &pipeline);
  assert_int_equal(status, QN_OK);
  for (const qn_pipeline_node *node = pipeline->root; node; node = qn_pipeline_next(node)) {
    if (!node->pass) continue;
    assert_int_equal(node->pass->numerics, QN_EXACT);
    passes++;
  }
  assert_true(passes > 20);
  qn_pipeline_destroy(pipeline);
  qn_registry_deinit(&registry);
  qn_ir_context_deinit(&cx);
}

static const char pair[] =
    "!q = !quant.uniform<i8:f32, 0.5>\n"
    "func.func @main(%x: tensor<4x!q>) -> tensor<4x!q> {\n"
    "  %a = \"ml.reshape\"(%x) {quern.tensors = array<i64: 1>} : (tensor<4x!q>) -> tensor<2x2x!q>\n"
    "  %b = \"ml.reshape\"(%a) {quern.tensors = array<i64: 2>} : (tensor<2x2x!q>) -> tensor<4x!q>\n"
    "  %c = \"ml.relu\"(%b) {quern.tensors = array<i64: 3>} : (tensor<4x!q>) -> tensor<4x!q>\n"
    "  return %c : tensor<4x!q>\n"
    "}\n";

static bool has_reshape(const qn_model *model, const char *disabled, int keep_tensors) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.disabled = disabled;
  options.keep_tensors = keep_tensors;
  char *text;
  size_t size;
  assert_int_equal(qn_emit_form(model, &options, QN_FORM_INTEGER, &text, &size), QN_OK);
  bool found = strstr(text, "ml.reshape") != NULL;
  qn_free(text);
  return found;
}

static void the_graph_is_tidied_unless_told_otherwise(void **state) {
  (void)state;
  qn_context *context = qn_context_create();
  qn_model *model;
  const qn_bytes bytes = {(const uint8_t *)pair, sizeof pair - 1};
  assert_int_equal(qn_model_load_memory(context, bytes, "pair.mlir", NULL, &model), QN_OK);
  assert_false(has_reshape(model, NULL, 0));
  assert_true(has_reshape(model, "graph-exact", 0));
  assert_true(has_reshape(model, NULL, 1));
  qn_model_destroy(model);
  qn_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compile_moves_no_result),
      cmocka_unit_test(the_graph_is_tidied_unless_told_otherwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

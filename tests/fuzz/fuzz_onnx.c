/* The .onnx importer on any bytes: no crash, a documented status, and an imported module is valid
 * and equals the one that is read back from its text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "import/onnx/importer.h"
#include "ir/clone.h"
#include "ir/verify/verify.h"
#include "tests/fuzz/fuzz.h"
#include "text/text.h"

static void check_module(qn_module *module) {
  fuzz_require(qn_verify(module) == QN_OK);
  fuzz_require(qn_verify_stage(module, QN_STAGE_MODEL) == QN_OK);
  qn_text printed = {0};
  qn_module *again = NULL;
  qn_text_print(module, NULL, &printed);
  fuzz_require(qn_text_parse(module->cx, qn_text_view(&printed), qn_str_of("printed"), &again) ==
               QN_OK);
  fuzz_require(qn_op_equal(module->op, again->op));
  qn_module_destroy(again);
  qn_text_deinit(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qn_ir_context cx;
  qn_text text = {0};
  qn_ir_context_init(&cx);
  cx.diag.handler = fuzz_render;
  cx.diag.user = &text;
  qn_file *file = qn_file_from_memory((qn_bytes){data, size}, false);
  qn_import_options options = {.path = qn_str_of("/nowhere/fuzz.onnx"), .batch = size % 3};
  if (size / 3 % 2) options.numerics = qn_str_of("ort"); /* changes and fuses the graph first */
  qn_module *module = NULL;
  qn_status status = qn_import_onnx(&cx, file, &options, &module);
  fuzz_require(status == QN_OK || status == QN_INVALID || status == QN_UNSUPPORTED ||
               status == QN_LIMIT);
  fuzz_require((status == QN_OK) == (module != NULL) && (status == QN_OK) == (cx.diag.errors == 0));
  if (module) check_module(module);
  qn_module_destroy(module);
  qn_file_release(file);
  qn_text_deinit(&text);
  qn_ir_context_deinit(&cx);
  return 0;
}

/* The text reader on any bytes: no crash and a documented status. A module that parses is printed
 * in custom and in generic form, and each text parses to an equal module, whether the module is
 * valid or not.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "ir/clone.h"
#include "ir/verify/verify.h"
#include "tests/fuzz/fuzz.h"
#include "text/text.h"

/* There are two exceptions. Printing adds the module op, so the limit of depth may be exceeded. And
 * a value used outside of its region, which the verifier rejects, has no name there. */
static void require_round_trip(qn_ir_context *cx, const qn_module *module, bool verified,
                               qn_print_options options) {
  qn_text text = {0};
  qn_module *again = NULL;
  qn_text_print(module, &options, &text);
  bool nameless = !verified && strstr(text.data, "%unnamed");
  qn_status status = qn_text_parse(cx, qn_text_view(&text), qn_str_of("printed"), &again);
  fuzz_require(nameless || status == QN_LIMIT ||
               (status == QN_OK && qn_op_equal(module->op, again->op)));
  qn_module_destroy(again);
  qn_text_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qn_ir_context cx;
  qn_text seen = {0};
  qn_ir_context_init(&cx);
  cx.diag.handler = fuzz_render;
  cx.diag.user = &seen;
  cx.print_type = qn_text_print_type;
  cx.allow_unregistered = true;
  qn_module *module = NULL;
  qn_status status =
      qn_text_parse(&cx, (qn_str){(const char *)data, size}, qn_str_of("fuzz"), &module);
  fuzz_require(status == QN_OK || status == QN_INVALID || status == QN_LIMIT);
  fuzz_require((status == QN_OK) == (module != NULL) && (status == QN_OK) == (cx.diag.errors == 0));
  if (module) {
    bool verified = qn_verify(module) == QN_OK;
    fuzz_require(verified == (cx.diag.errors == 0));
    require_round_trip(&cx, module, verified, (qn_print_options){.generic = false});
    require_round_trip(&cx, module, verified,
                       (qn_print_options){.generic = true, .locations = true});
  }
  qn_module_destroy(module);
  qn_text_deinit(&seen);
  qn_ir_context_deinit(&cx);
  return 0;
}

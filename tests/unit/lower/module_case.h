/* A module that a test parses, transforms and evaluates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_UNIT_LOWER_MODULE_CASE_H
#define QN_TESTS_UNIT_LOWER_MODULE_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>

#include "eval/eval.h"
#include "text/text.h"

typedef struct module_case {
  qn_ir_context cx;
  qn_arena arena; /* of the results of module_evaluate */
  qn_module *module;
} module_case;

static inline void module_fail(void *user, const qn_diag *diag) {
  (void)user;
  print_error("%.*s\n", QN_STR_ARG(diag->text));
}

/* Fails the test if the text is not valid. module_finish releases the module. */
static inline void module_parse(module_case *c, qn_str text) {
  qn_ir_context_init(&c->cx);
  c->cx.diag.handler = module_fail;
  qn_arena_init(&c->arena);
  assert_int_equal(qn_text_parse(&c->cx, text, qn_str_of("test"), &c->module), QN_OK);
}

static inline void module_finish(module_case *c) {
  qn_module_destroy(c->module);
  qn_arena_deinit(&c->arena);
  qn_ir_context_deinit(&c->cx);
}

/* The first result of @main for the bytes 7, 31, 55, ...; valid until module_finish. */
static inline const uint8_t *module_evaluate(module_case *c) {
  const qn_op *func = qn_module_main(c->module);
  const qn_type *type = qn_op_body(func)->args[0]->type;
  int64_t size = qn_type_elements(type);
  qn_rt_value x = {.type = type, .data = qn_arena_alloc(&c->arena, (size_t)size), .size = size};
  for (int64_t i = 0; i < size; i++) x.data[i] = (uint8_t)(7 + 24 * i);
  qn_rt_value *result = QN_NEW(&c->arena, qn_rt_value);
  assert_int_equal(qn_eval_call(c->module, func, &x, 1, result, &c->arena, NULL), QN_OK);
  return result->data;
}

#endif

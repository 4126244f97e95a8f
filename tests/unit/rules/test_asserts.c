/* Planted mistakes: what src/rules promises is asserted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules/apply/evaluate.h"
#include "rules/graph/graph.h"
#include "rules/prove/state.h"
#include "rules/syntax/lexer.h"
#include "tests/support/aborts.h"

static void real_as_an_integer(void *user) {
  (void)user;
  (void)qn_rule_value_integer(QN_RULE_F32, 1);
}

static void add_a_real_as_an_integer(void *user) {
  (void)user;
  qn_rule_value sum, one = qn_rule_value_real(1);
  (void)qn_rule_value_arith(QN_RULE_ARITH_ADD, QN_RULE_I32, one, one, &sum);
}

static void operand_beyond_the_arity(void *user) {
  (void)user;
  const qn_rule_function *function = &qn_rule_functions[QN_RULE_FN_DIM_OF];
  (void)qn_rule_function_letter(function, 2, 2);
}

static void layout_that_is_none(void *user) {
  (void)user;
  qn_rule_dims dims;
  (void)qn_rule_layout_dims(QN_RULE_LAYOUTS, 4, &dims);
}

static void shape_of_nine_sizes(void *user) {
  (void)user;
  qn_rule_graph graph = {.module = NULL};
  const double sizes[QN_RULE_MAX_RANK + 1] = {1};
  (void)qn_rule_shape_node(&graph, sizes, QN_RULE_MAX_RANK + 1);
}

static void step_beyond_the_source(void *user) {
  (void)user;
  qn_arena arena;
  qn_rule_lexer lexer;
  qn_arena_init(&arena);
  qn_rule_lexer_init(&lexer, &arena, qn_str_of(""), (qn_rule_pos){1, 1, 0});
  qn_rule_lexer_step(&lexer);
}

static void note_without_a_message(void *user) {
  (void)user;
  qn_arena arena;
  qn_diag_engine diag;
  qn_rule_reporter reporter;
  qn_arena_init(&arena);
  qn_diag_init(&diag, &arena);
  qn_rule_reporter_init(&reporter, &diag, &arena, qn_str_of("x.rr"));
  qn_rule_help(&reporter, "of nothing");
}

static void encoding_that_is_none(void *user) {
  (void)user;
  qn_prover p = {.sizes = QN_PROOF_HOLDS};
  (void)qn_prover_encoding(&p, 0);
}

static void tag_that_is_not_bound(void *user) {
  (void)user;
  qn_rule_binding binding = {.root = {NULL, 0}};
  qn_rule_evaluation e = {.binding = &binding};
  const qn_rule_node tag = {.kind = QN_RULE_STRING, .tag = 3};
  qn_rule_operand operand;
  (void)qn_rule_resolve(&e, &tag, &operand);
}

static void call_that_was_not_checked(void *user) {
  (void)user;
  qn_rule_evaluation e = {.candidate = 0};
  const qn_rule_node call = {.kind = QN_RULE_CALL};
  qn_rule_value value;
  (void)qn_rule_evaluate(&e, &call, &value);
}

static const qn_test_promise promises[] = {
    {real_as_an_integer, "type == QN_RULE_I32"},
    {add_a_real_as_an_integer, "a.type != QN_RULE_F32"},
    {operand_beyond_the_arity, "k < count"},
    {layout_that_is_none, "layout < QN_RULE_LAYOUTS"},
    {shape_of_nine_sizes, "count <= QN_RULE_MAX_RANK"},
    {step_beyond_the_source, "lexer->at.offset < lexer->source.size"},
    {note_without_a_message, "reporter->pending"},
    {encoding_that_is_none, "encoding < p->encodings.count"},
    {tag_that_is_not_bound, "e->binding->bound"},
    {call_that_was_not_checked, "node->function"},
};

static void broken_promises_abort(void **unused) {
  (void)unused;
  assert_int_equal(qn_test_unnoticed(promises, QN_COUNT(promises)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(broken_promises_abort)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

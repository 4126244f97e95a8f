/* Shared by the tests of rules: a set of rules, and the messages about its files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_UNIT_RULES_RULES_TEST_H
#define QN_TESTS_UNIT_RULES_RULES_TEST_H

#include <setjmp.h>

#include "rules/rules.h"

#include <cmocka.h>

typedef struct rules_test {
  qn_arena arena;
  qn_diag_engine diag;
  qn_rule_set set;
  const qn_rule_file *file; /* the last file */
  qn_text codes;            /* codes of the messages in their order, for example "RR0101 W0107" */
  qn_text messages;
} rules_test;

static inline void rules_test_collect(void *user, const qn_diag *diag) {
  rules_test *t = user;
  if (diag->code) qn_text_format(&t->codes, "%s%s", t->codes.size ? " " : "", diag->code);
  qn_diag_render(diag, (qn_str){NULL, 0}, false, &t->messages);
}

static inline void rules_test_begin(rules_test *t, qn_rule_options options) {
  *t = (rules_test){0};
  qn_arena_init(&t->arena);
  qn_diag_init(&t->diag, &t->arena);
  t->diag.handler = rules_test_collect;
  t->diag.user = t;
  qn_rule_set_init(&t->set, &t->diag, &options);
}

static inline void rules_test_end(rules_test *t) {
  qn_rule_set_deinit(&t->set);
  qn_diag_deinit(&t->diag);
  qn_arena_deinit(&t->arena);
  qn_text_deinit(&t->codes);
  qn_text_deinit(&t->messages);
}

static inline qn_status rules_test_add(rules_test *t, const char *path, const char *text) {
  return qn_rule_set_add(&t->set, qn_str_of(path), qn_str_of(text), &t->file);
}

/* Compares the codes of the messages about a rule file with this text. */
#define assert_codes(text, wanted)                                                                 \
  do {                                                                                             \
    rules_test said_;                                                                              \
    rules_test_begin(&said_, (qn_rule_options){0});                                                \
    (void)!rules_test_add(&said_, "t.rr", text);                                                   \
    assert_string_equal(said_.codes.data ? said_.codes.data : "", wanted);                         \
    rules_test_end(&said_);                                                                        \
  } while (0)

/* A rule file with a given constraint, and one with a given replacement. */
#define RULE_IF(constraint)                                                                        \
  "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"x\"), " constraint ", \"x\")"
#define RULE_TO(replacement)                                                                       \
  "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Add\", \"a\", \"b\"), OK, " replacement ")"

#endif

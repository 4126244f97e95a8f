/* Patterns and constraints on a small graph.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/rules/rules_test.h"

#include <math.h>

#include "rules/apply/evaluate.h"
#include "rules/print/print.h"
#include "tests/unit/rules/toy_graph.h"

enum { QUINT8 = 0, QINT8 = 1, FLOAT32 = 7 }; /* indices in qn_rule_dtypes */

static const float half[] = {0.5f}, halves[] = {0.5f, 0.5f}, mixed[] = {0.5f, 0.25f};
static const int32_t three[] = {3}, threes[] = {3, 3};
static const double numbers[] = {2.0, -1.5, 3e10, 7.0};

#define QUANTIZED(type, count, step, zero)                                                         \
  {                                                                                                \
    .rank = 4, .sizes = {1, 8, 6, 32}, .dtype = type, .element_bytes = 1, .quantized = true,       \
    .channels = count, .axis = 3, .steps = step, .zero_offsets = zero                              \
  }

/* x -> relu -> add(relu, c) and add2(x, x), split with two outputs */
static toy_node x = {.name = "$in", .uses = 2, .definition = QUANTIZED(QUINT8, 1, half, three)};
static toy_node c = {.name = "$const",
                     .uses = 1,
                     .definition = {.rank = 1, .sizes = {4}, .dtype = FLOAT32, .element_bytes = 4},
                     .constant_count = 4,
                     .constants = numbers};
static toy_node w = {.name = "$in", .definition = QUANTIZED(QINT8, 2, mixed, threes)};
static toy_node v = {.name = "$in", .definition = QUANTIZED(QINT8, 2, halves, threes)};
static toy_node relu = {.name = "Relu",
                        .input_count = 1,
                        .uses = 1,
                        .inputs = {{&x, 0}},
                        .definition = QUANTIZED(QUINT8, 1, half, three)};
static toy_node add = {.name = "Add",
                       .input_count = 2,
                       .inputs = {{&relu, 0}, {&c, 0}},
                       .definition = QUANTIZED(QUINT8, 1, half, three)};
static toy_node twice = {.name = "Add", .input_count = 2, .inputs = {{&x, 0}, {&x, 0}}};
static toy_node split = {.name = "Split", .output_count = 2, .input_count = 1, .inputs = {{&x, 0}}};
static toy_node parts = {.name = "Add", .input_count = 2, .inputs = {{&split, 0}, {&split, 1}}};
static toy_node wide = {
    .name = "Concat", .input_count = 4, .inputs = {{&x, 0}, {&w, 0}, {&v, 0}, {&c, 0}}};

typedef struct matched {
  rules_test t;
  qn_rule_binding binding;
  uint32_t choice;
  bool matches;
} matched;

/* Reads the rule and matches it from `node` on. `finish` frees it. */
static void match(matched *m, const char *pattern, const char *constraint, toy_node *node,
                  uint32_t choice) {
  qn_text text = {0};
  rules_test_begin(&m->t, (qn_rule_options){0});
  qn_text_format(&text, "DEF_PACKAGE_OPTIMIZATION(EARLY, %s, %s, Op(\"New\", \"a\"))", pattern,
                 constraint);
  qn_str kept = qn_arena_str(&m->t.arena, qn_text_view(&text));
  qn_text_deinit(&text);
  assert_int_equal(qn_rule_set_add(&m->t.set, qn_str_of("t.rr"), kept, &m->t.file), QN_OK);
  m->choice = choice;
  m->matches = qn_rule_match(&toy_view, m->t.set.rules.data[0], (qn_rule_operand){node, 0},
                             &m->choice, &m->binding);
}

static bool matches(const char *pattern, toy_node *node) {
  matched m;
  match(&m, pattern, "OK", node, 0);
  rules_test_end(&m.t);
  return m.matches;
}

static void names_and_counts_of_inputs_decide(void **state) {
  (void)state;
  assert_true(matches("Op(\"Relu\", \"a\")", &relu));
  assert_false(matches("Op(\"Relu6\", \"a\")", &relu));
  assert_false(matches("Op(\"Add\", \"a\")", &add));
  assert_true(matches("OpVarIn(\"Add\", \"a\")", &add));
  assert_true(matches("OpVarIn(\"Concat\", \"a\", \"b\")", &wide));
  assert_false(matches("OpVarIn(\"Relu\", \"a\", \"b\")", &relu));
  assert_true(matches("Op(\"Add\", Op(\"Relu\", \"a\"), \"b\")", &add));
  assert_false(matches("Op(\"Add\", \"b\", Op(\"Relu\", \"a\"))", &add));
}

static void a_tag_that_comes_again_is_the_same_operand(void **state) {
  (void)state;
  assert_true(matches("Op(\"Add\", \"a\", \"a\")", &twice));
  assert_false(matches("Op(\"Add\", \"a\", \"a\")", &add));
  assert_false(matches("Op(\"Add\", \"a\", \"a\")", &parts)); /* two outputs of one node */
  assert_true(matches("Op(\"Add\", \"a\", \"b\")", &parts));
}

static void either_tries_the_written_order_first(void **state) {
  (void)state;
  static const char pattern[] = "EITHER(Op(\"Add\", \"a\", Op(\"Relu\", \"b\")))";
  matched m;
  match(&m, pattern, "OK", &add, 0);
  assert_true(m.matches);
  assert_int_equal(m.choice, 1);
  assert_ptr_equal(m.binding.tags[0].node, &c);
  rules_test_end(&m.t);
  match(&m, pattern, "OK", &add, 2);
  assert_false(m.matches);
  rules_test_end(&m.t);
  match(&m, "EITHER(Op(\"Add\", \"a\", \"b\"))", "OK", &add, 0);
  assert_int_equal(m.choice, 0);
  assert_ptr_equal(m.binding.tags[0].node, &relu);
  rules_test_end(&m.t);
}

static bool is_there(void *user, qn_str name, qn_rule_operand operand, const qn_rule_value *values,
                     uint32_t count, bool *out_holds) {
  (void)user;
  if (!qn_str_is(name, "fits_budget")) return false;
  *out_holds = operand.node == &relu && count == 1 && values[0].integer == 6;
  return true;
}

/* Whether a constraint holds at `add`, where "r" is the Relu, "a" its input, "c" the constant, and
 * "l" the tag of the Concat's operands. Returns -1 if its evaluation fails. */
static int holds(const char *constraint) {
  static const qn_rule_setting settings[] = {{"fc_tile", 2.75}, {NULL, 0}};
  matched m;
  match(&m, "Op(\"Add\", LET(\"r\", Op(\"Relu\", \"a\")), \"c\")", constraint, &add, 0);
  assert_true(m.matches);
  qn_rule_evaluation e = {
      .view = &toy_view, .binding = &m.binding, .settings = settings, .external = is_there};
  bool result = qn_rule_is_held(&e, qn_rule_expand(&m.t.arena, m.t.set.rules.data[0]));
  assert_true(!e.failure == !e.failed);
  rules_test_end(&m.t);
  return e.failure ? -1 : result;
}

static void properties_are_those_of_the_operand(void **state) {
  (void)state;
  static const char *const true_ones[] = {
      "IS_QUINT8(\"a\")",
      "NOT(IS_FLOAT(\"a\"))",
      "IS_FLOAT32(\"c\")",
      "EQ(RANK_OF(\"a\"), 4)",
      "EQ(DIM_DEPTH(\"*\"), 32)",
      "EQ(ELEMENTSIZE_OF(\"c\"), 4)",
      "EQ(INPUTS_OF(\"*\"), 2)",
      "EQ(OUTPUTS_OF(\"*\"), 1)",
      "EQ(USES_OF(\"a\"), 2)",
      "EQ(STEPSIZE_OF(\"a\"), 0.5f)",
      "EQ(ZERO_OFFSET_OF(\"a\"), 3)",
      "SAME_ENCODING(\"a\", \"*\")",
      "SAME_SHAPE(\"a\", \"r\")",
      "NOT(SAME_ENCODING(\"a\", \"c\"))",
      "SAME_OP(INPUT_OF(\"*\", 0), \"r\")",
      "SAME_OP(OUTPUT_OF(\"r\", 0), \"r\")",
      "SAME_OP(SELECT(OK, \"a\", \"c\"), \"a\")",
      "IS_CONST(\"c\")",
      "NOT(IS_CONST(\"a\"))",
      "EQ(LAYOUT_CHUNKSIZE(Blocked32, 3), 32)",
      "EQ(LAYOUT_CHUNKSIZE(Flat, 3), 1)",
      "EXTERNAL_CONSTRAINT(fits_budget, \"r\", DIM_WIDTH(\"r\"))"};
  for (size_t i = 0; i < QN_COUNT(true_ones); i++) assert_int_equal(holds(true_ones[i]), 1);
}

static void constants_are_real_values_or_say_that_there_is_none(void **state) {
  (void)state;
  assert_int_equal(holds("EQ(CONSTVAL_INT(\"c\", 0), 2)"), 1);
  assert_int_equal(holds("EQ(CONSTVAL_FLOAT(\"c\", 1), -1.5f)"), 1);
  assert_int_equal(holds("EQ(CONSTVAL_INT(\"c\", 1), -2147483648)"), 1); /* not an integer */
  assert_int_equal(holds("CONSTVAL_INT_VALID(\"c\", 2)"), 0);            /* exceeds 32 bits */
  assert_int_equal(holds("CONSTVAL_FLOAT_VALID(\"c\", 2)"), 1);
  assert_int_equal(holds("CONSTVAL_FLOAT_VALID(\"c\", 4)"), 0);
  assert_int_equal(holds("CONSTVAL_FLOAT_VALID(\"c\", -1)"), 0);
  assert_int_equal(holds("CONSTVAL_FLOAT_VALID(\"a\", 0)"), 0);
  assert_int_equal(holds("EQ(CONSTVAL_FLOAT(\"a\", 0), CONSTVAL_FLOAT(\"a\", 0))"), 0); /* NaN */
  assert_int_equal(holds("NE(CONSTVAL_FLOAT(\"a\", 0), 0.0f)"), 1);
  assert_int_equal(holds("EQ(CONSTVAL_INT(\"c\", CONSTVAL_INT(\"a\", 0)), 0)"), 0);
}

static void arithmetic_in_constraints(void **state) {
  (void)state;
  assert_int_equal(holds("EQ(ADD(1, 2, 3u), 6)"), 1);
  assert_int_equal(holds("LT(SUB(INT(DIM_HEIGHT(\"a\")), 9), 4)"), 1);
  assert_int_equal(holds("LT(SUB(DIM_HEIGHT(\"a\"), 9), 4)"), -1); /* a size is not negative */
  assert_int_equal(holds("EQ(NEG(3u), -3)"), 1);
  assert_int_equal(holds("EQ(ABS(-2147483648), 0)"), -1);
  assert_int_equal(holds("EQ(DIV(1.0f, NEG(0.0f)), NEG_INF)"), 1);
  assert_int_equal(holds("IS_POW2(DIM_HEIGHT(\"a\"))"), 1);
  assert_int_equal(holds("OR(IS_POW2(0), IS_POW2(-8), IS_POW2(6))"), 0);
  assert_int_equal(holds("EQ(SELECT(OK, 1, 2.5f), DIV(2, 2.0f))"), 1);
  assert_int_equal(holds("XOR(OK, true, true)"), 1);
  assert_int_equal(holds("EQ(OPTION_INT(\"fc_tile\"), 2)"), 1);
  assert_int_equal(holds("EQ(OPTION_FLOAT(\"fc_tile\"), 2.75f)"), 1);
  assert_int_equal(holds("AND(OPTION_BOOL(\"fc_tile\"), NOT(OPTION_BOOL(\"signed_kernels\")))"), 1);
}

static void evaluation_fails_where_there_is_no_value(void **state) {
  (void)state;
  assert_int_equal(holds("EQ(DIV(256, OPTION_UINT(\"signed_kernels\")), 1)"), -1);
  assert_int_equal(holds("GT(DIM_OF(\"c\", 1), 0)"), -1);
  assert_int_equal(holds("EQ(RANK_OF(INPUT_OF(\"*\", 2)), 4)"), -1);
  assert_int_equal(holds("EQ(RANK_OF(OUTPUT_OF(\"*\", 1)), 4)"), -1);
  assert_int_equal(holds("GT(STEPSIZE_OF(\"c\"), 0)"), -1);
  assert_int_equal(holds("GT(INT(INF), 0)"), -1);
  assert_int_equal(holds("EXTERNAL_CONSTRAINT(const_is_uniform, \"a\")"), -1);
}

static void what_does_not_decide_is_not_looked_at(void **state) {
  (void)state;
  static const char bad[] = "EQ(DIV(1, OPTION_INT(\"signed_kernels\")), 1)";
  char text[256];
  static const struct {
    const char *format;
    int wanted;
  } rows[] = {{"AND(false, %s)", 0}, {"AND(%s, false)", -1},    {"OR(OK, %s)", 1},
              {"OR(%s, OK)", -1},    {"SELECT(OK, OK, %s)", 1}, {"SELECT(false, %s, OK)", 1},
              {"XOR(OK, %s)", -1}};
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    const char *hole = strstr(rows[i].format, "%s");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - rows[i].format), rows[i].format, bad,
             hole + 2);
    assert_int_equal(holds(text), rows[i].wanted);
  }
}

static void channels_must_agree_or_be_asked_for(void **state) {
  (void)state;
  static const struct {
    const char *constraint;
    int wanted;
  } rows[] = {{"EQ(STEPSIZE_OF(\"b\"), 0.5f)", -1},     {"EQ(ZERO_OFFSET_OF(\"b\"), 3)", 1},
              {"EQ(STEPSIZE_OF(\"d\"), 0.5f)", 1},      {"EQ(STEPSIZE_AT(\"b\", 1), 0.25f)", 1},
              {"EQ(STEPSIZE_AT(\"b\", 2), 0.25f)", -1}, {"EQ(QUANT_AXIS_OF(\"b\"), 3)", 1},
              {"EQ(QUANT_AXIS_OF(\"a\"), 3)", -1},      {"SAME_ENCODING(\"b\", \"d\")", 0},
              {"SAME_ENCODING(\"b\", \"b\")", 1}};
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    matched m;
    match(&m, "Op(\"Concat\", \"a\", \"b\", \"d\", \"c\")", rows[i].constraint, &wide, 0);
    assert_true(m.matches);
    qn_rule_evaluation e = {.view = &toy_view, .binding = &m.binding};
    bool result = qn_rule_is_held(&e, m.t.set.rules.data[0]);
    assert_int_equal(e.failure ? -1 : result, rows[i].wanted);
    rules_test_end(&m.t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_counts_of_inputs_decide),
      cmocka_unit_test(a_tag_that_comes_again_is_the_same_operand),
      cmocka_unit_test(either_tries_the_written_order_first),
      cmocka_unit_test(properties_are_those_of_the_operand),
      cmocka_unit_test(constants_are_real_values_or_say_that_there_is_none),
      cmocka_unit_test(arithmetic_in_constraints),
      cmocka_unit_test(evaluation_fails_where_there_is_no_value),
      cmocka_unit_test(what_does_not_decide_is_not_looked_at),
      cmocka_unit_test(channels_must_agree_or_be_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

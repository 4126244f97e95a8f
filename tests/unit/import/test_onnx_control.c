/* Bodies of If, Loop and Scan in .onnx files: names, conditions, limits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/onnx_test.h"

/* Adds a boolean or an int64 constant. */
static void flag(qn_onb *b, const char *name, uint8_t value) {
  qn_onb_tensor(b, name, QN_ONB_BOOL, "", &value, sizeof value);
}
static void number(qn_onb *b, const char *name, int64_t value) {
  qn_onb_tensor(b, name, QN_ONB_INT64, "", &value, sizeof value);
}

/* A branch with one node, whose result is its output. */
static qn_onb *branch(const char *op, const char *inputs, const char *dims) {
  qn_onb *b = qn_onb_create();
  qn_onb_node(b, "", op, inputs, "z");
  qn_onb_output(b, "z", QN_ONB_FLOAT, dims);
  return b;
}

/* y is what `condition` selects. */
static qn_onb *with_branches(const char *condition, qn_onb *yes, qn_onb *no) {
  qn_onb *b = small_model();
  flag(b, "no", 0);
  flag(b, "yes", 1);
  qn_onb_input(b, "c", QN_ONB_BOOL, "");
  qn_onb_node(b, "", "If", condition, "y");
  qn_onb_attr_graph(b, "then_branch", yes);
  qn_onb_attr_graph(b, "else_branch", no);
  return b;
}

static void test_known_branches(void **state) {
  (void)state;
  /* the other one may have what is not supported */
  expect_onnx(with_branches("yes", branch("Relu", "x", "1,4"), branch("NonZero", "x", "?")), QN_OK,
              NULL);
  expect_onnx(with_branches("no", branch("NonZero", "x", "?"), branch("Relu", "x", "1,4")), QN_OK,
              NULL);
  expect_onnx(with_branches("yes", branch("NonZero", "x", "?"), branch("Relu", "x", "1,4")),
              QN_UNSUPPORTED, "the operator NonZero is not supported");
}

static void test_selected_branches(void **state) {
  (void)state;
  expect_onnx(with_branches("c", branch("Relu", "x", "1,4"), branch("Neg", "x", "1,4")), QN_OK,
              NULL);
  expect_onnx(with_branches("c", branch("Relu", "x", "1,4"), branch("Transpose", "x", "4,1")),
              QN_UNSUPPORTED, "both branches must have the same type and shape");
  expect_onnx(with_branches("x", branch("Relu", "x", "1,4"), branch("Neg", "x", "1,4")),
              QN_UNSUPPORTED, "it is float32 where bool is expected");
}

static void test_names(void **state) {
  (void)state;
  /* a body follows the writers of what it reads */
  qn_onb *b = with_branches("yes", branch("Relu", "later", "1,4"), branch("Neg", "x", "1,4"));
  qn_onb_node(b, "", "Neg", "x", "later");
  expect_onnx(b, QN_OK, NULL);
  b = with_branches("yes", branch("Relu", "y", "1,4"), branch("Neg", "x", "1,4"));
  expect_onnx(b, QN_INVALID, "operators read each other's results in a circle: 0 (If)");
  b = with_branches("yes", branch("Relu", "nowhere", "1,4"), branch("Neg", "x", "1,4"));
  expect_onnx(b, QN_INVALID, "tensor 'nowhere': error: it is not an initializer");
  qn_onb *empty = qn_onb_create();
  qn_onb_output(empty, "z", QN_ONB_FLOAT, "1,4");
  b = with_branches("yes", empty, branch("Neg", "x", "1,4"));
  expect_onnx(b, QN_INVALID, "tensor 'z': error: it is not an initializer");
  b = small_model();
  flag(b, "yes", 1);
  qn_onb_node(b, "", "If", "yes", "y");
  expect_onnx(b, QN_INVALID, "attribute 'then_branch' is missing");
  b = with_branches("yes", branch("Relu", "x", "1,4"), branch("Neg", "x", "1,4"));
  qn_onb_node(b, "", "If", "yes", "one,two");
  qn_onb_attr_graph(b, "then_branch", branch("Relu", "x", "1,4"));
  qn_onb_attr_graph(b, "else_branch", branch("Relu", "x", "1,4"));
  qn_onb_output(b, "two", QN_ONB_FLOAT, "1,4");
  expect_onnx(b, QN_INVALID, "a body with 1 outputs where 2 are expected");
}

/* Branches in branches. */
static void test_depth(void **state) {
  (void)state;
  static const struct {
    uint32_t depth;
    qn_status status;
    const char *message;
  } cases[] = {{20, QN_OK, NULL}, {66, QN_INVALID, "nest"}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *inner = branch("Relu", "x", "1,4");
    for (uint32_t k = 0; k < cases[i].depth; k++) {
      qn_onb *b = qn_onb_create();
      qn_onb_node(b, "", "If", "yes", "z");
      qn_onb_attr_graph(b, "then_branch", inner);
      qn_onb_attr_graph(b, "else_branch", branch("Relu", "x", "1,4"));
      qn_onb_output(b, "z", QN_ONB_FLOAT, "1,4");
      inner = b;
    }
    expect_onnx(with_branches("yes", inner, branch("Relu", "x", "1,4")), cases[i].status,
                cases[i].message);
  }
}

/* ---- loops ---- */

/* A body with inputs i, go and s, which adds x to s; it goes on while `condition` is true. */
static qn_onb *loop_body(const char *condition) {
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "i", QN_ONB_INT64, "");
  qn_onb_input(b, "go", QN_ONB_BOOL, "");
  qn_onb_input(b, "s", QN_ONB_FLOAT, "1,4");
  number(b, "two", 2);
  qn_onb_node(b, "", "Less", "i,two", "less");
  qn_onb_node(b, "", "Identity", condition, "on");
  qn_onb_node(b, "", "Add", "s,x", "t");
  qn_onb_output(b, "on", QN_ONB_BOOL, "");
  qn_onb_output(b, "t", QN_ONB_FLOAT, "1,4");
  return b;
}

static void test_loops(void **state) {
  (void)state;
  static const struct {
    const char *operands, *condition;
    uint32_t adds;
    qn_status status;
    const char *message;
  } cases[] = {
      {"five,,x", "go", 5, QN_OK, NULL},
      {"five,yes,x", "less", 3, QN_OK, NULL},
      {",yes,x", "less", 3, QN_OK, NULL},
      {"five,no,x", "go", 0, QN_OK, NULL},
      {"zero,,x", "go", 0, QN_OK, NULL},
      {"n,,x", "go", 0, QN_UNSUPPORTED, "constant"},
      {"five,c,x", "go", 0, QN_UNSUPPORTED, "the condition of a loop must follow from constants"},
      {"five,,x", "c", 0, QN_UNSUPPORTED, "the condition of a loop must follow from constants"},
      {"five,,", "go", 0, QN_INVALID, "operand 2 is missing"},
      {"five,,x,x", "go", 0, QN_INVALID, "1 results where 2 or more are expected"},
      {"five", "go", 0, QN_INVALID, "a body with 3 inputs where 2 are expected"},
      {",,x", "go", 0, QN_LIMIT, "more than 4096 iterations"},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *b = small_model();
    import_run run;
    number(b, "five", 5);
    number(b, "zero", 0);
    flag(b, "no", 0);
    flag(b, "yes", 1);
    qn_onb_input(b, "c", QN_ONB_BOOL, "");
    qn_onb_input(b, "n", QN_ONB_INT64, "");
    qn_onb_node(b, "", "Loop", cases[i].operands, "y");
    qn_onb_attr_graph(b, "body", loop_body(cases[i].condition));
    import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
    if (run.status != cases[i].status)
      fprintf(stderr, "case %zu: %s\n", i, run.messages.data ? run.messages.data : "");
    assert_int_equal(run.status, cases[i].status);
    if (cases[i].message && !has_message(&run, cases[i].message))
      fprintf(stderr, "case %zu: %s\n", i, run.messages.data ? run.messages.data : "");
    if (cases[i].message) assert_true(has_message(&run, cases[i].message));
    if (run.module) {
      assert_valid(&run);
      if (cases[i].adds) assert_non_null(nth_op(&run, QN_OP_ML_ADD, cases[i].adds - 1));
      assert_null(nth_op(&run, QN_OP_ML_ADD, cases[i].adds));
    }
    import_end(&run);
    qn_onb_destroy(b);
  }
}

static void test_scans(void **state) {
  (void)state;
  static const struct {
    const char *operands, *axes;
    int64_t inputs;
    qn_status status;
    const char *message;
  } cases[] = {
      {"x", "1", 1, QN_OK, NULL},
      {"x", "2", 1, QN_INVALID, "axis 2 of a tensor of rank 2"},
      {"x", "1,1", 1, QN_INVALID, "attribute 'scan_input_axes' has 2 numbers"},
      {"x", "1", 2, QN_INVALID, "'num_scan_inputs' is 2"},
      {"x", "1", 0, QN_INVALID, "'num_scan_inputs' is 0"},
      {"x,x", "0,1", 2, QN_INVALID, "4 steps, and others with 1"},
      {"x,x", "1,1", 2, QN_INVALID, "a body with 1 inputs where 2 are expected"},
      {"x,x", "1", 1, QN_INVALID, "a body with 1 inputs where 2 are expected"},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *b = small_model(), *body = qn_onb_create();
    qn_onb_input(body, "s", QN_ONB_FLOAT, "1");
    qn_onb_node(body, "", "Neg", "s", "t");
    qn_onb_output(body, "t", QN_ONB_FLOAT, "1");
    qn_onb_node(b, "", "Scan", cases[i].operands, "z");
    qn_onb_attr_int(b, "num_scan_inputs", cases[i].inputs);
    qn_onb_attr_ints(b, "scan_input_axes", cases[i].axes);
    qn_onb_attr_graph(b, "body", body);
    qn_onb_node(b, "", "Transpose", "z", "y");
    expect_onnx(b, cases[i].status, cases[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_branches), cmocka_unit_test(test_selected_branches),
      cmocka_unit_test(test_names),          cmocka_unit_test(test_depth),
      cmocka_unit_test(test_loops),          cmocka_unit_test(test_scans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

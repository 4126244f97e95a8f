/* Names, nodes, their order, functions and versions in .onnx files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "ir/ops/forms.h"
#include "tests/unit/import/onnx_test.h"

static const float ONE[4] = {1, 2, 3, 4};

static void test_small(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Relu", "x", "y");
  expect_onnx(b, QN_OK, NULL);
}

/* Nodes are sorted so that each follows the nodes whose results it reads. Otherwise they keep the
 * order of the file. */
static void test_sorts(void **state) {
  (void)state;
  import_run run;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Add", "c,a", "y");
  qn_onb_node(b, "", "Ceil", "b", "c");
  qn_onb_node(b, "", "Abs", "x", "a");
  qn_onb_node(b, "", "Neg", "x", "b");
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_OK);
  static const qn_op_kind order[] = {QN_OP_ML_NEG, QN_OP_ML_CEIL, QN_OP_ML_ABS, QN_OP_ML_ADD};
  qn_op *op = qn_op_body(import_main(&run))->first;
  for (size_t i = 0; i < QN_COUNT(order); i++, op = op->next) assert_int_equal(op->kind, order[i]);
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_cycle(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Add", "x,c", "a");
  qn_onb_node(b, "", "Relu", "a", "c");
  qn_onb_node(b, "", "Relu", "c", "y");
  expect_onnx(b, QN_INVALID, "operators read each other's results in a circle: 0 (Add), 1 (Relu)");
  b = small_model();
  qn_onb_node(b, "", "Add", "x,y", "y");
  expect_onnx(b, QN_INVALID, "in a circle: 0 (Add)");
}

static void test_names(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Add", "x,who", "a");
  qn_onb_node(b, "", "Add", "a,what", "y");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_INVALID);
  const char *undefined = "it is not an initializer, no operator writes it and it is not an input";
  assert_true(has_message(&run, "tensor 'who'"));
  assert_true(has_message(&run, "tensor 'what'"));
  assert_true(has_message(&run, undefined));
  import_end(&run);
  qn_onb_destroy(b);

  b = small_model();
  qn_onb_node(b, "", "Relu", "x", "y");
  qn_onb_node(b, "", "Abs", "x", "y");
  expect_onnx(b, QN_INVALID, "operator 1 (Abs), tensor 'y': error: already written by operator 0");

  b = small_model();
  qn_onb_tensor(b, "y", QN_ONB_FLOAT, "1,4", ONE, sizeof ONE);
  qn_onb_node(b, "", "Relu", "x", "y");
  expect_onnx(b, QN_INVALID, "tensor 'y': error: writes a constant");

  b = small_model();
  qn_onb_node(b, "", "Relu", "x", "x");
  qn_onb_node(b, "", "Relu", "x", "y");
  expect_onnx(b, QN_INVALID, "tensor 'x': error: writes an input of the model");

  b = small_model();
  qn_onb_tensor(b, "w", QN_ONB_FLOAT, "1,4", ONE, sizeof ONE);
  qn_onb_tensor(b, "w", QN_ONB_FLOAT, "1,4", ONE, sizeof ONE);
  qn_onb_node(b, "", "Add", "x,w", "y");
  expect_onnx(b, QN_INVALID, "tensor 'w': error: there are two initializers of this name");

  b = small_model();
  qn_onb_node(b, "", "Relu", "x", "z");
  expect_onnx(b, QN_INVALID, "tensor 'y': error: an output of the model that no operator writes");

  b = small_model();
  qn_onb_tensor(b, "", QN_ONB_FLOAT, "1", ONE, 4);
  qn_onb_node(b, "", "Relu", "x", "y");
  expect_onnx(b, QN_INVALID, "has no name");
}

static void test_nul(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Relu", "x", "y");
  qn_onb_put_bytes(&b->node, 2, "a\0b", 3);
  expect_onnx(b, QN_INVALID, "tensor 'a\\x00b': error: its name has a NUL byte");
}

/* A name that is nearly as long as the file is truncated in messages. */
static void test_long_name(void **state) {
  (void)state;
  enum { LONG = 1000000 };
  char *name = malloc(LONG + 1);
  memset(name, 'n', LONG);
  name[LONG] = 0;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Relu", name, "y");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_INVALID);
  assert_true(run.messages.size < 1000);
  import_end(&run);
  qn_onb_destroy(b);
  free(name);
}

static void test_versions(void **state) {
  (void)state;
  static const struct {
    int64_t ir, opset;
    qn_status status;
    const char *message;
  } cases[] = {{8, 17, QN_OK, NULL},
               {3, 7, QN_OK, NULL},
               {13, 28, QN_OK, NULL},
               {2, 7, QN_UNSUPPORTED, "IR version 2; versions from 3 on are read"},
               {0, 7, QN_INVALID, "IR version 0"},
               {99, 17, QN_OK, "warning: IR version 99; the newest known is 14"},
               {8, 6, QN_UNSUPPORTED, "version 6 of the operator set; 7 to 28 are supported"},
               {8, 29, QN_UNSUPPORTED, "version 29 of the operator set"},
               {8, 0, QN_INVALID, "the file imports no operator set"}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *b = small_model();
    qn_onb_node(b, "", "Relu", "x", "y");
    expect_onnx_bytes(qn_onb_finish(b, cases[i].ir, cases[i].opset), cases[i].status,
                      cases[i].message);
    qn_onb_destroy(b);
  }
  static const uint8_t bare[] = {0x08, 0x08};
  expect_onnx_bytes((qn_bytes){bare, 2}, QN_INVALID, "the file has no graph");
  expect_onnx_bytes((qn_bytes){NULL, 0}, QN_INVALID, "the file is empty");
}

static void test_domains(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "com.microsoft", "QGemm", "x", "y");
  expect_onnx(b, QN_INVALID, "the file does not import its operator set 'com.microsoft'");
  b = small_model();
  qn_onb_import(b, "qonnx", 1);
  qn_onb_node(b, "qonnx", "Quant", "x", "y");
  expect_onnx(b, QN_UNSUPPORTED,
              "operator 0 (Quant): error: the operator Quant of qonnx is not supported");
  b = small_model();
  qn_onb_node(b, "ai.onnx", "Relu", "x", "y");
  expect_onnx(b, QN_OK, NULL);
  b = small_model();
  qn_onb_node(b, "", "StringConcat", "x,x", "y");
  expect_onnx(b, QN_UNSUPPORTED, "the operator StringConcat is not supported: strings");
}

/* Nodes and tensors that no output depends on are not checked. */
static void test_dead_nodes(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Relu", "x", "y");
  qn_onb_node(b, "", "NoSuch", "x", "z");
  qn_onb_tensor(b, "unused", 99, "1", ONE, 4);
  expect_onnx(b, QN_OK, "1 of 2 nodes are not imported, as no output depends on them");
}

/* Files of IR version 3 list initializers among the inputs. */
static void test_listed_initializer(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_input(b, "w", QN_ONB_FLOAT, "1,4");
  qn_onb_tensor(b, "w", QN_ONB_FLOAT, "1,4", ONE, sizeof ONE);
  qn_onb_node(b, "", "Add", "x,w", "y");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 3, 8), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_true(has_message(&run, "1 inputs have their values in the file and are constants"));
  assert_int_equal(qn_op_body(import_main(&run))->arg_count, 1);
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_input_twice(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,4");
  qn_onb_node(b, "", "Relu", "x", "y");
  expect_onnx(b, QN_INVALID, "tensor 'x': error: listed twice among the inputs of the model");
}

static void test_counts(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "Relu", "x,x", "y");
  expect_onnx(b, QN_INVALID, "2 operands; 1 are expected");
  b = small_model();
  qn_onb_node(b, "", "Add", "x", "y");
  expect_onnx(b, QN_INVALID, "1 operands; 2 are expected");
  b = small_model();
  qn_onb_node(b, "", "Add", "x,", "y");
  expect_onnx(b, QN_INVALID, "operand 1 is missing");
  b = small_model();
  qn_onb_node(b, "", "Max", "x,", "y");
  expect_onnx(b, QN_INVALID, "operand 1 is missing");
  b = small_model();
  qn_onb_node(b, "", "Relu", "x", "y,z");
  expect_onnx(b, QN_UNSUPPORTED, "2 results; 1 is supported");
  b = small_model();
  qn_onb_node(b, "", "SoftmaxCrossEntropyLoss", "x,x", ",y");
  expect_onnx(b, QN_UNSUPPORTED, "its first result must have a name");
}

/* ---- functions ---- */

/* Adds a function of the domain "own" with one node. */
static void add_function(qn_onb *b, const char *name, const char *domain, const char *op,
                         const char *reference) {
  qn_text function = {0}, node = {0}, import = {0}, attribute = {0};
  qn_onb_put_string(&function, 1, name);
  qn_onb_put_string(&function, 4, "in");
  qn_onb_put_string(&function, 5, "out");
  qn_onb_put_string(&node, 1, "in");
  qn_onb_put_string(&node, 2, "out");
  qn_onb_put_string(&node, 4, op);
  if (*domain) qn_onb_put_string(&node, 7, domain);
  if (reference) {
    qn_onb_put_string(&attribute, 1, "alpha");
    qn_onb_put_int(&attribute, 20, 1);
    qn_onb_put_string(&attribute, 21, reference);
    qn_onb_put_message(&node, 5, &attribute);
  }
  qn_onb_put_message(&function, 7, &node);
  qn_onb_put_int(&import, 2, 17);
  qn_onb_put_message(&function, 9, &import);
  qn_onb_put_string(&import, 1, "own");
  qn_onb_put_int(&import, 2, 1);
  qn_onb_put_message(&function, 9, &import);
  qn_onb_put_string(&function, 10, "own");
  qn_onb_put_message(&b->functions, 25, &function);
  qn_text *texts[] = {&function, &node, &import, &attribute};
  for (size_t i = 0; i < QN_COUNT(texts); i++) qn_text_deinit(texts[i]);
}

static void test_functions(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_import(b, "own", 1);
  add_function(b, "Outer", "own", "Inner", "slope");
  add_function(b, "Inner", "", "LeakyRelu", "alpha");
  qn_onb_node(b, "own", "Outer", "x", "a");
  qn_onb_attr_float(b, "slope", 0.5F);
  qn_onb_node(b, "own", "Outer", "a", "y");
  qn_onb_attr_float(b, "slope", 0.25F);
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_OK);
  static const double wanted[] = {0.5, 0.25};
  for (uint32_t i = 0; i < 2; i++) {
    qn_op *op = nth_op(&run, QN_OP_ML_LEAKY_RELU, i);
    assert_non_null(op);
    assert_true(qn_op_alpha(op) == wanted[i]);
  }
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_recursion(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_import(b, "own", 1);
  add_function(b, "F", "own", "G", NULL);
  add_function(b, "G", "own", "F", NULL);
  qn_onb_node(b, "own", "F", "x", "y");
  expect_onnx(b, QN_INVALID, "function 'F' calls itself");
  b = small_model();
  qn_onb_import(b, "own", 1);
  add_function(b, "F", "", "Relu", NULL);
  add_function(b, "F", "", "Relu", NULL);
  qn_onb_node(b, "own", "F", "x", "y");
  expect_onnx(b, QN_INVALID, "there are two functions 'F'");
}

/* ---- cost ---- */

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double time_of(uint32_t nodes) {
  qn_onb *b = small_model();
  char from[16] = "x", to[16];
  for (uint32_t i = 0; i < nodes; i++) {
    snprintf(to, sizeof to, i + 1 == nodes ? "y" : "t%u", i);
    qn_onb_node(b, "", "Abs", from, to);
    memcpy(from, to, sizeof from);
  }
  qn_bytes bytes = qn_onb_finish(b, 8, 17);
  import_run run;
  double start = seconds();
  import_onnx(&run, bytes, NULL);
  double time = seconds() - start;
  assert_int_equal(run.status, QN_OK);
  import_end(&run);
  qn_onb_destroy(b);
  return time;
}

/* Linear time: ten times as many nodes may take twenty times as long, which allows for noise. */
static void test_many_nodes(void **state) {
  (void)state;
  double few = time_of(10000), many = time_of(100000);
  printf("%.1f and %.1f us per node\n", few * 100, many * 10);
  assert_true(many < 20 * few + 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small),      cmocka_unit_test(test_sorts),
      cmocka_unit_test(test_cycle),      cmocka_unit_test(test_names),
      cmocka_unit_test(test_nul),        cmocka_unit_test(test_long_name),
      cmocka_unit_test(test_versions),   cmocka_unit_test(test_domains),
      cmocka_unit_test(test_dead_nodes), cmocka_unit_test(test_listed_initializer),
      cmocka_unit_test(test_counts),     cmocka_unit_test(test_input_twice),
      cmocka_unit_test(test_functions),  cmocka_unit_test(test_recursion),
      cmocka_unit_test(test_many_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

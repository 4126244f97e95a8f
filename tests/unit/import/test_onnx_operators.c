/* Ops that nodes of .onnx files become: the sample models, and errors in nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples.h"
#include "tests/unit/import/onnx_test.h"

/* Lists the ops, for example "ml.conv; ml.relu". */
static void list_ops(const import_run *run, qn_text *out) {
  for (qn_op *op = qn_op_body(import_main(run))->first; op; op = op->next) {
    if (qn_op_has(op, QN_CONSTANT) || op->kind == QN_OP_FUNC_RETURN) continue;
    qn_text_format(out, "%s%.*s", out->size ? "; " : "", QN_STR_ARG(op->name));
  }
}

static void test_samples(void **state) {
  (void)state;
  for (uint32_t i = 0; i < qn_onnx_sample_count; i++) {
    const qn_onnx_sample *sample = &qn_onnx_samples[i];
    qn_onb *b = qn_onb_create();
    import_run run;
    sample->build(b);
    import_onnx(&run, qn_onnx_sample_finish(b), NULL);
    if (run.status != QN_OK)
      fprintf(stderr, "%s: %s", sample->name, run.messages.data ? run.messages.data : "");
    assert_int_equal(run.status, QN_OK);
    assert_valid(&run);
    qn_text ops = {0};
    list_ops(&run, &ops);
    if (sample->ops && strcmp(ops.data, sample->ops) != 0)
      fprintf(stderr, "%s: %s\n", sample->name, ops.data);
    if (sample->ops) assert_string_equal(ops.data, sample->ops);
    qn_text_deinit(&ops);
    import_end(&run);
    qn_onb_destroy(b);
  }
}

/* Every truncation of every sample, and every byte changed. Nothing may crash, and each failure has
 * a message. */
static void test_damage(void **state) {
  (void)state;
  for (uint32_t i = 0; i < qn_onnx_sample_count; i++) {
    qn_onb *b = qn_onb_create();
    import_run run;
    qn_onnx_samples[i].build(b);
    qn_bytes file = qn_onnx_sample_finish(b);
    uint8_t *copy = malloc(file.size);
    for (size_t at = 0; at < file.size; at += 1 + file.size / 200) {
      import_onnx(&run, (qn_bytes){file.data, at}, NULL);
      import_end(&run);
      memcpy(copy, file.data, file.size);
      copy[at] ^= (uint8_t)(1 << (at % 8));
      import_onnx(&run, (qn_bytes){copy, file.size}, NULL);
      if (run.module) assert_valid(&run);
      import_end(&run);
    }
    free(copy);
    qn_onb_destroy(b);
  }
}

/* ---- units ---- */

static const float HALVES = 0.5F, THIRDS = 0.3F;
static const uint8_t EIGHT = 8;

/* d is x, quantized to q and dequantized. */
static qn_onb *unit(void) {
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,4");
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "", &HALVES, 4);
  qn_onb_tensor(b, "t", QN_ONB_FLOAT, "", &THIRDS, 4);
  qn_onb_tensor(b, "z", QN_ONB_UINT8, "", &EIGHT, 1);
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s,z", "d");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,4");
  return b;
}

/* A result that is read by two different quantizations and as floats becomes three ops, one for
 * each type. */
static void test_readers(void **state) {
  (void)state;
  qn_onb *b = unit();
  qn_onb_node(b, "", "Add", "d,d", "a");
  qn_onb_node(b, "", "QuantizeLinear", "a,s,z", "q1");
  qn_onb_node(b, "", "QuantizeLinear", "a,t,z", "q2");
  qn_onb_node(b, "", "QuantizeLinear", "a,t,z", "q3");
  qn_onb_node(b, "", "DequantizeLinear", "q1,s,z", "d1");
  qn_onb_node(b, "", "DequantizeLinear", "q2,t,z", "d2");
  qn_onb_node(b, "", "DequantizeLinear", "q3,t,z", "d3");
  qn_onb_node(b, "", "Max", "a,d1", "unused");
  qn_onb_node(b, "", "Sub", "a,d1", "e");
  qn_onb_node(b, "", "Sub", "e,d2", "f");
  qn_onb_node(b, "", "Sub", "f,d3", "y");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_OK);
  static const double scales[] = {0.5, 0.30000001192092896, 0};
  for (uint32_t i = 0; i < 3; i++) {
    qn_op *op = nth_op(&run, QN_OP_ML_ADD, i);
    assert_non_null(op);
    const qn_quant_uniform *q = qn_type_quant(op->results[0].type);
    assert_true(q ? q->scales[0] == scales[i] : scales[i] == 0);
  }
  assert_null(nth_op(&run, QN_OP_ML_ADD, 3));
  import_end(&run);
  qn_onb_destroy(b);
}

/* The attribute lists the numbers of exactly those tensors that the module does not compute. */
static void test_absorbed(void **state) {
  (void)state;
  qn_onb *b = unit();
  qn_onb_node(b, "", "Neg", "d", "a");
  qn_onb_node(b, "", "Relu", "a", "c");
  qn_onb_node(b, "", "QuantizeLinear", "c,s,z", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,s,z", "y");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_OK);
  qn_i64s absorbed = qn_op_absorbed(run.module->op);
  static const int64_t wanted[] = {1, 2, 3};
  assert_int_equal(absorbed.count, 3);
  assert_memory_equal(absorbed.data, wanted, sizeof wanted);
  import_end(&run);
  qn_onb_destroy(b);
}

/* ---- errors in nodes ---- */

static void test_scales(void **state) {
  (void)state;
  static const struct {
    float scale;
    const char *message;
  } cases[] = {{0, "scale 0 is 0; it must be positive and finite"},
               {-1, "scale 0 is -1; it must be positive and finite"},
               {1e38F * 10, "scale 0 is inf; it must be positive and finite"}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *b = small_model();
    qn_onb_tensor(b, "s", QN_ONB_FLOAT, "", &cases[i].scale, 4);
    qn_onb_node(b, "", "QuantizeLinear", "x,s", "q");
    qn_onb_node(b, "", "DequantizeLinear", "q,s", "y");
    expect_onnx(b, QN_INVALID, cases[i].message);
  }
  static const float many[3] = {1, 1, 1};
  qn_onb *b = small_model();
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "3", many, sizeof many);
  qn_onb_node(b, "", "QuantizeLinear", "x,s", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s", "y");
  expect_onnx(b, QN_INVALID, "3 scales for 4 indices of axis 1");
  b = small_model();
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "3", many, sizeof many);
  qn_onb_node(b, "", "QuantizeLinear", "x,s", "q");
  qn_onb_attr_int(b, "axis", 2);
  qn_onb_node(b, "", "DequantizeLinear", "q,s", "y");
  expect_onnx(b, QN_INVALID, "axis 2 of a tensor of rank 2");
  b = small_model();
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "", many, 4);
  qn_onb_tensor(b, "z", QN_ONB_UINT8, "2", "\0\0", 2);
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s,z", "y");
  expect_onnx(b, QN_INVALID, "2 zero points for 1 scales");
}

static void test_attributes(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "LeakyRelu", "x", "y");
  qn_onb_attr_int(b, "alpha", 1);
  expect_onnx(b, QN_INVALID, "attribute 'alpha' has type 2 where 1 is expected");
  b = small_model();
  qn_onb_node(b, "", "Transpose", "x", "y");
  qn_onb_attr_ints(b, "perm", "0,0");
  expect_onnx(b, QN_INVALID, "'perm' is not an order of 2 dimensions");
  b = small_model();
  qn_onb_node(b, "", "Concat", "x,x", "y");
  expect_onnx(b, QN_INVALID, "attribute 'axis' is missing");
  b = small_model();
  qn_onb_node(b, "", "Transpose", "x", "y");
  qn_onb_attr_ints(b, "perm", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16");
  expect_onnx(b, QN_INVALID, "attribute 'perm' has 17 numbers where at most 16 make sense");
}

static void test_reshapes(void **state) {
  (void)state;
  static const struct {
    int64_t sizes[2];
    qn_status status;
    const char *message;
  } cases[] = {{{2, -1}, QN_OK, NULL},
               {{0, 4}, QN_OK, NULL},
               {{-1, -1}, QN_INVALID, "size 1 is -1"},
               {{3, -1}, QN_INVALID, "4 elements do not divide into this shape"},
               {{2, 4}, QN_INVALID, "do not divide"},
               {{2, 1}, QN_INVALID, "shape [1, 4] can't become [2, 1]"},
               {{-2, 4}, QN_INVALID, "size 0 is -2"},
               {{INT64_MAX, INT64_MAX}, QN_INVALID, "do not divide"}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *b = small_model();
    qn_onb_tensor(b, "sizes", QN_ONB_INT64, "2", cases[i].sizes, sizeof cases[i].sizes);
    qn_onb_node(b, "", "Reshape", "x,sizes", "y");
    expect_onnx(b, cases[i].status, cases[i].message);
  }
}

/* All errors are reported in one run, without errors that only follow from others. */
/* Each is rounded once: 2^63 + 2^39 is a tie, which goes down; one more goes up. */
static void test_casts_of_uint64(void **state) {
  (void)state;
  enum { UINT64_TYPE = 13 };
  static const uint64_t numbers[] = {3, UINT64_C(1) << 63,
                                     (UINT64_C(1) << 63) + (UINT64_C(1) << 39),
                                     (UINT64_C(1) << 63) + (UINT64_C(1) << 39) + 1, UINT64_MAX};
  static const float expected[] = {3, 0x1p63F, 0x1p63F, 0x1.000002p63F, 0x1p64F};
  qn_onb *b = qn_onb_create();
  import_run run;
  qn_onb_tensor(b, "n", UINT64_TYPE, "5", numbers, sizeof numbers);
  qn_onb_node(b, "", "Cast", "n", "y");
  qn_onb_attr_int(b, "to", QN_ONB_FLOAT);
  qn_onb_output(b, "y", QN_ONB_FLOAT, "5");
  import_onnx(&run, qn_onb_finish(b, 10, 21), NULL);
  assert_int_equal(run.status, QN_OK);
  const qn_value *y = qn_op_operand(qn_op_body(import_main(&run))->last, 0);
  assert_memory_equal(qn_value_constant(y)->dense.bytes.data, expected, sizeof expected);
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_all_problems(void **state) {
  (void)state;
  qn_onb *b = small_model();
  qn_onb_node(b, "", "NonZero", "x", "a");
  qn_onb_node(b, "", "Relu", "a", "c");
  qn_onb_node(b, "", "Unique", "x", "e");
  qn_onb_node(b, "", "Add", "c,e", "y");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17), NULL);
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(
      has_message(&run, "operator 0 (NonZero): error: the operator NonZero is not supported"));
  assert_true(has_message(&run, "operator 2 (Unique)"));
  assert_int_equal(run.cx.diag.errors, 2);
  import_end(&run);
  qn_import_options options = {.keep_unsupported = true};
  import_onnx(&run, qn_onb_finish(b, 8, 17), &options);
  qn_onb_destroy(b);
  import_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_readers),      cmocka_unit_test(test_absorbed),
      cmocka_unit_test(test_scales),       cmocka_unit_test(test_attributes),
      cmocka_unit_test(test_reshapes),     cmocka_unit_test(test_casts_of_uint64),
      cmocka_unit_test(test_all_problems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Units of .onnx files (an operator with its QuantizeLinear and DequantizeLinear nodes): under the
 * profile "ort", units that onnxruntime does not fuse to an integer kernel have the attribute
 * quern.unfused, and those that it computes on uint8 instead of int8 quern.as_unsigned. Float
 * weights and biases of such units are quantized.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tests/unit/import/onnx_test.h"

/* ---- parts of models ---- */

static void parameters(qn_onb *b, int64_t type, uint8_t zero_point) {
  static const float scale = 0.05F, other = 0.04F;
  static const int8_t none = 0;
  const uint16_t zero = zero_point;
  const size_t width = type == QN_ONB_UINT16 ? 2 : 1;
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "", &scale, sizeof scale);
  qn_onb_tensor(b, "t", QN_ONB_FLOAT, "", &other, sizeof other);
  qn_onb_tensor(b, "z", type, "", &zero, width);
  qn_onb_tensor(b, "k", QN_ONB_INT8, "", &none, 1);
}

static void quantized(qn_onb *b, const char *of, const char *q, const char *d) {
  char operands[32];
  snprintf(operands, sizeof operands, "%s,s,z", of);
  qn_onb_node(b, "", "QuantizeLinear", operands, q);
  snprintf(operands, sizeof operands, "%s,s,z", q);
  qn_onb_node(b, "", "DequantizeLinear", operands, d);
}

/* Adds "d", x quantized to integers of a type and dequantized, and weights "e" of 8 bits. */
static void begin(qn_onb *b, int64_t type, uint8_t zero_point) {
  static const int8_t weights[16] = {1, -2, 3, -4, 5, -6, 7, -8, 9, 10, 11, 12, 13, 14, 15, 16};
  parameters(b, type, zero_point);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,1,4,4");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,4", weights, sizeof weights);
  quantized(b, "x", "q", "d");
  qn_onb_node(b, "", "DequantizeLinear", "w,t,k", "e");
}

static void end(qn_onb *b, const char *of) {
  quantized(b, of, "p", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

/* ---- models ---- */

static void unsigned_bytes(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MatMul", "d,e", "r");
  end(b, "r");
}

static void signed_bytes(qn_onb *b) {
  begin(b, QN_ONB_INT8, 0);
  qn_onb_node(b, "", "MatMul", "d,e", "r");
  end(b, "r");
}

static void words(qn_onb *b) {
  begin(b, QN_ONB_UINT16, 7);
  qn_onb_node(b, "", "MatMul", "d,e", "r");
  end(b, "r");
}

/* The first result, int8, has two readers. onnxruntime does not convert it to uint8, so the
 * operands of these units have different types. */
static void signed_fan_out(qn_onb *b) {
  begin(b, QN_ONB_INT8, 0);
  qn_onb_node(b, "", "MatMul", "d,e", "r");
  quantized(b, "r", "o", "c");
  qn_onb_node(b, "", "MatMul", "c,e", "g");
  quantized(b, "g", "m", "n");
  qn_onb_node(b, "", "Add", "c,n", "h");
  end(b, "h");
}

static void few_bits(qn_onb *b) {
  static const uint8_t weights[8] = {0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB, 0xED, 0x0F}, none = 0;
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_tensor(b, "v", QN_ONB_INT4, "4,4", weights, sizeof weights);
  qn_onb_tensor(b, "j", QN_ONB_INT4, "", &none, 1);
  qn_onb_node(b, "", "DequantizeLinear", "v,t,j", "i");
  qn_onb_node(b, "", "MatMul", "d,i", "r");
  end(b, "r");
}

static void clamp_implied(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 0);
  qn_onb_node(b, "", "MatMul", "d,e", "f");
  qn_onb_node(b, "", "Relu", "f", "r");
  end(b, "r");
}

static void clamp_kept(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MatMul", "d,e", "f");
  qn_onb_node(b, "", "Relu", "f", "r");
  end(b, "r");
}

static void clip(qn_onb *b, const char *shape) {
  static const float zero = 0, most = 20, scale = 0.05F;
  begin(b, QN_ONB_UINT8, 0);
  qn_onb_tensor(b, "l", QN_ONB_FLOAT, "", &zero, sizeof zero);
  qn_onb_tensor(b, "m", QN_ONB_FLOAT, "", &most, sizeof most);
  qn_onb_tensor(b, "o", QN_ONB_FLOAT, shape, &scale, sizeof scale);
  qn_onb_node(b, "", "MatMul", "d,e", "f");
  qn_onb_node(b, "", "Clip", "f,l,m", "r");
  qn_onb_node(b, "", "QuantizeLinear", "r,o,z", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,o,z", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

static void clip_implied(qn_onb *b) { clip(b, ""); }
/* onnxruntime does not compare the bounds with a scale that has a dimension. */
static void clip_kept(qn_onb *b) { clip(b, "1"); }

/* The Relu is a unit of its own, in float, and not a part of the unit before it. */
static void clamp_alone(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MatMul", "d,e", "f");
  quantized(b, "f", "g", "h");
  qn_onb_node(b, "", "Relu", "h", "r");
  end(b, "r");
}

static void moved_over(qn_onb *b) {
  static const int64_t shape[] = {4, 4};
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_tensor(b, "a", QN_ONB_INT64, "2", shape, sizeof shape);
  qn_onb_node(b, "", "MatMul", "d,e", "f");
  qn_onb_node(b, "", "Reshape", "f,a", "r");
  end(b, "r");
}

static void kept_apart(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MatMul", "d,e", "f");
  qn_onb_node(b, "", "Reshape", "f,a", "g");
  qn_onb_tensor(b, "a", QN_ONB_INT64, "2", (const int64_t[]){4, 4}, 2 * sizeof(int64_t));
  qn_onb_node(b, "", "Flatten", "g", "r");
  end(b, "r");
}

static void also_floats(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MatMul", "d,e", "r");
  qn_onb_output(b, "r", QN_ONB_FLOAT, NULL);
  end(b, "r");
}

static void floats_alone(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MatMul", "d,e", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

static void float_sum(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "Add", "d,d", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

/* A result that has two readers stays int8, and so does a unit that reads it twice. */
static void read_twice(qn_onb *b) {
  begin(b, QN_ONB_INT8, 3);
  qn_onb_node(b, "", "Sigmoid", "d", "f");
  qn_onb_node(b, "", "QuantizeLinear", "f,s,z", "g");
  qn_onb_node(b, "", "DequantizeLinear", "g,s,z", "h");
  qn_onb_node(b, "", "Mul", "h,h", "i");
  qn_onb_node(b, "", "QuantizeLinear", "i,s,z", "y");
  qn_onb_output(b, "y", QN_ONB_INT8, NULL);
}

static void unsigned_sum(qn_onb *b) {
  begin(b, QN_ONB_INT8, 3);
  qn_onb_input(b, "u", QN_ONB_FLOAT, "1,1,4,4");
  quantized(b, "u", "m", "n");
  qn_onb_node(b, "", "Add", "d,n", "r");
  end(b, "r");
}

static void unsigned_pool(qn_onb *b) {
  begin(b, QN_ONB_INT8, 3);
  qn_onb_node(b, "", "AveragePool", "d", "r");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  end(b, "r");
}

/* Float filters and bias; the bias is 400 steps of the products. */
static void with_float_filters(qn_onb *b, const char *bias) {
  static const float filters[] = {0, 1.28F, -1.27F, 0.005F}, offset[] = {0.2F};
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_tensor(b, "l", QN_ONB_FLOAT, "1,1,2,2", filters, sizeof filters);
  qn_onb_tensor(b, "o", QN_ONB_FLOAT, "1", offset, sizeof offset);
  qn_onb_node(b, "", "Conv", bias, "f");
}

static void float_filters(qn_onb *b) {
  with_float_filters(b, "d,l,o");
  end(b, "f");
}

static void float_filters_clamped(qn_onb *b) {
  with_float_filters(b, "d,l");
  qn_onb_node(b, "", "Relu", "f", "r");
  end(b, "r");
}

static void float_filters_read_twice(qn_onb *b) {
  with_float_filters(b, "d,l,o");
  qn_onb_node(b, "", "Add", "f,f", "r");
  end(b, "r");
}

static void curve(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "Sigmoid", "d", "f");
  quantized(b, "f", "g", "h");
  qn_onb_node(b, "", "Tanh", "h", "r");
  end(b, "r");
}

static void multiply_moved(qn_onb *b) {
  qn_onb_node(b, "", "Transpose", "d", "f");
  qn_onb_attr_ints(b, "perm", "0,1,3,2");
  qn_onb_node(b, "", "MatMul", "f,e", "r");
  end(b, "r");
}

/* onnxruntime moves the DequantizeLinear after the Transpose. */
static void moved_before(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  multiply_moved(b);
}

/* Then the input has two readers, but what is moved has one, and becomes uint8. */
static void moved_before_signed(qn_onb *b) {
  begin(b, QN_ONB_INT8, 3);
  multiply_moved(b);
  qn_onb_node(b, "", "Exp", "d", "l");
  qn_onb_output(b, "l", QN_ONB_FLOAT, NULL);
}

static void moved_before_two(qn_onb *b) {
  begin(b, QN_ONB_INT8, 3);
  multiply_moved(b);
  qn_onb_node(b, "", "Exp", "f", "l");
  qn_onb_output(b, "l", QN_ONB_FLOAT, NULL);
}

/* The integers are an output and stay int8, those before the Reshape have one reader. */
static void signed_output(qn_onb *b) {
  begin(b, QN_ONB_INT8, 3);
  qn_onb_node(b, "", "Sigmoid", "d", "f");
  qn_onb_node(b, "", "QuantizeLinear", "f,s,z", "y");
  qn_onb_output(b, "y", QN_ONB_INT8, NULL);
}

static void signed_output_moved(qn_onb *b) {
  begin(b, QN_ONB_INT8, 3);
  qn_onb_tensor(b, "a", QN_ONB_INT64, "2", (const int64_t[]){4, 4}, 2 * sizeof(int64_t));
  qn_onb_node(b, "", "Sigmoid", "d", "f");
  qn_onb_node(b, "", "Reshape", "f,a", "r");
  qn_onb_node(b, "", "QuantizeLinear", "r,s,z", "y");
  qn_onb_output(b, "y", QN_ONB_INT8, NULL);
}

/* Flatten is not moved over, so the product is one of floats. */
static void not_moved_before(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "Reshape", "d,a", "f");
  qn_onb_tensor(b, "a", QN_ONB_INT64, "2", (const int64_t[]){4, 4}, 2 * sizeof(int64_t));
  qn_onb_node(b, "", "Flatten", "f", "g");
  qn_onb_node(b, "", "MatMul", "g,e", "r");
  end(b, "r");
}

static void pool_before(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MaxPool", "d", "f");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  qn_onb_node(b, "", "Sigmoid", "f", "r");
  end(b, "r");
}

static void dilated_pool_before(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "MaxPool", "d", "f");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  qn_onb_attr_ints(b, "dilations", "2,2");
  qn_onb_node(b, "", "Sigmoid", "f", "r");
  end(b, "r");
}

/* The clamp is dropped and its pair with it, so the softmax reads integers that have a second
 * reader and stay int8, while its result becomes uint8. */
static void clamp_of_shared(qn_onb *b) {
  begin(b, QN_ONB_INT8, 128);
  qn_onb_node(b, "", "Relu", "d", "c");
  quantized(b, "c", "g", "h");
  qn_onb_node(b, "", "Softmax", "h", "r");
  quantized(b, "r", "m", "n");
  qn_onb_node(b, "", "Exp", "n", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
  qn_onb_node(b, "", "DequantizeLinear", "q,s,z", "l");
  qn_onb_output(b, "l", QN_ONB_FLOAT, NULL);
}

/* The pairs are merged over the first Transpose, which leaves the integers one DequantizeLinear. */
static void result_transposed(qn_onb *b) {
  parameters(b, QN_ONB_INT8, 128);
  qn_onb_input(b, "i", QN_ONB_INT8, "4,4");
  qn_onb_node(b, "", "DequantizeLinear", "i,s,z", "d");
  qn_onb_node(b, "", "Softmax", "d", "r");
  quantized(b, "r", "m", "n");
  qn_onb_node(b, "", "Transpose", "n", "f");
  qn_onb_attr_ints(b, "perm", "1,0");
  quantized(b, "f", "g", "h");
  qn_onb_node(b, "", "Transpose", "h", "y");
  qn_onb_attr_ints(b, "perm", "1,0");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

static const struct {
  void (*build)(qn_onb *b);
  const char *ops; /* ops of the units; "*": not fused; "+": computed on uint8 */
} cases[] = {
    {unsigned_bytes, "ml.linear"},
    {signed_bytes, "ml.linear"},
    {words, "ml.linear*"},
    {signed_fan_out, "ml.linear*; ml.linear*; ml.add*"},
    {few_bits, "ml.linear*"},
    {clamp_implied, "ml.linear"},
    {clamp_kept, "ml.linear*; ml.relu"},
    {clamp_alone, "ml.linear; ml.relu"},
    {clip_implied, "ml.linear"},
    {clip_kept, "ml.linear*"},
    {moved_over, "ml.linear; ml.reshape"},
    {kept_apart, "ml.linear*; ml.reshape; ml.reshape"},
    {also_floats, "ml.linear*; ml.linear*"},
    {floats_alone, "ml.linear"},
    {float_sum, "ml.add*"},
    {read_twice, "ml.sigmoid*; ml.mul"},
    {unsigned_sum, "ml.add+"},
    {unsigned_pool, "ml.reshape; ml.avg_pool+; ml.reshape"},
    {float_filters, "ml.reshape; ml.conv; ml.reshape"},
    {float_filters_clamped, "ml.reshape; ml.conv*; ml.relu; ml.reshape"},
    {float_filters_read_twice,
     "ml.reshape; ml.cast; ml.cast; ml.cast; ml.conv; ml.add; ml.cast*; ml.add; ml.reshape"},
    {curve, "ml.sigmoid; ml.tanh*"},
    {moved_before, "ml.transpose; ml.linear"},
    {moved_before_signed, "ml.transpose; ml.linear; ml.exp*"},
    {signed_output, "ml.sigmoid*"},
    {signed_output_moved, "ml.sigmoid; ml.reshape"},
    {moved_before_two, "ml.transpose; ml.linear*; ml.exp*"},
    {not_moved_before, "ml.reshape; ml.reshape; ml.cast; ml.cast; ml.linear; ml.cast*"},
    {clamp_of_shared, "ml.softmax*; ml.exp*"},
    {result_transposed, "ml.softmax*; ml.transpose; ml.transpose"},
    {pool_before, "ml.reshape; ml.max_pool; ml.sigmoid; ml.reshape"},
    {dilated_pool_before, "ml.gather; ml.gather; ml.reshape; ml.reduce_max; ml.sigmoid"}};

/* Lists the units, for example "ml.linear*; ml.relu". */
static void list_units(const import_run *run, qn_text *out) {
  for (qn_op *op = qn_op_body(import_main(run))->first; op; op = op->next) {
    if (strncmp(op->name.data, "ml.", 3) != 0 || qn_op_has(op, QN_CONSTANT)) continue;
    qn_text_format(out, "%s%.*s%s%s", out->size ? "; " : "", QN_STR_ARG(op->name),
                   qn_op_unfused(op) ? "*" : "", qn_op_as_unsigned(op) ? "+" : "");
  }
}

/* Units of the model under the profile "ort"; under "onnx", none is marked. */
static void expect_units(void (*build)(qn_onb *b), int64_t opset, const char *expected) {
  for (int k = 0; k < 2; k++) {
    qn_onb *b = qn_onb_create();
    import_run run;
    qn_text ops = {0};
    build(b);
    import_onnx(&run, qn_onb_finish(b, 10, opset),
                &(qn_import_options){.numerics = qn_str_of(k ? "ort" : "onnx")});
    if (run.status != QN_OK)
      fprintf(stderr, "%s: %s", expected, run.messages.data ? run.messages.data : "");
    assert_int_equal(run.status, QN_OK);
    assert_valid(&run);
    list_units(&run, &ops);
    if (k) assert_string_equal(ops.data, expected);
    if (!k) assert_null(strpbrk(ops.data, "*+"));
    qn_text_deinit(&ops);
    import_end(&run);
    qn_onb_destroy(b);
  }
}

static void test_fusion(void **state) {
  (void)state;
  for (size_t i = 0; i < QN_COUNT(cases); i++) expect_units(cases[i].build, 21, cases[i].ops);
}

static void pool_after(qn_onb *b) {
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "Sigmoid", "d", "f");
  qn_onb_node(b, "", "MaxPool", "f", "r");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  end(b, "r");
}

/* onnxruntime moves over MaxPool from opset 12 on, which has 8-bit integers. */
static void test_pools_of_old_opsets(void **state) {
  (void)state;
  expect_units(pool_before, 12, "ml.reshape; ml.max_pool; ml.sigmoid; ml.reshape");
  expect_units(pool_before, 11,
               "ml.reshape; ml.max_pool; ml.cast; ml.sigmoid; ml.cast*; ml.reshape");
  expect_units(
      dilated_pool_before, 11,
      "ml.cast; ml.gather; ml.gather; ml.reshape; ml.reduce_max; ml.cast; ml.sigmoid; ml.cast*");
  expect_units(pool_after, 12, "ml.sigmoid; ml.reshape; ml.max_pool; ml.reshape");
  expect_units(pool_after, 11, "ml.sigmoid*; ml.reshape; ml.max_pool; ml.reshape");
}

/* ---- float weights and biases ---- */

static const qn_op *first_of(const import_run *run, qn_op_kind kind) {
  const qn_op *op = qn_op_body(import_main(run))->first;
  while (op && op->kind != kind) op = op->next;
  assert_non_null(op);
  return op;
}

/* The range -1.27 to 1.28 has steps of 0.01, and -128 is 1.27 steps below 0. */
static void test_rounded_parameters(void **state) {
  (void)state;
  static const int8_t filters[] = {-1, 127, -128, -1};
  static const int32_t bias = 400;
  qn_onb *b = qn_onb_create();
  import_run run;
  float_filters(b);
  import_onnx(&run, qn_onb_finish(b, 10, 21), &(qn_import_options){.numerics = qn_str_of("ort")});
  assert_int_equal(run.status, QN_OK);
  const qn_op *conv = first_of(&run, QN_OP_ML_CONV);
  const qn_value *w = qn_op_operand(conv, 1), *o = qn_op_operand(conv, 2);
  const qn_quant_uniform *q = qn_type_quant(w->type);
  assert_memory_equal(qn_value_constant(w)->dense.bytes.data, filters, sizeof filters);
  assert_true((float)q->scales[0] == (1.28F + 1.27F) / 255 && q->zero_points[0] == -1);
  assert_memory_equal(qn_value_constant(o)->dense.bytes.data, &bias, sizeof bias);
  assert_true(qn_type_quant(o->type)->scales[0] == (double)(0.05F * (float)q->scales[0]));
  import_end(&run);
  qn_onb_destroy(b);
}

/* A Gemm with a factor is a formula, which reads the same integers. */
static void test_rounded_parameters_of_a_formula(void **state) {
  (void)state;
  static const float weights[16] = {-1.27F, 1.28F}, bias[4] = {0.5F};
  qn_onb *b = qn_onb_create();
  import_run run;
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_node(b, "", "Reshape", "d,a", "f");
  qn_onb_tensor(b, "a", QN_ONB_INT64, "2", (const int64_t[]){4, 4}, 2 * sizeof(int64_t));
  qn_onb_tensor(b, "l", QN_ONB_FLOAT, "4,4", weights, sizeof weights);
  qn_onb_tensor(b, "o", QN_ONB_FLOAT, "4", bias, sizeof bias);
  qn_onb_node(b, "", "Gemm", "f,l,o", "r");
  qn_onb_attr_float(b, "alpha", 0.5F);
  end(b, "r");
  import_onnx(&run, qn_onb_finish(b, 10, 21), &(qn_import_options){.numerics = qn_str_of("ort")});
  assert_int_equal(run.status, QN_OK);
  const qn_op *product = first_of(&run, QN_OP_ML_MATMUL);
  const qn_value *w = qn_op_operand(product, 1);
  while (w->op->operand_count > 0) w = qn_op_operand(w->op, 0);
  const int8_t *stored = (const int8_t *)qn_value_constant(w)->dense.bytes.data;
  assert_true(stored[0] == -128 && stored[1] == 127 && stored[2] == -1);
  import_end(&run);
  qn_onb_destroy(b);
}

static void expect_rejected(const float *filters, const float *bias, const char *message) {
  qn_onb *b = qn_onb_create();
  import_run run;
  begin(b, QN_ONB_UINT8, 7);
  qn_onb_tensor(b, "l", QN_ONB_FLOAT, "1,1,2,2", filters, 4 * sizeof *filters);
  qn_onb_tensor(b, "o", QN_ONB_FLOAT, "1", bias, sizeof *bias);
  qn_onb_node(b, "", "Conv", "d,l,o", "f");
  end(b, "f");
  import_onnx(&run, qn_onb_finish(b, 10, 21), &(qn_import_options){.numerics = qn_str_of("ort")});
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(has_message(&run, message));
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_unroundable_parameters(void **state) {
  (void)state;
  expect_rejected((float[]){1, INFINITY, 0, 0}, &(float){0}, "not all elements are finite");
  expect_rejected((float[]){1e-40F, 0, 0, 0}, &(float){0}, "its scale would be");
  expect_rejected((float[]){1, 0, 0, 0}, &(float){1e9F}, "steps of the products");
  expect_rejected((float[]){1, 0, 0, 0}, &(float){NAN}, "steps of the products");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fusion),
                                     cmocka_unit_test(test_pools_of_old_opsets),
                                     cmocka_unit_test(test_rounded_parameters),
                                     cmocka_unit_test(test_rounded_parameters_of_a_formula),
                                     cmocka_unit_test(test_unroundable_parameters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

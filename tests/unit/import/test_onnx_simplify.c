/* Changes that onnxruntime makes to a graph before it fuses units, under the profile "ort":
 * operators that change nothing are removed, adjacent pairs of quantizations become one, and
 * outputs of the model before a transposed quantization are quantized. The expected parameters are
 * those of onnxruntime's optimized models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/onnx_test.h"

/* Constants: two encodings (s, z and u, v) of a type, neutral numbers, and weights of 8 bits. */
static void constants(qn_onb *b, int64_t type) {
  static const float s = 0.05F, u = 0.03F, zero = 0, one = 1, half = 0.5F, t = 0.1F;
  static const int8_t weights[16] = {1, -2, 3, -4, 5, -6, 7, -8, 9, 10, 11, 12, 13, 14, 15, 16};
  const uint16_t z = 10, v = 20;
  const size_t width = type == QN_ONB_UINT16 || type == QN_ONB_INT16 ? 2 : 1;
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "", &s, sizeof s);
  qn_onb_tensor(b, "z", type, "", &z, width);
  qn_onb_tensor(b, "u", QN_ONB_FLOAT, "", &u, sizeof u);
  qn_onb_tensor(b, "v", type, "", &v, width);
  qn_onb_tensor(b, "zero", QN_ONB_FLOAT, "", &zero, sizeof zero);
  qn_onb_tensor(b, "one", QN_ONB_FLOAT, "1", &one, sizeof one);
  qn_onb_tensor(b, "wide", QN_ONB_FLOAT, "1,1", &one, sizeof one);
  qn_onb_tensor(b, "half", QN_ONB_FLOAT, "", &half, sizeof half);
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,4", weights, sizeof weights);
  qn_onb_tensor(b, "t", QN_ONB_FLOAT, "", &t, sizeof t);
  qn_onb_tensor(b, "k", QN_ONB_INT8, "", &(int8_t){0}, 1);
  qn_onb_node(b, "", "DequantizeLinear", "w,t,k", "e");
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
}

/* x quantized by the first encoding, and "d", dequantized. */
static void begin(qn_onb *b, int64_t type) {
  constants(b, type);
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s,z", "d");
}

/* Output y: "m" quantized by the second encoding and dequantized. */
static void end(qn_onb *b, const char *of) {
  char operands[32];
  snprintf(operands, sizeof operands, "%s,u,v", of);
  qn_onb_node(b, "", "QuantizeLinear", operands, "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

/* Lists the ops with scale and zero point of quantized results, and a star if unfused. */
static void list_ops(const import_run *run, qn_text *out) {
  for (qn_op *op = qn_op_body(import_main(run))->first; op; op = op->next) {
    if (qn_op_has(op, QN_CONSTANT) || op->result_count == 0) continue;
    qn_text_format(out, "%s%.*s%s", out->size ? "; " : "", QN_STR_ARG(op->name),
                   qn_op_unfused(op) ? "*" : "");
    const qn_quant_uniform *q = qn_type_quant(op->results[0].type);
    if (q)
      qn_text_format(out, " %.9g %lld", (double)(float)q->scales[0], (long long)q->zero_points[0]);
  }
}

typedef struct unit_case {
  void (*build)(qn_onb *b);
  const char *ops;
} unit_case;

static void expect_ops(void (*build)(qn_onb *b), const char *profile, const char *expected) {
  qn_onb *b = qn_onb_create();
  import_run run;
  qn_text ops = {0};
  build(b);
  import_onnx(&run, qn_onb_finish(b, 10, 21), &(qn_import_options){.numerics = qn_str_of(profile)});
  if (run.status != QN_OK)
    fprintf(stderr, "%s: %s", expected, run.messages.data ? run.messages.data : "");
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  list_ops(&run, &ops);
  assert_string_equal(ops.data, expected);
  qn_text_deinit(&ops);
  import_end(&run);
  qn_onb_destroy(b);
}

static void expect_all(const unit_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) expect_ops(cases[i].build, "ort", cases[i].ops);
}

/* ---- pairs ---- */

#define MERGED(s, z) "quant.qcast " s " " z "; quant.dcast"
#define KEPT "quant.qcast 0.0500000007 10; ml.requantize 0.0299999993 20; quant.dcast"

static void bytes(qn_onb *b) { begin(b, QN_ONB_UINT8), end(b, "d"); }
static void signed_bytes(qn_onb *b) { begin(b, QN_ONB_INT8), end(b, "d"); }
static void words(qn_onb *b) { begin(b, QN_ONB_UINT16), end(b, "d"); }
static void signed_words(qn_onb *b) { begin(b, QN_ONB_INT16), end(b, "d"); }

static void first_is_output(qn_onb *b) {
  begin(b, QN_ONB_UINT8), end(b, "d");
  qn_onb_output(b, "q", QN_ONB_UINT8, NULL);
}

static void second_is_output(qn_onb *b) {
  begin(b, QN_ONB_UINT8), end(b, "d");
  qn_onb_output(b, "p", QN_ONB_UINT8, NULL);
}

static void read_by_others(qn_onb *b) {
  begin(b, QN_ONB_UINT8), end(b, "d");
  qn_onb_node(b, "", "Exp", "d", "o");
}

static void dequantized_twice(qn_onb *b) {
  begin(b, QN_ONB_UINT8), end(b, "d");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "o");
  qn_onb_output(b, "o", QN_ONB_FLOAT, NULL);
}

static void dequantized_by_others(qn_onb *b) {
  begin(b, QN_ONB_UINT8), end(b, "d");
  qn_onb_node(b, "", "DequantizeLinear", "p,s,v", "o");
  qn_onb_output(b, "o", QN_ONB_FLOAT, NULL);
}

static void without_zero_points(qn_onb *b) {
  constants(b, QN_ONB_UINT8);
  qn_onb_node(b, "", "QuantizeLinear", "x,s", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s", "d");
  qn_onb_node(b, "", "QuantizeLinear", "d,u", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

/* The result of the first merge is merged with the third pair. */
static void three(qn_onb *b) {
  static const float scale = 0.02F;
  static const uint8_t zero = 5;
  begin(b, QN_ONB_UINT8);
  qn_onb_tensor(b, "a", QN_ONB_FLOAT, "", &scale, sizeof scale);
  qn_onb_tensor(b, "c", QN_ONB_UINT8, "", &zero, 1);
  qn_onb_node(b, "", "QuantizeLinear", "d,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "f");
  qn_onb_node(b, "", "QuantizeLinear", "f,a,c", "g");
  qn_onb_node(b, "", "DequantizeLinear", "g,a,c", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

static void transpose(qn_onb *b, const char *from, const char *to) {
  qn_onb_node(b, "", "Transpose", from, to);
  qn_onb_attr_ints(b, "perm", "1,0");
}

/* "f": "m" quantized by the second encoding and dequantized. */
static void second_pair(qn_onb *b) {
  qn_onb_node(b, "", "QuantizeLinear", "m,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "f");
}

/* The second Transpose makes onnxruntime move the first one over the second pair. */
static void transposed(qn_onb *b) {
  begin(b, QN_ONB_UINT8), transpose(b, "d", "m"), second_pair(b);
  qn_onb_node(b, "", "Relu", "f", "g");
  transpose(b, "g", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

/* onnxruntime does not move a Transpose that has no permutation in the file. */
static void transposed_by_default(qn_onb *b) {
  begin(b, QN_ONB_UINT8);
  qn_onb_node(b, "", "Transpose", "d", "m");
  second_pair(b), transpose(b, "f", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

/* The second pair has two readers. */
static void transposed_for_two(qn_onb *b) {
  begin(b, QN_ONB_UINT8), transpose(b, "d", "m"), second_pair(b);
  transpose(b, "f", "y");
  qn_onb_node(b, "", "Exp", "f", "g");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
  qn_onb_output(b, "g", QN_ONB_FLOAT, NULL);
}

/* Both Transposes vanish when they meet, so that the third pair is merged, too. */
static void transposed_back(qn_onb *b) {
  begin(b, QN_ONB_UINT8), transpose(b, "d", "m"), second_pair(b);
  transpose(b, "f", "g");
  qn_onb_node(b, "", "QuantizeLinear", "g,s,z", "h");
  qn_onb_node(b, "", "DequantizeLinear", "h,s,z", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

static void transposes(qn_onb *b, const char *first, const char *second) {
  begin(b, QN_ONB_UINT8);
  qn_onb_node(b, "", "Transpose", "d", "o");
  qn_onb_attr_ints(b, "perm", first);
  qn_onb_node(b, "", "Transpose", "o", "m");
  qn_onb_attr_ints(b, "perm", second);
  qn_onb_node(b, "", "QuantizeLinear", "m,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_UINT8, NULL);
}

/* onnxruntime quantizes between the two Transposes, and moves the first one to the second. If both
 * vanish, that quantization is the one after them. */
static void transposed_twice(qn_onb *b) { transposes(b, "0,1", "1,0"); }
static void transposed_there_and_back(qn_onb *b) { transposes(b, "1,0", "1,0"); }

/* Both operands of the sum lose a Transpose, so they move although nothing follows. */
static void transposed_operands(qn_onb *b) {
  begin(b, QN_ONB_UINT8), transpose(b, "d", "m"), second_pair(b);
  transpose(b, "x", "g");
  qn_onb_node(b, "", "Add", "f,g", "h");
  transpose(b, "h", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

static void transposed_once(qn_onb *b) {
  begin(b, QN_ONB_UINT8);
  qn_onb_node(b, "", "Transpose", "d", "m");
  end(b, "m");
}

static void test_pairs(void **state) {
  (void)state;
  static const unit_case cases[] = {
      {bytes, MERGED("0.0296078417", "17")},
      {signed_bytes, MERGED("0.0300000012", "20")},
      {words, MERGED("0.0299984738", "17")},
      {signed_words, MERGED("0.0299999993", "20")},
      {first_is_output, KEPT},
      {second_is_output, KEPT},
      {read_by_others, KEPT},
      {dequantized_twice, MERGED("0.0296078417", "17") "; quant.dcast"},
      {dequantized_by_others, KEPT "; quant.scast; quant.scast 0.0500000007 20; quant.dcast"},
      {without_zero_points,
       "quant.qcast 0.0500000007 0; ml.requantize 0.0299999993 0; quant.dcast"},
      {three, MERGED("0.0199999996", "5")},
      {transposed, "quant.qcast 0.0296078417 17; ml.transpose 0.0296078417 17; quant.dcast; "
                   "ml.relu; ml.transpose"},
      {transposed_by_default, "quant.qcast 0.0500000007 10; ml.requantize 0.0299999993 20; "
                              "ml.transpose 0.0299999993 20; quant.dcast; ml.transpose"},
      {transposed_for_two, "quant.qcast 0.0500000007 10; ml.requantize 0.0299999993 20; "
                           "ml.transpose 0.0299999993 20; quant.dcast; ml.transpose; ml.exp*"},
      {transposed_back, "quant.qcast 0.0295947697 17; ml.transpose 0.0295947697 17; ml.transpose "
                        "0.0295947697 17; quant.dcast"},
      {transposed_twice, "quant.qcast 0.0296078417 17; ml.requantize 0.0299999993 20; ml.transpose "
                         "0.0299999993 20; ml.transpose 0.0299999993 20"},
      {transposed_there_and_back, "quant.qcast 0.0500000007 10; ml.requantize 0.0299999993 20; "
                                  "ml.transpose 0.0299999993 20; ml.transpose 0.0299999993 20"},
      {transposed_operands, "quant.qcast 0.0296078417 17; ml.transpose 0.0296078417 17; "
                            "quant.dcast; ml.transpose; ml.add; ml.transpose"},
      {transposed_once, "quant.qcast 0.0500000007 10; ml.requantize "
                        "0.0299999993 20; ml.transpose 0.0299999993 20; quant.dcast"}};
  expect_all(cases, QN_COUNT(cases));
  expect_ops(bytes, "onnx", KEPT);
}

static void test_ranges_without_intersection(void **state) {
  (void)state;
  static const uint8_t low = 0, high = 255;
  qn_onb *b = qn_onb_create();
  import_run run;
  constants(b, QN_ONB_UINT8);
  qn_onb_tensor(b, "low", QN_ONB_UINT8, "", &low, 1);
  qn_onb_tensor(b, "high", QN_ONB_UINT8, "", &high, 1);
  qn_onb_node(b, "", "QuantizeLinear", "x,s,low", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s,low", "d");
  qn_onb_node(b, "", "QuantizeLinear", "d,u,high", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,high", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
  import_onnx(&run, qn_onb_finish(b, 10, 21), &(qn_import_options){.numerics = qn_str_of("ort")});
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(has_message(&run, "no interval in common"));
  import_end(&run);
  qn_onb_destroy(b);
}

/* ---- operators that change nothing ---- */

static void between(qn_onb *b, const char *kind, const char *operands) {
  begin(b, QN_ONB_UINT8);
  qn_onb_node(b, "", kind, operands, "m");
}

static void times_one(qn_onb *b) { between(b, "Mul", "d,one"), end(b, "m"); }
static void one_times(qn_onb *b) { between(b, "Mul", "one,d"), end(b, "m"); }
static void by_one(qn_onb *b) { between(b, "Div", "d,one"), end(b, "m"); }
static void plus_zero(qn_onb *b) { between(b, "Add", "zero,d"), end(b, "m"); }
static void minus_zero(qn_onb *b) { between(b, "Sub", "d,zero"), end(b, "m"); }
static void identity(qn_onb *b) { between(b, "Identity", "d"), end(b, "m"); }
static void dropout(qn_onb *b) { between(b, "Dropout", "d,half"), end(b, "m"); }

static void cast(qn_onb *b) {
  between(b, "Cast", "d");
  qn_onb_attr_int(b, "to", QN_ONB_FLOAT);
  end(b, "m");
}

static void several(qn_onb *b) {
  between(b, "Mul", "d,one");
  qn_onb_node(b, "", "Identity", "m", "n");
  qn_onb_node(b, "", "Add", "n,zero", "o");
  end(b, "o");
}

static void times_half(qn_onb *b) { between(b, "Mul", "d,half"), end(b, "m"); }
static void times_matrix(qn_onb *b) { between(b, "Mul", "d,wide"), end(b, "m"); }
static void from_zero(qn_onb *b) { between(b, "Sub", "zero,d"), end(b, "m"); }

static void is_output(qn_onb *b) {
  between(b, "Identity", "d"), end(b, "m");
  qn_onb_output(b, "m", QN_ONB_FLOAT, NULL);
}

/* The operator is between a unit and its QuantizeLinear. */
static void after_unit(qn_onb *b) {
  begin(b, QN_ONB_UINT8);
  qn_onb_node(b, "", "MatMul", "d,e", "f");
  qn_onb_node(b, "", "Mul", "f,one", "m");
  end(b, "m");
}

static void test_neutral_operators(void **state) {
  (void)state;
  static const unit_case cases[] = {
      {times_one, MERGED("0.0296078417", "17")},
      {one_times, MERGED("0.0296078417", "17")},
      {by_one, MERGED("0.0296078417", "17")},
      {plus_zero, MERGED("0.0296078417", "17")},
      {minus_zero, MERGED("0.0296078417", "17")},
      {identity, MERGED("0.0296078417", "17")},
      {dropout, MERGED("0.0296078417", "17")},
      {cast, MERGED("0.0296078417", "17")},
      {several, MERGED("0.0296078417", "17")},
      {times_half, "quant.qcast 0.0500000007 10; ml.mul* 0.0299999993 20; quant.dcast"},
      {times_matrix, "quant.qcast 0.0500000007 10; ml.mul* 0.0299999993 20; quant.dcast"},
      {from_zero, "quant.qcast 0.0500000007 10; ml.sub* 0.0299999993 20; quant.dcast"},
      {after_unit, "quant.qcast 0.0500000007 10; ml.linear 0.0299999993 20; quant.dcast"}};
  expect_all(cases, QN_COUNT(cases));
  expect_ops(is_output, "ort",
             "quant.qcast 0.0500000007 10; ml.requantize 0.0299999993 20; quant.dcast; "
             "quant.dcast");
}

/* ---- outputs before a transposed quantization ---- */

static void product(qn_onb *b, int64_t type) {
  begin(b, type);
  qn_onb_node(b, "", "MatMul", "d,e", "o");
  qn_onb_output(b, "o", QN_ONB_FLOAT, NULL);
}

static void transpose_of_output(qn_onb *b) {
  product(b, QN_ONB_UINT8);
  qn_onb_node(b, "", "Transpose", "o", "m");
  end(b, "m");
}

static void transpose_of_signed_output(qn_onb *b) {
  product(b, QN_ONB_INT8);
  qn_onb_node(b, "", "Transpose", "o", "m");
  end(b, "m");
}

static void reshaped_later(qn_onb *b) {
  product(b, QN_ONB_UINT8);
  qn_onb_tensor(b, "a", QN_ONB_INT64, "1", &(int64_t){8}, sizeof(int64_t));
  qn_onb_node(b, "", "Transpose", "o", "n");
  qn_onb_node(b, "", "Reshape", "n,a", "m");
  end(b, "m");
}

static void two_readers(qn_onb *b) {
  product(b, QN_ONB_UINT8);
  qn_onb_node(b, "", "Transpose", "o", "m");
  qn_onb_node(b, "", "Exp", "o", "n");
  end(b, "m");
}

static void back_again(qn_onb *b) {
  product(b, QN_ONB_UINT8);
  transpose(b, "o", "m"), second_pair(b), transpose(b, "f", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
}

static void test_transposed_outputs(void **state) {
  (void)state;
  static const unit_case cases[] = {
      {transpose_of_output, "quant.qcast 0.0500000007 10; ml.linear 0.0299999993 20; ml.transpose "
                            "0.0299999993 20; quant.dcast; quant.dcast"},
      {transpose_of_signed_output,
       "quant.qcast 0.0500000007 10; ml.linear* 0.0299999993 20; ml.transpose 0.0299999993 20; "
       "quant.dcast; quant.dcast"},
      {reshaped_later, "quant.qcast 0.0500000007 10; ml.linear 0.0299999993 20; ml.transpose "
                       "0.0299999993 20; ml.reshape 0.0299999993 20; quant.dcast; quant.dcast"},
      {two_readers, "quant.qcast 0.0500000007 10; ml.linear* 0.0299999993 20; ml.transpose "
                    "0.0299999993 20; ml.linear; quant.dcast"},
      {back_again, "quant.qcast 0.0500000007 10; ml.linear* 0.0299999993 20; ml.transpose "
                   "0.0299999993 20; ml.linear; quant.dcast; ml.transpose"}};
  expect_all(cases, QN_COUNT(cases));
}

/* ---- a Transpose that is moved over a softmax of a matrix ---- */

static void softmax_of_matrix(qn_onb *b, int64_t opset) {
  static const float s = 0.05F;
  static const uint8_t z = 10;
  qn_onb_input(b, "x", QN_ONB_UINT8, "2,3,4");
  qn_onb_tensor(b, "s", QN_ONB_FLOAT, "", &s, sizeof s);
  qn_onb_tensor(b, "z", QN_ONB_UINT8, "", &z, 1);
  qn_onb_node(b, "", "Transpose", "x", "m");
  qn_onb_attr_ints(b, "perm", "0,2,1");
  qn_onb_node(b, "com.microsoft", "QLinearSoftmax", "m,s,z,s,z", "f");
  qn_onb_attr_int(b, "opset", opset);
  qn_onb_attr_int(b, "axis", -1);
  qn_onb_node(b, "", "Transpose", "f", "y");
  qn_onb_attr_ints(b, "perm", "1,0,2");
  qn_onb_output(b, "y", QN_ONB_UINT8, NULL);
}

/* Rows of opset 11 are all dimensions from the axis on, which is the second one then. */
static void test_rows_that_change(void **state) {
  (void)state;
  for (int64_t opset = 11; opset <= 13; opset += 2) {
    qn_onb *b = qn_onb_create();
    import_run run;
    softmax_of_matrix(b, opset);
    qn_onb_import(b, "com.microsoft", 1);
    import_onnx(&run, qn_onb_finish(b, 10, 21), &(qn_import_options){.numerics = qn_str_of("ort")});
    assert_int_equal(run.status, opset == 11 ? QN_UNSUPPORTED : QN_OK);
    if (opset == 11) assert_true(has_message(&run, "computes other rows"));
    import_end(&run);
    qn_onb_destroy(b);
  }
}

/* ---- files that no quantizer writes ---- */

static qn_status import_ort(qn_onb *b) {
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 10, 21), &(qn_import_options){.numerics = qn_str_of("ort")});
  const qn_status status = run.status;
  import_end(&run);
  qn_onb_destroy(b);
  return status;
}

static void test_zero_points_that_are_no_bytes(void **state) {
  (void)state;
  static const int64_t types[] = {QN_ONB_FLOAT, QN_ONB_INT64, QN_ONB_BOOL};
  static const size_t widths[] = {4, 8, 1};
  static const uint8_t none[8] = {0};
  for (size_t i = 0; i < QN_COUNT(types); i++) {
    qn_onb *b = qn_onb_create();
    constants(b, QN_ONB_UINT8);
    qn_onb_tensor(b, "odd", types[i], "", none, widths[i]);
    qn_onb_node(b, "", "Exp", "x", "o");
    qn_onb_node(b, "", "QuantizeLinear", "o,s,odd", "q");
    qn_onb_node(b, "", "DequantizeLinear", "q,s,odd", "d");
    qn_onb_node(b, "", "QuantizeLinear", "d,u,odd", "p");
    qn_onb_node(b, "", "DequantizeLinear", "p,u,odd", "y");
    qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
    assert_int_equal(import_ort(b), QN_UNSUPPORTED);
  }
}

static void test_operators_without_results(void **state) {
  (void)state;
  static const char *const kinds[] = {"Transpose", "Relu", "Identity", "Exp"};
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    qn_onb *b = qn_onb_create();
    begin(b, QN_ONB_INT8);
    qn_onb_node(b, "", "MatMul", "d,e", "o");
    qn_onb_node(b, "", kinds[i], "o", "");
    qn_onb_node(b, "", "QuantizeLinear", "o,u,v", "p");
    qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "");
    qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
    qn_onb_output(b, "o", QN_ONB_FLOAT, NULL);
    qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
    assert_int_equal(import_ort(b), QN_OK);
    b = qn_onb_create();
    constants(b, QN_ONB_INT8);
    qn_onb_node(b, "", "Relu", "x", "y");
    qn_onb_node(b, "", kinds[i], "y", "");
    qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
    assert_int_equal(import_ort(b), QN_OK);
  }
}

/* Both Transposes vanish before a QuantizeLinear that has a second result only. */
static void test_transposes_before_no_result(void **state) {
  (void)state;
  qn_onb *b = qn_onb_create();
  begin(b, QN_ONB_UINT8), transpose(b, "d", "m"), second_pair(b), transpose(b, "f", "g");
  qn_onb_node(b, "", "QuantizeLinear", "g,s,z", ",y");
  qn_onb_output(b, "y", QN_ONB_UINT8, NULL);
  assert_int_not_equal(import_ort(b), QN_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs),
                                     cmocka_unit_test(test_ranges_without_intersection),
                                     cmocka_unit_test(test_neutral_operators),
                                     cmocka_unit_test(test_transposed_outputs),
                                     cmocka_unit_test(test_rows_that_change),
                                     cmocka_unit_test(test_zero_points_that_are_no_bytes),
                                     cmocka_unit_test(test_operators_without_results),
                                     cmocka_unit_test(test_transposes_before_no_result)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* use-unsigned: which tensors become unsigned, what changes in their ops, and that results stay the
 * same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "lower/integer/unsigned.h"
#include "lower/lower.h"
#include "tests/unit/lower/module_case.h"

static void run_pass(module_case *f, bool keep_tensors) {
  const qn_lower_config config = {.keep_tensors = keep_tensors};
  const qn_pass *passes[] = {&qn_pass_use_unsigned};
  const qn_pipeline_options options = {.config = &config, .verify_each = true};
  assert_int_equal(qn_pipeline_run(f->module, passes, 1, &options), QN_OK);
}

/* The n-th op of a kind in @main. */
static qn_op *nth(const module_case *f, qn_op_kind kind, int n) {
  for (qn_op *op = qn_op_body(qn_module_main(f->module))->first; op; op = op->next)
    if (op->kind == kind && n-- == 0) return op;
  fail();
  return NULL;
}

static bool is_unsigned(const qn_value *value) {
  return qn_type_is_unsigned(qn_type_element(value->type));
}

#define LINEAR(result, x, zero)                                                                    \
  result                                                                                           \
      " = \"ml.integer_linear\"(" x ", %w, %b, %m, %s) {input_zero_point = " zero                  \
      " : i64, weight_zero_point = 0 : i64, output_zero_point = 5 : i64, rounding = \"double\","   \
      " min = -128 : i64, max = 100 : i64} : (tensor<2x4xi8>, tensor<4x4xi8>, tensor<4xi32>,"      \
      " tensor<4xi32>, tensor<4xi32>) -> tensor<2x4xi8>\n"
#define CONSTANTS                                                                                  \
  "%w = \"ml.const\"() {value = dense<[[1, -2, 3, 4], [5, 6, -7, 8], [9, 1, 2, 3], [-4, 5, 6, "    \
  "7]]>"                                                                                           \
  " : tensor<4x4xi8>} : () -> tensor<4x4xi8>\n"                                                    \
  "%b = \"ml.const\"() {value = dense<[10, 20, 30, -40]> : tensor<4xi32>} : () -> tensor<4xi32>\n" \
  "%m = \"ml.const\"() {value = dense<1518500250> : tensor<4xi32>} : () -> tensor<4xi32>\n"        \
  "%s = \"ml.const\"() {value = dense<-3> : tensor<4xi32>} : () -> tensor<4xi32>\n"
#define FUNC(body) "func.func @main(%x: tensor<2x4xi8>) -> tensor<2x4xi8> {\n" CONSTANTS body "}\n"

static const char chain[] = FUNC(LINEAR("%0", "%x", "3") LINEAR("%1", "%0", "5")
                                     LINEAR("%2", "%1", "5") "func.return %2 : tensor<2x4xi8>\n");

static void tensors_between_ops_change(void **unused) {
  (void)unused;
  module_case f;
  module_parse(&f, qn_str_of(chain));
  const uint8_t *before = module_evaluate(&f);
  run_pass(&f, false);
  qn_op *first = nth(&f, QN_OP_ML_INTEGER_LINEAR, 0), *last = nth(&f, QN_OP_ML_INTEGER_LINEAR, 2);
  assert_true(is_unsigned(qn_op_result(first, 0)));
  assert_int_equal(qn_op_input_zero_point(first), 3);
  assert_int_equal(qn_op_output_zero_point(first), 133);
  assert_int_equal(qn_op_min(first), 0);
  assert_int_equal(qn_op_max(first), 228);
  assert_false(is_unsigned(qn_op_result(last, 0)));
  assert_int_equal(qn_op_input_zero_point(last), 133);
  assert_int_equal(qn_op_output_zero_point(last), 5);
  assert_memory_equal(module_evaluate(&f), before, 8);
  module_finish(&f);
}

static void kept_tensors_stay(void **unused) {
  (void)unused;
  module_case f;
  module_parse(&f, qn_str_of(chain));
  run_pass(&f, true);
  assert_false(is_unsigned(qn_op_result(nth(&f, QN_OP_ML_INTEGER_LINEAR, 0), 0)));
  module_finish(&f);
}

/* Operand and result of a reshape have one type. If the result is returned, both stay signed. */
static void moved_tensors_have_one_type(void **unused) {
  (void)unused;
  module_case f;
  module_parse(&f,
               qn_str_of(FUNC(LINEAR(
                   "%0", "%x", "3") "%1 = \"ml.reshape\"(%0) : (tensor<2x4xi8>) -> tensor<2x4xi8>\n"
                                    "func.return %1 : tensor<2x4xi8>\n")));
  run_pass(&f, false);
  assert_false(is_unsigned(qn_op_result(nth(&f, QN_OP_ML_INTEGER_LINEAR, 0), 0)));
  module_finish(&f);
  module_parse(&f,
               qn_str_of(FUNC(LINEAR(
                   "%0", "%x", "3") "%1 = \"ml.reshape\"(%0) : (tensor<2x4xi8>) -> tensor<2x4xi8>\n"
                                    "%2 = \"ml.transpose\"(%1) {perm = array<i64: 0, 1>}"
                                    " : (tensor<2x4xi8>) -> tensor<2x4xi8>\n" LINEAR(
                                        "%3", "%2", "5") "func.return %3 : tensor<2x4xi8>\n")));
  const uint8_t *before = module_evaluate(&f);
  run_pass(&f, false);
  assert_true(is_unsigned(qn_op_result(nth(&f, QN_OP_ML_RESHAPE, 0), 0)));
  assert_true(is_unsigned(qn_op_result(nth(&f, QN_OP_ML_TRANSPOSE, 0), 0)));
  assert_memory_equal(module_evaluate(&f), before, 8);
  module_finish(&f);
}

/* A table is permuted if its input becomes unsigned, and its entries are shifted if its output
 * does. */
static void tables_follow(void **unused) {
  (void)unused;
  module_case f;
  module_parse(
      &f,
      qn_str_of(FUNC(
          "%t = \"ml.const\"() {value = dense<\"0x"
          /* in each row of 32 bytes, the second half is 0 to 15 */
          "000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F"
          "101112131415161718191A1B1C1D1E1F000102030405060708090A0B0C0D0E0F"
          "202122232425262728292A2B2C2D2E2F000102030405060708090A0B0C0D0E0F"
          "303132333435363738393A3B3C3D3E3F000102030405060708090A0B0C0D0E0F"
          "404142434445464748494A4B4C4D4E4F000102030405060708090A0B0C0D0E0F"
          "505152535455565758595A5B5C5D5E5F000102030405060708090A0B0C0D0E0F"
          "606162636465666768696A6B6C6D6E6F000102030405060708090A0B0C0D0E0F"
          "707172737475767778797A7B7C7D7E7F000102030405060708090A0B0C0D0E0F"
          "\"> : tensor<256xi8>} : () -> tensor<256xi8>\n" LINEAR(
              "%0", "%x",
              "3") "%1 = \"ml.lut\"(%0, %t) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>\n"
                   "%2 = \"ml.lut\"(%1, %t) : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>\n"
                   "func.return %2 : tensor<2x4xi8>\n")));
  const uint8_t *before = module_evaluate(&f);
  run_pass(&f, false);
  assert_true(is_unsigned(qn_op_result(nth(&f, QN_OP_ML_LUT, 0), 0)));
  assert_false(is_unsigned(qn_op_result(nth(&f, QN_OP_ML_LUT, 1), 0)));
  assert_memory_equal(module_evaluate(&f), before, 8);
  module_finish(&f);
}

/* A convolution that pads an input reads it through a table that flips the sign bit; one without
 * padding reads the input itself. */
#define CONV(pad)                                                                                  \
  "func.func @main(%x: tensor<1x3x3x2xi8>) -> tensor<1x3x3x2xi8> {\n"                              \
  "%w = \"ml.const\"() {value = dense<[[[[3, -4]]], [[[-5, 100]]]]> : tensor<2x1x1x2xi8>} : ()"    \
  " -> tensor<2x1x1x2xi8>\n"                                                                       \
  "%b = \"ml.const\"() {value = dense<[10, -40]> : tensor<2xi32>} : () -> tensor<2xi32>\n"         \
  "%m = \"ml.const\"() {value = dense<1518500250> : tensor<2xi32>} : () -> tensor<2xi32>\n"        \
  "%s = \"ml.const\"() {value = dense<-3> : tensor<2xi32>} : () -> tensor<2xi32>\n"                \
  "%0 = \"ml.integer_conv\"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, pad = "               \
  "array<i64: " pad                                                                                \
  ">, dilations = array<i64: 1, 1>, groups = 1 : i64, input_zero_point = -7 : i64, "               \
  "weight_zero_point = 0 : i64, output_zero_point = 5 : i64, rounding = \"double\", "              \
  "min = -128 : i64, max = 127 : i64} : (tensor<1x3x3x2xi8>, tensor<2x1x1x2xi8>, "                 \
  "tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> "
static const char padded[] = CONV(
    "1, 0, 0, 1") "tensor<1x4x4x2xi8>\n"
                  "%1 = \"ml.slice_by_index\"(%0) {begin = array<i64: 0, 0, 0, 0>, end = "
                  "array<i64: 1, 3, 3, 2>, "
                  "stride = array<i64: 1, 1, 1, 1>} : (tensor<1x4x4x2xi8>) -> tensor<1x3x3x2xi8>\n"
                  "func.return %1 : tensor<1x3x3x2xi8>\n}\n";
static const char bare[] = CONV("0, 0, 0, 0") "tensor<1x3x3x2xi8>\n"
                                              "func.return %0 : tensor<1x3x3x2xi8>\n}\n";

static void padded_inputs_are_flipped(void **unused) {
  (void)unused;
  module_case f;
  module_parse(&f, qn_str_of(padded));
  const uint8_t *before = module_evaluate(&f);
  run_pass(&f, false);
  const qn_op *conv = nth(&f, QN_OP_ML_INTEGER_CONV, 0), *flip = nth(&f, QN_OP_ML_LUT, 0);
  assert_ptr_equal(qn_op_operand(conv, 0), qn_op_result(flip, 0));
  assert_true(is_unsigned(qn_op_result(flip, 0)));
  assert_int_equal(qn_op_input_zero_point(conv), 121);
  assert_memory_equal(module_evaluate(&f), before, 18);
  module_finish(&f);
  module_parse(&f, qn_str_of(bare));
  run_pass(&f, false);
  assert_null(qn_op_operand(nth(&f, QN_OP_ML_INTEGER_CONV, 0), 0)->op);
  module_finish(&f);
}

/* Every op has a rule, or a reason why it has none. */
static void every_op_has_a_rule_or_a_reason(void **unused) {
  (void)unused;
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    const qn_op op = {.kind = (qn_op_kind)kind};
    const qn_unsigned_form *form = qn_unsigned_form_of(&op);
    assert_true((form->mode != QN_UNSIGNED_KEEPS) != (form->none != NULL));
    if (form->mode != QN_UNSIGNED_KEEPS) assert_true(qn_op_infos[kind].traits & QN_INTEGER_STAGE);
    for (size_t i = 0; i < QN_COUNT(form->of_operand) && form->of_operand[i]; i++)
      assert_true(i < form->operands);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tensors_between_ops_change),
      cmocka_unit_test(kept_tensors_stay),
      cmocka_unit_test(moved_tensors_have_one_type),
      cmocka_unit_test(tables_follow),
      cmocka_unit_test(padded_inputs_are_flipped),
      cmocka_unit_test(every_op_has_a_rule_or_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

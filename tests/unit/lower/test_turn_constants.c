/* The pass turn-constants: transposes of large constants become constants, others stay.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the first four */
#include <cmocka.h>

#include "ir/ops/forms.h"
#include "lower/lower.h"
#include "text/text.h"

enum { ROWS = 200, COLUMNS = 400, CELLS = ROWS * COLUMNS };

typedef struct fixture {
  qn_ir_context cx;
  qn_module *module;
} fixture;

static void parse(fixture *f, const char *text) {
  qn_ir_context_init(&f->cx);
  assert_int_equal(qn_text_parse(&f->cx, qn_str_of(text), qn_str_of("test"), &f->module), QN_OK);
}

static void finish(fixture *f) {
  qn_module_destroy(f->module);
  qn_ir_context_deinit(&f->cx);
}

static qn_op *nth(const fixture *f, qn_op_kind kind, int n) {
  for (qn_op *op = qn_op_body(qn_module_main(f->module))->first; op; op = op->next)
    if (op->kind == kind && n-- == 0) return op;
  return NULL;
}

static void turn(const fixture *f) {
  const qn_pass *passes[] = {&qn_pass_turn_constants};
  const qn_pipeline_options options = {.verify_each = true};
  assert_int_equal(qn_pipeline_run(f->module, passes, 1, &options), QN_OK);
}

/* Gives the first constant elements that differ. */
static void fill(fixture *f, size_t width) {
  static uint8_t bytes[4 * CELLS];
  qn_op *constant = nth(f, QN_OP_ML_CONST, 0);
  for (size_t i = 0; i < width * CELLS; i++) bytes[i] = (uint8_t)(i * 7 / 5);
  const qn_type *stored = qn_type_stored(&f->cx, constant->results[0].type);
  const qn_attr *value = qn_attr_dense(&f->cx, stored, (qn_bytes){bytes, width * CELLS}, false);
  qn_op_set_attr(f->module, constant, "value", value);
}

static void expect_turned(const qn_attr *before, const qn_attr *after, size_t width) {
  assert_int_equal(after->dense.bytes.size, width * CELLS);
  for (size_t row = 0; row < ROWS; row++)
    for (size_t column = 0; column < COLUMNS; column++)
      assert_memory_equal(before->dense.bytes.data + width * (row * COLUMNS + column),
                          after->dense.bytes.data + width * (column * ROWS + row), width);
}

#define TURNED(x, type)                                                                            \
  "\"ml.transpose\"(" x ") {perm = array<i64: 1, 0>} : (tensor<200x400x" type                      \
  ">) -> tensor<400x200x" type ">\n"

static void test_quantized(void **state) {
  (void)state;
  fixture f;
  parse(
      &f,
      "func.func @main() -> tensor<400x200x!quant.uniform<i8:f32, 0.5:3>> {\n"
      "%0 = \"ml.const\"() {value = dense<1> : tensor<200x400xi8>} : () -> tensor<200x400xi8>\n"
      "%1 = " TURNED("%0", "i8") "%2 = quant.scast %1 : tensor<400x200xi8> to "
                                 "tensor<400x200x!quant.uniform<i8:f32, 0.5:3>>\n"
                                 "return %2 : tensor<400x200x!quant.uniform<i8:f32, 0.5:3>>\n}\n");
  fill(&f, 1);
  const qn_attr *before = qn_op_attr(nth(&f, QN_OP_ML_CONST, 0), "value");
  turn(&f);
  const qn_op *constant = nth(&f, QN_OP_ML_CONST, 0);
  assert_null(nth(&f, QN_OP_ML_CONST, 1));
  assert_null(nth(&f, QN_OP_ML_TRANSPOSE, 0));
  assert_null(nth(&f, QN_OP_QUANT_SCAST, 0));
  assert_non_null(qn_type_quant(constant->results[0].type));
  expect_turned(before, qn_op_attr(constant, "value"), 1);
  finish(&f);
}

/* The constant itself is also read, and stays. */
static void test_floats(void **state) {
  (void)state;
  fixture f;
  parse(&f, "func.func @main() -> (tensor<200x400xf32>, tensor<400x200xf32>) {\n"
            "%0 = \"ml.const\"() {value = dense<1.0> : tensor<200x400xf32>} : () -> "
            "tensor<200x400xf32>\n"
            "%1 = " TURNED("%0",
                           "f32") "return %0, %1 : tensor<200x400xf32>, tensor<400x200xf32>\n}\n");
  fill(&f, 4);
  turn(&f);
  assert_null(nth(&f, QN_OP_ML_TRANSPOSE, 0));
  expect_turned(qn_op_attr(nth(&f, QN_OP_ML_CONST, 0), "value"),
                qn_op_attr(nth(&f, QN_OP_ML_CONST, 1), "value"), 4);
  finish(&f);
}

/* Equal elements are stored once. */
static void test_equal_elements(void **state) {
  (void)state;
  fixture f;
  parse(&f, "func.func @main() -> tensor<400x200xi8> {\n"
            "%0 = \"ml.const\"() {value = dense<7> : tensor<200x400xi8>} : () -> "
            "tensor<200x400xi8>\n"
            "%1 = " TURNED("%0", "i8") "return %1 : tensor<400x200xi8>\n}\n");
  turn(&f);
  const qn_attr *value = qn_op_attr(nth(&f, QN_OP_ML_CONST, 0), "value");
  assert_null(nth(&f, QN_OP_ML_TRANSPOSE, 0));
  assert_true(value->dense.splat && value->dense.bytes.data[0] == 7);
  assert_int_equal(value->type->shaped.dims[0], COLUMNS);
  finish(&f);
}

static void test_small(void **state) {
  (void)state;
  fixture f;
  parse(&f, "func.func @main(%x: tensor<200x400xf32>) -> (tensor<3x2xi8>, tensor<400x200xf32>) {\n"
            "%0 = \"ml.const\"() {value = dense<7> : tensor<2x3xi8>} : () -> tensor<2x3xi8>\n"
            "%1 = \"ml.transpose\"(%0) {perm = array<i64: 1, 0>} : (tensor<2x3xi8>) -> "
            "tensor<3x2xi8>\n"
            "%2 = " TURNED("%x", "f32") "return %1, %2 : tensor<3x2xi8>, tensor<400x200xf32>\n}\n");
  turn(&f);
  assert_non_null(nth(&f, QN_OP_ML_TRANSPOSE, 1));
  finish(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quantized), cmocka_unit_test(test_floats),
      cmocka_unit_test(test_equal_elements), cmocka_unit_test(test_small)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

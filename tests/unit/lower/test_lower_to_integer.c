/* The lowering to the integer stage and that stage's passes. For random small models of every op
 * family, interpretation gives the same bytes before and after each pass. Ops without integer form
 * are reported.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ir/ops/forms.h"
#include "ir/verify/verify.h"
#include "tests/support/passes.h"
#include "tests/support/random_model.h"

/* Compares the results after every pass with those of the model. */
static void check_passes(qn_random_model *m, bool keep_tensors) {
  /* A level at which every pass of the integer stage does something. */
  const qn_lower_config config = {.keep_tensors = keep_tensors,
                                  .target = qn_target_find(qn_str_of("x86-64-v3"))};
  qn_status valid = qn_verify(m->module);
  if (valid != QN_OK) qn_random_dump(m);
  assert_int_equal(valid, QN_OK);
  qn_random_run inputs, expected;
  qn_random_inputs(m, &inputs);
  assert_int_equal(qn_random_evaluate(m, &inputs, &expected), QN_OK);
  qn_test_passes passes = qn_test_passes_of(&m->cx, "lower-to-integer,prepare-integer");
  assert_int_equal(passes.count, 10);
  for (uint32_t i = 0; i < passes.count; i++) {
    assert_int_equal(qn_random_pass(m, passes.pass[i], &config), QN_OK);
    qn_random_run actual;
    assert_int_equal(qn_random_evaluate(m, &inputs, &actual), QN_OK);
    bool same = qn_random_same_results(&expected, &actual);
    if (!same) {
      print_message("different after %s\n", passes.pass[i]->name);
      qn_random_dump(m);
    }
    assert_true(same);
    qn_arena_deinit(&actual.arena);
  }
  qn_arena_deinit(&expected.arena);
  qn_arena_deinit(&inputs.arena);
}

static qn_value *image_input(qn_random_model *m) {
  static const int64_t channels[] = {1, 2, 3, 4, 17};
  int64_t dims[4] = {qn_random_between(m, 1, 2), qn_random_between(m, 1, 7),
                     qn_random_between(m, 1, 7), qn_random_pick(m, channels, QN_COUNT(channels))};
  return qn_random_input(m, qn_random_tensor(m, qn_random_quant(m), 4, dims));
}

static void check_op(qn_random_op *op, uint64_t seeds) {
  static const char *const profiles[] = {"litert-ref", "tflm"};
  for (uint64_t seed = 0; seed < seeds; seed++) {
    qn_random_model m;
    qn_random_begin(&m, seed, profiles[seed % 2]);
    qn_value *x = image_input(&m);
    qn_value *y = op(&m, x);
    qn_random_end(&m, &y, 1);
    check_passes(&m, false);
    qn_random_free(&m);
  }
}

static void convolutions(void **state) { (void)state, check_op(qn_random_conv, 60); }
static void depthwise_convolutions(void **state) { (void)state, check_op(qn_random_depthwise, 60); }
static void matrix_products(void **state) { (void)state, check_op(qn_random_linear, 60); }
static void sums_and_products(void **state) { (void)state, check_op(qn_random_binary, 60); }
static void pools(void **state) { (void)state, check_op(qn_random_pool, 60); }
static void means(void **state) { (void)state, check_op(qn_random_mean, 60); }
static void softmaxes(void **state) { (void)state, check_op(qn_random_softmax, 40); }
static void unary_functions(void **state) { (void)state, check_op(qn_random_unary, 60); }
static void pads(void **state) { (void)state, check_op(qn_random_pad, 20); }
static void concatenations(void **state) { (void)state, check_op(qn_random_concat, 40); }

/* Chains in which passes process results of each other: pads before convolutions, tables of tables.
 */
static void chains(void **state) {
  (void)state;
  static qn_random_op *const ops[] = {
      qn_random_pad,  qn_random_conv,  qn_random_unary, qn_random_unary, qn_random_depthwise,
      qn_random_pool, qn_random_unary, qn_random_unary, qn_random_pad,   qn_random_binary};
  for (uint64_t seed = 0; seed < 60; seed++) {
    qn_random_model m;
    qn_random_begin(&m, 1000 + seed, seed % 2 ? "tflm" : "litert-ref");
    qn_value *x = image_input(&m), *outs[2];
    size_t first = (size_t)qn_random_between(&m, 0, QN_COUNT(ops) - 1);
    for (size_t i = 0; i < 4; i++) {
      x = ops[(first + i) % QN_COUNT(ops)](&m, x);
      qn_op_set_attr(m.module, x->op, "quern.tensors",
                     qn_random_i64s(&m, (const int64_t[]){(int64_t)i}, 1));
      if (i == 1) outs[0] = x;
    }
    outs[1] = x;
    qn_random_end(&m, outs, 2);
    check_passes(&m, seed % 3 == 0);
    qn_random_free(&m);
  }
}

static uint32_t count_ops(const qn_random_model *m, qn_op_kind kind) {
  uint32_t count = 0;
  for (const qn_op *op = qn_op_body(m->func)->first; op; op = op->next) count += op->kind == kind;
  return count;
}

static void kept_tensors_survive_simplification(void **state) {
  (void)state;
  for (int keep = 0; keep < 2; keep++) {
    qn_random_model m;
    qn_random_begin(&m, 3, "litert-ref");
    qn_value *x = image_input(&m);
    for (int64_t i = 0; i < 3; i++) {
      const qn_type *type = qn_random_tensor(&m, qn_random_quant(&m), 4, qn_random_dims(x));
      x = qn_build_1(&m.b, QN_OP_ML_REQUANTIZE, type, QN_VALUES(x),
                     QN_ATTRS({"quern.tensors", qn_random_i64s(&m, &i, 1)}));
    }
    qn_random_end(&m, &x, 1);
    check_passes(&m, keep);
    assert_int_equal(count_ops(&m, QN_OP_ML_LUT), keep ? 3 : 1);
    assert_int_equal(count_ops(&m, QN_OP_ML_CONST), keep ? 3 : 1);
    assert_non_null(qn_op_find(qn_op_operand(qn_op_body(m.func)->last, 0)->op, QN_A_TENSORS));
    qn_random_free(&m);
  }
}

static void casts_quantize_and_dequantize(void **state) {
  (void)state;
  static const float values[] = {0.0f,  0.1f,  -0.1f, 1.0f,   -1.0f, 1e30f, -1e30f, INFINITY,
                                 0.25f, 0.75f, 1.25f, -0.25f, 2.5f,  12.6f, -12.6f, NAN};
  qn_random_model m;
  qn_random_begin(&m, 5, "tflm");
  int64_t count = QN_COUNT(values);
  const qn_type *f32 = qn_type_tensor(&m.cx, qn_type_float(&m.cx, QN_F32), 1, &count);
  qn_value *x = qn_random_input(&m, f32);
  const qn_type *type = qn_random_tensor(&m, (qn_random_affine){0.5, -3}, 1, &count);
  qn_value *q = qn_build_1(&m.b, QN_OP_QUANT_QCAST, type, QN_VALUES(x), NULL);
  qn_value *y = qn_build_1(&m.b, QN_OP_QUANT_DCAST, f32, QN_VALUES(q), NULL);
  qn_value *results[] = {q, y};
  qn_random_end(&m, results, 2);
  qn_random_run inputs, before, after;
  qn_random_inputs(&m, &inputs);
  memcpy(inputs.args[0].data, values, sizeof values);
  assert_int_equal(qn_random_evaluate(&m, &inputs, &before), QN_OK);
  assert_int_equal(qn_random_pass(&m, &qn_pass_lower_to_integer, NULL), QN_OK);
  assert_int_equal(qn_random_evaluate(&m, &inputs, &after), QN_OK);
  assert_true(qn_random_same_results(&before, &after));
  static const int8_t expected[] = {-3, -3, -3, -1, -5, 127, -128, 127,
                                    -2, -1, 0,  -4, 2,  22,  -28,  -3};
  assert_memory_equal(after.results[0].data, expected, sizeof expected);
  qn_arena_deinit(&before.arena);
  qn_arena_deinit(&after.arena);
  qn_arena_deinit(&inputs.arena);
  qn_random_free(&m);
}

static void storage_casts_disappear(void **state) {
  (void)state;
  qn_random_model m;
  qn_random_begin(&m, 6, "litert-ref");
  m.is_unsigned = true;
  const int64_t dims[] = {5};
  const qn_type *i8 = qn_type_tensor(&m.cx, qn_type_i(&m.cx, 8), 1, dims);
  const qn_type *type = qn_random_tensor(&m, (qn_random_affine){0.5, 7}, 1, dims);
  qn_value *q = qn_build_1(&m.b, QN_OP_QUANT_SCAST, type, QN_VALUES(qn_random_input(&m, i8)), NULL);
  qn_value *r =
      qn_build_1(&m.b, QN_OP_ML_REQUANTIZE,
                 qn_random_tensor(&m, (qn_random_affine){0.25, 9}, 1, dims), QN_VALUES(q), NULL);
  qn_value *y = qn_build_1(&m.b, QN_OP_QUANT_SCAST, i8, QN_VALUES(r), NULL);
  qn_random_end(&m, &y, 1);
  check_passes(&m, false);
  assert_int_equal(count_ops(&m, QN_OP_QUANT_SCAST), 0);
  qn_random_free(&m);
}

/* ---- structure of the results ---- */

static void padding_is_merged_with_an_explicit_pad(void **state) {
  (void)state;
  for (int keep = 0; keep < 2; keep++) {
    qn_random_model m;
    qn_random_begin(&m, 8, "tflm");
    const int64_t dims[] = {1, 5, 5, 4}, kernel[] = {4, 3, 3, 4};
    const int64_t around[] = {0, 0, 1, 0, 0, 1, 0, 0}, padded[] = {1, 6, 6, 4};
    qn_random_affine q = {0.1, 4};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, q, 4, dims));
    qn_value *p = qn_build_1(&m.b, QN_OP_ML_PAD, qn_random_tensor(&m, q, 4, padded), QN_VALUES(x),
                             QN_ATTRS({"pad", qn_random_i64s(&m, around, 8)},
                                      {"quern.tensors", qn_random_i64s(&m, dims, 1)}));
    qn_value *w = qn_random_bytes(&m, qn_random_tensor(&m, (qn_random_affine){0.02, 0}, 4, kernel));
    qn_value *y = qn_build_1(
        &m.b, QN_OP_ML_CONV,
        qn_random_tensor(&m, (qn_random_affine){1.5, -7}, 4, (const int64_t[]){1, 6, 6, 4}),
        QN_VALUES(p, w),
        QN_ATTRS({"strides", qn_random_i64s(&m, (const int64_t[]){1, 1}, 2)},
                 {"pad", qn_random_i64s(&m, (const int64_t[]){1, 1, 1, 1}, 4)},
                 {"dilations", qn_random_i64s(&m, (const int64_t[]){1, 1}, 2)},
                 {"groups", qn_attr_i64(&m.cx, 1)}));
    qn_random_end(&m, &y, 1);
    check_passes(&m, keep);
    assert_int_equal(count_ops(&m, QN_OP_ML_PAD), keep ? 2 : 1);
    const qn_op *conv = qn_op_operand(qn_op_body(m.func)->last, 0)->op;
    assert_int_equal(conv->kind, QN_OP_ML_INTEGER_CONV);
    assert_int_equal(qn_op_input_zero_point(conv), 0);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(qn_op_pad(conv).data[i], 0);
    qn_random_free(&m);
  }
}

static void asymmetric_weights_widen_only_when_needed(void **state) {
  (void)state;
  static const struct {
    uint8_t weights[4];
    int64_t zero;
    uint32_t width;
  } cases[] = {
      {{100, 120, 90, 128}, 110, 8}, {{0, 255, 3, 4}, 110, 16}, {{0, 255, 3, 4}, 128, 8},
      {{0, 127, 3, 4}, 0, 8},        {{0, 128, 3, 4}, 0, 16},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_random_model m;
    qn_random_begin(&m, i, "litert-ref");
    m.is_unsigned = true;
    const int64_t dims[] = {3, 2}, shape[] = {2, 2};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, (qn_random_affine){0.1, 11}, 2, dims));
    qn_value *w =
        qn_random_const(&m, qn_random_tensor(&m, (qn_random_affine){0.1, cases[i].zero}, 2, shape),
                        cases[i].weights, 4);
    const qn_type *type = qn_random_tensor(&m, (qn_random_affine){0.3, 100}, 2, dims);
    qn_value *y = qn_build_1(&m.b, QN_OP_ML_LINEAR, type, QN_VALUES(x, w), NULL);
    qn_random_end(&m, &y, 1);
    check_passes(&m, false);
    const qn_op *linear = qn_op_operand(qn_op_body(m.func)->last, 0)->op;
    assert_true(qn_type_element(qn_op_operand(linear, 1)->type) ==
                qn_type_i(&m.cx, cases[i].width));
    assert_int_equal(qn_op_weight_zero_point(linear), 0);
    qn_random_free(&m);
  }
}

/* ---- diagnostics ---- */

static qn_status lower(qn_random_model *m) {
  const qn_pass *pass = &qn_pass_lower_to_integer;
  return qn_pipeline_run(m->module, &pass, 1, NULL);
}

/* Lowers without fall-back. */
static qn_status lower_to_integers_only(qn_random_model *m) {
  const char *const values[] = {"", "", "false"};
  return qn_random_lower_to_integer(m, values);
}

static void everything_unsupported_is_reported_at_once(void **state) {
  (void)state;
  qn_random_model m;
  qn_random_begin(&m, 1, "tflm");
  const int64_t dims[] = {1, 4};
  const qn_type *f32 = qn_type_tensor(&m.cx, qn_type_float(&m.cx, QN_F32), 2, dims);
  qn_value *x = qn_random_input(&m, f32);
  qn_value *a = qn_build_1(&m.b, QN_OP_ML_RELU, f32, QN_VALUES(x), NULL);
  qn_value *b = qn_build_1(&m.b, QN_OP_ML_ADD, f32, QN_VALUES(a, x), NULL);
  qn_value *q =
      qn_build_1(&m.b, QN_OP_QUANT_QCAST, qn_random_tensor(&m, (qn_random_affine){0.5, 0}, 2, dims),
                 QN_VALUES(b), NULL);
  qn_value *c =
      qn_build_1(&m.b, QN_OP_ML_SIGMOID, qn_random_tensor(&m, (qn_random_affine){0.5, 0}, 2, dims),
                 QN_VALUES(q), NULL);
  qn_random_end(&m, &c, 1);
  assert_int_equal(lower_to_integers_only(&m), QN_UNSUPPORTED);
  assert_int_equal(m.errors, 3);
  assert_non_null(
      strstr(m.diagnostics, "'ml.relu' has no integer form: the input is not quantized"));
  assert_non_null(
      strstr(m.diagnostics, "'ml.add' has no integer form: operand 0 is not quantized"));
  assert_non_null(strstr(m.diagnostics,
                         "the profile tflm defines 'ml.sigmoid' only for output scale 0.00390625"));
  qn_random_free(&m);
}

static void signed_concatenation_needs_equal_parameters(void **state) {
  (void)state;
  qn_random_model m;
  qn_random_begin(&m, 1, "tflm");
  const int64_t dims[] = {2}, joined[] = {4};
  qn_value *x = qn_random_input(&m, qn_random_tensor(&m, (qn_random_affine){0.5, 0}, 1, dims));
  qn_value *y = qn_random_input(&m, qn_random_tensor(&m, (qn_random_affine){0.5, 1}, 1, dims));
  qn_value *z =
      qn_build_1(&m.b, QN_OP_ML_CONCAT, qn_random_tensor(&m, (qn_random_affine){0.5, 0}, 1, joined),
                 QN_VALUES(x, y), QN_ATTRS({"axis", qn_attr_i64(&m.cx, 0)}));
  qn_random_end(&m, &z, 1);
  assert_int_equal(lower_to_integers_only(&m), QN_UNSUPPORTED);
  assert_non_null(strstr(m.diagnostics, "operand 1 has another quantization than the result"));
  qn_random_free(&m);
}

/* 70000 taps of 127 * 255 exceed 31 bits, in channel 1 only. */
static void wide_accumulators_are_named(void **state) {
  (void)state;
  enum { TAPS = 70000 };
  qn_random_model m;
  qn_random_begin(&m, 1, "tflm");
  const int64_t dims[] = {1, TAPS}, shape[] = {2, TAPS}, out[] = {1, 2};
  qn_value *x = qn_random_input(&m, qn_random_tensor(&m, (qn_random_affine){0.5, -128}, 2, dims));
  uint8_t *bytes = QN_NEW_ARRAY(&m.cx.arena, 2 * TAPS, uint8_t);
  memset(bytes + TAPS, 127, TAPS);
  qn_value *w = qn_random_const(&m, qn_random_tensor(&m, (qn_random_affine){0.5, 0}, 2, shape),
                                bytes, 2 * TAPS);
  qn_value *y =
      qn_build_1(&m.b, QN_OP_ML_LINEAR, qn_random_tensor(&m, (qn_random_affine){900.0, 0}, 2, out),
                 QN_VALUES(x, w), NULL);
  qn_random_end(&m, &y, 1);
  assert_int_equal(lower(&m), QN_OK);
  assert_int_equal(m.warnings, 1);
  assert_non_null(strstr(m.diagnostics, "the accumulator of channel 1 may be anywhere in "
                                        "[0, 2266950000] and wrap at 32 bits"));
  qn_random_free(&m);
}

/* A splat with a type of 2^40 weights. */
static void absurd_weights_are_refused(void **state) {
  (void)state;
  qn_random_model m;
  qn_random_begin(&m, 1, "tflm");
  const int64_t dims[] = {1, 1 << 20}, shape[] = {1 << 20, 1 << 20};
  qn_random_affine q = {0.5, 0};
  qn_value *x = qn_random_input(&m, qn_random_tensor(&m, q, 2, dims));
  qn_value *w = qn_random_const(&m, qn_random_tensor(&m, q, 2, shape), "\1", 1);
  qn_value *y =
      qn_build_1(&m.b, QN_OP_ML_LINEAR, qn_random_tensor(&m, q, 2, dims), QN_VALUES(x, w), NULL);
  qn_random_end(&m, &y, 1);
  assert_int_equal(lower(&m), QN_UNSUPPORTED);
  assert_non_null(strstr(m.diagnostics, "there are no weights, or too many"));
  qn_random_free(&m);
}

static void absurd_scales_are_refused(void **state) {
  (void)state;
  qn_random_model m;
  qn_random_begin(&m, 1, "litert-ref");
  m.is_unsigned = false;
  const int64_t dims[] = {4};
  qn_value *x = qn_random_input(&m, qn_random_tensor(&m, (qn_random_affine){1e30, 0}, 1, dims));
  const qn_type *tiny = qn_random_tensor(&m, (qn_random_affine){1e-30, 0}, 1, dims);
  qn_value *a = qn_build_1(&m.b, QN_OP_ML_REQUANTIZE, tiny, QN_VALUES(x), NULL);
  qn_value *b = qn_build_1(&m.b, QN_OP_ML_ADD, tiny, QN_VALUES(x, x), NULL);
  qn_value *c = qn_build_1(&m.b, QN_OP_ML_MUL, tiny, QN_VALUES(x, x), NULL);
  qn_value *results[] = {a, b, c};
  qn_random_end(&m, results, 3);
  assert_int_equal(lower_to_integers_only(&m), QN_UNSUPPORTED);
  assert_int_equal(m.errors, 3);
  qn_random_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(convolutions),
      cmocka_unit_test(depthwise_convolutions),
      cmocka_unit_test(matrix_products),
      cmocka_unit_test(sums_and_products),
      cmocka_unit_test(pools),
      cmocka_unit_test(means),
      cmocka_unit_test(softmaxes),
      cmocka_unit_test(unary_functions),
      cmocka_unit_test(pads),
      cmocka_unit_test(concatenations),
      cmocka_unit_test(chains),
      cmocka_unit_test(kept_tensors_survive_simplification),
      cmocka_unit_test(casts_quantize_and_dequantize),
      cmocka_unit_test(storage_casts_disappear),
      cmocka_unit_test(padding_is_merged_with_an_explicit_pad),
      cmocka_unit_test(asymmetric_weights_widen_only_when_needed),
      cmocka_unit_test(everything_unsupported_is_reported_at_once),
      cmocka_unit_test(signed_concatenation_needs_equal_parameters),
      cmocka_unit_test(wide_accumulators_are_named),
      cmocka_unit_test(absurd_weights_are_refused),
      cmocka_unit_test(absurd_scales_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

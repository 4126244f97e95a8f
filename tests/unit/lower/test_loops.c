/* The lowering to loops as a whole: kernels, shared storage, arena size, attributes, errors.
 * tests/diff/loops compares results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/builder.h"
#include "ir/ops/forms.h"
#include "ir/walk.h"
#include "lower/loops/schedule.h"

typedef struct fixture {
  qn_ir_context cx;
  qn_module *module;
  qn_op *main;
  qn_builder b;
} fixture;

static void ignore_diagnostic(void *user, const qn_diag *diag) {
  (void)user;
  (void)diag;
}

static int setup(void **state) {
  fixture *f = test_calloc(1, sizeof *f);
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = ignore_diagnostic;
  const qn_loc *loc = f->cx.diag.unknown;
  f->module = qn_module_create(&f->cx, loc);
  qn_builder b = qn_builder_at_end(f->module, qn_op_body(f->module->op), loc);
  f->main = qn_build_func(&b, qn_str_of("main"), qn_type_function(&f->cx, NULL, 0, NULL, 0), NULL);
  f->b = qn_builder_at_end(f->module, qn_op_body(f->main), loc);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_module_destroy(f->module);
  qn_ir_context_deinit(&f->cx);
  test_free(f);
  return 0;
}

/* ---- building modules ---- */

static const qn_type *bytes(fixture *f, int64_t rows, int64_t columns) {
  const int64_t dims[2] = {rows, columns};
  return qn_type_tensor(&f->cx, qn_type_i(&f->cx, 8), 2, dims);
}

static qn_value *input(fixture *f, const qn_type *type) {
  return qn_block_add_arg(f->module, qn_op_body(f->main), type, f->main->loc);
}

static qn_value *constant(fixture *f, const qn_type *type, uint8_t seed) {
  uint8_t data[256];
  for (int i = 0; i < 256; i++) data[i] = (uint8_t)(i * 7 + seed);
  const qn_attr *value =
      qn_attr_dense(&f->cx, type, (qn_bytes){data, (size_t)qn_type_elements(type)}, false);
  return qn_build_1(&f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *numbered(fixture *f, qn_value *v, int64_t number) {
  qn_op_set_attr(f->module, v->op, "quern.tensors", qn_attr_i64s(&f->cx, &number, 1));
  return v;
}

static qn_value *lut(fixture *f, qn_value *x, uint8_t seed) {
  int64_t size = 256;
  qn_value *table = constant(f, qn_type_tensor(&f->cx, qn_type_i(&f->cx, 8), 1, &size), seed);
  return qn_build_1(&f->b, QN_OP_ML_LUT, x->type, QN_VALUES(x, table), NULL);
}

static qn_value *pad(fixture *f, qn_value *x, int64_t after) {
  const int64_t amounts[4] = {0, 0, 0, after};
  const qn_type *type = bytes(f, x->type->shaped.dims[0], x->type->shaped.dims[1] + after);
  return qn_build_1(
      &f->b, QN_OP_ML_PAD, type, QN_VALUES(x),
      QN_ATTRS({"pad", qn_attr_i64s(&f->cx, amounts, 4)}, {"value", qn_attr_i64(&f->cx, 0)}));
}

static qn_value *concat(fixture *f, qn_value *x, qn_value *y) {
  const qn_type *type =
      bytes(f, x->type->shaped.dims[0] + y->type->shaped.dims[0], x->type->shaped.dims[1]);
  return qn_build_1(&f->b, QN_OP_ML_CONCAT, type, QN_VALUES(x, y),
                    QN_ATTRS({"axis", qn_attr_i64(&f->cx, 0)}));
}

static qn_value *reshape(fixture *f, qn_value *x, int64_t rows, int64_t columns) {
  return qn_build_1(&f->b, QN_OP_ML_RESHAPE, bytes(f, rows, columns), QN_VALUES(x), NULL);
}

/* The same number for each of `count` channels. */
static qn_value *channels(fixture *f, int64_t count, int32_t number) {
  const qn_type *type = qn_type_tensor(&f->cx, qn_type_i(&f->cx, 32), 1, &count);
  const qn_attr *value =
      qn_attr_dense(&f->cx, type, (qn_bytes){(const uint8_t *)&number, sizeof number}, false);
  return qn_build_1(&f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* A product with a square matrix of weights that are distributed like trained ones: small values
 * are more frequent. */
static qn_value *linear(fixture *f, qn_value *x, uint32_t seed) {
  enum { MOST_WEIGHTS = 192 * 192 };
  static uint8_t data[MOST_WEIGHTS];
  int64_t depth = x->type->shaped.dims[1];
  assert_true(depth * depth <= MOST_WEIGHTS);
  for (int64_t i = 0; i < depth * depth; i++) {
    int32_t sum = 0;
    for (int k = 0; k < 3; k++, seed = seed * 1664525U + 1013904223U)
      sum += (int32_t)(seed >> 24) - 127;
    data[i] = (uint8_t)(sum / 3);
  }
  const qn_type *type = bytes(f, depth, depth);
  const qn_attr *value =
      qn_attr_dense(&f->cx, type, (qn_bytes){data, (size_t)(depth * depth)}, false);
  qn_value *weights = qn_build_1(&f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  qn_value *multiplier = channels(f, depth, 1 << 30), *shift = channels(f, depth, -8);
  const qn_attr_arg attrs[] = {
      {"input_zero_point", qn_attr_i64(&f->cx, 0)},
      {"weight_zero_point", qn_attr_i64(&f->cx, 0)},
      {"output_zero_point", qn_attr_i64(&f->cx, 0)},
      {"rounding", qn_attr_string(&f->cx, qn_str_of("double"))},
      {"min", qn_attr_i64(&f->cx, -128)},
      {"max", qn_attr_i64(&f->cx, 127)},
      {NULL, NULL},
  };
  return qn_build_1(&f->b, QN_OP_ML_INTEGER_LINEAR, x->type,
                    QN_VALUES(x, weights, channels(f, depth, 0), multiplier, shift), attrs);
}

static void finish(fixture *f, qn_value *const *values, uint32_t count) {
  const qn_type *inputs[4], *results[4];
  const qn_block *body = qn_op_body(f->main);
  qn_build_0(&f->b, QN_OP_FUNC_RETURN, values, count, NULL);
  for (uint32_t i = 0; i < body->arg_count; i++) inputs[i] = body->args[i]->type;
  for (uint32_t i = 0; i < count; i++) results[i] = values[i]->type;
  const qn_type *type = qn_type_function(&f->cx, inputs, body->arg_count, results, count);
  qn_op_set_attr(f->module, f->main, "function_type", qn_attr_type(&f->cx, type));
}

static qn_status lower(fixture *f, bool keep) {
  static const qn_pass *const passes[] = {&qn_pass_lower_to_loops};
  const qn_lower_config config = {.target = qn_target_find(qn_str_of("x86-64-v3")),
                                  .keep_tensors = keep};
  const qn_pipeline_options options = {.config = &config, .verify_each = true};
  return qn_pipeline_run(f->module, passes, 1, &options);
}

static uint32_t count_in(const qn_block *block, qn_op_kind kind) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, block) count += op->kind == kind;
  return count;
}

static uint32_t kernels(const fixture *f) {
  return count_in(qn_op_body(f->module->op), QN_OP_FUNC) - 1;
}
static uint32_t launches(const fixture *f) {
  return count_in(qn_op_body(qn_module_main(f->module)), QN_OP_QUERN_LAUNCH);
}
static int64_t arena(const fixture *f) { return qn_op_arena_bytes(f->module->op); }

static const qn_attr *member(const qn_attr *dict, const char *name) {
  for (uint32_t i = 0; i < dict->dict.count; i++)
    if (qn_str_is(dict->dict.items[i].name, name)) return dict->dict.items[i].value;
  fail_msg("no member %s", name);
  return NULL;
}

/* ---- tests ---- */

static void equal_kernels_are_kept_once(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 4, 33));
  qn_value *results[2] = {lut(f, x, 1), lut(f, x, 2)};
  finish(f, results, 2);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), 2);
  assert_int_equal(kernels(f), 1);
  assert_int_equal(arena(f), 0);
}

static void equal_constants_are_kept_once(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 4, 33));
  qn_value *results[2] = {lut(f, x, 1), lut(f, x, 1)};
  finish(f, results, 2);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(count_in(qn_op_body(f->module->op), QN_OP_MEMREF_GLOBAL), 1);
}

static void concatenated_parts_are_written_in_place(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 4, 33));
  qn_value *first = lut(f, x, 1), *y = concat(f, first, pad(f, x, 0));
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), 2);
  assert_int_equal(arena(f), 0);
}

/* The operands of the concatenation are computed in place. The slice is copied, as it is not a view
 * of its operand. */
static void slices_beside_their_operand_are_copied(void **state) {
  fixture *f = *state;
  static const int64_t begin[] = {1, 0}, end[] = {4, 33}, stride[] = {2, 1};
  qn_value *x = input(f, bytes(f, 4, 33)), *whole = lut(f, x, 1);
  qn_value *part = qn_build_1(&f->b, QN_OP_ML_SLICE_BY_INDEX, bytes(f, 2, 33), QN_VALUES(whole),
                              QN_ATTRS({"begin", qn_attr_i64s(&f->cx, begin, 2)},
                                       {"end", qn_attr_i64s(&f->cx, end, 2)},
                                       {"stride", qn_attr_i64s(&f->cx, stride, 2)}));
  qn_value *y = concat(f, part, whole);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), 2);
  assert_int_equal(arena(f), 0);
}

static void concatenated_inputs_are_copied(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 4, 33)), *y = concat(f, x, x);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), 2);
}

/* The position of an operand in the result is an argument of the kernel. */
static void parts_of_one_size_share_a_kernel(void **state) {
  enum { PARTS = 100 };
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 1, 33)), *parts[PARTS];
  for (int i = 0; i < PARTS; i++) parts[i] = x;
  qn_value *rows = qn_build_1(&f->b, QN_OP_ML_CONCAT, bytes(f, PARTS, 33), parts, PARTS,
                              QN_ATTRS({"axis", qn_attr_i64(&f->cx, 0)}));
  finish(f, &rows, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), PARTS);
  assert_int_equal(kernels(f), 1);
}

/* A kernel depends on the weights only by the kinds of K steps and by the panel size, which is
 * rounded up by about a sixteenth. */
static void products_of_one_shape_share_kernels(void **state) {
  enum { LAYERS = 12 };
  fixture *f = *state;
  qn_value *y = input(f, bytes(f, 16, 192));
  for (uint32_t i = 0; i < LAYERS; i++) y = linear(f, y, i);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), LAYERS);
  assert_true(kernels(f) <= LAYERS / 2);
}

static void many_columns_are_joined_by_few_kernels(void **state) {
  enum { PARTS = 128 };
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 5, 3)), *parts[PARTS];
  for (int i = 0; i < PARTS; i++) parts[i] = x;
  qn_value *joined = qn_build_1(&f->b, QN_OP_ML_CONCAT, bytes(f, 5, 3 * PARTS), parts, PARTS,
                                QN_ATTRS({"axis", qn_attr_i64(&f->cx, 1)}));
  finish(f, &joined, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), PARTS / 32);
  assert_int_equal(kernels(f), 1);
}

static void reshapes_move_no_bytes(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 4, 30)), *y = pad(f, reshape(f, reshape(f, x, 6, 20), 40, 3), 2);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), 1);
}

static void a_result_that_is_an_input_is_copied(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 4, 30)), *y = reshape(f, x, 12, 10);
  qn_value *results[3] = {y, x, y};
  finish(f, results, 3);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), 3);
  assert_int_equal(kernels(f), 1);
}

static void elementwise_results_replace_dying_operands(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 1, 999)), *y = pad(f, lut(f, pad(f, x, 1), 3), 24);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(arena(f), 1000);
}

static void chains_of_tables_run_in_one_kernel(void **state) {
  fixture *f = *state;
  qn_value *y = lut(f, lut(f, input(f, bytes(f, 1, 999)), 3), 5);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  assert_int_equal(launches(f), 1);
  assert_int_equal(arena(f), 0);
}

static void kept_tensors_share_nothing(void **state) {
  fixture *f = *state;
  qn_value *x = input(f, bytes(f, 1, 100));
  qn_value *a = numbered(f, lut(f, x, 3), 7), *b = numbered(f, reshape(f, a, 2, 50), 8);
  qn_value *y = numbered(f, lut(f, b, 4), 9);
  finish(f, &y, 1);
  assert_int_equal(lower(f, true), QN_OK);
  assert_int_equal(launches(f), 3);
  assert_int_equal(arena(f), 128 + 100);
  const qn_attr *probes = qn_op_find(f->module->op, QN_A_PROBES);
  assert_non_null(probes);
  assert_int_equal(probes->array.count, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(member(probes->array.items[i], "index")->integer, 7 + i);
    assert_int_equal(member(probes->array.items[i], "bytes")->integer, 100);
    assert_int_equal(member(probes->array.items[i], "output")->integer, i == 2 ? 0 : -1);
  }
  int64_t first = member(probes->array.items[0], "offset")->integer;
  int64_t second = member(probes->array.items[1], "offset")->integer;
  assert_int_equal(first + second, 128);
}

static void arguments_say_what_they_are(void **state) {
  fixture *f = *state;
  qn_value *y = lut(f, input(f, bytes(f, 3, 100)), 3);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_OK);
  const qn_attr *list = qn_op_find(qn_module_main(f->module), QN_A_ARG_ATTRS);
  assert_int_equal(list->array.count, 3);
  static const char *const roles[] = {"input", "output", "arena"};
  for (int i = 0; i < 3; i++)
    assert_true(qn_str_is(member(list->array.items[i], "quern.role")->string, roles[i]));
  const qn_attr *first = list->array.items[0];
  assert_true(qn_str_is(member(first, "quern.dtype")->string, "i8"));
  assert_true(qn_str_is(member(first, "quern.name")->string, "input0"));
  assert_int_equal(member(first, "quern.shape")->dense_array.count, 2);
  assert_int_equal(member(first, "quern.index")->integer, -1);
  assert_true(qn_str_is(qn_op_target(f->module->op), "x86-64-v3"));
}

/* All errors are reported in one run, and none is an assertion. */
static void what_cannot_be_lowered_is_reported(void **state) {
  fixture *f = *state;
  int64_t size = 256;
  qn_value *x = input(f, bytes(f, 3, 100));
  qn_value *table = input(f, qn_type_tensor(&f->cx, qn_type_i(&f->cx, 8), 1, &size));
  input(f, bytes(f, QN_DYNAMIC, 4));
  input(f, bytes(f, 0, 4)); /* an input that is not used */
  qn_value *y = qn_build_1(&f->b, QN_OP_ML_LUT, x->type, QN_VALUES(x, table), NULL);
  finish(f, &y, 1);
  assert_int_equal(lower(f, false), QN_UNSUPPORTED);
  assert_int_equal(f->cx.diag.errors, 2);
}

static void every_op_has_a_schedule_or_a_reason(void **state) {
  (void)state;
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    const qn_op_info *info = &qn_op_infos[kind];
    qn_op op = {.kind = (qn_op_kind)kind};
    const qn_schedule *schedule = qn_schedule_of(&op);
    assert_true((schedule->lower != NULL) != (schedule->none != NULL));
    if (!qn_str_starts(qn_str_of(info->name), "ml.")) continue;
    bool computed = (info->traits & QN_INTEGER_STAGE) && !(info->traits & QN_CONSTANT);
    assert_int_equal(schedule->lower != NULL, computed);
    if (info->operands >= 0 && schedule->constants_from > 0)
      assert_true((int64_t)schedule->constants_from < info->operands + info->optional_operands);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(equal_kernels_are_kept_once),
      TEST(equal_constants_are_kept_once),
      TEST(concatenated_parts_are_written_in_place),
      TEST(slices_beside_their_operand_are_copied),
      TEST(concatenated_inputs_are_copied),
      TEST(parts_of_one_size_share_a_kernel),
      TEST(products_of_one_shape_share_kernels),
      TEST(many_columns_are_joined_by_few_kernels),
      TEST(reshapes_move_no_bytes),
      TEST(a_result_that_is_an_input_is_copied),
      TEST(elementwise_results_replace_dying_operands),
      TEST(chains_of_tables_run_in_one_kernel),
      TEST(kept_tensors_share_nothing),
      TEST(arguments_say_what_they_are),
      TEST(what_cannot_be_lowered_is_reported),
      TEST(every_op_has_a_schedule_or_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

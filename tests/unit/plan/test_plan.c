/* Plans: every op has one or a reason why it has none; a plan that is written and read again is the
 * same; without opt_in, nothing is computed with other results than the profile's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>

#include "ir/cell_form/cell_form.h"
#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "plan/plan.h"
#include "text/text.h"

typedef struct fixture {
  qn_ir_context cx;
  qn_arena arena;
  qn_module *module;
  qn_planner planner;
} fixture;

#define TYPES                                                                                      \
  "!x = !quant.uniform<i8:f32, 0.5:3>\n"                                                           \
  "!y = !quant.uniform<i8:f32, 0.25:-4>\n"                                                         \
  "!u = !quant.uniform<u8:f32, 0.5:128>\n"                                                         \
  "!v = !quant.uniform<u8:f32, 0.75:100>\n"                                                        \
  "!s = !quant.uniform<i8:f32, 0.00390625:-128>\n"                                                 \
  "!w = !quant.uniform<i8:f32:0, {0.5, 0.125}>\n"                                                  \
  "!k = !quant.uniform<i8:f32, 0.0625>\n"                                                          \
  "!c = !quant.uniform<i16:f32, 4.8828125e-04>\n"                                                  \
  "!d = !quant.uniform<i32:f32, 1.0e-04>\n"                                                        \
  "!o = !quant.uniform<i16:f32, 3.0517578125e-05>\n"                                               \
  "!z = !quant.uniform<i16:f32, 0.5:3>\n"

static void parse(fixture *f, const char *module_attributes, const char *body) {
  qn_text text = {0};
  qn_text_format(&text, TYPES "module attributes {%s} {\n%s}\n", module_attributes, body);
  qn_ir_context_init(&f->cx);
  qn_arena_init(&f->arena);
  assert_int_equal(qn_text_parse(&f->cx, qn_text_view(&text), qn_str_of("test"), &f->module),
                   QN_OK);
  qn_text_deinit(&text);
  assert_int_equal(qn_planner_of(f->module, &f->arena, f->module->op->loc, &f->planner), QN_OK);
}

static void finish(fixture *f) {
  qn_module_destroy(f->module);
  qn_arena_deinit(&f->arena);
  qn_ir_context_deinit(&f->cx);
}

static qn_op *first_op(const fixture *f) {
  return qn_op_body(qn_op_body(f->module->op)->first)->first;
}

/* ---- the column of the table of ops ---- */

static void test_rows(void **unused) {
  (void)unused;
  static const qn_op_kind kinds[] = {
#define OP(stem, kind, ...) QN_OP_##kind,
#include "ir/ops/ml.def"
#include "ir/ops/quant.def"
#undef OP
  };
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    const qn_plan_record *record = qn_plan_record_of(kinds[i]);
    assert_non_null(record);
    bool planned = record->plan != NULL;
    if (planned == (record->none != NULL)) fail_msg("%s", qn_op_infos[kinds[i]].name);
    /* A plan that is never written is the op's own form, on stored values or in floats, or that of
     * a cell. */
    if (planned && !record->write)
      assert_true(qn_has_stored_form(kinds[i]) || qn_has_float_form(kinds[i]) ||
                  qn_has_cell_form(kinds[i]));
    /* A plan that is written as another op is read at the integer stage. */
    if (record->integer) assert_true(qn_op_infos[record->integer].traits & QN_INTEGER_STAGE);
  }
  assert_null(qn_plan_record_of(QN_OP_ARITH_ADDF));
}

/* ---- written and read ---- */

static int64_t constant_integer(void *user, const qn_op *op, uint32_t operand, int64_t i) {
  (void)user;
  return qn_dense_int(qn_value_constant(op->operands[operand].value), i);
}
static double constant_real(void *user, const qn_op *op, uint32_t operand, int64_t i) {
  (void)user;
  const qn_attr *payload = qn_value_constant(op->operands[operand].value);
  double real;
  memcpy(&real, payload->dense.bytes.data + (payload->dense.splat ? 0 : 8 * i), sizeof real);
  return real;
}

static void assert_same_matrix(const qn_plan_matrix *a, const qn_plan_matrix *b) {
  assert_int_equal(a->channels, b->channels);
  assert_int_equal(a->input_zero_point, b->input_zero_point);
  assert_int_equal(a->weight_zero_point, b->weight_zero_point);
  assert_memory_equal(&a->output, &b->output, sizeof a->output);
  assert_int_equal(a->rounding, b->rounding);
  assert_int_equal(a->wide, b->wide);
  assert_int_equal(a->reals != NULL, b->reals != NULL);
  size_t count = (size_t)a->channels;
  if (a->reals)
    assert_memory_equal(a->reals, b->reals, count * sizeof *a->reals);
  else
    assert_memory_equal(a->multipliers, b->multipliers, count * sizeof *a->multipliers);
}

static void assert_same(const qn_plan *a, const qn_plan *b) {
  assert_int_equal(a->kind, b->kind);
  switch (a->kind) {
  case QN_PLAN_MATRIX:
    assert_same_matrix(&a->matrix, &b->matrix);
    break;
  case QN_PLAN_SUM:
  case QN_PLAN_PRODUCT:
    assert_memory_equal(&a->binary, &b->binary, sizeof a->binary);
    break;
  case QN_PLAN_POOL:
    assert_int_equal(a->pool.min, b->pool.min);
    assert_int_equal(a->pool.max, b->pool.max);
    assert_int_equal(a->pool.rounding, b->pool.rounding);
    break;
  case QN_PLAN_MEAN:
    assert_memory_equal(&a->mean, &b->mean, sizeof a->mean);
    break;
  case QN_PLAN_SOFTMAX:
    assert_memory_equal(&a->softmax, &b->softmax, sizeof a->softmax);
    break;
  case QN_PLAN_TABLE:
    assert_memory_equal(a->table, b->table, 256);
    break;
  case QN_PLAN_QUANTIZE:
    assert_memory_equal(&a->cast, &b->cast, sizeof a->cast);
    break;
  case QN_PLAN_DEQUANTIZE:
    assert_true(a->cast.scale == b->cast.scale);
    assert_int_equal(a->cast.zero_point, b->cast.zero_point);
    break;
  case QN_PLAN_RESCALE:
    assert_memory_equal(&a->rescale, &b->rescale, sizeof a->rescale);
    break;
  case QN_PLAN_LUT16:
    assert_memory_equal(&a->lut16, &b->lut16, sizeof a->lut16);
    break;
  case QN_PLAN_SOFTMAX16:
    assert_memory_equal(&a->softmax16.input, &b->softmax16.input, sizeof a->softmax16.input);
    assert_memory_equal(a->softmax16.exponentials, b->softmax16.exponentials, 2 * 513);
    assert_memory_equal(a->softmax16.reciprocals, b->softmax16.reciprocals, 2 * 513);
    break;
  case QN_PLAN_SVDF:
    assert_memory_equal(&a->svdf, &b->svdf, sizeof a->svdf);
    break;
  case QN_PLAN_LSTM:
    assert_memory_equal(&a->lstm, &b->lstm, sizeof a->lstm);
    break;
  default:
    fail();
  }
}

typedef struct round_trip {
  const char *body;
  qn_plan_read_fn *read;
} round_trip;

#define FUNC_OF(results, arguments, op)                                                            \
  "func.func @main(" arguments ") {\n" results " = " op "\nreturn\n}\n"
#define FUNC(arguments, op) FUNC_OF("%0", arguments, op)
#define POOL(name, q)                                                                              \
  FUNC("%x: tensor<1x4x4x2x" q ">",                                                                \
       "\"" name "\"(%x) {activation = \"relu\", kernel_sizes = array<i64: 2, 2>, strides = "      \
       "array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x2x" q                      \
       ">) -> tensor<1x2x2x2x" q ">")
#define UNARY(name, x, y)                                                                          \
  FUNC("%x: tensor<4x" x ">", "\"" name "\"(%x) : (tensor<4x" x ">) -> tensor<4x" y ">")
#define BINARY(name)                                                                               \
  FUNC("%a: tensor<4x!x>, %b: tensor<4x!y>",                                                       \
       "\"" name                                                                                   \
       "\"(%a, %b) {activation = \"relu6\"} : (tensor<4x!x>, tensor<4x!y>) -> tensor<4x!x>")

#define SVDF(state)                                                                                \
  FUNC_OF("%0:2",                                                                                  \
          "%x: tensor<1x3x!x>, %s: tensor<1x16x" state                                             \
          ">, %f: tensor<4x3x!k>, %t: tensor<4x4x!k>",                                             \
          "\"ml.svdf\"(%x, %s, %f, %t) : (tensor<1x3x!x>, tensor<1x16x" state                      \
          ">, tensor<4x3x!k>, tensor<4x4x!k>) -> (tensor<1x2x!y>, tensor<1x16x" state ">)")
#define GATES(prefix) prefix "0, " prefix "1, " prefix "2, " prefix "3"
#define FOUR(type) type ", " type ", " type ", " type
#define ARGS(prefix, type)                                                                         \
  prefix "0: " type ", " prefix "1: " type ", " prefix "2: " type ", " prefix "3: " type
#define LSTM(cell)                                                                                 \
  FUNC_OF(                                                                                         \
      "%0:3",                                                                                      \
      "%x: tensor<1x5x3x!x>, %h: tensor<1x2x!y>, %c: tensor<1x2x" cell                             \
      ">, " ARGS("%w", "tensor<2x3x!k>") ", " ARGS("%r", "tensor<2x2x!k>") ", " ARGS(              \
          "%b", "tensor<2xi32>"),                                                                  \
      "\"ml.lstm\"(%x, %h, %c, " GATES("%w") ", " GATES("%r") ", " GATES(                          \
          "%b") ") {operandSegmentSizes = array<i32: 1, 2, 4, 4, 4, 0, 0, 0>, "                    \
                "time_major = false, cell_clip = 10.0 : f32} : (tensor<1x5x3x!x>, "                \
                "tensor<1x2x!y>, "                                                                 \
                "tensor<1x2x" cell                                                                 \
                ">, " FOUR("tensor<2x3x!k>") ", " FOUR("tensor<2x2x!k>") ", " FOUR(                \
                    "tensor<2xi32>") ") -> (tensor<1x5x2x!y>, tensor<1x2x!y>, tensor<1x2x" cell    \
                                     ">)")

static const round_trip round_trips[] = {
    /* Weights and bias that are not constants have the same plan. */
    {FUNC("%x: tensor<3x4x!x>, %w: tensor<2x4x!w>, %b: tensor<2xi32>",
          "\"ml.linear\"(%x, %w, %b) : (tensor<3x4x!x>, tensor<2x4x!w>, tensor<2xi32>) -> "
          "tensor<3x2x!y>"),
     qn_plan_read_matrix},
    {FUNC(
         "%x: tensor<1x4x4x3x!x>, %w: tensor<2x1x1x3x!w>",
         "\"ml.conv\"(%x, %w) {activation = \"relu\", strides = array<i64: 1, 1>, pad = array<i64: "
         "0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x3x!x>, "
         "tensor<2x1x1x3x!w>) -> tensor<1x4x4x2x!y>"),
     qn_plan_read_matrix},
    {BINARY("ml.add"), qn_plan_read_sum},
    {BINARY("ml.sub"), qn_plan_read_sum},
    {BINARY("ml.mul"), qn_plan_read_product},
    {POOL("ml.avg_pool", "!x"), qn_plan_read_pool},
    {POOL("ml.avg_pool", "!u"), qn_plan_read_pool},
    {POOL("ml.max_pool", "!x"), qn_plan_read_pool},
    {FUNC("%x: tensor<2x6x!x>",
          "\"ml.reduce_mean\"(%x) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x6x!x>) -> "
          "tensor<2x!y>"),
     qn_plan_read_mean},
    {UNARY("ml.softmax", "!x", "!s"), qn_plan_read_softmax},
    {UNARY("ml.sigmoid", "!x", "!s"), qn_plan_read_table},
    {UNARY("ml.requantize", "!x", "!u"), qn_plan_read_table},
    {UNARY("ml.requantize", "!c", "!u"), qn_plan_read_rescale},
    {UNARY("ml.requantize", "!x", "!d"), qn_plan_read_rescale},
    {FUNC("%x: tensor<3x4x!c>, %w: tensor<2x4x!w>, %b: tensor<2xi64>",
          "\"ml.linear\"(%x, %w, %b) : (tensor<3x4x!c>, tensor<2x4x!w>, tensor<2xi64>) -> "
          "tensor<3x2x!c>"),
     qn_plan_read_matrix},
    {FUNC("%x: tensor<1x4x4x3x!c>, %w: tensor<2x1x1x3x!w>, %b: tensor<2xi32>",
          "\"ml.conv\"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, "
          "dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x4x4x3x!c>, "
          "tensor<2x1x1x3x!w>, tensor<2xi32>) -> tensor<1x4x4x2x!c>"),
     qn_plan_read_matrix},
    {FUNC(
         "%x: tensor<1x4x4x2x!c>, %w: tensor<1x1x1x2x!k>",
         "\"ml.depthwise_conv\"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, "
         "dilations = array<i64: 1, 1>} : (tensor<1x4x4x2x!c>, tensor<1x1x1x2x!k>) -> "
         "tensor<1x4x4x2x!c>"),
     qn_plan_read_matrix},
    {POOL("ml.avg_pool", "!c"), qn_plan_read_pool},
    {UNARY("ml.relu", "!c", "!c"), qn_plan_read_rescale},
    {UNARY("ml.relu6", "!c", "!c"), qn_plan_read_rescale},
    {UNARY("ml.sigmoid", "!c", "!o"), qn_plan_read_lut16},
    {UNARY("ml.tanh", "!c", "!o"), qn_plan_read_lut16},
    {UNARY("ml.softmax", "!c", "!o"), qn_plan_read_softmax16},
    {SVDF("!x"), qn_plan_read_svdf},
    {LSTM("!c"), qn_plan_read_lstm},
    {FUNC("%x: tensor<4xf32>", "quant.qcast %x : tensor<4xf32> to tensor<4x!x>"),
     qn_plan_read_quantize},
    {FUNC("%x: tensor<4x!x>", "quant.dcast %x : tensor<4x!x> to tensor<4xf32>"),
     qn_plan_read_dequantize},
};

static void check_round_trip(const round_trip *trip, const char *attributes) {
  fixture f;
  parse(&f, attributes, trip->body);
  qn_op *op = first_op(&f);
  qn_plan plan, back;
  qn_str reason;
  if (qn_plan_of(&f.planner, op, &plan, &reason) != QN_OK) fail_msg("%s", reason.data);
  qn_builder b = qn_builder_before(f.module, op);
  const qn_value *y = qn_plan_write(&f.planner, &b, op, &plan);
  bool own = trip->read == qn_plan_read_rescale || trip->read == qn_plan_read_lut16 ||
             trip->read == qn_plan_read_softmax16;
  if (!own) assert_int_equal(y->op->kind, qn_plan_record_of(op->kind)->integer);
  const qn_plan_operands operands = {NULL, constant_integer, constant_real};
  const char *problem = trip->read(&f.planner, &operands, y->op, &back);
  if (problem) fail_msg("%s", problem);
  assert_same(&plan, &back);
  finish(&f);
}

static void test_round_trips(void **unused) {
  (void)unused;
  for (size_t i = 0; i < QN_COUNT(round_trips); i++) {
    check_round_trip(&round_trips[i], "");
    check_round_trip(&round_trips[i], "quern.numerics = \"tflm\"");
  }
}

/* ---- rejections ---- */

static void expect_refusal_in(const char *attributes, const char *body, qn_status expected,
                              const char *part) {
  fixture f;
  parse(&f, attributes, body);
  qn_plan plan;
  qn_str reason;
  assert_int_equal(qn_plan_of(&f.planner, first_op(&f), &plan, &reason), expected);
  if (!strstr(reason.data, part)) fail_msg("'%s' does not contain '%s'", reason.data, part);
  finish(&f);
}
static void expect_refusal(const char *body, qn_status expected, const char *part) {
  expect_refusal_in("", body, expected, part);
}

static void test_refusals(void **unused) {
  (void)unused;
  expect_refusal(UNARY("ml.relu", "f32", "f32"), QN_UNSUPPORTED,
                 "'ml.relu' has no integer form: the input is not quantized");
  expect_refusal(FUNC("%a: tensor<4x!x>, %b: tensor<4x!u>",
                      "\"ml.mul\"(%a, %b) : (tensor<4x!x>, tensor<4x!u>) -> tensor<4x!x>"),
                 QN_UNSUPPORTED, "mixes signed and unsigned storage");
  expect_refusal(FUNC("%x: tensor<3x4x!x>, %w: tensor<2x4xi8>",
                      "\"ml.linear\"(%x, %w) : (tensor<3x4x!x>, tensor<2x4xi8>) -> tensor<3x2x!y>"),
                 QN_UNSUPPORTED, "the weights are not stored in quantized 8 bits");
  /* One of two channels, under a profile. */
  expect_refusal_in(
      "quern.numerics = \"litert-ref\"",
      FUNC("%x: tensor<3x4x!x>, %w: tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 1.0e30}>>",
           "\"ml.linear\"(%x, %w) : (tensor<3x4x!x>, tensor<2x4x!quant.uniform<i8:f32:0, {0.5, "
           "1.0e30}>>) -> tensor<3x2x!y>"),
      QN_UNSUPPORTED, "'ml.linear' has in channel 1 scales whose ratio 2e+30 is out of range");
  expect_refusal(UNARY("ml.relu", "!c", "!z"), QN_UNSUPPORTED,
                 "a tensor of 16 bits has a zero point other than 0");
  expect_refusal(UNARY("ml.relu", "!c", "!x"), QN_UNSUPPORTED,
                 "the operation mixes tensors of 16 and 8 bits");
  expect_refusal(UNARY("ml.tanh", "!c", "!c"), QN_UNSUPPORTED, "must have scale 1/32768");
  expect_refusal(UNARY("ml.softmax", "!c", "!c"), QN_UNSUPPORTED, "must have scale 1/32768");
  expect_refusal(
      FUNC("%x: tensor<1x4x4x2x!c>, %w: tensor<1x1x1x2x!k>, %b: tensor<2xi32>",
           "\"ml.depthwise_conv\"(%x, %w, %b) {strides = array<i64: 1, 1>, pad = "
           "array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x2x!c>, "
           "tensor<1x1x1x2x!k>, tensor<2xi32>) -> tensor<1x4x4x2x!c>"),
      QN_UNSUPPORTED, "a bias of 32 bits beside activations of 16");
  expect_refusal(SVDF("!c"), QN_UNSUPPORTED, "the state and its weights have other widths");
  expect_refusal(LSTM("!x"), QN_UNSUPPORTED, "the cell is not stored in 16 bits");
  expect_refusal(LSTM("!quant.uniform<i16:f32, 0.001>"), QN_UNSUPPORTED,
                 "the cell's scale must be a power of 2 from 2^-15 to 2^-9, its zero point 0");
}

static bool may_fall_back(const char *attributes, const char *body) {
  fixture f;
  parse(&f, attributes, body);
  qn_plan plan;
  qn_str reason, message = {NULL, 0};
  assert_int_not_equal(qn_plan_of(&f.planner, first_op(&f), &plan, &reason), QN_OK);
  bool may = qn_plan_may_fall_back(&f.planner, first_op(&f), reason, &message);
  if (!may) assert_true(message.size > reason.size);
  finish(&f);
  return may;
}

static void test_opt_in(void **unused) {
  (void)unused;
  const char *quantized = UNARY("ml.relu", "!x", "!u"), *real = UNARY("ml.relu", "f32", "f32");
  assert_true(may_fall_back("", quantized));
  assert_false(may_fall_back("quern.numerics = \"tflm\"", quantized));
  assert_true(may_fall_back("quern.numerics = \"tflm\", quern.fall_back", quantized));
  assert_true(may_fall_back("quern.numerics = \"tflm\"", real)); /* no profile defines it */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_opt_in),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

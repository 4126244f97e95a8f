/* Convolutions and matrix products of awkward shapes, lowered to loops for every CPU level and
 * executed by the interpreter, against the integer stage and the plain computation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>
#include <string.h>

#include "eval/eval.h"
#include "lower/lower.h"
#include "tests/support/matrix_case.h"

static void print_diag(void *user, const qn_diag *diag) {
  (void)user;
  qn_text text = {0};
  qn_diag_render(diag, (qn_str){0}, false, &text);
  print_error("%s\n", text.data);
  qn_text_deinit(&text);
}

static void lower(qn_module *module, const qn_target *target) {
  qn_lower_config config = {.target = target};
  const qn_pass *passes[] = {&qn_pass_lower_to_loops};
  qn_pipeline_options options = {.config = &config, .verify_each = true};
  assert_int_equal(qn_pipeline_run(module, passes, 1, &options), QN_OK);
}

/* The arena of @main: bytes of its last argument. */
static int64_t arena_bytes(const qn_module *module) { return qn_op_arena_bytes(module->op); }

static qn_rt_value buffer(const qn_value *argument, void *data, int64_t size) {
  return (qn_rt_value){.type = argument->type, .data = data, .size = size};
}

/* A case with its inputs and the result of the integer stage. */
typedef struct instance {
  qn_ir_context cx;
  qn_arena arena;
  qn_case_data data;
  uint8_t *inputs[2];
  int64_t input_bytes[2];
  uint32_t input_count;
  uint8_t *expected;
} instance;

static void instance_init(instance *in, const qn_case *shape) {
  *in = (instance){.input_count = shape->residual ? 2 : 1};
  qn_ir_context_init(&in->cx);
  in->cx.diag.handler = print_diag;
  qn_arena_init(&in->arena);
  in->data = qn_case_make(&in->arena, shape);
  in->input_bytes[0] = in->data.x_count, in->input_bytes[1] = in->data.y_count;
  uint32_t seed = shape->seed;
  for (uint32_t i = 0; i < in->input_count; i++) {
    in->inputs[i] = qn_arena_alloc(&in->arena, (size_t)in->input_bytes[i]);
    for (int64_t k = 0; k < in->input_bytes[i]; k++)
      in->inputs[i][k] = (uint8_t)(qn_case_random(&seed) >> 4);
  }
  qn_case_fill(&in->data, &seed, in->inputs[0]);
  qn_module *module = qn_case_module(&in->cx, &in->data);
  const qn_op *func = qn_module_main(module);
  qn_rt_value args[2], result;
  for (uint32_t i = 0; i < in->input_count; i++)
    args[i] = buffer(qn_op_body(func)->args[i], in->inputs[i], in->input_bytes[i]);
  assert_int_equal(qn_eval_call(module, func, args, in->input_count, &result, &in->arena, NULL),
                   QN_OK);
  in->expected = result.data;
  qn_module_destroy(module);
}

static void instance_deinit(instance *in) {
  qn_arena_deinit(&in->arena);
  qn_ir_context_deinit(&in->cx);
}

static void expect_equal(instance *in, const uint8_t *y, int64_t count, const char *where) {
  const char *difference =
      qn_case_difference(&in->arena, &in->data.shape, where, y, in->expected, count);
  if (difference) fail_msg("%s", difference);
}

static void check_level(instance *in, const qn_target *target) {
  qn_module *module = qn_case_module(&in->cx, &in->data);
  lower(module, target);
  const qn_op *func = qn_module_main(module);
  qn_value *const *formal = qn_op_body(func)->args;
  int64_t temporary = arena_bytes(module), y_bytes = in->data.result_count;
  uint8_t *memory = qn_arena_alloc(&in->arena, (size_t)temporary + 1);
  uint8_t *y = qn_arena_alloc(&in->arena, (size_t)y_bytes);
  memset(y, 0x55, (size_t)y_bytes);
  qn_rt_value args[4];
  uint32_t n = 0;
  for (; n < in->input_count; n++) args[n] = buffer(formal[n], in->inputs[n], in->input_bytes[n]);
  args[n] = buffer(formal[n], y, y_bytes), n++;
  args[n] = buffer(formal[n], memory, temporary), n++;
  assert_int_equal(qn_eval_call(module, func, args, n, NULL, &in->arena, NULL), QN_OK);
  expect_equal(in, y, y_bytes, target->name);
  qn_module_destroy(module);
}

static void check_all_levels(const qn_case *shape) {
  instance in;
  instance_init(&in, shape);
  if (!shape->residual && !shape->padded) {
    uint8_t *plain = qn_arena_alloc(&in.arena, (size_t)in.data.y_count);
    qn_case_reference(&in.data, in.inputs[0], plain);
    expect_equal(&in, plain, in.data.y_count, "the integer stage");
  }
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) check_level(&in, &targets[i]);
  instance_deinit(&in);
}

static int64_t pick(uint32_t *seed, const int64_t *values, uint32_t count) {
  return values[qn_case_random(seed) % count];
}

/* Everything that is independent of the shape. */
static qn_case random_case(qn_case_op op, uint32_t *seed) {
  qn_case s = qn_case_plain(op, QN_CASE_SMALL);
  s.x_unsigned = qn_case_random(seed) & 1;
  s.y_unsigned = qn_case_random(seed) & 1;
  s.real = qn_case_random(seed) % 4 == 0;
  s.weights = (qn_case_weights)(qn_case_random(seed) % QN_CASE_WHOLE);
  static const double scales[] = {0.25, 0.01, 0.002, 0.0001, 3};
  s.scale = scales[qn_case_random(seed) % 5];
  int32_t lo = s.y_unsigned ? 0 : -128;
  s.zero_point = lo + (int32_t)(qn_case_random(seed) % 256);
  bool clamps = qn_case_random(seed) & 1;
  s.min = clamps ? lo + (int32_t)(qn_case_random(seed) % 100) : lo;
  s.max = clamps ? s.min + (int32_t)(qn_case_random(seed) % 150) : lo + 255;
  s.residual = qn_case_random(seed) % 3 == 0;
  s.seed = qn_case_random(seed);
  return s;
}

static void linears(void **unused) {
  (void)unused;
  uint32_t seed = 11;
  static const int64_t depths[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 131},
                       rows[] = {1, 2, 3, 5, 13, 26};
  for (int64_t units = 1; units <= 70; units += 3) {
    qn_case s = random_case(QN_CASE_LINEAR, &seed);
    s.batch = pick(&seed, rows, QN_COUNT(rows));
    s.channels = pick(&seed, depths, QN_COUNT(depths));
    s.out_channels = units;
    check_all_levels(&s);
  }
}

static void convolutions(void **unused) {
  (void)unused;
  uint32_t seed = 5;
  static const int64_t depths[] = {1, 3, 4, 6, 17, 33}, units[] = {1, 3, 8, 16, 17, 33, 65};
  for (int round = 0; round < 30; round++) {
    qn_case s = random_case(QN_CASE_CONV, &seed);
    s.batch = 1 + qn_case_random(&seed) % 2;
    s.kernel_height = 1 + qn_case_random(&seed) % 3;
    s.kernel_width = 1 + qn_case_random(&seed) % 3;
    s.stride = 1 + qn_case_random(&seed) % 4; /* beyond the kernel too */
    s.padded = qn_case_random(&seed) % 3 == 0;
    s.dilation = 1 + qn_case_random(&seed) % 2;
    s.height = s.kernel_height * s.dilation + qn_case_random(&seed) % 5;
    s.width = s.kernel_width * s.dilation + qn_case_random(&seed) % 9;
    s.channels = pick(&seed, depths, QN_COUNT(depths));
    s.out_channels = pick(&seed, units, QN_COUNT(units));
    if (round % 4 == 0) s.groups = 2, s.channels *= 2, s.out_channels *= 2;
    check_all_levels(&s);
  }
}

static void depthwise_convolutions(void **unused) {
  (void)unused;
  uint32_t seed = 3;
  static const int64_t depths[] = {1, 3, 8, 15, 16, 17, 24, 33, 64, 72, 96};
  for (int round = 0; round < 30; round++) {
    qn_case s = random_case(QN_CASE_DEPTHWISE, &seed);
    s.batch = 1 + qn_case_random(&seed) % 2;
    s.kernel_height = s.kernel_width = 3;
    if (round % 3 == 1) {
      s.kernel_height = 1 + qn_case_random(&seed) % 7;
      s.kernel_width = 1 + qn_case_random(&seed) % 6;
    }
    s.stride = 1 + qn_case_random(&seed) % 3;
    s.padded = qn_case_random(&seed) % 3 == 0;
    s.dilation = 1 + (round % 5 == 0);
    s.height = s.kernel_height * s.dilation + qn_case_random(&seed) % 4;
    s.width = s.kernel_width * s.dilation + qn_case_random(&seed) % 6;
    s.channels = pick(&seed, depths, QN_COUNT(depths));
    s.out_channels = s.channels * (round % 6 == 5 ? 1 + qn_case_random(&seed) % 3 : 1);
    check_all_levels(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linears),
      cmocka_unit_test(convolutions),
      cmocka_unit_test(depthwise_convolutions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

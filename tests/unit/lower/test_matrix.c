/* Convolutions and matrix products of awkward shapes, lowered to loops for every CPU level and
 * executed by the interpreter, against the plain computation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>
#include <stdlib.h>
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
static int64_t arena_bytes(const qn_module *module) {
  return qn_op_i64(module->op, "quern.arena_bytes", 0);
}

static qn_rt_value buffer(qn_value *argument, void *data, int64_t size) {
  return (qn_rt_value){.type = argument->type, .data = data, .size = size};
}

static void check_case(const qn_case *shape, const qn_target *target) {
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  cx.diag.handler = print_diag;
  qn_arena arena;
  qn_arena_init(&arena);
  qn_case_data d = qn_case_make(&arena, shape);
  qn_module *module = qn_case_module(&cx, &d);
  lower(module, target);
  const qn_op *main_func = qn_module_main(module);
  qn_block *body = qn_op_body(main_func);
  int64_t temporary = arena_bytes(module);
  uint8_t *x = malloc((size_t)d.x_count), *memory = calloc((size_t)temporary + 1, 1);
  uint8_t *y = malloc((size_t)d.y_count), *expected = malloc((size_t)d.y_count);
  uint32_t seed = shape->seed;
  qn_case_fill(&d, &seed, x);
  memset(y, 0x55, (size_t)d.y_count);
  qn_rt_value args[] = {buffer(body->args[0], x, d.x_count), buffer(body->args[1], y, d.y_count),
                        buffer(body->args[2], memory, temporary)};
  assert_int_equal(qn_eval_call(module, main_func, args, 3, NULL, &arena, NULL), QN_OK);
  qn_case_reference(&d, x, expected);
  for (int64_t i = 0; i < d.y_count; i++)
    if (y[i] != expected[i])
      fail_msg("%s for %s: element %d is %d instead of %d", qn_case_describe(&arena, shape),
               target->name, (int)i, y[i], expected[i]);
  free(x), free(memory), free(y), free(expected);
  qn_module_destroy(module);
  qn_arena_deinit(&arena);
  qn_ir_context_deinit(&cx);
}

static void check_all_levels(const qn_case *shape) {
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) check_case(shape, &targets[i]);
}

static int64_t pick(uint32_t *seed, const int64_t *values, uint32_t count) {
  return values[qn_case_random(seed) % count];
}

/* Everything that is independent of the shape. */
static qn_case random_case(uint32_t *seed) {
  qn_case s = {.batch = 1, .height = 1, .width = 1, .kernel_height = 1, .kernel_width = 1,
               .stride = 1, .dilation = 1, .groups = 1};
  s.x_unsigned = qn_case_random(seed) & 1;
  s.y_unsigned = qn_case_random(seed) & 1;
  s.real = qn_case_random(seed) % 4 == 0;
  s.weights = (qn_case_weights)(qn_case_random(seed) % QN_CASE_WEIGHTS);
  static const double scales[] = {0.25, 0.01, 0.002, 0.0001, 3};
  s.scale = scales[qn_case_random(seed) % 5];
  int32_t lo = s.y_unsigned ? 0 : -128;
  s.zero_point = lo + (int32_t)(qn_case_random(seed) % 256);
  bool clamps = qn_case_random(seed) & 1;
  s.min = clamps ? lo + (int32_t)(qn_case_random(seed) % 100) : lo;
  s.max = clamps ? s.min + (int32_t)(qn_case_random(seed) % 150) : lo + 255;
  s.seed = qn_case_random(seed);
  return s;
}

static void linears(void **unused) {
  (void)unused;
  uint32_t seed = 11;
  static const int64_t depths[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33}, rows[] = {1, 2, 3, 5, 13, 26};
  for (int64_t units = 1; units <= 70; units += 3) {
    qn_case s = random_case(&seed);
    s.op = QN_CASE_LINEAR;
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
    qn_case s = random_case(&seed);
    s.op = QN_CASE_CONV;
    s.batch = 1 + qn_case_random(&seed) % 2;
    s.kernel_height = 1 + qn_case_random(&seed) % 3;
    s.kernel_width = 1 + qn_case_random(&seed) % 3;
    s.stride = 1 + qn_case_random(&seed) % 4; /* beyond the kernel too */
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
    qn_case s = random_case(&seed);
    s.op = QN_CASE_DEPTHWISE;
    s.batch = 1 + qn_case_random(&seed) % 2;
    s.kernel_height = s.kernel_width = 3;
    if (round % 3 == 1) {
      s.kernel_height = 1 + qn_case_random(&seed) % 7;
      s.kernel_width = 1 + qn_case_random(&seed) % 6;
    }
    s.stride = 1 + qn_case_random(&seed) % 3;
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

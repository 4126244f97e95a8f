/* The time limit is checked within ops, too, because a model may be a single convolution.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "text_function.h"

#include "base/guard.h"

#define Q "!quant.uniform<i8:f32, 0.5>"

/* Ops with at least nine million steps of work each. */
static const struct {
  const char *op, *x, *second, *y;
} ops[] = {
    {"\"ml.conv\"(%x, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, "
     "pad = array<i64: 0, 0, 0, 0>, groups = 1 : i64}",
     "1x18x18x64x" Q, "96x3x3x64x" Q, "1x16x16x96x" Q},
    {"\"ml.depthwise_conv\"(%x, %w) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, "
     "pad = array<i64: 0, 0, 0, 0>}",
     "1x42x42x960x" Q, "1x3x3x960x" Q, "1x40x40x960x" Q},
    {"\"ml.linear\"(%x, %w)", "512x256x" Q, "80x256x" Q, "512x80x" Q},
    {"\"ml.max_pool\"(%x) {kernel_sizes = array<i64: 9, 9>, strides = array<i64: 1, 1>, "
     "pad = array<i64: 4, 4, 4, 4>}",
     "1x64x64x32x" Q, NULL, "1x64x64x32x" Q},
    {"\"ml.avg_pool\"(%x) {kernel_sizes = array<i64: 20000, 20000>, strides = array<i64: 1, 1>, "
     "pad = array<i64: 10000, 9999, 10000, 9999>}",
     "1x1x1x1x" Q, NULL, "1x1x1x1x" Q},
    {"\"ml.add\"(%x, %w)", "9600x1000x" Q, "9600x1000x" Q, "9600x1000x" Q},
    {"\"ml.reduce_mean\"(%x) {axes = array<i64: 0>, keep_dims = false}", "9600x1000x" Q, NULL,
     "1000x" Q},
    {"\"ml.softmax\"(%x) {beta = 1.0 : f32}", "960x10000x" Q, NULL,
     "960x10000x!quant.uniform<i8:f32, 0.00390625:-128>"},
    {"\"ml.transpose\"(%x) {perm = array<i64: 1, 0>}", "9600x1000x" Q, NULL, "1000x9600x" Q},
    {"\"ml.pad\"(%x) {pad = array<i64: 4800, 4800, 1, 1>}", "1x1000x" Q, NULL, "9601x1002x" Q},
};

static double ticks; /* of `tick` */
static double tick(void) { return ++ticks; }

static void write_function(char *text, size_t room, size_t i) {
  const char *second = ops[i].second ? ops[i].second : "1x" Q;
  snprintf(text, room,
           "module attributes {quern.numerics = \"litert-ref\"} {\n"
           "func.func @main(%%x: tensor<%s>, %%w: tensor<%s>) -> tensor<%s> {\n"
           "  %%y = %s : (tensor<%s>%s%s%s) -> tensor<%s>\n  return %%y : tensor<%s>\n}\n}\n",
           ops[i].x, second, ops[i].y, ops[i].op, ops[i].x, ops[i].second ? ", tensor<" : "",
           ops[i].second ? second : "", ops[i].second ? ">" : "", ops[i].y, ops[i].y);
}

static void add_zeros(fixture *f, const char *shape) {
  char type[256];
  snprintf(type, sizeof type, "tensor<%s>", shape);
  qn_rt_value *arg = add_arg(f, type);
  arg->size = qn_type_elements(arg->type);
  arg->data = qn_arena_alloc(&f->arena, (size_t)arg->size);
  memset(arg->data, 0, (size_t)arg->size);
}

/* Runs the function with a deadline. Returns true if the deadline ended it. */
static bool is_ended(fixture *f, double deadline) {
  qn_account account;
  qn_guard guard;
  qn_ring nothing;
  qn_ring_init(&nothing);
  qn_account_init(&account);
  account.timed = true;
  account.clock = tick;
  account.deadline = deadline;
  ticks = 0;
  qn_guard_open(&guard, &account);
  if (setjmp(guard.jump) == 0) {
    assert_int_equal(run(f), QN_OK);
    qn_guard_close(&guard, &nothing);
    return false;
  }
  assert_int_equal(guard.exceeded, QN_EXCEEDED_TIME);
  qn_guard_discard(&guard);
  return true;
}

/* The two ops of the function and the allocations alone cause fewer checks than this. */
static void an_op_ends_in_its_middle(void **state) {
  const double least = 15;
  fixture *f = *state;
  f->max_steps = 100;
  for (size_t i = 0; i < QN_COUNT(ops); i++) {
    char text[2048];
    write_function(text, sizeof text, i);
    load(f, text);
    add_zeros(f, ops[i].x);
    add_zeros(f, ops[i].second ? ops[i].second : "1x" Q);
    assert_false(is_ended(f, HUGE_VAL));
    if (ticks < least) fail_msg("%s: looked %g times", ops[i].op, ticks);
    assert_true(is_ended(f, 2));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(an_op_ends_in_its_middle, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

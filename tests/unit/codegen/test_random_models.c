/* Random small models with ops of every family. At each level that this machine supports, machine
 * code gives the bytes that the interpreter gives at the model stage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "codegen/codegen.h"
#include "ir/clone.h"
#include "tests/support/passes.h"
#include "tests/support/prepared.h"
#include "tests/support/random_model.h"

static void invoke(const qn_abi_model *model, const qn_random_run *inputs, qn_random_run *run) {
  const void *in[QN_RANDOM_MAX_ARGS];
  void *out[QN_RANDOM_MAX_ARGS];
  assert_int_equal(model->input_count, inputs->arg_count);
  assert_int_equal(model->output_count, inputs->result_count);
  for (uint32_t i = 0; i < model->input_count; i++) in[i] = inputs->args[i].data;
  for (uint32_t i = 0; i < model->output_count; i++) {
    run->results[i].size = (int64_t)model->outputs[i].bytes;
    run->results[i].data = out[i] = qn_arena_alloc(&run->arena, model->outputs[i].bytes + 1);
  }
  size_t arena_bytes = (model->arena_bytes / QN_ABI_ALIGN + 1) * QN_ABI_ALIGN;
  void *arena = aligned_alloc(QN_ABI_ALIGN, arena_bytes);
  assert_non_null(arena);
  qn_abi_call call = {.inputs = in, .outputs = out, .arena = arena};
  assert_int_equal(invoke_prepared(model, call), 0);
  free(arena);
}

/* Runs the integer module of m as machine code for one level. */
static void run_level(qn_random_model *m, const qn_target *level, const qn_random_run *inputs,
                      qn_random_run *out_run) {
  *out_run = *inputs;
  qn_arena_init(&out_run->arena);
  qn_module *integer = m->module;
  m->module = qn_module_clone(integer);
  qn_lower_config config = {.target = level};
  assert_int_equal(qn_random_pass(m, &qn_pass_lower_to_loops, &config), QN_OK);
  qn_codegen_options options = {.symbol = qn_str_of("model")};
  qn_status status = qn_codegen_target_resolve(&m->cx, NULL, level->name, NULL, &options.target);
  assert_int_equal(status, QN_OK);
  qn_jit *jit = NULL;
  status = qn_jit_create(m->module, &options, &jit);
  if (status != QN_OK) qn_random_dump(m);
  assert_int_equal(status, QN_OK);
  invoke(qn_jit_model(jit), inputs, out_run);
  qn_jit_destroy(jit);
  qn_module_destroy(m->module);
  m->module = integer;
}

static void check_levels(qn_random_model *m) {
  qn_random_run inputs, expected;
  qn_random_inputs(m, &inputs);
  assert_int_equal(qn_random_evaluate(m, &inputs, &expected), QN_OK);
  qn_test_passes passes = qn_test_passes_of(&m->cx, "lower-to-integer,prepare-integer");
  for (uint32_t i = 0; i < passes.count; i++)
    assert_int_equal(qn_random_pass(m, passes.pass[i], NULL), QN_OK);
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    if (!qn_codegen_host_runs(&levels[i])) continue;
    qn_random_run actual;
    run_level(m, &levels[i], &inputs, &actual);
    bool same = qn_random_same_results(&expected, &actual);
    if (!same) {
      print_message("different at level %s\n", levels[i].name);
      qn_random_dump(m);
    }
    assert_true(same);
    qn_arena_deinit(&actual.arena);
  }
  qn_arena_deinit(&expected.arena);
  qn_arena_deinit(&inputs.arena);
}

static void every_op_family(void **state) {
  (void)state;
  static qn_random_op *const ops[] = {
      qn_random_conv, qn_random_depthwise, qn_random_linear, qn_random_binary, qn_random_pool,
      qn_random_mean, qn_random_softmax,   qn_random_unary,  qn_random_pad,    qn_random_concat,
  };
  static const int64_t channels[] = {1, 3, 4, 8, 17, 33, 64};
  for (uint64_t seed = 0; seed < 2 * QN_COUNT(ops); seed++) {
    qn_random_model m;
    qn_random_begin(&m, 31000 + seed, seed % 3 ? "litert-ref" : "tflm");
    int64_t dims[4] = {qn_random_between(&m, 1, 2), qn_random_between(&m, 1, 9),
                       qn_random_between(&m, 1, 9),
                       qn_random_pick(&m, channels, QN_COUNT(channels))};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, qn_random_quant(&m), 4, dims));
    qn_value *y = ops[seed % QN_COUNT(ops)](&m, x);
    qn_random_end(&m, &y, 1);
    check_levels(&m);
    qn_random_free(&m);
  }
}

/* Row lengths below and above those at which the schedule changes, with and without remainder. */
static void softmax_rows(void **state) {
  (void)state;
  static const int64_t lengths[] = {63, 64, 65, 127, 128, 200, 1000, 8191, 8192};
  for (uint64_t seed = 0; seed < 2 * QN_COUNT(lengths); seed++) {
    qn_random_model m;
    qn_random_begin(&m, 47000 + seed, seed % 3 ? "litert-ref" : "tflm");
    const int64_t dims[4] = {1, 1, 3, lengths[seed % QN_COUNT(lengths)]};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, qn_random_quant(&m), 4, dims));
    qn_value *y = qn_random_softmax(&m, x);
    qn_random_end(&m, &y, 1);
    check_levels(&m);
    qn_random_free(&m);
  }
}

/* Several ops, so that fusion, in-place results and shared storage occur. */
static void chains(void **state) {
  (void)state;
  static qn_random_op *const ops[] = {
      qn_random_conv,   qn_random_unary, qn_random_binary, qn_random_pad,  qn_random_depthwise,
      qn_random_binary, qn_random_pool,  qn_random_concat, qn_random_conv, qn_random_unary};
  for (uint64_t seed = 0; seed < 6; seed++) {
    qn_random_model m;
    qn_random_begin(&m, 52000 + seed, seed % 3 ? "litert-ref" : "tflm");
    const int64_t dims[4] = {1, qn_random_between(&m, 4, 9), qn_random_between(&m, 4, 9),
                             qn_random_between(&m, 1, 20)};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, qn_random_quant(&m), 4, dims));
    qn_value *results[2] = {NULL, NULL};
    for (size_t i = 0; i < 5; i++) {
      x = ops[(seed + i) % QN_COUNT(ops)](&m, x);
      if (i == 2) results[0] = x;
    }
    results[1] = x;
    qn_random_end(&m, results, 2);
    check_levels(&m);
    qn_random_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_op_family),
      cmocka_unit_test(softmax_rows),
      cmocka_unit_test(chains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

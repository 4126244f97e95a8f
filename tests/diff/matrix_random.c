/* Random convolutions and matrix products as machine code, at every CPU level that this machine
 * supports, compared with the plain computation. Each kernel runs twice: in one call, and in calls
 * of few units, last units first, which detects units that depend on each other.
 *
 * usage: diff_matrix_random [cases]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"
#include "eval/eval.h"
#include "lower/lower.h"
#include "tests/support/matrix_case.h"

typedef struct instance {
  qn_ir_context cx;
  qn_arena arena;
  qn_case_data data;
  uint8_t *x, *r, *expected;
} instance;

static void print_diagnostic(void *user, const qn_diag *diag) {
  (void)user;
  fprintf(stderr, "%.*s\n", QN_STR_ARG(diag->text));
}

/* ---- cases ---- */

static void random_shape(uint32_t *seed, qn_case *s) {
  s->op = (qn_case_op)qn_case_range(seed, QN_CASE_CONV, QN_CASE_LINEAR);
  s->batch = qn_case_range(seed, 1, 2);
  s->stride = qn_case_range(seed, 1, 3);
  s->kernel_height = qn_case_range(seed, 1, 4);
  s->kernel_width = qn_case_range(seed, 1, 4);
  if (s->op == QN_CASE_DEPTHWISE && qn_case_range(seed, 0, 2) != 0)
    s->kernel_height = s->kernel_width = 3;
  if (qn_case_range(seed, 0, 3) == 0) s->dilation = 2;
  s->height = (s->kernel_height - 1) * s->dilation + qn_case_range(seed, 1, 12);
  s->width = (s->kernel_width - 1) * s->dilation + qn_case_range(seed, 1, 24);
  s->channels = qn_case_range(seed, 1, 150);
  s->out_channels = qn_case_range(seed, 1, 200);
  if (s->op == QN_CASE_DEPTHWISE)
    s->out_channels = s->channels * (qn_case_range(seed, 0, 5) == 0 ? 2 : 1);
  if (s->op == QN_CASE_LINEAR) s->stride = s->dilation = s->kernel_height = s->kernel_width = 1;
  if (s->op != QN_CASE_CONV || qn_case_range(seed, 0, 2) != 0) return;
  s->groups = qn_case_range(seed, 2, 3);
  if (qn_case_range(seed, 0, 1) == 0) { /* several groups in a vector */
    s->groups = 4 * qn_case_range(seed, 1, 8);
    s->channels = 4;
    s->out_channels = 1 << qn_case_range(seed, 0, 3);
  }
  s->channels *= s->groups;
  s->out_channels *= s->groups;
}

/* 16-bit activations. Long sums, and sums with 16-bit weights, need 64 bits. */
static void make_words(uint32_t *seed, qn_case *s) {
  s->words = true;
  s->x_unsigned = s->y_unsigned = s->residual = false;
  if (qn_case_range(seed, 0, 1) == 0) s->weights = QN_CASE_WHOLE;
  s->scale /= 64;
  s->zero_point = 0;
  s->min = qn_case_range(seed, 0, 1) == 0 ? INT16_MIN : 0;
  s->max = qn_case_range(seed, 0, 1) == 0 ? INT16_MAX : 20000;
}

/* 8-bit weights that a kernel packs at run time, with or without zero points. */
static void give_weights(uint32_t *seed, qn_case *s) {
  if (s->op == QN_CASE_DEPTHWISE || s->words || s->weights >= QN_CASE_WIDE) return;
  s->given = true;
  s->w_unsigned = qn_case_range(seed, 0, 1);
  s->x_zero = (int32_t)qn_case_range(seed, s->x_unsigned ? 0 : -128, s->x_unsigned ? 255 : 127);
  if (s->w_unsigned || qn_case_range(seed, 0, 1) == 0)
    s->w_zero = (int32_t)qn_case_range(seed, s->w_unsigned ? 0 : -128, s->w_unsigned ? 255 : 127);
}

/* A convolution with so many results that its kernel may store their real values. */
static void make_dequantized(uint32_t *seed, qn_case *s) {
  enum { LEAST = 65537, MOST_CHANNELS = 40 };
  s->op = QN_CASE_CONV;
  s->groups = s->dilation = s->stride = 1;
  s->phase_rows = s->phase_columns = 0;
  s->padded = s->joined = false;
  s->dequantized = true;
  s->channels = qn_case_range(seed, 1, MOST_CHANNELS);
  s->out_channels = qn_case_range(seed, 8, 260);
  s->width = s->kernel_width - 1 + qn_case_range(seed, 8, 40);
  int64_t row = s->batch * (s->width - s->kernel_width + 1) * s->out_channels;
  s->height = s->kernel_height - 1 + (LEAST + row - 1) / row;
}

/* Channels of phases, often of as many channels as a vector has lanes. */
static void make_phases(uint32_t *seed, qn_case *s) {
  const int64_t channels =
      qn_case_range(seed, 0, 2) == 0 ? qn_case_range(seed, 1, 40) : 16 * qn_case_range(seed, 1, 4);
  s->phase_rows = qn_case_range(seed, 1, 3);
  s->phase_columns = qn_case_range(seed, 1, 3);
  s->out_channels = s->phase_rows * s->phase_columns * channels;
  if (qn_case_range(seed, 0, 3) != 0) s->residual = false;
  if (qn_case_range(seed, 0, 1) == 0) s->kernel_height = s->kernel_width = 1;
}

static qn_case random_case(uint32_t *seed, bool dequantized) {
  qn_case s = {.dilation = 1, .groups = 1};
  random_shape(seed, &s);
  s.x_unsigned = qn_case_range(seed, 0, 1);
  s.y_unsigned = qn_case_range(seed, 0, 1);
  s.real = qn_case_range(seed, 0, 3) == 0;
  s.residual = qn_case_range(seed, 0, 3) == 0;
  s.residual_first = qn_case_range(seed, 0, 1);
  s.padded = s.op != QN_CASE_LINEAR && qn_case_range(seed, 0, 2) == 0;
  s.weights = (qn_case_weights)qn_case_range(seed, 0, QN_CASE_WIDEST);
  static const double scales[] = {0.1, 0.01, 0.001, 0.0003, 0.00005};
  s.scale = scales[qn_case_range(seed, 0, 4)];
  int32_t lo = s.y_unsigned ? 0 : -128;
  s.zero_point = lo + (int32_t)qn_case_range(seed, 0, 255);
  s.min = lo + (int32_t)(qn_case_range(seed, 0, 1) * qn_case_range(seed, 0, 90));
  s.max = lo + 255 - (int32_t)(qn_case_range(seed, 0, 1) * qn_case_range(seed, 0, 90));
  s.joined = s.op != QN_CASE_LINEAR && qn_case_range(seed, 0, 1) == 0;
  if (s.op == QN_CASE_CONV && s.groups == 1 && qn_case_range(seed, 0, 1) == 0)
    make_phases(seed, &s);
  if (dequantized) make_dequantized(seed, &s);
  if (!dequantized && qn_case_range(seed, 0, 3) == 0) make_words(seed, &s);
  if (!dequantized && qn_case_range(seed, 0, 3) == 0) give_weights(seed, &s);
  s.seed = qn_case_random(seed);
  return s;
}

/* ---- reference and machine code ---- */

static uint8_t *noise(instance *in, int64_t size, uint32_t *seed) {
  uint8_t *bytes = qn_arena_alloc(&in->arena, (size_t)size);
  for (int64_t i = 0; i < size; i++) bytes[i] = (uint8_t)(qn_case_random(seed) >> 4);
  return bytes;
}

/* The plain computation, or the interpreter at the integer stage if other ops follow. */
static bool compute_expected(instance *in) {
  const qn_case *s = &in->data.shape;
  if (!s->residual && !s->phase_rows && !s->padded && !s->joined && !s->dequantized) {
    in->expected = qn_arena_alloc(&in->arena, (size_t)(in->data.y_count * in->data.element_bytes));
    qn_case_reference(&in->data, in->x, in->expected);
    return true;
  }
  qn_module *module = qn_case_module(&in->cx, &in->data);
  const qn_op *func = qn_module_main(module);
  qn_value *const *formal = qn_op_body(func)->args;
  qn_rt_value args[4] = {
      {.type = formal[0]->type, .data = in->x, .size = in->data.x_count * in->data.element_bytes}};
  uint32_t count = 1;
  if (qn_case_reads_r(s))
    args[count++] = (qn_rt_value){
        .type = formal[1]->type, .data = in->r, .size = in->data.y_count * in->data.element_bytes};
  if (in->data.shape.given) {
    int64_t channels = in->data.shape.out_channels;
    qn_value *const *given = formal + count;
    args[count++] = (qn_rt_value){
        .type = given[0]->type, .data = in->data.stored, .size = channels * in->data.taps};
    args[count++] = (qn_rt_value){
        .type = given[1]->type, .data = (uint8_t *)in->data.given_bias, .size = 4 * channels};
  }
  qn_rt_value result;
  bool done = qn_eval_call(module, func, args, count, &result, &in->arena, NULL) == QN_OK;
  if (done) in->expected = result.data;
  qn_module_destroy(module);
  return done;
}

/* In place of a thread pool: small chunks, the last one first. */
static void in_pieces(void *pool, qn_abi_kernel *kernel, void *const *args, int64_t count) {
  uint32_t *seed = pool;
  for (int64_t end = count; end > 0;) {
    int64_t begin = end - qn_case_range(seed, 1, 3);
    if (begin < 0) begin = 0;
    kernel(args, begin, end);
    end = begin;
  }
}

static bool run_code(instance *in, const qn_abi_model *model, bool pieces) {
  uint32_t seed = in->data.shape.seed;
  int64_t bytes = in->data.result_bytes;
  uint8_t *y = noise(in, bytes, &seed);
  size_t arena_bytes = (model->arena_bytes + QN_ABI_ALIGN - 1) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  void *arena = aligned_alloc(QN_ABI_ALIGN, arena_bytes + QN_ABI_ALIGN);
  const void *inputs[4] = {in->x, in->r};
  uint32_t own = qn_case_reads_r(&in->data.shape) ? 2 : 1;
  inputs[own] = in->data.stored, inputs[own + 1] = in->data.given_bias;
  void *outputs[] = {y};
  qn_abi_call call = {.inputs = inputs, .outputs = outputs, .arena = arena};
  if (pieces) call.parallel_for = in_pieces, call.pool = &seed;
  model->invoke(&call);
  free(arena);
  return memcmp(y, in->expected, (size_t)bytes) == 0;
}

/* Returns NULL or a problem. */
static const char *check_level(instance *in, const qn_target *level) {
  qn_module *module = qn_case_module(&in->cx, &in->data);
  const qn_lower_config config = {.target = level};
  static const qn_pass *const passes[] = {&qn_pass_lower_to_loops};
  const qn_pipeline_options pipeline = {.config = &config};
  qn_codegen_options options = {.symbol = qn_str_of("matrix")};
  qn_jit *jit = NULL;
  const char *problem = NULL;
  if (qn_pipeline_run(module, passes, 1, &pipeline) != QN_OK ||
      qn_codegen_target_resolve(&in->cx, NULL, level->name, NULL, &options.target) != QN_OK ||
      qn_jit_create(module, &options, &jit) != QN_OK)
    problem = "is not compiled";
  else if (!run_code(in, qn_jit_model(jit), false))
    problem = "differs";
  else if (!run_code(in, qn_jit_model(jit), true))
    problem = "differs in pieces";
  qn_jit_destroy(jit);
  qn_module_destroy(module);
  return problem;
}

static int check_case(const qn_case *shape) {
  instance in;
  qn_ir_context_init(&in.cx);
  qn_arena_init(&in.arena);
  in.cx.diag.handler = print_diagnostic;
  in.data = qn_case_make(&in.arena, shape);
  uint32_t seed = shape->seed, levels;
  in.x = noise(&in, in.data.x_count * in.data.element_bytes, &seed);
  in.r = noise(&in, in.data.y_count * in.data.element_bytes, &seed);
  qn_case_fill(&in.data, &seed, in.x);
  int failures = compute_expected(&in) ? 0 : 1;
  const qn_target *level = qn_targets(&levels);
  for (uint32_t i = 0; i < levels; i++) {
    if (failures || !qn_codegen_host_runs(&level[i])) continue;
    const char *problem = check_level(&in, &level[i]);
    if (!problem) continue;
    printf("%s for %s %s\n", qn_case_describe(&in.arena, shape), level[i].name, problem);
    failures++;
  }
  qn_arena_deinit(&in.arena);
  qn_ir_context_deinit(&in.cx);
  return failures;
}

int main(int argc, char **argv) {
  int cases = argc > 1 ? atoi(argv[1]) : 25, failures = 0;
  uint32_t seed = 1;
  for (int i = 0; i < cases; i++) {
    qn_case shape = random_case(&seed, i % 4 == 0);
    failures += check_case(&shape);
  }
  printf("%d cases, %d failures\n", cases, failures);
  return failures != 0;
}

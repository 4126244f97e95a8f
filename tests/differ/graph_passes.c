/* Each pass on graphs against the interpreter: on random graphs with its pattern, in which values
 * are also read elsewhere or returned, the results before and after are the same within what its
 * record says, a second run changes nothing, and what is compiled from the result computes the same
 * bytes as the interpreter.
 *
 *   graph_passes CASES [PASS]     CASES graphs for each pass
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "ir/clone.h"
#include "pass/manager.h"
#include "pass/pipeline.h"
#include "passes/passes.h"
#include "tests/differ/graph_steps.h"

enum { MOST_STEPS = 6 };

typedef struct graph_row {
  const qn_pass *pass;
  graph_step *steps[MOST_STEPS];
} graph_row;
static const graph_row rows[] = {
    {&qn_pass_merge_consecutive_relus, {step_relu, step_relu, step_relu}},
    {&qn_pass_merge_consecutive_reshapes, {step_reshape, step_reshape, step_flatten}},
    {&qn_pass_merge_consecutive_transposes, {step_shuffle, step_turn, step_shuffle}},
    {&qn_pass_merge_consecutive_paddings, {step_pad, step_pad, step_pad}},
    {&qn_pass_noop_elimination,
     {step_same_reshape, step_one, step_pad_nothing, step_split_one, step_shuffle}},
    {&qn_pass_dead_code_elimination, {step_dead, step_relu, step_dead}},
    {&qn_pass_const_elimination, {step_folded_constant, step_tanh, step_folded_constant}},
    {&qn_pass_const_deduplication, {step_equal_constants, step_relu, step_equal_constants}},
    {&qn_pass_topological_reorder, {step_shuffle, step_dead, step_turn, step_add_constant}},
    {&qn_pass_compose_conv1d, {step_one_dimension, step_relu, step_one_dimension}},
    {&qn_pass_fuse_conv_bias,
     {step_conv, step_add_constant, step_depthwise, step_subtract_from_constant}},
    {&qn_pass_fuse_conv_bias,
     {step_conv_transpose, step_add_constant, step_relu, step_conv_transpose,
      step_subtract_from_constant}},
    {&qn_pass_fuse_conv_scale,
     {step_conv, step_multiply_constant, step_depthwise, step_multiply_constant}},
    {&qn_pass_fuse_conv_scale,
     {step_conv_transpose, step_multiply_constant, step_relu, step_conv_transpose,
      step_multiply_constant}},
    {&qn_pass_add_conv_transpose_output_shape,
     {step_conv_transpose, step_relu, step_conv_transpose}},
    {&qn_pass_fuse_pad_conv, {step_pad_rows, step_conv, step_pad_rows, step_depthwise}},
    {&qn_pass_fuse_pad_conv, {step_pad, step_shuffle, step_conv}},
    {&qn_pass_fuse_linear_bias,
     {step_linear, step_add_constant, step_linear, step_subtract_from_constant}},
    {&qn_pass_int_op_canonicalization, {step_move_quantized, step_move_quantized}},
    {&qn_pass_distributive_quantized_binary_op_scale_normalization,
     {step_quantized_sum, step_quantized_sum}},
    {&qn_pass_nullify_redundant_quantization_zero_point, {step_through_low, step_through_low}},
    {&qn_pass_dequantize_quantize_pair_elimination, {step_through_integers}},
    {&qn_pass_merge_affine_dequantize_with_consecutive_ops,
     {step_compressed_constant, step_relu, step_compressed_constant}},
    {&qn_pass_dequantize_to_constexpr, {step_stored_constant, step_relu, step_stored_constant}},
    {&qn_pass_rank0_expand_dims_swap, {step_scalar, step_relu, step_scalar}},
    {&qn_pass_expand_high_rank_reshape_and_transpose, {step_high_rank, step_relu, step_high_rank}},
    {&qn_pass_transpose_pair_folding, {step_turn, step_relu, step_tanh, step_turn}},
    {&qn_pass_reduce_transposes, {step_turn, step_add_constant, step_relu, step_pad, step_turn}},
    {&qn_pass_reduce_transposes,
     {step_turn, step_subtract_from_constant, step_turn, step_tanh, step_turn}},
    {&qn_pass_reduce_transposes,
     {step_turn, step_through_integers, step_split_one, step_multiply_constant, step_turn}},
    {&qn_pass_reshape_pair_folding, {step_flatten, step_tanh, step_restore}},
    {&qn_pass_identity_reshape_removal, {step_same_reshape, step_relu, step_same_reshape}},
    {&qn_pass_redundant_cast_removal, {step_through_integers}},
    {&qn_pass_fuse_conv_batchnorm,
     {step_conv, step_batch_norm, step_tanh, step_depthwise, step_batch_norm}},
    {&qn_pass_fuse_conv_batchnorm,
     {step_conv_transpose, step_batch_norm, step_tanh, step_conv_transpose, step_batch_norm}},
    {&qn_pass_fuse_elementwise_to_batchnorm,
     {step_scale_and_shift, step_tanh, step_scale_and_shift}},
    {&qn_pass_fuse_layernorm_or_instancenorm, {step_normalized, step_tanh, step_normalized}},
    {&qn_pass_fuse_gelu_exact, {step_gelu_exact, step_shuffle, step_gelu_exact}},
    {&qn_pass_fuse_gelu_tanh_approximation, {step_gelu_tanh, step_shuffle, step_gelu_tanh}},
    {&qn_pass_fuse_gelu_sigmoid_approximation,
     {step_gelu_sigmoid, step_shuffle, step_gelu_sigmoid}},
    {&qn_pass_fuse_leaky_relu, {step_greater_part, step_tanh, step_greater_part}},
    {&qn_pass_fuse_prelu, {step_two_relus, step_tanh, step_two_relus}},
    {&qn_pass_prelu_to_lrelu, {step_prelu, step_tanh, step_prelu}},
    {&qn_pass_fuse_reduce_mean, {step_mean, step_tanh, step_mean}},
    {&qn_pass_expand_dynamic_linear, {step_computed_linear, step_tanh, step_computed_linear}},
    {&qn_pass_fuse_matmul_weight_bias, {step_product_and_bias, step_tanh, step_product_and_bias}},
    {&qn_pass_fuse_transpose_matmul,
     {step_product_of_transposed, step_tanh, step_product_of_transposed, step_shuffle}},
    {&qn_pass_divide_to_multiply, {step_divide, step_tanh, step_divide}},
    {&qn_pass_select_optimization, {step_choice, step_tanh, step_choice}},
    {&qn_pass_cast_optimization, {step_casts, step_tanh, step_casts}},
    {&qn_pass_replace_stack_reshape, {step_stack, step_relu, step_stack}},
    {&qn_pass_fuse_stack_split, {step_restacked, step_relu, step_restacked}},
    {&qn_pass_fuse_squeeze_expand_dims, {step_dropped_dims, step_relu, step_dropped_dims}},
    {&qn_pass_fuse_dilated_conv, {step_blocks, step_relu, step_blocks}},
    {&qn_pass_detect_concat_interleave, {step_interleaved, step_relu, step_interleaved}},
    {&qn_pass_concat_to_pixel_shuffle, {step_pixels, step_relu, step_pixels}},
    {&qn_pass_fuse_onehot_matmul_to_gather, {step_picked, step_relu, step_picked}},
    {&qn_pass_remove_redundant_ops, {step_twice, step_relu, step_twice}},
    {&qn_pass_loop_invariant_elimination, {step_carried, step_relu, step_carried}},
    {&qn_pass_linear_quantize_weights, {step_conv, step_depthwise, step_linear}},
    {&qn_pass_palettize_weights, {step_relu, step_conv}},
    {&qn_pass_prune_weights, {step_relu, step_conv_transpose}},
    {&qn_pass_insert_prefix_quantize_dequantize_pair, {step_numbered, step_linear}},
    {&qn_pass_insert_suffix_quantize_dequantize_pair, {step_numbered_conv, step_shuffle}},
    {&qn_pass_add_fp16_cast, {step_conv, step_add_constant, step_split_one, step_linear}},
    {&qn_pass_update_output_dtypes, {step_conv, step_relu, step_turn}},
    {&qn_pass_graph_exact, {step_first, step_other, step_other, step_other, step_other}},
    {&qn_pass_graph_default, {step_first, step_other, step_other, step_other, step_other}},
    {&qn_pass_use_reflection_padding, {step_mirrored, step_relu, step_mirrored}},
};

/* What a row has beyond the pass's name: the text that it is run by, and by how much of the largest
 * result others may differ: by 2 is all that a tangent can, where weights change by as much. */
static const struct {
  const qn_pass *pass;
  const char *text;
  double part;
} wishes[] = {
    {&qn_pass_linear_quantize_weights, NULL, 0.1},
    {&qn_pass_palettize_weights, "palettize-weights{nbits=2}", 2},
    {&qn_pass_prune_weights, "prune-weights{percent=15}", 2},
    {&qn_pass_insert_prefix_quantize_dequantize_pair,
     "insert-prefix-quantize-dequantize-pair{ranges=0=-2:2}", 0.1},
    {&qn_pass_insert_suffix_quantize_dequantize_pair,
     "insert-suffix-quantize-dequantize-pair{ranges=0=-40:40}", 0.5},
    {&qn_pass_add_fp16_cast, NULL, 0.02},
    {&qn_pass_update_output_dtypes, "update-output-dtypes{types=i32}", 1},
    {&qn_pass_graph_default, NULL, 0.1},
};

static const char *text_of(const qn_pass *pass) {
  for (size_t i = 0; i < QN_COUNT(wishes); i++)
    if (wishes[i].pass == pass && wishes[i].text) return wishes[i].text;
  return pass->name;
}

#define REORDERED 1e-5 /* of the largest result: what reordered sums may differ by */

static double part_of(const qn_pass *pass) {
  for (size_t i = 0; i < QN_COUNT(wishes); i++)
    if (wishes[i].pass == pass) return wishes[i].part;
  return REORDERED;
}

/* Whether the pass approximates. Its error is then in proportion to the largest result, which a
 * tanh would hide. */
static bool changes_values(const qn_pass *pass) { return part_of(pass) > REORDERED; }

/* ---- graphs ---- */

/* The steps of a row, mostly consecutive: a value may also be returned or read by a relu
 * that is returned. */
static void build(qn_random_model *m, const graph_row *row) {
  static const int64_t sizes[] = {1, 2, 3, 4};
  qn_value *outputs[QN_RANDOM_MAX_ARGS];
  uint32_t count = 0;
  int64_t dims[4];
  for (int i = 0; i < 4; i++) dims[i] = i == 0 ? 1 : qn_random_pick(m, sizes, QN_COUNT(sizes));
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_float(&m->cx, QN_F32), 4, dims);
  qn_value *x = qn_random_input(m, type);
  for (uint32_t i = 0; i < MOST_STEPS && row->steps[i]; i++) {
    x = row->steps[i](m, x);
    if (count + 2 >= QN_RANDOM_MAX_ARGS || !qn_random_chance(m, 8)) continue;
    outputs[count++] = qn_random_chance(m, 2) ? x : step_relu(m, x);
  }
  outputs[count++] = changes_values(row->pass) ? x : step_tanh(m, x);
  qn_random_end(m, outputs, count);
}

/* Sevenths of at most 2: sums round, and their errors stay far below what is compared. */
static void tame_inputs(differ *d) {
  for (uint32_t i = 0; i < d->inputs.arg_count; i++) {
    float *data = (float *)(void *)d->inputs.args[i].data;
    for (int64_t k = 0; k < d->inputs.args[i].size / 4; k++)
      data[k] = (float)qn_random_between(&d->m, -14, 14) / 7;
  }
}

/* ---- comparison ---- */

static double real_of(const qn_rt_value *value, int64_t i) {
  bool whole = qn_type_element(value->type)->kind == QN_TYPE_INTEGER;
  return whole ? (double)qn_rt_int(value, i) : qn_rt_float(value, i);
}

/* Within what reordered sums may differ by, measured by the largest result. */
static bool near(const qn_random_run *a, const qn_random_run *b, double part) {
  for (uint32_t r = 0; r < a->result_count; r++) {
    int64_t count = qn_rt_count(&a->results[r]);
    double largest = 1;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(real_of(&a->results[r], i)));
    for (int64_t i = 0; i < count; i++) {
      double x = real_of(&a->results[r], i), y = real_of(&b->results[r], i);
      bool same = x == y || (isnan(x) && isnan(y));
      if (!same && !(fabs(x - y) <= part * largest)) return false;
    }
  }
  return true;
}

/* Passes are asked whether they claim what they change where somebody looks at it. */
static void look(void *user, const qn_pass_event *event, qn_status status, bool changed) {
  (void)user, (void)event, (void)status, (void)changed;
}

/* By its text, as a pass may be another pipeline's name. */
static qn_status run_text(qn_module *module, const graph_row *row) {
  qn_registry registry = {0};
  qn_pipeline *pipeline = NULL;
  qn_registry_add_table(&registry, qn_passes);
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.after = look;
  qn_status status = qn_pipeline_parse_text(module->cx, &registry, qn_str_of(text_of(row->pass)),
                                            qn_str_of("differ"), &pipeline);
  if (status == QN_OK) status = qn_pipeline_execute(module, pipeline, &settings);
  if (pipeline) qn_pipeline_destroy(pipeline);
  qn_registry_deinit(&registry);
  return status;
}

static bool run_pass(differ *d, const graph_row *row, qn_module *module) {
  return run_text(module, row) == QN_OK || differ_problem(d, module, "the pass fails");
}

static bool check_values(differ *d, const qn_pass *pass, const qn_module *after) {
  qn_random_run run;
  bool ok =
      differ_interpret(d, after, &run) == QN_OK &&
      (pass->numerics == QN_EXACT ? differ_same(d, &run) : near(&d->expected, &run, part_of(pass)));
  qn_arena_deinit(&d->expected.arena);
  d->expected = run; /* what machine code is compared with */
  return ok || differ_problem(d, after, "the pass changes results");
}

static bool check(differ *d, const graph_row *row, qn_module *after, uint64_t *changed) {
  if (!run_pass(d, row, after) || !check_values(d, row->pass, after)) return false;
  *changed += !qn_op_equal(d->m.module->op, after->op);
  qn_module *once = qn_module_clone(after);
  bool ok = run_pass(d, row, after);
  if (ok && !qn_op_equal(once->op, after->op))
    ok = differ_problem(d, after, "a second run changes something");
  qn_module_destroy(once);
  return ok && differ_check_stages(d, after);
}

static bool run_case(const graph_row *row, uint64_t seed, differ_counts *counts,
                     uint64_t *changed) {
  const differ_options options = {.jit_every = 10};
  const qn_pass *pass = row->pass;
  differ d = {.options = &options, .counts = counts};
  qn_random_begin(&d.m, seed, "litert-ref");
  build(&d.m, row);
  bool ok = qn_verify(d.m.module) == QN_OK || differ_problem(&d, NULL, "the graph is not valid");
  differ_make_inputs(&d);
  if (pass->numerics != QN_EXACT) tame_inputs(&d);
  if (differ_interpret(&d, d.m.module, &d.expected) != QN_OK)
    ok = differ_problem(&d, NULL, "the graph does not run");
  qn_module *after = qn_module_clone(d.m.module);
  ok = ok && check(&d, row, after, changed);
  qn_module_destroy(after);
  differ_end(&d);
  counts->cases++;
  return ok;
}

int main(int argc, char **argv) {
  uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  const char *only = argc > 2 ? argv[2] : NULL;
  int failures = cases == 0;
  for (size_t row = 0; row < QN_COUNT(rows); row++) {
    if (only && strcmp(only, rows[row].pass->name) != 0) continue;
    uint64_t changed = 0;
    differ_counts counts = {0};
    for (uint64_t i = 0; i < cases && failures < 5; i++) {
      if (run_case(&rows[row], 1 + i, &counts, &changed)) continue;
      fprintf(stderr, "%s, seed %llu\n", rows[row].pass->name, (unsigned long long)(1 + i));
      failures++;
    }
    printf("%s: %llu graphs, %llu changed, %llu by JIT, %llu unsupported\n", rows[row].pass->name,
           (unsigned long long)counts.cases, (unsigned long long)changed,
           (unsigned long long)counts.jits, (unsigned long long)counts.unsupported);
    if (changed * 4 >= cases) continue;
    fprintf(stderr, "%s: its pattern is hardly there\n", rows[row].pass->name);
    failures++;
  }
  return failures != 0;
}

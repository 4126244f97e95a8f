/* Micro-kernels of f32 and f64. Each accumulator starts with the bias and adds one product per
 * weight, in weight order (src/eval/ref/floats.c); f32 uses fused multiply-add. A panel is a row of
 * initial accumulators, then one row per weight, each NR wide.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/float_form/float_form.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/matrix/floats.h"
#include "lower/loops/matrix/gemm_runs.h"
#include "lower/loops/narrow/narrow.h"
#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;

static bool is_wide(const qn_gemm *g) { return g->micro->sum_bytes == sizeof(double); }

enum { MOST_DEPTH = 8 /* of merged groups: registers for their weights */ };

/* Input channels of a group, if groups are merged. */
static int64_t group_depth(const qn_gemm *g) { return g->merged ? g->group_stride / g->merged : 0; }

/* ---- the plan ---- */

/* Registers for temporaries: an f64 product is a separate instruction from its addition; without
 * f32 multiply-add, it is emulated by many. */
static int64_t most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  enum { FACTORS = 2 };
  if (!target->fma && !is_wide(g)) return 2;
  int64_t most = qn_gemm_rows_in_registers(target, vectors, is_wide(g));
  int64_t left = (int64_t)target->vector_registers - group_depth(g) - FACTORS;
  return g->merged && most > left ? left : most;
}

static double product_cycles(const qn_gemm *g) { return is_wide(g) ? 1 : 0.5; }

/* Loads of a step overlap with the arithmetic of another: the maximum of both counts. */
static double step_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  enum { LATENCY = 4, NO_WEIGHTS = 0 };
  double cycles =
      qn_gemm_step_cycles(target, rows, vectors, product_cycles(g), LATENCY, NO_WEIGHTS);
  double bytes = (double)vectors * target->vector_bytes;
  double weights = qn_gemm_weight_cycles(target, bytes, bytes * (double)g->tap_count);
  return cycles > weights ? cycles : weights;
}

static double finish_cycles(const qn_target *target, uint32_t vectors) {
  (void)target;
  return 2.0 * vectors;
}

static void push_number(qn_gemm_plan *plan, double value) {
  uint8_t bytes[sizeof value];
  float narrow = (float)value;
  uint32_t size = plan->gemm->micro->sum_bytes;
  memcpy(bytes, is_wide(plan->gemm) ? (const void *)&value : &narrow, size);
  for (uint32_t i = 0; i < size; i++) qn_array_push(&plan->weights, bytes[i]);
}

/* Packs the constants of a tile; padding lanes get 0. */
static void pack_constants(qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  const qn_gemm_source *s = &plan->gemm->source;
  const qn_attr *weights = qn_value_constant(s->weights);
  const qn_attr *bias = s->bias ? qn_value_constant(s->bias) : NULL;
  int64_t width = qn_gemm_tile_width(plan, tile);
  qn_array_reserve(&plan->weights,
                   plan->weights.count + (size_t)(width * (1 + plan->gemm->tap_count)) *
                                             plan->gemm->micro->sum_bytes);
  for (int64_t c = 0; c < width; c++) {
    bool biased = bias && c < tile->valid;
    push_number(plan, biased ? qn_dense_float(bias, tile->first + c) : 0);
  }
  for (int64_t t = 0; t < plan->gemm->tap_count; t++)
    for (int64_t c = 0; c < width; c++) {
      int64_t at =
          tile->fields[qn_gemm_source_field(plan->gemm)] + c * s->channel_step + t * s->tap_step;
      push_number(plan, c < tile->valid ? qn_dense_float(weights, at) : 0);
    }
}

static qn_status pack(qn_loops *lo, qn_gemm_plan *plan) {
  qn_gemm_find_runs(lo, plan);
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)plan->panel_elements;
    plan->panel_elements += qn_gemm_tile_width(plan, tile) * (1 + plan->gemm->tap_count);
    QN_TRY(qn_gemm_check_size(lo, plan, plan->panel_elements * plan->gemm->micro->sum_bytes));
    if (!plan->gemm->packs) pack_constants(plan, tile);
  }
  return QN_OK;
}

static const qn_type *panel(const qn_gemm *gemm, qn_ir_context *cx) {
  return qn_type_float(cx, is_wide(gemm) ? QN_F64 : QN_F32);
}

/* ---- packing at run time ---- */

static const qn_type *element(const emitter *e) { return panel(e->plan->gemm, e->b->cx); }

static qn_value *load_one(emitter *e, qn_value *memref, qn_value *index) {
  return qn_build_1(e->b, QN_OP_MEMREF_LOAD, element(e), QN_VALUES(memref, index), NULL);
}

static int64_t valid_lanes(const emitter *e, uint32_t vector) {
  int64_t left = e->shape->valid - vector * e->plan->lanes;
  return left < e->plan->lanes ? left : e->plan->lanes;
}

/* Lanes of vector `vector` in registers. A last vector of 512 bits at most half full has 256: it
 * takes half the time where the CPU executes 512 bits in parts (Zen 4, groups of registers of
 * RISC-V), and as long elsewhere. */
static int64_t register_lanes(const emitter *e, uint32_t vector) {
  enum { WIDE = 64 };
  int64_t lanes = e->plan->lanes;
  bool half = e->target->vector_bytes == WIDE && 2 * valid_lanes(e, vector) <= lanes;
  return half ? lanes / 2 : lanes;
}

/* Loads vector `vector` of the tile; lanes after the last channel are 0. */
static qn_value *load_lanes(emitter *e, qn_value *memref, qn_value *index, uint32_t vector) {
  int64_t lanes = e->plan->lanes, valid = valid_lanes(e, vector), mask[QN_VEC_MAX_BYTES];
  qn_value *v = qn_vec_load(e->b, memref, index, vector * lanes, valid);
  if (valid == lanes) return v;
  for (int64_t i = 0; i < lanes; i++) mask[i] = i < valid ? i : valid;
  qn_value *zeros = qn_build_float(e->b, 0, v->type);
  return qn_vec_shuffle(e->b, v, zeros, mask, lanes);
}

static void copy_row(emitter *e, qn_value *from, qn_value *index, qn_value *to) {
  for (uint32_t v = 0; v < e->shape->vectors; v++)
    qn_vec_store(e->b, load_lanes(e, from, index, v), e->weights, to, v * e->plan->lanes);
}

static void start_row(emitter *e) {
  qn_value *to = e->fields[QN_TILE_WEIGHTS];
  if (e->bias) {
    copy_row(e, e->bias, e->fields[QN_TILE_CHANNEL], to);
    return;
  }
  const qn_type *type = qn_type_vec(e->b->cx, element(e), e->plan->lanes);
  for (uint32_t v = 0; v < e->shape->vectors; v++)
    qn_vec_store(e->b, qn_build_float(e->b, 0, type), e->weights, to, v * e->plan->lanes);
}

/* Packs weights whose channels are contiguous: copies rows. */
static void copy_rows(emitter *e) {
  const qn_gemm *g = e->plan->gemm;
  int64_t width = qn_gemm_tile_width(e->plan, e->shape);
  qn_value *t = qn_nest_count(e->b, g->tap_count, 1);
  qn_value *from = qn_index_affine(e->b, t, g->source.tap_step, 0);
  from = qn_gemm_add(e, e->fields[qn_gemm_source_field(e->plan->gemm)], from);
  qn_value *to = qn_index_affine(e->b, t, width, width);
  copy_row(e, e->source, from, qn_gemm_add(e, e->fields[QN_TILE_WEIGHTS], to));
  qn_nest_end(e->b);
}

/* Packs weights whose taps are contiguous: transposes, channel by channel. Padding lanes repeat the
 * last channel. */
static void transpose_rows(emitter *e) {
  const qn_gemm *g = e->plan->gemm;
  int64_t width = qn_gemm_tile_width(e->plan, e->shape);
  qn_value *c = qn_nest_count(e->b, width, 1), *channel = c;
  if (e->shape->valid < width) channel = qn_nest_min(e->b, c, e->shape->valid - 1);
  qn_value *from = qn_index_affine(e->b, channel, g->source.channel_step, 0);
  from = qn_gemm_add(e, e->fields[qn_gemm_source_field(e->plan->gemm)], from);
  qn_value *to = qn_gemm_add(e, e->fields[QN_TILE_WEIGHTS], qn_index_add(e->b, c, width));
  qn_value *t = qn_nest_count(e->b, g->tap_count, 1);
  from = qn_gemm_add(e, from, qn_index_affine(e->b, t, g->source.tap_step, 0));
  to = qn_gemm_add(e, to, qn_index_affine(e->b, t, width, 0));
  qn_value *weight = load_one(e, e->source, from);
  qn_build_0(e->b, QN_OP_MEMREF_STORE, QN_VALUES(weight, e->weights, to), NULL);
  qn_nest_end(e->b);
  qn_nest_end(e->b);
}

static void pack_tile(emitter *e) {
  start_row(e);
  if (e->plan->gemm->source.channel_step == 1)
    copy_rows(e);
  else
    transpose_rows(e);
}

/* ---- the kernel ---- */

static void start(emitter *e, qn_gemm_accumulators *sums) {
  for (uint32_t v = 0; v < sums->vectors; v++) {
    qn_value *first = qn_vec_load(e->b, e->weights, e->fields[QN_TILE_WEIGHTS], v * e->plan->lanes,
                                  register_lanes(e, v));
    for (int64_t m = 0; m < sums->rows; m++) sums->at[m * sums->vectors + v] = first;
  }
}

/* One K step: the row of weights at w times x of each pixel. */
static void step(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w) {
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS];
  qn_gemm_prefetch_emit(e);
  for (uint32_t v = 0; v < sums->vectors; v++)
    weights[v] = qn_vec_load(e->b, e->weights, w, v * e->plan->lanes, register_lanes(e, v));
  for (int64_t m = 0; m < sums->rows; m++) {
    qn_value *one = load_one(e, e->x, qn_index_add(e->b, x, m * e->plan->pixel_stride));
    qn_value *all = qn_vec_broadcast(e->b, one, e->plan->lanes);
    for (uint32_t v = 0; v < sums->vectors; v++) {
      qn_value **sum = &sums->at[m * sums->vectors + v];
      qn_value *factor = qn_vec_slice(e->b, all, 0, register_lanes(e, v));
      *sum = qn_float_add_product(e->b, factor, weights[v], *sum);
    }
  }
}

/* A run of merged groups: the channels of all groups at one tap are a vector of x. Lanes multiply
 * the first channel of their group, then the second, and so on. */
static void run_of_groups(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w) {
  const int64_t lanes = e->plan->lanes, depth = group_depth(e->plan->gemm);
  qn_value *weights[MOST_DEPTH];
  QN_ASSERT(depth <= MOST_DEPTH && sums->vectors == 1 && qn_gemm_runs_of(e->plan)->length == depth);
  for (int64_t c = 0; c < depth; c++)
    weights[c] = qn_vec_load(e->b, e->weights, w, c * lanes, lanes);
  for (int64_t m = 0; m < sums->rows; m++) {
    qn_value *all = qn_vec_load(e->b, e->x, x, m * e->plan->pixel_stride, lanes);
    for (int64_t c = 0; c < depth; c++) {
      int64_t mask[QN_VEC_MAX_BYTES];
      for (int64_t l = 0; l < lanes; l++) mask[l] = l / depth * depth + c;
      qn_value *factor = qn_vec_shuffle(e->b, all, all, mask, lanes);
      sums->at[m] = qn_float_add_product(e->b, factor, weights[c], sums->at[m]);
    }
  }
}

static void one_run(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w) {
  int64_t width = qn_gemm_tile_width(e->plan, e->shape);
  const qn_gemm_steps steps = {qn_gemm_runs_of(e->plan)->length, qn_gemm_runs_of(e->plan)->step,
                               width};
  qn_gemm_repeat(e, sums, steps, x, w, step);
}

static void multiply(emitter *e, qn_gemm_accumulators *sums, qn_value *x) {
  int64_t width = qn_gemm_tile_width(e->plan, e->shape);
  qn_value *w = qn_index_add(e->b, e->fields[QN_TILE_WEIGHTS], width);
  const qn_gemm *g = e->plan->gemm;
  if (g->merged) {
    qn_gemm_each_run(e, sums, x, w, group_depth(g) * width, run_of_groups);
    return;
  }
  if (!qn_gemm_is_memory_bound(g, product_cycles(g)))
    qn_gemm_prefetch_setup(e, sums, width * (1 + g->tap_count), g->tap_count);
  qn_gemm_each_run(e, sums, x, w, qn_gemm_runs_of(e->plan)->length * width, one_run);
}

static void finish(emitter *e, qn_gemm_accumulators *sums, qn_gemm_cursor at) {
  const qn_gemm_plan *plan = e->plan;
  for (int64_t m = 0; m < sums->rows; m++) {
    qn_value *y[QN_EPILOGUE_MAX_VECTORS];
    for (uint32_t v = 0; v < sums->vectors; v++)
      y[v] = qn_float_activate(e->b, sums->at[m * sums->vectors + v], plan->gemm->op);
    qn_fusion_emit_floats(e->k, plan->gemm->op, y, sums->vectors);
    for (uint32_t v = 0; v < sums->vectors; v++) {
      y[v] = qn_vec_slice(e->b, y[v], 0, valid_lanes(e, v));
      qn_vec_store(e->b, y[v], e->y, at.y, m * plan->pixel_y + v * plan->lanes);
    }
  }
}

#define MICRO(type)                                                                                \
  {                                                                                                \
    .name = "vectors of " #type "s", .sum_bytes = sizeof(type), .chunks = true, .step_taps = 1,    \
    .most_rows = most_rows, .step_cycles = step_cycles, .finish_cycles = finish_cycles,            \
    .pack = pack, .panel = panel, .pack_tile = pack_tile, .start = start, .multiply = multiply,    \
    .finish = finish,                                                                              \
  }
const qn_gemm_micro qn_gemm_floats = MICRO(float);
const qn_gemm_micro qn_gemm_doubles = MICRO(double);
#undef MICRO

static bool is_double(const qn_op *op) {
  return qn_type_is_float(qn_type_element(op->results[0].type), QN_F64);
}

void qn_floats_merge_groups(qn_gemm *g, const qn_target *target) {
  const int64_t depth = g->group_stride;
  bool fits = depth > 1 && depth <= MOST_DEPTH && depth == g->channels / g->groups && g->groups > 1;
  /* Where products take single elements, a vector's lanes move by a gather (RISC-V). */
  if (fits && !is_wide(g) && !target->dot->single && !qn_dot_is_scalar(target->dot))
    qn_gemm_merge_groups(g, target->vector_bytes / (int64_t)sizeof(float));
}

bool qn_floats_gives(const qn_op *op) {
  bool f32 = qn_type_is_float(qn_type_element(op->results[0].type), QN_F32);
  return f32 && qn_is_float_form(op) && !qn_narrow_takes(op);
}

qn_gemm qn_floats_gemm(qn_op *op, const char *stem, int64_t channels, int64_t taps) {
  const qn_value *weights = qn_op_operand(op, 1);
  const qn_value *bias = op->operand_count > 2 ? qn_op_operand(op, 2) : NULL;
  return (qn_gemm){
      .op = op,
      .stem = stem,
      .micro = is_double(op) ? &qn_gemm_doubles : &qn_gemm_floats,
      .channels = channels,
      .tap_count = taps,
      .packs = !qn_value_constant(weights) || (bias && !qn_value_constant(bias)),
      .source = {.weights = weights, .bias = bias},
      .groups = 1,
  };
}

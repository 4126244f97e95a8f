/* Micro-kernel of int16 activations: pair products accumulated in 32 bits (pmaddwd). If 32 bits may
 * not hold the accumulator of a channel, runs of products that do fit in 32 bits are accumulated in
 * 64 bits. A packed panel has one row of weights per pair, NR wide. The requantization constants
 * are parameters of the tile.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/int16/dot16.h"
#include "lower/loops/int16/int16.h"
#include "lower/loops/matrix/gemm_runs.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/products.h"

typedef qn_gemm_emitter emitter;

static const qn_int16_product *product_of(const qn_gemm *g) { return g->own; }

/* Number of products of arbitrary x and the largest weight whose sum fits in 32 bits. */
static int64_t safe_products(const qn_int16_product *w) { return INT32_MAX / (w->largest << 15); }

/* ---- the plan ---- */

/* Whether the instruction that multiplies a pair also accumulates: if the byte dot product does. */
static bool adds(const qn_target *target) { return qn_dot_is_exact(target->dot); }

/* Maximum MR. A 64-bit accumulator takes three vectors: two of its own, one for the current run. */
static int64_t most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  int64_t rows = qn_gemm_rows_in_registers(target, vectors, !adds(target));
  if (product_of(g)->wide) rows /= 3;
  return rows < 1 ? 1 : rows;
}

static double step_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  enum { LATENCY = 5 };
  int64_t steps = (g->tap_count + 1) / 2;
  return qn_gemm_step_cycles(target, rows, vectors, adds(target) ? 0.5 : 1, LATENCY, steps);
}

static double finish_cycles(const qn_target *target, uint32_t vectors) {
  (void)target;
  return 8.0 * vectors;
}

/* ---- constants ---- */

/* The K steps of a run: pairs of neighbours, or single taps if there are no pairs or 32 bits cannot
 * hold one. An odd remainder is a pair with the previous tap, whose weight is then 0. */
typedef struct run_steps {
  int64_t step, whole; /* taps per step; whole steps */
  bool has_rest;
} run_steps;

static run_steps steps_of(const qn_gemm_plan *plan) {
  int64_t length = qn_gemm_runs_of(plan)->length;
  bool fits = !product_of(plan->gemm)->wide || safe_products(product_of(plan->gemm)) > 1;
  if (qn_gemm_runs_of(plan)->step != 1 || length == 1 || !fits)
    return (run_steps){1, length, false};
  return (run_steps){2, length / 2, length % 2 != 0};
}

static int64_t run_elements(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  run_steps steps = steps_of(plan);
  return (steps.whole + steps.has_rest) * 2 * qn_gemm_tile_width(plan, tile);
}

static int64_t weight(const qn_gemm_plan *plan, const qn_gemm_tile *tile, int64_t lane,
                      int64_t tap) {
  if (lane >= tile->valid) return 0;
  return qn_int16_weight(product_of(plan->gemm), tile->first + lane, tap);
}

static void push_pair(qn_gemm_plan *plan, const qn_gemm_tile *tile, int64_t first, int64_t second) {
  for (int64_t c = 0; c < qn_gemm_tile_width(plan, tile); c++) {
    const int16_t pair[] = {first < 0 ? 0 : (int16_t)weight(plan, tile, c, first),
                            second < 0 ? 0 : (int16_t)weight(plan, tile, c, second)};
    const uint8_t *bytes = (const uint8_t *)pair;
    for (size_t i = 0; i < sizeof pair; i++) qn_array_push(&plan->weights, bytes[i]);
  }
}

static void pack_weights(qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  run_steps steps = steps_of(plan);
  for (int64_t t = 0; t < plan->gemm->tap_count; t += qn_gemm_runs_of(plan)->length) {
    for (int64_t s = 0; s < steps.whole; s++) {
      int64_t first = t + s * steps.step;
      push_pair(plan, tile, first, steps.step == 2 ? first + 1 : -1);
    }
    if (steps.has_rest) push_pair(plan, tile, -1, t + qn_gemm_runs_of(plan)->length - 1);
  }
}

static uint32_t elements_of(const qn_type *type) { return qn_type_bytes(type) / 4; }

/* Packs the parameters of a tile, one after the other, all lanes of each. Padding lanes repeat the
 * first channel. */
static void pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  const qn_int16_product *product = product_of(plan->gemm);
  for (uint32_t p = 0; p < QN_INT16_PARAMETERS; p++) {
    const qn_type *type = qn_int16_parameter_type(product, p);
    for (int64_t c = 0; type && c < qn_gemm_tile_width(plan, tile); c++) {
      int64_t channel = tile->first + (c < tile->valid ? c : 0);
      int64_t value = qn_int16_parameter(product, p, channel);
      qn_array_push(&plan->params, (int32_t)(uint32_t)(uint64_t)value);
      if (elements_of(type) == 2) qn_array_push(&plan->params, (int32_t)(value >> 32));
    }
  }
}

static qn_status pack(qn_loops *lo, qn_gemm_plan *plan) {
  qn_gemm_find_runs(lo, plan);
  int64_t runs = plan->gemm->tap_count / qn_gemm_runs_of(plan)->length;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)plan->panel_elements;
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    plan->panel_elements += runs * run_elements(plan, tile);
    QN_TRY(qn_gemm_check_size(lo, plan, plan->panel_elements * (int64_t)sizeof(int16_t)));
    pack_weights(plan, tile);
    pack_params(plan, tile);
  }
  qn_gemm_store_compactly(lo, plan);
  return QN_OK;
}

static const qn_type *panel(const qn_gemm *gemm, qn_ir_context *cx) {
  (void)gemm;
  return qn_type_i(cx, 16);
}

/* ---- products ---- */

static void add_products(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w,
                         bool single) {
  int64_t lanes = e->plan->lanes;
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < sums->vectors; v++)
    weights[v] = qn_gemm_load_weights(e, w, v * 2 * lanes, 2 * lanes);
  for (int64_t m = 0; m < sums->rows; m++) {
    qn_value *from = qn_index_add(e->b, x, m * e->plan->pixel_stride);
    qn_value *pair = qn_vec_broadcast(e->b, qn_dot16_pair(e->b, e->x, from, single), lanes);
    pair = qn_vec_bitcast(e->b, pair, e->i16);
    for (uint32_t v = 0; v < sums->vectors; v++) {
      qn_value **sum = &sums->at[m * sums->vectors + v];
      *sum = qn_products_of_pairs(e->b, *sum, pair, weights[v]);
    }
  }
}

static void pair_step(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w) {
  add_products(e, sums, x, w, false);
}

static void single_step(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w) {
  add_products(e, sums, x, w, true);
}

/* Emits steps whose products fit in 32 bits: directly on 32-bit accumulators, or in a run that is
 * added to 64-bit ones. */
static void add_steps(emitter *e, qn_gemm_accumulators *sums, qn_gemm_steps steps, qn_value *x,
                      qn_value *w, qn_gemm_step_fn *step) {
  if (!product_of(e->plan->gemm)->wide) {
    qn_gemm_repeat(e, sums, steps, x, w, step);
    return;
  }
  uint32_t n = (uint32_t)sums->rows * sums->vectors;
  qn_gemm_accumulators part = {.rows = sums->rows, .vectors = sums->vectors};
  for (uint32_t i = 0; i < n; i++) part.at[i] = qn_vec_splat(e->b, 0, e->i32, e->plan->lanes);
  qn_gemm_repeat(e, &part, steps, x, w, step);
  const qn_type *i64 = qn_type_i(e->b->cx, 64);
  for (uint32_t i = 0; i < n; i++)
    sums->at[i] =
        qn_gemm_add(e, sums->at[i], qn_vec_cast(e->b, QN_OP_ARITH_EXTSI, part.at[i], i64));
}

static qn_gemm_steps in_run(const emitter *e, int64_t count) {
  run_steps steps = steps_of(e->plan);
  int64_t stride = steps.step == 2 ? 2 : qn_gemm_runs_of(e->plan)->step;
  return (qn_gemm_steps){count, stride, 2 * qn_gemm_tile_width(e->plan, e->shape)};
}

/* Maximum steps of a run that fit in 32 bits. */
static int64_t safe_steps(const emitter *e) {
  return safe_products(product_of(e->plan->gemm)) / steps_of(e->plan).step;
}

static void chunk(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w) {
  bool pairs = steps_of(e->plan).step == 2;
  add_steps(e, sums, in_run(e, safe_steps(e)), x, w, pairs ? pair_step : single_step);
}

static void one_run(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w) {
  run_steps steps = steps_of(e->plan);
  qn_gemm_steps all = in_run(e, steps.whole);
  int64_t safe = safe_steps(e), chunks = product_of(e->plan->gemm)->wide ? all.count / safe : 0;
  const qn_gemm_steps whole = {chunks, safe * all.x_stride, safe * all.w_stride};
  if (chunks > 0) {
    qn_gemm_repeat(e, sums, whole, x, w, chunk);
    all.count -= chunks * safe;
  }
  qn_value *from = qn_index_add(e->b, x, chunks * whole.x_stride);
  qn_value *panel = qn_index_add(e->b, w, chunks * whole.w_stride);
  if (all.count > 0)
    add_steps(e, sums, all, from, panel, steps.step == 2 ? pair_step : single_step);
  if (!steps.has_rest) return;
  panel = qn_index_add(e->b, w, steps.whole * all.w_stride);
  from = qn_index_add(e->b, x, qn_gemm_runs_of(e->plan)->length - 2);
  add_steps(e, sums, (qn_gemm_steps){1, 0, 0}, from, panel, pair_step);
}

static void multiply(emitter *e, qn_gemm_accumulators *sums, qn_value *x) {
  qn_value *w = e->fields[QN_TILE_WEIGHTS];
  qn_gemm_each_run(e, sums, x, w, run_elements(e->plan, e->shape), one_run);
}

/* ---- parameters, results ---- */

/* Loads the parameters of a vector's lanes; NULL for those that the op does not have. */
static void load_params(emitter *e, uint32_t vector, qn_value *out[QN_INT16_PARAMETERS]) {
  int64_t lanes = e->plan->lanes, width = qn_gemm_tile_width(e->plan, e->shape), at = 0;
  for (uint32_t p = 0; p < QN_INT16_PARAMETERS; p++) {
    const qn_type *type = qn_int16_parameter_type(product_of(e->plan->gemm), p);
    out[p] = NULL;
    if (!type) continue;
    int64_t elements = elements_of(type);
    out[p] = qn_vec_load(e->b, e->params, e->fields[QN_TILE_PARAMS], at + vector * lanes * elements,
                         lanes * elements);
    if (type != e->i32) out[p] = qn_vec_bitcast(e->b, out[p], type);
    at += width * elements;
  }
}

static void start(emitter *e, qn_gemm_accumulators *sums) {
  for (uint32_t v = 0; v < sums->vectors; v++) {
    qn_value *params[QN_INT16_PARAMETERS];
    load_params(e, v, params);
    for (int64_t m = 0; m < sums->rows; m++)
      sums->at[m * sums->vectors + v] = params[QN_INT16_START];
  }
}

static void finish(emitter *e, qn_gemm_accumulators *sums, qn_gemm_cursor at) {
  const qn_gemm_plan *plan = e->plan;
  for (uint32_t v = 0; v < sums->vectors; v++) {
    int64_t left = e->shape->valid - v * plan->lanes;
    qn_value *params[QN_INT16_PARAMETERS];
    load_params(e, v, params);
    for (int64_t m = 0; m < sums->rows; m++) {
      qn_value *sum = sums->at[m * sums->vectors + v];
      qn_value *y = qn_int16_finish(e->b, product_of(plan->gemm), sum, params);
      y = qn_vec_slice(e->b, y, 0, left < plan->lanes ? left : plan->lanes);
      qn_stored_store(e->b, y, e->y, at.y, m * plan->pixel_y + v * plan->lanes);
    }
  }
}

static const qn_gemm_micro micro = {
    .name = "vectors of 16 bits",
    .sum_bytes = sizeof(int32_t),
    .step_taps = 2,
    .most_rows = most_rows,
    .step_cycles = step_cycles,
    .finish_cycles = finish_cycles,
    .pack = pack,
    .panel = panel,
    .start = start,
    .multiply = multiply,
    .finish = finish,
};

qn_gemm qn_int16_gemm(qn_loops *lo, qn_op *op, const char *stem) {
  qn_int16_product *product = QN_NEW(lo->scratch, qn_int16_product);
  *product = qn_int16_of(lo->cx, op);
  return (qn_gemm){.op = op,
                   .stem = stem,
                   .micro = &micro,
                   .channels = product->channels,
                   .tap_count = product->taps,
                   .own = product,
                   .groups = 1};
}

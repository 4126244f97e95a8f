/* K loops over runs of weights, and over the steps of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_runs.h"

#include "ir/ops/infer/cost.h"
#include "lower/loops/nest.h"

enum { MAX_UNROLLED = 4 /* maximum steps without a loop */, LINE = 64 /* bytes of a cache line */ };

typedef qn_gemm_emitter emitter;

void qn_gemm_find_runs(qn_loops *lo, qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  const int64_t *taps = g->taps;
  int64_t count = g->tap_count, length = 1;
  qn_gemm_runs *runs = QN_NEW(lo->scratch, qn_gemm_runs);
  plan->own = runs;
  runs->step = count > 1 ? taps[1] - taps[0] : 1;
  while (length < count && taps[length] - taps[length - 1] == runs->step) length++;
  bool even = count % length == 0;
  for (int64_t t = 0; t < count && even; t++)
    even = taps[t] == taps[t / length * length] + t % length * runs->step;
  runs->length = even ? length : 1;
  if (runs->length == count) return;
  for (int64_t t = 0; t < count; t += runs->length) qn_array_push(&plan->offsets, (int32_t)taps[t]);
}

/* ---- software prefetch ---- */

static void add_prefetch(emitter *e, qn_value *memref, qn_value *index, int64_t elements,
                         int64_t steps) {
  int64_t step = (elements + steps - 1) / steps;
  e->prefetches[e->prefetch_count++] = (qn_gemm_prefetch){memref, index, step};
}

static int64_t tiles_of_row(const emitter *e) {
  return (e->plan->pixels + e->segment->rows - 1) / e->segment->rows;
}

int64_t qn_gemm_pixel_tiles(const emitter *e) {
  return e->plan->row_count[0] * e->plan->row_count[1] * tiles_of_row(e);
}

qn_value *qn_gemm_pixel_tile(emitter *e) {
  qn_value *row = qn_index_affine(e->b, e->row, tiles_of_row(e), e->tiles_before);
  return qn_gemm_add(e, row, e->tile);
}

/* Prefetches the next panel, the same number of elements in every K step of all tiles. */
static void prefetch_panel(emitter *e, qn_value *tile, int64_t panel, int64_t steps) {
  int64_t all = qn_gemm_pixel_tiles(e) * steps, of_tile = (panel + all - 1) / all * steps;
  qn_value *from = qn_index_affine(e->b, tile, of_tile, panel);
  add_prefetch(e, e->weights, qn_gemm_add(e, e->fields[QN_TILE_WEIGHTS], from), of_tile, steps);
}

/* Whether prefetching the next panel pays. False if all panels fit in L1d. Also false if there are
 * so many M tiles that the wait for one panel does not count and prefetches would run far beyond
 * the next panel. */
static bool waits_for_panels(const emitter *e, int64_t panel, int64_t steps) {
  const qn_gemm_plan *plan = e->plan;
  int64_t bytes = plan->panel_elements * plan->gemm->micro->sum_bytes;
  return bytes > e->target->l1_bytes && qn_gemm_pixel_tiles(e) * steps <= 2 * panel;
}

/* Prefetches x and y of the tile that is TILES tiles ahead. y is prefetched with all channels, so
 * there must be few N tiles. The part of x is prefetched that no tile has read before: the last
 * row of the kernel window. Long pixels are left to the hardware's prefetchers, which follow them.
 */
static void prefetch_pixels(emitter *e, int64_t rows, int64_t steps) {
  enum { TILES = 4, MOST_PANELS = 2, LONG = 1024 };
  const qn_gemm_plan *plan = e->plan;
  int64_t x = rows * plan->pixel_stride, y = rows * plan->pixel_y;
  int64_t run = qn_gemm_runs_of(plan)->length, taps = plan->gemm->tap_count;
  bool is_short = plan->pixel_stride * plan->gemm->micro->sum_bytes < LONG;
  if (!qn_gemm_exceeds_l2(e)) return;
  if (plan->gemm->producer) {
    int64_t elements;
    qn_value *from = qn_fused_rows_prefetch_source(e, tiles_of_row(e), &elements);
    add_prefetch(e, e->producer[0], from, elements, steps);
  } else if (qn_gemm_runs_of(plan)->step == 1 && run >= plan->pixel_stride &&
             (run == taps || is_short)) {
    int64_t last = plan->gemm->taps[taps - run];
    add_prefetch(e, e->x, qn_index_add(e->b, e->at.x, TILES * x + last), x, steps);
  }
  if (e->chunk > 0 || plan->tile_count <= MOST_PANELS)
    add_prefetch(e, e->y, qn_index_add(e->b, e->at.y, TILES * y), y, steps);
}

/* Bytes of the weights that the next layer reads from beyond L2, each for one or two products. It
 * is bound by that; 0: it is not, or its weights fit in L2. */
static int64_t next_weights(const emitter *e) {
  enum { FEW_PRODUCTS = 2, OTHERS = 64 << 10 /* of biases, tables and small layers between */ };
  enum { AHEAD = 32 /* ops; without a limit, many small layers would take quadratic time */ };
  const qn_op *op = e->plan->gemm->op->next;
  for (int ahead = 0; op && ahead < AHEAD; op = op->next, ahead++) {
    const qn_type *most = NULL;
    for (uint32_t i = 0; i < op->operand_count; i++) {
      const qn_value *v = qn_op_operand(op, i);
      bool weights = qn_value_constant(v) && qn_type_size(v->type) > OTHERS;
      if (weights && (!most || qn_type_size(v->type) > qn_type_size(most))) most = v->type;
    }
    if (!most) continue;
    bool is_bound = qn_op_cost(op).macs <= FEW_PRODUCTS * qn_type_elements(most);
    return is_bound && qn_type_size(most) > e->target->l2_bytes ? qn_type_size(most) : 0;
  }
  return 0;
}

/* Prefetches the next layer's weights, which follow this one's in memory, as constants are in order
 * of their first use; no more than the products have time for. */
static void prefetch_next_layer(emitter *e, int64_t steps) {
  enum { MOST_LINES = 2 /* per K step */ };
  const qn_gemm_plan *plan = e->plan;
  int64_t tiles = qn_gemm_pixel_tiles(e), all = tiles * plan->tile_count * steps;
  int64_t size = plan->gemm->micro->sum_bytes, elements = next_weights(e) / size;
  bool waits = tiles == 1; /* for its own weights */
  if (elements == 0 || plan->gemm->packs || waits) return;
  int64_t each = (elements + all - 1) / all;
  if (each > MOST_LINES * LINE / size) each = MOST_LINES * LINE / size;
  qn_value *tile = qn_gemm_pixel_tile(e);
  tile = qn_gemm_add(e, qn_index_affine(e->b, e->panel, tiles, 0), tile);
  qn_value *from = qn_index_affine(e->b, tile, each * steps, plan->panel_elements);
  add_prefetch(e, e->weights, from, each * steps, steps);
}

void qn_gemm_prefetch_setup(emitter *e, const qn_gemm_accumulators *sums, int64_t panel_elements,
                            int64_t steps) {
  e->prefetch_count = 0;
  if (e->target->l2_bytes_per_cycle == 0) return;
  if (waits_for_panels(e, panel_elements, steps))
    prefetch_panel(e, qn_gemm_pixel_tile(e), panel_elements, steps);
  prefetch_pixels(e, sums->rows, steps);
  prefetch_next_layer(e, steps);
}

void qn_gemm_prefetch_emit(emitter *e) {
  QN_ASSERT(e->prefetch_count <= QN_GEMM_PREFETCHES);
  for (uint32_t i = 0; i < e->prefetch_count; i++) {
    qn_gemm_prefetch *prefetch = &e->prefetches[i];
    int64_t elements = LINE / qn_type_bytes(qn_type_element(prefetch->memref->type));
    for (int64_t at = 0; at < prefetch->step; at += elements) {
      qn_value *index = qn_index_add(e->b, prefetch->index, at);
      qn_build_0(e->b, QN_OP_QUERN_PREFETCH, QN_VALUES(prefetch->memref, index), NULL);
    }
  }
}

void qn_gemm_prefetch_bytes_setup(emitter *e, qn_value *tile, int64_t panel, int64_t steps,
                                  int64_t least) {
  e->prefetch_count = 0;
  bool is_enough = panel > (least - 1) * qn_gemm_pixel_tiles(e) * steps;
  if (e->plan->prefetch_distance > 0 && is_enough) prefetch_panel(e, tile, panel, steps);
}

void qn_gemm_prefetch_bytes(emitter *e, qn_value *i) {
  if (e->prefetch_count == 0) return;
  qn_value *from = e->prefetches[0].index;
  e->prefetches[0].index = qn_gemm_add(e, from, qn_index_affine(e->b, i, e->prefetches[0].step, 0));
  qn_gemm_prefetch_emit(e);
  e->prefetches[0].index = from;
}

/* Advances all prefetches by i * steps; `out_from` gets the values for restore_prefetches. */
static void advance_prefetches(emitter *e, qn_value *i, int64_t steps, qn_value **out_from) {
  for (uint32_t k = 0; k < e->prefetch_count; k++) {
    qn_gemm_prefetch *prefetch = &e->prefetches[k];
    out_from[k] = prefetch->index;
    qn_value *by = qn_index_affine(e->b, i, steps * prefetch->step, 0);
    prefetch->index = qn_gemm_add(e, prefetch->index, by);
  }
}
static void restore_prefetches(emitter *e, qn_value *const *from) {
  for (uint32_t k = 0; k < e->prefetch_count; k++) e->prefetches[k].index = from[k];
}

/* ---- loops ---- */

static qn_carry open_loop(emitter *e, qn_gemm_accumulators *sums, int64_t count) {
  return qn_carry_begin(e->b, 0, count, 1, sums->at, (uint32_t)sums->rows * sums->vectors);
}

void qn_gemm_repeat(emitter *e, qn_gemm_accumulators *sums, qn_gemm_steps steps, qn_value *x,
                    qn_value *w, qn_gemm_step_fn *step) {
  qn_value *start[QN_GEMM_PREFETCHES];
  if (steps.count <= MAX_UNROLLED) {
    for (int64_t s = 0; s < steps.count; s++) {
      qn_value *from = qn_index_add(e->b, x, s * steps.x_stride);
      advance_prefetches(e, e->prefetch_count > 0 ? qn_build_index(e->b, s) : NULL, 1, start);
      step(e, sums, from, qn_index_add(e->b, w, s * steps.w_stride));
      restore_prefetches(e, start);
    }
    return;
  }
  qn_carry loop = open_loop(e, sums, steps.count);
  advance_prefetches(e, loop.index, 1, start);
  qn_value *from = qn_gemm_add(e, x, qn_index_affine(e->b, loop.index, steps.x_stride, 0));
  step(e, sums, from, qn_gemm_add(e, w, qn_index_affine(e->b, loop.index, steps.w_stride, 0)));
  restore_prefetches(e, start);
  qn_carry_end(e->b, &loop);
}

void qn_gemm_each_run(emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w,
                      int64_t elements, qn_gemm_step_fn *run) {
  const qn_gemm_plan *plan = e->plan;
  QN_ASSERT(plan->gemm->tap_count % qn_gemm_runs_of(plan)->length == 0);
  int64_t runs = plan->gemm->tap_count / qn_gemm_runs_of(plan)->length;
  if (runs == 1) {
    run(e, sums, qn_index_add(e->b, x, plan->gemm->taps[0]), w);
    return;
  }
  qn_value *start[QN_GEMM_PREFETCHES];
  qn_carry loop = open_loop(e, sums, runs);
  advance_prefetches(e, loop.index, qn_gemm_runs_of(plan)->length, start);
  qn_value *from = qn_gemm_add(e, x, qn_index_load(e->b, e->offsets, loop.index, 0));
  run(e, sums, from, qn_gemm_add(e, w, qn_index_affine(e->b, loop.index, elements, 0)));
  restore_prefetches(e, start);
  qn_carry_end(e->b, &loop);
}

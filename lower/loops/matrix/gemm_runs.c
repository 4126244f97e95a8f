/* Loops over runs of weights, and over the steps of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_runs.h"

#include "lower/loops/nest.h"

enum { MAX_UNROLLED = 4 /* steps without a loop */ };

typedef qn_gemm_emitter emitter;

void qn_gemm_find_runs(qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  const int64_t *taps = g->taps;
  int64_t count = g->tap_count, length = 1;
  plan->run_step = count > 1 ? taps[1] - taps[0] : 1;
  while (length < count && taps[length] - taps[length - 1] == plan->run_step) length++;
  bool even = count % length == 0;
  for (int64_t t = 0; t < count && even; t++)
    even = taps[t] == taps[t / length * length] + t % length * plan->run_step;
  plan->run_length = even ? length : 1;
  if (plan->run_length == count) return;
  for (int64_t t = 0; t < count; t += plan->run_length)
    qn_array_push(&plan->offsets, (int32_t)taps[t]);
}

/* ---- what is asked for ahead ---- */

static void look(emitter *e, qn_value *memref, qn_value *index, int64_t elements, int64_t steps) {
  int64_t step = (elements + steps - 1) / steps;
  e->ahead[e->ahead_count++] = (qn_gemm_ahead){memref, index, step};
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

/* The next panel, the same number of elements in every step of all tiles. */
static void look_for_panel(emitter *e, qn_value *tile, int64_t panel, int64_t steps) {
  int64_t all = qn_gemm_pixel_tiles(e) * steps, of_tile = (panel + all - 1) / all * steps;
  qn_value *from = qn_index_affine(e->b, tile, of_tile, panel);
  look(e, e->weights, qn_gemm_add(e, e->fields[QN_TILE_WEIGHTS], from), of_tile, steps);
}

/* Not where all panels are small, or tiles so many that they would run far beyond the next panel:
 * it costs them nothing to wait for one. */
static bool waits_for_panels(const emitter *e, int64_t panel, int64_t steps) {
  const qn_gemm_plan *plan = e->plan;
  int64_t bytes = plan->panel_elements * plan->gemm->micro->sum_bytes;
  return bytes > e->target->near_bytes && qn_gemm_pixel_tiles(e) * steps <= 2 * panel;
}

/* x and y of a tile some tiles further on. Of y all channels are asked for, so that there must be
 * few tiles of them; of x what a row has, so that a pixel must be nothing else. */
static void look_for_pixels(emitter *e, int64_t rows, int64_t steps) {
  enum { TILES = 4, MOST_PANELS = 2 };
  const qn_gemm_plan *plan = e->plan;
  int64_t x = rows * plan->pixel_stride, y = rows * plan->pixel_y;
  if (!qn_gemm_is_far(e)) return;
  if (plan->gemm->feed) {
    int64_t elements;
    qn_value *from = qn_fed_ahead(e, tiles_of_row(e), &elements);
    look(e, e->feed[0], from, elements, steps);
  } else if (plan->run_length == plan->gemm->tap_count && plan->pixel_stride == plan->run_length) {
    look(e, e->x, qn_index_add(e->b, e->at.x, TILES * x), x, steps);
  }
  if (e->chunk > 0 || plan->tile_count <= MOST_PANELS)
    look(e, e->y, qn_index_add(e->b, e->at.y, TILES * y), y, steps);
}

void qn_gemm_look_ahead(emitter *e, const qn_gemm_sums *sums, int64_t panel_elements,
                        int64_t steps) {
  e->ahead_count = 0;
  if (e->target->stream_bytes == 0) return;
  if (waits_for_panels(e, panel_elements, steps))
    look_for_panel(e, qn_gemm_pixel_tile(e), panel_elements, steps);
  look_for_pixels(e, sums->rows, steps);
}

void qn_gemm_ask_ahead(emitter *e) {
  enum { LINE = 64 };
  for (uint32_t i = 0; i < e->ahead_count; i++) {
    qn_gemm_ahead *ahead = &e->ahead[i];
    int64_t elements = LINE / qn_type_bytes(qn_type_element(ahead->memref->type));
    for (int64_t at = 0; at < ahead->step; at += elements) {
      qn_value *index = qn_index_add(e->b, ahead->index, at);
      qn_build_0(e->b, QN_OP_QUERN_PREFETCH, QN_VALUES(ahead->memref, index), NULL);
    }
  }
}

void qn_gemm_look_for_bytes(emitter *e, qn_value *tile, int64_t panel, int64_t steps,
                            int64_t least) {
  e->ahead_count = 0;
  bool is_enough = panel > (least - 1) * qn_gemm_pixel_tiles(e) * steps;
  if (e->plan->fetch_bytes > 0 && is_enough) look_for_panel(e, tile, panel, steps);
}

void qn_gemm_ask_for_bytes(emitter *e, qn_value *i) {
  if (e->ahead_count == 0) return;
  qn_value *from = e->ahead[0].index;
  e->ahead[0].index = qn_gemm_add(e, from, qn_index_affine(e->b, i, e->ahead[0].step, 0));
  qn_gemm_ask_ahead(e);
  e->ahead[0].index = from;
}

/* Goes on by i times so many steps; out_from: back to where it was. */
static void go_ahead(emitter *e, qn_value *i, int64_t steps, qn_value **out_from) {
  for (uint32_t k = 0; k < e->ahead_count; k++) {
    qn_gemm_ahead *ahead = &e->ahead[k];
    out_from[k] = ahead->index;
    qn_value *by = qn_index_affine(e->b, i, steps * ahead->step, 0);
    ahead->index = qn_gemm_add(e, ahead->index, by);
  }
}
static void go_back(emitter *e, qn_value *const *from) {
  for (uint32_t k = 0; k < e->ahead_count; k++) e->ahead[k].index = from[k];
}

/* ---- loops ---- */

static qn_op *open_loop(emitter *e, qn_gemm_sums *sums, int64_t count, qn_value **out_index) {
  uint32_t n = (uint32_t)sums->rows * sums->vectors;
  qn_op *loop = qn_nest_carry(e->b, 0, count, 1, sums->at, n);
  const qn_block *body = qn_op_body(loop);
  for (uint32_t i = 0; i < n; i++) sums->at[i] = body->args[1 + i];
  *out_index = body->args[0];
  return loop;
}

static void close_loop(emitter *e, qn_gemm_sums *sums, const qn_op *loop) {
  uint32_t n = (uint32_t)sums->rows * sums->vectors;
  qn_build_yield(e->b, sums->at, n);
  for (uint32_t i = 0; i < n; i++) sums->at[i] = qn_op_result(loop, i);
}

void qn_gemm_repeat(emitter *e, qn_gemm_sums *sums, qn_gemm_steps steps, qn_value *x, qn_value *w,
                    qn_gemm_step_fn *step) {
  qn_value *i, *ahead[QN_GEMM_AHEAD];
  if (steps.count <= MAX_UNROLLED) {
    for (int64_t s = 0; s < steps.count; s++) {
      qn_value *from = qn_index_add(e->b, x, s * steps.x_stride);
      go_ahead(e, e->ahead_count > 0 ? qn_build_index(e->b, s) : NULL, 1, ahead);
      step(e, sums, from, qn_index_add(e->b, w, s * steps.w_stride));
      go_back(e, ahead);
    }
    return;
  }
  qn_op *loop = open_loop(e, sums, steps.count, &i);
  go_ahead(e, i, 1, ahead);
  qn_value *from = qn_gemm_add(e, x, qn_index_affine(e->b, i, steps.x_stride, 0));
  step(e, sums, from, qn_gemm_add(e, w, qn_index_affine(e->b, i, steps.w_stride, 0)));
  go_back(e, ahead);
  close_loop(e, sums, loop);
}

void qn_gemm_each_run(emitter *e, qn_gemm_sums *sums, qn_value *x, qn_value *w, int64_t elements,
                      qn_gemm_step_fn *run) {
  const qn_gemm_plan *plan = e->plan;
  int64_t runs = plan->gemm->tap_count / plan->run_length;
  if (runs == 1) {
    run(e, sums, qn_index_add(e->b, x, plan->gemm->taps[0]), w);
    return;
  }
  qn_value *i, *ahead[QN_GEMM_AHEAD];
  qn_op *loop = open_loop(e, sums, runs, &i);
  go_ahead(e, i, plan->run_length, ahead);
  qn_value *from = qn_gemm_add(e, x, qn_index_load(e->b, e->offsets, i, 0));
  run(e, sums, from, qn_gemm_add(e, w, qn_index_affine(e->b, i, elements, 0)));
  go_back(e, ahead);
  close_loop(e, sums, loop);
}

/* Micro-kernel of 8-bit x for 2 x 2 block products: two rows of x times two columns of weights, 8
 * bytes each, give four accumulators in 128 bits. It multiplies runs of 16 bytes of x this way. Two
 * vectors then hold the accumulators of two pixels and one vector of channels, and are rearranged
 * to one vector per pixel after the last run. The remaining quads, the initial accumulators and the
 * epilogue are those of gemm_bytes.c.
 *
 * A panel equals that of gemm_bytes.c except for the byte order of runs: for each 8 bytes of x,
 * pairs of channels, each with its 8 weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lower/loops/matrix/gemm_steps.h"
#include "lower/loops/products.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

enum {
  RUN = 16,
  HALF = 8,
  SUMS = 4
}; /* bytes of x per run and per half; accumulators in 128 bits */

/* ---- the plan ---- */

/* The share of the weights that is in runs, if all rows of taps are as long as the first. */
static double share_of_runs(const qn_gemm *g) {
  int64_t length = 1;
  while (length < g->tap_count && g->taps[length] == g->taps[0] + length) length++;
  return (double)(length / RUN * RUN) / (double)length;
}

static const char *problem_of(const qn_gemm *g, const qn_target *target) {
  if (!target->blocks) return "the target has no products of them";
  if (qn_bytes_no_quads(g, target)) return qn_bytes_no_quads(g, target);
  if (target->vector_bytes != RUN) return "vectors are longer than a block";
  if (g->packs) return "weights are known at run time only";
  if (qn_bytes_of(g)->weights->wide) return "weights are wider than bytes";
  if (qn_gemm_pixel_count(g) < 2) return "there is one pixel only";
  return share_of_runs(g) > 0 ? NULL : "no sixteen bytes of x follow one another";
}

/* MR is even, because a block has two pixels. Registers hold the accumulators, both halves of all
 * pairs, and two vectors each of weights and of x as loaded. */
static int64_t most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  enum { LOADED = 4 };
  int64_t most = qn_bytes_most_rows(g, target, vectors);
  if (most > 1) most = most / 2 * 2;
  while (most > 2 && most * vectors + most + LOADED > (int64_t)target->vector_registers) most -= 2;
  return most;
}

/* Cycles per quad: the maximum of products plus two shuffles for the 16 bytes of two pixels, loads,
 * and dependency latency. */
static double step_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  const qn_dot *dot = target->blocks;
  const double shuffle = 0.5, load = 0.5, quads = (double)(RUN / QN_QUAD);
  if (rows == 0) return 0;
  double even = (double)(rows + rows % 2);
  double cycles = dot->cycles * even * vectors + shuffle * even / quads;
  double loads = load * ((double)rows / quads + vectors);
  if (cycles < loads) cycles = loads;
  if (cycles < dot->latency) cycles = dot->latency;
  cycles += qn_bytes_issue_cycles(g, dot, rows, vectors, quads);
  double share = share_of_runs(g);
  return share * cycles + (1 - share) * qn_bytes_quad_cycles(g, target, rows, vectors);
}

static double finish_cycles(const qn_target *target, uint32_t vectors) {
  const double separate = 0.5;
  return qn_epilogue_cycles(target, vectors) + separate * vectors;
}

/* ---- the kernel ---- */

static int64_t pairs_of(const accumulators *acc) { return (acc->rows + 1) / 2; }

/* Concatenates the low halves (half 0) or the high halves (half 1) of a and b. */
static qn_value *join_halves(emitter *e, qn_value *a, qn_value *b, int64_t half) {
  int64_t mask[SUMS];
  for (int64_t i = 0; i < SUMS; i++) mask[i] = i / 2 * SUMS + 2 * half + i % 2;
  return qn_vec_shuffle(e->b, a, b, mask, SUMS);
}

/* Pixel m of the tile; the last pixel if MR is odd and m is the padding of the last pair. */
static int64_t pixel_of(const accumulators *acc, int64_t m) {
  return m < acc->rows ? m : acc->rows - 1;
}

/* The accumulators of vector v of pixel m. */
static qn_value **sums_of(accumulators *acc, int64_t m, uint32_t v) {
  return &acc->at[pixel_of(acc, m) * acc->vectors + v];
}

/* Loads a run of both pixels of a pair: 8 bytes of the first and 8 of the second per 128 bits. */
static void load_pair(emitter *e, const accumulators *acc, const qn_quad_place *x, int64_t pair,
                      qn_value *out_halves[2]) {
  const qn_type *i64 = qn_type_i(e->b->cx, 64);
  qn_value *rows[2];
  for (int64_t i = 0; i < 2; i++)
    rows[i] = qn_vec_bitcast(e->b, qn_bytes_load_run(e, x, pixel_of(acc, 2 * pair + i), RUN), i64);
  for (int64_t h = 0; h < 2; h++) {
    const int64_t mask[] = {h, 2 + h};
    out_halves[h] = qn_vec_bitcast(e->b, qn_vec_shuffle(e->b, rows[0], rows[1], mask, 2), e->i8);
  }
}

/* Emits one run for all pairs of pixels. */
static void step(emitter *e, qn_value **sums, const void *user, const qn_quad_place *x,
                 qn_value *w) {
  const accumulators *acc = user;
  const qn_gemm *g = e->plan->gemm;
  bool x_unsigned = qn_dot_sees_unsigned(g->dot, qn_bytes_of(g)->weights->x_unsigned);
  qn_value *halves[QN_GEMM_ACCUMULATORS / 2][2];
  uint32_t columns = 2 * acc->vectors; /* pairs of channels */
  for (int64_t p = 0; p < pairs_of(acc); p++) load_pair(e, acc, x, p, halves[p]);
  for (int64_t h = 0; h < 2; h++)
    for (uint32_t c = 0; c < columns; c++) {
      qn_value *weights = qn_vec_load(e->b, e->weights, w, (h * columns + c) * RUN, RUN);
      for (int64_t p = 0; p < pairs_of(acc); p++) {
        qn_value **to = &sums[p * columns + c];
        *to = qn_dot_build_blocks(e->b, e->target->blocks, *to, halves[p][h], weights, x_unsigned);
      }
    }
}

static void multiply_runs(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  qn_value *sums[QN_GEMM_ACCUMULATORS];
  uint32_t columns = 2 * acc->vectors, n = (uint32_t)pairs_of(acc) * columns;
  QN_ASSERT(n <= QN_GEMM_ACCUMULATORS);
  for (int64_t p = 0; p < pairs_of(acc); p++)
    for (uint32_t c = 0; c < columns; c++)
      sums[p * columns + c] =
          join_halves(e, *sums_of(acc, 2 * p, c / 2), *sums_of(acc, 2 * p + 1, c / 2), c % 2);
  qn_bytes_each_run(e, sums, n, x, w, step, acc);
  for (int64_t m = 0; m < acc->rows; m++)
    for (uint32_t v = 0; v < acc->vectors; v++) {
      qn_value *const *pair = &sums[m / 2 * columns + 2 * v];
      *sums_of(acc, m, v) = join_halves(e, pair[0], pair[1], m % 2);
    }
}

/* ---- packing ---- */

/* Reorders the bytes of one run of a panel from the quad layout to the block layout. `room`:
 * scratch of the same size. */
static void order_run(uint8_t *run, int64_t channels, uint8_t *room) {
  memcpy(room, run, (size_t)(channels * RUN));
  for (int64_t c = 0; c < channels; c++)
    for (int64_t k = 0; k < RUN; k++) {
      int64_t quad = k / QN_QUAD * channels * QN_QUAD + c * QN_QUAD + k % QN_QUAD;
      int64_t block = k / HALF * channels * HALF + c * HALF + k % HALF;
      run[block] = room[quad];
    }
}

static qn_status pack(qn_loops *lo, qn_gemm_plan *plan) {
  uint8_t room[QN_GEMM_TILE_CHANNELS * RUN];
  QN_TRY(qn_bytes_pack(lo, plan));
  qn_bytes_plan *own = qn_bytes_plan_of(plan);
  own->multiply_runs = multiply_runs;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    int64_t channels = qn_gemm_tile_width(plan, &plan->tiles[t]);
    uint8_t *panel = plan->weights.data + plan->tiles[t].fields[QN_TILE_WEIGHTS];
    for (uint32_t r = 0; r < own->runs; r++) order_run(panel + r * channels * RUN, channels, room);
  }
  return QN_OK;
}

const qn_gemm_micro qn_gemm_blocks = {
    .name = "blocks of bytes",
    .problem = problem_of,
    .dot = qn_bytes_dot_of_target,
    .columns = 1,
    .sum_bytes = sizeof(int32_t),
    .step_taps = QN_QUAD,
    .steps = qn_bytes_quad_count,
    .most_rows = most_rows,
    .step_cycles = step_cycles,
    .finish_cycles = finish_cycles,
    .wraps_rows = true,
    .choose = qn_bytes_choose,
    .pack = pack,
    .panel = qn_bytes_panel,
    .start = qn_bytes_start,
    .multiply = qn_bytes_multiply,
    .finish = qn_bytes_finish,
};

/* Tiles of the micro-kernels of 8-bit x: the most rows of a tile, and the cycles of its steps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lower/loops/matrix/gemm_bytes.h"
#include "lower/loops/matrix/gemm_steps.h"
#include "lower/loops/matrix/tiles/packing.h"

enum { MOST_ROWS = 16 };

/* ---- rows ---- */

int64_t qn_bytes_registers_of_parameters(const qn_gemm *g) {
  enum { PARAMETERS = 4 };
  return g->tap_count < 2 * QN_QUAD * (int64_t)g->dot->quads ? PARAMETERS : 0;
}

static int64_t within_rows(int64_t rows) {
  return rows < 1 ? 1 : rows < MOST_ROWS ? rows : MOST_ROWS;
}

/* Maximum MR without register spills. Registers hold the accumulators, the weights of a quad, one
 * row of x and its sign mask; or else all rows of x and one vector of weights (gemm_steps.c), which
 * runs of quads always do. Scalars hold the accumulators only. */
int64_t qn_bytes_most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  QN_ASSERT(vectors >= 1 && vectors <= QN_EPILOGUE_MAX_VECTORS);
  if (qn_dot_is_scalar(g->dot)) return within_rows(target->accumulators / vectors);
  int64_t left = (int64_t)target->vector_registers - vectors - 1 - qn_bytes_flip(g);
  int64_t most = target->accumulators / vectors, rows = left / vectors;
  if (rows > most) rows = most;
  if (g->dot->quads > 0) {
    left = (int64_t)target->vector_registers - 1 - qn_bytes_flip(g) -
           qn_bytes_registers_of_parameters(g);
    rows = left / (vectors + 1);
    if (rows > most) rows = most;
    return within_rows(rows);
  }
  bool holds_rows = !g->dot->saturates;
  while (holds_rows && rows < most && qn_bytes_rows_fit(g, target, rows + 1, vectors)) rows++;
  return within_rows(rows);
}

/* Maximum MR of products in groups. Registers hold the accumulators, a vector of x per pixel as it
 * is loaded and as one quad of it is spread, a vector of weights, a shuffle table per quad of a
 * vector, and products whose sums are not yet added. */
int64_t qn_bytes_most_rows_of_groups(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  enum { PRODUCTS = 4 };
  int64_t left = (int64_t)target->vector_registers - 1 - qn_bytes_flip(g);
  left -= g->dot->quads + PRODUCTS;
  return within_rows(left / (vectors + 2));
}

/* Maximum MR of single bytes: the registers that accumulators leave are those of one row of weights
 * and one byte of x. */
int64_t qn_bytes_most_rows_of_singles(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  (void)g;
  return within_rows(target->accumulators / vectors);
}

/* ---- cycles ---- */

int64_t qn_bytes_quad_count(const qn_gemm *g) {
  if (g->extent < QN_QUAD) return 1;
  return qn_tile_packing_quads(g, QN_QUAD) * (g->packs ? qn_bytes_parts(g) : 1);
}

/* Whether products occupy the execution units, so that the other instructions of a step add to its
 * time. */
static bool is_busy(const qn_dot *dot) { return dot->cycles >= 1; }

/* Cycles to load the weights of a quad. With saturating products, every second quad also has a mask
 * for all vectors. */
static double weight_cycles(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  const qn_dot *dot = g->dot;
  double quad = (double)target->vector_bytes * (vectors * dot->bytes + (dot->saturates ? 0.5 : 0));
  double panel = quad * (double)((g->tap_count + QN_QUAD - 1) / QN_QUAD);
  return qn_gemm_weight_cycles(target, quad, qn_bytes_has_few_pixels(g) ? INFINITY : panel);
}

/* Instructions per quad in tiles of this width, relative to a plain step, as estimated from the
 * weights; 1 without estimate. */
static double share_of_plain(const qn_gemm *g, uint32_t vectors) {
  double operations = g->estimate ? ((const double *)g->estimate)[vectors] : 0;
  return operations == 0 ? 1 : operations / qn_step_operations(QN_STEP_PLAIN, vectors);
}

double qn_bytes_issue_cycles(const qn_gemm *g, const qn_dot *dot, int64_t rows, uint32_t vectors,
                             double quads) {
  enum { PARAMETERS = 3 /* of the epilogue, per vector */ };
  const double pair = 2, loop = 4, tile = 8;
  double once = tile + vectors * PARAMETERS / pair;
  once /= (double)((g->tap_count + QN_QUAD - 1) / QN_QUAD);
  return dot->issue * (((double)rows + loop) / quads + vectors / pair + once);
}

/* Cycles per quad of a tile: the maximum of products, loads and dependency latency. If products
 * occupy the execution units, the loop overhead and the load of weights are added. */
double qn_bytes_quad_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                            uint32_t vectors) {
  if (rows == 0) return 0;
  const qn_dot *dot = g->dot;
  double cycles = dot->cycles * (double)rows * vectors * share_of_plain(g, vectors);
  cycles += dot->spread * (double)rows;
  if (rows * vectors > target->accumulators)
    cycles += dot->spill * (double)(rows * vectors - target->accumulators);
  double quads = g->dot->quads > 0 ? g->dot->quads : 1; /* quads of x per load */
  double loads = 0.5 * ((double)rows / quads + vectors);
  if (cycles < loads) cycles = loads;
  if (cycles < dot->latency) cycles = dot->latency;
  cycles += qn_bytes_issue_cycles(g, dot, rows, vectors, quads);
  if (!is_busy(dot)) return cycles;
  return cycles + QN_GEMM_STEP_CYCLES + weight_cycles(g, target, vectors);
}

/* Cycles per quad of single bytes, where every instruction takes an issue slot: a load of weights
 * takes half of a product and addition. */
double qn_bytes_single_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                              uint32_t vectors) {
  const double loop = 4, load = 0.5;
  const qn_dot *dot = g->dot;
  return dot->cycles * ((double)rows + load) * vectors + dot->spread * (double)rows + loop +
         weight_cycles(g, target, vectors);
}

/* As qn_bytes_single_cycles; and the addition of sums, before and after which the type of vectors
 * changes.
 */
double qn_bytes_single_group_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                                    uint32_t vectors) {
  const double loop = 4, load = 0.5, change = 2, begin = 16;
  const qn_dot *dot = g->dot;
  const qn_bytes_groups as_halves = {1, 2, 1, 1};
  const qn_bytes_groups *of =
      g->estimate ? &((const qn_bytes_groups *)g->estimate)[vectors] : &as_halves;
  double flip = qn_bytes_flip(g) ? QN_QUAD : 0;
  double quad = dot->cycles * ((double)rows + load) * vectors +
                (dot->spread + flip) * (double)rows + weight_cycles(g, target, vectors);
  double begins = begin * of->loops / (double)qn_bytes_quad_count(g);
  return quad * of->quads + (dot->sum_cycles * (double)rows * vectors + change) * of->sums +
         loop * of->steps + begins;
}

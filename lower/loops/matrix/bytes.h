/* Products of 8-bit x, with sums of 32 bits: what their micro-kernels share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_BYTES_H
#define QN_LOWER_LOOPS_BYTES_H

#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/matrix/pack.h"

/* What they know of the product: qn_gemm.own. */
typedef struct qn_bytes_product {
  const qn_weights *weights; /* without values where only the kernel is to be chosen */
  const qn_epilogue *epilogue;
  qn_fusion_float_add sum; /* that follows; op NULL: none that starts from floats */
  bool has_rows; /* x has rows of tap_count elements, which a kernel can sum up for the zero point
                    of packed weights, so that these are taken as they are */
} qn_bytes_product;
static inline const qn_bytes_product *qn_bytes_of(const qn_gemm *gemm) { return gemm->own; }

/* As far as its kernel can be chosen: constant weights, or operand 1 of the op; */
qn_gemm qn_bytes_gemm(const qn_op *op, qn_bytes_product *product);
/* then with the one that was. */
void qn_bytes_gemm_finish(qn_loops *lo, qn_gemm *gemm, const char *stem, qn_bytes_product *product);

/* The product of an op as far as its kernel can be chosen, without borders in y and without the
 * values of weights, in scratch; false: there is none. */
typedef bool qn_gemm_geometry_fn(qn_loops *lo, const qn_op *op, qn_bytes_product *product,
                                 qn_weights *weights, qn_gemm *out_gemm);
/* For a schedule's `choose`. */
void *qn_bytes_choose_micro(qn_loops *lo, qn_gemm_geometry_fn *geometry, const qn_op *op);

/* Exact products of bytes; those in groups that fit 16 bits; those that saturate; bytes widened to
 * 16 bits (gemm_bytes.c); a unit for tiles (tiles/plan.c). */
extern const qn_gemm_micro qn_gemm_quads, qn_gemm_groups, qn_gemm_saturating, qn_gemm_pairs,
    qn_gemm_tiles;
/* Exact products of blocks for what fills vectors of x, the rest by quads (gemm_blocks.c). */
extern const qn_gemm_micro qn_gemm_blocks;
/* All of them. */
extern const qn_gemm_micro *const qn_bytes_candidates[];

/* Their columns of the tile table: how many steps there are of each kind; of most micro-kernels of
 * plain ones only. */
static inline qn_tile_field qn_tile_steps(qn_step_kind kind) {
  return (qn_tile_field)((int)QN_TILE_OWN + (int)kind);
}

/* How a product is cut that they share: qn_gemm_plan.own begins with it. */
typedef struct qn_bytes_plan {
  int64_t quad_bytes; /* of x in a step */
  uint32_t runs;      /* of quads, which a plain panel begins with, and how they are multiplied */
  void (*multiply_runs)(qn_gemm_emitter *e, qn_gemm_accumulators *acc, qn_value *x, qn_value *w);
  /* For the kernel that packs: qn_gemm_plan.quads has (number of quad, first weight) of the
   * quads whose weights stand side by side, then (number of quad, four weights or -1) of the
   * others. */
  int64_t whole_quads, cut_quads;
} qn_bytes_plan;
static inline qn_bytes_plan *qn_bytes_plan_of(const qn_gemm_plan *plan) { return plan->own; }

/* Whether the sum that follows is made in the lanes of the tile's accumulators. What it adds is in
 * order, so that channels must be, too. */
static inline bool qn_bytes_adds(const qn_gemm *gemm, const qn_gemm_tile *tile) {
  return qn_bytes_of(gemm)->sum.op && !tile->reordered;
}

/* The channel of each lane of a tile, -1 for padding: out_channels[vector * lanes + lane]. */
void qn_bytes_tile_channels(const qn_gemm_plan *plan, const qn_gemm_tile *tile,
                            int64_t *out_channels);
/* Hook of the micro-kernels of bytes: chooses the epilogues of tiles (gemm_bytes.c). */
void qn_bytes_choose(const qn_gemm *gemm, qn_gemm_plan *plan);

/* ---- packing 8-bit weights that are known at run time only (runtime_pack/) ---- */

/* Lists the quads, and where each tile's panel will stand. */
QN_NODISCARD qn_status qn_bytes_plan_packing(qn_loops *lo, qn_gemm_plan *plan,
                                             const qn_packing *packing);
/* The same for the steps of a unit for tiles. */
struct qn_tile_packing;
QN_NODISCARD qn_status qn_bytes_plan_tiles(qn_loops *lo, qn_gemm_plan *plan,
                                           const struct qn_tile_packing *packing);
/* How often bytes of x are multiplied, by bytes that add up to a weight. */
int64_t qn_bytes_parts(const qn_gemm *gemm);
/* Hook of the micro-kernel: packs a tile. */
void qn_bytes_pack_tile(qn_gemm_emitter *e);
/* Elements of the panel before its quads, and the sums of a vector there. */
int64_t qn_bytes_start_elements(const qn_gemm_emitter *e);
qn_value *qn_bytes_load_start(qn_gemm_emitter *e, uint32_t vector);
/* Whether weights are packed with their zero point, and rows of x have terms for it. */
bool qn_runtime_pack_sums_rows(const qn_gemm *gemm);
/* Emits the kernel of the rows' terms; returns what it fills, or NULL where there are none. And in
 * the kernel of the product that of the row at x, in all lanes of a vector of sums. */
qn_value *qn_bytes_row_sums(qn_loops *lo, const qn_gemm *gemm);
qn_value *qn_runtime_pack_row_sum(qn_gemm_emitter *e, qn_value *x, int64_t row);
/* Hook of the micro-kernel: all products of a tile (gemm_steps.c). */
void qn_bytes_multiply(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x);
/* Where each byte of a pixel's results is in its 128 bits; NULL: they are in order. */
qn_value *qn_bytes_load_order(qn_gemm_emitter *e);
/* The bytes to store of a pixel's results, which the epilogue has left in their lanes: narrowed, in
 * order, and what post-ops make of them (epilogue/pixel.c). `element`: number of the first. */
qn_value *qn_bytes_of_pixel(qn_gemm_emitter *e, qn_value *const *results, qn_value *order,
                            qn_value *element);
/* Whether bytes of x change their sign when they are loaded. */
static inline bool qn_bytes_flip(const qn_gemm *gemm) {
  return qn_dot_offset(gemm->dot, qn_bytes_of(gemm)->weights->x_unsigned) != 0;
}
/* Whether all rows of x of a quad fit into the registers beside the sums, a vector of weights and
 * what flips x. */
static inline bool qn_bytes_rows_fit(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                                     uint32_t vectors) {
  return rows * vectors + rows + 1 + qn_bytes_flip(gemm) <= target->vector_registers;
}
/* ---- what other micro-kernels have of that of quads (gemm_bytes.c) ---- */

QN_NODISCARD qn_status qn_bytes_pack(qn_loops *lo, qn_gemm_plan *plan);
const qn_type *qn_bytes_panel(const qn_gemm *gemm, qn_ir_context *cx);
int64_t qn_bytes_quad_count(const qn_gemm *gemm);
int64_t qn_bytes_most_rows(const qn_gemm *gemm, const qn_target *target, uint32_t vectors);
double qn_bytes_quad_cycles(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                            uint32_t vectors);
const char *qn_bytes_no_quads(const qn_gemm *gemm, const qn_target *target);
const qn_dot *qn_bytes_dot_of_target(const qn_target *target);
void qn_bytes_start(qn_gemm_emitter *e, qn_gemm_accumulators *acc);
void qn_bytes_finish(qn_gemm_emitter *e, qn_gemm_accumulators *acc, qn_gemm_cursor at);

/* Appends the tile's words of the epilogue (gemm_bytes.c). */
void qn_bytes_pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                          const int32_t *start);

#endif

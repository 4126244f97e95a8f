/* Declarations shared by the micro-kernels of matrix products of 8-bit x with 32-bit accumulators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_BYTES_H
#define QN_LOWER_LOOPS_BYTES_H

#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/matrix/pack.h"

/* Operands and epilogue of an 8-bit product (qn_gemm.own). */
typedef struct qn_bytes_product {
  const qn_weights *weights; /* while the micro-kernel is chosen, its values may be NULL */
  const qn_epilogue *epilogue;
  const struct qn_tiles_reals *reals; /* f32 results instead (tiles/results.h); NULL: `epilogue` */
  qn_fusion_float_add sum;            /* fused addition on float lanes; op is NULL if none */
  bool has_rows; /* rows of x are tap_count elements long, so that a kernel can sum each row over K
                    to compensate the zero point of runtime weights, which are then packed
                    unmodified */
} qn_bytes_product;
static inline const qn_bytes_product *qn_bytes_of(const qn_gemm *gemm) { return gemm->own; }

/* The parts of a product that the choice of a micro-kernel needs. Weights are constant, or operand
 * 1 of the op. */
qn_gemm qn_bytes_gemm(const qn_op *op, qn_bytes_product *product);
/* Merges groups with one quad of input channels each until their output channels fill a vector,
 * where the target's products can take quads of several groups. */
void qn_bytes_merge_groups(qn_gemm *gemm, const qn_target *target);
/* Completes the product once the micro-kernel is chosen. */
void qn_bytes_gemm_finish(qn_loops *lo, qn_gemm *gemm, const char *stem, qn_bytes_product *product);

/* Fills *out_gemm as far as the choice of a micro-kernel needs it, without padding in y and without
 * values of weights, in scratch memory. False if the op is not such a product. */
typedef bool qn_gemm_geometry_fn(qn_loops *lo, const qn_op *op, qn_bytes_product *product,
                                 qn_weights *weights, qn_gemm *out_gemm);
/* Implements qn_schedule.choose: the micro-kernel of `op`. */
void *qn_bytes_choose_micro(qn_loops *lo, qn_gemm_geometry_fn *geometry, const qn_op *op);

/* Exact byte products, byte products summed in 16 bits in groups, saturating byte products, bytes
 * widened to 16 bits, single bytes, and those in groups (bytes_kernels.c); the matrix unit
 * (tiles/plan.c). */
extern const qn_gemm_micro qn_gemm_quads, qn_gemm_groups, qn_gemm_saturating, qn_gemm_pairs,
    qn_gemm_singles, qn_gemm_single_groups, qn_gemm_tiles;
/* The matrix unit with f32 results (qn_bytes_product.reals). */
extern const qn_gemm_micro qn_gemm_tiles_to_reals;
/* Exact products of 2 x 2 blocks where they fill vectors of x, and quads for the remaining bytes
 * (gemm_blocks.c). */
extern const qn_gemm_micro qn_gemm_blocks;
/* Exact products across a vector (across/). */
extern const qn_gemm_micro qn_gemm_across;
/* All of these micro-kernels, ended by NULL. */
extern const qn_gemm_micro *const qn_bytes_candidates[];

/* The column of the tile table with the number of K steps of a kind. Most micro-kernels have only
 * plain steps. */
static inline qn_tile_field qn_tile_steps(qn_step_kind kind) {
  return (qn_tile_field)((int)QN_TILE_OWN + (int)kind);
}

/* The part of a plan that all 8-bit micro-kernels share: qn_gemm_plan.own begins with it. */
typedef struct qn_bytes_plan {
  int64_t quad_bytes; /* bytes of x per K step */
  uint32_t runs;      /* runs of consecutive quads at the start of a plain panel */
  /* Runtime packing: qn_gemm_plan.quads has (quad index, first weight) of each quad whose weights
   * are contiguous, then (quad index, 4 weights or -1) of every other quad. The number of quads of
   * both kinds. */
  int64_t whole_quads, cut_quads;
  bool in_blocks; /* an accumulator vector holds two pixels of two channels (gemm_blocks.c) */
  bool paired;    /* 16 bits hold the weights of two channels (channel_pairs.c) */
  bool joined;    /* 16 bits hold a weight of each of two channels, and so do accumulators of the
                     first one (joined.c) */
  bool thin;      /* one weight per channel is stored, as x has one byte per pixel: of pairs, or of
                     quads in scalar registers */
} qn_bytes_plan;
static inline qn_bytes_plan *qn_bytes_plan_of(const qn_gemm_plan *plan) { return plan->own; }

/* ---- M = 1 with weights that are stored as bytes (channel_pairs.c) ---- */

/* Stores the weights of two channels in 16 bits, if the product allows it. Called after packing. */
void qn_bytes_pair_channels(qn_gemm_plan *plan);
/* Called at the start of the kernel: computes the sum of x, which all tiles use. */
void qn_bytes_open_pairs(qn_gemm_emitter *e);
/* Emits all products of a tile. */
void qn_bytes_multiply_pairs(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x);

/* ---- weights of two channels in 16 bits, for products in scalar registers (joined.c) ---- */

/* Joins the weights of each two channels, if they and the accumulators fit. Called after packing
 * plain panels. */
void qn_bytes_join_channels(qn_gemm_plan *plan);
/* Before the first step: the initial accumulators of vector v with 256 * A + B, and less than 128
 * in addition to 256 * A, in place of the accumulator A of the first channel of each pair. After
 * the last step: all accumulators times 2^times, which is 1 or 2. */
qn_value *qn_bytes_join_sums(qn_gemm_emitter *e, uint32_t v, qn_value *acc);
qn_value *qn_bytes_separate_sums(qn_gemm_emitter *e, qn_value *acc, int times);

/* Whether the code of plain steps contains all quad offsets and reads no list (gemm_steps.c). */
bool qn_bytes_is_spaced(const qn_gemm_plan *plan);

/* Whether the fused addition runs on the tile's accumulator lanes. Its other operand is in channel
 * order, so the tile must not be permuted. */
static inline bool qn_bytes_adds(const qn_gemm *gemm, const qn_gemm_tile *tile) {
  return qn_bytes_of(gemm)->sum.op && !tile->reordered;
}

/* Whether an accumulator vector of the tile holds two pixels of two channels until its results are
 * bytes. */
static inline bool qn_bytes_in_blocks(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  return qn_bytes_plan_of(plan)->in_blocks && !qn_bytes_adds(plan->gemm, tile);
}

/* ---- bytes_tiles.c ---- */

/* The channel of each lane of a tile, -1 for padding: out_channels[vector * lanes + lane]. */
void qn_bytes_tile_channels(const qn_gemm_plan *plan, const qn_gemm_tile *tile,
                            int64_t *out_channels);
/* Whether each lane multiplies a byte of x by a weight in scalar registers. A row of weights is
 * then qn_bytes_stored bytes, and a quad has a row for each byte of x. */
static inline bool qn_bytes_in_single_scalars(const qn_gemm *gemm) {
  return gemm->dot->single && gemm->dot->splits;
}
/* The channels whose weights and parameters a tile stores: NR; fewer where lanes are scalar
 * registers, of which those without a channel need no constants. */
int64_t qn_bytes_stored(const qn_gemm_plan *plan, const qn_gemm_tile *tile);
/* Those of vector v of a tile: only the last vector has fewer than lanes. */
int64_t qn_bytes_stored_lanes(const qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t v);
/* Removes padding from a panel of single bytes that scalars multiply, the last one of
 * plan->weights: lanes without a channel, and rows of weights beyond the end of an x shorter than a
 * quad. */
void qn_bytes_drop_padding(qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t quads);
/* A vector of `lanes` lanes from one of as many lanes or fewer: the further ones are the last one
 * of `vector`. No result depends on them. */
qn_value *qn_bytes_fill_lanes(qn_builder *b, qn_value *vector, int64_t lanes);
/* Where the epilogue parameters of vector v of a tile's accumulators are: the first one, from the
 * tile's first; the elements from one parameter to the next; and the lanes that have parameters. */
typedef struct qn_bytes_params {
  int64_t offset, stride, lanes;
} qn_bytes_params;
qn_bytes_params qn_bytes_params_of(const qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t v);
/* Accumulator vectors of a pixel, or of two pixels in blocks. */
static inline uint32_t qn_bytes_vectors(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  return tile->vectors * (qn_bytes_in_blocks(plan, tile) ? 2 : 1);
}
/* The number of vectors, `first` the first one, whose parameters are grouped. */
uint32_t qn_bytes_group(const qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t first);
/* Appends the epilogue parameters of the tile, as int32 elements: of each vector of channels; or,
 * of each two channels, those of their accumulators in blocks. */
void qn_bytes_pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                          const int32_t *start);

/* Initial accumulators from the parameters, and requantization, of rows x qn_bytes_vectors
 * accumulators (gemm_bytes.c). */
void qn_bytes_start_rows(qn_gemm_emitter *e, qn_value **acc, int64_t rows);
void qn_bytes_requantize_rows(qn_gemm_emitter *e, qn_value **acc, int64_t rows);

/* Implements qn_gemm_micro.choose: selects the epilogues of the tiles (gemm_bytes.c). */
void qn_bytes_choose(const qn_gemm *gemm, qn_gemm_plan *plan);

/* ---- packing 8-bit weights that are known at run time only (runtime_pack/) ---- */

/* Lists the quads, and assigns the offset of each tile's panel. */
QN_NODISCARD qn_status qn_bytes_plan_packing(qn_loops *lo, qn_gemm_plan *plan,
                                             const qn_packing *packing);
/* As qn_bytes_plan_packing, for K steps of the matrix unit. */
struct qn_tile_packing;
QN_NODISCARD qn_status qn_bytes_plan_tiles(qn_loops *lo, qn_gemm_plan *plan,
                                           const struct qn_tile_packing *packing);
/* Number of byte panels whose products add up to the product with one weight: 1, or more for
 * weights beyond 8 bits. */
int64_t qn_bytes_parts(const qn_gemm *gemm);
/* Implements qn_gemm_micro.pack_tile. */
void qn_bytes_pack_tile(qn_gemm_emitter *e);
/* Panel elements before the first quad, which are the initial accumulators; and the initial
 * accumulators of one vector. */
int64_t qn_bytes_start_elements(const qn_gemm_emitter *e);
qn_value *qn_bytes_load_start(qn_gemm_emitter *e, uint32_t vector);
/* Whether weights are packed without subtracting their zero point, which the sums of the rows of x
 * compensate. */
bool qn_runtime_pack_sums_rows(const qn_gemm *gemm);
/* Emits the kernel that computes the row sums, and returns its buffer; NULL if there are none. In
 * the kernel of the product: the row sum of the row at x, broadcast to all lanes of an accumulator
 * vector. */
qn_value *qn_bytes_row_sums(qn_loops *lo, const qn_gemm *gemm);
qn_value *qn_runtime_pack_row_sum(qn_gemm_emitter *e, qn_value *x, int64_t row);
/* Implements qn_gemm_micro.multiply: all K steps of a tile (gemm_steps.c). */
void qn_bytes_multiply(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x);
/* The least bytes of the next panel that a step of a vector kernel prefetches. */
enum { QN_BYTES_LEAST_PREFETCH = 8 };
/* Shuffle mask that restores channel order within 128 bits of a pixel's result bytes; NULL if they
 * are in order. */
qn_value *qn_bytes_load_order(qn_gemm_emitter *e);
/* Pixels whose results, a vector of bytes together, are consecutive elements: several where a tile
 * has all channels and these fill half a vector or less (epilogue/pixel.c). */
uint32_t qn_bytes_pixels_together(const qn_gemm_emitter *e);
/* The bytes to store for one pixel, or up to qn_bytes_pixels_together: narrows the epilogue's
 * result lanes, restores channel order (`order`), applies the post-ops. `element`: linear index of
 * the first byte. */
qn_value *qn_bytes_of_pixels(qn_gemm_emitter *e, qn_value *const *results, uint32_t pixels,
                             qn_value *order, qn_value *element);
/* Whether loads of x convert its signedness by XOR with 0x80. */
static inline bool qn_bytes_flip(const qn_gemm *gemm) {
  return qn_dot_offset(gemm->dot, qn_bytes_of(gemm)->weights->x_unsigned) != 0;
}
/* Whether the registers hold the accumulators, one quad of each of MR pixels, a vector of weights,
 * and the sign mask of x. */
static inline bool qn_bytes_rows_fit(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                                     uint32_t vectors) {
  return rows * vectors + rows + 1 + qn_bytes_flip(gemm) <= target->vector_registers;
}
/* ---- functions of the quad micro-kernel that others reuse (gemm_bytes.c) ---- */

QN_NODISCARD qn_status qn_bytes_pack(qn_loops *lo, qn_gemm_plan *plan);
/* Stores the parameters of the epilogue that all channels share, before those of any tile. */
void qn_bytes_push_shared(qn_gemm_plan *plan);
const qn_type *qn_bytes_panel(const qn_gemm *gemm, qn_ir_context *cx);
int64_t qn_bytes_quad_count(const qn_gemm *gemm);
int64_t qn_bytes_most_rows(const qn_gemm *gemm, const qn_target *target, uint32_t vectors);
double qn_bytes_quad_cycles(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                            uint32_t vectors);
/* Cycles per quad to issue what is not a product: loads of x, one per pixel and `quads` quads;
 * loads of weights, two vectors each; the loop; and, once per tile, addresses and parameters. */
double qn_bytes_issue_cycles(const qn_gemm *gemm, const qn_dot *dot, int64_t rows, uint32_t vectors,
                             double quads);
const char *qn_bytes_no_quads(const qn_gemm *gemm, const qn_target *target);
const qn_dot *qn_bytes_dot_of_target(const qn_target *target);
void qn_bytes_start(qn_gemm_emitter *e, qn_gemm_accumulators *acc);
void qn_bytes_finish(qn_gemm_emitter *e, qn_gemm_accumulators *acc, qn_gemm_cursor at);
/* The linear index of the first result of pixel m, without padding in y; and the store of the
 * pixel's results: bytes, or real values. */
qn_value *qn_bytes_element(qn_gemm_emitter *e, qn_gemm_cursor at, int64_t m);
void qn_bytes_store(qn_gemm_emitter *e, qn_gemm_cursor at, int64_t m, qn_value *results);
/* Stores the results of pixel m and those after it, `pixels` in all, after the post-ops; and those
 * of a tile, which are in `acc`. Each result is computed exactly once, because a post-op may read
 * the memory that it overwrites (but see qn_gemm.can_repeat). */
void qn_bytes_store_pixels(qn_gemm_emitter *e, qn_value *const *results, qn_gemm_cursor at,
                           int64_t m, int64_t pixels, qn_value *order);
void qn_bytes_store_results(qn_gemm_emitter *e, const qn_gemm_accumulators *acc, qn_gemm_cursor at);

#endif

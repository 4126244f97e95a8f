/* The AMX kernel of a matrix product.
 *
 * All AMX tiles of a kernel have one shape, so that one tile configuration serves it. The last tile
 * of a row of pixels overlaps the tile before it, and only its new pixels are finished.
 * Accumulators pass through kernel-local scratch, because vector instructions cannot read tile
 * registers.
 *
 * Out-of-order execution does not reach far enough to requantize one block while the next is
 * multiplied. So the code interleaves both: each product is followed by the epilogue of some pixels
 * of the previous block. The first block is its own predecessor, with accumulators of 0; what is
 * stored for it is overwritten later.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/tiles/kernel.h"

#include "ir/ops/tile.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/matrix/gemm_runs.h"
#include "lower/loops/matrix/tiles/results.h"
#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- products ---- */

static const qn_type *sums_type(const emitter *e) {
  return qn_type_vec(e->b->cx, e->i32, qn_tiles_plan_of(e->plan)->rows * QN_TILE_SUMS);
}

/* Whether the epilogue is interleaved with products. Not if post-ops take more than a lookup, which
 * would delay the products, or could read what the first block stores prematurely. */
static bool is_sliced(const emitter *e) { return qn_fusion_is_unary(e->k->lo, e->plan->gemm->op); }

/* Zeroes the scratch. An accumulator of 0 plus bias is within the proved range. */
static void clear_scratch(emitter *e, int64_t count) {
  qn_value *zero = qn_vec_splat(e->b, 0, e->i32, QN_TILE_SUMS);
  qn_value *i = qn_nest_count(e->b, count, QN_TILE_SUMS);
  qn_vec_store(e->b, zero, e->scratch, i, 0);
  qn_nest_end(e->b);
}

void qn_tiles_open(emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  int64_t most = 0;
  for (uint32_t s = 0; s < plan->segment_count; s++) {
    int64_t count = plan->segments[s].rows * plan->tiles[plan->segments[s].begin].vectors;
    if (count > most) most = count;
  }
  const qn_type *type = qn_type_buf(e->b->cx, e->i32, most * QN_TILE_SUMS);
  e->scratch = qn_build_1(e->b, QN_OP_QUERN_SCRATCH, type, NULL, 0, NULL);
  if (is_sliced(e)) clear_scratch(e, most * QN_TILE_SUMS);
}

void qn_tiles_start(emitter *e, accumulators *sums) {
  qn_value *zero = qn_build_int(e->b, 0, sums_type(e));
  for (int64_t i = 0; i < qn_tiles_blocks(e, sums) * sums->vectors; i++) sums->at[i] = zero;
}

static qn_value *load_tile(emitter *e, qn_value *memref, qn_value *index, int64_t rows,
                           int64_t stride, int64_t bytes) {
  const qn_type *type = qn_type_vec(e->b->cx, e->i8, rows * bytes);
  return qn_build_1(e->b, QN_OP_QUERN_TILE_LOAD, type, QN_VALUES(memref, index),
                    QN_ATTRS({"rows", qn_attr_i64(e->b->cx, rows)},
                             {"row_stride", qn_attr_i64(e->b->cx, stride)}));
}

static qn_value *dot(emitter *e, qn_value *acc, qn_value *a, qn_value *b) {
  bool x_unsigned = qn_bytes_of(e->plan->gemm)->weights->x_unsigned;
  return qn_build_1(e->b, QN_OP_QUERN_TILE_DOT, acc->type, QN_VALUES(acc, a, b),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(e->b->cx, x_unsigned)}));
}

/* Loads AMX tile j of the pixels of a step, or tile v of its weights; x and w are their first
 * elements. */
static qn_value *load_pixels(emitter *e, const accumulators *sums, qn_value *x, int64_t j) {
  const qn_gemm_plan *plan = e->plan;
  x = qn_index_add(e->b, x, qn_tiles_first(e, sums->rows, j) * plan->pixel_stride);
  return load_tile(e, e->x, x, qn_tiles_plan_of(plan)->rows, plan->pixel_stride,
                   qn_bytes_plan_of(plan)->quad_bytes);
}

static qn_value *load_weights(emitter *e, qn_value *w, uint32_t v) {
  int64_t depth = qn_bytes_plan_of(e->plan)->quad_bytes;
  w = qn_index_add(e->b, w, v * depth * QN_TILE_SUMS);
  return load_tile(e, e->weights, w, depth / QN_TILE_QUAD, QN_TILE_BYTES, QN_TILE_BYTES);
}

static void multiply_tile(emitter *e, accumulators *sums, const qn_tiles_slices *s, int64_t slot,
                          qn_value *pixels, qn_value *weights) {
  sums->at[slot] = dot(e, sums->at[slot], pixels, weights);
  qn_tiles_put_slice(e, s, slot);
}

/* ---- software prefetch ---- */

static int64_t panel_bytes(const emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  return (int64_t)plan->offsets.count * e->shape->vectors * qn_bytes_plan_of(plan)->quad_bytes *
         QN_TILE_SUMS;
}

/* Sets up prefetching of the next panel. There is none below half a cache line per step: with so
 * many blocks, the wait for a panel is negligible. */
static void prefetch_setup(emitter *e, qn_value *block) {
  enum { LEAST = 32 };
  int64_t count = (int64_t)e->plan->offsets.count;
  qn_gemm_prefetch_bytes_setup(e, block, panel_bytes(e), count, LEAST);
}

/* ---- steps ---- */

/* Emits one step of all AMX tiles. With two tiles of pixels, the weights stay loaded; with one, the
 * pixels, so that the weights need one register at a time. */
static void step(emitter *e, accumulators *sums, const qn_tiles_slices *s, qn_value *x,
                 qn_value *w) {
  if (qn_tiles_blocks(e, sums) == 1) {
    qn_value *pixels = load_pixels(e, sums, x, 0);
    for (uint32_t v = 0; v < sums->vectors; v++)
      multiply_tile(e, sums, s, v, pixels, load_weights(e, w, v));
    return;
  }
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < sums->vectors; v++) weights[v] = load_weights(e, w, v);
  for (int64_t j = 0; j < qn_tiles_blocks(e, sums); j++) {
    qn_value *pixels = load_pixels(e, sums, x, j);
    for (uint32_t v = 0; v < sums->vectors; v++)
      multiply_tile(e, sums, s, j * sums->vectors + v, pixels, weights[v]);
  }
}

/* Whether all steps are equally spaced in x; *out_step: their distance. */
static bool is_spaced(const qn_i32_array *offsets, int64_t *out_step) {
  *out_step = offsets->count > 1 ? offsets->data[1] - offsets->data[0] : 0;
  for (size_t i = 1; i < offsets->count; i++)
    if (offsets->data[i] - offsets->data[i - 1] != *out_step) return false;
  return true;
}

/* Emits steps [from, to). The slice of step k begins at row k * products * each. */
static void steps(emitter *e, accumulators *sums, const qn_tiles_slices *s, qn_value *x,
                  int64_t from, int64_t to) {
  const qn_i32_array *offsets = &e->plan->offsets;
  uint32_t n = (uint32_t)qn_tiles_blocks(e, sums) * sums->vectors;
  int64_t stride = sums->vectors * qn_bytes_plan_of(e->plan)->quad_bytes * QN_TILE_SUMS, spacing;
  qn_value *w = e->fields[QN_TILE_WEIGHTS];
  if (e->plan->gemm->packs) w = qn_index_add(e->b, w, qn_bytes_start_elements(e));
  if (to - from == 1) {
    qn_value *pixels = qn_index_add(e->b, x, offsets->data[from]);
    if (e->prefetch_count > 0) qn_gemm_prefetch_bytes(e, qn_build_index(e->b, from));
    step(e, sums, s, pixels, qn_index_add(e->b, w, from * stride));
    return;
  }
  qn_carry loop = qn_carry_begin(e->b, from, to, 1, sums->at, n);
  qn_value *i = loop.index;
  bool spaced = is_spaced(offsets, &spacing);
  qn_value *offset = spaced ? qn_index_affine(e->b, i, spacing, offsets->data[0])
                            : qn_index_load(e->b, e->offsets, i, 0);
  x = qn_gemm_add(e, x, offset);
  w = qn_gemm_add(e, w, qn_index_affine(e->b, i, stride, 0));
  qn_gemm_prefetch_bytes(e, i);
  qn_tiles_slices of = {0};
  if (s) of = *s, of.first = qn_index_affine(e->b, i, n * s->each, 0);
  step(e, sums, s ? &of : NULL, x, w);
  qn_carry_end(e->b, &loop);
}

void qn_tiles_multiply(emitter *e, accumulators *sums, qn_value *x) {
  prefetch_setup(e, qn_gemm_pixel_tile(e));
  steps(e, sums, NULL, x, 0, (int64_t)e->plan->offsets.count);
}

/* Emits all steps together with the epilogue of the previous block, spread evenly over as few of
 * the first steps as suffice. */
static void multiply_and_finish(emitter *e, accumulators *sums, const qn_tiles_params *p,
                                qn_gemm_cursor before, qn_value *x) {
  int64_t count = (int64_t)e->plan->offsets.count,
          products = qn_tiles_blocks(e, sums) * sums->vectors;
  int64_t each = (sums->rows + products * count - 1) / (products * count);
  int64_t with = (sums->rows + products * each - 1) / (products * each);
  const qn_tiles_slices s = {.params = p, .at = before, .rows = sums->rows, .each = each};
  steps(e, sums, &s, x, 0, with);
  if (with < count) steps(e, sums, NULL, x, with, count);
}

/* ---- blocks ---- */

/* Loop-carried values that locate a block: the destination of its results; with row wrap, the index
 * of its first pixel; with row sums, its rows. */
enum { MOST_CARRIED = 3 };
static uint32_t carry(const emitter *e, qn_gemm_cursor at, qn_value *out[MOST_CARRIED]) {
  uint32_t count = 0;
  out[count++] = at.y;
  if (e->plan->row_pitch != 0) out[count++] = at.pixel;
  if (e->row_sums) out[count++] = at.x;
  return count;
}

static qn_gemm_cursor carried(const emitter *e, qn_value *const *values) {
  qn_gemm_cursor at = {.y = values[0], .element = values[0]};
  uint32_t count = 1;
  if (e->plan->row_pitch != 0) at.pixel = values[count++];
  if (e->row_sums) at.x = values[count];
  return at;
}

bool qn_tiles_run(emitter *e, qn_gemm_bound lower, qn_gemm_bound upper) {
  bool is_one = !lower.value && !upper.value && upper.known - lower.known <= 1;
  if (is_one || !is_sliced(e)) return false;
  qn_tiles_params p = qn_tiles_load_params(e);
  accumulators sums = {.rows = e->segment->rows, .vectors = e->shape->vectors};
  qn_value *first = qn_gemm_bound_value(e, lower), *end = qn_gemm_bound_value(e, upper);
  qn_value *values[MOST_CARRIED];
  uint32_t count = carry(e, qn_gemm_block_at(e, first), values);
  qn_op *loop = qn_build_for(e->b, first, end, qn_build_index(e->b, 1), values, count);
  const qn_block *body = qn_op_body(loop);
  qn_gemm_cursor at = qn_gemm_block_at(e, body->args[0]);
  qn_tiles_start(e, &sums);
  prefetch_setup(e, body->args[0]);
  multiply_and_finish(e, &sums, &p, carried(e, body->args + 1), at.x);
  qn_tiles_spill(e, &sums);
  qn_build_yield(e->b, values, carry(e, at, values));
  /* The epilogue of the last block, if there was one. */
  qn_value *any = qn_build_cmpi(e->b, QN_CMP_SLT, first, end);
  qn_value *all = qn_build_index(e->b, sums.rows);
  all = qn_build_select(e->b, any, all, qn_build_index(e->b, 0));
  for (uint32_t i = 0; i < count; i++) values[i] = qn_op_result(loop, i);
  qn_tiles_finish_rows(e, &p, all, 0, 0, carried(e, values));
  return true;
}

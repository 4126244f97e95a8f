/* The kernel of a product of tiles.
 *
 * All tiles of a kernel have one shape, so that one configuration serves it: the last ones of a row
 * of pixels reach back over some that others make, and only the new ones are finished. Sums go by
 * way of memory of the kernel's own: vectors can't read tiles.
 *
 * A CPU does not look far enough ahead to requantize one block while it multiplies the next, so the
 * code does both at once: behind each product stand some rows of the block before. The first
 * block's predecessor is itself, with sums of 0: what is stored for it is stored again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/tiles/kernel.h"

#include "ir/ops/tile.h"
#include "lower/loops/fusion.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_sums accumulators;

/* What the channels of a panel need in the epilogue. */
typedef struct params {
  qn_value *start[QN_EPILOGUE_MAX_VECTORS];
  qn_epilogue_params words[QN_EPILOGUE_MAX_VECTORS];
} params;

/* ---- results ---- */

/* The first pixel of tile j of a block of `rows`: the last tile ends with the block. */
static int64_t first_row(const emitter *e, int64_t rows, int64_t j) {
  int64_t last = rows - e->plan->tile_rows, first = j * e->plan->tile_rows;
  return first < last ? first : last;
}

static int64_t blocks_of(const emitter *e, const accumulators *sums) {
  return (sums->rows + e->plan->tile_rows - 1) / e->plan->tile_rows;
}

/* Rows of all vectors stand side by side. */
static void spill(emitter *e, const accumulators *sums) {
  int64_t width = sums->vectors * QN_TILE_SUMS;
  for (int64_t j = 0; j < blocks_of(e, sums); j++)
    for (uint32_t v = 0; v < sums->vectors; v++) {
      int64_t at = j * e->plan->tile_rows * width + v * QN_TILE_SUMS;
      qn_value *index = qn_build_index(e->b, at);
      qn_build_0(e->b, QN_OP_QUERN_TILE_STORE,
                 QN_VALUES(sums->at[j * sums->vectors + v], e->scratch, index),
                 QN_ATTRS({"row_stride", qn_attr_i64(e->b->cx, width)}));
    }
}

static params load_params(emitter *e) {
  params p;
  int64_t words = qn_epilogue_words(e->shape->kind) * e->plan->lanes;
  qn_value *at = e->fields[QN_TILE_PARAMS];
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    p.start[v] = qn_vec_load(e->b, e->params, at, v * words, e->plan->lanes);
    p.words[v] = qn_epilogue_load(e->b, e->shape->kind, e->params, at, v * words, e->plan->lanes);
  }
  return p;
}

/* The results of one pixel, whose sums begin at scratch[from]. */
static void finish_row(emitter *e, const params *p, qn_value *from, qn_gemm_place at) {
  const qn_gemm *g = e->plan->gemm;
  qn_value *sums[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    qn_value *raw = qn_vec_load(e->b, e->scratch, from, v * QN_TILE_SUMS, QN_TILE_SUMS);
    raw = qn_gemm_add(e, raw, p->start[v]);
    sums[v] = qn_epilogue_apply(e->b, g->epilogue, e->shape->kind, &p->words[v], raw);
  }
  qn_value *bytes = qn_epilogue_narrow(e->b, g->epilogue, sums, e->shape->vectors, e->shape->valid);
  bytes = qn_fusion_emit(e->k, g->op, e->follower_args, bytes, at.element);
  qn_vec_store(e->b, bytes, e->y, at.y, 0);
}

/* So many pixels of the block from `first` on, whose sums begin at row `from` of the scratch. */
static void finish_rows(emitter *e, const params *p, qn_value *count, int64_t first, int64_t from,
                        qn_gemm_place at) {
  const qn_gemm_plan *plan = e->plan;
  int64_t width = e->shape->vectors * QN_TILE_SUMS;
  qn_value *i = qn_nest_begin(e->b, qn_build_index(e->b, 0), count, 1);
  qn_value *sums = qn_index_affine(e->b, i, width, from * width);
  qn_gemm_place to = at;
  qn_value *y = qn_index_affine(e->b, i, plan->pixel_y, first * plan->pixel_y);
  to.y = qn_gemm_add(e, at.y, y);
  to.element = to.y;
  if (e->framed) {
    int64_t channels = plan->gemm->channels;
    qn_value *element = qn_index_affine(e->b, i, channels, first * channels);
    to.element = qn_gemm_add(e, at.element, element);
  }
  finish_row(e, p, sums, to);
  qn_nest_end(e->b);
}

void qn_tiles_finish(emitter *e, accumulators *sums, qn_gemm_place at) {
  int64_t rows = e->plan->tile_rows, blocks = blocks_of(e, sums);
  spill(e, sums);
  params p = load_params(e);
  if (blocks * rows == sums->rows) {
    finish_rows(e, &p, qn_build_index(e->b, sums->rows), 0, 0, at);
    return;
  }
  for (int64_t j = 0; j < blocks; j++) {
    int64_t first = j * rows, end = j + 1 < blocks ? first + rows : sums->rows;
    int64_t from = first + first - first_row(e, sums->rows, j);
    finish_rows(e, &p, qn_build_index(e->b, end - first), first, from, at);
  }
}

/* ---- slices of the results of the block before ---- */

/* Rows of it that stand behind the products of a step: `each` behind each of them, from row `first`
 * on; of a NULL, none. */
typedef struct slices {
  const params *params;
  qn_value *y;     /* where its results go */
  qn_value *first; /* NULL: 0 */
  int64_t rows, each;
} slices;

/* Behind product `slot` of the step. The last row may be made several times. */
static void put_slice(emitter *e, const slices *s, int64_t slot) {
  if (!s) return;
  int64_t width = e->shape->vectors * QN_TILE_SUMS;
  qn_value *none = qn_build_index(e->b, 0), *first = s->first ? s->first : none;
  for (int64_t i = slot * s->each; i < (slot + 1) * s->each; i++) {
    if (!s->first && i >= s->rows) return;
    qn_value *row = qn_index_add(e->b, first, i);
    if (s->first) row = qn_nest_min(e->b, row, s->rows - 1);
    qn_value *from = qn_index_affine(e->b, row, width, 0);
    qn_value *y = qn_index_affine(e->b, row, e->plan->pixel_y, 0);
    y = qn_gemm_add(e, s->y, y);
    finish_row(e, s->params, from, (qn_gemm_place){.y = y, .element = y});
  }
}

/* ---- products ---- */

static const qn_type *sums_type(const emitter *e) {
  return qn_type_vec(e->b->cx, e->i32, e->plan->tile_rows * QN_TILE_SUMS);
}

/* Whether results are made in slices: followers that take more than a look-up would hold up the
 * products, and may read what a first block stores for nothing. */
static bool is_sliced(const emitter *e) {
  const qn_op *op = e->plan->gemm->op;
  while ((op = qn_fusion_next(e->k->lo, op)))
    if (qn_schedule_of(op)->follows != QN_FOLLOWS_BYTE) return false;
  return true;
}

/* Sums of 0, in which the bias alone is left: one of those that are proved. */
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
  for (int64_t i = 0; i < blocks_of(e, sums) * sums->vectors; i++) sums->at[i] = zero;
}

static qn_value *load_tile(emitter *e, qn_value *memref, qn_value *index, int64_t rows,
                           int64_t stride, int64_t bytes) {
  const qn_type *type = qn_type_vec(e->b->cx, e->i8, rows * bytes);
  return qn_build_1(e->b, QN_OP_QUERN_TILE_LOAD, type, QN_VALUES(memref, index),
                    QN_ATTRS({"rows", qn_attr_i64(e->b->cx, rows)},
                             {"row_stride", qn_attr_i64(e->b->cx, stride)}));
}

static qn_value *dot(emitter *e, qn_value *acc, qn_value *a, qn_value *b) {
  bool x_unsigned = e->plan->gemm->weights->x_unsigned;
  return qn_build_1(e->b, QN_OP_QUERN_TILE_DOT, acc->type, QN_VALUES(acc, a, b),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(e->b->cx, x_unsigned)}));
}

/* Tile j of the pixels of a step, and v of its weights; x and w are where they begin. */
static qn_value *load_pixels(emitter *e, const accumulators *sums, qn_value *x, int64_t j) {
  const qn_gemm_plan *plan = e->plan;
  x = qn_index_add(e->b, x, first_row(e, sums->rows, j) * plan->pixel_stride);
  return load_tile(e, e->x, x, plan->tile_rows, plan->pixel_stride, plan->window_bytes);
}

static qn_value *load_weights(emitter *e, qn_value *w, uint32_t v) {
  int64_t depth = e->plan->window_bytes;
  w = qn_index_add(e->b, w, v * depth * QN_TILE_SUMS);
  return load_tile(e, e->weights, w, depth / QN_TILE_QUAD, QN_TILE_BYTES, QN_TILE_BYTES);
}

static void multiply_tile(emitter *e, accumulators *sums, const slices *s, int64_t slot,
                          qn_value *pixels, qn_value *weights) {
  sums->at[slot] = dot(e, sums->at[slot], pixels, weights);
  put_slice(e, s, slot);
}

/* One step of all tiles. Of two tiles of pixels the weights are loaded once; of one the pixels, so
 * that only one of the weights takes a register at a time. */
static void step(emitter *e, accumulators *sums, const slices *s, qn_value *x, qn_value *w) {
  if (blocks_of(e, sums) == 1) {
    qn_value *pixels = load_pixels(e, sums, x, 0);
    for (uint32_t v = 0; v < sums->vectors; v++)
      multiply_tile(e, sums, s, v, pixels, load_weights(e, w, v));
    return;
  }
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < sums->vectors; v++) weights[v] = load_weights(e, w, v);
  for (int64_t j = 0; j < blocks_of(e, sums); j++) {
    qn_value *pixels = load_pixels(e, sums, x, j);
    for (uint32_t v = 0; v < sums->vectors; v++)
      multiply_tile(e, sums, s, j * sums->vectors + v, pixels, weights[v]);
  }
}

/* Whether all steps are equally far apart, and how far. */
static bool is_spaced(const qn_i32_array *offsets, int64_t *out_step) {
  *out_step = offsets->count > 1 ? offsets->data[1] - offsets->data[0] : 0;
  for (size_t i = 1; i < offsets->count; i++)
    if (offsets->data[i] - offsets->data[i - 1] != *out_step) return false;
  return true;
}

/* Steps [from, to); the slices of step k begin at row k * products * each. */
static void steps(emitter *e, accumulators *sums, const slices *s, qn_value *x, int64_t from,
                  int64_t to) {
  const qn_i32_array *offsets = &e->plan->offsets;
  uint32_t n = (uint32_t)blocks_of(e, sums) * sums->vectors;
  int64_t stride = sums->vectors * e->plan->window_bytes * QN_TILE_SUMS, spacing;
  qn_value *w = e->fields[QN_TILE_WEIGHTS];
  if (to - from == 1) {
    qn_value *pixels = qn_index_add(e->b, x, offsets->data[from]);
    step(e, sums, s, pixels, qn_index_add(e->b, w, from * stride));
    return;
  }
  qn_op *loop = qn_nest_carry(e->b, from, to, 1, sums->at, n);
  const qn_block *body = qn_op_body(loop);
  qn_value *i = body->args[0];
  for (uint32_t a = 0; a < n; a++) sums->at[a] = body->args[1 + a];
  bool spaced = is_spaced(offsets, &spacing);
  qn_value *offset = spaced ? qn_index_affine(e->b, i, spacing, offsets->data[0])
                            : qn_index_load(e->b, e->offsets, i, 0);
  x = qn_gemm_add(e, x, offset);
  w = qn_gemm_add(e, w, qn_index_affine(e->b, i, stride, 0));
  slices of = {0};
  if (s) of = *s, of.first = qn_index_affine(e->b, i, n * s->each, 0);
  step(e, sums, s ? &of : NULL, x, w);
  qn_build_yield(e->b, sums->at, n);
  for (uint32_t a = 0; a < n; a++) sums->at[a] = qn_op_result(loop, a);
}

void qn_tiles_multiply(emitter *e, accumulators *sums, qn_value *x) {
  steps(e, sums, NULL, x, 0, (int64_t)e->plan->offsets.count);
}

/* The same with the results of the block before, spread evenly over as few of the first steps as
 * that takes. */
static void multiply_and_finish(emitter *e, accumulators *sums, const params *p, qn_value *y,
                                qn_value *x) {
  int64_t count = (int64_t)e->plan->offsets.count, products = blocks_of(e, sums) * sums->vectors;
  int64_t each = (sums->rows + products * count - 1) / (products * count);
  int64_t with = (sums->rows + products * each - 1) / (products * each);
  const slices s = {.params = p, .y = y, .rows = sums->rows, .each = each};
  steps(e, sums, &s, x, 0, with);
  if (with < count) steps(e, sums, NULL, x, with, count);
}

/* ---- blocks ---- */

bool qn_tiles_run(emitter *e, qn_gemm_bound lower, qn_gemm_bound upper) {
  bool is_one = !lower.value && !upper.value && upper.known - lower.known <= 1;
  if (is_one || !is_sliced(e)) return false;
  params p = load_params(e);
  accumulators sums = {.rows = e->segment->rows, .vectors = e->shape->vectors};
  qn_value *first = qn_gemm_bound_value(e, lower), *end = qn_gemm_bound_value(e, upper);
  qn_value *y = qn_gemm_block_at(e, first).y;
  qn_op *loop = qn_build_for(e->b, first, end, qn_build_index(e->b, 1), &y, 1);
  const qn_block *body = qn_op_body(loop);
  qn_gemm_place at = qn_gemm_block_at(e, body->args[0]);
  qn_tiles_start(e, &sums);
  multiply_and_finish(e, &sums, &p, body->args[1], at.x);
  spill(e, &sums);
  qn_build_yield(e->b, &at.y, 1);
  /* The last block, if there was one. */
  qn_value *any = qn_build_cmpi(e->b, QN_CMP_SLT, first, end);
  qn_value *all = qn_build_index(e->b, sums.rows);
  all = qn_build_select(e->b, any, all, qn_build_index(e->b, 0));
  y = qn_op_result(loop, 0);
  finish_rows(e, &p, all, 0, 0, (qn_gemm_place){.y = y, .element = y});
  return true;
}

/* Stores accumulators to scratch, and computes results from them, one pixel at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/tiles/results.h"

#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_cursor place;
typedef qn_tiles_params params;

/* ---- accumulators ---- */

int64_t qn_tiles_first(const emitter *e, int64_t rows, int64_t j) {
  int64_t last = rows - qn_tiles_plan_of(e->plan)->rows,
          first = j * qn_tiles_plan_of(e->plan)->rows;
  return first < last ? first : last;
}

int64_t qn_tiles_blocks(const emitter *e, const qn_gemm_accumulators *sums) {
  return (sums->rows + qn_tiles_plan_of(e->plan)->rows - 1) / qn_tiles_plan_of(e->plan)->rows;
}

void qn_tiles_spill(emitter *e, const qn_gemm_accumulators *sums) {
  int64_t width = sums->vectors * QN_TILE_SUMS;
  for (int64_t j = 0; j < qn_tiles_blocks(e, sums); j++)
    for (uint32_t v = 0; v < sums->vectors; v++) {
      int64_t at = j * qn_tiles_plan_of(e->plan)->rows * width + v * QN_TILE_SUMS;
      qn_value *index = qn_build_index(e->b, at);
      qn_build_0(e->b, QN_OP_QUERN_TILE_STORE,
                 QN_VALUES(sums->at[j * sums->vectors + v], e->scratch, index),
                 QN_ATTRS({"row_stride", qn_attr_i64(e->b->cx, width)}));
    }
}

/* ---- places ---- */

static qn_value *divide(emitter *e, qn_op_kind kind, qn_value *index, int64_t by) {
  return qn_build_binary(e->b, kind, index, qn_build_index(e->b, by));
}

/* Position i of a block: offsets and element index. */
static place pixel_at(emitter *e, place at, qn_value *i) {
  const qn_gemm_plan *plan = e->plan;
  int64_t channels = plan->gemm->channels;
  place to = at;
  if (e->row_sums) to.x = qn_gemm_add(e, at.x, qn_index_affine(e->b, i, plan->pixel_stride, 0));
  to.y = qn_gemm_add(e, at.y, qn_index_affine(e->b, i, plan->pixel_y, 0));
  if (e->has_halo) to.element = qn_gemm_add(e, at.element, qn_index_affine(e->b, i, channels, 0));
  if (plan->row_pitch != 0) {
    qn_value *begun = divide(e, QN_OP_ARITH_DIVUI, at.pixel, plan->row_pitch);
    qn_value *wraps = qn_gemm_add(e, at.pixel, i);
    wraps = divide(e, QN_OP_ARITH_DIVUI, wraps, plan->row_pitch);
    wraps = qn_build_binary(e->b, QN_OP_ARITH_SUBI, wraps, begun);
    to.y = qn_gemm_add(e, to.y, qn_index_affine(e->b, wraps, plan->wrap_y, 0));
    qn_value *left_out = qn_index_affine(e->b, wraps, -plan->row_padding * channels, 0);
    if (e->has_halo) to.element = qn_gemm_add(e, to.element, left_out);
  }
  if (!e->has_halo) to.element = to.y;
  return to;
}

static qn_value *column_of(emitter *e, qn_value *pixel) {
  return divide(e, QN_OP_ARITH_REMUI, pixel, e->plan->row_pitch);
}

/* The pixel that is computed for position i. If i is row padding, that is the last pixel of the row
 * before it, or, if that is before the block, the block's first pixel. So padding positions repeat
 * a pixel instead of branching. */
static qn_value *settle(emitter *e, place at, qn_value *i) {
  int64_t row_pitch = e->plan->row_pitch, width = row_pitch - e->plan->row_padding;
  if (e->plan->row_padding == 0) return i;
  qn_value *over = qn_index_add(e->b, column_of(e, qn_gemm_add(e, at.pixel, i)), 1 - width);
  i = qn_build_binary(e->b, QN_OP_ARITH_SUBI, i, qn_nest_max(e->b, over, 0));
  qn_value *column = column_of(e, at.pixel), *none = qn_build_index(e->b, 0);
  qn_value *is_pixel = qn_build_cmpi(e->b, QN_CMP_SLT, column, qn_build_index(e->b, width));
  qn_value *first = qn_index_affine(e->b, column, -1, row_pitch);
  first = qn_build_select(e->b, is_pixel, none, first);
  return qn_build_binary(e->b, QN_OP_ARITH_MAXSI, i, first);
}

/* 1 if position i of the block is an output pixel, 0 if it is row padding. */
static qn_value *is_pixel(emitter *e, place at, qn_value *i) {
  qn_value *width = qn_build_index(e->b, e->plan->row_pitch - e->plan->row_padding);
  qn_value *column = column_of(e, qn_gemm_add(e, at.pixel, i));
  qn_value *is = qn_build_cmpi(e->b, QN_CMP_SLT, column, width);
  qn_value *once = qn_build_index(e->b, 1);
  return qn_build_select(e->b, is, once, qn_build_index(e->b, 0));
}

/* ---- results ---- */

static const qn_tiles_reals *reals_of(const emitter *e) {
  return qn_bytes_of(e->plan->gemm)->reals;
}

static params load_reals(emitter *e, const qn_tiles_reals *reals) {
  params p = {0};
  int64_t width = e->shape->vectors * QN_TILE_SUMS;
  for (uint32_t v = 0; v < e->shape->vectors; v++)
    for (uint32_t w = 0; w < reals->words; w++)
      p.reals[v][w] = qn_vec_load(e->b, e->params, e->fields[QN_TILE_PARAMS],
                                  w * width + v * QN_TILE_SUMS, QN_TILE_SUMS);
  if (reals->load) reals->load(e, reals->user, &p);
  return p;
}

params qn_tiles_load_params(emitter *e) {
  if (reals_of(e)) return load_reals(e, reals_of(e));
  params p = {0};
  int64_t words = qn_epilogue_words(e->shape->kind) * e->plan->lanes;
  qn_value *at = e->fields[QN_TILE_PARAMS];
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    p.start[v] =
        e->plan->gemm->packs
            ? qn_bytes_load_start(e, v)
            : qn_epilogue_load_start(e->b, qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind,
                                     e->params, at, v * words, e->plan->lanes);
    p.words[v] = qn_epilogue_load(e->b, qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind,
                                  e->params, at, v * words, e->plan->lanes, e->plan->lanes);
  }
  return p;
}

static void finish_reals(emitter *e, const params *p, qn_value *from, place at) {
  const qn_tiles_reals *reals = reals_of(e);
  qn_value *sums[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < e->shape->vectors; v++)
    sums[v] = qn_vec_load(e->b, e->scratch, from, v * QN_TILE_SUMS, QN_TILE_SUMS);
  reals->finish(e, reals->user, p, sums, at);
}

/* Computes and stores the results of one pixel, whose accumulators begin at scratch[from]. */
static void finish_row(emitter *e, const params *p, qn_value *from, place at) {
  const qn_gemm *g = e->plan->gemm;
  if (reals_of(e)) {
    finish_reals(e, p, from, at);
    return;
  }
  qn_value *sums[QN_EPILOGUE_MAX_VECTORS];
  qn_value *term = e->row_sums ? qn_runtime_pack_row_sum(e, at.x, 0) : NULL;
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    qn_value *raw = qn_vec_load(e->b, e->scratch, from, v * QN_TILE_SUMS, QN_TILE_SUMS);
    raw = qn_gemm_add(e, raw, p->start[v]);
    if (term) raw = qn_gemm_add(e, raw, term);
    sums[v] = qn_epilogue_apply(e->b, qn_bytes_of(g)->epilogue, e->shape->kind, &p->words[v], raw);
  }
  qn_vec_store(e->b, qn_bytes_of_pixels(e, sums, 1, NULL, at.element), e->y, at.y, 0);
}

void qn_tiles_finish_rows(emitter *e, const params *p, qn_value *count, int64_t first, int64_t from,
                          place at) {
  int64_t width = e->shape->vectors * QN_TILE_SUMS;
  bool skips = e->plan->row_padding != 0;
  qn_value *i = qn_nest_begin(e->b, qn_build_index(e->b, 0), count, 1);
  qn_value *number = qn_index_add(e->b, i, first);
  if (skips) {
    qn_value *none = qn_build_index(e->b, 0);
    qn_nest_begin(e->b, none, is_pixel(e, at, number), 1);
  }
  qn_value *sums = qn_index_affine(e->b, i, width, from * width);
  finish_row(e, p, sums, pixel_at(e, at, number));
  if (skips) qn_nest_end(e->b);
  qn_nest_end(e->b);
}

void qn_tiles_finish(emitter *e, qn_gemm_accumulators *sums, place at) {
  int64_t rows = qn_tiles_plan_of(e->plan)->rows, blocks = qn_tiles_blocks(e, sums);
  qn_tiles_spill(e, sums);
  params p = qn_tiles_load_params(e);
  if (blocks * rows == sums->rows) {
    qn_tiles_finish_rows(e, &p, qn_build_index(e->b, sums->rows), 0, 0, at);
    return;
  }
  for (int64_t j = 0; j < blocks; j++) {
    int64_t first = j * rows, end = j + 1 < blocks ? first + rows : sums->rows;
    int64_t from = first + first - qn_tiles_first(e, sums->rows, j);
    qn_tiles_finish_rows(e, &p, qn_build_index(e->b, end - first), first, from, at);
  }
}

void qn_tiles_put_slice(emitter *e, const qn_tiles_slices *s, int64_t slot) {
  if (!s) return;
  int64_t width = e->shape->vectors * QN_TILE_SUMS;
  qn_value *none = qn_build_index(e->b, 0), *first = s->first ? s->first : none;
  for (int64_t i = slot * s->each; i < (slot + 1) * s->each; i++) {
    if (!s->first && i >= s->rows) return;
    qn_value *row = qn_index_add(e->b, first, i);
    if (s->first) row = qn_nest_min(e->b, row, s->rows - 1);
    row = settle(e, s->at, row);
    qn_value *from = qn_index_affine(e->b, row, width, 0);
    finish_row(e, s->params, from, pixel_at(e, s->at, row));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/hybrid_tiles.h"

#include <string.h>

#include "lower/loops/matrix/tiles/results.h"
#include "lower/loops/narrow/reals.h"
#include "lower/loops/nest.h"

enum { WEIGHTS = 3, WEIGHT_SCALES, BIAS };
/* qn_gemm.more; parameters of a channel (32 bits each). */
enum { SCALES, ZEROS, GIVEN_BIAS };
enum { TOTAL, SCALE, CHANNEL_BIAS, WORDS };

typedef struct epilogue {
  const qn_hybrid_product *product;
  const int32_t *weights;       /* [channel][k] */
  const qn_attr *scales, *bias; /* bias: NULL if it is not constant */
} epilogue;

/* ---- the product ---- */

/* Rows of ml.linear may be in lines, one per element of a dynamic batch; those of a convolution are
 * pixels of images. */
static void set_rows(const qn_loops *lo, const qn_hybrid_product *p, qn_gemm *g) {
  const qn_narrow_rows *r = p->rows;
  bool in_images = p->op->kind == QN_OP_ML_HYBRID_CONV;
  int64_t images = in_images ? r->lines / r->lines_per_image : r->lines;
  const int64_t counts[] = {images, r->lines / images, r->rows};
  const int64_t strides[] = {in_images ? r->x_image : r->x_line, r->x_line, r->x_row};
  const int64_t y_strides[] = {in_images ? r->y_image : r->y_line, r->y_line, r->y_row};
  memcpy(g->counts, counts, sizeof counts);
  memcpy(g->strides, strides, sizeof strides);
  memcpy(g->y_strides, y_strides, sizeof y_strides);
  QN_ASSERT(r->y_first == 0); /* results are dense: row_of */
  g->by_image = qn_loops_size(lo, &p->op->results[0]) != QN_SIZE_FIXED;
}

static const int64_t *taps_of(qn_arena *arena, const qn_narrow_rows *r) {
  int64_t *taps = QN_NEW_ARRAY(arena, (size_t)(r->runs * r->run), int64_t);
  for (int64_t run = 0; run < r->runs; run++) {
    int64_t outer = run / r->inner_runs, inner = run % r->inner_runs;
    for (int64_t k = 0; k < r->run; k++)
      taps[run * r->run + k] = outer * r->x_outer + inner * r->x_inner + k;
  }
  return taps;
}

static qn_gemm gemm_of(qn_loops *lo, const qn_hybrid_product *p, const qn_bytes_product *own) {
  static const qn_gemm_micro *const candidates[] = {&qn_gemm_tiles_to_reals, NULL};
  const qn_gemm g = {.op = p->op,
                     .stem = "hybrid",
                     .candidates = candidates,
                     .channels = p->channels,
                     .tap_count = p->depth,
                     .own = own,
                     .taps = taps_of(lo->scratch, p->rows),
                     .groups = 1,
                     .x = p->x,
                     .more = {[SCALES] = p->scales, [ZEROS] = p->zeros, [GIVEN_BIAS] = p->bias}};
  qn_gemm with = qn_gemm_with(&g, &qn_gemm_tiles_to_reals, lo->target);
  with.extent = g.taps[p->depth - 1] + 1;
  set_rows(lo, p, &with);
  return with;
}

bool qn_hybrid_tiles_pay(qn_loops *lo, const qn_hybrid_product *p, double vector_cycles) {
  if (lo->target->tiles.count == 0) return false;
  const qn_weights weights = {.channels = p->channels, .taps = p->depth, .x_unsigned = true};
  const qn_tiles_reals reals = {.words = WORDS};
  const qn_bytes_product own = {.weights = &weights, .reals = &reals};
  const qn_gemm g = gemm_of(lo, p, &own);
  return !g.micro->problem(&g, lo->target) && qn_gemm_cycles(&g, lo->target) < vector_cycles;
}

/* ---- parameters of a channel ---- */

static int32_t bits_of(double value) {
  const float number = (float)value;
  int32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static int32_t total_of(const epilogue *e, int64_t channel) {
  int64_t total = 0, depth = e->product->depth;
  for (int64_t k = 0; k < depth; k++) total += e->weights[channel * depth + k];
  return (int32_t)total;
}

static int32_t word_of(const void *user, int64_t channel, uint32_t word) {
  const epilogue *e = user;
  if (word == TOTAL) return total_of(e, channel);
  if (word == SCALE) return bits_of(qn_dense_float(e->scales, channel));
  return e->bias ? bits_of(qn_dense_float(e->bias, channel)) : 0;
}

/* Loads vector v of a bias that is computed at run time; 0 in lanes without a channel. */
static qn_value *given_bias(qn_gemm_emitter *e, uint32_t v) {
  int64_t mask[QN_TILE_SUMS], left = e->shape->valid - v * QN_TILE_SUMS;
  int64_t valid = left < QN_TILE_SUMS ? left : QN_TILE_SUMS;
  qn_value *bias =
      qn_vec_load(e->b, e->more[GIVEN_BIAS], e->fields[QN_TILE_CHANNEL], v * QN_TILE_SUMS, valid);
  if (valid == QN_TILE_SUMS) return bias;
  for (int64_t i = 0; i < QN_TILE_SUMS; i++) mask[i] = i < valid ? i : valid;
  return qn_vec_shuffle(e->b, bias, qn_build_float(e->b, 0, bias->type), mask, QN_TILE_SUMS);
}

static void load(qn_gemm_emitter *e, const void *user, qn_tiles_params *params) {
  (void)user;
  const qn_type *f32 = qn_type_float(e->b->cx, QN_F32);
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    qn_value **words = params->reals[v];
    words[SCALE] = qn_vec_bitcast(e->b, words[SCALE], f32);
    words[CHANNEL_BIAS] =
        e->more[GIVEN_BIAS] ? given_bias(e, v) : qn_vec_bitcast(e->b, words[CHANNEL_BIAS], f32);
  }
}

/* ---- results ---- */

/* Index of the scale and zero point of a pixel: results are dense. */
static qn_value *range_of(qn_gemm_emitter *e, const qn_hybrid_product *p, qn_value *y) {
  qn_value *each = qn_build_index(e->b, p->channels * p->rows_of_range);
  return qn_build_binary(e->b, QN_OP_ARITH_DIVUI, y, each);
}

static void finish(qn_gemm_emitter *e, const void *user, const qn_tiles_params *params,
                   qn_value *const *sums, qn_gemm_cursor at) {
  const qn_hybrid_product *p = ((const epilogue *)user)->product;
  qn_value *range = range_of(e, p, at.y);
  qn_narrow_row row;
  row.scale = qn_narrow_row_number(e->b, e->more[SCALES], range, QN_TILE_SUMS);
  row.zero = qn_narrow_row_number(e->b, e->more[ZEROS], range, QN_TILE_SUMS);
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    qn_value *const *words = params->reals[v];
    int64_t left = e->shape->valid - v * QN_TILE_SUMS;
    const qn_narrow_channel n = {
        .scale = words[SCALE], .bias = words[CHANNEL_BIAS], .total = words[TOTAL]};
    qn_value *y = qn_narrow_real(e->b, p->op, sums[v], &row, &n);
    if (left < QN_TILE_SUMS) y = qn_vec_slice(e->b, y, 0, left);
    qn_vec_store(e->b, y, e->y, at.y, v * QN_TILE_SUMS);
  }
}

qn_status qn_hybrid_tiles_lower(qn_loops *lo, const qn_hybrid_product *p) {
  int64_t count = p->channels * p->depth;
  int32_t *values = QN_NEW_ARRAY(lo->scratch, (size_t)count, int32_t);
  const qn_attr *stored = qn_loops_payload(p->op, WEIGHTS);
  for (int64_t i = 0; i < count; i++) values[i] = (int8_t)qn_dense_int(stored, i);
  epilogue of = {p, values, qn_loops_payload(p->op, WEIGHT_SCALES), NULL};
  if (p->op->operand_count > BIAS && !p->bias) of.bias = qn_loops_payload(p->op, BIAS);
  const qn_weights weights = {.channels = p->channels,
                              .taps = p->depth,
                              .constant = true,
                              .values = values,
                              .x_unsigned = true};
  const qn_tiles_reals reals = {
      .user = &of, .words = WORDS, .word = word_of, .load = load, .finish = finish};
  const qn_bytes_product own = {.weights = &weights, .reals = &reals};
  const qn_gemm g = gemm_of(lo, p, &own);
  return qn_gemm_lower(lo, &g);
}

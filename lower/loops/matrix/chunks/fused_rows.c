/* Matrix products with a fused producer of x, which computes a few rows at a time in the kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/schedule.h"

/* ---- when fusion pays ---- */

static int64_t row_bytes(const qn_gemm *g) {
  return g->strides[1] * qn_type_bytes(qn_type_element(qn_op_operand(g->op, 0)->type));
}

/* Rows per chunk: a few M tiles, so that a chunk about fits in L1d. */
static int64_t chunk_rows(const qn_gemm *g) {
  enum { PIXELS = 56 };
  int64_t pixels = g->counts[QN_GEMM_DIMS - 1], rows = (PIXELS + pixels - 1) / pixels;
  int64_t most = QN_PRODUCER_BYTES / row_bytes(g), all = g->counts[0] * g->counts[1];
  if (rows > most) rows = most;
  return rows < all ? rows : all;
}

/* Whether each result reads exactly one pixel of x, as in a 1x1 convolution of stride 1. */
static bool is_by_pixel(const qn_gemm *g) {
  bool contiguous = true;
  for (int64_t t = 0; t < g->tap_count && contiguous; t++) contiguous = g->taps[t] == t;
  return contiguous && g->groups == 1 && g->strides[2] == g->tap_count &&
         g->strides[1] == g->counts[2] * g->strides[2] &&
         g->strides[0] == g->counts[1] * g->strides[1];
}

/* Whether all weights, which are read once per chunk, leave room in L2. */
static bool has_room(const qn_gemm *g, const qn_target *target) {
  enum { SHARE = 2 };
  int64_t panels = g->channels * (g->tap_count + 1) * g->micro->sum_bytes;
  return panels <= target->l2_bytes / SHARE;
}

bool qn_fused_rows_pays(const qn_loops *lo, const qn_gemm *gemm, const qn_op *from) {
  const double slower = 4; /* L3 loads, relative to L2 */
  const qn_target *target = lo->target;
  qn_gemm fed = *gemm;
  fed.producer = from;
  if (target->l2_bytes == 0 || !is_by_pixel(gemm) || !has_room(gemm, target)) return false;
  int64_t read = qn_type_size(qn_op_operand(from, 0)->type);
  int64_t made = qn_type_size(from->results[0].type);
  if (read + made <= target->l2_bytes / 2 || row_bytes(gemm) > QN_PRODUCER_BYTES) return false;
  double gain = 2.0 * (double)made * slower / target->l2_bytes_per_cycle;
  return qn_gemm_cycles(&fed, target) - qn_gemm_cycles(gemm, target) < gain;
}

/* ---- in the kernel ---- */

qn_status qn_fused_rows_open(qn_loops *lo, qn_gemm_emitter *e) {
  const qn_op *from = e->plan->gemm->producer;
  return qn_schedule_of(from)->producer->open(lo, from, &e->source_of_x);
}

void qn_fused_rows_begin(qn_loops *lo, qn_gemm_emitter *e) {
  const qn_gemm *g = e->plan->gemm;
  e->chunk = chunk_rows(g);
  const qn_type *element = qn_type_element(e->producer[0]->type);
  const qn_type *type = qn_type_buf(lo->cx, element, e->chunk * g->strides[1]);
  e->x = qn_build_1(e->b, QN_OP_QUERN_SCRATCH, type, NULL, 0, NULL);
}

void qn_fused_rows_make(qn_gemm_emitter *e) {
  const qn_producer *producer = qn_schedule_of(e->plan->gemm->producer)->producer;
  e->first = e->k->lower;
  producer->make(e->k, &e->source_of_x, e->producer,
                 (qn_producer_rows){e->k->lower, e->k->upper, e->x});
}

qn_value *qn_fused_rows_row(qn_gemm_emitter *e, qn_value *row) {
  row = qn_build_binary(e->b, QN_OP_ARITH_SUBI, row, e->first);
  return qn_index_affine(e->b, row, e->plan->row_stride[1], 0);
}

qn_value *qn_fused_rows_prefetch_source(qn_gemm_emitter *e, int64_t tiles_of_row,
                                        int64_t *out_elements) {
  const qn_producer_source *source = &e->source_of_x;
  int64_t all = e->chunk * source->row_step;
  int64_t tiles = e->plan->tile_count * e->chunk * tiles_of_row, each = (all + tiles - 1) / tiles;
  QN_ASSERT(tiles > 0 && each >= 0);
  qn_value *row = qn_build_binary(e->b, QN_OP_ARITH_SUBI, e->row, e->first);
  qn_value *done = qn_gemm_add(e, qn_index_affine(e->b, e->panel, e->chunk, 0), row);
  done = qn_index_affine(e->b, done, tiles_of_row, e->tiles_before);
  done = qn_index_affine(e->b, qn_gemm_add(e, done, e->tile), each, 0);
  int64_t begin = all - source->row_step + source->read_to;
  qn_value *from = qn_index_affine(e->b, e->first, source->row_step, begin);
  *out_elements = each;
  return qn_gemm_add(e, from, done);
}

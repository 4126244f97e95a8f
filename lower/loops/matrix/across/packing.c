/* Covers taps with groups of quads, and packs their weights: of each group, those of each channel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/across/across.h"

/* The number of bytes that hold the widest weight. */
static int64_t parts_of(const qn_dot *dot, const qn_weights *w) {
  int64_t parts = 1;
  for (int64_t i = 0; i < w->channels * w->taps; i++) {
    int32_t rest = w->values[i];
    int64_t count = 0;
    for (; rest != 0; count++) rest -= qn_dot_hold(dot, rest);
    if (count > parts) parts = count;
  }
  return parts;
}

static uint8_t part_of(const qn_dot *dot, int32_t weight, int64_t part) {
  for (; part > 0; part--) weight -= qn_dot_hold(dot, weight);
  return (uint8_t)qn_dot_hold(dot, weight);
}

/* Puts `count` quads, of which those of the first `runs` groups are consecutive, into groups. */
static void form_groups(qn_arena *scratch, const qn_quad_taps *quads, uint32_t count,
                        qn_across_plan *own) {
  own->count = (count + QN_ACROSS_QUADS - 1) / QN_ACROSS_QUADS;
  qn_across_group *groups = QN_NEW_ARRAY(scratch, own->count, qn_across_group);
  for (uint32_t q = 0; q < count; q++) {
    qn_across_group *to = &groups[q / QN_ACROSS_QUADS];
    if (q % QN_ACROSS_QUADS == 0) to->weights = QN_QUAD * (int64_t)q;
    to->offsets[to->quads++] = quads[q].offset;
  }
  own->groups = groups;
  own->channel_bytes = QN_QUAD * (int64_t)count;
}

/* Covers taps with vectors of x, which never leave a pixel's bytes; returns their number of quads.
 */
static uint32_t cover_by_vectors(const qn_gemm *g, qn_quad_taps *out_quads) {
  uint32_t count = 0;
  for (int64_t t = 0; t < g->tap_count; count += QN_ACROSS_QUADS) {
    int64_t first =
        g->taps[t] < g->extent - QN_ACROSS_BYTES ? g->taps[t] : g->extent - QN_ACROSS_BYTES;
    for (int64_t q = 0; q < QN_ACROSS_QUADS; q++)
      out_quads[count + q] = (qn_quad_taps){first + q * QN_QUAD, {-1, -1, -1, -1}};
    for (; t < g->tap_count && g->taps[t] < first + QN_ACROSS_BYTES; t++) {
      int64_t at = g->taps[t] - first;
      out_quads[count + at / QN_QUAD].taps[at % QN_QUAD] = (int32_t)t;
    }
  }
  return count;
}

/* Bytes of zeros that the weights of all channels may take so that x is loaded or joined in fewer
 * instructions: few, and where constants are kept small, few of all constants of the function. */
static int64_t most_padding(const qn_loops *lo) {
  enum { MOST = 512, SHARE = 256 };
  int64_t share = lo->constant_bytes / SHARE;
  return lo->target->narrow16 && share < MOST ? share : MOST;
}

/* Fills the last group with quads that have no weights and that are loaded already. Returns the
 * number of quads. */
static uint32_t fill_group(const qn_loops *lo, const qn_gemm *g, qn_quad_taps *quads,
                           uint32_t count) {
  uint32_t all = (count + QN_ACROSS_QUADS - 1) / QN_ACROSS_QUADS * QN_ACROSS_QUADS;
  if ((int64_t)(all - count) * QN_QUAD * g->channels > most_padding(lo)) return count;
  for (uint32_t q = count; q < all; q++) {
    uint32_t first = q / QN_ACROSS_QUADS * QN_ACROSS_QUADS;
    quads[q] =
        (qn_quad_taps){quads[first + (q - count) % (count - first)].offset, {-1, -1, -1, -1}};
  }
  return all;
}

/* Covers taps with quads; or with vectors, which one load contains, if their weights take at most a
 * few bytes more. The first `runs` groups of quads are vectors. */
static const qn_quad_taps *cover(const qn_loops *lo, const qn_gemm *g, qn_across_plan *own,
                                 uint32_t *out_count) {
  qn_arena *scratch = lo->scratch;
  qn_quad_taps *quads = QN_NEW_ARRAY(scratch, (size_t)g->tap_count + QN_ACROSS_QUADS, qn_quad_taps);
  uint32_t count = qn_quads_cover(g->taps, g->tap_count, g->extent, quads, &own->bytes.quad_bytes);
  QN_ASSERT(own->bytes.quad_bytes == QN_QUAD); /* problem_of */
  if (g->extent >= QN_ACROSS_BYTES) {
    qn_quad_taps *wide =
        QN_NEW_ARRAY(scratch, QN_ACROSS_QUADS * (size_t)g->tap_count, qn_quad_taps);
    *out_count = cover_by_vectors(g, wide);
    own->bytes.runs = *out_count / QN_ACROSS_QUADS;
    if (((int64_t)*out_count - count) * QN_QUAD * g->channels <= most_padding(lo)) return wide;
  }
  own->bytes.runs = qn_quads_form_runs(quads, count, QN_ACROSS_QUADS, scratch);
  *out_count = fill_group(lo, g, quads, count);
  return quads;
}

/* Appends the weights of a tile: of each part and group, those of each channel. */
static void pack_panel(qn_gemm_plan *plan, const qn_gemm_tile *tile, const qn_quad_taps *quads) {
  const qn_across_plan *own = plan->own;
  const qn_weights *w = qn_bytes_of(plan->gemm)->weights;
  for (int64_t part = 0; part < own->parts; part++)
    for (uint32_t i = 0; i < own->count; i++)
      for (int64_t c = 0; c < tile->valid; c++)
        for (int64_t b = 0; b < own->groups[i].quads * QN_QUAD; b++) {
          int32_t tap = quads[i * QN_ACROSS_QUADS + b / QN_QUAD].taps[b % QN_QUAD];
          int32_t weight = tap < 0 ? 0 : qn_weights_of(w, tile->first + c)[tap];
          qn_array_push(&plan->weights, part_of(plan->gemm->dot, weight, part));
        }
}

/* Initial accumulators: the bias, and the compensation of the offset of x. */
static void find_starts(const qn_gemm_plan *plan, const qn_gemm_tile *tile, int32_t *out_start) {
  const qn_weights *w = qn_bytes_of(plan->gemm)->weights;
  uint32_t offset = (uint32_t)qn_dot_offset(plan->gemm->dot, w->x_unsigned);
  for (int64_t c = 0; c < plan->lanes; c++) {
    uint32_t sum = 0;
    out_start[c] = 0;
    if (c >= tile->valid) continue;
    for (int64_t t = 0; t < w->taps; t++) sum += (uint32_t)qn_weights_of(w, tile->first + c)[t];
    out_start[c] = (int32_t)((uint32_t)w->bias[tile->first + c] - offset * sum);
  }
}

qn_status qn_across_pack(qn_loops *lo, qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  const qn_weights *w = qn_bytes_of(g)->weights;
  qn_across_plan *own = QN_NEW(lo->scratch, qn_across_plan);
  uint32_t count;
  const qn_quad_taps *quads = cover(lo, g, own, &count);
  own->parts = parts_of(g->dot, w);
  form_groups(lo->scratch, quads, count, own);
  plan->own = own;
  qn_bytes_push_shared(plan);
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[QN_GEMM_TILE_CHANNELS];
    int32_t start[QN_GEMM_TILE_CHANNELS];
    QN_ASSERT(tile->vectors == 1);
    qn_bytes_tile_channels(plan, tile, channels);
    for (int64_t c = 0; c < tile->valid; c++) QN_ASSERT(channels[c] == tile->first + c);
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)plan->weights.count;
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    tile->fields[qn_tile_steps(QN_STEP_PLAIN)] = (int32_t)count;
    pack_panel(plan, tile, quads);
    find_starts(plan, tile, start);
    qn_bytes_pack_params(plan, tile, channels, start);
    QN_TRY(qn_gemm_check_size(lo, plan, (int64_t)plan->weights.count));
  }
  /* The last product reads a whole vector of weights. */
  for (int64_t b = own->groups[own->count - 1].quads * QN_QUAD; b < QN_ACROSS_BYTES; b++)
    qn_array_push(&plan->weights, 0);
  qn_across_list_offsets(plan);
  return QN_OK;
}

/* Cutting a matrix product into tiles, and packing its constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VECTORS = QN_EPILOGUE_MAX_VECTORS, MAX_ROWS = 16, UNIT_PIXELS = 12 };

/* ---- output pixels ---- */

/* Merges neighbouring dimensions (but no image into a row, by_image) whose pixels are equally
 * spaced throughout, in x and y; what remains is one innermost dimension (a row) and up to two
 * around it. */
static void plan_pixels(const qn_gemm *g, qn_gemm_plan *plan) {
  int64_t counts[QN_GEMM_DIMS], strides[QN_GEMM_DIMS], ys[QN_GEMM_DIMS]; /* innermost first */
  int rank = 0;
  for (int i = QN_GEMM_DIMS - 1; i >= 0; i--) {
    bool images = i == 0 && g->by_image;
    if (images && rank == 0) counts[rank] = 1, strides[rank] = ys[rank] = 0, rank++;
    if (g->counts[i] == 1) continue;
    bool merges = rank > 0 && !images && g->strides[i] == counts[rank - 1] * strides[rank - 1] &&
                  g->y_strides[i] == counts[rank - 1] * ys[rank - 1];
    if (merges) {
      counts[rank - 1] *= g->counts[i];
    } else {
      counts[rank] = g->counts[i];
      strides[rank] = g->strides[i];
      ys[rank++] = g->y_strides[i];
    }
  }
  for (; rank < QN_GEMM_DIMS; rank++) counts[rank] = 1, strides[rank] = ys[rank] = 0;
  plan->pixels = counts[0];
  plan->pixel_stride = strides[0];
  plan->pixel_y = ys[0];
  for (int i = 0; i < 2; i++) {
    plan->row_count[i] = counts[2 - i];
    plan->row_stride[i] = strides[2 - i];
    plan->row_y[i] = ys[2 - i];
  }
}

/* ---- tile shapes ---- */

/* Each loop over tiles of one shape is code to generate: worth this share of the time. */
static const double loop_cost = 0.02;

/* Most pixels of a tile of `vectors` vectors such that nothing is spilled. With 16 registers and
 * without a byte dot product, the products need registers too. */
static int64_t max_rows(const qn_target *target, uint32_t vectors) {
  int64_t accumulators = target->vector_registers == 32 ? (target->dot == QN_DOT_U8S8 ? 24 : 16)
                                                        : (target->dot == QN_DOT_U8S8 ? 12 : 8);
  if (target->vector_registers == 16 && vectors == MAX_VECTORS) accumulators = 8;
  int64_t rows = accumulators / vectors;
  return rows < MAX_ROWS ? rows : MAX_ROWS;
}

/* Cycles per quad of a tile: what bounds it of multiplications, loads, and the latency of a chain.
 */
static double quad_cycles(const qn_target *target, int64_t rows, uint32_t vectors) {
  if (rows == 0) return 0;
  double product = target->dot == QN_DOT_U8S8 ? 0.5 : target->dot == QN_DOT_MADD ? 1 : 2;
  double latency = target->dot == QN_DOT_U8S8 ? 5 : 1;
  double cycles = product * (double)rows * vectors, loads = 0.5 * ((double)rows + vectors);
  if (cycles < loads) cycles = loads;
  return cycles < latency ? latency : cycles;
}

/* The number of pixels per tile with which a row of `pixels` is done first, and the cycles per quad
 * of the row. `unit`: it must divide this number, unless 0. */
static int64_t best_rows(const qn_target *target, uint32_t vectors, int64_t pixels, int64_t unit,
                         double *out_cycles) {
  int64_t best = 1;
  double best_cycles = 0;
  for (int64_t rows = 1; rows <= max_rows(target, vectors) && rows <= pixels; rows++) {
    if (unit != 0 && unit % rows != 0) continue;
    double cycles = (double)(pixels / rows) * quad_cycles(target, rows, vectors) +
                    quad_cycles(target, pixels % rows, vectors);
    if (pixels % rows != 0) cycles *= 1 + loop_cost;
    if (rows == 1 || cycles <= best_cycles) best = rows, best_cycles = cycles;
  }
  *out_cycles = best_cycles;
  return best;
}

/* Cycles of one tile of channels over a row of pixels: quads, and the epilogue of about four
 * instructions per vector and three or four to narrow. */
static double tile_cycles(const qn_target *target, uint32_t vectors, int64_t pixels, int64_t taps) {
  if (vectors == 0) return 0;
  double per_quad;
  best_rows(target, vectors, pixels, 0, &per_quad);
  double epilogue = 2.0 * vectors + (vectors % 4 == 0 ? 1.5 : 2);
  return per_quad * (double)((taps + QN_QUAD - 1) / QN_QUAD) + epilogue * (double)pixels;
}

/* How many vectors a tile should have when there are `vectors` in all. */
static int64_t tile_vectors(const qn_target *target, int64_t vectors, int64_t pixels,
                            int64_t taps) {
  int64_t best = 1;
  double best_cycles = 0;
  for (int64_t n = 1; n <= MAX_VECTORS && n <= vectors; n++) {
    uint32_t rest = (uint32_t)(vectors % n);
    double cycles = (double)(vectors / n) * tile_cycles(target, (uint32_t)n, pixels, taps) +
                    tile_cycles(target, rest, pixels, taps);
    if (rest != 0) cycles *= 1 + loop_cost;
    if (n == 1 || cycles <= best_cycles) best = n, best_cycles = cycles;
  }
  return best;
}

/* ---- tiles of channels ---- */

static void tile_channels(const qn_gemm_plan *plan, const qn_gemm_tile *tile,
                          int64_t *out_channels) {
  for (uint32_t v = 0; v < tile->vectors; v++)
    for (int64_t l = 0; l < plan->lanes; l++) {
      int64_t c = qn_epilogue_lane_channel(tile->vectors, v, l);
      out_channels[v * plan->lanes + l] = c < tile->valid ? tile->fields[QN_TILE_CHANNEL] + c : -1;
    }
}

enum { MAX_TILE_CHANNELS = MAX_VECTORS * 16 };

static void cut_channels(qn_loops *lo, const qn_gemm *g, qn_gemm_plan *plan) {
  int64_t per_group = g->weights->channels / g->groups;
  int64_t vectors = (per_group + plan->lanes - 1) / plan->lanes;
  int64_t width = plan->lanes * /* channels of a full tile */
                  tile_vectors(lo->target, vectors, plan->pixels, g->weights->taps);
  int64_t tiles = (per_group + width - 1) / width;
  plan->tile_count = (uint32_t)(tiles * g->groups);
  plan->tiles = QN_NEW_ARRAY(lo->scratch, plan->tile_count, qn_gemm_tile);
  qn_gemm_tile *tile = plan->tiles;
  for (int64_t group = 0; group < g->groups; group++)
    for (int64_t from = 0; from < per_group; from += width, tile++) {
      tile->valid = per_group - from < width ? per_group - from : width;
      tile->vectors = (uint32_t)((tile->valid + plan->lanes - 1) / plan->lanes);
      tile->fields[QN_TILE_X] = (int32_t)(group * g->group_stride);
      tile->fields[QN_TILE_CHANNEL] = (int32_t)(group * per_group + from);
      int64_t channels[MAX_TILE_CHANNELS];
      tile_channels(plan, tile, channels);
      tile->kind = qn_epilogue_kind_of(g->epilogue, channels, tile->vectors * plan->lanes);
    }
}

/* The epilogue is at most a tenth of the work with this many quads. */
enum { LONG_SUM = 24 };

/* Few kinds of epilogues: less code, and kernels that several layers share. */
static void settle_kinds(const qn_gemm *g, qn_gemm_plan *plan) {
  uint32_t tiles[QN_EPILOGUE_KINDS] = {0};
  for (uint32_t t = 0; t < plan->tile_count; t++) tiles[plan->tiles[t].kind]++;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[MAX_TILE_CHANNELS];
    tile_channels(plan, tile, channels);
    qn_epilogue_kind goal =
        qn_epilogue_goal(tiles, tile->kind, g->weights->taps < LONG_SUM * QN_QUAD);
    if (goal != tile->kind &&
        qn_epilogue_serves(g->epilogue, goal, channels, tile->vectors * plan->lanes))
      tile->kind = goal;
  }
}

static bool same_segment(const qn_gemm_tile *a, const qn_gemm_tile *b) {
  return a->vectors == b->vectors && a->valid == b->valid && a->kind == b->kind;
}

/* Wide tiles first, then by epilogue, else in the order of channels. */
static int compare_tiles(const void *left, const void *right) {
  const qn_gemm_tile *a = left, *b = right;
  if (a->valid != b->valid) return a->valid > b->valid ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->fields[QN_TILE_CHANNEL] < b->fields[QN_TILE_CHANNEL] ? -1 : 1;
}

static void form_segments(qn_loops *lo, qn_gemm_plan *plan) {
  qsort(plan->tiles, plan->tile_count, sizeof *plan->tiles, compare_tiles);
  plan->segments = QN_NEW_ARRAY(lo->scratch, plan->tile_count, qn_gemm_segment);
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    if (t == 0 || !same_segment(&plan->tiles[t - 1], &plan->tiles[t]))
      plan->segments[plan->segment_count++].begin = t;
    plan->segments[plan->segment_count - 1].end = t + 1;
  }
}

/* ---- units of work ---- */

static void plan_units(const qn_target *target, qn_gemm_plan *plan) {
  int64_t rows = plan->row_count[0] * plan->row_count[1];
  uint32_t widest = plan->tiles[0].vectors;
  double cycles;
  int64_t best = best_rows(target, widest, plan->pixels, 0, &cycles);
  plan->unit = rows == 1 ? QN_UNIT_PIXELS : QN_UNIT_ROWS;
  plan->unit_pixels = best * ((UNIT_PIXELS + best - 1) / best);
  plan->units = rows == 1 ? (plan->pixels + plan->unit_pixels - 1) / plan->unit_pixels : rows;
  if (!plan->gemm->by_image && plan->units < 4 && plan->units < plan->tile_count) {
    plan->unit = QN_UNIT_CHANNELS;
    plan->units = plan->tile_count;
  }
  int64_t divides = plan->unit == QN_UNIT_PIXELS ? plan->unit_pixels : 0;
  for (uint32_t s = 0; s < plan->segment_count; s++) {
    uint32_t vectors = plan->tiles[plan->segments[s].begin].vectors;
    plan->segments[s].rows = best_rows(target, vectors, plan->pixels, divides, &cycles);
  }
}

/* ---- constants ---- */

static void pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                        const int32_t *start) {
  int64_t words = qn_epilogue_words(tile->kind) * plan->lanes;
  for (uint32_t v = 0; v < tile->vectors; v++) {
    int64_t at = v * plan->lanes;
    qn_array_reserve(&plan->params, plan->params.count + (size_t)words);
    qn_epilogue_fill(plan->gemm->epilogue, tile->kind, channels + at, start + at, plan->lanes,
                     plan->params.data + plan->params.count);
    plan->params.count += (size_t)words;
  }
}

/* Drops the list of quad offsets that was just appended when the previous tile's is the same. */
static size_t share_offsets(qn_gemm_plan *plan, size_t begin, size_t previous) {
  size_t count = plan->offsets.count - begin;
  if (previous + count > begin) return begin;
  if (memcmp(plan->offsets.data + previous, plan->offsets.data + begin,
             count * sizeof *plan->offsets.data) != 0)
    return begin;
  plan->offsets.count = begin;
  return previous;
}

static qn_status pack_tiles(qn_loops *lo, qn_gemm_plan *plan, const qn_packing *packing) {
  size_t element = packing->dot == QN_DOT_S16 ? 2 : 1, offsets = 0;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[MAX_TILE_CHANNELS];
    int32_t start[MAX_TILE_CHANNELS];
    tile_channels(plan, tile, channels);
    size_t first_offset = plan->offsets.count;
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)(plan->weights.count / element);
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    qn_panel panel =
        qn_panel_pack(packing, channels, tile->vectors, &plan->weights, &plan->offsets, start);
    offsets = share_offsets(plan, first_offset, offsets);
    tile->fields[QN_TILE_OFFSETS] = (int32_t)offsets;
    tile->fields[QN_TILE_PLAIN] = (int32_t)panel.plain;
    tile->fields[QN_TILE_MASKED] = (int32_t)panel.masked;
    pack_params(plan, tile, channels, start);
    if (plan->weights.count > INT32_MAX)
      return qn_error(&lo->cx->diag, plan->gemm->op->loc, QN_LIMIT,
                      "the packed weights of '%.*s' exceed 2 GiB",
                      QN_STR_ARG(plan->gemm->op->name));
    for (int f = 0; f < QN_TILE_FIELDS; f++) qn_array_push(&plan->table, tile->fields[f]);
  }
  return QN_OK;
}

qn_status qn_gemm_plan_make(qn_loops *lo, const qn_gemm *gemm, qn_gemm_plan *out_plan) {
  *out_plan = (qn_gemm_plan){.gemm = gemm, .lanes = lo->target->vector_bytes / 4};
  plan_pixels(gemm, out_plan);
  cut_channels(lo, gemm, out_plan);
  settle_kinds(gemm, out_plan);
  form_segments(lo, out_plan);
  plan_units(lo->target, out_plan);
  out_plan->macs = out_plan->row_count[0] * out_plan->row_count[1] * out_plan->pixels *
                   gemm->weights->channels * gemm->weights->taps;
  qn_packing packing = {.dot = lo->target->dot,
                        .lanes = out_plan->lanes,
                        .weights = gemm->weights,
                        .scratch = lo->scratch};
  size_t taps = (size_t)gemm->weights->taps;
  qn_window *windows = QN_NEW_ARRAY(lo->scratch, taps + 1, qn_window);
  packing.windows = windows;
  packing.window_count = qn_windows_cover(gemm->taps, gemm->weights->taps, gemm->extent, windows,
                                          &out_plan->window_bytes);
  return pack_tiles(lo, out_plan, &packing);
}

void qn_gemm_plan_deinit(qn_gemm_plan *plan) {
  qn_array_free(&plan->weights);
  qn_array_free(&plan->offsets);
  qn_array_free(&plan->params);
  qn_array_free(&plan->table);
}

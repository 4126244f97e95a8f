/* Splits a matrix product into tiles and work items.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_emit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VECTORS = QN_EPILOGUE_MAX_VECTORS, UNIT_PIXELS = 12 };

/* ---- output pixels ---- */

/* Merges neighbouring dimensions whose pixels are equally spaced in both x and y; with by_image no
 * image is merged into a row. The result is one innermost dimension (a row) and up to two outer
 * ones. */
static void merge_pixels(const qn_gemm *g, qn_gemm_plan *plan) {
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

/* Sets the rows of pixels. With a fused producer the rows stay those of the producer. */
static void plan_pixels(const qn_gemm *g, qn_gemm_plan *plan) {
  if (!g->producer) {
    merge_pixels(g, plan);
    return;
  }
  enum { COLUMN = QN_GEMM_DIMS - 1 };
  plan->pixels = g->counts[COLUMN];
  plan->pixel_stride = g->strides[COLUMN];
  plan->pixel_y = g->y_strides[COLUMN];
  memcpy(plan->row_count, g->counts, sizeof plan->row_count);
  memcpy(plan->row_stride, g->strides, sizeof plan->row_stride);
  memcpy(plan->row_y, g->y_strides, sizeof plan->row_y);
}

/* Joins the inner rows into one row with `pitch` positions per image row: its pixels, and row
 * padding. */
static void join_rows(qn_gemm_plan *plan, int64_t pitch) {
  plan->row_pitch = pitch;
  plan->wrap_x = plan->row_stride[1] - pitch * plan->pixel_stride;
  plan->wrap_y = plan->row_y[1] - pitch * plan->pixel_y;
  plan->row_padding = pitch - plan->pixels;
  plan->pixels = plan->row_count[1] * pitch - plan->row_padding;
  plan->row_count[1] = 1;
  plan->row_stride[1] = plan->row_y[1] = 0;
}

/* Whether the micro-kernel can join image rows: either its pixels have separate addresses
 * (wraps_rows), or the joined pixels are equally spaced with row padding between them
 * (row_padding_ok). */
static bool can_join(const qn_gemm_plan *plan, int64_t *out_pitch) {
  const qn_gemm *g = plan->gemm;
  *out_pitch = plan->pixels;
  if (g->by_image || g->producer || plan->row_count[1] == 1) return false;
  if (g->micro->wraps_rows) return true;
  if (!g->micro->row_padding_ok || plan->row_stride[1] % plan->pixel_stride != 0) return false;
  *out_pitch = plan->row_stride[1] / plan->pixel_stride;
  return *out_pitch >= plan->pixels;
}

/* ---- tile shapes ---- */

int64_t qn_gemm_rows_in_registers(const qn_target *target, uint32_t vectors, int64_t more) {
  enum { MOST = 14 };
  QN_ASSERT(vectors >= 1 && more >= 0);
  int64_t rows = ((int64_t)target->vector_registers - vectors - 1 - more) / vectors;
  return rows < 1 ? 1 : rows < MOST ? rows : MOST;
}

double qn_gemm_step_cycles(const qn_target *target, int64_t rows, uint32_t vectors, double product,
                           double latency, int64_t steps) {
  double products = product * (double)rows * vectors, loads = 0.5 * ((double)rows + vectors);
  double cycles = products > loads ? products : loads,
         bytes = (double)vectors * target->vector_bytes;
  return QN_GEMM_STEP_CYCLES + (cycles > latency ? cycles : latency) +
         qn_gemm_weight_cycles(target, bytes, bytes * (double)steps);
}

double qn_gemm_weight_cycles(const qn_target *target, double bytes, double panel_bytes) {
  bool streams = target->l2_bytes_per_cycle > 0 && panel_bytes > target->l1_bytes / 2.0;
  return streams ? bytes / target->l2_bytes_per_cycle : 0;
}

/* Maximum MR. With row wrap a tile crosses at most one row end, and each pixel has a separate
 * address. */
static int64_t most_rows(const qn_gemm_plan *plan, const qn_target *target, uint32_t vectors) {
  enum { MOST_ADDRESSES = 8 };
  int64_t most = plan->gemm->micro->most_rows(plan->gemm, target, vectors);
  if (plan->row_pitch == 0) return most;
  if (plan->wrap_x != 0 && most > MOST_ADDRESSES) most = MOST_ADDRESSES;
  return most < plan->row_pitch ? most : plan->row_pitch;
}

static int64_t steps_by_taps(const qn_gemm *g) {
  return (g->tap_count + g->micro->step_taps - 1) / g->micro->step_taps;
}

/* Steps for the comparison of shapes: by number of taps if the micro-kernel gives taps per step,
 * although some steps of the real kernel are only partly used. */
static int64_t steps_of_shapes(const qn_gemm *g) {
  return g->micro->step_taps ? steps_by_taps(g) : g->micro->steps(g);
}
static int64_t all_steps(const qn_gemm *g) {
  return g->micro->steps ? g->micro->steps(g) : steps_by_taps(g);
}

/* The MR that computes a row fastest, and its cycles per K step of the row. Unless `unit` is 0, MR
 * must divide it. */
static int64_t best_mr(const qn_gemm_plan *plan, const qn_target *target, uint32_t vectors,
                       int64_t unit, double *out_cycles) {
  const qn_gemm *g = plan->gemm;
  const qn_gemm_micro *micro = g->micro;
  int64_t pixels = plan->pixels;
  if (micro->choose_rows) return micro->choose_rows(g, target, vectors, pixels, unit, out_cycles);
  int64_t best = 1, most = most_rows(plan, target, vectors);
  double best_cycles = 0;
  QN_ASSERT(most >= 1); /* else the row would cost nothing */
  for (int64_t rows = 1; rows <= most && rows <= pixels; rows++) {
    if (unit != 0 && unit % rows != 0) continue;
    int64_t rest = pixels % rows;
    double cycles = (double)(pixels / rows) * micro->step_cycles(g, target, rows, vectors);
    if (rest != 0) cycles += micro->step_cycles(g, target, rest, vectors);
    if (rest != 0) cycles *= 1 + QN_GEMM_LOOP_COST;
    if (rows == 1 || cycles <= best_cycles) best = rows, best_cycles = cycles;
  }
  *out_cycles = best_cycles;
  return best;
}

/* Cycles of one N tile over all rows of pixels. */
static double tile_cycles(const qn_gemm_plan *plan, const qn_target *target, uint32_t vectors) {
  const qn_gemm *g = plan->gemm;
  if (vectors == 0) return 0;
  double per_step;
  best_mr(plan, target, vectors, 0, &per_step);
  double of_row = per_step * (double)plan->steps;
  of_row += g->micro->finish_cycles(target, vectors) * (double)plan->pixels;
  return of_row * (double)(plan->row_count[0] * plan->row_count[1]);
}

/* Cycles of all channels of a group, in N tiles of n vectors. */
static double all_cycles(const qn_gemm_plan *plan, const qn_target *target, int64_t vectors,
                         int64_t n) {
  uint32_t rest = (uint32_t)(vectors % n);
  double cycles = (double)(vectors / n) * tile_cycles(plan, target, (uint32_t)n) +
                  tile_cycles(plan, target, rest);
  return rest != 0 ? cycles * (1 + QN_GEMM_LOOP_COST) : cycles;
}

/* The best number of vectors per N tile for `vectors` vectors in all, and its cycles. */
static int64_t tile_vectors(const qn_gemm_plan *plan, const qn_target *target, int64_t vectors,
                            double *out_cycles) {
  int64_t best = 1;
  double best_cycles = 0;
  for (int64_t n = 1; n <= MAX_VECTORS && n <= vectors; n++) {
    double cycles = all_cycles(plan, target, vectors, n);
    if (n == 1 || cycles <= best_cycles) best = n, best_cycles = cycles;
  }
  *out_cycles = best_cycles;
  return best;
}

/* Accumulator vectors for the channels of one group. */
static int64_t group_vectors(const qn_gemm *g, int64_t lanes) {
  return (g->channels / g->groups + lanes - 1) / lanes;
}

/* Joins image rows if that reduces the estimated cycles by more than 3 %, which covers the cost of
 * addresses. It helps where rows are too short for full M tiles. */
static void choose_rows(const qn_target *target, qn_gemm_plan *plan) {
  const double gain = 0.03;
  int64_t vectors = group_vectors(plan->gemm, plan->lanes), pitch;
  double by_row, at_once;
  if (!can_join(plan, &pitch)) return;
  qn_gemm_plan joined = *plan;
  join_rows(&joined, pitch);
  tile_vectors(plan, target, vectors, &by_row);
  tile_vectors(&joined, target, vectors, &at_once);
  if (at_once < by_row * (1 - gain)) *plan = joined;
}

/* Half a vector takes half the time where the CPU executes 512 bits in parts, and as long
 * elsewhere.
 */
int64_t qn_gemm_lanes(const qn_gemm *g, const qn_target *target) {
  enum { WIDE = 64, HALF = 2 };
  int64_t lanes = target->vector_bytes / g->micro->sum_bytes;
  bool halves = g->micro->halves && target->vector_bytes == WIDE;
  return halves && g->channels / g->groups <= lanes / HALF ? lanes / HALF : lanes;
}

/* The plan of M: rows of pixels, without N tiles and constants. */
static qn_gemm_plan lay_pixels(const qn_gemm *g, const qn_target *target, int64_t steps) {
  qn_gemm_plan plan = {.gemm = g, .steps = steps, .lanes = qn_gemm_lanes(g, target)};
  plan_pixels(g, &plan);
  choose_rows(target, &plan);
  return plan;
}

uint32_t qn_gemm_shapes(const qn_gemm *g, const qn_target *target,
                        qn_gemm_shape out_shapes[QN_EPILOGUE_MAX_VECTORS]) {
  qn_gemm_plan plan = lay_pixels(g, target, steps_of_shapes(g));
  int64_t vectors = group_vectors(g, plan.lanes);
  uint32_t count = 0;
  for (int64_t n = 1; n <= MAX_VECTORS && n <= vectors; n++) {
    qn_gemm_shape *shape = &out_shapes[count++];
    double per_step;
    shape->rows = best_mr(&plan, target, (uint32_t)n, 0, &per_step);
    shape->channels = n * plan.lanes;
    shape->cycles = all_cycles(&plan, target, vectors, n) * (double)g->groups;
  }
  return count;
}

double qn_gemm_cycles(const qn_gemm *g, const qn_target *target) {
  qn_gemm_plan plan = lay_pixels(g, target, all_steps(g));
  double cycles;
  tile_vectors(&plan, target, group_vectors(g, plan.lanes), &cycles);
  return cycles * (double)g->groups;
}

/* ---- tiles of channels ---- */

static void partition_channels(qn_arena *scratch, const qn_target *target, qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  int64_t per_group = g->channels / g->groups;
  int64_t vectors = group_vectors(g, plan->lanes);
  double cycles;
  int64_t width = /* NR of a full tile */
      plan->lanes * tile_vectors(plan, target, vectors, &cycles);
  int64_t tiles = (per_group + width - 1) / width;
  plan->tile_count = (uint32_t)(tiles * g->groups);
  plan->tiles = QN_NEW_ARRAY(scratch, plan->tile_count, qn_gemm_tile);
  qn_gemm_tile *tile = plan->tiles;
  for (int64_t group = 0; group < g->groups; group++)
    for (int64_t from = 0; from < per_group; from += width, tile++) {
      tile->first = group * per_group + from;
      tile->valid = per_group - from < width ? per_group - from : width;
      tile->vectors = (uint32_t)((tile->valid + plan->lanes - 1) / plan->lanes);
      int64_t x = g->x_of_group ? g->x_of_group[group] : group * g->group_stride;
      int64_t y = g->y_of_group ? g->y_of_group[group] : group * per_group;
      int64_t weights =
          g->weights_of_group ? g->weights_of_group[group] : group * g->source.group_step;
      tile->fields[QN_TILE_X] = (int32_t)x;
      tile->fields[QN_TILE_CHANNEL] = (int32_t)(y + from);
      tile->fields[qn_gemm_source_field(g)] = (int32_t)(weights + from * g->source.channel_step);
    }
  if (g->micro->choose) g->micro->choose(g, plan);
}

static bool same_segment(const qn_gemm_tile *a, const qn_gemm_tile *b) {
  return a->vectors == b->vectors && a->valid == b->valid && a->kind == b->kind;
}

/* Sorts tiles with more channels first, then by epilogue kind, then by channel. */
static int compare_tiles(const void *left, const void *right) {
  const qn_gemm_tile *a = left, *b = right;
  if (a->valid != b->valid) return a->valid > b->valid ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->fields[QN_TILE_CHANNEL] < b->fields[QN_TILE_CHANNEL] ? -1 : 1;
}

static void form_segments(qn_arena *scratch, qn_gemm_plan *plan) {
  qsort(plan->tiles, plan->tile_count, sizeof *plan->tiles, compare_tiles);
  plan->segments = QN_NEW_ARRAY(scratch, plan->tile_count, qn_gemm_segment);
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    if (t == 0 || !same_segment(&plan->tiles[t - 1], &plan->tiles[t]))
      plan->segments[plan->segment_count++].begin = t;
    plan->segments[plan->segment_count - 1].end = t + 1;
  }
}

/* ---- overlapping tiles ---- */

static bool can_overlap(const qn_gemm_plan *plan, int64_t rows, int64_t unit) {
  enum { TILES = 16 /* the results of the first one are computed twice */ };
  int64_t all = plan->row_count[0] * plan->row_count[1];
  bool whole = all == 1 || plan->pixels % rows == 0;
  return whole && (unit == 0 || unit % rows == 0) && all * plan->pixels >= TILES * rows;
}

/* The largest MR of overlapping tiles of the segment that divides `unit`, if that is not 0, and
 * rows, if there are several; 0 if there is none of half the possible size or more. */
static int64_t overlapped_mr(const qn_gemm_plan *plan, const qn_target *target,
                             const qn_gemm_segment *segment, int64_t unit) {
  const qn_gemm_micro *micro = plan->gemm->micro;
  if (!micro->overlapped_rows || plan->row_pitch != 0) return 0;
  int64_t most = micro->overlapped_rows(plan->gemm, target, &plan->tiles[segment->begin]);
  int64_t rows = most;
  while (rows > 0 && !can_overlap(plan, rows, unit)) rows--;
  return 2 * rows > most ? rows : 0;
}

/* Sets MR, which divides `unit` if that is not 0. */
static void choose_mr(const qn_gemm_plan *plan, const qn_target *target, qn_gemm_segment *segment,
                      int64_t unit) {
  double cycles;
  segment->rows = overlapped_mr(plan, target, segment, unit);
  segment->overlaps = segment->rows > 0;
  if (!segment->overlaps)
    segment->rows = best_mr(plan, target, plan->tiles[segment->begin].vectors, unit, &cycles);
}

/* ---- units of work ---- */

/* Cycles per K step of a work item of `unit` pixels over all N tiles, per pixel. MR of each tile
 * must divide `unit`. */
static double unit_cycles(const qn_target *target, const qn_gemm_plan *plan, int64_t unit) {
  double all = 0, cycles;
  for (uint32_t s = 0; s < plan->segment_count; s++) {
    const qn_gemm_segment *segment = &plan->segments[s];
    best_mr(plan, target, plan->tiles[segment->begin].vectors, unit, &cycles);
    all += cycles * (double)(segment->end - segment->begin);
  }
  return all;
}

/* Pixels of a work item: a multiple of `rows`, at least UNIT_PIXELS. Up to twice as many are chosen
 * if the last N tile, which may have another MR, gains more than 2 %. */
static int64_t choose_unit(const qn_target *target, const qn_gemm_plan *plan, int64_t rows) {
  const double gain = 0.02;
  int64_t unit = rows * ((UNIT_PIXELS + rows - 1) / rows), best = unit;
  double least = unit_cycles(target, plan, unit);
  for (unit += rows; unit <= 2 * UNIT_PIXELS; unit += rows) {
    double cycles = unit_cycles(target, plan, unit);
    if (cycles < least * (1 - gain)) best = unit, least = cycles;
  }
  return best;
}

static void plan_units(const qn_target *target, qn_gemm_plan *plan) {
  int64_t rows = plan->row_count[0] * plan->row_count[1];
  choose_mr(plan, target, &plan->segments[0], 0);
  bool is_given = plan->gemm->by_image || plan->gemm->producer;
  plan->unit = rows == 1 && !plan->gemm->producer ? QN_UNIT_PIXELS : QN_UNIT_ROWS;
  plan->unit_pixels = choose_unit(target, plan, plan->segments[0].rows);
  plan->units = plan->unit == QN_UNIT_PIXELS
                    ? (plan->pixels + plan->unit_pixels - 1) / plan->unit_pixels
                    : rows;
  if (!is_given && plan->units < 4 && plan->units < plan->tile_count) {
    plan->unit = QN_UNIT_CHANNELS;
    plan->units = plan->tile_count;
  }
  if (plan->gemm->entries > 0) {
    plan->unit = QN_UNIT_BATCH;
    plan->units = plan->gemm->entries;
  }
  int64_t divides = plan->unit == QN_UNIT_PIXELS ? plan->unit_pixels : 0;
  for (uint32_t s = 0; s < plan->segment_count; s++)
    choose_mr(plan, target, &plan->segments[s], divides);
}

qn_gemm_plan qn_gemm_tile_shapes(qn_arena *scratch, const qn_target *target, const qn_gemm *gemm) {
  qn_gemm_plan plan = lay_pixels(gemm, target, steps_of_shapes(gemm));
  partition_channels(scratch, target, &plan);
  int64_t covered = 0;
  for (uint32_t t = 0; t < plan.tile_count; t++) covered += plan.tiles[t].valid;
  QN_ASSERT(covered == gemm->channels); /* each channel is in one tile */
  form_segments(scratch, &plan);
  plan_units(target, &plan);
  return plan;
}

void qn_gemm_store_compactly(const qn_loops *lo, qn_gemm_plan *plan) {
  plan->compact = qn_compact_store(lo->target, plan->weights.data, &plan->weights.count);
  if (plan->compact.base != 0) qn_array_push(&plan->params, plan->compact.base);
}

qn_status qn_gemm_plan_make(qn_loops *lo, const qn_gemm *gemm, qn_gemm_plan *out_plan) {
  *out_plan = qn_gemm_tile_shapes(lo->scratch, lo->target, gemm);
  QN_TRY(gemm->micro->pack(lo, out_plan));
  out_plan->field_count = (uint32_t)qn_gemm_source_field(gemm) + gemm->packs;
  QN_ASSERT(out_plan->tile_count > 0 && out_plan->segment_count > 0);
  for (uint32_t t = 0; t < out_plan->tile_count; t++)
    for (uint32_t f = 0; f < out_plan->field_count; f++)
      qn_array_push(&out_plan->table, out_plan->tiles[t].fields[f]);
  return QN_OK;
}

qn_status qn_gemm_check_size(qn_loops *lo, const qn_gemm_plan *plan, int64_t bytes) {
  if (bytes <= INT32_MAX) return QN_OK;
  return qn_error(&lo->cx->diag, plan->gemm->op->loc, QN_LIMIT,
                  "the packed weights of '%.*s' exceed 2 GiB", QN_STR_ARG(plan->gemm->op->name));
}

void qn_gemm_set_layout(qn_gemm *gemm, const qn_channel_layout *layout, int64_t groups) {
  qn_gemm_source *s = &gemm->source;
  QN_ASSERT(groups > 0 && layout->channels % groups == 0);
  s->channel_step = layout->channels_last ? 1 : layout->taps;
  s->tap_step = layout->channels_last ? layout->channels : 1;
  s->group_step = layout->channels / groups * s->channel_step;
}

void qn_gemm_merge_groups(qn_gemm *g, int64_t lanes) {
  const int64_t each = g->channels / g->groups, merged = lanes / each;
  if (g->packs || merged < 2 || lanes % each != 0 || g->groups % merged != 0) return;
  if (g->source.group_step != each * g->source.channel_step) return;
  g->merged = merged;
  g->groups /= merged;
  g->group_stride *= merged;
  g->source.group_step *= merged;
}

void qn_gemm_plan_deinit(qn_gemm_plan *plan) {
  qn_array_free(&plan->weights);
  qn_array_free(&plan->offsets);
  qn_array_free(&plan->params);
  qn_array_free(&plan->table);
  qn_array_free(&plan->quads);
}

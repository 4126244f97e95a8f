/* Micro-kernel of 8-bit x. Quads are multiplied with the target's byte or 16-bit products and
 * accumulated in 32 bits; the epilogue requantizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "base/workers.h"
#include "lower/loops/matrix/gemm_steps.h"
#include "lower/loops/matrix/tiles/packing.h"
#include "lower/loops/nest.h"

enum { MOST_ROWS = 16 };

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- the plan ---- */

/* Registers for the parameters of the epilogue, which are loaded early if the steps of a tile are
 * not a loop. */
static int64_t registers_of_parameters(const qn_gemm *g) {
  enum { PARAMETERS = 4 };
  return g->tap_count < 2 * QN_QUAD * (int64_t)g->dot->quads ? PARAMETERS : 0;
}

static int64_t within_rows(int64_t rows) {
  return rows < 1 ? 1 : rows < MOST_ROWS ? rows : MOST_ROWS;
}

/* Maximum MR without register spills. Registers hold the accumulators, the weights of a quad, one
 * row of x and its sign mask; or else all rows of x and one vector of weights (gemm_steps.c), which
 * runs of quads always do. Scalars hold the accumulators only. */
int64_t qn_bytes_most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  QN_ASSERT(vectors >= 1 && vectors <= QN_EPILOGUE_MAX_VECTORS);
  if (qn_dot_is_scalar(g->dot)) return within_rows(target->accumulators / vectors);
  int64_t left = (int64_t)target->vector_registers - vectors - 1 - qn_bytes_flip(g);
  int64_t most = target->accumulators / vectors, rows = left / vectors;
  if (rows > most) rows = most;
  if (g->dot->quads > 0) {
    left = (int64_t)target->vector_registers - 1 - qn_bytes_flip(g) - registers_of_parameters(g);
    rows = left / (vectors + 1);
    if (rows > most) rows = most;
    return within_rows(rows);
  }
  bool holds_rows = !g->dot->saturates;
  while (holds_rows && rows < most && qn_bytes_rows_fit(g, target, rows + 1, vectors)) rows++;
  return within_rows(rows);
}

/* Maximum MR of products in groups. Registers hold the accumulators, a vector of x per pixel as it
 * is loaded and as one quad of it is spread, a vector of weights, a shuffle table per quad of a
 * vector, and products whose sums are not yet added. */
static int64_t most_rows_of_groups(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  enum { PRODUCTS = 4 };
  int64_t left = (int64_t)target->vector_registers - 1 - qn_bytes_flip(g);
  left -= g->dot->quads + PRODUCTS;
  return within_rows(left / (vectors + 2));
}

/* Maximum MR of single bytes: the registers that accumulators leave are those of one row of weights
 * and one byte of x. */
static int64_t most_rows_of_singles(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  (void)g;
  return within_rows(target->accumulators / vectors);
}

/* Whether M is too small to hide the latency of loading weights. */
static bool has_few_pixels(const qn_gemm *g) {
  enum { FEW_PIXELS = 2 };
  return qn_gemm_pixel_count(g) <= FEW_PIXELS;
}

/* Whether products occupy the execution units, so that the other instructions of a step add to its
 * time. */
static bool is_busy(const qn_dot *dot) { return dot->cycles >= 1; }

/* Cycles to load the weights of a quad. With saturating products, every second quad also has a mask
 * for all vectors. */
static double weight_cycles(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  const qn_dot *dot = g->dot;
  double quad = (double)target->vector_bytes * (vectors * dot->bytes + (dot->saturates ? 0.5 : 0));
  double panel = quad * (double)((g->tap_count + QN_QUAD - 1) / QN_QUAD);
  return qn_gemm_weight_cycles(target, quad, has_few_pixels(g) ? INFINITY : panel);
}

/* Instructions per quad in tiles of this width, relative to a plain step, as estimated from the
 * weights; 1 without estimate. */
static double share_of_plain(const qn_gemm *g, uint32_t vectors) {
  double operations = g->estimate ? ((const double *)g->estimate)[vectors] : 0;
  return operations == 0 ? 1 : operations / qn_step_operations(QN_STEP_PLAIN, vectors);
}

double qn_bytes_issue_cycles(const qn_gemm *g, const qn_dot *dot, int64_t rows, uint32_t vectors,
                             double quads) {
  enum { PARAMETERS = 3 /* of the epilogue, per vector */ };
  const double pair = 2, loop = 4, tile = 8;
  double once = tile + vectors * PARAMETERS / pair;
  once /= (double)((g->tap_count + QN_QUAD - 1) / QN_QUAD);
  return dot->issue * (((double)rows + loop) / quads + vectors / pair + once);
}

/* Cycles per quad of a tile: the maximum of products, loads and dependency latency. If products
 * occupy the execution units, the loop overhead and the load of weights are added. */
double qn_bytes_quad_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                            uint32_t vectors) {
  if (rows == 0) return 0;
  const qn_dot *dot = g->dot;
  double cycles = dot->cycles * (double)rows * vectors * share_of_plain(g, vectors);
  cycles += dot->spread * (double)rows;
  if (rows * vectors > target->accumulators)
    cycles += dot->spill * (double)(rows * vectors - target->accumulators);
  double quads = g->dot->quads > 0 ? g->dot->quads : 1; /* quads of x per load */
  double loads = 0.5 * ((double)rows / quads + vectors);
  if (cycles < loads) cycles = loads;
  if (cycles < dot->latency) cycles = dot->latency;
  cycles += qn_bytes_issue_cycles(g, dot, rows, vectors, quads);
  if (!is_busy(dot)) return cycles;
  return cycles + QN_GEMM_STEP_CYCLES + weight_cycles(g, target, vectors);
}

/* Cycles per quad of single bytes, where every instruction takes an issue slot: a load of weights
 * takes half of a product and addition. */
static double single_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                            uint32_t vectors) {
  const double loop = 4, load = 0.5;
  const qn_dot *dot = g->dot;
  return dot->cycles * ((double)rows + load) * vectors + dot->spread * (double)rows + loop +
         weight_cycles(g, target, vectors);
}

/* How single bytes are added in groups, per quad of x: quads of weights, sums of 16 bits, and
 * steps; and the number of loops over steps. */
typedef struct groups_estimate {
  double quads, sums, steps, loops;
} groups_estimate;

/* As single_cycles; and the addition of sums, before and after which the type of vectors changes.
 */
static double single_group_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                                  uint32_t vectors) {
  const double loop = 4, load = 0.5, change = 2, begin = 16;
  const qn_dot *dot = g->dot;
  const groups_estimate as_halves = {1, 2, 1, 1};
  const groups_estimate *of =
      g->estimate ? &((const groups_estimate *)g->estimate)[vectors] : &as_halves;
  double flip = qn_bytes_flip(g) ? QN_QUAD : 0;
  double quad = dot->cycles * ((double)rows + load) * vectors +
                (dot->spread + flip) * (double)rows + weight_cycles(g, target, vectors);
  double begins = begin * of->loops / (double)qn_bytes_quad_count(g);
  return quad * of->quads + (dot->sum_cycles * (double)rows * vectors + change) * of->sums +
         loop * of->steps + begins;
}

/* With this many quads, the epilogue takes at most 10 % of the time. */
enum { LONG_SUM = 24 };

/* Reduces the number of epilogue kinds: less code, and more layers share a kernel. */
void qn_bytes_choose(const qn_gemm *g, qn_gemm_plan *plan) {
  uint32_t tiles[QN_EPILOGUE_KINDS] = {0};
  int64_t channels[QN_GEMM_TILE_CHANNELS];
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    qn_bytes_tile_channels(plan, tile, channels);
    tile->kind = qn_epilogue_kind_of(qn_bytes_of(g)->epilogue, channels,
                                     tile->vectors * plan->lanes, plan->lanes);
    tiles[tile->kind]++;
  }
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    qn_bytes_tile_channels(plan, tile, channels);
    qn_epilogue_kind goal = qn_epilogue_goal(tiles, tile->kind, g->tap_count < LONG_SUM * QN_QUAD);
    if (goal != tile->kind &&
        qn_epilogue_serves(qn_bytes_of(g)->epilogue, goal, channels, tile->vectors * plan->lanes))
      tile->kind = goal;
  }
}

/* ---- constants ---- */

static void push_bytes(qn_i32_array *words, const uint8_t *bytes, int64_t count) {
  size_t more = (size_t)count / sizeof *words->data;
  qn_array_reserve(words, words->count + more);
  memcpy(words->data + words->count, bytes, (size_t)count);
  words->count += more;
}

/* Drops the list of quad offsets that was just appended if it equals the previous tile's. */
static size_t share_offsets(qn_gemm_plan *plan, size_t begin, size_t previous) {
  size_t count = plan->offsets.count - begin;
  if (previous + count > begin) return begin;
  if (memcmp(plan->offsets.data + previous, plan->offsets.data + begin,
             count * sizeof *plan->offsets.data) != 0)
    return begin;
  plan->offsets.count = begin;
  return previous;
}

/* If the product can broadcast any quad of a vector, moves runs of quads that fill a vector to the
 * front; returns the number of runs. */
static uint32_t form_runs(const qn_gemm *g, const qn_packing *packing, qn_quad_taps *quads) {
  bool by_vectors = g->dot->quads > 0 && !g->packs && !qn_packing_splits(packing);
  return by_vectors
             ? qn_quads_form_runs(quads, packing->quad_count, g->dot->quads, packing->scratch)
             : 0;
}

static qn_packing packing_of(qn_arena *scratch, const qn_target *target, const qn_gemm *g,
                             int64_t *out_quad_bytes, uint32_t *out_runs) {
  qn_quad_taps *quads = QN_NEW_ARRAY(scratch, 2 * (size_t)g->tap_count + 1, qn_quad_taps);
  qn_packing packing = {.dot = g->dot,
                        .lanes = target->vector_bytes / (int64_t)sizeof(int32_t),
                        .weights = qn_bytes_of(g)->weights,
                        .quads = quads,
                        .scratch = scratch,
                        .bandwidth_bound = has_few_pixels(g)};
  *out_quad_bytes = QN_QUAD;
  packing.quad_count =
      g->micro->by_pairs ? qn_quads_cover_by_pairs(g->taps, g->tap_count, g->extent, quads)
                         : qn_quads_cover(g->taps, g->tap_count, g->extent, quads, out_quad_bytes);
  *out_runs = form_runs(g, &packing, quads);
  return packing;
}

/* Vector instructions of the middle tile, if all tiles have `vectors` vectors. */
static double operations_of(const qn_packing *packing, const qn_gemm *g, uint32_t vectors) {
  qn_gemm_plan plan = {.gemm = g, .lanes = packing->lanes};
  int64_t width = vectors * packing->lanes, per_group = g->channels / g->groups;
  qn_gemm_tile tile = {.vectors = vectors, .valid = width < per_group ? width : per_group};
  tile.first = per_group / tile.valid / 2 * tile.valid;
  int64_t channels[QN_GEMM_TILE_CHANNELS];
  int32_t start[QN_GEMM_TILE_CHANNELS];
  uint8_t undo[QN_GEMM_TILE_CHANNELS];
  qn_bytes_tile_channels(&plan, &tile, channels);
  if (qn_panel_asks_for_order(packing, vectors, tile.valid))
    qn_panel_order(packing, channels, vectors, undo);
  qn_panel panel = qn_panel_pack(packing, channels, vectors, &plan.weights, &plan.offsets, start);
  double operations = qn_steps_operations(panel.steps, vectors);
  double quads = (double)plan.offsets.count;
  qn_gemm_plan_deinit(&plan);
  return round(4 * operations / quads) / 4; /* rounded, so that similar layers get equal tiles */
}

/* Estimates something of the packed weights if all tiles have `vectors` vectors: element `vectors`
 * of `estimates`. */
typedef void estimate_width(const qn_packing *packing, const qn_gemm *g, uint32_t vectors,
                            void *estimates);

/* Estimates it for each width of tiles. */
static void estimate_widths(qn_arena *scratch, const qn_target *target, const qn_gemm *g,
                            estimate_width *estimate, void *out_estimates) {
  qn_arena_mark mark = qn_arena_get_mark(scratch);
  int64_t quad_bytes;
  uint32_t runs;
  qn_packing packing = packing_of(scratch, target, g, &quad_bytes, &runs);
  int64_t vectors = (g->channels / g->groups + packing.lanes - 1) / packing.lanes;
  for (uint32_t v = 1; v <= QN_EPILOGUE_MAX_VECTORS && v <= vectors; v++)
    estimate(&packing, g, v, out_estimates);
  qn_arena_rewind(scratch, mark);
}

static void estimate_operations(const qn_packing *packing, const qn_gemm *g, uint32_t vectors,
                                void *estimates) {
  ((double *)estimates)[vectors] = operations_of(packing, g, vectors);
}

/* Estimates, for each tile width in vectors, the vector instructions per quad and vector of
 * accumulators that the weights require; 0: as plain quads. */
static const void *estimate_packing(qn_arena *scratch, const qn_target *target,
                                    const qn_gemm *gemm) {
  if (!qn_bytes_of(gemm)->weights->values) return NULL;
  double *operations = QN_NEW_ARRAY(scratch, QN_EPILOGUE_MAX_VECTORS + 1, double);
  if (!has_few_pixels(gemm)) /* else loads are the bound */
    estimate_widths(scratch, target, gemm, estimate_operations, operations);
  return operations;
}

/* The groups of the middle tile. The epilogue, which puts channels into lanes, is not known before
 * the choice; which lane a channel is in makes no difference. */
static void estimate_sums(const qn_packing *packing, const qn_gemm *g, uint32_t vectors,
                          void *estimates) {
  int64_t channels[QN_GEMM_TILE_CHANNELS], per_group = g->channels / g->groups;
  int64_t width = vectors * packing->lanes, valid = width < per_group ? width : per_group;
  for (int64_t c = 0; c < width; c++)
    channels[c] = c < valid ? per_group / valid / 2 * valid + c : -1;
  qn_byte_array bytes = {0};
  qn_i32_array offsets = {0};
  int32_t start[QN_GEMM_TILE_CHANNELS];
  qn_panel panel = qn_panel_pack(packing, channels, vectors, &bytes, &offsets, start);
  double all = packing->quad_count;
  groups_estimate out = {.quads = (double)offsets.count / all};
  for (qn_step_kind k = QN_STEP_PLAIN; k < QN_STEP_KINDS; k++) {
    out.steps += panel.steps[k] / all;
    out.sums += panel.steps[k] * (qn_step_form_of(k)->halves ? 2 : 1) / all;
    out.loops += panel.steps[k] > 0;
  }
  qn_array_free(&bytes);
  qn_array_free(&offsets);
  ((groups_estimate *)estimates)[vectors] = out;
}

/* Estimates groups_estimate for each tile width in vectors. */
static const void *estimate_groups(qn_arena *scratch, const qn_target *target,
                                   const qn_gemm *gemm) {
  if (!qn_bytes_of(gemm)->weights->values) return NULL;
  groups_estimate *out = QN_NEW_ARRAY(scratch, QN_EPILOGUE_MAX_VECTORS + 1, groups_estimate);
  estimate_widths(scratch, target, gemm, estimate_sums, out);
  return out;
}

/* Rounds the panel size up by at most 1/16. The number of masks depends on the weights, and layers
 * of one shape should share a kernel. */
static void round_size(qn_byte_array *bytes) {
  size_t unit = 1;
  while (unit <= bytes->count / 32) unit *= 2;
  while (bytes->count % unit != 0) qn_array_push(bytes, 0);
}

static void set_steps(const qn_gemm *g, qn_gemm_tile *tile, const qn_panel *panel) {
  uint32_t kinds = g->micro->columns;
  for (uint32_t k = 0; k < kinds; k++) tile->fields[QN_TILE_OWN + k] = (int32_t)panel->steps[k];
}

/* Packs the panels one after the other, because the size of a panel is known only after packing. */
static qn_status pack_in_order(qn_loops *lo, qn_gemm_plan *plan, const qn_packing *packing) {
  size_t element = packing->dot->bytes, offsets = 0;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[QN_GEMM_TILE_CHANNELS];
    int32_t start[QN_GEMM_TILE_CHANNELS];
    uint8_t undo[QN_GEMM_TILE_CHANNELS];
    tile->reordered = qn_panel_asks_for_order(packing, tile->vectors, tile->valid);
    qn_bytes_tile_channels(plan, tile, channels);
    if (tile->reordered) qn_panel_order(packing, channels, tile->vectors, undo);
    size_t first_offset = plan->offsets.count;
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)(plan->weights.count / element);
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    qn_panel panel =
        qn_panel_pack(packing, channels, tile->vectors, &plan->weights, &plan->offsets, start);
    if (qn_bytes_in_single_scalars(plan->gemm))
      qn_bytes_drop_padding(plan, tile, panel.steps[QN_STEP_PLAIN]);
    offsets = share_offsets(plan, first_offset, offsets);
    tile->fields[QN_TILE_OFFSETS] = (int32_t)offsets;
    set_steps(plan->gemm, tile, &panel);
    qn_bytes_pack_params(plan, tile, channels, start);
    if (tile->reordered) push_bytes(&plan->params, undo, tile->valid);
    QN_TRY(qn_gemm_check_size(lo, plan, (int64_t)plan->weights.count));
  }
  return QN_OK;
}

typedef int32_t tile_starts[QN_GEMM_TILE_CHANNELS];

typedef struct plain_tiles {
  const qn_gemm_plan *plan;
  const qn_packing *packing;
  uint8_t *weights;
  tile_starts *starts;
} plain_tiles;

static void pack_plain_tiles(void *user, uint32_t begin, uint32_t end) {
  const plain_tiles *p = user;
  for (uint32_t t = begin; t < end; t++) {
    const qn_gemm_tile *tile = &p->plan->tiles[t];
    int64_t channels[QN_GEMM_TILE_CHANNELS];
    qn_bytes_tile_channels(p->plan, tile, channels);
    qn_plain_panel_pack(p->packing, channels, qn_bytes_stored(p->plan, tile),
                        p->weights + tile->fields[QN_TILE_WEIGHTS], p->starts[t]);
  }
}

/* Packs the panels in threads: all offsets are known, and all panels share one list of quads. */
static qn_status pack_at_once(qn_loops *lo, qn_gemm_plan *plan, const qn_packing *packing) {
  int64_t bytes = 0;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    plan->tiles[t].fields[QN_TILE_WEIGHTS] = (int32_t)bytes;
    bytes += packing->quad_count * QN_QUAD * qn_bytes_stored(plan, &plan->tiles[t]);
    QN_TRY(qn_gemm_check_size(lo, plan, bytes));
  }
  qn_array_reserve(&plan->weights, (size_t)bytes);
  plan->weights.count = (size_t)bytes;
  plain_tiles p = {plan, packing, plan->weights.data,
                   QN_NEW_ARRAY(lo->scratch, plan->tile_count, tile_starts)};
  const int64_t worth = 1 << 16; /* bytes per thread, about 10 us */
  uint32_t grain = (uint32_t)(worth * plan->tile_count / (bytes + 1)) + 1;
  qn_workers_run(plan->tile_count, grain, pack_plain_tiles, &p);
  for (uint32_t w = 0; w < packing->quad_count; w++)
    qn_array_push(&plan->offsets, (int32_t)packing->quads[w].offset);
  const qn_panel panel = {{[QN_STEP_PLAIN] = packing->quad_count}};
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[QN_GEMM_TILE_CHANNELS];
    qn_bytes_tile_channels(plan, tile, channels);
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    tile->fields[QN_TILE_OFFSETS] = 0;
    set_steps(plan->gemm, tile, &panel);
    qn_bytes_pack_params(plan, tile, channels, p.starts[t]);
  }
  return QN_OK;
}

/* Keeps the first weight of each channel if a pixel of x has one byte: the others are 0. */
static void thin_panels(qn_gemm_plan *plan) {
  qn_bytes_plan *own = qn_bytes_plan_of(plan);
  size_t count = 0;
  own->thin = plan->compact.narrow && own->quad_bytes == 1;
  for (uint32_t t = 0; t < plan->tile_count && own->thin; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    const uint8_t *pairs = plan->weights.data + tile->fields[QN_TILE_WEIGHTS];
    QN_ASSERT(tile->fields[qn_tile_steps(QN_STEP_PLAIN)] == 1);
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)count;
    for (int64_t c = 0; c < qn_gemm_tile_width(plan, tile); c++)
      plan->weights.data[count++] = pairs[2 * c];
  }
  if (own->thin) plan->weights.count = count;
}

/* The same for quads in scalar registers. */
static void thin_quads(qn_gemm_plan *plan) {
  qn_bytes_plan *own = qn_bytes_plan_of(plan);
  own->thin = own->quad_bytes == 1 && qn_dot_is_scalar(plan->gemm->dot);
  if (!own->thin) return;
  plan->weights.count /= QN_QUAD;
  for (size_t i = 0; i < plan->weights.count; i++)
    plan->weights.data[i] = plan->weights.data[QN_QUAD * i];
  for (uint32_t t = 0; t < plan->tile_count; t++) plan->tiles[t].fields[QN_TILE_WEIGHTS] /= QN_QUAD;
}

/* If there are such parameters, all tiles have one kind. */
void qn_bytes_push_shared(qn_gemm_plan *plan) {
  const qn_epilogue *epilogue = qn_bytes_of(plan->gemm)->epilogue;
  qn_epilogue_kind kind = plan->tiles[0].kind;
  for (uint32_t t = 0; t < plan->tile_count && epilogue->shares; t++)
    QN_ASSERT(plan->tiles[t].kind == kind);
  qn_epilogue_push_shared(epilogue, kind, &plan->params);
}

qn_status qn_bytes_pack(qn_loops *lo, qn_gemm_plan *plan) {
  qn_bytes_plan *own = QN_NEW(lo->scratch, qn_bytes_plan);
  plan->own = own;
  qn_packing packing =
      packing_of(lo->scratch, lo->target, plan->gemm, &own->quad_bytes, &own->runs);
  own->in_blocks = plan->gemm->micro->by_pairs && qn_panels_are_plain(&packing);
  if (plan->gemm->packs) return qn_bytes_plan_packing(lo, plan, &packing);
  qn_bytes_push_shared(plan);
  if (qn_panels_are_plain(&packing)) {
    QN_TRY(pack_at_once(lo, plan, &packing));
    thin_quads(plan);
    if (!own->thin) qn_bytes_join_channels(plan);
  } else {
    QN_TRY(pack_in_order(lo, plan, &packing));
  }
  if (packing.dot->bytes == 2) {
    qn_gemm_store_compactly(lo, plan);
    thin_panels(plan);
    qn_bytes_pair_channels(plan);
  }
  plan->unlisted = lo->target->narrow16 && qn_bytes_is_spaced(plan);
  bool is_long = plan->gemm->tap_count >= LONG_SUM * QN_QUAD;
  plan->own_vary = packing.dot->saturates && is_long && plan->tile_count > 1;
  if (plan->own_vary) round_size(&plan->weights);
  const size_t large = 4 * (size_t)lo->target->l1_bytes;
  bool memory_bound = qn_gemm_is_memory_bound(plan->gemm, plan->gemm->dot->cycles);
  bool prefetches = plan->weights.count >= large && !memory_bound;
  plan->prefetch_distance = prefetches ? lo->target->prefetch_distance : 0;
  return QN_OK;
}

/* ---- epilogue ---- */

qn_value *qn_bytes_element(emitter *e, qn_gemm_cursor at, int64_t m) {
  int64_t step = e->has_halo ? e->plan->gemm->channels : e->plan->pixel_y;
  return qn_index_add(e->b, at.element, m * step);
}

void qn_bytes_store(emitter *e, qn_gemm_cursor at, int64_t m, qn_value *bytes) {
  if (e->pixel_y[m])
    qn_vec_store(e->b, bytes, e->y, e->pixel_y[m], 0);
  else
    qn_vec_store(e->b, bytes, e->y, at.y, m * e->plan->pixel_y);
}

/* Stores the results of a tile. Each result is computed exactly once, because a post-op may read
 * the memory that it overwrites. */
void qn_bytes_store_results(emitter *e, const accumulators *acc, qn_gemm_cursor at) {
  qn_value *order = qn_bytes_load_order(e);
  for (int64_t m = 0; m < acc->rows; m++) {
    qn_value *element = qn_bytes_element(e, at, m);
    qn_value *bytes = qn_bytes_of_pixel(e, &acc->at[m * acc->vectors], order, element);
    qn_bytes_store(e, at, m, bytes);
  }
}

/* Loads one parameter of a group of vectors, `each` vectors at a time; it begins `offset` elements
 * after the tile's first. */
static void reload(emitter *e, int64_t offset, uint32_t group, uint32_t each, qn_value **out) {
  int64_t lanes = e->plan->lanes;
  for (uint32_t first = 0, count; first < group; first += count) {
    count = group - first < each ? group - first : each;
    qn_vec_reload(e->b, e->params, e->fields[QN_TILE_PARAMS], offset + first * lanes, lanes,
                  out + first, count);
  }
}

/* Vectors of initial accumulators that one load contains. Those of four vectors occupy consecutive
 * registers, which register allocation keeps through loops, and then spills others. */
static uint32_t reloaded_starts(const qn_gemm_plan *plan) {
  enum { PAIR = 2 };
  bool loops = qn_bytes_plan_of(plan)->runs != 1 || registers_of_parameters(plan->gemm) == 0;
  return loops ? PAIR : QN_EPILOGUE_MAX_VECTORS;
}

void qn_bytes_start_rows(emitter *e, qn_value **acc, int64_t rows) {
  uint32_t vectors = qn_bytes_vectors(e->plan, e->shape);
  for (uint32_t v = 0, group; v < vectors; v += group) {
    qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, v);
    group = qn_bytes_group(e->plan, e->shape, v);
    qn_value *first = NULL;
    if (group == 1)
      first = qn_epilogue_load_start(e->b, qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind,
                                     e->params, e->fields[QN_TILE_PARAMS], at.offset, at.lanes);
    if (first) first = qn_bytes_fill_lanes(e->b, first, e->plan->lanes);
    for (int64_t r = 0; r < rows; r++) {
      acc[r * vectors + v] = first;
      if (!first) reload(e, at.offset, group, reloaded_starts(e->plan), &acc[r * vectors + v]);
    }
  }
}

/* Whether separated sums are doubled, which takes no instruction, because requantization would. */
static bool doubles(const emitter *e) {
  bool wide = e->shape->kind == QN_EPILOGUE_WIDE || e->shape->kind == QN_EPILOGUE_HALVES;
  return wide && qn_bytes_plan_of(e->plan)->joined;
}

void qn_bytes_requantize_rows(emitter *e, qn_value **acc, int64_t rows) {
  enum { OFFSET = 2 };
  const qn_epilogue *epilogue = qn_bytes_of(e->plan->gemm)->epilogue;
  uint32_t vectors = qn_bytes_vectors(e->plan, e->shape);
  for (uint32_t first = 0, group; first < vectors; first += group) {
    qn_epilogue_params params[QN_EPILOGUE_MAX_VECTORS];
    qn_value *offsets[QN_EPILOGUE_MAX_VECTORS];
    group = qn_bytes_group(e->plan, e->shape, first);
    if (qn_bytes_in_blocks(e->plan, e->shape)) qn_vec_boundary(e->b, e->target);
    for (uint32_t v = 0; v < group; v++) {
      qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, first + v);
      params[v] = qn_epilogue_load(e->b, epilogue, e->shape->kind, e->params,
                                   e->fields[QN_TILE_PARAMS], at.offset, at.stride, at.lanes);
      for (uint32_t w = 0; w < QN_COUNT(params[v].words); w++)
        if (params[v].words[w])
          params[v].words[w] = qn_bytes_fill_lanes(e->b, params[v].words[w], e->plan->lanes);
      params[v].doubled = doubles(e);
    }
    qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, first);
    for (int64_t r = 0; r < rows; r++) {
      if (group > 1) reload(e, at.offset + OFFSET * at.stride, group, group, offsets);
      for (uint32_t v = 0; v < group; v++) {
        if (group > 1) qn_epilogue_set_offset(e->b, &params[v], offsets[v]);
        qn_value **to = &acc[r * vectors + first + v];
        *to = qn_epilogue_apply(e->b, epilogue, e->shape->kind, &params[v], *to);
      }
    }
  }
}

void qn_bytes_start(emitter *e, accumulators *acc) {
  if (!e->plan->gemm->packs) qn_bytes_start_rows(e, acc->at, acc->rows);
  for (uint32_t v = 0; v < acc->vectors && e->plan->gemm->packs; v++) {
    qn_value *first = qn_bytes_load_start(e, v);
    for (int64_t m = 0; m < acc->rows; m++) acc->at[m * acc->vectors + v] = first;
  }
  for (int64_t m = 0; m < acc->rows && e->row_sums; m++) {
    qn_value *term = qn_runtime_pack_row_sum(e, e->at.x, m);
    for (uint32_t v = 0; v < acc->vectors; v++) {
      qn_value **at = &acc->at[m * acc->vectors + v];
      *at = qn_gemm_add(e, *at, term);
    }
  }
  for (int64_t a = 0; a < acc->rows * acc->vectors && qn_bytes_plan_of(e->plan)->joined; a++)
    acc->at[a] = qn_bytes_join_sums(e, (uint32_t)(a % acc->vectors), acc->at[a]);
}

void qn_bytes_finish(emitter *e, accumulators *acc, qn_gemm_cursor at) {
  if (qn_dot_is_scalar(e->plan->gemm->dot)) qn_vec_boundary(e->b, e->target);
  for (int64_t a = 0; a < acc->rows * acc->vectors && qn_bytes_plan_of(e->plan)->joined; a++)
    acc->at[a] = qn_bytes_separate_sums(e, acc->at[a], doubles(e));
  qn_bytes_requantize_rows(e, acc->at, acc->rows);
  qn_bytes_store_results(e, acc, at);
}

const qn_type *qn_bytes_panel(const qn_gemm *gemm, qn_ir_context *cx) {
  return qn_type_i(cx, 8 * gemm->dot->bytes);
}

/* ---- the micro-kernels, by kind of byte product ---- */

const qn_dot *qn_bytes_dot_of_target(const qn_target *target) { return target->dot; }

const char *qn_bytes_no_quads(const qn_gemm *g, const qn_target *target) {
  (void)g;
  bool fits = qn_dot_is_exact(target->dot) && target->dot->depth == QN_QUAD;
  return fits ? NULL : "products of four bytes are not exact";
}

/* Products in groups require constant weights, because packing proves that the sums fit. */
static const char *no_groups(const qn_gemm *g, const qn_target *target) {
  if (!qn_dot_is_grouped(target->dot)) return "no products of bytes are summed in 16 bits";
  return g->packs ? "weights are known at run time only" : NULL;
}

/* Saturating products require constant weights, because packing decides which quads can be paired.
 */
static const char *no_saturating(const qn_gemm *g, const qn_target *target) {
  if (!target->dot->saturates) return "no products of bytes saturate";
  return g->packs ? "weights are known at run time only" : NULL;
}

/* Runtime weights are packed for pairs or quads. */
static const char *no_singles(const qn_gemm *g, const qn_target *target) {
  if (!target->dot->single) return "no products take single bytes";
  return g->packs ? "weights are known at run time only" : NULL;
}

static const qn_dot *single_groups_of(const qn_target *target) { return target->single_groups; }

static const char *no_single_groups(const qn_gemm *g, const qn_target *target) {
  if (!target->single_groups) return "no products of single bytes are summed in 16 bits";
  return g->packs ? "weights are known at run time only" : NULL;
}

static const qn_dot *dot_of_pairs(const qn_target *target) {
  (void)target;
  return &qn_dot_pairs;
}

static const char *no_pairs(const qn_gemm *g, const qn_target *target) {
  bool bytes = !qn_bytes_no_quads(g, target) || !no_saturating(g, target) ||
               !no_groups(g, target) || !no_singles(g, target);
  return bytes ? "products of bytes take these weights" : NULL;
}

int64_t qn_bytes_quad_count(const qn_gemm *g) {
  if (g->extent < QN_QUAD) return 1;
  return qn_tile_packing_quads(g, QN_QUAD) * (g->packs ? qn_bytes_parts(g) : 1);
}

#define KERNEL                                                                                     \
  .row_sums = qn_bytes_row_sums, .sum_bytes = sizeof(int32_t), .step_taps = QN_QUAD,               \
  .steps = qn_bytes_quad_count, .finish_cycles = qn_epilogue_cycles, .wraps_rows = true,           \
  .choose = qn_bytes_choose, .pack = qn_bytes_pack, .panel = qn_bytes_panel,                       \
  .pack_tile = qn_bytes_pack_tile, .start = qn_bytes_start, .multiply = qn_bytes_multiply,         \
  .finish = qn_bytes_finish

const qn_gemm_micro qn_gemm_quads = {KERNEL,
                                     .name = "vectors of bytes",
                                     .columns = 1,
                                     .step_cycles = qn_bytes_quad_cycles,
                                     .most_rows = qn_bytes_most_rows,
                                     .problem = qn_bytes_no_quads,
                                     .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_groups = {KERNEL,
                                      .name = "vectors of bytes in groups",
                                      .columns = 1,
                                      .step_cycles = qn_bytes_quad_cycles,
                                      .most_rows = most_rows_of_groups,
                                      .problem = no_groups,
                                      .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_saturating = {KERNEL,
                                          .name = "vectors of bytes that saturate",
                                          .step_cycles = qn_bytes_quad_cycles,
                                          .columns = QN_STEP_SATURATING,
                                          .most_rows = qn_bytes_most_rows,
                                          .problem = no_saturating,
                                          .dot = qn_bytes_dot_of_target,
                                          .estimate = estimate_packing};
const qn_gemm_micro qn_gemm_pairs = {KERNEL,
                                     .name = "vectors of 16-bit pairs",
                                     .columns = 1,
                                     .step_cycles = qn_bytes_quad_cycles,
                                     .most_rows = qn_bytes_most_rows,
                                     .problem = no_pairs,
                                     .dot = dot_of_pairs,
                                     .open = qn_bytes_open_pairs};
const qn_gemm_micro qn_gemm_singles = {KERNEL,
                                       .name = "single bytes",
                                       .columns = 1,
                                       .step_cycles = single_cycles,
                                       .most_rows = most_rows_of_singles,
                                       .problem = no_singles,
                                       .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_single_groups = {KERNEL,
                                             .name = "single bytes in groups",
                                             .columns = QN_STEP_KINDS,
                                             .step_cycles = single_group_cycles,
                                             .most_rows = most_rows_of_singles,
                                             .problem = no_single_groups,
                                             .dot = single_groups_of,
                                             .estimate = estimate_groups};
#undef KERNEL

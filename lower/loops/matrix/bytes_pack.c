/* Packed constants of the micro-kernels of 8-bit x: panels of weights, lists of quads, parameters
 * of the epilogue; and what the weights say about tiles before those are chosen.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "base/workers.h"
#include "lower/loops/matrix/gemm_bytes.h"
#include "lower/loops/matrix/gemm_steps.h"

/* ---- kinds of epilogues ---- */

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
                        .lanes = qn_gemm_lanes(g, target),
                        .weights = qn_bytes_of(g)->weights,
                        .quads = quads,
                        .scratch = scratch,
                        .bandwidth_bound = qn_bytes_has_few_pixels(g)};
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
const void *qn_bytes_estimate_operations(qn_arena *scratch, const qn_target *target,
                                         const qn_gemm *gemm) {
  if (!qn_bytes_of(gemm)->weights->values) return NULL;
  double *operations = QN_NEW_ARRAY(scratch, QN_EPILOGUE_MAX_VECTORS + 1, double);
  if (!qn_bytes_has_few_pixels(gemm)) /* else loads are the bound */
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
  qn_bytes_groups out = {.quads = (double)offsets.count / all};
  for (qn_step_kind k = QN_STEP_PLAIN; k < QN_STEP_KINDS; k++) {
    out.steps += panel.steps[k] / all;
    out.sums += panel.steps[k] * (qn_step_form_of(k)->halves ? 2 : 1) / all;
    out.loops += panel.steps[k] > 0;
  }
  qn_array_free(&bytes);
  qn_array_free(&offsets);
  ((qn_bytes_groups *)estimates)[vectors] = out;
}

/* Estimates qn_bytes_groups for each tile width in vectors. */
const void *qn_bytes_estimate_groups(qn_arena *scratch, const qn_target *target,
                                     const qn_gemm *gemm) {
  if (!qn_bytes_of(gemm)->weights->values) return NULL;
  qn_bytes_groups *out = QN_NEW_ARRAY(scratch, QN_EPILOGUE_MAX_VECTORS + 1, qn_bytes_groups);
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

/* The packing kernel of 8-bit runtime weights.
 *
 * A panel begins with the initial accumulators of its channels, as i32 spread over the elements of
 * the panel. Its quads follow in the compile-time layout, all of them plain: quad by quad for all
 * vectors of the tile, or for AMX the quads of a step for each vector. Byte products use every i8
 * weight w without zero point unchanged. Otherwise w minus its zero point, up to nine bits, is
 * split into two bytes that add up to it, or three if it can be 255; or the zero point is
 * compensated by row sums of x (row_sums.c). 16-bit products use the whole difference. So every
 * value of the weights is exact.
 *
 *   sum w * (x - z) + bias = sum w * X + (bias - k * sum w),  X = x + flip,  k = z + flip
 *
 * with flip = 128 if i8 x is converted to unsigned, else 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lower/loops/matrix/runtime_pack/rows.h"
#include "lower/loops/matrix/tiles/packing.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"

typedef qn_gemm_emitter emitter;

/* ---- the plan ---- */

/* Whether consecutive weights can be packed together. */
static bool has_runs(const qn_gemm *g) {
  return g->source.tap_step == 1 || qn_runtime_pack_is_by_row(g);
}

/* Lists a quad or step of `depth` weights. If the weights are consecutive and `whole` is set, the
 * entry has the index of the first weight. If they are not consecutive and `whole` is not set,
 * there is an entry per quad with all indices. */
static void list_taps(qn_gemm_plan *plan, int64_t number, const int32_t *taps, int64_t depth,
                      bool whole) {
  bool is_run = has_runs(plan->gemm);
  for (int64_t i = 0; i < depth && is_run; i++) is_run = taps[i] >= 0 && taps[i] == taps[0] + i;
  if (is_run != whole) return;
  for (int64_t i = 0; i < depth; i += whole ? depth : QN_QUAD) {
    qn_array_push(&plan->quads, (int32_t)(number + i / QN_QUAD));
    for (int64_t k = 0; k < (whole ? 1 : QN_QUAD); k++) qn_array_push(&plan->quads, taps[i + k]);
    *(whole ? &qn_bytes_plan_of(plan)->whole_quads : &qn_bytes_plan_of(plan)->cut_quads) += 1;
  }
}

static void list_windows(qn_gemm_plan *plan, const qn_packing *packing) {
  int64_t parts = qn_bytes_parts(plan->gemm);
  for (uint32_t i = 0; i < packing->quad_count; i++)
    for (int64_t p = 0; p < parts; p++)
      qn_array_push(&plan->offsets, (int32_t)packing->quads[i].offset);
  for (int whole = 1; whole >= 0; whole--)
    for (uint32_t i = 0; i < packing->quad_count; i++)
      list_taps(plan, i * parts, packing->quads[i].taps, QN_QUAD, whole);
}

/* Drops the last tile's parameters if they equal those of the tile before; returns whether they
 * did. */
static bool share_params(qn_gemm_plan *plan, size_t previous, size_t first) {
  const int32_t *words = plan->params.data;
  size_t count = plan->params.count - first;
  if (count > first - previous || memcmp(words + previous, words + first, 4 * count) != 0)
    return false;
  plan->params.count = first;
  return true;
}

/* Assigns the offset of each tile's panel of `quads` quads. */
static qn_status place_panels(qn_loops *lo, qn_gemm_plan *plan, int64_t quads) {
  int32_t zeros[QN_GEMM_TILE_CHANNELS] = {0};
  int64_t channels[QN_GEMM_TILE_CHANNELS], element = qn_runtime_pack_is_wide(plan->gemm) ? 2 : 1;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t bytes = tile->vectors * plan->lanes * (int64_t)sizeof(int32_t);
    bytes += quads * tile->vectors * plan->lanes * QN_QUAD * element;
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)plan->panel_elements;
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    tile->fields[qn_tile_steps(QN_STEP_PLAIN)] = (int32_t)plan->offsets.count;
    plan->panel_elements += bytes / element;
    qn_bytes_tile_channels(plan, tile, channels);
    size_t first = plan->params.count;
    qn_bytes_pack_params(plan, tile, channels, zeros);
    if (t > 0 && share_params(plan, plan->tiles[t - 1].fields[QN_TILE_PARAMS], first))
      tile->fields[QN_TILE_PARAMS] = plan->tiles[t - 1].fields[QN_TILE_PARAMS];
    QN_TRY(qn_gemm_check_size(lo, plan, plan->panel_elements * element));
  }
  return QN_OK;
}

qn_status qn_bytes_plan_packing(qn_loops *lo, qn_gemm_plan *plan, const qn_packing *packing) {
  list_windows(plan, packing);
  return place_panels(lo, plan, (int64_t)plan->offsets.count);
}

qn_status qn_bytes_plan_tiles(qn_loops *lo, qn_gemm_plan *plan, const qn_tile_packing *packing) {
  int64_t run = qn_runtime_pack_run(plan);
  for (int whole = 1; whole >= 0; whole--)
    for (uint32_t s = 0; s < packing->step_count; s++)
      if (packing->steps[s].part == 0)
        list_taps(plan, s * run, packing->steps[s].taps, qn_bytes_plan_of(plan)->quad_bytes, whole);
  return place_panels(lo, plan, packing->step_count * run);
}

/* ---- initial accumulators ---- */

static void store_start(emitter *e, qn_value *value, qn_value *index, int64_t offset) {
  const qn_type *element = qn_type_element(e->weights->type);
  qn_vec_store(e->b, qn_vec_bitcast(e->b, value, element), e->weights, index, offset);
}

static qn_value *load_scalar(emitter *e, qn_value *memref, qn_value *index) {
  return qn_build_1(e->b, QN_OP_MEMREF_LOAD, qn_type_element(memref->type),
                    QN_VALUES(memref, index), NULL);
}

/* Panel elements from a quad to the next one of the same part of the weights. */
static int64_t quad_stride(const emitter *e) {
  bool alone = qn_runtime_pack_run(e->plan) == 1;
  return alone ? qn_bytes_parts(e->plan->gemm) * qn_runtime_pack_quad_elements(e)
               : qn_runtime_pack_vector_elements(e);
}

enum {
  FOURS = 4,
  AT_ONCE = QN_RUNTIME_PACK_BLOCK / QN_QUAD
}; /* channels and quads per channel that are transposed at once */

static void move(emitter *e, qn_value *const from[FOURS], qn_value *weights, qn_value *out[FOURS]) {
  for (int c = 0; c < FOURS; c++) out[c] = qn_gemm_add(e, from[c], weights);
}

/* Loads the weights of `count` quads of a channel from index on. */
static qn_value *load_block(emitter *e, qn_value *index, int64_t count) {
  int64_t mask[QN_RUNTIME_PACK_BLOCK];
  qn_value *bytes = qn_vec_load(e->b, e->source, index, 0, count * QN_QUAD);
  if (count == AT_ONCE) return bytes;
  for (int64_t i = 0; i < QN_RUNTIME_PACK_BLOCK; i++) mask[i] = i % (count * QN_QUAD);
  return qn_vec_shuffle(e->b, bytes, bytes, mask, QN_RUNTIME_PACK_BLOCK);
}

/* Stores `count` consecutive quads of four channels, the channels side by side. */
static void side_by_side(emitter *e, qn_value *const from[FOURS], qn_value *to, int64_t count) {
  qn_value *blocks[FOURS];
  for (int c = 0; c < FOURS; c++) blocks[c] = load_block(e, from[c], count);
  for (int64_t i = 0; i < count; i++) {
    qn_value *first = qn_runtime_pack_interleave(e, blocks[0], blocks[1], QN_QUAD, i / 2);
    qn_value *second = qn_runtime_pack_interleave(e, blocks[2], blocks[3], QN_QUAD, i / 2);
    qn_value *quad = qn_runtime_pack_interleave(e, first, second, 2 * QN_QUAD, i % 2);
    qn_runtime_pack_put_channels(e, quad, qn_index_add(e->b, to, i * quad_stride(e)));
  }
}

/* Whether the weights of a channel are stored in the order of its quads. */
static bool is_in_order(const qn_gemm_plan *plan) {
  int64_t parts = qn_bytes_parts(plan->gemm);
  for (int64_t i = 0; i < qn_bytes_plan_of(plan)->whole_quads; i++) {
    const int32_t *window = plan->quads.data + QN_WHOLE_FIELDS * i;
    if (window[0] != i * parts || window[1] != i * QN_QUAD) return false;
  }
  return true;
}

static void quads_in_order(emitter *e, qn_value *const from[FOURS], qn_value *to, int64_t count) {
  int64_t full = count / AT_ONCE, stride = quad_stride(e);
  qn_value *first[FOURS];
  if (full > 0) {
    qn_value *i = qn_nest_count(e->b, full, 1);
    move(e, from, qn_index_affine(e->b, i, AT_ONCE * QN_QUAD, 0), first);
    qn_value *quads = qn_gemm_add(e, to, qn_index_affine(e->b, i, AT_ONCE * stride, 0));
    side_by_side(e, first, quads, AT_ONCE);
    qn_nest_end(e->b);
  }
  if (count % AT_ONCE == 0) return;
  move(e, from, qn_build_index(e->b, full * AT_ONCE * QN_QUAD), first);
  side_by_side(e, first, qn_index_add(e->b, to, full * AT_ONCE * stride), count % AT_ONCE);
}

static void whole_quads(emitter *e, qn_value *const from[FOURS], qn_value *to) {
  int64_t run = qn_runtime_pack_run(e->plan);
  if (run == 1 && is_in_order(e->plan)) {
    quads_in_order(e, from, to, qn_bytes_plan_of(e->plan)->whole_quads);
    return;
  }
  qn_value *first[FOURS], *i = qn_nest_count(e->b, qn_bytes_plan_of(e->plan)->whole_quads, 1);
  qn_value *entry = qn_index_affine(e->b, i, QN_WHOLE_FIELDS, 0);
  to = qn_runtime_pack_quad_at(e, to, qn_index_load(e->b, e->quads, entry, 0));
  move(e, from, qn_index_load(e->b, e->quads, entry, 1), first);
  quads_in_order(e, first, to, run);
  qn_nest_end(e->b);
}

/* Packs quads with listed weights one by one; positions without a weight are 0. */
static void cut_quads(emitter *e, qn_value *from, qn_value *to) {
  const qn_gemm *g = e->plan->gemm;
  qn_value *i = qn_nest_count(e->b, qn_bytes_plan_of(e->plan)->cut_quads, 1);
  qn_value *entry = qn_index_affine(e->b, i, QN_CUT_FIELDS,
                                    QN_WHOLE_FIELDS * qn_bytes_plan_of(e->plan)->whole_quads);
  to = qn_runtime_pack_quad_at(e, to, qn_index_load(e->b, e->quads, entry, 0));
  qn_value *zero = qn_build_index(e->b, 0);
  for (int64_t k = 0; k < QN_QUAD; k++) {
    qn_value *tap = qn_index_load(e->b, e->quads, entry, 1 + k);
    qn_value *known = qn_build_binary(e->b, QN_OP_ARITH_MAXSI, tap, zero);
    qn_value *at = qn_gemm_add(e, from, qn_index_affine(e->b, known, g->source.tap_step, 0));
    qn_value *bytes = qn_vec_broadcast(e->b, load_scalar(e, e->source, at), 1);
    qn_value *wide = qn_runtime_pack_widen(e, bytes);
    qn_value *is_there = qn_build_cmpi(e->b, QN_CMP_SGE, tap, zero);
    wide = qn_build_select(e->b, is_there, wide, qn_runtime_pack_number(e, 0, wide));
    bytes = qn_build_select(e->b, is_there, bytes, qn_runtime_pack_number(e, 0, bytes));
    qn_runtime_pack_put(e, bytes, wide, to, k);
  }
  qn_nest_end(e->b);
}

static qn_value *divide(emitter *e, qn_op_kind kind, qn_value *index, int64_t by) {
  return qn_build_binary(e->b, kind, index, qn_build_index(e->b, by));
}

/* The first lane of a group of four channels of the tile; vectors are `pitch` apart
 * (qn_epilogue_lane_channel). */
static qn_value *lane_of_fours(emitter *e, qn_value *fours, int64_t pitch) {
  int64_t vectors = e->shape->vectors;
  if (vectors == 1) return qn_index_affine(e->b, fours, FOURS, 0);
  qn_value *vector = divide(e, QN_OP_ARITH_REMUI, fours, vectors);
  qn_value *lane = qn_index_affine(e->b, vector, pitch, 0);
  qn_value *group = divide(e, QN_OP_ARITH_DIVUI, fours, vectors);
  return qn_gemm_add(e, lane, qn_index_affine(e->b, group, FOURS, 0));
}

static qn_value *lane_of(emitter *e, qn_value *channel, int64_t pitch) {
  qn_value *lane = lane_of_fours(e, divide(e, QN_OP_ARITH_DIVUI, channel, FOURS), pitch);
  return qn_gemm_add(e, lane, divide(e, QN_OP_ARITH_REMUI, channel, FOURS));
}

/* The bias of a channel, as a vector of one element. */
static qn_value *bias_of(emitter *e, qn_value *channel) {
  channel = qn_gemm_add(e, e->fields[QN_TILE_CHANNEL], channel);
  return qn_vec_broadcast(e->b, load_scalar(e, e->bias, channel), 1);
}

static void start_channel(emitter *e, qn_value *c, qn_value *channel) {
  qn_value *lane = lane_of(e, c, e->plan->lanes);
  qn_value *start = qn_index_affine(e->b, lane, qn_runtime_pack_elements_of_i32(e), 0);
  start = qn_gemm_add(e, e->fields[QN_TILE_WEIGHTS], start);
  store_start(e, bias_of(e, channel), start, 0);
}

/* First source element of `channel`. Padding lanes repeat the last channel, so that loads stay in
 * bounds. */
static qn_value *channel_from(emitter *e, qn_value *channel) {
  if (e->shape->valid < qn_runtime_pack_width(e))
    channel = qn_nest_min(e->b, channel, e->shape->valid - 1);
  qn_value *from = qn_index_affine(e->b, channel, e->plan->gemm->source.channel_step, 0);
  return qn_gemm_add(e, e->fields[qn_gemm_source_field(e->plan->gemm)], from);
}

/* Panel offset of the weights of a lane in a quad. */
static qn_value *lane_at(emitter *e, qn_value *lane) {
  lane = qn_index_affine(e->b, lane, qn_runtime_pack_is_wide(e->plan->gemm) ? 2 : 4, 0);
  return qn_gemm_add(e, qn_runtime_pack_first_quad(e), lane);
}

static void pack_cut_windows(emitter *e) {
  if (qn_bytes_plan_of(e->plan)->cut_quads == 0) return;
  qn_value *c = qn_nest_count(e->b, qn_runtime_pack_width(e), 1);
  qn_value *lane = lane_of(e, c, qn_runtime_pack_run(e->plan) * e->plan->lanes);
  qn_value *from = channel_from(e, c);
  cut_quads(e, from, lane_at(e, lane));
  qn_nest_end(e->b);
}

static void pack_whole_windows(emitter *e) {
  if (qn_bytes_plan_of(e->plan)->whole_quads == 0) return;
  qn_value *from[FOURS], *fours = qn_nest_count(e->b, qn_runtime_pack_width(e) / FOURS, 1);
  for (int64_t c = 0; c < FOURS; c++)
    from[c] = channel_from(e, qn_index_affine(e->b, fours, FOURS, c));
  qn_value *lane = lane_of_fours(e, fours, qn_runtime_pack_run(e->plan) * e->plan->lanes);
  whole_quads(e, from, lane_at(e, lane));
  qn_nest_end(e->b);
}

static void pack_starts(emitter *e) {
  int64_t vector = e->plan->lanes * qn_runtime_pack_elements_of_i32(e);
  qn_value *zeros = e->bias ? NULL : qn_vec_splat(e->b, 0, e->i32, e->plan->lanes);
  for (uint32_t v = 0; v < e->shape->vectors && zeros; v++)
    store_start(e, zeros, e->fields[QN_TILE_WEIGHTS], v * vector);
  if (zeros) return;
  qn_value *c = qn_nest_count(e->b, qn_runtime_pack_width(e), 1), *channel = c;
  if (e->shape->valid < qn_runtime_pack_width(e))
    channel = qn_nest_min(e->b, c, e->shape->valid - 1);
  start_channel(e, c, channel);
  qn_nest_end(e->b);
}

/* ---- sums of weights ---- */

/* sum + the weights of one quad of a vector, whose panel elements begin at index. */
static qn_value *add_weights(emitter *e, qn_value *sum, qn_value *index, uint32_t vector) {
  const qn_gemm *g = e->plan->gemm;
  int64_t lanes = e->plan->lanes, count = lanes * qn_runtime_pack_elements_of_i32(e);
  if (!qn_runtime_pack_is_wide(g)) {
    int64_t at = vector * qn_runtime_pack_run(e->plan) * count;
    qn_value *w = qn_vec_load(e->b, e->weights, index, at, count);
    qn_value *ones = qn_vec_splat(e->b, 1, e->i8, count);
    return qn_products_in_lanes(e->b, sum, ones, w, qn_dot_takes(e->target->dot, true));
  }
  qn_value *ones = qn_vec_splat(e->b, 1, e->i16, count);
  for (int64_t half = 0; half < 2; half++) {
    int64_t at = (half * e->shape->vectors + vector) * count;
    qn_value *w = qn_vec_load(e->b, e->weights, index, at, count);
    sum = qn_products_of_pairs(e->b, sum, w, ones);
  }
  return sum;
}

/* Subtracts `factor` times the sum of each channel's weights from its initial accumulator. */
static void correct_starts(emitter *e, int64_t factor) {
  qn_value *sums[QN_EPILOGUE_MAX_VECTORS];
  uint32_t vectors = e->shape->vectors;
  for (uint32_t v = 0; v < vectors; v++) sums[v] = qn_vec_splat(e->b, 0, e->i32, e->plan->lanes);
  int64_t quads = e->shape->fields[qn_tile_steps(QN_STEP_PLAIN)] * qn_runtime_pack_run(e->plan);
  qn_carry loop = qn_carry_begin(e->b, 0, quads, 1, sums, vectors);
  qn_value *index = qn_index_add(e->b, e->fields[QN_TILE_WEIGHTS], qn_bytes_start_elements(e));
  index = qn_runtime_pack_quad_at(e, index, loop.index);
  for (uint32_t v = 0; v < vectors; v++) sums[v] = add_weights(e, sums[v], index, v);
  qn_carry_end(e->b, &loop);
  for (uint32_t v = 0; v < vectors; v++) {
    qn_value *sum = sums[v], *start = qn_bytes_load_start(e, v);
    sum = qn_build_binary(e->b, QN_OP_ARITH_MULI, sum, qn_runtime_pack_number(e, factor, sum));
    start = qn_build_binary(e->b, QN_OP_ARITH_SUBI, start, sum);
    store_start(e, start, e->fields[QN_TILE_WEIGHTS],
                v * e->plan->lanes * qn_runtime_pack_elements_of_i32(e));
  }
}

void qn_bytes_pack_tile(emitter *e) {
  const qn_gemm *g = e->plan->gemm;
  pack_starts(e);
  if (qn_runtime_pack_is_by_row(g)) {
    qn_runtime_pack_pack_rows(e);
  } else {
    pack_whole_windows(e);
    pack_cut_windows(e);
  }
  int64_t factor = qn_bytes_of(g)->weights->plan->input_zero_point;
  factor += qn_dot_offset(g->dot, qn_bytes_of(g)->weights->x_unsigned);
  if (factor != 0) correct_starts(e, factor);
}

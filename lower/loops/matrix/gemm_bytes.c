/* The micro-kernel of 8-bit x: quads, multiplied with the target's byte or 16-bit products, summed
 * in 32 bits; at the end requantization.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lower/loops/fusion.h"
#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/nest.h"

enum {
  MAX_UNROLLED = 3, /* quads behind an equally spaced sequence that are emitted one by one */
  MOST_ROWS = 16,
};

typedef qn_gemm_emitter emitter;
typedef qn_gemm_sums accumulators;

/* ---- the plan ---- */

/* Whether bytes of x are made unsigned when they are loaded. */
static bool flips(const qn_gemm *g) {
  return qn_dot_of(g->dot)->x_unsigned && !g->weights->x_unsigned;
}

/* Most pixels of a tile of `vectors` vectors such that nothing is spilled: besides the sums, the
 * weights of a quad, a row of x, and what flips it, are in registers. */
static int64_t most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  int64_t left = (int64_t)target->vector_registers - vectors - 1 - flips(g);
  int64_t rows = (left < target->accumulators ? left : target->accumulators) / vectors;
  return rows < MOST_ROWS ? rows : MOST_ROWS;
}

/* Cycles for the weights of a quad, which come from behind the nearest cache when a panel is no
 * small part of it. Each may have a mask. */
static double weight_cycles(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  const qn_dot *dot = qn_dot_of(g->dot);
  double quad = (double)target->vector_bytes * vectors * dot->bytes * (dot->saturates ? 2 : 1);
  double panel = quad * (double)((g->tap_count + QN_QUAD - 1) / QN_QUAD);
  bool streams = target->stream_bytes > 0 && panel > target->near_bytes / 2.0;
  return streams ? quad / target->stream_bytes : 0;
}

/* Cycles per quad of a tile: what bounds it of multiplications, loads, and the latency of a chain;
 * and its weights. */
static double quad_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  if (rows == 0) return 0;
  const qn_dot *dot = qn_dot_of(g->dot);
  double cycles = dot->cycles * (double)rows * vectors, loads = 0.5 * ((double)rows + vectors);
  if (cycles < loads) cycles = loads;
  if (cycles < dot->latency) cycles = dot->latency;
  return cycles + weight_cycles(g, target, vectors);
}

/* About four instructions per vector and three or four to narrow. */
static double finish_cycles(uint32_t vectors) {
  return 2.0 * vectors + (vectors % 4 == 0 ? 1.5 : 2);
}

/* The epilogue is at most a tenth of the work with this many quads. */
enum { LONG_SUM = 24 };

/* Few kinds of epilogues: less code, and kernels that several layers share. */
static void choose_kinds(const qn_gemm *g, qn_gemm_plan *plan) {
  uint32_t tiles[QN_EPILOGUE_KINDS] = {0};
  int64_t channels[QN_GEMM_TILE_CHANNELS];
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    qn_gemm_tile_channels(plan, tile, channels);
    tile->kind = qn_epilogue_kind_of(g->epilogue, channels, tile->vectors * plan->lanes);
    tiles[tile->kind]++;
  }
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    qn_gemm_tile_channels(plan, tile, channels);
    qn_epilogue_kind goal = qn_epilogue_goal(tiles, tile->kind, g->tap_count < LONG_SUM * QN_QUAD);
    if (goal != tile->kind &&
        qn_epilogue_serves(g->epilogue, goal, channels, tile->vectors * plan->lanes))
      tile->kind = goal;
  }
}

/* ---- constants ---- */

void qn_bytes_pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
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

static qn_packing packing_of(qn_loops *lo, qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  qn_window *windows = QN_NEW_ARRAY(lo->scratch, (size_t)g->tap_count + 1, qn_window);
  qn_packing packing = {.dot = g->dot,
                        .lanes = plan->lanes,
                        .weights = g->weights,
                        .windows = windows,
                        .scratch = lo->scratch};
  packing.window_count =
      qn_windows_cover(g->taps, g->tap_count, g->extent, windows, &plan->window_bytes);
  return packing;
}

static qn_status pack_tiles(qn_loops *lo, qn_gemm_plan *plan) {
  qn_packing packing = packing_of(lo, plan);
  if (plan->gemm->packs) return qn_bytes_plan_packing(lo, plan, &packing);
  size_t element = qn_dot_of(packing.dot)->bytes, offsets = 0;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[QN_GEMM_TILE_CHANNELS];
    int32_t start[QN_GEMM_TILE_CHANNELS];
    qn_gemm_tile_channels(plan, tile, channels);
    size_t first_offset = plan->offsets.count;
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)(plan->weights.count / element);
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    qn_panel panel =
        qn_panel_pack(&packing, channels, tile->vectors, &plan->weights, &plan->offsets, start);
    offsets = share_offsets(plan, first_offset, offsets);
    tile->fields[QN_TILE_OFFSETS] = (int32_t)offsets;
    tile->fields[QN_TILE_PLAIN] = (int32_t)panel.plain;
    tile->fields[QN_TILE_MASKED] = (int32_t)panel.masked;
    qn_bytes_pack_params(plan, tile, channels, start);
    QN_TRY(qn_gemm_check_size(lo, plan, (int64_t)plan->weights.count));
  }
  return QN_OK;
}

/* ---- one quad ---- */

/* Four bytes of a pixel, zeros behind a shorter window. */
static qn_value *load_quad(emitter *e, qn_value *index, int64_t row) {
  int64_t bytes = e->plan->window_bytes;
  qn_value *quad = qn_vec_load(e->b, e->x, index, row * e->plan->pixel_stride, bytes);
  if (bytes == QN_QUAD) return quad;
  int64_t mask[QN_QUAD];
  for (int64_t i = 0; i < QN_QUAD; i++) mask[i] = i < bytes ? i : bytes;
  return qn_vec_shuffle(e->b, quad, qn_vec_splat(e->b, 0, e->i8, bytes), mask, QN_QUAD);
}

/* Lane `lane` of a vector of i32 in all lanes, as bytes or halves. */
static qn_value *spread(emitter *e, qn_value *dwords, int64_t lane, const qn_type *element) {
  qn_value *all = qn_vec_broadcast(e->b, qn_vec_extract(e->b, dwords, lane), e->plan->lanes);
  return qn_vec_bitcast(e->b, all, element);
}

static qn_value *madd_s16(emitter *e, qn_value *lhs, qn_value *rhs) {
  const qn_type *sums = qn_type_vec(e->b->cx, e->i32, e->plan->lanes);
  return qn_build_1(e->b, QN_OP_QUERN_MADD_S16, sums, QN_VALUES(lhs, rhs), NULL);
}

/* acc + dot4(u8 bytes, s8 weights) with the target's instructions. */
static qn_value *dot(emitter *e, qn_value *acc, qn_value *bytes, qn_value *weights) {
  if (!qn_dot_of(e->plan->gemm->dot)->saturates)
    return qn_build_1(e->b, QN_OP_QUERN_DOT_U8S8, acc->type, QN_VALUES(acc, bytes, weights), NULL);
  const qn_type *pairs = qn_type_vec(e->b->cx, e->i16, 2 * e->plan->lanes);
  qn_value *sums = qn_build_1(e->b, QN_OP_QUERN_MADD_U8S8, pairs, QN_VALUES(bytes, weights), NULL);
  return qn_gemm_add(e, acc, madd_s16(e, sums, qn_vec_splat(e->b, 1, e->i16, 2 * e->plan->lanes)));
}

/* 16-bit products: pairs of extended bytes with pairs of weights. */
static void step_s16(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  bool x_unsigned = e->plan->gemm->weights->x_unsigned;
  qn_op_kind extend = x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI;
  int64_t width = 2 * e->plan->lanes;
  qn_value *quads[QN_GEMM_ACCUMULATORS];
  for (int64_t m = 0; m < acc->rows; m++)
    quads[m] = qn_vec_bitcast(e->b, qn_vec_cast(e->b, extend, load_quad(e, x, m), e->i16), e->i32);
  for (int64_t half = 0; half < 2; half++)
    for (int64_t m = 0; m < acc->rows; m++) {
      qn_value *pair = spread(e, quads[m], half, e->i16);
      for (uint32_t v = 0; v < acc->vectors; v++) {
        qn_value **to = &acc->at[m * acc->vectors + v];
        qn_value *weights =
            qn_vec_load(e->b, e->weights, w, (half * acc->vectors + v) * width, width);
        *to = qn_gemm_add(e, *to, madd_s16(e, pair, weights));
      }
    }
}

/* Factors of one quad in registers: of the weights all vectors, of x all rows or one. */
typedef struct quad_factors {
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS], *masks[QN_EPILOGUE_MAX_VECTORS], *top;
} quad_factors;

static void load_weights(emitter *e, quad_factors *f, uint32_t v, qn_value *w, bool masked) {
  int64_t width = QN_QUAD * e->plan->lanes, stride = masked ? 2 * width : width;
  f->weights[v] = qn_vec_load(e->b, e->weights, w, v * stride, width);
  f->masks[v] = masked ? qn_vec_load(e->b, e->weights, w, v * stride + width, width) : NULL;
}

static qn_value *load_row(emitter *e, const quad_factors *f, qn_value *x, int64_t m) {
  qn_value *bytes = spread(e, qn_vec_bitcast(e->b, load_quad(e, x, m), e->i32), 0, e->i8);
  return f->top ? qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes, f->top) : bytes;
}

static void multiply(emitter *e, accumulators *acc, const quad_factors *f, qn_value *bytes,
                     int64_t m, uint32_t v) {
  qn_value **to = &acc->at[m * acc->vectors + v], *mask = f->masks[v];
  qn_value *u8 = mask ? qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes, mask) : bytes;
  *to = dot(e, *to, u8, f->weights[v]);
}

/* All rows of x first, whose loads then have the products of a vector to arrive; where that takes
 * more registers than there are row by row, all weights first. */
static void step_s8(emitter *e, accumulators *acc, qn_value *x, qn_value *w, bool masked) {
  quad_factors f = {.top = NULL};
  if (!masked && flips(e->plan->gemm))
    f.top = qn_vec_splat(e->b, -128, e->i8, QN_QUAD * e->plan->lanes);
  if (acc->rows * acc->vectors + acc->rows + 2 > e->target->vector_registers) {
    for (uint32_t v = 0; v < acc->vectors; v++) load_weights(e, &f, v, w, masked);
    for (int64_t m = 0; m < acc->rows; m++) {
      qn_value *bytes = load_row(e, &f, x, m);
      for (uint32_t v = 0; v < acc->vectors; v++) multiply(e, acc, &f, bytes, m, v);
    }
    return;
  }
  qn_value *bytes[QN_GEMM_ACCUMULATORS];
  for (int64_t m = 0; m < acc->rows; m++) bytes[m] = load_row(e, &f, x, m);
  for (uint32_t v = 0; v < acc->vectors; v++) {
    load_weights(e, &f, v, w, masked);
    for (int64_t m = 0; m < acc->rows; m++) multiply(e, acc, &f, bytes[m], m, v);
  }
}

/* Adds one quad of all pixels of the tile: x and w are where its bytes and weights begin. */
static void step(emitter *e, accumulators *acc, qn_value *x, qn_value *w, bool masked) {
  if (qn_dot_of(e->plan->gemm->dot)->bytes == 2)
    step_s16(e, acc, x, w);
  else
    step_s8(e, acc, x, w, masked);
}

/* ---- all quads ---- */

/* Elements of weights of one quad. */
static int64_t quad_stride(const emitter *e, bool masked) {
  int64_t plain = e->shape->vectors * e->plan->lanes * QN_QUAD; /* bytes or i16 */
  return masked ? 2 * plain : plain;
}

/* Quads [0, count): x_of maps the quad's number to where it reads, by the table or equally spaced.
 */
static void quad_loop(emitter *e, accumulators *acc, qn_value *x, qn_value *w, qn_value *list,
                      qn_gemm_bound count, bool masked) {
  uint32_t n = (uint32_t)acc->rows * acc->vectors;
  qn_value *zero = qn_build_index(e->b, 0), *end = qn_gemm_bound_value(e, count);
  qn_op *nest = qn_build_for(e->b, zero, end, qn_build_index(e->b, 1), acc->at, n);
  qn_block *body = qn_op_body(nest);
  qn_value *q = body->args[0];
  for (uint32_t i = 0; i < n; i++) acc->at[i] = body->args[1 + i];
  qn_value *offset = list ? qn_index_load(e->b, e->offsets, qn_gemm_add(e, list, q), 0)
                          : qn_index_affine(e->b, q, QN_QUAD, 0);
  qn_value *panel = qn_gemm_add(e, w, qn_index_affine(e->b, q, quad_stride(e, masked), 0));
  step(e, acc, qn_gemm_add(e, x, offset), panel, masked);
  qn_build_yield(e->b, acc->at, n);
  for (uint32_t i = 0; i < n; i++) acc->at[i] = qn_op_result(nest, i);
}

/* A list that is the same for all tiles of the segment. */
static void known_quads(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t count = e->shape->fields[QN_TILE_PLAIN], spaced = 1, stride = quad_stride(e, false);
  while (spaced < count && offsets[spaced] == offsets[0] + QN_QUAD * spaced) spaced++;
  if (count - spaced > MAX_UNROLLED) {
    quad_loop(e, acc, x, w, e->fields[QN_TILE_OFFSETS], qn_gemm_known(count), false);
    return;
  }
  int64_t first = spaced > 1 ? spaced : 0;
  if (first > 0)
    quad_loop(e, acc, qn_index_add(e->b, x, offsets[0]), w, NULL, qn_gemm_known(spaced), false);
  for (int64_t q = first; q < count; q++) {
    qn_value *pixels = qn_index_add(e->b, x, offsets[q]);
    step(e, acc, pixels, qn_index_add(e->b, w, q * stride), false);
  }
}

static void all_quads(emitter *e, accumulators *acc, qn_value *x) {
  qn_value *w = e->fields[QN_TILE_WEIGHTS], *list = e->fields[QN_TILE_OFFSETS];
  if (e->plan->gemm->packs) w = qn_index_add(e->b, w, qn_bytes_start_elements(e));
  qn_gemm_bound plain = qn_gemm_field(e, QN_TILE_PLAIN), masked = qn_gemm_field(e, QN_TILE_MASKED);
  if (!plain.value && qn_gemm_field_is_constant(e, QN_TILE_OFFSETS))
    known_quads(e, acc, x, w);
  else
    quad_loop(e, acc, x, w, list, plain, false);
  if (!masked.value && masked.known == 0) return;
  qn_value *done = qn_gemm_bound_value(e, plain);
  w = qn_gemm_add(e, w, qn_index_affine(e->b, done, quad_stride(e, false), 0));
  quad_loop(e, acc, x, w, qn_gemm_add(e, list, done), masked, true);
}

/* ---- epilogue ---- */

/* Each result is made once: a follower may read the memory that it is stored to. */
static void store(emitter *e, const accumulators *acc, qn_gemm_place at) {
  const qn_gemm *g = e->plan->gemm;
  for (int64_t m = 0; m < acc->rows; m++) {
    qn_value *bytes = qn_epilogue_narrow(e->b, g->epilogue, &acc->at[m * acc->vectors],
                                         acc->vectors, e->shape->valid);
    qn_value *element = qn_index_add(e->b, at.element, m * g->channels);
    bytes = qn_fusion_emit(e->k, g->op, e->follower_args, bytes, element);
    qn_vec_store(e->b, bytes, e->y, at.y, m * e->plan->pixel_y);
  }
}

static int64_t param_words(const emitter *e) {
  return qn_epilogue_words(e->shape->kind) * e->plan->lanes;
}

static void requantize(emitter *e, accumulators *acc) {
  for (uint32_t v = 0; v < acc->vectors; v++) {
    qn_epilogue_params params =
        qn_epilogue_load(e->b, e->shape->kind, e->params, e->fields[QN_TILE_PARAMS],
                         v * param_words(e), e->plan->lanes);
    for (int64_t m = 0; m < acc->rows; m++) {
      qn_value **at = &acc->at[m * acc->vectors + v];
      *at = qn_epilogue_apply(e->b, e->plan->gemm->epilogue, e->shape->kind, &params, *at);
    }
  }
}

static void start(emitter *e, accumulators *acc) {
  for (uint32_t v = 0; v < acc->vectors; v++) {
    qn_value *first = e->plan->gemm->packs ? qn_bytes_load_start(e, v)
                                           : qn_vec_load(e->b, e->params, e->fields[QN_TILE_PARAMS],
                                                         v * param_words(e), e->plan->lanes);
    for (int64_t m = 0; m < acc->rows; m++) acc->at[m * acc->vectors + v] = first;
  }
}

static void finish(emitter *e, accumulators *acc, qn_gemm_place at) {
  requantize(e, acc);
  store(e, acc, at);
}

qn_gemm qn_bytes_gemm(qn_loops *lo, qn_op *op, const char *stem, const qn_weights *weights,
                      const qn_epilogue *epilogue, int64_t groups) {
  qn_gemm gemm = {
      .op = op,
      .stem = stem,
      .micro = &qn_gemm_bytes,
      .channels = weights->channels,
      .tap_count = weights->taps,
      .packs = !weights->constant,
      .source = {.weights = qn_op_operand(op, 1), .bias = qn_op_operand(op, 2)},
      .weights = weights,
      .epilogue = epilogue,
      .dot = lo->target->dot,
  };
  /* Pairs of bytes whose products saturate can only be known of constants. */
  if (gemm.packs && qn_dot_of(gemm.dot)->saturates) gemm.dot = QN_DOT_S16;
  qn_channel_layout layout = qn_channel_layout_of(op);
  qn_gemm_set_layout(&gemm, &layout, groups);
  return gemm;
}

static const qn_type *panel(const qn_gemm *gemm, qn_ir_context *cx) {
  return qn_type_i(cx, 8 * qn_dot_of(gemm->dot)->bytes);
}

const qn_gemm_micro qn_gemm_bytes = {
    .sum_bytes = sizeof(int32_t),
    .step_taps = QN_QUAD,
    .most_rows = most_rows,
    .step_cycles = quad_cycles,
    .finish_cycles = finish_cycles,
    .choose = choose_kinds,
    .pack = pack_tiles,
    .panel = panel,
    .pack_tile = qn_bytes_pack_tile,
    .start = start,
    .multiply = all_quads,
    .finish = finish,
};

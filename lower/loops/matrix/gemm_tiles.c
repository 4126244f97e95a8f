/* The micro-kernel of 8-bit x for a unit that multiplies tiles: up to 16 pixels times 64 bytes of
 * their windows times 16 channels is one instruction. Bytes of either sign are taken as they are,
 * so sums begin with the bias, which is added in the epilogue.
 *
 * All tiles of a kernel have one shape, so that one configuration serves it: the last ones of a row
 * of pixels reach back over some that others make, and only the new ones are finished. Sums go by
 * way of memory of the kernel's own: vectors can't read tiles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/tile.h"
#include "lower/loops/fusion.h"
#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/matrix/tile_packing.h"
#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_sums accumulators;

/* ---- shapes ---- */

/* Tiles of pixels that a block has at most: with the sums of either, and both factors, they are all
 * of the registers. */
static int64_t most_blocks(uint32_t vectors) { return vectors <= 2 ? 2 : 1; }

static double dot_cycles(const qn_target *target, int64_t rows) {
  double cycles = (double)rows + 1;
  return cycles > target->tiles.least_cycles ? cycles : target->tiles.least_cycles;
}

static int64_t tiles_in(int64_t pixels, int64_t rows) { return (pixels + rows - 1) / rows; }

/* Rows of all tiles, so that a row of pixels takes as little time as it can; each tile of pixels
 * costs a little besides, for what is loaded with it. */
static int64_t tile_rows(const qn_target *target, int64_t pixels) {
  const double each = 2;
  int64_t most = target->tiles.rows, best = 1;
  double best_cycles = 0;
  for (int64_t rows = 1; rows <= most && rows <= pixels; rows++) {
    double cycles = (double)tiles_in(pixels, rows) * (dot_cycles(target, rows) + each);
    if (rows == 1 || cycles <= best_cycles) best = rows, best_cycles = cycles;
  }
  return best;
}

/* Cycles per step of a block: of its products, or of what they load. Weights that are a small part
 * of the nearest cache stay in it; pixels come from the next one. */
static double step_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  int64_t blocks = tiles_in(rows, target->tiles.rows);
  double products = (double)blocks * vectors * dot_cycles(target, tiles_in(rows, blocks));
  bool stays = vectors * QN_TILE_SUMS * g->tap_count <= target->tiles.near_bytes;
  double near = target->tiles.load_cycles, far = target->tiles.far_cycles;
  double loads = (double)blocks * far + vectors * (stays ? near : far);
  return products > loads ? products : loads;
}

static int64_t choose_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors,
                           int64_t pixels, int64_t unit, double *out_cycles) {
  int64_t rows = tile_rows(target, pixels), tiles = tiles_in(pixels, rows);
  int64_t blocks = tiles < most_blocks(vectors) ? tiles : most_blocks(vectors);
  if (unit != 0 && unit % (blocks * rows) != 0) blocks = 1;
  *out_cycles = (double)(tiles / blocks) * step_cycles(g, target, blocks * rows, vectors);
  if (tiles % blocks != 0) *out_cycles += step_cycles(g, target, rows, vectors);
  return blocks * rows;
}

static int64_t most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  (void)g;
  return most_blocks(vectors) * target->tiles.rows;
}

/* Three instructions that only one port executes, and a row of a tile stored. */
static double finish_cycles(uint32_t vectors) { return 4.0 * vectors; }

bool qn_gemm_tiles_win(const qn_gemm *g, const qn_target *target) {
  const qn_tile_limits *tiles = &target->tiles;
  int64_t pixels = g->counts[0] * g->counts[1] * g->counts[2];
  if (tiles->count < QN_TILE_REGISTERS || g->packs || g->extent < QN_TILE_QUAD) return false;
  if (pixels < tiles->least_pixels || g->channels / g->groups < tiles->least_channels) return false;
  qn_gemm with = *g;
  with.micro = &qn_gemm_tiles;
  return qn_gemm_cycles(&with, target) < qn_gemm_cycles(g, target);
}

/* ---- packing ---- */

static qn_status pack_tiles(qn_loops *lo, qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  qn_tile_packing packing = qn_tile_packing_make(lo->scratch, g);
  plan->window_bytes = packing.depth;
  plan->tile_rows = tile_rows(lo->target, plan->pixels);
  for (uint32_t s = 0; s < packing.step_count; s++)
    qn_array_push(&plan->offsets, (int32_t)packing.steps[s].offset);
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[QN_GEMM_TILE_CHANNELS];
    int32_t start[QN_GEMM_TILE_CHANNELS];
    qn_gemm_tile_channels(plan, tile, channels);
    for (int64_t i = 0; i < tile->vectors * plan->lanes; i++)
      start[i] = channels[i] < 0 ? 0 : g->weights->bias[channels[i]];
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)plan->weights.count;
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    tile->fields[qn_tile_steps(QN_STEP_PLAIN)] = (int32_t)packing.step_count;
    qn_tile_packing_panel(&packing, g->weights, channels, tile->vectors, &plan->weights);
    qn_bytes_pack_params(plan, tile, channels, start);
    QN_TRY(qn_gemm_check_size(lo, plan, (int64_t)plan->weights.count));
  }
  return QN_OK;
}

/* ---- products ---- */

/* The first pixel of tile j of a block of `rows`: the last tile ends with the block. */
static int64_t first_row(const emitter *e, int64_t rows, int64_t j) {
  int64_t last = rows - e->plan->tile_rows, first = j * e->plan->tile_rows;
  return first < last ? first : last;
}

static int64_t blocks_of(const emitter *e, const accumulators *sums) {
  return tiles_in(sums->rows, e->plan->tile_rows);
}

static const qn_type *sums_type(const emitter *e) {
  return qn_type_vec(e->b->cx, e->i32, e->plan->tile_rows * QN_TILE_SUMS);
}

static void open(emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  int64_t most = 0;
  for (uint32_t s = 0; s < plan->segment_count; s++) {
    int64_t count = plan->segments[s].rows * plan->tiles[plan->segments[s].begin].vectors;
    if (count > most) most = count;
  }
  const qn_type *type = qn_type_buf(e->b->cx, e->i32, most * QN_TILE_SUMS);
  e->scratch = qn_build_1(e->b, QN_OP_QUERN_SCRATCH, type, NULL, 0, NULL);
}

static void start(emitter *e, accumulators *sums) {
  qn_value *zero = qn_build_int(e->b, 0, sums_type(e));
  for (int64_t i = 0; i < blocks_of(e, sums) * sums->vectors; i++) sums->at[i] = zero;
}

static qn_value *load_tile(emitter *e, qn_value *memref, qn_value *index, int64_t rows,
                           int64_t stride, int64_t bytes) {
  const qn_type *type = qn_type_vec(e->b->cx, e->i8, rows * bytes);
  return qn_build_1(e->b, QN_OP_QUERN_TILE_LOAD, type, QN_VALUES(memref, index),
                    QN_ATTRS({"rows", qn_attr_i64(e->b->cx, rows)},
                             {"row_stride", qn_attr_i64(e->b->cx, stride)}));
}

static qn_value *dot(emitter *e, qn_value *acc, qn_value *a, qn_value *b) {
  bool x_unsigned = e->plan->gemm->weights->x_unsigned;
  return qn_build_1(e->b, QN_OP_QUERN_TILE_DOT, acc->type, QN_VALUES(acc, a, b),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(e->b->cx, x_unsigned)}));
}

/* Tile j of the pixels of a step, and v of its weights; x and w are where they begin. */
static qn_value *load_pixels(emitter *e, const accumulators *sums, qn_value *x, int64_t j) {
  const qn_gemm_plan *plan = e->plan;
  x = qn_index_add(e->b, x, first_row(e, sums->rows, j) * plan->pixel_stride);
  return load_tile(e, e->x, x, plan->tile_rows, plan->pixel_stride, plan->window_bytes);
}

static qn_value *load_weights(emitter *e, qn_value *w, uint32_t v) {
  int64_t depth = e->plan->window_bytes;
  w = qn_index_add(e->b, w, v * depth * QN_TILE_SUMS);
  return load_tile(e, e->weights, w, depth / QN_TILE_QUAD, QN_TILE_BYTES, QN_TILE_BYTES);
}

static void multiply_tile(emitter *e, accumulators *sums, int64_t j, uint32_t v, qn_value *pixels,
                          qn_value *weights) {
  qn_value **to = &sums->at[j * sums->vectors + v];
  *to = dot(e, *to, pixels, weights);
}

/* One step of all tiles. Of two tiles of pixels the weights are loaded once; of one the pixels, so
 * that only one of the weights takes a register at a time. */
static void step(emitter *e, accumulators *sums, qn_value *x, qn_value *w) {
  if (blocks_of(e, sums) == 1) {
    qn_value *pixels = load_pixels(e, sums, x, 0);
    for (uint32_t v = 0; v < sums->vectors; v++)
      multiply_tile(e, sums, 0, v, pixels, load_weights(e, w, v));
    return;
  }
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < sums->vectors; v++) weights[v] = load_weights(e, w, v);
  for (int64_t j = 0; j < blocks_of(e, sums); j++) {
    qn_value *pixels = load_pixels(e, sums, x, j);
    for (uint32_t v = 0; v < sums->vectors; v++) multiply_tile(e, sums, j, v, pixels, weights[v]);
  }
}

/* Whether all steps are equally far apart, and how far. */
static bool is_spaced(const qn_i32_array *offsets, int64_t *out_step) {
  *out_step = offsets->count > 1 ? offsets->data[1] - offsets->data[0] : 0;
  for (size_t i = 1; i < offsets->count; i++)
    if (offsets->data[i] - offsets->data[i - 1] != *out_step) return false;
  return true;
}

static void multiply(emitter *e, accumulators *sums, qn_value *x) {
  const qn_gemm_plan *plan = e->plan;
  int64_t count = (int64_t)plan->offsets.count, spacing;
  int64_t stride = sums->vectors * plan->window_bytes * QN_TILE_SUMS;
  bool spaced = is_spaced(&plan->offsets, &spacing);
  qn_value *w = e->fields[QN_TILE_WEIGHTS];
  if (count == 1) {
    step(e, sums, qn_index_add(e->b, x, plan->offsets.data[0]), w);
    return;
  }
  uint32_t n = (uint32_t)blocks_of(e, sums) * sums->vectors;
  qn_op *loop = qn_nest_carry(e->b, 0, count, 1, sums->at, n);
  const qn_block *body = qn_op_body(loop);
  qn_value *i = body->args[0];
  for (uint32_t a = 0; a < n; a++) sums->at[a] = body->args[1 + a];
  qn_value *offset = spaced ? qn_index_affine(e->b, i, spacing, plan->offsets.data[0])
                            : qn_index_load(e->b, e->offsets, i, 0);
  x = qn_gemm_add(e, x, offset);
  step(e, sums, x, qn_gemm_add(e, w, qn_index_affine(e->b, i, stride, 0)));
  qn_build_yield(e->b, sums->at, n);
  for (uint32_t a = 0; a < n; a++) sums->at[a] = qn_op_result(loop, a);
}

/* ---- results ---- */

/* Rows of all vectors stand side by side. */
static void spill(emitter *e, const accumulators *sums) {
  int64_t width = sums->vectors * QN_TILE_SUMS;
  for (int64_t j = 0; j < blocks_of(e, sums); j++)
    for (uint32_t v = 0; v < sums->vectors; v++) {
      int64_t at = j * e->plan->tile_rows * width + v * QN_TILE_SUMS;
      qn_value *index = qn_build_index(e->b, at);
      qn_build_0(e->b, QN_OP_QUERN_TILE_STORE,
                 QN_VALUES(sums->at[j * sums->vectors + v], e->scratch, index),
                 QN_ATTRS({"row_stride", qn_attr_i64(e->b->cx, width)}));
    }
}

/* What the channels of a panel need in the epilogue. */
typedef struct params {
  qn_value *start[QN_EPILOGUE_MAX_VECTORS];
  qn_epilogue_params words[QN_EPILOGUE_MAX_VECTORS];
} params;

static params load_params(emitter *e) {
  params p;
  int64_t words = qn_epilogue_words(e->shape->kind) * e->plan->lanes;
  qn_value *at = e->fields[QN_TILE_PARAMS];
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    p.start[v] = qn_vec_load(e->b, e->params, at, v * words, e->plan->lanes);
    p.words[v] = qn_epilogue_load(e->b, e->shape->kind, e->params, at, v * words, e->plan->lanes);
  }
  return p;
}

/* The results of one pixel, whose sums begin at scratch[from]. */
static void finish_row(emitter *e, const params *p, qn_value *from, qn_gemm_place at) {
  const qn_gemm *g = e->plan->gemm;
  qn_value *sums[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < e->shape->vectors; v++) {
    qn_value *raw = qn_vec_load(e->b, e->scratch, from, v * QN_TILE_SUMS, QN_TILE_SUMS);
    raw = qn_gemm_add(e, raw, p->start[v]);
    sums[v] = qn_epilogue_apply(e->b, g->epilogue, e->shape->kind, &p->words[v], raw);
  }
  qn_value *bytes = qn_epilogue_narrow(e->b, g->epilogue, sums, e->shape->vectors, e->shape->valid);
  bytes = qn_fusion_emit(e->k, g->op, e->follower_args, bytes, at.element);
  qn_vec_store(e->b, bytes, e->y, at.y, 0);
}

/* Pixels [first, end) of the block, whose sums begin at row `from` of the scratch. */
static void finish_rows(emitter *e, const params *p, int64_t first, int64_t end, int64_t from,
                        qn_gemm_place at) {
  const qn_gemm_plan *plan = e->plan;
  int64_t width = e->shape->vectors * QN_TILE_SUMS;
  qn_value *i = qn_nest_count(e->b, end - first, 1);
  qn_value *sums = qn_index_affine(e->b, i, width, from * width);
  qn_gemm_place to = at;
  qn_value *y = qn_index_affine(e->b, i, plan->pixel_y, first * plan->pixel_y);
  to.y = qn_gemm_add(e, at.y, y);
  to.element = to.y;
  if (e->framed) {
    int64_t channels = plan->gemm->channels;
    qn_value *element = qn_index_affine(e->b, i, channels, first * channels);
    to.element = qn_gemm_add(e, at.element, element);
  }
  finish_row(e, p, sums, to);
  qn_nest_end(e->b);
}

static void finish(emitter *e, accumulators *sums, qn_gemm_place at) {
  int64_t rows = e->plan->tile_rows, blocks = blocks_of(e, sums);
  spill(e, sums);
  params p = load_params(e);
  if (blocks * rows == sums->rows) {
    finish_rows(e, &p, 0, sums->rows, 0, at);
    return;
  }
  for (int64_t j = 0; j < blocks; j++) {
    int64_t first = j * rows, end = j + 1 < blocks ? first + rows : sums->rows;
    finish_rows(e, &p, first, end, first + first - first_row(e, sums->rows, j), at);
  }
}

static const qn_type *panel(const qn_gemm *gemm, qn_ir_context *cx) {
  (void)gemm;
  return qn_type_i(cx, 8);
}

const qn_gemm_micro qn_gemm_tiles = {
    .sum_bytes = sizeof(int32_t),
    .steps = qn_tile_packing_windows,
    .most_rows = most_rows,
    .step_cycles = step_cycles,
    .choose_rows = choose_rows,
    .finish_cycles = finish_cycles,
    .choose = qn_bytes_choose,
    .pack = pack_tiles,
    .panel = panel,
    .open = open,
    .start = start,
    .multiply = multiply,
    .finish = finish,
};

/* The AMX micro-kernel of 8-bit x: one instruction multiplies up to 16 pixels x 64 bytes along K
 * with 64 bytes x 16 channels. Bytes of either signedness are supported directly, so x has no
 * offset, and the bias is added in the epilogue.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/tile.h"
#include "lower/loops/matrix/tiles/kernel.h"
#include "lower/loops/matrix/tiles/packing.h"
#include "lower/loops/matrix/tiles/results.h"

enum { REGISTERS = 8 /* AMX tiles that a block needs */ };

/* ---- shapes ---- */

/* Maximum AMX tiles along M in a block: accumulators and both factors use all registers. */
static int64_t most_blocks(uint32_t vectors) { return vectors <= 2 ? 2 : 1; }

static double dot_cycles(const qn_target *target, int64_t rows) {
  double cycles = (double)rows + 1;
  return cycles > target->tiles.least_cycles ? cycles : target->tiles.least_cycles;
}

static int64_t tiles_in(int64_t pixels, int64_t rows) { return (pixels + rows - 1) / rows; }

/* Each tile of pixels costs 2 cycles in addition, for its loads. */
int64_t qn_tiles_rows(const qn_target *target, int64_t pixels) {
  const double each = 2;
  QN_ASSERT(pixels > 0 && target->tiles.rows > 0); /* there is a matrix unit */
  int64_t most = target->tiles.rows, best = 1;
  double best_cycles = 0;
  for (int64_t rows = 1; rows <= most && rows <= pixels; rows++) {
    double cycles = (double)tiles_in(pixels, rows) * (dot_cycles(target, rows) + each);
    if (rows == 1 || cycles <= best_cycles) best = rows, best_cycles = cycles;
  }
  return best;
}

/* Cycles to load an AMX tile of weights: from L1d if the panel is a small part of it and there are
 * so many pixels that the first load is negligible, else from L2. */
static double weight_cycles(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  int64_t pixels = g->counts[0] * g->counts[1] * g->counts[2];
  int64_t panel_bytes = vectors * QN_TILE_SUMS * g->tap_count;
  bool stay = panel_bytes <= target->tiles.l1_bytes && pixels >= target->tiles.l1_pixels;
  return stay ? target->tiles.load_cycles : target->tiles.l2_load_cycles;
}

/* Cycles to load an AMX tile of pixels. Bytes that earlier pixels have read are in L1d. */
static double pixel_cycles(const qn_gemm *g, const qn_target *target) {
  double l1 = target->tiles.load_cycles, l2 = target->tiles.l2_load_cycles;
  double share = (double)g->strides[QN_GEMM_DIMS - 1] / (double)g->tap_count;
  return share < 1 ? l1 + share * (l2 - l1) : l2;
}

/* Cycles per step of a block: the maximum of products and loads. */
static double step_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  int64_t blocks = tiles_in(rows, target->tiles.rows);
  double products = (double)blocks * vectors * dot_cycles(target, tiles_in(rows, blocks));
  double loads = (double)blocks * pixel_cycles(g, target);
  loads += vectors * weight_cycles(g, target, vectors);
  return products > loads ? products : loads;
}

static int64_t choose_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors,
                           int64_t pixels, int64_t unit, double *out_cycles) {
  int64_t rows = qn_tiles_rows(target, pixels), tiles = tiles_in(pixels, rows);
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

/* Cycles of the epilogue per pixel: three instructions that one port executes, of which products
 * hide only a part, and the store. */
static double finish_cycles(const qn_target *target, uint32_t vectors) {
  (void)target;
  return 3.5 * vectors + 1;
}

/* Number of steps of at most `most` bytes. */
static int64_t windows_of(const qn_gemm *g, int64_t most) {
  return qn_tile_packing_quads(g, most) * (g->packs ? qn_bytes_parts(g) : 1);
}
static int64_t row_windows(const qn_gemm *g) { return windows_of(g, QN_TILE_BYTES); }

static double real_cycles(const qn_target *target, uint32_t vectors) {
  (void)target;
  const double each = 6; /* instructions of one port: the product with the zero point is two */
  return each * vectors + 2;
}

static const char *problem_of(const qn_gemm *g, const qn_target *target) {
  const qn_tile_limits *tiles = &target->tiles;
  int64_t pixels = g->counts[0] * g->counts[1] * g->counts[2];
  if (tiles->count < REGISTERS) return "there is no unit for them";
  if (g->extent < QN_TILE_QUAD) return "a pixel has too few bytes";
  if (pixels < tiles->least_pixels) return "there are too few pixels";
  if (g->channels / g->groups < tiles->least_channels) return "there are too few channels";
  return NULL;
}

/* The tile product; it supports both signednesses. */
static const qn_dot *dot(const qn_target *target) {
  static const qn_dot tiles = {.name = "tiles of bytes",
                               .op = QN_OP_QUERN_TILE_DOT,
                               .bytes = 1,
                               .x = QN_TAKES_BOTH,
                               .w = QN_TAKES_SIGNED,
                               .depth = QN_TILE_QUAD,
                               .block = QN_TILE_ROWS,
                               .sum_bits = 32,
                               .sums = 1};
  (void)target;
  return &tiles;
}

/* ---- packing ---- */

/* params[word][channel of the panel] */
static void pack_reals(qn_gemm_plan *plan, const qn_tiles_reals *reals, const int64_t *channels,
                       int64_t count) {
  for (uint32_t w = 0; w < reals->words; w++)
    for (int64_t i = 0; i < count; i++)
      qn_array_push(&plan->params, channels[i] < 0 ? 0 : reals->word(reals->user, channels[i], w));
}

static void pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels) {
  const qn_bytes_product *product = qn_bytes_of(plan->gemm);
  int32_t start[QN_GEMM_TILE_CHANNELS];
  int64_t count = tile->vectors * plan->lanes;
  if (product->reals) {
    pack_reals(plan, product->reals, channels, count);
    return;
  }
  for (int64_t i = 0; i < count; i++)
    start[i] = channels[i] < 0 ? 0 : product->weights->bias[channels[i]];
  qn_bytes_pack_params(plan, tile, channels, start);
}

static qn_status pack_tiles(qn_loops *lo, qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  qn_tile_packing packing = qn_tile_packing_make(lo->scratch, g);
  qn_tiles_plan *own = QN_NEW(lo->scratch, qn_tiles_plan);
  own->bytes.quad_bytes = packing.depth;
  own->rows = qn_tiles_rows(lo->target, plan->pixels);
  plan->own = own;
  for (uint32_t s = 0; s < packing.step_count; s++)
    qn_array_push(&plan->offsets, (int32_t)packing.steps[s].offset);
  if (g->packs) return qn_bytes_plan_tiles(lo, plan, &packing);
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    int64_t channels[QN_GEMM_TILE_CHANNELS];
    qn_bytes_tile_channels(plan, tile, channels);
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)plan->weights.count;
    tile->fields[QN_TILE_PARAMS] = (int32_t)plan->params.count;
    tile->fields[qn_tile_steps(QN_STEP_PLAIN)] = (int32_t)packing.step_count;
    qn_tile_packing_panel(&packing, qn_bytes_of(g)->weights, channels, tile->vectors,
                          &plan->weights);
    pack_params(plan, tile, channels);
    QN_TRY(qn_gemm_check_size(lo, plan, (int64_t)plan->weights.count));
  }
  bool is_cold = lo->constant_bytes > lo->target->l2_bytes;
  plan->prefetch_distance = is_cold ? lo->target->prefetch_distance : 0;
  return QN_OK;
}

static const qn_type *panel(const qn_gemm *gemm, qn_ir_context *cx) {
  (void)gemm;
  return qn_type_i(cx, 8);
}

const qn_gemm_micro qn_gemm_tiles = {
    .name = "tiles of bytes",
    .problem = problem_of,
    .dot = dot,
    .columns = 1,
    .row_sums = qn_bytes_row_sums,
    .sum_bytes = sizeof(int32_t),
    .steps = row_windows,
    .most_rows = most_rows,
    .step_cycles = step_cycles,
    .choose_rows = choose_rows,
    .finish_cycles = finish_cycles,
    .row_padding_ok = true,
    .choose = qn_bytes_choose,
    .pack = pack_tiles,
    .panel = panel,
    .pack_tile = qn_bytes_pack_tile,
    .open = qn_tiles_open,
    .run = qn_tiles_run,
    .start = qn_tiles_start,
    .multiply = qn_tiles_multiply,
    .finish = qn_tiles_finish,
};

const qn_gemm_micro qn_gemm_tiles_to_reals = {
    .name = "tiles of bytes",
    .problem = problem_of,
    .dot = dot,
    .columns = 1,
    .sum_bytes = sizeof(int32_t),
    .steps = row_windows,
    .most_rows = most_rows,
    .step_cycles = step_cycles,
    .choose_rows = choose_rows,
    .finish_cycles = real_cycles,
    .row_padding_ok = true,
    .pack = pack_tiles,
    .panel = panel,
    .open = qn_tiles_open,
    .run = qn_tiles_run,
    .start = qn_tiles_start,
    .multiply = qn_tiles_multiply,
    .finish = qn_tiles_finish,
};

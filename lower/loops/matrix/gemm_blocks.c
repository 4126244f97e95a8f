/* Micro-kernel of 8-bit x for 2 x 2 block products: two rows of x times two columns of weights, 8
 * bytes each, give four accumulators in 128 bits. K is covered by 8 bytes of x at a time; two
 * consecutive eights are a run, which one load of each pixel contains. Initial accumulators and
 * epilogue parameters are stored for blocks, so accumulators stay in blocks until their results are
 * bytes: then two shuffles separate the two pixels of up to 16 channels. If a fused addition needs
 * the accumulators of one pixel in order, they are separated before the epilogue.
 *
 * A panel equals that of gemm_bytes.c except for the byte order: for each 8 bytes of x, pairs of
 * channels, each with its 8 weights. Weights that turn out to be wider than bytes, after the
 * micro-kernel was chosen, are multiplied as quads by gemm_bytes.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lower/loops/matrix/gemm_steps.h"
#include "lower/loops/matrix/tiles/packing.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

enum {
  RUN = 16,
  HALF = 8,
  SUMS = 4
}; /* bytes of x per run and per half; accumulators in 128 bits */

/* ---- the plan ---- */

static const char *problem_of(const qn_gemm *g, const qn_target *target) {
  if (!target->blocks) return "the target has no products of them";
  if (qn_bytes_no_quads(g, target)) return qn_bytes_no_quads(g, target);
  if (target->vector_bytes != RUN) return "vectors are longer than a block";
  if (g->packs) return "weights are known at run time only";
  if (qn_bytes_of(g)->weights->wide) return "weights are wider than bytes";
  if (qn_gemm_pixel_count(g) < 2) return "there is one pixel only";
  return g->extent >= HALF ? NULL : "a pixel has fewer than eight bytes of x";
}

static int64_t quad_count(const qn_gemm *g) {
  return HALF / QN_QUAD * qn_tile_packing_quads(g, HALF);
}

/* MR is even, because a block has two pixels. Registers hold the accumulators, both halves of all
 * pairs, and two vectors of weights. */
static int64_t most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  enum { WEIGHTS = 2 };
  int64_t most = target->accumulators / vectors;
  if (most > 1) most = most / 2 * 2;
  while (most > 2 &&
         most * vectors + most + WEIGHTS + qn_bytes_flip(g) > (int64_t)target->vector_registers)
    most -= 2;
  return most;
}

/* Cycles per quad: the maximum of products plus two shuffles for the 16 bytes of two pixels, loads,
 * and dependency latency. */
static double step_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  const qn_dot *dot = target->blocks;
  const double shuffle = 0.5, load = 0.5, quads = (double)(RUN / QN_QUAD);
  if (rows == 0) return 0;
  double even = (double)(rows + rows % 2);
  double cycles = dot->cycles * even * vectors + shuffle * even / quads;
  double loads = load * ((double)rows / quads + vectors);
  if (cycles < loads) cycles = loads;
  if (cycles < dot->latency) cycles = dot->latency;
  return cycles + qn_bytes_issue_cycles(g, dot, rows, vectors, quads);
}

/* ---- blocks of accumulators: acc->at[pair of pixels][two channels] ---- */

static int64_t pairs_of(const accumulators *acc) { return (acc->rows + 1) / 2; }
static uint32_t columns_of(const accumulators *acc) { return 2 * acc->vectors; }

/* Pixel m of the tile; the last pixel if MR is odd and m is the padding of the last pair. */
static int64_t pixel_of(const accumulators *acc, int64_t m) {
  return m < acc->rows ? m : acc->rows - 1;
}

/* Concatenates the low halves (half 0) or the high halves (half 1) of a and b. */
static qn_value *join_halves(emitter *e, qn_value *a, qn_value *b, int64_t half) {
  const qn_type *i64 = qn_type_i(e->b->cx, 64), *element = qn_type_element(a->type);
  const int64_t mask[] = {half, 2 + half};
  qn_value *first = qn_vec_bitcast(e->b, a, i64), *second = qn_vec_bitcast(e->b, b, i64);
  return qn_vec_bitcast(e->b, qn_vec_shuffle(e->b, first, second, mask, 2), element);
}

/* Initial accumulators of two channels, from those of a vector of channels. */
static qn_value *start_of(emitter *e, uint32_t column) {
  qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, column / 2);
  qn_value *both =
      qn_epilogue_load_start(e->b, qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind, e->params,
                             e->fields[QN_TILE_PARAMS], at.offset, SUMS);
  return join_halves(e, both, both, column % 2);
}

static void start(emitter *e, accumulators *acc) {
  uint32_t columns = columns_of(acc);
  if (!qn_bytes_plan_of(e->plan)->in_blocks) {
    qn_bytes_start(e, acc);
    return;
  }
  QN_ASSERT(pairs_of(acc) * columns <= QN_GEMM_ACCUMULATORS);
  if (qn_bytes_in_blocks(e->plan, e->shape)) {
    qn_bytes_start_rows(e, acc->at, pairs_of(acc));
    return;
  }
  for (uint32_t c = 0; c < columns; c++) {
    qn_value *first = start_of(e, c);
    for (int64_t p = 0; p < pairs_of(acc); p++) acc->at[p * columns + c] = first;
  }
}

/* ---- products ---- */

/* Loads `bytes` bytes of x, one or two halves, of both pixels of a pair: 8 bytes of the first and 8
 * of the second per 128 bits. */
static void load_pair(emitter *e, const accumulators *acc, const qn_quad_place *x, int64_t pair,
                      int64_t bytes, qn_value *out_halves[2]) {
  qn_value *rows[2];
  for (int64_t i = 0; i < 2; i++)
    rows[i] = qn_bytes_load_run(e, x, pixel_of(acc, 2 * pair + i), bytes);
  if (bytes == RUN) {
    for (int64_t h = 0; h < 2; h++) out_halves[h] = join_halves(e, rows[0], rows[1], h);
    return;
  }
  int64_t mask[RUN];
  for (int64_t i = 0; i < RUN; i++) mask[i] = i;
  out_halves[0] = qn_vec_shuffle(e->b, rows[0], rows[1], mask, RUN);
}

static void multiply_bytes(emitter *e, qn_value **sums, const accumulators *acc,
                           const qn_quad_place *x, qn_value *w, int64_t bytes) {
  const qn_gemm *g = e->plan->gemm;
  bool x_unsigned = qn_dot_sees_unsigned(g->dot, qn_bytes_of(g)->weights->x_unsigned);
  qn_value *halves[QN_GEMM_ACCUMULATORS / 2][2];
  uint32_t columns = columns_of(acc);
  for (int64_t p = 0; p < pairs_of(acc); p++) load_pair(e, acc, x, p, bytes, halves[p]);
  for (int64_t h = 0; h < bytes / HALF; h++)
    for (uint32_t c = 0; c < columns; c++) {
      if (c % 2 == 0) qn_vec_boundary(e->b, e->target);
      qn_value *weights = qn_vec_load(e->b, e->weights, w, (h * columns + c) * RUN, RUN);
      for (int64_t p = 0; p < pairs_of(acc); p++) {
        qn_value **to = &sums[p * columns + c];
        *to = qn_dot_build_blocks(e->b, e->target->blocks, *to, halves[p][h], weights, x_unsigned);
      }
    }
}

static void run_step(emitter *e, qn_value **sums, const void *user, const qn_quad_place *x,
                     qn_value *w) {
  multiply_bytes(e, sums, user, x, w, RUN);
}

/* Emits one half, at offset + more from x; its weights start at w. */
static void half_step(emitter *e, accumulators *acc, qn_value *x, qn_value *w, qn_value *offset,
                      int64_t more) {
  const qn_quad_place at = {.first =
                                qn_index_add(e->b, offset ? qn_gemm_add(e, x, offset) : x, more),
                            .offset = offset,
                            .more = more};
  multiply_bytes(e, acc->at, acc, &at, w, HALF);
}

/* Emits the halves after the runs: one by one if they are few, else as a loop over their offsets.
 */
static void multiply_halves(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  enum { FEW = 6, QUADS = HALF / QN_QUAD };
  int64_t first = qn_bytes_plan_of(e->plan)->runs * (RUN / QN_QUAD);
  int64_t count = (e->shape->fields[qn_tile_steps(QN_STEP_PLAIN)] - first) / QUADS;
  int64_t stride = columns_of(acc) * RUN;
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS] + first;
  w = qn_index_add(e->b, w, first / QUADS * stride);
  if (count <= FEW) {
    for (int64_t i = 0; i < count; i++)
      half_step(e, acc, x, qn_index_add(e->b, w, i * stride), NULL, offsets[i * QUADS]);
    return;
  }
  uint32_t n = (uint32_t)pairs_of(acc) * columns_of(acc);
  qn_carry loop = qn_carry_begin(e->b, 0, count, 1, acc->at, n);
  qn_value *entry = qn_index_affine(e->b, loop.index, QUADS, first);
  entry = qn_gemm_add(e, e->fields[QN_TILE_OFFSETS], entry);
  qn_value *offset = qn_index_load(e->b, e->offsets, entry, 0);
  qn_value *panel = qn_gemm_add(e, w, qn_index_affine(e->b, loop.index, stride, 0));
  half_step(e, acc, x, panel, offset, 0);
  qn_carry_end(e->b, &loop);
}

static void multiply(emitter *e, accumulators *acc, qn_value *x) {
  uint32_t n = (uint32_t)pairs_of(acc) * columns_of(acc);
  qn_value *w = e->fields[QN_TILE_WEIGHTS];
  if (!qn_bytes_plan_of(e->plan)->in_blocks) {
    qn_bytes_multiply(e, acc, x);
    return;
  }
  QN_ASSERT(qn_gemm_field_is_constant(e, QN_TILE_OFFSETS));
  if (qn_bytes_plan_of(e->plan)->runs > 0) qn_bytes_each_run(e, acc->at, n, x, w, run_step, acc);
  multiply_halves(e, acc, x, w);
}

/* ---- results ---- */

static void separate(emitter *e, accumulators *acc) {
  qn_value *blocks[QN_GEMM_ACCUMULATORS];
  uint32_t columns = columns_of(acc);
  memcpy(blocks, acc->at, sizeof blocks);
  for (int64_t m = 0; m < acc->rows; m++)
    for (uint32_t v = 0; v < acc->vectors; v++) {
      qn_value *const *pair = &blocks[m / 2 * columns + 2 * v];
      acc->at[m * acc->vectors + v] = join_halves(e, pair[0], pair[1], m % 2);
    }
}

/* Narrows blocks of `columns` times two channels, at most eight channels, to 16 bits per pixel and
 * two channels, in 128 bits. */
static qn_value *narrow(emitter *e, qn_value *const *blocks, uint32_t columns) {
  qn_value *whole[] = {blocks[0], blocks[1], blocks[columns > 2 ? 2 : 0],
                       blocks[columns > 2 ? 3 : 1]};
  qn_value *bytes = qn_epilogue_narrow(e->b, qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind,
                                       whole, QN_COUNT(whole), RUN);
  return qn_vec_bitcast(e->b, bytes, e->i16);
}

/* The bytes of pixel i of a pair. */
static qn_value *bytes_of(emitter *e, qn_value *low, qn_value *high, int64_t i, uint32_t columns) {
  int64_t mask[RUN / 2];
  for (int64_t c = 0; c < columns; c++) mask[c] = 2 * c + i;
  qn_value *bytes = qn_vec_bitcast(e->b, qn_vec_shuffle(e->b, low, high, mask, columns), e->i8);
  return qn_vec_slice(e->b, bytes, 0, e->shape->valid);
}

static void store_pair(emitter *e, const accumulators *acc, qn_gemm_cursor at, int64_t pair) {
  enum { EACH = 4 };
  uint32_t columns = columns_of(acc);
  qn_value *const *blocks = &acc->at[pair * columns];
  qn_value *low = narrow(e, blocks, columns < EACH ? columns : EACH);
  qn_value *high = columns > EACH ? narrow(e, blocks + EACH, columns - EACH) : low;
  for (int64_t m = 2 * pair; m < acc->rows && m < 2 * pair + 2; m++) {
    qn_value *bytes = bytes_of(e, low, high, m % 2, columns);
    qn_value *element = qn_bytes_element(e, at, m);
    bytes = qn_fusion_emit(e->k, e->plan->gemm->op, e->post_op_args, bytes, element);
    qn_bytes_store(e, at, m, bytes);
  }
}

static void finish(emitter *e, accumulators *acc, qn_gemm_cursor at) {
  if (!qn_bytes_in_blocks(e->plan, e->shape)) {
    if (qn_bytes_plan_of(e->plan)->in_blocks) separate(e, acc);
    qn_bytes_finish(e, acc, at);
    return;
  }
  QN_ASSERT(!qn_epilogue_is_interleaved(qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind));
  qn_bytes_requantize_rows(e, acc->at, pairs_of(acc));
  for (int64_t p = 0; p < pairs_of(acc); p++) store_pair(e, acc, at, p);
}

/* ---- packing ---- */

/* Reorders the bytes of one half of a panel from the quad layout to the block layout. `room`:
 * scratch of the same size. */
static void order_half(uint8_t *half, int64_t channels, uint8_t *room) {
  memcpy(room, half, (size_t)(channels * HALF));
  for (int64_t c = 0; c < channels; c++)
    for (int64_t k = 0; k < HALF; k++)
      half[c * HALF + k] = room[k / QN_QUAD * channels * QN_QUAD + c * QN_QUAD + k % QN_QUAD];
}

static qn_status pack(qn_loops *lo, qn_gemm_plan *plan) {
  uint8_t room[QN_GEMM_TILE_CHANNELS * HALF];
  QN_TRY(qn_bytes_pack(lo, plan));
  for (uint32_t t = 0; t < plan->tile_count && qn_bytes_plan_of(plan)->in_blocks; t++) {
    int64_t channels = qn_gemm_tile_width(plan, &plan->tiles[t]);
    uint8_t *panel = plan->weights.data + plan->tiles[t].fields[QN_TILE_WEIGHTS];
    int64_t quads = plan->tiles[t].fields[qn_tile_steps(QN_STEP_PLAIN)];
    for (int64_t h = 0; h < quads * QN_QUAD / HALF; h++)
      order_half(panel + h * channels * HALF, channels, room);
  }
  return QN_OK;
}

const qn_gemm_micro qn_gemm_blocks = {
    .name = "blocks of bytes",
    .problem = problem_of,
    .dot = qn_bytes_dot_of_target,
    .columns = 1,
    .sum_bytes = sizeof(int32_t),
    .by_pairs = true,
    .step_taps = QN_QUAD,
    .steps = quad_count,
    .most_rows = most_rows,
    .step_cycles = step_cycles,
    .finish_cycles = qn_epilogue_cycles,
    .wraps_rows = true,
    .choose = qn_bytes_choose,
    .pack = pack,
    .panel = qn_bytes_panel,
    .start = start,
    .multiply = multiply,
    .finish = finish,
};

/* Products of one pixel (M = 1) by 16-bit products, with weights that are stored as bytes. With M =
 * 1, widened weights would be used only once. So the stored bytes are multiplied in pairs: 16 bits
 * hold the weights of two channels, 256 * high + low + 128, and a shift by 8 bits gives the upper
 * one.
 *
 *   a = sum x * (256 * high + low + 128)    b = sum x * high
 *   sum x * low = a - 256 * b - 128 * sum x
 *
 * All sums are modulo 2^32. The sum of x is computed once per call. It also compensates the base
 * that is added to all weights (compact.h).
 *
 * If at most half of the lanes of a tile's last vector are channels, its lanes hold further pairs
 * of weights of these channels instead of zeros. This folded vector is stored after the others,
 * and its lanes are added at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"

enum { RUN = 4, LOW = 128 }; /* quads loaded at once; offset that is added to a low weight */

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- packing ---- */

static int64_t quads_of(const qn_gemm_tile *tile) {
  return tile->fields[qn_tile_steps(QN_STEP_PLAIN)];
}

/* Number of consecutive quads from the first quad on, rounded down to whole runs. */
static int64_t runs_of(const qn_gemm_plan *plan) {
  const int32_t *offsets = plan->offsets.data + plan->tiles[0].fields[QN_TILE_OFFSETS];
  int64_t count = quads_of(&plan->tiles[0]), quads = 1;
  while (quads < count && offsets[quads] == offsets[0] + QN_QUAD * quads) quads++;
  return quads / RUN;
}

/* Whether there is one pixel, and all but a few of its quads are consecutive. */
static bool can_pair(const qn_gemm_plan *plan) {
  enum { FEW = 2 * RUN /* maximum number of quads that are unrolled */ };
  const qn_gemm *g = plan->gemm;
  bool one = g->counts[0] * g->counts[1] * g->counts[2] == 1 && g->groups == 1;
  if (!plan->compact.narrow || !one || qn_bytes_plan_of(plan)->quad_bytes != QN_QUAD) return false;
  for (uint32_t t = 0; t < plan->tile_count; t++)
    if (plan->tiles[t].fields[QN_TILE_X] != 0 || plan->tiles[t].fields[QN_TILE_OFFSETS] != 0)
      return false;
  return quads_of(&plan->tiles[0]) - runs_of(plan) * RUN < FEW;
}

/* Pairs of weights per channel that the lanes of the tile's last vector hold: 1, or more if it is
 * folded. */
static int64_t fold_of(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  int64_t used = tile->valid - (tile->vectors - 1) * plan->lanes, fold = 1;
  while (2 * fold * used <= plan->lanes) fold *= 2;
  return fold;
}

/* The vectors of a tile that are not folded. */
static uint32_t whole_vectors(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  return tile->vectors - (fold_of(plan, tile) > 1);
}

/* Bytes of the weights of a vector in half a quad. */
static int64_t half_bytes(const qn_gemm_plan *plan) { return plan->lanes * QN_QUAD / 2; }

/* Vectors of the folded weights of `quads` consecutive quads. */
static int64_t folded_vectors(int64_t fold, int64_t quads) {
  return 2 * quads < fold ? 1 : 2 * quads / fold;
}

/* Stores the weights of half a quad of two vectors as bytes of the two channels, alternately. */
static void join(uint8_t *low, int64_t count) {
  uint8_t room[2 * QN_VEC_MAX_BYTES];
  for (int64_t i = 0; i < count; i++) {
    room[2 * i] = low[i] ^ LOW;
    room[2 * i + 1] = low[count + i];
  }
  for (int64_t i = 0; i < 2 * count; i++) low[i] = room[i];
}

/* Appends the folded vectors of `quads` quads of a panel, from quad `first` on. */
static void push_folded(const qn_gemm_plan *plan, const qn_gemm_tile *tile, const uint8_t *panel,
                        int64_t first, int64_t quads, qn_byte_array *out) {
  int64_t fold = fold_of(plan, tile), each = half_bytes(plan), used = plan->lanes / fold;
  for (int64_t n = 0; n < folded_vectors(fold, quads) * fold; n++)
    for (int64_t i = 0; i < 2 * used; i++) {
      int64_t at = ((2 * first + n) * tile->vectors + tile->vectors - 1) * each + i;
      qn_array_push(out, n < 2 * quads ? panel[at] : 0);
    }
}

/* Appends the panel of a tile, its folded vector after the others. */
static void push_panel(const qn_gemm_plan *plan, const qn_gemm_tile *tile, qn_byte_array *out) {
  const uint8_t *panel = plan->weights.data + tile->fields[QN_TILE_WEIGHTS];
  int64_t each = half_bytes(plan), quads = quads_of(tile), whole = whole_vectors(plan, tile);
  for (int64_t half = 0; half < 2 * quads; half++)
    for (int64_t i = 0; i < whole * each; i++)
      qn_array_push(out, panel[half * tile->vectors * each + i]);
  if (whole == tile->vectors) return;
  int64_t runs = runs_of(plan);
  for (int64_t r = 0; r < runs; r++) push_folded(plan, tile, panel, r * RUN, RUN, out);
  for (int64_t q = runs * RUN; q < quads; q++) push_folded(plan, tile, panel, q, 1, out);
}

void qn_bytes_pair_channels(qn_gemm_plan *plan) {
  if (!can_pair(plan)) return;
  qn_bytes_plan_of(plan)->paired = true;
  int64_t each = half_bytes(plan);
  qn_byte_array panels = {0};
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    qn_gemm_tile *tile = &plan->tiles[t];
    uint8_t *panel = plan->weights.data + tile->fields[QN_TILE_WEIGHTS];
    for (int64_t half = 0; half < 2 * quads_of(tile); half++)
      for (uint32_t v = 0; v + 1 < whole_vectors(plan, tile); v += 2)
        join(panel + (half * tile->vectors + v) * each, each);
    size_t begin = panels.count;
    push_panel(plan, tile, &panels);
    tile->fields[QN_TILE_WEIGHTS] = (int32_t)begin;
  }
  qn_array_free(&plan->weights);
  plan->weights = panels;
}

/* ---- the sum of x ---- */

static qn_value *extend(emitter *e, qn_value *bytes) {
  bool x_unsigned = qn_bytes_of(e->plan->gemm)->weights->x_unsigned;
  return qn_vec_cast(e->b, x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, bytes, e->i16);
}

/* sums + both 16-bit halves of x, pair by pair. */
static qn_value *add_halves(emitter *e, qn_value *sums, qn_value *halves) {
  qn_value *ones = qn_build_int(e->b, 1, halves->type);
  return qn_products_of_pairs(e->b, sums, halves, ones);
}

static qn_value *load_x(emitter *e, qn_value *index, int64_t quads) {
  return extend(e, qn_vec_load(e->b, e->x, index, 0, quads * QN_QUAD));
}

/* The sum of x in all lanes. */
static qn_value *sum_of_x(emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  const int32_t *offsets = plan->offsets.data + plan->tiles[0].fields[QN_TILE_OFFSETS];
  int64_t runs = runs_of(plan), count = quads_of(&plan->tiles[0]);
  enum { PAIRS = RUN * QN_QUAD / 2 };
  qn_value *sums = qn_vec_splat(e->b, 0, e->i32, PAIRS), *first = qn_build_index(e->b, offsets[0]);
  if (runs > 0) {
    qn_carry loop = qn_carry_begin(e->b, 0, runs, 1, &sums, 1);
    qn_value *at = qn_index_affine(e->b, loop.index, RUN * QN_QUAD, 0);
    sums = add_halves(e, sums, load_x(e, qn_gemm_add(e, first, at), RUN));
    qn_carry_end(e->b, &loop);
  }
  qn_value *sum = qn_vec_reduce(e->b, "add", sums);
  sums = qn_vec_splat(e->b, 0, e->i32, 2);
  for (int64_t q = runs * RUN; q < count; q++)
    sums = add_halves(e, sums, load_x(e, qn_build_index(e->b, offsets[q]), 1));
  if (runs * RUN < count) {
    qn_value *rest = qn_vec_reduce(e->b, "add", sums);
    sum = qn_gemm_add(e, sum, rest);
  }
  return qn_vec_broadcast(e->b, sum, plan->lanes);
}

void qn_bytes_open_pairs(emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  bool needed = plan->compact.base != 0;
  for (uint32_t t = 0; t < plan->tile_count; t++)
    needed |= whole_vectors(plan, &plan->tiles[t]) > 1;
  if (qn_bytes_plan_of(plan)->paired && needed) e->x_sum = sum_of_x(e);
}

/* ---- products ---- */

/* Every second byte of the weights, as 16 bits. The shuffle is built such that LLVM recognizes a
 * shift: it would move an explicit shift away from its product, and then not find the product
 * instruction. */
static qn_value *high_of(emitter *e, qn_value *bytes) {
  int64_t mask[QN_VEC_MAX_BYTES], count = qn_vec_count(bytes) / 2;
  for (int64_t i = 0; i < count; i++) mask[i] = 2 * i + 1;
  return qn_vec_cast(e->b, QN_OP_ARITH_EXTSI, qn_vec_shuffle(e->b, bytes, bytes, mask, count),
                     e->i16);
}

/* Adds half a quad of all whole vectors. `pair`: a pair of 16-bit values of x in all lanes. */
static void add_half(emitter *e, accumulators *acc, qn_value *pair, qn_value *w, int64_t offset) {
  int64_t each = half_bytes(e->plan);
  uint32_t whole = whole_vectors(e->plan, e->shape);
  for (uint32_t v = 0; v < whole; v += 2) {
    bool single = v + 1 == whole;
    qn_value *bytes = qn_vec_load(e->b, e->weights, w, offset + v * each, single ? each : 2 * each);
    qn_value *all = single ? qn_vec_cast(e->b, QN_OP_ARITH_EXTSI, bytes, e->i16)
                           : qn_vec_bitcast(e->b, bytes, e->i16);
    acc->at[v] = qn_products_of_pairs(e->b, acc->at[v], pair, all);
    if (single) continue;
    acc->at[v + 1] = qn_products_of_pairs(e->b, acc->at[v + 1], pair, high_of(e, bytes));
  }
}

/* Adds the folded vectors of `quads` quads, whose pairs of x are `words`, to the last accumulators.
 */
static void add_folded(emitter *e, accumulators *acc, qn_value *words, qn_value *w, int64_t quads) {
  int64_t fold = fold_of(e->plan, e->shape), lanes = e->plan->lanes, mask[QN_VEC_MAX_BYTES];
  qn_value **to = &acc->at[acc->vectors - 1];
  for (int64_t n = 0; fold > 1 && n < folded_vectors(fold, quads); n++) {
    for (int64_t l = 0; l < lanes; l++) {
      int64_t pair = n * fold + l / (lanes / fold);
      mask[l] = pair < 2 * quads ? pair : 0; /* times a weight of 0 */
    }
    qn_value *bytes = qn_vec_load(e->b, e->weights, w, n * half_bytes(e->plan), 2 * lanes);
    qn_value *weights = qn_vec_cast(e->b, QN_OP_ARITH_EXTSI, bytes, e->i16);
    qn_value *pairs = qn_vec_bitcast(e->b, qn_vec_shuffle(e->b, words, words, mask, lanes), e->i16);
    *to = qn_products_of_pairs(e->b, *to, pairs, weights);
  }
}

/* Adds the lanes of the folded accumulators of each channel, to all of its lanes. */
static void unfold(emitter *e, accumulators *acc) {
  int64_t lanes = e->plan->lanes, mask[QN_VEC_MAX_BYTES];
  qn_value **sum = &acc->at[acc->vectors - 1];
  for (int64_t fold = fold_of(e->plan, e->shape), far = lanes; fold > 1; fold /= 2) {
    far /= 2;
    for (int64_t l = 0; l < lanes; l++) mask[l] = (l + far) % lanes;
    *sum = qn_gemm_add(e, *sum, qn_vec_shuffle(e->b, *sum, *sum, mask, lanes));
  }
}

/* Adds `quads` quads, whose factors begin at `x`. `folded`: the weights of the folded vector. */
static void add_quads(emitter *e, accumulators *acc, qn_value *x, qn_value *w, qn_value *folded,
                      int64_t quads) {
  int64_t half = whole_vectors(e->plan, e->shape) * half_bytes(e->plan);
  qn_value *words = qn_vec_bitcast(e->b, load_x(e, x, quads), e->i32);
  add_folded(e, acc, words, folded, quads);
  for (int64_t h = 0; h < 2 * quads && half > 0; h++) {
    qn_value *pair = qn_vec_broadcast(e->b, qn_vec_extract(e->b, words, h), e->plan->lanes);
    add_half(e, acc, qn_vec_bitcast(e->b, pair, e->i16), w, h * half);
  }
}

static void add_all(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t runs = runs_of(e->plan), count = quads_of(e->shape);
  int64_t fold = fold_of(e->plan, e->shape), each = half_bytes(e->plan);
  int64_t quad = 2 * each * whole_vectors(e->plan, e->shape);
  int64_t run = folded_vectors(fold, RUN) * each, single = folded_vectors(fold, 1) * each;
  qn_value *folded = qn_index_add(e->b, w, count * quad);
  if (runs > 0) {
    qn_carry loop = qn_carry_begin(e->b, 0, runs, 1, acc->at, acc->vectors);
    qn_value *from = qn_index_affine(e->b, loop.index, RUN * QN_QUAD, offsets[0]);
    qn_value *panel = qn_index_affine(e->b, loop.index, RUN * quad, 0);
    qn_value *more = qn_index_affine(e->b, loop.index, run, 0);
    from = qn_gemm_add(e, x, from);
    panel = qn_gemm_add(e, w, panel);
    add_quads(e, acc, from, panel, qn_gemm_add(e, folded, more), RUN);
    qn_carry_end(e->b, &loop);
  }
  for (int64_t q = runs * RUN; q < count; q++) {
    qn_value *from = qn_index_add(e->b, x, offsets[q]);
    qn_value *panel = qn_index_add(e->b, w, q * quad);
    qn_value *more = qn_index_add(e->b, folded, runs * run + (q - runs * RUN) * single);
    add_quads(e, acc, from, panel, more, 1);
  }
  unfold(e, acc);
}

static qn_value *times(emitter *e, qn_value *lanes, int64_t factor) {
  return qn_build_binary_int(e->b, QN_OP_ARITH_MULI, lanes, factor);
}

/* The term that e->base adds to the accumulators of all channels; NULL if there is no base. */
static qn_value *base_term(emitter *e) {
  if (!e->base) return NULL;
  qn_value *base = qn_vec_cast(e->b, QN_OP_ARITH_EXTSI, e->base, e->i32);
  base = qn_vec_slice(e->b, base, 0, e->plan->lanes);
  return qn_build_binary(e->b, QN_OP_ARITH_MULI, base, e->x_sum);
}

void qn_bytes_multiply_pairs(emitter *e, accumulators *acc, qn_value *x) {
  accumulators sums = {.rows = 1, .vectors = acc->vectors};
  QN_ASSERT(acc->rows == 1);
  for (uint32_t v = 0; v < acc->vectors; v++)
    sums.at[v] = qn_vec_splat(e->b, 0, e->i32, e->plan->lanes);
  add_all(e, &sums, x, e->fields[QN_TILE_WEIGHTS]);
  uint32_t whole = whole_vectors(e->plan, e->shape);
  qn_value *of_low = whole > 1 ? times(e, e->x_sum, LOW) : NULL, *of_base = base_term(e);
  for (uint32_t v = 0; v < acc->vectors; v++) {
    qn_value *sum = sums.at[v];
    if (v % 2 == 0 && v + 1 < whole) {
      qn_value *high = times(e, sums.at[v + 1], 2 * LOW);
      sum = qn_build_binary(e->b, QN_OP_ARITH_SUBI, sum, high);
      sum = qn_build_binary(e->b, QN_OP_ARITH_SUBI, sum, of_low);
    }
    if (of_base) sum = qn_gemm_add(e, sum, of_base);
    acc->at[v] = qn_gemm_add(e, acc->at[v], sum);
  }
}

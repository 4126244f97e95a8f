/* Code of a tile: products, and results from their accumulators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/across/across.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* How many runs are emitted without a loop in a loop over sequences, and in an iteration of a loop.
 */
enum { STRAIGHT = 8, UNROLLED = 2 };

static const qn_across_plan *plan_of(const emitter *e) { return e->plan->own; }

/* ---- accumulators: acc->at[pixel], in products a vector of one lane per channel ---- */

static const qn_type *sum_type(emitter *e) { return qn_type_vec(e->b->cx, e->i32, 1); }

void qn_across_load(emitter *e) {
  const qn_epilogue *epilogue = qn_bytes_of(e->plan->gemm)->epilogue;
  qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, 0);
  qn_value *params = e->fields[QN_TILE_PARAMS];
  int64_t lanes = e->plan->lanes;
  qn_value *start = qn_epilogue_load_start(e->b, epilogue, e->shape->kind, e->params, params,
                                           at.offset, at.lanes);
  e->tile_start = qn_bytes_fill_lanes(e->b, start, lanes);
  e->tile_params = qn_epilogue_load(e->b, epilogue, e->shape->kind, e->params, params, at.offset,
                                    at.stride, at.lanes);
  for (uint32_t w = 0; w < QN_COUNT(e->tile_params.words); w++)
    if (e->tile_params.words[w])
      e->tile_params.words[w] = qn_bytes_fill_lanes(e->b, e->tile_params.words[w], lanes);
}

/* The products begin at 0. */
void qn_across_start(emitter *e, accumulators *acc) { (void)e, (void)acc; }

/* Joins vectors of one lane each to one. */
static qn_value *join(emitter *e, qn_value **parts, int64_t count) {
  int64_t mask[QN_VEC_MAX_BYTES];
  for (int64_t lanes = 1; count > 1; count /= 2, lanes *= 2) {
    QN_ASSERT(count % 2 == 0);
    for (int64_t i = 0; i < 2 * lanes; i++) mask[i] = i;
    for (int64_t i = 0; i < count / 2; i++)
      parts[i] = qn_vec_shuffle(e->b, parts[2 * i], parts[2 * i + 1], mask, 2 * lanes);
  }
  return parts[0];
}

void qn_across_finish(emitter *e, accumulators *acc, qn_gemm_cursor at) {
  const qn_epilogue *epilogue = qn_bytes_of(e->plan->gemm)->epilogue;
  QN_ASSERT(acc->vectors == 1);
  for (int64_t m = 0; m < acc->rows; m++) {
    qn_vec_boundary(e->b,
                    e->target); /* results wait for the last products otherwise, in registers */
    qn_value *sum = qn_gemm_add(e, acc->at[m], e->tile_start);
    acc->at[m] = qn_epilogue_apply(e->b, epilogue, e->shape->kind, &e->tile_params, sum);
  }
  qn_bytes_store_results(e, acc, at);
}

/* ---- products ---- */

/* Accumulators that registers hold at the same time: of `rows` pixels and some channels. */
typedef struct pass {
  int64_t rows, channels[QN_ACROSS_CHANNELS], count;
  qn_value *sums[QN_ACROSS_ROWS * QN_ACROSS_CHANNELS]; /* [pixel][channel of the pass] */
} pass;

/* XORed to bytes of x if their signedness changes: in the quads of the group only. */
static qn_value *flip(emitter *e, qn_value *bytes, int64_t quads) {
  uint8_t mask[QN_ACROSS_BYTES] = {0};
  if (!qn_bytes_flip(e->plan->gemm)) return bytes;
  for (int64_t i = 0; i < QN_QUAD * quads; i++) mask[i] = 0x80;
  const qn_attr *lanes =
      qn_attr_dense(e->b->cx, bytes->type, (qn_bytes){mask, QN_ACROSS_BYTES}, true);
  qn_value *bits =
      qn_build_1(e->b, QN_OP_ARITH_CONSTANT, bytes->type, NULL, 0, QN_ATTRS({"value", lanes}));
  return qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes, bits);
}

/* Loads `count` bytes of pixel m, `further` + offset after its base, which is x for the first one.
 */
static qn_value *load_bytes(emitter *e, qn_value *x, int64_t m, qn_value *further, int64_t offset,
                            int64_t count) {
  qn_value *own = e->pixel_x[m], *base = own ? own : x;
  if (further) base = qn_gemm_add(e, base, further);
  return qn_vec_load(e->b, e->x, base, offset + (own ? 0 : m * e->plan->pixel_stride), count);
}

/* Joins `count` quads of pixel m, which are at from + offsets, and zeros. `from`: [quad]; NULL: 0.
 */
static qn_value *load_quads(emitter *e, qn_value *x, int64_t m, qn_value *const *from,
                            const int64_t *offsets, int64_t count) {
  qn_value *quads[QN_ACROSS_QUADS];
  for (int64_t q = 0; q < QN_ACROSS_QUADS; q++) {
    quads[q] = qn_build_int(e->b, 0, sum_type(e));
    if (q >= count) continue;
    qn_value *quad = load_bytes(e, x, m, from ? from[q] : NULL, from ? 0 : offsets[q], QN_QUAD);
    quads[q] = qn_vec_bitcast(e->b, quad, e->i32);
  }
  return flip(e, qn_vec_bitcast(e->b, join(e, quads, QN_ACROSS_QUADS), e->i8), count);
}

static void load_runs(emitter *e, const pass *p, qn_value *x, qn_value *further, int64_t offset,
                      qn_value **out) {
  for (int64_t m = 0; m < p->rows; m++)
    out[m] = flip(e, load_bytes(e, x, m, further, offset, QN_ACROSS_BYTES), QN_ACROSS_QUADS);
}

/* Adds the products of a vector of each pixel and the weights from w + offset on. */
static void add_products(emitter *e, pass *p, qn_value *const *bytes, qn_value *w, int64_t offset,
                         int64_t quads) {
  for (int64_t i = 0; i < p->count; i++) {
    int64_t at = offset + p->channels[i] * quads * QN_QUAD;
    qn_value *weights = qn_vec_load(e->b, e->weights, w, at, QN_ACROSS_BYTES);
    for (int64_t m = 0; m < p->rows; m++) {
      qn_value **sum = &p->sums[m * p->count + i];
      *sum = qn_dot_build_across(e->b, e->plan->gemm->dot, *sum, bytes[m], weights, false);
    }
  }
}

static int64_t panel_of(const emitter *e, uint32_t i, int64_t part) {
  const qn_across_plan *own = plan_of(e);
  return (part * own->channel_bytes + own->groups[i].weights) * e->shape->valid;
}

static uint32_t sums_of(const pass *p) { return (uint32_t)(p->rows * p->count); }

/* Opens a loop over `count` groups, which carries the sums. */
static qn_carry open_loop(emitter *e, uint32_t count, int64_t step, pass *p) {
  return qn_carry_begin(e->b, 0, count, step, p->sums, sums_of(p));
}

/* Emits `count` runs from `first` on, which are equally spaced. `base`: offset of all; NULL: 0. */
static void sequence(emitter *e, pass *p, qn_value *x, qn_value *base, qn_value *w, uint32_t first,
                     uint32_t count, int64_t spacing, int64_t part) {
  int64_t from = plan_of(e)->groups[first].offsets[0], panel = panel_of(e, first, part);
  int64_t stride = QN_ACROSS_BYTES * e->shape->valid;
  uint32_t straight = base ? STRAIGHT : QN_ACROSS_AT_ONCE;
  uint32_t looped = count > straight ? count / UNROLLED * UNROLLED : 0;
  qn_value *bytes[QN_ACROSS_ROWS];
  if (looped > 0) {
    qn_carry loop = open_loop(e, looped, UNROLLED, p);
    qn_value *i = loop.index;
    qn_value *further = qn_index_affine(e->b, i, spacing, 0);
    if (base) further = qn_gemm_add(e, base, further);
    qn_value *panel_of_i = qn_gemm_add(e, w, qn_index_affine(e->b, i, stride, 0));
    for (int64_t k = 0; k < UNROLLED; k++) {
      load_runs(e, p, x, further, from + k * spacing, bytes);
      add_products(e, p, bytes, panel_of_i, panel + k * stride, QN_ACROSS_QUADS);
    }
    qn_carry_end(e->b, &loop);
  }
  for (uint32_t i = looped; i < count; i++) {
    load_runs(e, p, x, base, from + i * spacing, bytes);
    add_products(e, p, bytes, w, panel + i * stride, QN_ACROSS_QUADS);
  }
}

/* Emits sequences of `count` runs each, which are equally spaced themselves, by a loop over them.
 */
static void sequences(emitter *e, pass *p, qn_value *x, qn_value *w, const qn_across_repeat *of,
                      int64_t part) {
  int64_t stride = QN_ACROSS_BYTES * e->shape->valid * of->count;
  qn_carry loop = open_loop(e, of->sequences, 1, p);
  qn_value *i = loop.index;
  qn_value *further = qn_index_affine(e->b, i, of->distance, 0);
  qn_value *panel = qn_gemm_add(e, w, qn_index_affine(e->b, i, stride, 0));
  sequence(e, p, x, further, panel, 0, of->count, of->spacing, part);
  qn_carry_end(e->b, &loop);
}

/* Emits all runs by a loop over their offsets. */
static void listed(emitter *e, pass *p, qn_value *x, qn_value *w, int64_t part) {
  qn_carry loop = open_loop(e, plan_of(e)->bytes.runs, 1, p);
  qn_value *i = loop.index, *bytes[QN_ACROSS_ROWS];
  qn_value *further = qn_index_load(e->b, e->offsets, i, 0);
  qn_value *panel =
      qn_gemm_add(e, w, qn_index_affine(e->b, i, QN_ACROSS_BYTES * e->shape->valid, 0));
  load_runs(e, p, x, further, 0, bytes);
  add_products(e, p, bytes, panel, panel_of(e, 0, part), QN_ACROSS_QUADS);
  qn_carry_end(e->b, &loop);
}

/* Emits `count` groups of four quads from `first` on, whose offsets follow those of the runs in the
 * list. */
static void listed_quads(emitter *e, pass *p, qn_value *x, qn_value *w, uint32_t first,
                         uint32_t count, int64_t part) {
  qn_carry loop = open_loop(e, count, 1, p);
  qn_value *i = loop.index, *from[QN_ACROSS_QUADS], *bytes[QN_ACROSS_ROWS];
  qn_value *entry = qn_index_affine(e->b, i, QN_ACROSS_QUADS, plan_of(e)->bytes.runs);
  for (int64_t q = 0; q < QN_ACROSS_QUADS; q++) from[q] = qn_index_load(e->b, e->offsets, entry, q);
  qn_value *panel =
      qn_gemm_add(e, w, qn_index_affine(e->b, i, QN_ACROSS_BYTES * e->shape->valid, 0));
  for (int64_t m = 0; m < p->rows; m++) bytes[m] = load_quads(e, x, m, from, NULL, QN_ACROSS_QUADS);
  add_products(e, p, bytes, panel, panel_of(e, first, part), QN_ACROSS_QUADS);
  qn_carry_end(e->b, &loop);
}

/* Emits the groups that are no runs. */
static void joined(emitter *e, pass *p, qn_value *x, qn_value *w, int64_t part) {
  const qn_across_plan *own = plan_of(e);
  uint32_t first = own->bytes.runs, whole = qn_across_whole_groups(own);
  if (whole > QN_ACROSS_JOINED) {
    listed_quads(e, p, x, w, first, whole, part);
    first += whole;
  }
  for (uint32_t i = first; i < own->count; i++) {
    const qn_across_group *of = &own->groups[i];
    qn_value *bytes[QN_ACROSS_ROWS];
    for (int64_t m = 0; m < p->rows; m++)
      bytes[m] = load_quads(e, x, m, NULL, of->offsets, of->quads);
    add_products(e, p, bytes, w, panel_of(e, i, part), of->quads);
  }
}

/* Emits all products of a pass. */
static void multiply_pass(emitter *e, pass *p, qn_value *x) {
  const qn_across_plan *own = plan_of(e);
  uint32_t runs = own->bytes.runs;
  qn_value *w = e->fields[QN_TILE_WEIGHTS];
  for (int64_t part = 0; part < own->parts; part++) {
    int64_t spacing;
    const qn_across_repeat repeats = qn_across_repeat_of(own);
    if (repeats.sequences > 1)
      sequences(e, p, x, w, &repeats, part);
    else if (!qn_across_is_straight(own))
      listed(e, p, x, w, part);
    for (uint32_t i = 0, count; i < runs && qn_across_is_straight(own); i += count) {
      count = qn_across_spaced_from(own, i, runs, &spacing);
      sequence(e, p, x, NULL, w, i, count, spacing, part);
    }
    joined(e, p, x, w, part);
  }
}

/* Inserts the accumulators of a pass for pixel m into the lanes of their channels. `lanes`: those
 * of the pass before; NULL if none, and then other lanes may be anything. */
static qn_value *insert(emitter *e, const pass *p, int64_t m, qn_value *lanes) {
  for (int64_t i = 0; i < p->count; i++) {
    qn_value *sum = qn_vec_extract(e->b, p->sums[m * p->count + i], 0);
    sum = qn_vec_broadcast(e->b, sum, QN_ACROSS_CHANNELS);
    int64_t mask[QN_ACROSS_CHANNELS] = {0, 1, 2, 3};
    mask[p->channels[i]] = QN_ACROSS_CHANNELS;
    lanes = lanes ? qn_vec_shuffle(e->b, lanes, sum, mask, QN_ACROSS_CHANNELS) : sum;
  }
  return lanes;
}

/* Several pixels are multiplied with every second channel at a time, because an instruction moves
 * two accumulators to lanes that are two apart. */
void qn_across_multiply(emitter *e, accumulators *acc, qn_value *x) {
  int64_t passes = acc->rows > 1 && e->shape->valid > 1 ? 2 : 1;
  QN_ASSERT(acc->rows <= QN_ACROSS_ROWS && e->shape->valid <= QN_ACROSS_CHANNELS &&
            e->plan->lanes == QN_ACROSS_CHANNELS);
  for (int64_t first = 0; first < passes; first++) {
    pass p = {.rows = acc->rows};
    for (int64_t c = first; c < e->shape->valid; c += passes) p.channels[p.count++] = c;
    for (uint32_t i = 0; i < sums_of(&p); i++) p.sums[i] = qn_build_int(e->b, 0, sum_type(e));
    multiply_pass(e, &p, x);
    for (int64_t m = 0; m < p.rows; m++)
      acc->at[m] = insert(e, &p, m, first == 0 ? NULL : acc->at[m]);
  }
}

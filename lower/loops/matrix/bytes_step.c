/* One K step of a tile of 8-bit x: pairs of 16 bits, single bytes, or quads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes_step.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- one quad ---- */

qn_value *qn_bytes_quad_of(emitter *e, qn_value *pixel, const qn_quad_place *at) {
  qn_value *index = at->offset ? qn_gemm_add(e, pixel, at->offset) : pixel;
  return qn_index_add(e->b, index, at->more);
}

/* Loads a quad of a pixel, or those of all merged groups. If the tensor is shorter than 4 bytes,
 * the missing bytes are 0. */
static qn_value *load_quad(emitter *e, const qn_quad_place *at, int64_t row) {
  int64_t bytes = qn_bytes_plan_of(e->plan)->quad_bytes;
  if (e->plan->gemm->merged) bytes = QN_QUAD * e->plan->gemm->merged;
  qn_value *own = e->pixel_x[row], *index = own ? qn_bytes_quad_of(e, own, at) : at->first;
  int64_t further = own ? 0 : row * e->plan->pixel_stride;
  qn_value *quad = qn_vec_load(e->b, e->x, index, further, bytes);
  if (bytes >= QN_QUAD) return quad;
  int64_t mask[QN_QUAD];
  for (int64_t i = 0; i < QN_QUAD; i++) mask[i] = i < bytes ? i : bytes;
  return qn_vec_shuffle(e->b, quad, qn_vec_splat(e->b, 0, e->i8, bytes), mask, QN_QUAD);
}

/* Broadcasts i32 lane `lane` of `dwords`, as i16. */
static qn_value *spread_pair(emitter *e, qn_value *dwords, int64_t lane) {
  qn_value *all = qn_vec_broadcast(e->b, qn_vec_extract(e->b, dwords, lane), e->plan->lanes);
  return qn_vec_bitcast(e->b, all, e->i16);
}

static qn_value *exclusive_or(emitter *e, qn_value *bytes, qn_value *mask) {
  return mask ? qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes, mask) : bytes;
}

/* Loads the pairs of weights of vector `row` of a step. A thin panel has only their first ones. */
static qn_value *load_pairs(emitter *e, qn_value *w, int64_t row) {
  int64_t lanes = e->plan->lanes;
  if (!qn_bytes_plan_of(e->plan)->thin)
    return qn_gemm_load_weights(e, w, row * 2 * lanes, 2 * lanes);
  qn_value *from = e->panel_of ? e->panel_of : e->weights;
  return qn_compact_load_pairs(e->b, from, e->base, w, row * lanes, lanes);
}

/* One step of 16-bit products: pairs of widened bytes times pairs of weights. */
static void step_s16(emitter *e, accumulators *acc, const qn_quad_place *x, qn_value *w) {
  bool x_unsigned = qn_bytes_of(e->plan->gemm)->weights->x_unsigned;
  qn_op_kind extend = x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI;
  int64_t halves = qn_bytes_plan_of(e->plan)->thin ? 1 : 2;
  qn_value *quads[QN_GEMM_ACCUMULATORS];
  for (int64_t m = 0; m < acc->rows; m++)
    quads[m] = qn_vec_bitcast(e->b, qn_vec_cast(e->b, extend, load_quad(e, x, m), e->i16), e->i32);
  for (int64_t half = 0; half < halves; half++)
    for (int64_t m = 0; m < acc->rows; m++) {
      qn_value *pair = spread_pair(e, quads[m], half);
      for (uint32_t v = 0; v < acc->vectors; v++) {
        qn_value **to = &acc->at[m * acc->vectors + v];
        const qn_factors f = {pair, load_pairs(e, w, half * acc->vectors + v)};
        *to = qn_dot_build(e->b, e->plan->gemm->dot, *to, &f, 1, x_unsigned);
      }
    }
}

/* ---- single bytes ---- */

/* Byte `at` of a pixel, with the signedness that the product requires. */
static qn_value *load_byte(emitter *e, const qn_quad_place *at, int64_t m) {
  qn_value *own = e->pixel_x[m], *index = own ? qn_bytes_quad_of(e, own, at) : at->first;
  index = qn_index_add(e->b, index, own ? 0 : m * e->plan->pixel_stride);
  qn_value *byte = qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->i8, QN_VALUES(e->x, index), NULL);
  if (!qn_bytes_flip(e->plan->gemm)) return byte;
  return qn_build_binary(e->b, QN_OP_ARITH_XORI, byte, qn_build_int(e->b, INT8_MIN, e->i8));
}

/* Adds the product of a byte of x and a vector of weights to *to: an accumulator, or a sum of 16
 * bits. */
static void add_single(emitter *e, qn_value **to, qn_value *byte, qn_value *weights) {
  const qn_gemm *g = e->plan->gemm;
  if (qn_dot_is_grouped(g->dot))
    *to = qn_dot_build_narrow(e->b, g->dot, *to, byte, weights, false);
  else
    *to = qn_products_single(e->b, *to, byte, weights);
}

/* The byte as a factor of all lanes: widened first if products are added in 32 bits. */
static qn_value *spread_byte(emitter *e, qn_value *byte) {
  const qn_gemm *g = e->plan->gemm;
  qn_op_kind extend = qn_bytes_of(g)->weights->x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI;
  if (!qn_dot_is_grouped(g->dot)) byte = qn_build_unary(e->b, extend, byte, e->i16);
  return qn_vec_broadcast(e->b, byte, e->plan->lanes);
}

/* Adds the product of one byte of each pixel with one weight of each channel, whose weights are
 * `row`. */
static void multiply_single(emitter *e, qn_value **sums, const accumulators *acc,
                            const qn_quad_place *x, qn_value *w, int64_t row) {
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS];
  int64_t lanes = e->plan->lanes, stored = qn_bytes_stored(e->plan, e->shape);
  for (uint32_t v = 0; v < acc->vectors; v++) {
    weights[v] = qn_vec_load(e->b, e->weights, w, row * stored + v * lanes,
                             qn_bytes_stored_lanes(e->plan, e->shape, v));
    weights[v] = qn_bytes_fill_lanes(e->b, weights[v], lanes);
  }
  for (int64_t m = 0; m < acc->rows; m++) {
    qn_value *byte = spread_byte(e, load_byte(e, x, m));
    for (uint32_t v = 0; v < acc->vectors; v++)
      add_single(e, &sums[m * acc->vectors + v], byte, weights[v]);
  }
}

/* Adds the sums of 16 bits to the accumulators, and begins new ones. */
static void add_sums(emitter *e, accumulators *acc, qn_value **sums) {
  for (int64_t a = 0; a < acc->rows * acc->vectors; a++) {
    acc->at[a] = qn_dot_add_narrow(e->b, e->plan->gemm->dot, acc->at[a], sums[a]);
    sums[a] = NULL;
  }
}

/* Rows of weights per quad: one for each of its bytes. */
static int64_t rows_of_quad(const emitter *e) {
  return qn_bytes_in_single_scalars(e->plan->gemm) ? qn_bytes_plan_of(e->plan)->quad_bytes
                                                   : QN_QUAD;
}

/* One step of single bytes. */
static void step_singles(emitter *e, accumulators *acc, qn_step_kind kind, const qn_quad_place *x,
                         qn_value *w) {
  const qn_step_form *form = qn_step_form_of(kind);
  bool grouped = qn_dot_is_grouped(e->plan->gemm->dot);
  qn_value *sums[QN_GEMM_ACCUMULATORS] = {NULL};
  int64_t bytes = qn_bytes_plan_of(e->plan)->quad_bytes, count = form->quads * bytes;
  int64_t rows = rows_of_quad(e);
  int64_t each = form->halves ? QN_QUAD / 2 : count; /* products per sum */
  for (int64_t i = 0; i < count; i++) {
    int64_t q = i / bytes, byte = i % bytes;
    qn_quad_place at = x[q];
    at.first = qn_index_add(e->b, x[q].first, byte);
    at.more += byte;
    multiply_single(e, grouped ? sums : acc->at, acc, &at, w, q * rows + byte);
    if (grouped && ((i + 1) % each == 0 || i + 1 == count)) add_sums(e, acc, sums);
  }
}

/* ---- one step of bytes ---- */

/* Factors of a step in registers: the weights of all vectors with one row of x, or all rows of x
 * with one vector of weights. */
typedef struct factors {
  qn_step_kind kind;
  const qn_step_form *form;
  uint32_t vectors;
  const qn_quad_place *x; /* [quads] */
  qn_value *w;
  qn_value *weights[QN_EPILOGUE_MAX_VECTORS][QN_STEP_QUADS];
  qn_value
      *masks[QN_EPILOGUE_MAX_VECTORS]; /* masks of the first quad, one per vector; NULL: none */
  qn_value *shared[QN_STEP_QUADS];     /* masks of each quad for all vectors; NULL: none */
  qn_value *top; /* XOR mask that converts the signedness of x; NULL if not needed. Complement masks
                    include it */
} factors;

int64_t qn_bytes_step_stored(const emitter *e) {
  bool thin = qn_bytes_plan_of(e->plan)->thin && e->plan->gemm->dot->bytes == 1;
  return (thin ? 1 : QN_QUAD) * qn_bytes_stored(e->plan, e->shape) / e->shape->vectors;
}

/* Quads that begin with a weight of each channel, and are 0 after it. */
static qn_value *widen_thin(emitter *e, qn_value *bytes) {
  int64_t mask[QN_VEC_MAX_BYTES], count = qn_vec_count(bytes), lanes = e->plan->lanes;
  for (int64_t i = 0; i < QN_QUAD * lanes; i++)
    mask[i] = i % QN_QUAD == 0 && i / QN_QUAD < count ? i / QN_QUAD : count;
  qn_value *zeros = qn_build_int(e->b, 0, bytes->type);
  return qn_vec_shuffle(e->b, bytes, zeros, mask, QN_QUAD * lanes);
}

qn_value *qn_bytes_load_stored(emitter *e, qn_value *w, int64_t offset) {
  qn_value *bytes = qn_vec_load(e->b, e->weights, w, offset, qn_bytes_step_stored(e));
  if (qn_bytes_plan_of(e->plan)->thin) return widen_thin(e, bytes);
  return qn_bytes_fill_lanes(e->b, bytes, QN_QUAD * e->plan->lanes);
}

/* Loads byte vector `row` of the step's weights. Weights of large models are beyond L2 when a layer
 * begins. If the next panel is not prefetched evenly (prefetch_panel), this load prefetches the
 * line at `prefetch_distance`, which crosses into the next panel at the end of one. */
static qn_value *load_bytes(emitter *e, const factors *f, uint32_t row) {
  enum { LINE = 64 };
  int64_t width = qn_bytes_step_stored(e), at = row * width;
  if (e->plan->prefetch_distance > 0 && e->prefetch_count == 0 && at % LINE == 0) {
    qn_value *prefetch = qn_index_add(e->b, f->w, at + e->plan->prefetch_distance);
    qn_build_0(e->b, QN_OP_QUERN_PREFETCH, QN_VALUES(e->weights, prefetch), NULL);
  }
  return qn_bytes_load_stored(e, f->w, at);
}

static void load_weights(emitter *e, factors *f, uint32_t v) {
  uint32_t each = 1 + f->form->owned;
  for (uint32_t q = 0; q < f->form->quads; q++)
    f->weights[v][q] = load_bytes(e, f, f->form->shared + (q * f->vectors + v) * each);
  f->masks[v] = f->form->owned ? load_bytes(e, f, v * each + 1) : NULL;
}

/* The quad of its own group in each lane. */
static qn_value *spread_groups(emitter *e, qn_value *quads) {
  const int64_t lanes = e->plan->lanes, each = lanes / e->plan->gemm->merged;
  int64_t mask[QN_VEC_MAX_BYTES];
  for (int64_t l = 0; l < lanes; l++) mask[l] = l / each;
  return qn_vec_bitcast(e->b, qn_vec_shuffle(e->b, quads, quads, mask, lanes), e->i8);
}

/* Broadcasts quad q of pixel m to all lanes of its group. */
static qn_value *load_row(emitter *e, const factors *f, uint32_t q, int64_t m) {
  const qn_gemm *g = e->plan->gemm;
  qn_value *quad = qn_vec_bitcast(e->b, load_quad(e, &f->x[q], m), e->i32);
  qn_value *bytes =
      g->merged ? spread_groups(e, quad) : qn_dot_spread(e->b, g->dot, quad, 0, e->plan->lanes);
  bool is_masked = q < f->form->shared || f->form->owned;
  return exclusive_or(e, bytes, is_masked ? f->shared[q] : f->top);
}

qn_value *qn_bytes_add_products(emitter *e, qn_value *acc, const qn_factors *f, uint32_t count) {
  const qn_gemm *g = e->plan->gemm;
  bool x_unsigned = qn_dot_sees_unsigned(g->dot, qn_bytes_of(g)->weights->x_unsigned);
  if (!qn_bytes_plan_of(e->plan)->joined)
    return qn_dot_build(e->b, g->dot, acc, f, count, x_unsigned);
  QN_ASSERT(count == 1);
  return qn_products_joined(e->b, acc, f->x, f->w, x_unsigned);
}

static void multiply(emitter *e, accumulators *acc, const factors *f, qn_value *const *bytes,
                     int64_t m, uint32_t v) {
  qn_value **to = &acc->at[m * acc->vectors + v];
  qn_factors pairs[QN_STEP_QUADS] = {{NULL, NULL}};
  for (uint32_t q = 0; q < f->form->quads; q++) {
    pairs[q].x = exclusive_or(e, bytes[q], q == 0 ? f->masks[v] : NULL);
    pairs[q].w = f->weights[v][q];
  }
  *to = qn_bytes_add_products(e, *to, pairs, f->form->quads);
}

/* Whether registers hold the accumulators and all rows of x of a quad. */
static bool holds_rows(const emitter *e, const accumulators *acc, const factors *f) {
  return f->form->quads == 1 && f->form->shared == 0 &&
         qn_bytes_rows_fit(e->plan->gemm, e->target, acc->rows, acc->vectors);
}

/* Emits a step of bytes. If registers suffice, all rows of x are loaded first, so that their
 * latency overlaps with the products of a vector. Otherwise all weights are loaded first, and x row
 * by row. */
static void step_s8(emitter *e, accumulators *acc, factors *f) {
  for (uint32_t q = 0; q < f->form->shared; q++) f->shared[q] = load_bytes(e, f, q);
  if (holds_rows(e, acc, f)) {
    qn_value *bytes[QN_GEMM_ACCUMULATORS];
    for (int64_t m = 0; m < acc->rows; m++) bytes[m] = load_row(e, f, 0, m);
    for (uint32_t v = 0; v < acc->vectors; v++) {
      load_weights(e, f, v);
      for (int64_t m = 0; m < acc->rows; m++) multiply(e, acc, f, &bytes[m], m, v);
    }
    return;
  }
  for (uint32_t v = 0; v < acc->vectors; v++) load_weights(e, f, v);
  for (int64_t m = 0; m < acc->rows; m++) {
    qn_value *bytes[QN_STEP_QUADS] = {NULL};
    for (uint32_t q = 0; q < f->form->quads; q++) bytes[q] = load_row(e, f, q, m);
    for (uint32_t v = 0; v < acc->vectors; v++) multiply(e, acc, f, bytes, m, v);
  }
}

void qn_bytes_step(emitter *e, accumulators *acc, qn_step_kind kind, const qn_quad_place *x,
                   qn_value *w) {
  const qn_gemm *g = e->plan->gemm;
  if (g->dot->single) {
    step_singles(e, acc, kind, x, w);
    return;
  }
  if (g->dot->bytes == 2) {
    step_s16(e, acc, x, w);
    return;
  }
  factors f = {
      .kind = kind, .form = qn_step_form_of(kind), .vectors = acc->vectors, .x = x, .w = w};
  if (qn_bytes_flip(g)) f.top = qn_vec_splat(e->b, -128, e->i8, QN_QUAD * e->plan->lanes);
  step_s8(e, acc, &f);
}

int64_t qn_bytes_step_stride(const emitter *e, qn_step_kind kind) {
  if (qn_bytes_in_single_scalars(e->plan->gemm))
    return qn_step_form_of(kind)->quads * rows_of_quad(e) * qn_bytes_stored(e->plan, e->shape);
  return qn_step_rows(kind, e->shape->vectors) * qn_bytes_step_stored(e);
}

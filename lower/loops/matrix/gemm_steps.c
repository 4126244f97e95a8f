/* K steps of a tile of 8-bit x: the loops over the steps of each kind, and the code of one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_steps.h"

#include "lower/loops/matrix/gemm_runs.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"

enum { MAX_UNROLLED = 3 }; /* quads after an equally spaced sequence that are emitted one by one */

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- one quad ---- */

/* Address of the quad of a pixel with a separate base (row wrap). */
static qn_value *quad_of(emitter *e, qn_value *pixel, const qn_quad_place *at) {
  qn_value *index = at->offset ? qn_gemm_add(e, pixel, at->offset) : pixel;
  return qn_index_add(e->b, index, at->more);
}

/* Loads a quad of a pixel. If the tensor is shorter than 4 bytes, the missing bytes are 0. */
static qn_value *load_quad(emitter *e, const qn_quad_place *at, int64_t row) {
  int64_t bytes = qn_bytes_plan_of(e->plan)->quad_bytes;
  qn_value *own = e->pixel_x[row], *index = own ? quad_of(e, own, at) : at->first;
  int64_t further = own ? 0 : row * e->plan->pixel_stride;
  qn_value *quad = qn_vec_load(e->b, e->x, index, further, bytes);
  if (bytes == QN_QUAD) return quad;
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
  qn_value *own = e->pixel_x[m], *index = own ? quad_of(e, own, at) : at->first;
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

/* Bytes of weights that a quad of one vector has in memory, where vectors are alike. */
static int64_t stored_bytes(const emitter *e) {
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

/* Loads the weights of a quad of one vector from w + offset on. Further lanes are
 * anything. */
static qn_value *load_stored(emitter *e, qn_value *w, int64_t offset) {
  qn_value *bytes = qn_vec_load(e->b, e->weights, w, offset, stored_bytes(e));
  if (qn_bytes_plan_of(e->plan)->thin) return widen_thin(e, bytes);
  return qn_bytes_fill_lanes(e->b, bytes, QN_QUAD * e->plan->lanes);
}

/* Loads byte vector `row` of the step's weights. Weights of large models are beyond L2 when a layer
 * begins. If the next panel is not prefetched evenly (prefetch_panel), this load prefetches the
 * line at `prefetch_distance`, which crosses into the next panel at the end of one. */
static qn_value *load_bytes(emitter *e, const factors *f, uint32_t row) {
  enum { LINE = 64 };
  int64_t width = stored_bytes(e), at = row * width;
  if (e->plan->prefetch_distance > 0 && e->prefetch_count == 0 && at % LINE == 0) {
    qn_value *prefetch = qn_index_add(e->b, f->w, at + e->plan->prefetch_distance);
    qn_build_0(e->b, QN_OP_QUERN_PREFETCH, QN_VALUES(e->weights, prefetch), NULL);
  }
  return load_stored(e, f->w, at);
}

static void load_weights(emitter *e, factors *f, uint32_t v) {
  uint32_t each = 1 + f->form->owned;
  for (uint32_t q = 0; q < f->form->quads; q++)
    f->weights[v][q] = load_bytes(e, f, f->form->shared + (q * f->vectors + v) * each);
  f->masks[v] = f->form->owned ? load_bytes(e, f, v * each + 1) : NULL;
}

/* Broadcasts quad q of pixel m to all lanes. */
static qn_value *load_row(emitter *e, const factors *f, uint32_t q, int64_t m) {
  qn_value *quad = qn_vec_bitcast(e->b, load_quad(e, &f->x[q], m), e->i32);
  qn_value *bytes = qn_dot_spread(e->b, e->plan->gemm->dot, quad, 0, e->plan->lanes);
  bool is_masked = q < f->form->shared || f->form->owned;
  return exclusive_or(e, bytes, is_masked ? f->shared[q] : f->top);
}

/* Adds the products of a vector of x and one of weights. */
static qn_value *add_products(emitter *e, qn_value *acc, const qn_factors *f, uint32_t count) {
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
  *to = add_products(e, *to, pairs, f->form->quads);
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

/* Emits one step for all pixels of the tile. x[q]: offset of quad q; w: first element of its
 * weights. */
static void step(emitter *e, accumulators *acc, qn_step_kind kind, const qn_quad_place *x,
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

/* ---- all steps ---- */

/* Weight elements of one step: bytes or i16. */
static int64_t step_stride(const emitter *e, qn_step_kind kind) {
  if (qn_bytes_in_single_scalars(e->plan->gemm))
    return qn_step_form_of(kind)->quads * rows_of_quad(e) * qn_bytes_stored(e->plan, e->shape);
  return qn_step_rows(kind, e->shape->vectors) * stored_bytes(e);
}

/* Where the quads of a loop over steps are: in the list, or equally spaced from `first` on if there
 * is no list. */
typedef struct quad_source {
  qn_value *list; /* NULL: no list */
  int64_t first, spacing;
} quad_source;

/* Emits steps [0, count) of a kind. */
static void step_loop(emitter *e, accumulators *acc, qn_step_kind kind, qn_value *x,
                      const quad_source *source, qn_value *w, qn_gemm_bound count) {
  uint32_t n = (uint32_t)acc->rows * acc->vectors, quads = qn_step_form_of(kind)->quads;
  qn_value *zero = qn_build_index(e->b, 0), *end = qn_gemm_bound_value(e, count);
  qn_op *nest = qn_build_for(e->b, zero, end, qn_build_index(e->b, 1), acc->at, n);
  qn_block *body = qn_op_body(nest);
  qn_value *i = body->args[0];
  qn_value *list = source->list;
  qn_quad_place from[QN_STEP_QUADS] = {{.more = source->first}, {.more = source->first}};
  for (uint32_t a = 0; a < n; a++) acc->at[a] = body->args[1 + a];
  qn_value *entry = list ? qn_gemm_add(e, list, qn_index_affine(e->b, i, quads, 0)) : NULL;
  const int64_t each = source->spacing * (int64_t)quads;
  for (uint32_t q = 0; q < quads; q++)
    from[q].offset = list ? qn_index_load(e->b, e->offsets, entry, q)
                          : qn_index_affine(e->b, i, each, source->spacing * (int64_t)q);
  qn_value *panel = qn_gemm_add(e, w, qn_index_affine(e->b, i, step_stride(e, kind), 0));
  qn_value *base = qn_index_add(e->b, x, source->first);
  for (uint32_t q = 0; q < quads; q++) from[q].first = qn_gemm_add(e, base, from[q].offset);
  qn_gemm_prefetch_bytes(e, i);
  step(e, acc, kind, from, panel);
  qn_build_yield(e->b, acc->at, n);
  for (uint32_t a = 0; a < n; a++) acc->at[a] = qn_op_result(nest, a);
}

/* ---- runs of quads ---- */

qn_value *qn_bytes_load_run(emitter *e, const qn_quad_place *at, int64_t m, int64_t bytes) {
  qn_value *own = e->pixel_x[m], *index = own ? quad_of(e, own, at) : at->first;
  qn_value *run = qn_vec_load(e->b, e->x, index, own ? 0 : m * e->plan->pixel_stride, bytes);
  if (!qn_bytes_flip(e->plan->gemm)) return run;
  return exclusive_or(e, run, qn_vec_splat(e->b, -128, e->i8, bytes));
}

/* Consecutive quads in one load of x: `count` quads from the `first` one of the loaded bytes on. */
typedef struct quads_of_load {
  int64_t bytes, first, count;
} quads_of_load;

/* Multiplies the quads of one load of all pixels. The loaded bytes of x stay in registers for all
 * of them. */
static void multiply_load(emitter *e, qn_value **sums, const accumulators *acc,
                          const qn_quad_place *x, qn_value *w, quads_of_load of) {
  const qn_gemm *g = e->plan->gemm;
  int64_t width = stored_bytes(e);
  qn_value *runs[QN_GEMM_ACCUMULATORS];
  for (int64_t m = 0; m < acc->rows; m++)
    runs[m] = qn_vec_bitcast(e->b, qn_bytes_load_run(e, x, m, of.bytes), e->i32);
  for (int64_t q = 0; q < of.count; q++)
    for (uint32_t v = 0; v < acc->vectors; v++) {
      qn_value *weights = load_stored(e, w, (q * acc->vectors + v) * width);
      for (int64_t m = 0; m < acc->rows; m++) {
        qn_value **to = &sums[m * acc->vectors + v];
        const qn_factors f = {qn_dot_spread(e->b, g->dot, runs[m], of.first + q, e->plan->lanes),
                              weights};
        *to = add_products(e, *to, &f, 1);
      }
    }
}

/* Emits one run for all pixels. */
static void run_step(emitter *e, qn_value **sums, const void *user, const qn_quad_place *x,
                     qn_value *w) {
  int64_t quads = e->plan->gemm->dot->quads;
  multiply_load(e, sums, user, x, w, (quads_of_load){QN_QUAD * quads, 0, quads});
}

/* The constant spacing of runs: run i begins at offsets[0] + i * spacing. 0 if they are not equally
 * spaced. */
static int64_t run_spacing(const qn_gemm_plan *plan, const int32_t *offsets) {
  int64_t quads = plan->gemm->dot->quads, runs = qn_bytes_plan_of(plan)->runs;
  int64_t spacing = runs > 1 ? offsets[quads] - offsets[0] : QN_QUAD * quads;
  for (int64_t r = 0; r < runs; r++)
    if (offsets[r * quads] != offsets[0] + r * spacing) return 0;
  return spacing;
}

/* Offset of run i + `plus` in x. */
static qn_quad_place run_at(emitter *e, qn_value *x, qn_value *i, int64_t plus) {
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t quads = e->plan->gemm->dot->quads, spacing = run_spacing(e->plan, offsets);
  qn_quad_place at = {.more = spacing ? offsets[0] + plus * spacing : 0};
  if (spacing) {
    at.offset = qn_index_affine(e->b, i, spacing, 0);
  } else {
    qn_value *entry = qn_index_affine(e->b, i, quads, 0);
    entry = qn_gemm_add(e, e->fields[QN_TILE_OFFSETS], entry);
    at.offset = qn_index_load(e->b, e->offsets, entry, plus * quads);
  }
  at.first = qn_gemm_add(e, qn_index_add(e->b, x, at.more), at.offset);
  return at;
}

/* Runs per iteration. Blocks of two pixels leave too few registers for a second run. A loop of one
 * iteration is none: LLVM would keep the parameters of the tile in registers beside the products.
 */
static int64_t unrolled_runs(const emitter *e, int64_t runs) {
  enum { UNROLLED = 2 };
  return e->plan->gemm->micro->by_pairs || runs < 2 * UNROLLED ? 1 : UNROLLED;
}

void qn_bytes_each_run(emitter *e, qn_value **sums, uint32_t n, qn_value *x, qn_value *w,
                       qn_bytes_run_fn *step_of_run, const void *user) {
  QN_ASSERT(e->plan->gemm->dot->quads > 0);
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t stride = e->plan->gemm->dot->quads * step_stride(e, QN_STEP_PLAIN);
  if (qn_bytes_plan_of(e->plan)->runs == 1) {
    qn_quad_place at = {.first = qn_index_add(e->b, x, offsets[0]), .more = offsets[0]};
    step_of_run(e, sums, user, &at, w);
    return;
  }
  int64_t runs = qn_bytes_plan_of(e->plan)->runs, unrolled = unrolled_runs(e, runs);
  int64_t whole = runs / unrolled * unrolled;
  qn_op *loop = qn_nest_carry(e->b, 0, whole, unrolled, sums, n);
  const qn_block *body = qn_op_body(loop);
  for (uint32_t a = 0; a < n; a++) sums[a] = body->args[1 + a];
  qn_value *panel = qn_gemm_add(e, w, qn_index_affine(e->b, body->args[0], stride, 0));
  for (int64_t i = 0; i < unrolled; i++) {
    if (i > 0) qn_vec_boundary(e->b, e->target);
    qn_quad_place at = run_at(e, x, body->args[0], i);
    step_of_run(e, sums, user, &at, qn_index_add(e->b, panel, i * stride));
  }
  qn_build_yield(e->b, sums, n);
  for (uint32_t a = 0; a < n; a++) sums[a] = qn_op_result(loop, a);
  for (int64_t i = whole; i < runs; i++) {
    qn_quad_place at = run_at(e, x, qn_build_index(e->b, 0), i);
    step_of_run(e, sums, user, &at, qn_index_add(e->b, w, i * stride));
  }
}

static void multiply_runs(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  qn_bytes_each_run(e, acc->at, (uint32_t)acc->rows * acc->vectors, x, w, run_step, acc);
}

/* A sequence of quads at the start of a list: quad i is at the first offset + i * spacing. */
typedef struct quad_sequence {
  int64_t count, spacing;
} quad_sequence;

static quad_sequence sequence_of(const int32_t *offsets, int64_t count, int64_t spacing) {
  quad_sequence s = {1, spacing};
  while (s.count < count && offsets[s.count] == offsets[0] + spacing * s.count) s.count++;
  return s;
}

/* The sequence whose loop needs no list: consecutive quads, or else equally spaced ones, such as
 * the rows of a kernel of one channel. */
static quad_sequence first_sequence(const int32_t *offsets, int64_t count) {
  quad_sequence run = sequence_of(offsets, count, QN_QUAD);
  if (count - run.count <= MAX_UNROLLED) return run;
  quad_sequence spaced = sequence_of(offsets, count, (int64_t)offsets[1] - offsets[0]);
  return count - spaced.count <= MAX_UNROLLED ? spaced : run;
}

/* ---- quads outside of runs ---- */

enum { MAX_LOADS = 5 };

/* The next quads that one load contains, of `count` quads at `offsets`; *out_from: its offset. A
 * load of a whole vector may contain other bytes, but none beyond those of a pixel. */
static quads_of_load next_load(const qn_gemm *g, const int32_t *offsets, int64_t count,
                               int64_t *out_from) {
  int64_t vector = QN_QUAD * g->dot->quads, n = 1, last = g->extent - vector;
  while (n < count && n < g->dot->quads && offsets[n] == offsets[0] + QN_QUAD * n) n++;
  *out_from = offsets[0] < last ? offsets[0] : last;
  int64_t skipped = offsets[0] - *out_from;
  if (last >= 0 && skipped % QN_QUAD == 0 && skipped + QN_QUAD * n <= vector)
    return (quads_of_load){vector, skipped / QN_QUAD, n};
  *out_from = offsets[0];
  if (n > 1) n = 2;
  return (quads_of_load){QN_QUAD * n, 0, n};
}

/* Whether few loads contain all of the quads. */
static bool has_few_loads(const qn_gemm_plan *plan, const int32_t *offsets, int64_t count) {
  const qn_gemm *g = plan->gemm;
  if (g->dot->quads == 0 || g->packs || qn_bytes_plan_of(plan)->quad_bytes != QN_QUAD) return false;
  int64_t loads = 0, from;
  for (int64_t q = 0; q < count; loads++) q += next_load(g, offsets + q, count - q, &from).count;
  return loads <= MAX_LOADS;
}

static void multiply_loads(emitter *e, accumulators *acc, qn_value *x, qn_value *w,
                           const int32_t *offsets, int64_t count) {
  int64_t stride = step_stride(e, QN_STEP_PLAIN), from;
  for (int64_t q = 0; q < count;) {
    quads_of_load next = next_load(e->plan->gemm, offsets + q, count - q, &from);
    qn_quad_place at = {.first = qn_index_add(e->b, x, from), .more = from};
    multiply_load(e, acc->at, acc, &at, qn_index_add(e->b, w, q * stride), next);
    q += next.count;
  }
}

bool qn_bytes_is_spaced(const qn_gemm_plan *plan) {
  const int32_t *offsets = plan->offsets.data;
  int64_t count = plan->tiles[0].fields[qn_tile_steps(QN_STEP_PLAIN)];
  int64_t runs = qn_bytes_plan_of(plan)->runs, in_runs = runs * plan->gemm->dot->quads;
  if (qn_bytes_plan_of(plan)->paired) return true;
  if (plan->gemm->micro->multiply != qn_bytes_multiply) return false;
  bool one = (int64_t)plan->offsets.count == count;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    const int32_t *fields = plan->tiles[t].fields;
    one &= fields[QN_TILE_OFFSETS] == 0 && fields[qn_tile_steps(QN_STEP_PLAIN)] == count;
  }
  if (!one || (runs > 1 && run_spacing(plan, offsets) == 0)) return false;
  offsets += in_runs, count -= in_runs;
  return count == 0 || has_few_loads(plan, offsets, count) ||
         count - first_sequence(offsets, count).count <= MAX_UNROLLED;
}

/* Emits plain steps whose list of quads is equal for all tiles of the segment. */
static void known_steps(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  int64_t in_runs = qn_bytes_plan_of(e->plan)->runs * e->plan->gemm->dot->quads;
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS] + in_runs;
  int64_t count = e->shape->fields[qn_tile_steps(QN_STEP_PLAIN)] - in_runs;
  int64_t stride = step_stride(e, QN_STEP_PLAIN);
  qn_value *list = e->fields[QN_TILE_OFFSETS];
  if (in_runs > 0) {
    multiply_runs(e, acc, x, w);
    w = qn_index_add(e->b, w, in_runs * stride);
    list = qn_index_add(e->b, list, in_runs);
  }
  if (count == 0) return;
  if (has_few_loads(e->plan, offsets, count)) {
    multiply_loads(e, acc, x, w, offsets, count);
    return;
  }
  quad_sequence spaced = first_sequence(offsets, count);
  if (count - spaced.count > MAX_UNROLLED) {
    const quad_source listed = {.list = list};
    step_loop(e, acc, QN_STEP_PLAIN, x, &listed, w, qn_gemm_known(count));
    return;
  }
  int64_t first = spaced.count > 1 ? spaced.count : 0;
  const quad_source from = {.first = offsets[0], .spacing = spaced.spacing};
  if (first > 0) step_loop(e, acc, QN_STEP_PLAIN, x, &from, w, qn_gemm_known(spaced.count));
  for (int64_t q = first; q < count; q++) {
    qn_quad_place quad = {.first = qn_index_add(e->b, x, offsets[q]), .more = offsets[q]};
    step(e, acc, QN_STEP_PLAIN, &quad, qn_index_add(e->b, w, q * stride));
  }
}

/* Elements of the next panel that each step prefetches, such that all steps of all M tiles cover
 * the panel. */
static int64_t prefetch_bytes_per_step(const emitter *e, qn_step_kind kind) {
  int64_t tiles = qn_gemm_pixel_tiles(e);
  return (step_stride(e, kind) + tiles - 1) / tiles;
}

/* First weight, first list element and first prefetch of the steps of a kind. */
typedef struct steps_at {
  qn_value *w, *list, *prefetch; /* NULL if unused */
} steps_at;

/* Emits pairs of neighbouring quads whose list is equal for all tiles of the segment. */
static void known_pairs(emitter *e, accumulators *acc, qn_value *x, steps_at at, int64_t count) {
  int64_t plain = e->shape->fields[qn_tile_steps(QN_STEP_PLAIN)];
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS] + plain;
  bool spaced = sequence_of(offsets, 2 * count, QN_QUAD).count == 2 * count;
  const quad_source from = {
      .first = spaced ? offsets[0] : 0, .spacing = QN_QUAD, .list = spaced ? NULL : at.list};
  step_loop(e, acc, QN_STEP_PAIR, x, &from, at.w, qn_gemm_known(count));
}

static qn_value *further(emitter *e, qn_value *from, qn_value *steps, int64_t each) {
  return from ? qn_gemm_add(e, from, qn_index_affine(e->b, steps, each, 0)) : NULL;
}

static steps_at behind(emitter *e, steps_at at, qn_step_kind kind, qn_gemm_bound count) {
  qn_value *done = qn_gemm_bound_value(e, count);
  at.w = further(e, at.w, done, step_stride(e, kind));
  at.list = further(e, at.list, done, qn_step_form_of(kind)->quads);
  at.prefetch = further(e, at.prefetch, done, prefetch_bytes_per_step(e, kind));
  return at;
}

/* Number of step kinds that the panels may contain. */
static qn_step_kind kinds_of(const emitter *e) {
  return (qn_step_kind)e->plan->gemm->micro->columns;
}

static bool is_none(qn_gemm_bound count) { return !count.value && count.known == 0; }

/* Start of this M tile's share of the next panel; NULL for no prefetch. Without prefetch, the first
 * pass over a panel waits for L3. With a single pass nothing overlaps the prefetch; with very many
 * passes the wait is negligible. */
static qn_value *prefetch_panel(emitter *e, qn_value *w) {
  enum { LEAST = 8 };
  bool some = qn_gemm_pixel_tiles(e) > 1 && prefetch_bytes_per_step(e, QN_STEP_PLAIN) >= LEAST;
  if (e->plan->prefetch_distance == 0 || !some) return NULL;
  steps_at at = {.w = w, .prefetch = qn_build_index(e->b, 0)};
  for (qn_step_kind kind = QN_STEP_PLAIN; kind < kinds_of(e); kind++) {
    qn_gemm_bound count = qn_gemm_field(e, qn_tile_steps(kind));
    if (!is_none(count)) at = behind(e, at, kind, count);
  }
  qn_value *tile = qn_gemm_pixel_tile(e);
  return qn_gemm_add(e, at.w, qn_build_binary(e->b, QN_OP_ARITH_MULI, tile, at.prefetch));
}

void qn_bytes_multiply(emitter *e, accumulators *acc, qn_value *x) {
  if (qn_bytes_plan_of(e->plan)->paired) {
    qn_bytes_multiply_pairs(e, acc, x);
    return;
  }
  steps_at at = {e->fields[QN_TILE_WEIGHTS], e->fields[QN_TILE_OFFSETS], NULL};
  if (e->plan->gemm->packs) at.w = qn_index_add(e->b, at.w, qn_bytes_start_elements(e));
  at.prefetch = prefetch_panel(e, at.w);
  e->prefetch_count = at.prefetch ? 1 : 0;
  qn_step_kind kind, last = QN_STEP_KINDS;
  qn_gemm_bound last_count = qn_gemm_known(0);
  for (kind = QN_STEP_PLAIN; kind < kinds_of(e); kind++) {
    qn_gemm_bound count = qn_gemm_field(e, qn_tile_steps(kind));
    if (is_none(count)) continue;
    if (last != QN_STEP_KINDS) at = behind(e, at, last, last_count);
    e->prefetches[0] =
        (qn_gemm_prefetch){e->weights, at.prefetch, prefetch_bytes_per_step(e, kind)};
    bool is_known = !count.value && qn_gemm_field_is_constant(e, QN_TILE_OFFSETS);
    QN_ASSERT(is_known || qn_bytes_plan_of(e->plan)->runs == 0);
    if (kind == QN_STEP_PLAIN && is_known)
      known_steps(e, acc, x, at.w);
    else if (kind == QN_STEP_PAIR && is_known && e->plan->gemm->dot->single)
      known_pairs(e, acc, x, at, count.known);
    else
      step_loop(e, acc, kind, x, &(quad_source){.list = at.list}, at.w, count);
    last = kind, last_count = count;
  }
}

/* The kernels of ml.hybrid_linear and ml.hybrid_conv: sums of byte products, then float arithmetic
 * in registers.
 *
 *   words[tile][word][vector][lane]   four k of a channel; lanes are channels
 *   numbers[tile][2][vector][lane]    f32: the channel's scale, its bias
 *   totals[tile][vector][lane]        i32: the sum of the channel's weights
 *
 * Sums are exact, so results do not depend on the instruction: a byte dot product if it does not
 * saturate, else 16-bit products of even and odd bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/frame.h"
#include "lower/loops/narrow/border.h"
#include "lower/loops/narrow/hybrid_tiles.h"
#include "lower/loops/narrow/quads.h"
#include "lower/loops/narrow/reals.h"
#include "lower/loops/narrow/tiles.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

enum { X, SCALES, ZERO_POINTS, WEIGHTS, WEIGHT_SCALES, BIAS };
enum { QUAD = QN_NARROW_QUAD, SCALE_ROW = 0, BIAS_ROW = 1, NUMBER_ROWS };

typedef struct product {
  qn_loops *lo;
  const qn_op *op;
  qn_narrow_tiling t;
  int64_t depth, run_words, words; /* K; words of a run; words of a channel */
  int64_t rows_of_range;
  const qn_dot *dot; /* exact byte product of unsigned x and signed weights; NULL if none */
} product;

typedef struct emitter {
  const product *p;
  qn_builder *b;
  const qn_type *i32;
  qn_value *x, *scales, *zeros, *words, *numbers, *totals, *bias, *y;
  const qn_narrow_tile *tile;
  qn_value *word_at;
  qn_value *sums[QN_NARROW_MAX_SUMS];
} emitter;

/* ---- constants ---- */

typedef struct packed {
  uint8_t *words;
  float *numbers;
  int32_t *totals;
  size_t word_bytes, count; /* count: channels, padding included */
} packed;

static void pack_channel(const product *p, const qn_attr *const payloads[BIAS + 1], int64_t channel,
                         const packed *out) {
  const qn_narrow_tiling *t = &p->t;
  int64_t vector = channel / t->lanes, lane = channel % t->lanes;
  int64_t before = vector / t->vectors * t->vectors, vectors = qn_narrow_vectors_from(t, before);
  int64_t at = (vector - before) * t->lanes + lane, first = before * t->lanes;
  for (int64_t k = 0; k < p->depth; k++) {
    int8_t w = (int8_t)qn_dense_int(payloads[WEIGHTS], channel * p->depth + k);
    int64_t in_run = k % t->rows.run, word = k / t->rows.run * p->run_words + in_run / QUAD;
    word = first * p->words + word * vectors * t->lanes + at;
    out->words[word * QUAD + in_run % QUAD] = (uint8_t)w;
    out->totals[first + at] += w;
  }
  float *numbers = out->numbers + first * NUMBER_ROWS + at;
  numbers[SCALE_ROW * vectors * t->lanes] = (float)qn_dense_float(payloads[WEIGHT_SCALES], channel);
  if (payloads[BIAS])
    numbers[BIAS_ROW * vectors * t->lanes] = (float)qn_dense_float(payloads[BIAS], channel);
}

static packed pack(const product *p, const qn_attr *bias) {
  qn_arena *arena = p->lo->scratch;
  packed out = {.count = (size_t)(qn_narrow_vectors(&p->t) * p->t.lanes)};
  out.word_bytes = out.count * (size_t)p->words * QUAD;
  out.words = QN_NEW_ARRAY(arena, out.word_bytes, uint8_t);
  out.numbers = QN_NEW_ARRAY(arena, out.count * NUMBER_ROWS, float);
  out.totals = QN_NEW_ARRAY(arena, out.count, int32_t);
  const qn_attr *const payloads[BIAS + 1] = {[WEIGHTS] = qn_loops_payload(p->op, WEIGHTS),
                                             [WEIGHT_SCALES] =
                                                 qn_loops_payload(p->op, WEIGHT_SCALES),
                                             [BIAS] = bias};
  for (int64_t c = 0; c < p->t.channels; c++) pack_channel(p, payloads, c, &out);
  return out;
}

/* ---- products ---- */

static qn_value *load_quad(emitter *e, qn_value *at, int64_t row, int64_t bytes) {
  return qn_narrow_quad(e->b, e->x, at, row * e->p->t.rows.x_row, bytes, e->p->t.lanes);
}

static void multiply_halves(emitter *e, qn_value *const *w, qn_value *x_at, int64_t bytes) {
  const qn_narrow_tile *t = e->tile;
  qn_narrow_halves of_w[QN_NARROW_MAX_VECTORS];
  for (int64_t v = 0; v < t->vectors; v++) of_w[v] = qn_narrow_signed_halves(e->b, w[v]);
  for (int64_t r = 0; r < t->rows; r++) {
    const qn_narrow_halves x = qn_narrow_unsigned_halves(e->b, load_quad(e, x_at, r, bytes));
    for (int64_t v = 0; v < t->vectors; v++) {
      qn_value **sum = &e->sums[r * t->vectors + v];
      *sum = qn_narrow_add_products(e->b, *sum, &x, &of_w[v]);
    }
  }
}

/* Adds the products with one word of each channel. */
static void multiply_word(emitter *e, qn_value *word_at, qn_value *x_at, int64_t bytes) {
  const qn_narrow_tile *t = e->tile;
  int64_t size = e->p->t.lanes * QUAD;
  qn_value *w[QN_NARROW_MAX_VECTORS];
  for (int64_t v = 0; v < t->vectors; v++)
    w[v] = qn_vec_load(e->b, e->words, word_at, v * size, size);
  if (!e->p->dot) {
    multiply_halves(e, w, x_at, bytes);
    return;
  }
  for (int64_t r = 0; r < t->rows; r++) {
    qn_value *x = load_quad(e, x_at, r, bytes);
    for (int64_t v = 0; v < t->vectors; v++) {
      qn_value **sum = &e->sums[r * t->vectors + v];
      *sum = qn_dot_build(e->b, e->p->dot, *sum, &(qn_factors){x, w[v]}, 1, true);
    }
  }
}

static qn_carry open_loop(emitter *e, int64_t count) {
  return qn_carry_begin(e->b, 0, count, 1, e->sums, (uint32_t)(e->tile->rows * e->tile->vectors));
}

static void multiply_run(emitter *e, qn_value *run) {
  const product *p = e->p;
  int64_t whole = p->t.rows.run / QUAD, rest = p->t.rows.run % QUAD;
  int64_t step = e->tile->vectors * p->t.lanes * QUAD;
  qn_value *word_at = qn_index_affine(e->b, run, p->run_words * step, 0);
  word_at = qn_nest_add(e->b, e->word_at, word_at);
  qn_value *x_at = qn_narrow_run_at(e->b, &p->t, e->tile, run);
  if (whole > 0) {
    qn_carry loop = open_loop(e, whole);
    qn_value *i = loop.index;
    qn_value *word = qn_index_affine(e->b, i, step, 0), *k = qn_index_affine(e->b, i, QUAD, 0);
    word = qn_nest_add(e->b, word_at, word);
    multiply_word(e, word, qn_nest_add(e->b, x_at, k), QUAD);
    qn_carry_end(e->b, &loop);
  }
  if (rest == 0) return;
  word_at = qn_index_add(e->b, word_at, whole * step);
  multiply_word(e, word_at, qn_index_add(e->b, x_at, whole * QUAD), rest);
}

static void multiply(emitter *e) {
  int64_t runs = e->p->t.rows.runs;
  if (runs == 1) {
    multiply_run(e, qn_build_index(e->b, 0));
    return;
  }
  qn_carry loop = open_loop(e, runs);
  multiply_run(e, loop.index);
  qn_carry_end(e->b, &loop);
}

/* ---- reals ---- */

static qn_value *lanes_of(emitter *e, qn_value *buffer, int64_t rows, int64_t row, int64_t v) {
  const qn_narrow_tiling *t = &e->p->t;
  qn_value *at = qn_index_affine(e->b, e->tile->number, rows * t->vectors * t->lanes, 0);
  return qn_vec_load(e->b, buffer, at, (row * e->tile->vectors + v) * t->lanes, t->lanes);
}

static qn_narrow_channel numbers_of(emitter *e, int64_t v) {
  qn_narrow_channel n = {.scale = lanes_of(e, e->numbers, NUMBER_ROWS, SCALE_ROW, v)};
  n.total = lanes_of(e, e->totals, 1, 0, v);
  n.bias = e->bias ? qn_narrow_channels(e->b, &e->p->t, e->tile, e->bias, v)
                   : lanes_of(e, e->numbers, NUMBER_ROWS, BIAS_ROW, v);
  return n;
}

static qn_value *of_range(emitter *e, qn_value *buffer, int64_t row) {
  qn_value *at = qn_index_add(e->b, e->tile->row, row);
  if (e->p->rows_of_range > 1) {
    qn_value *each = qn_build_index(e->b, e->p->rows_of_range);
    at = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, at, each);
  }
  return qn_narrow_row_number(e->b, buffer, at, e->p->t.lanes);
}

static void finish(emitter *e) {
  const qn_narrow_tile *t = e->tile;
  const qn_narrow_tiling *all = &e->p->t;
  qn_narrow_channel n[QN_NARROW_MAX_VECTORS];
  for (int64_t v = 0; v < t->vectors; v++) n[v] = numbers_of(e, v);
  for (int64_t r = 0; r < t->rows; r++) {
    qn_narrow_row row;
    row.scale = of_range(e, e->scales, r);
    row.zero = of_range(e, e->zeros, r);
    for (int64_t v = 0; v < t->vectors; v++) {
      qn_value *y = qn_narrow_real(e->b, e->p->op, e->sums[r * t->vectors + v], &row, &n[v]);
      if (v == t->vectors - 1) y = qn_vec_slice(e->b, y, 0, t->valid);
      qn_vec_store(e->b, y, e->y, t->y, r * all->rows.y_row + v * all->lanes);
    }
  }
}

static void build_tile(void *user, const qn_narrow_tile *tile) {
  emitter *e = user;
  const qn_narrow_tiling *t = &e->p->t;
  e->tile = tile;
  e->word_at = qn_index_affine(e->b, tile->number, e->p->words * t->vectors * t->lanes * QUAD, 0);
  qn_value *none = qn_vec_splat(e->b, 0, e->i32, t->lanes);
  for (int64_t i = 0; i < tile->rows * tile->vectors; i++) e->sums[i] = none;
  multiply(e);
  finish(e);
}

/* ---- the plan ---- */

/* With one row, tiles are wide, so that several dependency chains hide the latency. With more rows,
 * the rows of all tiles are as equal as possible. */
static void choose_tiles(product *p) {
  const qn_target *target = p->lo->target;
  int64_t rows = p->t.rows.rows;
  bool many = target->vector_registers == 32;
  p->t.vectors = many ? (rows == 1 ? 8 : 4) : rows == 1 && p->dot ? 4 : 2;
  int64_t most = rows == 1 ? 1 : many ? (p->dot ? 6 : 4) : p->dot ? 4 : 2;
  int64_t passes = (rows + most - 1) / most;
  p->t.height = (rows + passes - 1) / passes;
  qn_narrow_fit(&p->t);
}

static qn_narrow_rows rows_of(qn_loops *lo, const qn_op *op, const product *p) {
  if (op->kind == QN_OP_ML_HYBRID_LINEAR)
    return qn_narrow_rows_of_linear(lo, op, p->depth, p->t.channels);
  const qn_conv_shape s = qn_narrow_padded_shape(op);
  const qn_conv_frame dense = {.image = s.out_height * s.out_width * s.out_channels,
                               .row = s.out_width * s.out_channels,
                               .column = s.out_channels};
  return qn_narrow_rows_of_conv(&s, &dense);
}

/* The level's byte product of unsigned x and signed weights if it is exact for all weights; NULL if
 * none. */
static const qn_dot *bytes_dot(const qn_target *target) {
  const qn_dot *dot = target->dot;
  bool takes = dot && qn_dot_takes(dot, true) && (dot->w & QN_TAKES_SIGNED);
  return takes && qn_dot_is_exact(dot) && dot->block == 1 && dot->depth == 4 ? dot : NULL;
}

static product product_of(qn_loops *lo, const qn_op *op) {
  const qn_type *w = qn_op_operand(op, WEIGHTS)->type;
  product p = {.lo = lo, .op = op, .dot = bytes_dot(lo->target)};
  p.t.channels = w->shaped.dims[0];
  p.t.lanes = lo->target->vector_bytes / (int64_t)sizeof(float);
  p.depth = qn_type_elements(w) / p.t.channels;
  p.t.rows = rows_of(lo, op, &p);
  p.run_words = (p.t.rows.run + QUAD - 1) / QUAD;
  p.words = p.run_words * p.t.rows.runs;
  int64_t rows = p.t.rows.lines * p.t.rows.rows;
  p.rows_of_range = rows / qn_type_elements(qn_op_operand(op, SCALES)->type);
  choose_tiles(&p);
  return p;
}

static qn_status check(qn_loops *lo, const product *p) {
  int64_t channels = qn_narrow_vectors(&p->t) * p->t.lanes;
  const char *what = NULL;
  if (channels * p->words > INT32_MAX / QUAD) what = "its packed weights exceed 2 GiB";
  if (!qn_value_constant(qn_op_operand(p->op, WEIGHTS)) ||
      !qn_value_constant(qn_op_operand(p->op, WEIGHT_SCALES)))
    what = "its weights and their scales must be constants";
  if (!what) return QN_OK;
  return qn_error(&lo->cx->diag, p->op->loc, QN_UNSUPPORTED, "no schedule for '%.*s': %s",
                  QN_STR_ARG(p->op->name), what);
}

/* Cycles of the kernel of vectors: two products per cycle; the epilogue of a vector of results. */
static double vector_cycles(const product *p) {
  const double finish = 4;
  double vectors = (double)(p->t.rows.lines * p->t.rows.rows * qn_narrow_vectors(&p->t));
  return vectors * ((double)p->words / 2 + finish);
}

static bool takes_tiles(qn_loops *lo, const product *p, qn_hybrid_product *out) {
  *out = (qn_hybrid_product){.op = p->op,
                             .rows = &p->t.rows,
                             .channels = p->t.channels,
                             .depth = p->depth,
                             .rows_of_range = p->rows_of_range};
  return qn_hybrid_tiles_pay(lo, out, vector_cycles(p));
}

static qn_value *x_of(qn_loops *lo, const qn_op *op, qn_value *const *buffers) {
  return op->kind == QN_OP_ML_HYBRID_CONV ? qn_narrow_bordered(lo, op, buffers) : buffers[X];
}

static qn_status lower_tiles(qn_loops *lo, qn_hybrid_product *p, const qn_value *bias) {
  qn_value *buffers[ZERO_POINTS + 1];
  for (uint32_t i = X; i <= ZERO_POINTS; i++)
    buffers[i] = qn_loops_buffer(lo, qn_op_operand(p->op, i));
  p->x = x_of(lo, p->op, buffers);
  p->scales = buffers[SCALES], p->zeros = buffers[ZERO_POINTS];
  p->bias = bias ? qn_loops_buffer(lo, bias) : NULL;
  return qn_hybrid_tiles_lower(lo, p);
}

static qn_status lower_product(qn_loops *lo, qn_op *op) {
  enum { WORDS = WEIGHTS, NUMBERS, TOTALS, Y, GIVEN_BIAS, COUNT };
  const product p = product_of(lo, op);
  QN_TRY(check(lo, &p));
  const qn_value *bias = op->operand_count > BIAS ? qn_op_operand(op, BIAS) : NULL;
  bool computed = bias && !qn_value_constant(bias);
  qn_hybrid_product in_tiles;
  if (takes_tiles(lo, &p, &in_tiles)) return lower_tiles(lo, &in_tiles, computed ? bias : NULL);
  const packed c = pack(&p, bias && !computed ? qn_value_constant(bias) : NULL);
  const qn_type *i8 = qn_type_i(lo->cx, 8), *i32 = qn_type_i(lo->cx, 32);
  const qn_type *f32 = qn_type_float(lo->cx, QN_F32);
  qn_value *buffers[COUNT];
  for (uint32_t i = X; i <= ZERO_POINTS; i++)
    buffers[i] = qn_loops_buffer(lo, qn_op_operand(op, i));
  buffers[X] = x_of(lo, op, buffers);
  buffers[WORDS] = qn_loops_constant(lo, i8, (qn_bytes){c.words, c.word_bytes});
  const qn_bytes numbers = {(const uint8_t *)c.numbers, c.count * NUMBER_ROWS * sizeof *c.numbers};
  const qn_bytes totals = {(const uint8_t *)c.totals, c.count * sizeof *c.totals};
  buffers[NUMBERS] = qn_loops_constant(lo, f32, numbers);
  buffers[TOTALS] = qn_loops_constant(lo, i32, totals);
  buffers[Y] = qn_loops_buffer(lo, &op->results[0]);
  if (computed) buffers[GIVEN_BIAS] = qn_loops_buffer(lo, bias);
  qn_kernel k = qn_kernel_begin(lo, "hybrid", op, buffers, computed ? COUNT : GIVEN_BIAS);
  emitter e = {.p = &p,
               .b = &k.b,
               .i32 = i32,
               .x = k.args[X],
               .scales = k.args[SCALES],
               .zeros = k.args[ZERO_POINTS],
               .words = k.args[WORDS],
               .numbers = k.args[NUMBERS],
               .totals = k.args[TOTALS],
               .bias = computed ? k.args[GIVEN_BIAS] : NULL,
               .y = k.args[Y]};
  qn_narrow_build(&k, &p.t, (int64_t)c.word_bytes, build_tile, &e);
  return QN_OK;
}

const qn_schedule qn_schedule_ml_hybrid_linear = {.lower = lower_product};
const qn_schedule qn_schedule_ml_hybrid_conv = {.lower = lower_product};

/* The kernel of ml.linear and ml.conv on f32 with narrow weights.
 *
 * A field u of a word becomes a float without a conversion instruction. If the lowest bit of u is e
 * places below the top of the fraction, u combined with the exponent bits of 2^e has the bits of
 * the float 2^e + u. Subtracting 2^e + zero point from it is exact, and the difference times the
 * scale is the weight. Each accumulator adds its products in the order of k, with one rounding
 * each, as matrix/gemm_floats.c does.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/float_form.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/matrix/floats.h"
#include "lower/loops/matrix/frame.h"
#include "lower/loops/narrow/panels.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"

enum { MAX_ROWS = 10, MAX_FIELDS = 8, FRACTION_BITS = 23, EXPONENT_OF_ONE = 127 };

typedef struct emitter {
  const qn_narrow_panels *p;
  qn_kernel *k;
  qn_builder *b;
  const qn_type *i32, *f32, *lanes; /* element types; a vector of f32 */
  qn_value *x, *words, *numbers, *y;
  const qn_op *op;
  int64_t lane_count;
  /* the tile, and the offsets of its panels, rows and results */
  const qn_narrow_tile *tile;
  qn_value *word_at, *number_at;
  qn_value *sums[QN_NARROW_MAX_SUMS]; /* [row][vector] */
  /* the block: scales, and zero points if they differ */
  qn_value *scales[QN_NARROW_MAX_VECTORS], *zeros[QN_NARROW_MAX_VECTORS];
} emitter;

/* ---- one weight of each lane ---- */

static qn_value *integers(emitter *e, uint32_t bits) {
  return qn_vec_splat(e->b, (int32_t)bits, e->i32, e->lane_count);
}
static qn_value *reals(emitter *e, double value) { return qn_build_float(e->b, value, e->lanes); }

/* The bit position of a field after the word has been shifted by `shift`, such that it is inside
 * the fraction. */
static int64_t shift_of(const qn_narrow_panels *p, int64_t field) {
  int64_t at = field * p->bits, fields = FRACTION_BITS / p->bits;
  return at / (fields * p->bits) * fields * p->bits;
}

/* The stored value of a field as a float, minus the zero point if that is one for all weights
 * (zeros_of NULL). Zero points per channel are subtracted by the caller. */
static qn_value *widened(emitter *e, qn_value *word, int64_t field, const qn_value *zeros_of) {
  const qn_narrow_panels *p = e->p;
  int64_t shift = shift_of(p, field), at = field * p->bits - shift, exponent = FRACTION_BITS - at;
  if (shift > 0)
    word = qn_build_binary(e->b, QN_OP_ARITH_SHRUI, word, integers(e, (uint32_t)shift));
  uint32_t mask = ((1U << p->bits) - 1) << at;
  uint32_t power = (uint32_t)(EXPONENT_OF_ONE + exponent) << FRACTION_BITS;
  qn_value *bits = qn_build_binary(e->b, QN_OP_ARITH_ANDI, word, integers(e, mask));
  bits = qn_build_binary(e->b, QN_OP_ARITH_ORI, bits, integers(e, power));
  double offset = (double)(INT64_C(1) << exponent);
  if (!zeros_of) offset += (double)(qn_narrow_zero_point(p->w, 0, 0) - p->base);
  qn_value *number = qn_vec_bitcast(e->b, bits, e->f32);
  return qn_build_binary(e->b, QN_OP_ARITH_SUBF, number, reals(e, offset));
}

static qn_value *weight(emitter *e, qn_value *word, int64_t field, int64_t vector) {
  qn_value *zeros = e->zeros[vector];
  qn_value *number = widened(e, word, field, zeros);
  if (zeros) number = qn_build_binary(e->b, QN_OP_ARITH_SUBF, number, zeros);
  return qn_build_binary(e->b, QN_OP_ARITH_MULF, number, e->scales[vector]);
}

/* ---- products ---- */

static qn_value *factor(emitter *e, qn_value *at, int64_t row, int64_t field) {
  qn_value *index = qn_index_add(e->b, at, row * e->p->tiling->rows.x_row + field);
  qn_value *x = qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->f32, QN_VALUES(e->x, index), NULL);
  return qn_vec_broadcast(e->b, x, e->lane_count);
}

static void add(emitter *e, int64_t row, int64_t vector, qn_value *x, qn_value *w) {
  qn_value **sum = &e->sums[row * e->tile->vectors + vector];
  *sum = qn_float_add_product(e->b, x, w, *sum);
}

/* A word of each channel, with `fields` weights. For M = 1 vector by vector, so that few registers
 * hold words; for larger M weight by weight, so that few hold x. */
static void multiply_word(emitter *e, qn_value *word_at, qn_value *x_at, int64_t fields) {
  qn_value *words[QN_NARROW_MAX_VECTORS], *x[MAX_FIELDS];
  for (int64_t f = 0; e->tile->rows == 1 && f < fields; f++) x[f] = factor(e, x_at, 0, f);
  for (int64_t v = 0; v < e->tile->vectors; v++) {
    words[v] = qn_vec_load(e->b, e->words, word_at, v * e->lane_count, e->lane_count);
    for (int64_t f = 0; e->tile->rows == 1 && f < fields; f++)
      add(e, 0, v, x[f], weight(e, words[v], f, v));
  }
  for (int64_t f = 0; e->tile->rows > 1 && f < fields; f++) {
    qn_value *w[QN_NARROW_MAX_VECTORS];
    for (int64_t v = 0; v < e->tile->vectors; v++) w[v] = weight(e, words[v], f, v);
    for (int64_t r = 0; r < e->tile->rows; r++) {
      qn_value *one = factor(e, x_at, r, f);
      for (int64_t v = 0; v < e->tile->vectors; v++) add(e, r, v, one, w[v]);
    }
  }
}

/* Opens a loop from 0 to `count` that carries the accumulators. */
static qn_carry open_loop(emitter *e, int64_t count) {
  return qn_carry_begin(e->b, 0, count, 1, e->sums, (uint32_t)(e->tile->rows * e->tile->vectors));
}

static qn_value *number(emitter *e, qn_value *row, int64_t vector) {
  qn_value *at = qn_index_affine(e->b, row, e->tile->vectors * e->lane_count, 0);
  at = qn_nest_add(e->b, e->number_at, at);
  return qn_vec_load(e->b, e->numbers, at, vector * e->lane_count, e->lane_count);
}

static void load_block(emitter *e, qn_value *block) {
  if (e->p->grids == 1) block = qn_build_index(e->b, 0);
  for (int64_t v = 0; v < e->tile->vectors; v++) {
    e->scales[v] = number(e, qn_index_add(e->b, block, 1), v);
    e->zeros[v] = NULL;
    if (!e->p->one_zero_point)
      e->zeros[v] = number(e, qn_index_add(e->b, block, 1 + e->p->grids), v);
  }
}

static qn_value *block_of_x(emitter *e, qn_value *block) {
  const qn_narrow_panels *p = e->p;
  if (p->tiling->rows.runs > 1) return qn_narrow_run_at(e->b, p->tiling, e->tile, block);
  qn_value *k = qn_index_affine(e->b, block, p->block, 0);
  return qn_nest_add(e->b, e->tile->x, k);
}

/* Adds all products of a block of `depth` k. */
static void multiply_block(emitter *e, qn_value *block, int64_t depth) {
  const qn_narrow_panels *p = e->p;
  int64_t per_word = qn_narrow_per_word(p), whole = depth / per_word, rest = depth % per_word;
  int64_t step = e->tile->vectors * e->lane_count;
  load_block(e, block);
  qn_value *word_at = qn_index_affine(e->b, block, p->block_words * step, 0);
  word_at = qn_nest_add(e->b, e->word_at, word_at);
  qn_value *x_at = block_of_x(e, block);
  if (whole > 0) {
    qn_carry loop = open_loop(e, whole);
    qn_value *i = loop.index;
    qn_value *word = qn_index_affine(e->b, i, step, 0), *k = qn_index_affine(e->b, i, per_word, 0);
    word = qn_nest_add(e->b, word_at, word);
    multiply_word(e, word, qn_nest_add(e->b, x_at, k), per_word);
    qn_carry_end(e->b, &loop);
  }
  if (rest == 0) return;
  word_at = qn_index_add(e->b, word_at, whole * step);
  multiply_word(e, word_at, qn_index_add(e->b, x_at, whole * per_word), rest);
}

static void multiply(emitter *e) {
  const qn_narrow_panels *p = e->p;
  int64_t last = qn_narrow_block_depth(p, p->blocks - 1);
  int64_t whole = last == p->block ? p->blocks : p->blocks - 1;
  if (whole == 1) multiply_block(e, qn_build_index(e->b, 0), p->block);
  if (whole > 1) {
    qn_carry loop = open_loop(e, whole);
    multiply_block(e, loop.index, p->block);
    qn_carry_end(e->b, &loop);
  }
  if (whole < p->blocks) multiply_block(e, qn_build_index(e->b, whole), last);
}

/* ---- tiles ---- */

static void store(emitter *e) {
  const qn_narrow_tile *t = e->tile;
  for (int64_t r = 0; r < t->rows; r++)
    for (int64_t v = 0; v < t->vectors; v++) {
      qn_value *y = qn_float_activate(e->b, e->sums[r * t->vectors + v], e->op);
      if (v == t->vectors - 1) y = qn_vec_slice(e->b, y, 0, t->valid);
      qn_vec_store(e->b, y, e->y, t->y, r * e->p->tiling->rows.y_row + v * e->lane_count);
    }
}

static void build_tile(void *user, const qn_narrow_tile *tile) {
  emitter *e = user;
  const qn_narrow_panels *p = e->p;
  int64_t vectors = p->tiling->vectors;
  e->tile = tile;
  e->word_at = qn_index_affine(e->b, tile->number, qn_narrow_tile_words(p, vectors), 0);
  e->number_at = qn_index_affine(e->b, tile->number, qn_narrow_tile_numbers(p, vectors), 0);
  qn_value *none = qn_build_index(e->b, 0);
  for (int64_t v = 0; v < tile->vectors; v++) {
    qn_value *start = number(e, none, v);
    for (int64_t r = 0; r < tile->rows; r++) e->sums[r * tile->vectors + v] = start;
  }
  multiply(e);
  store(e);
}

/* ---- the plan ---- */

/* Tile size: registers hold accumulators, scales, and a few words, x and constants. Rows share the
 * widening of a tile's weights, about three instructions, so tiles have many rows if M is large. */
static qn_narrow_rows rows_of(const qn_loops *lo, const qn_op *op, const qn_narrow_weights *w) {
  if (op->kind == QN_OP_ML_LINEAR) return qn_narrow_rows_of_linear(lo, op, w->depth, w->channels);
  const qn_conv_shape shape = qn_conv_shape_of(op);
  const qn_conv_frame frame = qn_conv_frame_of(lo, op);
  return qn_narrow_rows_of_conv(&shape, &frame);
}

static qn_narrow_tiling choose(const qn_loops *lo, const qn_op *op, const qn_narrow_weights *w) {
  const qn_target *target = lo->target;
  qn_narrow_tiling t = {.rows = rows_of(lo, op, w),
                        .channels = w->channels,
                        .lanes = target->vector_bytes / (int64_t)sizeof(float)};
  int64_t rows = t.rows.rows;
  bool many = target->vector_registers == 32;
  int64_t vectors = rows == 1 ? (many ? 8 : 4) : rows <= 4 && many ? 4 : 2;
  int64_t most = rows == 1 ? 1 : vectors == 4 ? 4 : many ? MAX_ROWS : 4;
  if (!target->fma && most > 2) most = 2; /* an emulated product takes many instructions */
  t.vectors = vectors, t.height = rows < most ? rows : most;
  qn_narrow_fit(&t);
  return t;
}

static bool weights_of(const qn_op *op, qn_narrow_weights *out) {
  return qn_narrow_read(qn_op_operand(op, 1), out);
}

/* Whether the op is a convolution without groups whose channels have one scale and one zero point
 * each. */
static bool takes_windows(const qn_op *op, const qn_narrow_weights *w) {
  return qn_op_groups(op) == 1 && w->block == w->depth &&
         qn_op_operand(op, 1)->type->shaped.rank == 4;
}

bool qn_narrow_takes(const qn_op *op) {
  enum { LEAST_BLOCK = 8 };
  qn_narrow_weights w;
  if (!weights_of(op, &w)) return false;
  const qn_value *bias = op->operand_count > 2 ? qn_op_operand(op, 2) : NULL;
  bool constant = !bias || qn_value_constant(bias);
  bool f32 = qn_type_is_float(qn_type_element(op->results[0].type), QN_F32);
  if (!f32 || !constant || !qn_is_float_form(op)) return false;
  if (op->kind == QN_OP_ML_CONV) return takes_windows(op, &w);
  return op->kind == QN_OP_ML_LINEAR && (w.block >= LEAST_BLOCK || w.block == w.depth);
}

bool qn_narrow_applies(const qn_loops *lo, const qn_op *op) {
  const qn_op *from = qn_op_operand(op, 1)->op;
  return from && qn_narrow_takes(op) && qn_producer_consumer(lo, from);
}

static qn_status check_size(qn_loops *lo, const qn_op *op, const qn_narrow_panels *p) {
  int64_t vectors = qn_narrow_vectors(p->tiling);
  int64_t most = qn_narrow_tile_words(p, vectors), numbers = qn_narrow_tile_numbers(p, vectors);
  if (numbers > most) most = numbers;
  if (most <= INT32_MAX / (int64_t)sizeof(int32_t)) return QN_OK;
  return qn_error(&lo->cx->diag, op->loc, QN_LIMIT, "packed weights exceed 2 GiB");
}

qn_status qn_narrow_lower(qn_loops *lo, qn_op *op) {
  QN_TRY(qn_floats_check(lo, op));
  qn_narrow_weights w;
  bool is_narrow = weights_of(op, &w);
  QN_ASSERT(is_narrow && qn_narrow_takes(op));
  const qn_narrow_tiling t = choose(lo, op, &w);
  const qn_narrow_panels p = qn_narrow_panels_of(&w, &t);
  QN_TRY(check_size(lo, op, &p));
  const qn_attr *bias = op->operand_count > 2 ? qn_loops_payload(op, 2) : NULL;
  const qn_narrow_packed packed = qn_narrow_pack(lo->scratch, &p, bias);
  const qn_type *i32 = qn_type_i(lo->cx, 32), *f32 = qn_type_float(lo->cx, QN_F32);
  enum { X, WORDS, NUMBERS, Y, COUNT };
  qn_value *buffers[COUNT];
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[WORDS] = qn_loops_constant(lo, i32, packed.words);
  buffers[NUMBERS] = qn_loops_constant(lo, f32, packed.numbers);
  buffers[Y] = qn_loops_buffer(lo, qn_fusion_result(lo, op));
  qn_kernel k = qn_kernel_begin(lo, "narrow", op, buffers, COUNT);
  emitter e = {.p = &p,
               .k = &k,
               .b = &k.b,
               .i32 = i32,
               .f32 = f32,
               .lanes = qn_type_vec(lo->cx, f32, t.lanes),
               .x = k.args[X],
               .words = k.args[WORDS],
               .numbers = k.args[NUMBERS],
               .y = k.args[Y],
               .op = op,
               .lane_count = t.lanes};
  qn_narrow_build(&k, &t, (int64_t)packed.words.size, build_tile, &e);
  return QN_OK;
}

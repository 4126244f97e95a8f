/* Code of ml.block_linear: a register tile, block by block of K.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/floats.h"
#include "lower/loops/narrow/blocks.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

enum { QUAD = QN_NARROW_QUAD, HALF_BYTE = 4, BYTE = 8, WORD = QN_BLOCK_WORD };

/* ---- products ---- */

/* Vector `v` of the row that `before` bytes per channel precede: `size` bytes per lane. */
static qn_value *load_row(qn_block_emitter *e, qn_value *at, int64_t before, int64_t size,
                          int64_t v) {
  const qn_block_product *p = e->p;
  int64_t words = qn_block_words(p, 1, size);
  int64_t offset = qn_block_words(p, e->tile->vectors, before) + v * words;
  return qn_vec_load(e->b, e->panels, at, offset, words);
}

/* Weights of a line as bytes: all of 8 bits, or the low or high halves of bytes. */
static qn_value *masked(qn_block_emitter *e, qn_value *line, uint32_t mask) {
  const qn_block_product *p = e->p;
  mask *= 0x01010101;
  line = qn_build_binary(e->b, QN_OP_ARITH_ANDI, line,
                         qn_vec_splat(e->b, (int32_t)mask, e->i32, p->t.lanes));
  return qn_vec_bitcast(e->b, line, e->i8);
}
static qn_value *quad_of(qn_block_emitter *e, qn_value *line, int64_t which) {
  const qn_block_product *p = e->p;
  enum { LOW = 0x0f, HIGH = 0xf0 };
  if (p->bits == BYTE) return qn_vec_bitcast(e->b, line, e->i8);
  if (which == 0) return masked(e, line, LOW);
  if (p->shifts_sums) return masked(e, line, HIGH);
  line = qn_build_binary(e->b, QN_OP_ARITH_SHRUI, line,
                         qn_vec_splat(e->b, HALF_BYTE, e->i32, p->t.lanes));
  return masked(e, line, LOW);
}

/* Adds what is in sums of 16 bits to the accumulators. */
static void flush(qn_block_emitter *e) {
  for (int64_t i = 0; i < e->tile->rows * e->tile->vectors; i++) {
    if (e->narrow[i]) e->acc[i] = qn_dot_add_narrow(e->b, e->p->dot, e->acc[i], e->narrow[i]);
    e->narrow[i] = NULL;
  }
  e->pending = 0;
}

/* Adds products to accumulator `sum` of `acc`. */
static void add_products(qn_block_emitter *e, qn_value **acc, int64_t sum, qn_value *x,
                         qn_value *w) {
  const qn_block_product *p = e->p;
  if (!p->dot) {
    const qn_narrow_halves of_x = qn_narrow_signed_halves(e->b, x);
    const qn_narrow_halves of_w = qn_narrow_unsigned_halves(e->b, w);
    acc[sum] = qn_narrow_add_products(e->b, acc[sum], &of_x, &of_w);
  } else if (p->dot->sum_bits == 16) {
    e->narrow[sum] = qn_dot_build_narrow(e->b, p->dot, e->narrow[sum], w, x, p->dot_unsigned);
  } else {
    acc[sum] = qn_dot_build(e->b, p->dot, acc[sum], &(qn_factors){w, x}, 1, p->dot_unsigned);
  }
}

/* Multiplies quad `quad` of a line, which has `bytes` bytes. `x_at` is the index of x of the line.
 */
static void multiply_quad(qn_block_emitter *e, qn_value *const *lines, int64_t quad, qn_value *x_at,
                          int64_t bytes) {
  enum { SUMMED = 8 }; /* quads of two products of at most 15 * 128 whose sums fit 16 bits */
  const qn_narrow_tile *t = e->tile;
  qn_value *w[QN_NARROW_MAX_VECTORS], **acc = e->p->shifts_sums && quad == 1 ? e->high : e->acc;
  for (int64_t v = 0; v < t->vectors; v++) w[v] = quad_of(e, lines[v], quad);
  for (int64_t r = 0; r < t->rows; r++) {
    int64_t offset = r * e->p->t.rows.x_row + quad * QUAD;
    qn_value *x = qn_narrow_quad(e->b, e->x, x_at, offset, bytes, e->p->t.lanes);
    for (int64_t v = 0; v < t->vectors; v++) add_products(e, acc, r * t->vectors + v, x, w[v]);
  }
  if (++e->pending == SUMMED) flush(e);
}

static void multiply_line(qn_block_emitter *e, qn_value *line_at, qn_value *x_at, int64_t depth) {
  qn_value *lines[QN_NARROW_MAX_VECTORS];
  for (int64_t v = 0; v < e->tile->vectors; v++) lines[v] = load_row(e, line_at, 0, WORD, v);
  for (int64_t q = 0; q < qn_block_quads(depth); q++) {
    int64_t left = depth - q * QUAD;
    multiply_quad(e, lines, q, x_at, left < QUAD ? left : QUAD);
  }
}

/* Adds the sums of high halves to the accumulators. They are multiples of 16. */
static void join(qn_block_emitter *e) {
  const qn_block_product *p = e->p;
  if (!p->shifts_sums) return;
  qn_value *count = qn_vec_splat(e->b, HALF_BYTE, e->i32, p->t.lanes);
  for (int64_t i = 0; i < e->tile->rows * e->tile->vectors; i++) {
    qn_value *sum = qn_build_binary(e->b, QN_OP_ARITH_SHRSI, e->high[i], count);
    e->acc[i] = qn_build_binary(e->b, QN_OP_ARITH_ADDI, e->acc[i], sum);
  }
}

/* Opens a loop from 0 to `count` that carries a value for each sum of the tile. */
static qn_carry open_loop(qn_block_emitter *e, qn_value **values, int64_t count) {
  return qn_carry_begin(e->b, 0, count, 1, values, (uint32_t)(e->tile->rows * e->tile->vectors));
}

/* Adds the products of a block of `depth` to the accumulators. Few lines are unrolled. */
static void multiply_block(qn_block_emitter *e, qn_value *words, qn_value *x_at, int64_t depth) {
  const qn_block_product *p = e->p;
  int64_t of_line = qn_block_quads_per_line(p) * QUAD, whole = depth / of_line,
          rest = depth % of_line;
  int64_t width = e->tile->vectors * p->t.lanes;
  if (whole <= QN_BLOCK_UNROLLED) {
    for (int64_t i = 0; i < whole; i++) {
      qn_value *line = qn_index_add(e->b, words, i * width);
      multiply_line(e, line, qn_index_add(e->b, x_at, i * of_line), of_line);
    }
  } else {
    qn_carry loop = open_loop(e, e->acc, whole);
    qn_value *i = loop.index;
    qn_value *line = qn_nest_add(e->b, words, qn_index_affine(e->b, i, width, 0));
    multiply_line(e, line, qn_nest_add(e->b, x_at, qn_index_affine(e->b, i, of_line, 0)), of_line);
    flush(e);
    qn_carry_end(e->b, &loop);
  }
  if (rest > 0) {
    qn_value *line = qn_index_add(e->b, words, whole * width);
    multiply_line(e, line, qn_index_add(e->b, x_at, whole * of_line), rest);
  }
  flush(e);
  join(e);
}

/* ---- blocks ---- */

static qn_value *sum_of_row(qn_block_emitter *e, int64_t row, qn_value *block) {
  qn_value *at = qn_index_add(e->b, e->tile->row, row);
  at = qn_nest_add(e->b, qn_index_affine(e->b, at, e->p->blocks, 0), block);
  return qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->i32, QN_VALUES(e->sums, at), NULL);
}

static qn_value *zeros_of(qn_block_emitter *e, qn_value *words, int64_t depth, int64_t v) {
  int64_t before = qn_block_line_bytes(e->p, depth) + qn_block_scale_bytes(e->p);
  qn_value *bytes = qn_vec_bitcast(e->b, load_row(e, words, before, 1, v), e->i8);
  return qn_vec_cast(e->b, QN_OP_ARITH_EXTUI, bytes, e->i32);
}

static qn_value *scales_of(qn_block_emitter *e, qn_value *words, int64_t depth, int64_t v) {
  qn_value *row =
      load_row(e, words, qn_block_line_bytes(e->p, depth), qn_block_scale_bytes(e->p), v);
  if (!e->p->halves) return qn_vec_bitcast(e->b, row, e->f32);
  row = qn_vec_bitcast(e->b, row, e->i16);
  return qn_vec_cast(e->b, QN_OP_QUERN_WIDEN_HALF, row, e->f32);
}

/* Starts the accumulators of a block with -zero * sum(x). */
static void start(qn_block_emitter *e, qn_value *words, qn_value *block, int64_t depth) {
  const qn_block_product *p = e->p;
  const qn_narrow_tile *t = e->tile;
  qn_value *none = qn_vec_splat(e->b, 0, e->i32, p->t.lanes), *zeros[QN_NARROW_MAX_VECTORS];
  for (int64_t v = 0; v < t->vectors && !p->one_zero; v++) zeros[v] = zeros_of(e, words, depth, v);
  for (int64_t r = 0; r < t->rows; r++) {
    qn_value *sum = sum_of_row(e, r, block);
    if (p->one_zero)
      sum = qn_build_binary(e->b, QN_OP_ARITH_MULI, sum, qn_build_int(e->b, -p->zero, e->i32));
    sum = qn_vec_broadcast(e->b, sum, p->t.lanes);
    for (int64_t v = 0; v < t->vectors; v++) {
      qn_value *from = sum;
      if (!p->one_zero)
        from = qn_build_binary(e->b, QN_OP_ARITH_SUBI, none,
                               qn_build_binary(e->b, QN_OP_ARITH_MULI, zeros[v], sum));
      e->acc[r * t->vectors + v] = from;
      e->high[r * t->vectors + v] = none;
    }
  }
}

/* Prefetches what a later block reads. With several tiles of rows the panel is read again and
 * again, so the first reads do not matter. With few rows the weights set the pace, and the hardware
 * prefetcher alone is faster (docs/performance.md, One row). */
static void prefetch(qn_block_emitter *e, qn_value *words, int64_t depth) {
  enum { DISTANCE = 4096 };
  const qn_block_product *p = e->p;
  const qn_target *target = p->lo->target;
  if (target->prefetch_distance == 0 || p->t.rows.rows <= qn_block_few_rows(p) ||
      p->t.rows.rows > p->t.height)
    return;
  int64_t all = qn_block_words(p, e->tile->vectors, qn_block_bytes(p, depth));
  int64_t line = target->line_bytes / (int64_t)sizeof(uint32_t);
  for (int64_t i = 0; i < all; i += line)
    qn_build_0(
        e->b, QN_OP_QUERN_PREFETCH,
        QN_VALUES(e->panels, qn_index_add(e->b, words, i + DISTANCE / (int64_t)sizeof(uint32_t))),
        NULL);
}

/* Adds a block of `depth` to the results. */
static void add_block(qn_block_emitter *e, qn_value *block, int64_t depth) {
  const qn_block_product *p = e->p;
  const qn_narrow_tile *t = e->tile;
  int64_t step = qn_block_words(p, t->vectors, qn_block_bytes(p, p->block));
  qn_value *words = qn_nest_add(e->b, e->panel, qn_index_affine(e->b, block, step, 0));
  qn_value *x_at = qn_nest_add(e->b, e->x_at, qn_index_affine(e->b, block, p->block, 0));
  prefetch(e, words, depth);
  start(e, words, block, depth);
  multiply_block(e, words, x_at, depth);
  for (int64_t v = 0; v < t->vectors; v++) {
    qn_value *scale = scales_of(e, words, depth, v);
    for (int64_t r = 0; r < t->rows; r++) {
      int64_t i = r * t->vectors + v;
      qn_value *sum = qn_vec_cast(e->b, QN_OP_ARITH_SITOFP, e->acc[i], e->f32);
      e->reals[i] =
          qn_build_1(e->b, QN_OP_MATH_FMA, sum->type, QN_VALUES(sum, scale, e->reals[i]), NULL);
    }
  }
}

static qn_value *bias_of(qn_block_emitter *e, qn_value *tile_at, int64_t v) {
  if (e->bias) return qn_narrow_channels(e->b, &e->p->t, e->tile, e->bias, v);
  return e->p->has_bias ? qn_vec_bitcast(e->b, load_row(e, tile_at, 0, WORD, v), e->f32) : NULL;
}

static void finish(qn_block_emitter *e, qn_value *tile_at) {
  const qn_narrow_tile *t = e->tile;
  const qn_narrow_tiling *all = &e->p->t;
  for (int64_t v = 0; v < t->vectors; v++) {
    qn_value *bias = bias_of(e, tile_at, v);
    for (int64_t r = 0; r < t->rows; r++) {
      qn_value *at = qn_index_add(e->b, t->row, r);
      qn_value *scale = qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->f32, QN_VALUES(e->scales, at), NULL);
      scale = qn_vec_broadcast(e->b, scale, all->lanes);
      qn_value *y = e->reals[r * t->vectors + v];
      y = bias ? qn_build_1(e->b, QN_OP_MATH_FMA, y->type, QN_VALUES(y, scale, bias), NULL)
               : qn_build_binary(e->b, QN_OP_ARITH_MULF, y, scale);
      y = qn_float_activate(e->b, y, e->p->op);
      if (v == t->vectors - 1) y = qn_vec_slice(e->b, y, 0, t->valid);
      qn_vec_store(e->b, y, e->y, t->y, r * all->rows.y_row + v * all->lanes);
    }
  }
}

void qn_block_tile(void *user, const qn_narrow_tile *tile) {
  qn_block_emitter *e = user;
  const qn_block_product *p = e->p;
  e->tile = tile;
  int64_t step = qn_block_words(p, p->t.vectors, qn_block_panel_bytes(p));
  qn_value *tile_at = qn_index_affine(e->b, tile->number, step, 0);
  e->panel = qn_index_add(e->b, tile_at, qn_block_words(p, tile->vectors, p->has_bias * WORD));
  qn_value *first = qn_build_index(e->b, 0);
  e->x_at = qn_narrow_run_at(e->b, &p->t, tile, first);
  const qn_type *reals = qn_type_vec(p->lo->cx, e->f32, p->t.lanes);
  for (int64_t i = 0; i < tile->rows * tile->vectors; i++)
    e->reals[i] = qn_build_float(e->b, 0, reals);
  int64_t whole = p->depth / p->block;
  if (whole > 0) {
    qn_carry loop = open_loop(e, e->reals, whole);
    add_block(e, loop.index, p->block);
    qn_carry_end(e->b, &loop);
  }
  if (whole < p->blocks) add_block(e, qn_build_index(e->b, whole), qn_block_depth(p, whole));
  finish(e, tile_at);
}

/* The kernel of ml.block_linear: in each block of K a sum of byte products, which is scaled and
 * added to the result while it is in registers. A lane is a channel, so that the order of the float
 * sums depends neither on the width of vectors nor on the number of rows.
 *
 *   panels[tile]: bias[vector][lane] if it is constant; then of each block
 *     lines[line][vector][lane]   a word: four weights of 8 bits, or eight of 4 bits
 *     scales[vector][lane]        f16 or f32
 *     zeros[vector][lane]         u8, if zero points differ
 *
 * The first four of eight weights are the low halves of the bytes. Scales are f16 if all
 * of them are values of f16 and the level converts f16. So a tile reads one stream. A block of x
 * and w adds `x * w - zero * sum(x)`, where the sums are an operand. Weights are unsigned and x is
 * signed, the reverse of other byte products here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/types/float_format.h"
#include "lower/loops/matrix/floats.h"
#include "lower/loops/narrow/quads.h"
#include "lower/loops/narrow/tiles.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

enum { X, SCALES, SUMS, WEIGHTS, WEIGHT_SCALES, WEIGHT_ZEROS, BIAS };
enum { QUAD = QN_NARROW_QUAD, HALF_BYTE = 4, BYTE = 8, WORD = sizeof(uint32_t) };
enum { UNROLLED = 16 }; /* most lines of a block whose code is unrolled */

typedef struct product {
  qn_loops *lo;
  const qn_op *op;
  qn_narrow_tiling t;
  int64_t depth, block, blocks; /* K; k of a block; number of blocks */
  int64_t bits;                 /* of a packed weight: 4 or 8 */
  bool halves;                  /* scales are f16 */
  bool one_zero, has_bias;      /* all zero points are `zero`; the bias is in the panels */
  int64_t zero;
  const qn_dot *dot; /* byte product; NULL: products of 16 bits */
  bool dot_unsigned; /* signedness of the weights in that product */
  bool shifts_sums;  /* high halves are multiplied in place, and their sums are shifted */
} product;

typedef struct emitter {
  const product *p;
  qn_builder *b;
  const qn_type *i8, *i16, *i32, *f32;
  qn_value *x, *scales, *sums, *panels, *bias, *y;
  const qn_narrow_tile *tile;
  qn_value *panel, *x_at; /* first word of the tile's blocks; first byte of its rows */
  qn_value *reals[QN_NARROW_MAX_SUMS], *acc[QN_NARROW_MAX_SUMS];
  qn_value *high[QN_NARROW_MAX_SUMS];   /* if p->shifts_sums: 16 times the sums of high halves */
  qn_value *narrow[QN_NARROW_MAX_SUMS]; /* sums of 16 bits; NULL: none yet */
  int64_t pending;                      /* quads in `narrow` */
} emitter;

/* Whether byte products are summed in 32 bits at once. */
static bool is_exact(const product *p) { return p->dot && qn_dot_is_exact(p->dot); }
/* Rows up to which the arrival of weights sets the pace, as in other products. */
static int64_t few_rows(const product *p) { return is_exact(p) ? 2 : 1; }

/* ---- layout ---- */

static int64_t depth_of(const product *p, int64_t block) {
  int64_t left = p->depth - block * p->block;
  return left < p->block ? left : p->block;
}
static int64_t quads_of(int64_t depth) { return (depth + QUAD - 1) / QUAD; }
static int64_t quads_per_line(const product *p) { return BYTE / p->bits; }
static int64_t lines_of(const product *p, int64_t depth) {
  int64_t per_line = quads_per_line(p);
  return (quads_of(depth) + per_line - 1) / per_line;
}
static int64_t scale_bytes(const product *p) {
  return (int64_t)(p->halves ? sizeof(uint16_t) : sizeof(float));
}
/* Bytes per channel: of the lines of a block of `depth`, of the block, of all blocks. */
static int64_t line_bytes(const product *p, int64_t depth) { return lines_of(p, depth) * WORD; }
static int64_t block_bytes(const product *p, int64_t depth) {
  return line_bytes(p, depth) + scale_bytes(p) + !p->one_zero;
}
static int64_t panel_bytes(const product *p) {
  return p->has_bias * WORD + (p->blocks - 1) * block_bytes(p, p->block) +
         block_bytes(p, depth_of(p, p->blocks - 1));
}
/* Words of rows of `bytes` per channel, in a tile of `vectors`. Lanes are a multiple of four. */
static int64_t words_of(const product *p, int64_t vectors, int64_t bytes) {
  return bytes * vectors * p->t.lanes / WORD;
}

/* ---- constants ---- */

/* A channel of the panels: its tile, its number in it, and the channels of the tile. */
typedef struct place {
  uint8_t *tile;
  int64_t number, width;
} place;
static place place_of(const product *p, int64_t channel, uint8_t *panels) {
  const qn_narrow_tiling *t = &p->t;
  int64_t vector = channel / t->lanes, before = vector / t->vectors * t->vectors;
  return (place){.tile = panels + before * t->lanes * panel_bytes(p),
                 .number = channel - before * t->lanes,
                 .width = qn_narrow_vectors_from(t, before) * t->lanes};
}
/* The channel's element of `size` bytes, in the row that `before` bytes per channel precede. */
static uint8_t *element_of(const place *at, int64_t before, int64_t size) {
  return at->tile + before * at->width + at->number * size;
}

static void pack_float(const place *at, int64_t before, double value, bool half) {
  const float number = (float)value;
  if (half) {
    const uint16_t bits = (uint16_t)qn_float_encode(QN_F16, value);
    memcpy(element_of(at, before, sizeof bits), &bits, sizeof bits);
  } else {
    memcpy(element_of(at, before, sizeof number), &number, sizeof number);
  }
}

static void pack_channel(const product *p, const qn_attr *const payloads[], int64_t channel,
                         uint8_t *panels) {
  const place at = place_of(p, channel, panels);
  if (p->has_bias) pack_float(&at, 0, qn_dense_float(payloads[BIAS], channel), false);
  for (int64_t b = 0, before = p->has_bias * WORD; b < p->blocks; b++) {
    int64_t depth = depth_of(p, b), per_line = quads_per_line(p), grid = channel * p->blocks + b;
    for (int64_t k = 0; k < depth; k++) {
      int64_t quad = k / QUAD, shift = quad % per_line * HALF_BYTE;
      int64_t w = qn_dense_int(payloads[WEIGHTS], channel * p->depth + b * p->block + k);
      uint8_t *word = element_of(&at, before + quad / per_line * WORD, WORD);
      word[k % QUAD] |= (uint8_t)((uint8_t)w << shift);
    }
    before += line_bytes(p, depth);
    pack_float(&at, before, qn_dense_float(payloads[WEIGHT_SCALES], grid), p->halves);
    before += scale_bytes(p);
    if (p->one_zero) continue;
    *element_of(&at, before++, 1) = (uint8_t)qn_dense_int(payloads[WEIGHT_ZEROS], grid);
  }
}

static qn_bytes pack(const product *p) {
  const qn_attr *payloads[BIAS + 1] = {NULL};
  for (uint32_t i = WEIGHTS; i < BIAS + (uint32_t)p->has_bias; i++)
    payloads[i] = qn_loops_payload(p->op, i);
  size_t size = (size_t)(qn_narrow_vectors(&p->t) * p->t.lanes * panel_bytes(p));
  uint32_t *words = QN_NEW_ARRAY(p->lo->scratch, size / WORD, uint32_t);
  for (int64_t c = 0; c < p->t.channels; c++) pack_channel(p, payloads, c, (uint8_t *)words);
  return (qn_bytes){(const uint8_t *)words, size};
}

/* ---- products ---- */

/* Vector `v` of the row that `before` bytes per channel precede: `size` bytes per lane. */
static qn_value *load_row(emitter *e, qn_value *at, int64_t before, int64_t size, int64_t v) {
  const product *p = e->p;
  int64_t words = words_of(p, 1, size);
  int64_t offset = words_of(p, e->tile->vectors, before) + v * words;
  return qn_vec_load(e->b, e->panels, at, offset, words);
}

/* Weights of a line as bytes: all of 8 bits, or the low or high halves of bytes. */
static qn_value *masked(emitter *e, qn_value *line, uint32_t mask) {
  const product *p = e->p;
  mask *= 0x01010101;
  line = qn_build_binary(e->b, QN_OP_ARITH_ANDI, line,
                         qn_vec_splat(e->b, (int32_t)mask, e->i32, p->t.lanes));
  return qn_vec_bitcast(e->b, line, e->i8);
}
static qn_value *quad_of(emitter *e, qn_value *line, int64_t which) {
  const product *p = e->p;
  enum { LOW = 0x0f, HIGH = 0xf0 };
  if (p->bits == BYTE) return qn_vec_bitcast(e->b, line, e->i8);
  if (which == 0) return masked(e, line, LOW);
  if (p->shifts_sums) return masked(e, line, HIGH);
  line = qn_build_binary(e->b, QN_OP_ARITH_SHRUI, line,
                         qn_vec_splat(e->b, HALF_BYTE, e->i32, p->t.lanes));
  return masked(e, line, LOW);
}

/* Adds what is in sums of 16 bits to the accumulators. */
static void flush(emitter *e) {
  for (int64_t i = 0; i < e->tile->rows * e->tile->vectors; i++) {
    if (e->narrow[i]) e->acc[i] = qn_dot_add_narrow(e->b, e->p->dot, e->acc[i], e->narrow[i]);
    e->narrow[i] = NULL;
  }
  e->pending = 0;
}

/* Adds products to accumulator `sum` of `acc`. */
static void add_products(emitter *e, qn_value **acc, int64_t sum, qn_value *x, qn_value *w) {
  const product *p = e->p;
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
static void multiply_quad(emitter *e, qn_value *const *lines, int64_t quad, qn_value *x_at,
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

static void multiply_line(emitter *e, qn_value *line_at, qn_value *x_at, int64_t depth) {
  qn_value *lines[QN_NARROW_MAX_VECTORS];
  for (int64_t v = 0; v < e->tile->vectors; v++) lines[v] = load_row(e, line_at, 0, WORD, v);
  for (int64_t q = 0; q < quads_of(depth); q++) {
    int64_t left = depth - q * QUAD;
    multiply_quad(e, lines, q, x_at, left < QUAD ? left : QUAD);
  }
}

/* Adds the sums of high halves to the accumulators. They are multiples of 16. */
static void join(emitter *e) {
  const product *p = e->p;
  if (!p->shifts_sums) return;
  qn_value *count = qn_vec_splat(e->b, HALF_BYTE, e->i32, p->t.lanes);
  for (int64_t i = 0; i < e->tile->rows * e->tile->vectors; i++) {
    qn_value *sum = qn_build_binary(e->b, QN_OP_ARITH_SHRSI, e->high[i], count);
    e->acc[i] = qn_build_binary(e->b, QN_OP_ARITH_ADDI, e->acc[i], sum);
  }
}

static void carry(emitter *e, qn_value **values, int64_t count, qn_op **out_loop) {
  uint32_t sums = (uint32_t)(e->tile->rows * e->tile->vectors);
  *out_loop = qn_nest_carry(e->b, 0, count, 1, values, sums);
  for (uint32_t i = 0; i < sums; i++) values[i] = qn_op_body(*out_loop)->args[1 + i];
}
static void carried(emitter *e, qn_value **values, qn_op *loop) {
  uint32_t sums = (uint32_t)(e->tile->rows * e->tile->vectors);
  qn_build_yield(e->b, values, sums);
  for (uint32_t i = 0; i < sums; i++) values[i] = qn_op_result(loop, i);
}

/* Adds the products of a block of `depth` to the accumulators. Few lines are unrolled. */
static void multiply_block(emitter *e, qn_value *words, qn_value *x_at, int64_t depth) {
  const product *p = e->p;
  int64_t of_line = quads_per_line(p) * QUAD, whole = depth / of_line, rest = depth % of_line;
  int64_t width = e->tile->vectors * p->t.lanes;
  if (whole <= UNROLLED) {
    for (int64_t i = 0; i < whole; i++) {
      qn_value *line = qn_index_add(e->b, words, i * width);
      multiply_line(e, line, qn_index_add(e->b, x_at, i * of_line), of_line);
    }
  } else {
    qn_op *loop;
    carry(e, e->acc, whole, &loop);
    qn_value *i = qn_op_body(loop)->args[0];
    qn_value *line = qn_nest_add(e->b, words, qn_index_affine(e->b, i, width, 0));
    multiply_line(e, line, qn_nest_add(e->b, x_at, qn_index_affine(e->b, i, of_line, 0)), of_line);
    flush(e);
    carried(e, e->acc, loop);
  }
  if (rest > 0) {
    qn_value *line = qn_index_add(e->b, words, whole * width);
    multiply_line(e, line, qn_index_add(e->b, x_at, whole * of_line), rest);
  }
  flush(e);
  join(e);
}

/* ---- blocks ---- */

static qn_value *sum_of_row(emitter *e, int64_t row, qn_value *block) {
  qn_value *at = qn_index_add(e->b, e->tile->row, row);
  at = qn_nest_add(e->b, qn_index_affine(e->b, at, e->p->blocks, 0), block);
  return qn_build_1(e->b, QN_OP_MEMREF_LOAD, e->i32, QN_VALUES(e->sums, at), NULL);
}

static qn_value *zeros_of(emitter *e, qn_value *words, int64_t depth, int64_t v) {
  int64_t before = line_bytes(e->p, depth) + scale_bytes(e->p);
  qn_value *bytes = qn_vec_bitcast(e->b, load_row(e, words, before, 1, v), e->i8);
  return qn_vec_cast(e->b, QN_OP_ARITH_EXTUI, bytes, e->i32);
}

static qn_value *scales_of(emitter *e, qn_value *words, int64_t depth, int64_t v) {
  qn_value *row = load_row(e, words, line_bytes(e->p, depth), scale_bytes(e->p), v);
  if (!e->p->halves) return qn_vec_bitcast(e->b, row, e->f32);
  row = qn_vec_bitcast(e->b, row, e->i16);
  return qn_vec_cast(e->b, QN_OP_QUERN_WIDEN_HALF, row, e->f32);
}

/* Starts the accumulators of a block with -zero * sum(x). */
static void start(emitter *e, qn_value *words, qn_value *block, int64_t depth) {
  const product *p = e->p;
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
static void prefetch(emitter *e, qn_value *words, int64_t depth) {
  enum { DISTANCE = 4096 };
  const product *p = e->p;
  const qn_target *target = p->lo->target;
  if (target->prefetch_distance == 0 || p->t.rows.rows <= few_rows(p) ||
      p->t.rows.rows > p->t.height)
    return;
  int64_t all = words_of(p, e->tile->vectors, block_bytes(p, depth));
  int64_t line = target->line_bytes / (int64_t)sizeof(uint32_t);
  for (int64_t i = 0; i < all; i += line)
    qn_build_0(
        e->b, QN_OP_QUERN_PREFETCH,
        QN_VALUES(e->panels, qn_index_add(e->b, words, i + DISTANCE / (int64_t)sizeof(uint32_t))),
        NULL);
}

/* Adds a block of `depth` to the results. */
static void add_block(emitter *e, qn_value *block, int64_t depth) {
  const product *p = e->p;
  const qn_narrow_tile *t = e->tile;
  int64_t step = words_of(p, t->vectors, block_bytes(p, p->block));
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

static qn_value *bias_of(emitter *e, qn_value *tile_at, int64_t v) {
  if (e->bias) return qn_narrow_channels(e->b, &e->p->t, e->tile, e->bias, v);
  return e->p->has_bias ? qn_vec_bitcast(e->b, load_row(e, tile_at, 0, WORD, v), e->f32) : NULL;
}

static void finish(emitter *e, qn_value *tile_at) {
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

static void build_tile(void *user, const qn_narrow_tile *tile) {
  emitter *e = user;
  const product *p = e->p;
  e->tile = tile;
  int64_t step = words_of(p, p->t.vectors, panel_bytes(p));
  qn_value *tile_at = qn_index_affine(e->b, tile->number, step, 0);
  e->panel = qn_index_add(e->b, tile_at, words_of(p, tile->vectors, p->has_bias * WORD));
  qn_value *first = qn_build_index(e->b, 0);
  e->x_at = qn_narrow_run_at(e->b, &p->t, tile, first);
  const qn_type *reals = qn_type_vec(p->lo->cx, e->f32, p->t.lanes);
  for (int64_t i = 0; i < tile->rows * tile->vectors; i++)
    e->reals[i] = qn_build_float(e->b, 0, reals);
  int64_t whole = p->depth / p->block;
  if (whole > 0) {
    qn_op *loop;
    carry(e, e->reals, whole, &loop);
    add_block(e, qn_op_body(loop)->args[0], p->block);
    carried(e, e->reals, loop);
  }
  if (whole < p->blocks) add_block(e, qn_build_index(e->b, whole), depth_of(p, whole));
  finish(e, tile_at);
}

/* ---- the plan ---- */

/* The level's byte product of the weights as the first factor; NULL if it is not exact for them.
 * Weights of 4 bits are the same with and without sign, and eight pairs of products with i8 fit 16
 * bits. */
static const qn_dot *dot_of(const qn_target *target, int64_t bits, bool *out_unsigned) {
  const qn_dot *dot = target->dot;
  *out_unsigned = dot && qn_dot_takes(dot, true);
  if (!dot || dot->bytes != 1 || dot->block != 1 || qn_dot_run(dot) != QUAD || dot->single ||
      qn_dot_is_grouped(dot) || !(dot->w & QN_TAKES_SIGNED))
    return NULL;
  bool exact = qn_dot_is_exact(dot) ? *out_unsigned || bits == HALF_BYTE : bits == HALF_BYTE;
  return exact ? dot : NULL;
}

static void read_zeros(product *p) {
  const qn_attr *zeros = qn_loops_payload(p->op, WEIGHT_ZEROS);
  p->zero = (uint8_t)qn_dense_int(zeros, 0);
  p->one_zero = true;
  for (int64_t i = 1; p->one_zero && i < p->t.channels * p->blocks; i++)
    p->one_zero = (uint8_t)qn_dense_int(zeros, i) == p->zero;
}

static bool are_halves(const qn_attr *scales, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    double scale = qn_dense_float(scales, i);
    if (!(qn_float_round(QN_F16, scale) == scale)) return false; /* also a NaN */
  }
  return true;
}

static int64_t bits_needed(const qn_attr *weights, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if ((uint8_t)qn_dense_int(weights, i) >> HALF_BYTE) return BYTE;
  return HALF_BYTE;
}

/* One row leaves registers for many channels, whose chains hide the latency; more rows share the
 * unpacked weights. An exact byte product needs no registers but accumulators and results. */
static void choose_tiles(product *p) {
  bool many = p->lo->target->vector_registers == 32;
  int64_t rows = p->t.rows.rows, most = !many ? 2 : is_exact(p) ? 6 : 4;
  p->t.vectors = many && rows <= few_rows(p) ? 4 : 2;
  int64_t passes = (rows + most - 1) / most;
  p->t.height = rows == 1 ? 1 : (rows + passes - 1) / passes;
  qn_narrow_fit(&p->t);
}

/* Whether the byte product of weights times 16 is exact, and shifting the sums is cheaper than
 * shifting the weights: a row has a sum per vector, and a block at least two vectors of weights. A
 * sum is at most 2^15 * 240 * 128. */
static bool can_shift_sums(const product *p) {
  int64_t lines = lines_of(p, p->block);
  return p->bits == HALF_BYTE && is_exact(p) && p->dot_unsigned && p->t.rows.rows == 1 &&
         lines >= 2 && lines <= UNROLLED;
}

static product product_of(qn_loops *lo, const qn_op *op) {
  const int64_t *w = qn_op_operand(op, WEIGHTS)->type->shaped.dims;
  product p = {.lo = lo, .op = op, .depth = w[1], .block = qn_op_block(op)};
  if (p.block > p.depth) p.block = p.depth;
  p.blocks = (p.depth + p.block - 1) / p.block;
  p.t.channels = w[0];
  p.t.lanes = lo->target->vector_bytes / (int64_t)sizeof(float);
  p.t.rows = qn_narrow_rows_of_linear(lo, op, p.depth, p.t.channels);
  p.bits = bits_needed(qn_loops_payload(op, WEIGHTS), p.t.channels * p.depth);
  p.dot = dot_of(lo->target, p.bits, &p.dot_unsigned);
  p.has_bias = op->operand_count > BIAS && qn_value_constant(qn_op_operand(op, BIAS));
  p.halves = lo->target->halves &&
             are_halves(qn_loops_payload(op, WEIGHT_SCALES), p.t.channels * p.blocks);
  read_zeros(&p);
  choose_tiles(&p);
  p.shifts_sums = can_shift_sums(&p);
  return p;
}

static qn_status reject(qn_loops *lo, const qn_op *op, const char *what) {
  return qn_error(&lo->cx->diag, op->loc, QN_UNSUPPORTED, "no schedule for '%.*s': %s",
                  QN_STR_ARG(op->name), what);
}

static qn_status lower_blocks(qn_loops *lo, qn_op *op) {
  enum { PANELS = WEIGHTS, Y, GIVEN_BIAS, COUNT };
  for (uint32_t i = WEIGHTS; i <= WEIGHT_ZEROS; i++)
    if (!qn_value_constant(qn_op_operand(op, i)))
      return reject(lo, op, "its weights, their scales and zero points must be constants");
  const product p = product_of(lo, op);
  if (qn_narrow_vectors(&p.t) * p.t.lanes > INT32_MAX / panel_bytes(&p))
    return reject(lo, op, "its packed weights exceed 2 GiB");
  bool computed = op->operand_count > BIAS && !p.has_bias;
  const qn_bytes words = pack(&p);
  const qn_type *i32 = qn_type_i(lo->cx, 32);
  qn_value *buffers[COUNT];
  for (uint32_t i = X; i <= SUMS; i++) buffers[i] = qn_loops_buffer(lo, qn_op_operand(op, i));
  buffers[PANELS] = qn_loops_constant(lo, i32, words);
  buffers[Y] = qn_loops_buffer(lo, &op->results[0]);
  if (computed) buffers[GIVEN_BIAS] = qn_loops_buffer(lo, qn_op_operand(op, BIAS));
  qn_kernel k = qn_kernel_begin(lo, "blocks", op, buffers, computed ? COUNT : GIVEN_BIAS);
  emitter e = {.p = &p,
               .b = &k.b,
               .i8 = qn_type_i(lo->cx, 8),
               .i16 = qn_type_i(lo->cx, 16),
               .i32 = i32,
               .f32 = qn_type_float(lo->cx, QN_F32),
               .x = k.args[X],
               .scales = k.args[SCALES],
               .sums = k.args[SUMS],
               .panels = k.args[PANELS],
               .bias = computed ? k.args[GIVEN_BIAS] : NULL,
               .y = k.args[Y]};
  qn_narrow_build(&k, &p.t, (int64_t)words.size, build_tile, &e);
  return QN_OK;
}

const qn_schedule qn_schedule_ml_block_linear = {.lower = lower_blocks};

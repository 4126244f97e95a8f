/* ml.block_linear: in each block of K a sum of byte products, which is scaled and
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
 * Internal to blocks.c and block_tiles.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_BLOCKS_H
#define QN_LOWER_LOOPS_NARROW_BLOCKS_H

#include "lower/loops/narrow/quads.h"
#include "lower/loops/narrow/tiles.h"
#include "lower/loops/products.h"

enum { QN_BLOCK_WORD = sizeof(uint32_t) };
enum { QN_BLOCK_UNROLLED = 16 }; /* most lines of a block whose code is unrolled */

typedef struct qn_block_product {
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
} qn_block_product;

typedef struct qn_block_emitter {
  const qn_block_product *p;
  qn_builder *b;
  const qn_type *i8, *i16, *i32, *f32;
  qn_value *x, *scales, *sums, *panels, *bias, *y;
  const qn_narrow_tile *tile;
  qn_value *panel, *x_at; /* first word of the tile's blocks; first byte of its rows */
  qn_value *reals[QN_NARROW_MAX_SUMS], *acc[QN_NARROW_MAX_SUMS];
  qn_value *high[QN_NARROW_MAX_SUMS];   /* if p->shifts_sums: 16 times the sums of high halves */
  qn_value *narrow[QN_NARROW_MAX_SUMS]; /* sums of 16 bits; NULL: none yet */
  int64_t pending;                      /* quads in `narrow` */
} qn_block_emitter;

/* Whether byte products are summed in 32 bits at once. */
static inline bool qn_block_is_exact(const qn_block_product *p) {
  return p->dot && qn_dot_is_exact(p->dot);
}
/* Rows up to which the arrival of weights sets the pace, as in other products. */
static inline int64_t qn_block_few_rows(const qn_block_product *p) {
  return qn_block_is_exact(p) ? 2 : 1;
}

/* ---- layout ---- */

static inline int64_t qn_block_depth(const qn_block_product *p, int64_t block) {
  int64_t left = p->depth - block * p->block;
  return left < p->block ? left : p->block;
}
static inline int64_t qn_block_quads(int64_t depth) {
  return (depth + QN_NARROW_QUAD - 1) / QN_NARROW_QUAD;
}
static inline int64_t qn_block_quads_per_line(const qn_block_product *p) {
  enum { BYTE = 8 };
  return BYTE / p->bits;
}
static inline int64_t qn_block_lines(const qn_block_product *p, int64_t depth) {
  int64_t per_line = qn_block_quads_per_line(p);
  return (qn_block_quads(depth) + per_line - 1) / per_line;
}
static inline int64_t qn_block_scale_bytes(const qn_block_product *p) {
  return (int64_t)(p->halves ? sizeof(uint16_t) : sizeof(float));
}
/* Bytes per channel: of the lines of a block of `depth`, of the block, of all blocks. */
static inline int64_t qn_block_line_bytes(const qn_block_product *p, int64_t depth) {
  return qn_block_lines(p, depth) * QN_BLOCK_WORD;
}
static inline int64_t qn_block_bytes(const qn_block_product *p, int64_t depth) {
  return qn_block_line_bytes(p, depth) + qn_block_scale_bytes(p) + !p->one_zero;
}
static inline int64_t qn_block_panel_bytes(const qn_block_product *p) {
  return p->has_bias * QN_BLOCK_WORD + (p->blocks - 1) * qn_block_bytes(p, p->block) +
         qn_block_bytes(p, qn_block_depth(p, p->blocks - 1));
}
/* Words of rows of `bytes` per channel, in a tile of `vectors`. Lanes are a multiple of four. */
static inline int64_t qn_block_words(const qn_block_product *p, int64_t vectors, int64_t bytes) {
  return bytes * vectors * p->t.lanes / QN_BLOCK_WORD;
}

/* Emits a register tile of the emitter `user`. */
void qn_block_tile(void *user, const qn_narrow_tile *tile);

#endif

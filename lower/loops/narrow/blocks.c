/* The kernel of ml.block_linear: its plan and its constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/blocks.h"

#include <string.h>

#include "ir/types/float_format.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

enum { X, SCALES, SUMS, WEIGHTS, WEIGHT_SCALES, WEIGHT_ZEROS, BIAS };
enum { QUAD = QN_NARROW_QUAD, HALF_BYTE = 4, BYTE = 8, WORD = QN_BLOCK_WORD };

/* ---- constants ---- */

/* A channel of the panels: its tile, its number in it, and the channels of the tile. */
typedef struct place {
  uint8_t *tile;
  int64_t number, width;
} place;
static place place_of(const qn_block_product *p, int64_t channel, uint8_t *panels) {
  const qn_narrow_tiling *t = &p->t;
  int64_t vector = channel / t->lanes, before = vector / t->vectors * t->vectors;
  return (place){.tile = panels + before * t->lanes * qn_block_panel_bytes(p),
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

static void pack_channel(const qn_block_product *p, const qn_attr *const payloads[],
                         int64_t channel, uint8_t *panels) {
  const place at = place_of(p, channel, panels);
  if (p->has_bias) pack_float(&at, 0, qn_dense_float(payloads[BIAS], channel), false);
  for (int64_t b = 0, before = p->has_bias * WORD; b < p->blocks; b++) {
    int64_t depth = qn_block_depth(p, b), per_line = qn_block_quads_per_line(p),
            grid = channel * p->blocks + b;
    for (int64_t k = 0; k < depth; k++) {
      int64_t quad = k / QUAD, shift = quad % per_line * HALF_BYTE;
      int64_t w = qn_dense_int(payloads[WEIGHTS], channel * p->depth + b * p->block + k);
      uint8_t *word = element_of(&at, before + quad / per_line * WORD, WORD);
      word[k % QUAD] |= (uint8_t)((uint8_t)w << shift);
    }
    before += qn_block_line_bytes(p, depth);
    pack_float(&at, before, qn_dense_float(payloads[WEIGHT_SCALES], grid), p->halves);
    before += qn_block_scale_bytes(p);
    if (p->one_zero) continue;
    *element_of(&at, before++, 1) = (uint8_t)qn_dense_int(payloads[WEIGHT_ZEROS], grid);
  }
}

static qn_bytes pack(const qn_block_product *p) {
  const qn_attr *payloads[BIAS + 1] = {NULL};
  for (uint32_t i = WEIGHTS; i < BIAS + (uint32_t)p->has_bias; i++)
    payloads[i] = qn_loops_payload(p->op, i);
  size_t size = (size_t)(qn_narrow_vectors(&p->t) * p->t.lanes * qn_block_panel_bytes(p));
  uint32_t *words = QN_NEW_ARRAY(p->lo->scratch, size / WORD, uint32_t);
  for (int64_t c = 0; c < p->t.channels; c++) pack_channel(p, payloads, c, (uint8_t *)words);
  return (qn_bytes){(const uint8_t *)words, size};
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

static void read_zeros(qn_block_product *p) {
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
static void choose_tiles(qn_block_product *p) {
  bool many = p->lo->target->vector_registers == 32;
  int64_t rows = p->t.rows.rows, most = !many ? 2 : qn_block_is_exact(p) ? 6 : 4;
  p->t.vectors = many && rows <= qn_block_few_rows(p) ? 4 : 2;
  int64_t passes = (rows + most - 1) / most;
  p->t.height = rows == 1 ? 1 : (rows + passes - 1) / passes;
  qn_narrow_fit(&p->t);
}

/* Whether the byte product of weights times 16 is exact, and shifting the sums is cheaper than
 * shifting the weights: a row has a sum per vector, and a block at least two vectors of weights. A
 * sum is at most 2^15 * 240 * 128. */
static bool can_shift_sums(const qn_block_product *p) {
  int64_t lines = qn_block_lines(p, p->block);
  return p->bits == HALF_BYTE && qn_block_is_exact(p) && p->dot_unsigned && p->t.rows.rows == 1 &&
         lines >= 2 && lines <= QN_BLOCK_UNROLLED;
}

static qn_block_product product_of(qn_loops *lo, const qn_op *op) {
  const int64_t *w = qn_op_operand(op, WEIGHTS)->type->shaped.dims;
  qn_block_product p = {.lo = lo, .op = op, .depth = w[1], .block = qn_op_block(op)};
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
  const qn_block_product p = product_of(lo, op);
  if (qn_narrow_vectors(&p.t) * p.t.lanes > INT32_MAX / qn_block_panel_bytes(&p))
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
  qn_block_emitter e = {.p = &p,
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
  qn_narrow_build(&k, &p.t, (int64_t)words.size, qn_block_tile, &e);
  return QN_OK;
}

const qn_schedule qn_schedule_ml_block_linear = {.lower = lower_blocks};

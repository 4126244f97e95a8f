/* Depthwise convolution with channel multiplier 1: vectors run over channels.
 *
 * The bytes of several taps are interleaved, so that one instruction multiplies and adds them:
 * four taps with byte dot products, else two taps extended to 16 bits. Channels are cut into blocks
 * of one to four accumulator vectors; the last block overlaps the one before it rather than leaving
 * the tensor, and stores only what is new.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_DEPTHWISE_H
#define QN_LOWER_LOOPS_DEPTHWISE_H

#include "lower/loops/conv.h"
#include "lower/loops/pack.h"
#include "lower/loops/requant.h"

/* One tap, or the rest of one whose weights exceed what an instruction takes. */
typedef struct qn_depthwise_tap {
  int64_t offset;         /* in x, from the pixel's first tap */
  const int32_t *weights; /* [channel] */
} qn_depthwise_tap;

typedef struct qn_depthwise_block {
  int64_t channel; /* first one of the vectors */
  int64_t width;   /* channels of the vectors */
  int64_t skip;    /* leading channels that are already stored */
  int64_t valid;   /* channels up to the end, at most width */
  qn_epilogue_kind kind;
} qn_depthwise_block;

typedef struct qn_depthwise {
  qn_op *op;
  qn_conv_shape shape;
  const qn_weights *weights;
  const qn_epilogue *epilogue;
  bool bytes;        /* byte dot products of four taps, else 16-bit products of two */
  uint32_t group;    /* taps per product: 4 or 2; also accumulator vectors of a block */
  qn_depthwise_tap *taps; /* a multiple of `group` */
  uint32_t tap_count;
  qn_depthwise_block *blocks; /* in the order of processing */
  uint32_t block_count;
  qn_byte_array packed; /* [block][group of taps][vector][lane][tap]: s8 or i16 */
  qn_i32_array params, channels, offsets;
} qn_depthwise;

/* Cuts channels and taps and packs the constants (depthwise_plan.c). */
void qn_depthwise_plan(qn_loops *lo, qn_op *op, const qn_weights *weights,
                       const qn_epilogue *epilogue, qn_depthwise *out_plan);
void qn_depthwise_deinit(qn_depthwise *plan);

#endif

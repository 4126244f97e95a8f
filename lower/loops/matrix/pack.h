/* Packs the weights of a matrix product at compile time, in the order in which the kernel reads
 * them.
 *
 * A quad is 4 consecutive bytes of x along K, at a fixed offset from a pixel's base (KR = 4). A
 * kernel multiplies it with 4 weights of every output channel. Quads cover the bytes of a pixel
 * that have a weight (taps), and never leave the tensor. A quad may contain bytes that another quad
 * covers or that have no weight; their weights in this quad are 0.
 *
 * Weights that a factor cannot hold (beyond 8 bits; for groups of several bytes also -128) are
 * split into several quads at the same offset. Where products saturate, the products of two
 * neighbouring bytes are added in 16 bits; steps.h finds which quads can be added together, and
 * which bytes must be complemented, so that no sum saturates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PACK_H
#define QN_LOWER_LOOPS_PACK_H

#include "base/array.h"
#include "lower/loops/matrix/steps/steps.h"
#include "lower/loops/matrix/weights.h"

typedef struct qn_quad_taps {
  int64_t offset;
  int32_t taps[QN_QUAD]; /* [byte] index of its weight; -1 if none */
} qn_quad_taps;

/* Covers `taps` (ascending byte offsets) with quads inside of [0, extent). Writes at most `count`
 * quads and returns their number. *out_bytes: bytes per quad, less than 4 only if extent is. */
uint32_t qn_quads_cover(const int64_t *taps, int64_t count, int64_t extent, qn_quad_taps *out_quads,
                        int64_t *out_bytes);

/* As qn_quads_cover, with pairs of consecutive quads; extent is at least 8. Writes at most 2 *
 * count quads. */
uint32_t qn_quads_cover_by_pairs(const int64_t *taps, int64_t count, int64_t extent,
                                 qn_quad_taps *out_quads);

/* Moves quads that form runs of `each` contiguous quads to the front; returns the number of runs.
 */
uint32_t qn_quads_form_runs(qn_quad_taps *quads, uint32_t count, uint32_t each, qn_arena *scratch);

typedef QN_ARRAY(uint8_t) qn_byte_array;
typedef QN_ARRAY(int32_t) qn_i32_array;

/* Inputs of packing that all panels of an op share. */
typedef struct qn_packing {
  const qn_dot *dot;
  int64_t lanes; /* i32 lanes of a vector */
  const qn_weights *weights;
  const qn_quad_taps *quads;
  uint32_t quad_count;
  qn_arena *scratch;
  bool bandwidth_bound; /* M is so small that loading weights bounds the product */
} qn_packing;

/* The packed weights of one N tile, one K step after another. A step is a mask, if all vectors
 * share one, then the vectors of each quad (lanes * 4 bytes), each followed by its own mask if
 * masks differ. 16-bit weights and single bytes have one row of lanes * qn_dot_run weights in
 * `vectors` vectors after the other: per quad two rows of pairs, or four rows of single weights. */
typedef struct qn_panel {
  uint32_t steps[QN_STEP_KINDS];
} qn_panel;

/* Bytes of one plain step. */
int64_t qn_panel_quad_bytes(const qn_packing *packing, uint32_t vectors);

/* Whether permuting the channels of a tile saves time. The kernel must then restore the order,
 * which requires results that fill whole 128 bits. */
bool qn_panel_asks_for_order(const qn_packing *packing, uint32_t vectors, int64_t valid);
/* Permutes channels[vectors * lanes]. out_inverse[i], of as many bytes: the byte position, within
 * its 128 bits, of the result that the kernel produces in byte i. */
void qn_panel_order(const qn_packing *packing, int64_t *channels, uint32_t vectors,
                    uint8_t *out_inverse);

/* Appends the panel of vectors * lanes channels (-1: padding) to `bytes`, and the byte offset of
 * each quad, in step order, to `offsets`. out_start[i]: initial accumulator of channels[i], the
 * bias plus zero-point and mask compensation, mod 2^32. */
qn_panel qn_panel_pack(const qn_packing *packing, const int64_t *channels, uint32_t vectors,
                       qn_byte_array *bytes, qn_i32_array *offsets, int32_t *out_start);

/* Whether some weight is split into several quads. */
bool qn_packing_splits(const qn_packing *packing);

/* Whether every quad is one plain step of bytes. Then the panel size is known in advance, and quads
 * are in list order. */
bool qn_panels_are_plain(const qn_packing *packing);
/* Packs one such panel of `count` channels, QN_QUAD bytes of each per quad, and their initial
 * accumulators. Allocates nothing, so that threads can call it. */
void qn_plain_panel_pack(const qn_packing *packing, const int64_t *channels, int64_t count,
                         uint8_t *out_bytes, int32_t *out_start);

#endif

/* Packing the weights of a matrix product at compile time, in exactly the order in which the kernel
 * reads them.
 *
 * A quad is four consecutive bytes of x at a fixed offset from a pixel's base; a kernel multiplies
 * it with four weights of every output channel. The needed bytes (taps) of a pixel are covered by
 * quads that never leave the tensor: a quad may overlap bytes that another one counts, or that no
 * tap needs; their weights are 0.
 *
 * Weights beyond what a product takes (8 bits, of groups -128 neither) get further quads at the
 * same offset that add the rest. Where products saturate, those of two neighbouring bytes are
 * summed in 16 bits with saturation: which quads are taken together, and complemented, so that
 * every weight is exact, is found in steps.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PACK_H
#define QN_LOWER_LOOPS_PACK_H

#include "base/array.h"
#include "lower/loops/matrix/steps/steps.h"
#include "lower/loops/matrix/weights.h"

typedef struct qn_quad_taps {
  int64_t offset;
  int32_t taps[QN_QUAD]; /* which weight each byte meets; -1: none */
} qn_quad_taps;

/* Covers `taps` (ascending byte offsets) by quads inside of [0, extent). Writes at most `count`
 * quads and returns how many. *out_bytes: bytes per window, less than 4 only when extent is. */
uint32_t qn_quads_cover(const int64_t *taps, int64_t count, int64_t extent, qn_quad_taps *out_quads,
                        int64_t *out_bytes);

/* Puts quads in front that follow one another without a gap, `each` in a run; returns how many
 * runs there are. */
uint32_t qn_quads_form_runs(qn_quad_taps *quads, uint32_t count, uint32_t each, qn_arena *scratch);

typedef QN_ARRAY(uint8_t) qn_byte_array;
typedef QN_ARRAY(int32_t) qn_i32_array;

/* What the panels of one op share. */
typedef struct qn_packing {
  const qn_dot *dot;
  int64_t lanes; /* i32 lanes of a vector */
  const qn_weights *weights;
  const qn_quad_taps *quads;
  uint32_t quad_count;
  qn_arena *scratch;
  bool bandwidth_bound; /* weights are used by so few pixels that their bytes count most */
} qn_packing;

/* The weights of one tile, a step after the other: a mask where all vectors share one, then each
 * quad's vectors of lanes * 4 bytes, each with a mask after it where it has its own; of
 * 16 bits, whose steps are all plain, two halves (bytes 0, 1 and bytes 2, 3) of `vectors`
 * vectors of lanes * 2 i16. */
typedef struct qn_panel {
  uint32_t steps[QN_STEP_KINDS];
} qn_panel;

/* Bytes of one plain step. */
int64_t qn_panel_quad_bytes(const qn_packing *packing, uint32_t vectors);

/* Whether channels are better packed in another order, which the kernel has to undo: in tiles whose
 * results are whole pieces of 128 bits. */
bool qn_panel_asks_for_order(const qn_packing *packing, uint32_t vectors, int64_t valid);
/* Changes the order of channels[vectors * lanes]. out_inverse[i], of as many bytes: in which byte
 * of its 128 bits the result is that comes in i. */
void qn_panel_order(const qn_packing *packing, int64_t *channels, uint32_t vectors,
                    uint8_t *out_inverse);

/* Appends the panel of vectors * lanes channels (-1: padding) to `bytes` and the byte offset of
 * each quad, in the order of the steps, to `offsets`. out_start[i]: the value with which the
 * accumulator of channels[i] starts: the bias and all corrections, mod 2^32. */
qn_panel qn_panel_pack(const qn_packing *packing, const int64_t *channels, uint32_t vectors,
                       qn_byte_array *bytes, qn_i32_array *offsets, int32_t *out_start);

/* Whether some weight takes more than one quad. */
bool qn_packing_splits(const qn_packing *packing);

/* Whether every window is one plain quad of bytes, so that panels have a size that is known, and
 * list the quads in order. */
bool qn_panels_are_plain(const qn_packing *packing);
/* The bytes and initial accumulators of such a panel. Takes no memory: a work for threads. */
void qn_plain_panel_pack(const qn_packing *packing, const int64_t *channels, uint32_t vectors,
                         uint8_t *out_bytes, int32_t *out_start);

#endif

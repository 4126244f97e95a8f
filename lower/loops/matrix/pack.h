/* Packing the weights of a matrix product at compile time, in exactly the order in which the kernel
 * reads them.
 *
 * A quad is four consecutive bytes of x at a fixed offset from a pixel's base; a kernel multiplies
 * it with four weights of every output channel. The needed bytes (taps) of a pixel are covered by
 * quads that never leave the tensor: a quad may overlap bytes that another one counts, or that no
 * tap needs; their weights are 0.
 *
 * Weights beyond 8 bits get further quads at the same offset that add the rest. With QN_DOT_MADD
 * the products of two neighbouring bytes are summed in 16 bits with saturation. Where two weights
 * of equal sign could saturate, one byte x of the pair is complemented by a mask stored with the
 * weights: x * w = 255 * w + (255 - x) * -w, and weights of opposite signs cannot saturate. These
 * are the masked quads; the constant goes to the start value of the accumulator. So every weight is
 * exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PACK_H
#define QN_LOWER_LOOPS_PACK_H

#include "base/array.h"
#include "lower/loops/matrix/weights.h"

enum { QN_QUAD = 4 };

typedef struct qn_window {
  int64_t offset;
  int32_t taps[QN_QUAD]; /* which weight each byte meets; -1: none */
} qn_window;

/* Covers `taps` (ascending byte offsets) by windows inside of [0, extent). Writes at most `count`
 * windows and returns how many. *out_bytes: bytes per window, less than 4 only when extent is. */
uint32_t qn_windows_cover(const int64_t *taps, int64_t count, int64_t extent,
                          qn_window *out_windows, int64_t *out_bytes);

typedef QN_ARRAY(uint8_t) qn_byte_array;
typedef QN_ARRAY(int32_t) qn_i32_array;

/* What the panels of one op share. */
typedef struct qn_packing {
  qn_dot_kind dot;
  int64_t lanes; /* i32 lanes of a vector */
  const qn_weights *weights;
  const qn_window *windows;
  uint32_t window_count;
  qn_arena *scratch;
} qn_packing;

/* The weights of one tile: `plain` quads, then `masked` ones. Per quad, the vectors one behind the
 * other: lanes * 4 bytes each, in masked quads followed by as many bytes of mask; for QN_DOT_S16
 * two halves (bytes 0, 1 and bytes 2, 3) of `vectors` vectors of lanes * 2 i16. */
typedef struct qn_panel {
  uint32_t plain, masked;
} qn_panel;

/* Bytes of one plain quad. */
int64_t qn_panel_quad_bytes(const qn_packing *packing, uint32_t vectors);

/* Appends the panel of vectors * lanes channels (-1: padding) to `bytes` and the byte offset of
 * each quad to `offsets`. out_start[i]: the value with which the accumulator of channels[i] starts:
 * the bias and all corrections, mod 2^32. */
qn_panel qn_panel_pack(const qn_packing *packing, const int64_t *channels, uint32_t vectors,
                       qn_byte_array *bytes, qn_i32_array *offsets, int32_t *out_start);

#endif

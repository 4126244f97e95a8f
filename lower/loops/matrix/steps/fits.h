/* Proof of which quads of a tile can share 16-bit sums: sums of weights by sign, for all choices of
 * complemented bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_FITS_H
#define QN_LOWER_LOOPS_STEPS_FITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { QN_QUAD = 4 };

/* 4 bytes of x at an offset from a pixel's base, and their weights. */
typedef struct qn_quad {
  int32_t offset;
  const int16_t *weights; /* [lane of the tile][QN_QUAD]; at most 16 bits wide */
} qn_quad;

/* Whether `count` products of these weights with arbitrary unsigned bytes can be added in 16 bits
 * without saturation. */
bool qn_sums_fit_16(const int32_t *weights, uint32_t count);
/* Like qn_sums_fit_16, for signed bytes. */
bool qn_signed_sums_fit_16(const int32_t *weights, uint32_t count);

/* The quads of a tile. Weights have 8 bits, and at most one weight of a 16-bit lane is -128. */
typedef struct qn_step_source {
  const qn_quad *quads;
  uint32_t count, vectors;
  int64_t lanes;
  bool bandwidth_bound; /* loading masks costs more than pairing saves: quads are not paired */
} qn_step_source;

/* Maximum sum of the weights of one sign in a 16-bit sum. */
enum { QN_GREATEST_SUM = INT16_MAX / UINT8_MAX };

typedef struct qn_quad_sums qn_quad_sums;

/* Fit tests between the quads of a tile, which are given by index. Index `count` is a quad of
 * zeros. */
typedef struct qn_quad_fits {
  qn_arena *scratch;
  int64_t lanes;
  uint32_t vectors, count;
  uint32_t chunks; /* groups of 16-bit lanes that are compared at once */
  qn_quad_sums *sums;
} qn_quad_fits;

/* Which bytes may be complemented with one mask for all vectors: those of the first quad, or of
 * both. */
typedef enum qn_flip_ways { QN_FLIP_FIRST, QN_FLIP_BOTH } qn_flip_ways;

qn_quad_fits qn_quad_fits_of(qn_arena *scratch, const qn_step_source *source);

/* Maximum sum of the two weights of a 16-bit lane, without complementing; more than QN_GREATEST_SUM
 * if a lane does not fit. */
uint8_t qn_quad_greatest(const qn_quad_fits *fits, uint32_t a);
/* Three tests: whether quad `a` alone fits without complementing any byte; whether quads a and b
 * fit together without complementing; and with bytes complemented as `ways` permits. */
bool qn_quad_fits_alone(const qn_quad_fits *fits, uint32_t a);
bool qn_quads_fit(const qn_quad_fits *fits, uint32_t a, uint32_t b);
bool qn_quads_fit_flipped(const qn_quad_fits *fits, uint32_t a, uint32_t b, qn_flip_ways ways);

/* [lane] the complement mask with the fewest bytes with which a and b fit. Requires that they fit
 * with some mask. */
const uint8_t *qn_quads_flips(const qn_quad_fits *fits, uint32_t a, uint32_t b, qn_flip_ways ways);
/* [lane of the tile] the complement masks of quad a alone. */
const uint8_t *qn_quad_own_flips(const qn_quad_fits *fits, uint32_t a);

#endif

/* Which quads of a tile can be multiplied together: sums of weights by sign, for all ways to
 * complement a quad's bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_FITS_H
#define QN_LOWER_LOOPS_STEPS_FITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { QN_QUAD = 4 };

/* Four bytes of x at an offset from a pixel's base, and their weights. */
typedef struct qn_quad {
  int32_t offset;
  const int16_t *weights; /* [lane of the tile][QN_QUAD]; at most 16 bits */
} qn_quad;

/* The proof: whether `count` products of such weights with any bytes can be added in 16 bits. */
bool qn_sums_fit_16(const int32_t *weights, uint32_t count);
/* The same of bytes with a sign. */
bool qn_signed_sums_fit_16(const int32_t *weights, uint32_t count);

/* The quads of a tile. Weights are of 8 bits, and at most one of a lane of 16 bits is -128. */
typedef struct qn_step_source {
  const qn_quad *quads;
  uint32_t count, vectors;
  int64_t lanes;
  bool bandwidth_bound; /* bytes of masks cost more than operations: nothing is paired */
} qn_step_source;

/* The largest sum of weights of one sign in a 16-bit sum. */
enum { QN_GREATEST_SUM = INT16_MAX / UINT8_MAX };

typedef struct qn_quad_sums qn_quad_sums;

/* Quads are meant by their number; one more, the count, is of zeros. */
typedef struct qn_quad_fits {
  qn_arena *scratch;
  int64_t lanes;
  uint32_t vectors, count;
  uint32_t chunks; /* of the lanes of 16 bits of a vector, that are compared at once */
  qn_quad_sums *sums;
} qn_quad_fits;

/* Which bytes may be complemented, the same ones for all vectors: of the first quad, or of both. */
typedef enum qn_flip_ways { QN_FLIP_FIRST, QN_FLIP_BOTH } qn_flip_ways;

qn_quad_fits qn_quad_fits_of(qn_arena *scratch, const qn_step_source *source);

/* The largest sum of two weights, without complementing; more than QN_GREATEST_SUM where one
 * doesn't fit. */
uint8_t qn_quad_greatest(const qn_quad_fits *fits, uint32_t a);
/* As it is. */
bool qn_quad_fits_alone(const qn_quad_fits *fits, uint32_t a);
bool qn_quads_fit(const qn_quad_fits *fits, uint32_t a, uint32_t b);
bool qn_quads_fit_flipped(const qn_quad_fits *fits, uint32_t a, uint32_t b, qn_flip_ways ways);

/* The least flips of each lane with which the two fit; they do with some. */
const uint8_t *qn_quads_flips(const qn_quad_fits *fits, uint32_t a, uint32_t b, qn_flip_ways ways);
/* The complement masks of one quad, each lane of the tile for itself. */
const uint8_t *qn_quad_own_flips(const qn_quad_fits *fits, uint32_t a);

#endif

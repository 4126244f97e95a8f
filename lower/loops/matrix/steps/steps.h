/* K steps of saturating byte products.
 *
 * A 16-bit lane sums the products of two neighbouring bytes of a quad, or of two quads that are
 * added before widening to 32 bits. For x in [0, 255] the sum cannot saturate if the weights of
 * each sign in the lane sum to at most 128 in magnitude. Otherwise x of one quad, or of both, is
 * complemented by a mask stored with the weights: x * w = 255 * w + (255 - x) * -w. This moves
 * weights to the other sign; the constant 255 * w is added to the initial accumulator. If all
 * channels that share a lane agree on a mask, one mask serves all vectors of the tile, because the
 * bytes of a pixel are then masked once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_H
#define QN_LOWER_LOOPS_STEPS_H

#include "lower/loops/matrix/steps/fits.h"

enum { QN_STEP_QUADS = 2 };

/* Kinds of K steps, in panel order. Single bytes in groups have plain steps, pairs and halves:
 * four, eight and two products per sum of 16 bits. */
typedef enum qn_step_kind {
  QN_STEP_PLAIN,
  QN_STEP_PAIR,
  QN_STEP_SHARED_PAIR,
  QN_STEP_MASKED_PAIR,
  QN_STEP_SHARED,
  QN_STEP_MASKED,
  QN_STEP_SATURATING, /* the kinds of saturating products precede */
  QN_STEP_HALVES = QN_STEP_SATURATING,
  QN_STEP_KINDS
} qn_step_kind;

typedef struct qn_step_form {
  uint32_t quads;  /* quads per step; 2: their products are added in 16 bits */
  uint32_t shared; /* number of leading quads with one mask for all vectors */
  bool owned;      /* the only quad has a separate mask for each vector */
  bool halves;     /* each half of the only quad has a separate sum */
} qn_step_form;
const qn_step_form *qn_step_form_of(qn_step_kind kind);

/* Vectors of bytes (weights and masks) in a step of a tile with `vectors` vectors. */
uint32_t qn_step_rows(qn_step_kind kind, uint32_t vectors);
/* Vector instructions of a step per vector of accumulators. */
double qn_step_operations(qn_step_kind kind, uint32_t vectors);
/* Vector instructions of steps[kind] steps of each kind per vector of accumulators, loop overhead
 * included. */
double qn_steps_operations(const uint32_t *steps, uint32_t vectors);

typedef struct qn_quad_step {
  qn_step_kind kind;
  uint32_t quads[QN_STEP_QUADS];
  const uint8_t
      *flips; /* bit QN_QUAD * q + i: byte i of quad q is complemented. [lane of a vector] if the
                 mask is shared, else [lane of the tile]; NULL: none is complemented */
} qn_quad_step;

/* Assigns each quad to one step. Steps of a kind are consecutive. `out_steps` has room for
 * source->count steps; returns their number. */
uint32_t qn_steps_form(qn_arena *scratch, const qn_step_source *source, qn_quad_step *out_steps);

#endif

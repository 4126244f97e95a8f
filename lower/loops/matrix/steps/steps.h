/* How a kernel multiplies quads, where sums of products have 16 bits.
 *
 * A lane of 16 bits takes the products of two neighbouring bytes of a quad, and of a second quad
 * where both are added before they are widened. With bytes x of 0 to 255 that is exact if the
 * weights of either sign in the lane add up to at most 128: then no order of bytes leaves 16 bits.
 * Where they add up to more, bytes x of a quad, or of both, are complemented by a mask stored with
 * the weights, x * w = 255 * w + (255 - x) * -w, which moves weights from one sign to the other;
 * the constant is added to the initial accumulator. One mask serves all vectors of a tile where
 * channels that share a lane agree on it, because what it masks, a pixel's bytes, is then masked
 * once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_H
#define QN_LOWER_LOOPS_STEPS_H

#include "lower/loops/matrix/steps/fits.h"

enum { QN_STEP_QUADS = 2 };

/* In the order in which a panel has them. */
typedef enum qn_step_kind {
  QN_STEP_PLAIN,
  QN_STEP_PAIR,
  QN_STEP_SHARED_PAIR,
  QN_STEP_MASKED_PAIR,
  QN_STEP_SHARED,
  QN_STEP_MASKED,
  QN_STEP_KINDS
} qn_step_kind;

typedef struct qn_step_form {
  uint32_t quads;  /* 2: products of both are added in 16 bits */
  uint32_t shared; /* of the quads, the first ones: have a mask for all vectors */
  bool owned;      /* the only quad has a mask for each */
} qn_step_form;
const qn_step_form *qn_step_form_of(qn_step_kind kind);

/* Vectors of bytes, of weights and masks, in a step of so many vectors. */
uint32_t qn_step_rows(qn_step_kind kind, uint32_t vectors);
/* Operations on vectors per vector of sums. */
double qn_step_operations(qn_step_kind kind, uint32_t vectors);
/* Likewise of so many steps of each kind, with their loops. */
double qn_steps_operations(const uint32_t *steps, uint32_t vectors);

typedef struct qn_quad_step {
  qn_step_kind kind;
  uint32_t quads[QN_STEP_QUADS];
  const uint8_t *flips; /* bit QN_QUAD * q + i: byte i of quad q is complemented; of each lane of a
                           vector where the mask is shared, of the tile where not; NULL: of none */
} qn_quad_step;

/* Takes each quad once; steps of a kind stand together. `out_steps` has room for as many as there
 * are quads; returns how many there are. */
uint32_t qn_steps_form(qn_arena *scratch, const qn_step_source *source, qn_quad_step *out_steps);

#endif

/* Products of floats with constant weights that are stored in 8 or 4 bits. A kernel reads the
 * stored weights and widens them in registers: w = f32(q - zero point) * scale, rounded once, as
 * the op that widens them says. That op has no kernel, and no f32 weights exist in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_H
#define QN_LOWER_LOOPS_NARROW_H

#include "lower/loops/loops.h"

enum { QN_NARROW_MAX_GRIDS = 2 };

/* A number per position of the weights: one for all, or an element of a constant. */
typedef struct qn_narrow_grid {
  const qn_attr *values;           /* NULL: `all` */
  const struct qn_affine_map *map; /* from (channel, k) to the element */
  const qn_type *type;
  double all;
} qn_narrow_grid;

/* Constant weights of [channels][depth] as they are stored; of windows, depth is three dimensions.
 */
typedef struct qn_narrow_weights {
  const qn_attr *stored;
  bool is_unsigned, is_window;
  int64_t channels, depth;
  int64_t block; /* consecutive k of a channel that have one scale and one zero point */
  qn_narrow_grid scales, zero_points;
} qn_narrow_weights;

/* False: `weights` are no result of an op that widens such constants. */
bool qn_narrow_read(const qn_value *weights, qn_narrow_weights *out_weights);
/* The numbers that a position has. */
double qn_narrow_scale(const qn_narrow_weights *w, int64_t channel, int64_t k);
int64_t qn_narrow_zero_point(const qn_narrow_weights *w, int64_t channel, int64_t k);
/* The stored number itself. */
int64_t qn_narrow_stored(const qn_narrow_weights *w, int64_t channel, int64_t k);

/* Whether there is a kernel that takes operand 1 of the ml.linear or ml.conv as it is stored. */
bool qn_narrow_takes(const qn_op *op);
/* Whether the op's kernel does so here: what widens its weights has none (feed/). */
bool qn_narrow_applies(const qn_loops *lo, const qn_op *op);
/* Its kernel. */
QN_NODISCARD qn_status qn_narrow_lower(qn_loops *lo, qn_op *op);

#endif

/* Products of floats with constant weights that are stored in 8 or 4 bits. A kernel reads the
 * stored weights and widens them in registers: w = f32(q - zero point) * scale, rounded once, as
 * the op that widens them is defined. That op has no kernel, and no f32 weights exist in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_H
#define QN_LOWER_LOOPS_NARROW_H

#include "lower/loops/loops.h"

enum { QN_NARROW_MAX_GRIDS = 2 };

/* A scale or zero point per weight: one value for all, or an element of a constant. */
typedef struct qn_narrow_grid {
  const qn_attr *values;           /* NULL: `all` applies */
  const struct qn_affine_map *map; /* from (channel, k) to the element */
  const qn_type *type;
  double all;
} qn_narrow_grid;

/* Constant weights [channels][depth] in stored form; for convolutions, depth is three dimensions.
 */
typedef struct qn_narrow_weights {
  const qn_attr *stored;
  bool is_unsigned, is_window;
  int64_t channels, depth;
  int64_t block; /* consecutive k of a channel with one scale and one zero point */
  qn_narrow_grid scales, zero_points;
} qn_narrow_weights;

/* Reads weights that are the result of an op that widens such constants; false if they are not. */
bool qn_narrow_read(const qn_value *weights, qn_narrow_weights *out_weights);
/* Scale and zero point of a weight. */
double qn_narrow_scale(const qn_narrow_weights *w, int64_t channel, int64_t k);
int64_t qn_narrow_zero_point(const qn_narrow_weights *w, int64_t channel, int64_t k);
/* The stored integer of a weight. */
int64_t qn_narrow_stored(const qn_narrow_weights *w, int64_t channel, int64_t k);

/* Whether a kernel for the ml.linear or ml.conv can read operand 1 in stored form. */
bool qn_narrow_takes(const qn_op *op);
/* Whether the op's kernel does so in this function. Then the op that widens its weights has no
 * kernel (fuse_producer/). */
bool qn_narrow_applies(const qn_loops *lo, const qn_op *op);
/* Emits that kernel. */
QN_NODISCARD qn_status qn_narrow_lower(qn_loops *lo, qn_op *op);

#endif

/* The loops around register tiles of a product: tiles of channels, and in each tiles of rows.
 *
 * Units of work are tiles of channels; of a batch whose size is known at run time only, its entries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_TILES_H
#define QN_LOWER_LOOPS_NARROW_TILES_H

#include "lower/loops/loops.h"

enum { QN_NARROW_MAX_VECTORS = 8, QN_NARROW_MAX_SUMS = 24 };

typedef struct qn_narrow_tiling {
  int64_t channels, lanes; /* of the product, and of a vector */
  int64_t rows;            /* of the product */
  int64_t vectors, height; /* of a tile: vectors of channels, rows */
} qn_narrow_tiling;

/* A register tile. All tiles of channels but the last have the same number of vectors. */
typedef struct qn_narrow_tile {
  qn_value *number;        /* of the tile of channels */
  qn_value *channel, *row; /* the first ones */
  int64_t vectors, valid;  /* valid: channels of the last vector */
  int64_t rows;
} qn_narrow_tile;

static inline int64_t qn_narrow_vectors(const qn_narrow_tiling *t) {
  return (t->channels + t->lanes - 1) / t->lanes;
}
static inline int64_t qn_narrow_tiles(const qn_narrow_tiling *t) {
  return (qn_narrow_vectors(t) + t->vectors - 1) / t->vectors;
}
/* Vectors of the tile that begins with one, counted over all tiles. */
static inline int64_t qn_narrow_vectors_from(const qn_narrow_tiling *t, int64_t vector) {
  int64_t left = qn_narrow_vectors(t) - vector;
  return left < t->vectors ? left : t->vectors;
}

/* Makes tiles no larger than the product. */
void qn_narrow_fit(qn_narrow_tiling *t);

/* Builds the work of one register tile. */
typedef void qn_narrow_tile_fn(void *user, const qn_narrow_tile *tile);
/* All loops of the kernel of `op`, and its end. */
void qn_narrow_build(qn_kernel *k, const qn_narrow_tiling *t, int64_t macs, qn_narrow_tile_fn *body,
                     void *user);

#endif

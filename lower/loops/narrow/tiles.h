/* The loops around register tiles of a product: lines of rows, tiles of channels, and in each tiles
 * of rows. A row of x is what one result of each channel is made of: of a convolution a window, of
 * which each run of consecutive elements is a part of k.
 *
 * Units of work are tiles of channels, or lines, by which less is read again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_TILES_H
#define QN_LOWER_LOOPS_NARROW_TILES_H

#include "lower/loops/loops.h"

enum { QN_NARROW_MAX_VECTORS = 8, QN_NARROW_MAX_SUMS = 24 };

/* Where rows and results are, in elements. */
typedef struct qn_narrow_rows {
  int64_t lines, rows;     /* rows: of a line */
  int64_t lines_per_image; /* all of them where lines are equally spaced */
  int64_t x_image, x_line, x_row;
  int64_t y_first, y_image, y_line, y_row;
  int64_t run;              /* consecutive elements of x */
  int64_t runs, inner_runs; /* of a row; how many have the inner step, before the outer one */
  int64_t x_outer, x_inner; /* from a run to the next */
} qn_narrow_rows;

/* The rows of ml.linear and similar ops: `depth` elements each. */
qn_narrow_rows qn_narrow_rows_of_linear(const qn_loops *lo, const qn_op *op, int64_t depth,
                                        int64_t channels);
struct qn_conv_shape;
struct qn_conv_frame;
/* The rows of a convolution without padding. */
qn_narrow_rows qn_narrow_rows_of_conv(const struct qn_conv_shape *shape,
                                      const struct qn_conv_frame *frame);

typedef struct qn_narrow_tiling {
  qn_narrow_rows rows;
  int64_t channels, lanes; /* of the product, and of a vector */
  int64_t vectors, height; /* of a tile: vectors of channels, rows */
} qn_narrow_tiling;

/* A register tile. All tiles of channels but the last have the same number of vectors. */
typedef struct qn_narrow_tile {
  qn_value *number, *channel; /* of the tile of channels; its first channel */
  qn_value *row, *x, *y;      /* number of the first row, counted over all lines; where it begins */
  int64_t vectors, valid;     /* valid: channels of the last vector */
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
static inline int64_t qn_narrow_depth(const qn_narrow_tiling *t) {
  return t->rows.run * t->rows.runs;
}

/* Makes tiles no larger than the product. */
void qn_narrow_fit(qn_narrow_tiling *t);

/* Where a run of the tile's first row begins. */
qn_value *qn_narrow_run_at(qn_builder *b, const qn_narrow_tiling *t, const qn_narrow_tile *tile,
                           qn_value *run);

/* Builds the work of one register tile. */
typedef void qn_narrow_tile_fn(void *user, const qn_narrow_tile *tile);
/* All loops of the kernel, and its end. `weight_bytes`: of all panels. */
void qn_narrow_build(qn_kernel *k, const qn_narrow_tiling *t, int64_t weight_bytes,
                     qn_narrow_tile_fn *body, void *user);

#endif

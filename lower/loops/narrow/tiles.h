/* The loops around register tiles of a product: lines, N tiles, and in each M tiles of rows. A row
 * of x contains the inputs of one result per channel; for a convolution it is a window, and each
 * run of consecutive elements is a part of k. Work items are N tiles or lines, whichever reads less
 * memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_TILES_H
#define QN_LOWER_LOOPS_NARROW_TILES_H

#include "lower/loops/loops.h"

enum { QN_NARROW_MAX_VECTORS = 8, QN_NARROW_MAX_SUMS = 24 };

/* Offsets and strides of rows and results, in elements. */
typedef struct qn_narrow_rows {
  int64_t lines, rows;     /* rows: rows per line */
  int64_t lines_per_image; /* lines per image; all lines if they are equally spaced */
  int64_t x_image, x_line, x_row;
  int64_t y_first, y_image, y_line, y_row;
  int64_t run;              /* elements per run */
  int64_t runs, inner_runs; /* runs per row; runs with the inner stride before one with the outer */
  int64_t x_outer, x_inner; /* strides from a run to the next */
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
  int64_t channels, lanes; /* channels of the product; lanes of a vector */
  int64_t vectors, height; /* NR in vectors; MR */
} qn_narrow_tiling;

/* A register tile. All tiles of channels but the last have the same number of vectors. */
typedef struct qn_narrow_tile {
  qn_value *number, *channel; /* index of the N tile; its first channel */
  qn_value *row, *x,
      *y; /* index of the first row, counted over all lines; its first elements in x and y */
  int64_t vectors, valid; /* vectors; channels without padding in the last vector */
  int64_t rows;
} qn_narrow_tile;

static inline int64_t qn_narrow_vectors(const qn_narrow_tiling *t) {
  return (t->channels + t->lanes - 1) / t->lanes;
}
static inline int64_t qn_narrow_tiles(const qn_narrow_tiling *t) {
  return (qn_narrow_vectors(t) + t->vectors - 1) / t->vectors;
}
/* Vectors of the N tile that begins with vector `vector`, counted over all tiles. */
static inline int64_t qn_narrow_vectors_from(const qn_narrow_tiling *t, int64_t vector) {
  int64_t left = qn_narrow_vectors(t) - vector;
  return left < t->vectors ? left : t->vectors;
}
static inline int64_t qn_narrow_depth(const qn_narrow_tiling *t) {
  return t->rows.run * t->rows.runs;
}

/* Limits the tile size to the size of the product. */
void qn_narrow_fit(qn_narrow_tiling *t);

/* Offset in x of a run of the tile's first row. */
qn_value *qn_narrow_run_at(qn_builder *b, const qn_narrow_tiling *t, const qn_narrow_tile *tile,
                           qn_value *run);

/* The elements of vector `v` of the tile, of a buffer with an f32 per channel; 0 in lanes without a
 * channel. */
qn_value *qn_narrow_channels(qn_builder *b, const qn_narrow_tiling *t, const qn_narrow_tile *tile,
                             qn_value *buffer, int64_t v);

/* Emits the code of one register tile. */
typedef void qn_narrow_tile_fn(void *user, const qn_narrow_tile *tile);
/* Emits all loops of the kernel and closes it. `weight_bytes`: bytes of all panels. */
void qn_narrow_build(qn_kernel *k, const qn_narrow_tiling *t, int64_t weight_bytes,
                     qn_narrow_tile_fn *body, void *user);

#endif

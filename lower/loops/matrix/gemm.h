/* The one schedule of convolutions and matrix products:
 *
 *   acc[pixel][n] = start[n] + sum over quads q of dot4(x[base(pixel) + offset[q]], w[q][n])
 *
 * for any kernel, stride, dilation and number of groups. See pack.h for quads and weights.
 *
 * Output channels are cut into tiles of up to four vectors, output pixels into tiles of a few; the
 * accumulators of a tile of both stay in registers over all quads. Tiles of equal shape and
 * epilogue form a segment and share one loop, which reads what differs from a table. Remainders are
 * loops of their own with static sizes: no masks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_H
#define QN_LOWER_LOOPS_GEMM_H

#include "lower/loops/fusion.h"
#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/matrix/pack.h"
#include "plan/channels.h"
#include "quant/range.h"

enum { QN_GEMM_DIMS = 3 };

/* Weights and bias as tensors. */
typedef struct qn_gemm_source {
  const qn_value *weights, *bias;             /* bias NULL: zeros */
  int64_t channel_step, tap_step, group_step; /* from an element of weights to the next */
} qn_gemm_source;

typedef struct qn_gemm {
  const qn_op *op;
  const char *stem;
  /* What depends on the types of the elements (gemm_emit.h): all that may compute the product, as a
   * list that ends with NULL; and the one that does. */
  const struct qn_gemm_micro *const *candidates, *micro;
  int64_t channels, tap_count; /* output channels of all groups, weights of one */
  bool packs; /* weights or bias are not constant: a kernel packs them before the product */
  qn_gemm_source source; /* where it packs, and of floats */
  const void
      *own; /* what micro-kernels of its types know of it besides: qn_bytes_of (bytes.h) ... */
  const void *estimate; /* what the one that computes it has found of its weights; or NULL */
  const qn_dot *dot;    /* how bytes are multiplied */
  const int64_t *taps;  /* [tap_count] where each weight finds its x, from its pixel's base */
  int64_t extent;       /* elements from a pixel's base that all pixels of all groups may read */
  int64_t groups;       /* consecutive output channels / groups each */
  int64_t group_stride; /* elements of x from one group to the next */
  const int64_t *x_of_group, *weights_of_group; /* NULL: by group_stride, source.group_step */
  int64_t y_of_group; /* elements of y from one group to the next; 0: the channels of a group */
  int64_t counts[QN_GEMM_DIMS], strides[QN_GEMM_DIMS]; /* output pixels, outermost first (image,
                            row, column), and their distance in x in elements */
  int64_t entries;       /* the groups are those of so many entries, consecutively: how many there
                            are is known at run time; 0: all of them */
  bool by_image;         /* a unit belongs to one image: how many there are is known at run time */
  const qn_op *producer; /* makes x, row by row, in the kernel (fuse_producer.h), where a unit is a
                            row; or NULL */
  int64_t y_first, y_strides[QN_GEMM_DIMS]; /* where they are stored, in elements */
} qn_gemm;

/* Sets the steps of the source. */
void qn_gemm_set_layout(qn_gemm *gemm, const qn_channel_layout *layout, int64_t groups);

/* ---- which micro-kernel (gemm_choose.c) ---- */

enum { QN_GEMM_CANDIDATES = 7 };
/* The cheapest of those that can, and of each candidate in its place in the list why it can't, or
 * about how many cycles it takes: 0 where only one can. */
typedef struct qn_gemm_choice {
  const struct qn_gemm_micro *micro;
  const char *problems[QN_GEMM_CANDIDATES];
  double cycles[QN_GEMM_CANDIDATES];
} qn_gemm_choice;
qn_gemm_choice qn_gemm_choose(const qn_gemm *gemm, const qn_target *target);
/* The product as a candidate computes it. */
qn_gemm qn_gemm_with(const qn_gemm *gemm, const struct qn_gemm_micro *micro,
                     const qn_target *target);

QN_NODISCARD qn_status qn_gemm_lower(qn_loops *lo, const qn_gemm *gemm);

/* ---- the plan, made before anything is emitted (gemm_plan.c) ---- */

/* What a kernel call's units of work are. */
typedef enum qn_gemm_unit {
  QN_UNIT_PIXELS,   /* unit_pixels pixels of the only row */
  QN_UNIT_ROWS,     /* rows of pixels */
  QN_UNIT_CHANNELS, /* tiles of channels */
  QN_UNIT_BATCH,    /* tiles of channels of all groups of an entry */
} qn_gemm_unit;

/* Columns of the tile table: those of all micro-kernels, then as many as the one has of its own;
 * last, only where weights are packed, the element of theirs where the tile's first channel begins
 * (qn_gemm_source_field). */
typedef enum qn_tile_field {
  QN_TILE_X,       /* byte offset of the group in x */
  QN_TILE_CHANNEL, /* first output channel, or element of y where groups are not its channels */
  QN_TILE_WEIGHTS, /* first element of the panel */
  QN_TILE_OFFSETS, /* first entry in the list of quad offsets */
  QN_TILE_PARAMS,  /* first word of the epilogue's parameters */
  QN_TILE_OWN,
  QN_TILE_OWN_MAX = 6,
  QN_TILE_FIELDS = QN_TILE_OWN + QN_TILE_OWN_MAX + 1
} qn_tile_field;

typedef struct qn_gemm_tile {
  int32_t fields[QN_TILE_FIELDS];
  uint32_t vectors;
  int64_t first, valid; /* channels, those of the groups before counted */
  qn_epilogue_kind kind;
  bool reordered; /* channels are packed in another order; after the epilogue's parameters, of each
                     byte of results where it is in its 128 bits */
} qn_gemm_tile;

/* Tiles [begin, end): equal vectors, valid, kind. */
typedef struct qn_gemm_segment {
  uint32_t begin, end;
  int64_t rows; /* pixels of a tile */
} qn_gemm_segment;

typedef struct qn_gemm_plan {
  const qn_gemm *gemm;
  int64_t steps; /* of a tile: of each the micro-kernel says the cycles */
  int64_t lanes; /* sums in a vector */
  qn_gemm_unit unit;
  int64_t unit_pixels, units;
  int64_t row_count[2], row_stride[2], row_y[2]; /* rows of pixels: outer, inner */
  int64_t pixels, pixel_stride, pixel_y;         /* of one row */
  /* Where rows that are not equally spaced are taken as one: pixels until the next begins, and how
   * much further it is then; else 0. */
  int64_t row_pitch, wrap_x, wrap_y;
  int64_t row_padding; /* of the pixels until then, how many are none, but are between two rows */
  uint32_t tile_count, segment_count, field_count;
  int64_t prefetch_distance; /* bytes between a load of weights and its prefetch; 0: no prefetch */
  bool own_vary; /* own columns, and where panels are, are each tile's even where they are equal */
  void *own;     /* of the micro-kernel, made by its `pack` */
  qn_gemm_tile *tiles; /* in the order of processing */
  qn_gemm_segment *segments;
  qn_byte_array weights;
  int64_t panel_elements;              /* of all tiles */
  qn_i32_array offsets, params, table; /* the table has a row per tile */
  qn_i32_array quads;                  /* what a kernel that packs reads (runtime_pack/) */
} qn_gemm_plan;

/* Whether a unit has all pixels of its tiles. */
static inline bool qn_gemm_by_tile(const qn_gemm_plan *plan) {
  return plan->unit == QN_UNIT_CHANNELS || plan->unit == QN_UNIT_BATCH;
}

/* Sums of a pixel of a tile, those of no channel included. */
static inline int64_t qn_gemm_tile_width(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  return tile->vectors * plan->lanes;
}

enum { QN_GEMM_TILE_CHANNELS = QN_EPILOGUE_MAX_VECTORS * 16 };

/* Each loop over tiles of one shape is code to generate: worth this share of the time. */
#define QN_GEMM_LOOP_COST 0.02
/* Cycles that loop counter, addresses and prefetches add to a K step. */
#define QN_GEMM_STEP_CYCLES 0.5
/* About how long all of it takes, in the best of its shapes. */
double qn_gemm_cycles(const qn_gemm *gemm, const qn_target *target);
/* Tiles of each width: pixels and channels of the widest ones, and cycles of all of the product. */
typedef struct qn_gemm_shape {
  int64_t rows, channels;
  double cycles;
} qn_gemm_shape;
uint32_t qn_gemm_shapes(const qn_gemm *gemm, const qn_target *target,
                        qn_gemm_shape out_shapes[QN_EPILOGUE_MAX_VECTORS]);
/* The plan up to its constants. */
qn_gemm_plan qn_gemm_tile_shapes(qn_arena *scratch, const qn_target *target, const qn_gemm *gemm);
/* Tells how the product is made, and what other shapes would cost, if that is asked for
 * (gemm_explain.c). */
void qn_gemm_explain(qn_loops *lo, const qn_gemm_plan *plan);
/* QN_LIMIT, reported, when the packed weights exceed 2 GiB. */
QN_NODISCARD qn_status qn_gemm_plan_make(qn_loops *lo, const qn_gemm *gemm, qn_gemm_plan *out_plan);
/* The limit of that many packed bytes. */
QN_NODISCARD qn_status qn_gemm_check_size(qn_loops *lo, const qn_gemm_plan *plan, int64_t bytes);
void qn_gemm_plan_deinit(qn_gemm_plan *plan);

#endif

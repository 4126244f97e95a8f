/* The schedule of convolutions and matrix products:
 *
 *   acc[m][n] = init[n] + sum over quads q of dot4(x[base(m) + offset[q]], w[q][n])
 *
 * M = output pixels, N = output channels of a group, K = taps * input channels; for any kernel
 * size, stride, dilation and number of groups. A quad is 4 consecutive bytes of x (pack.h).
 *
 * N is split into tiles of up to 4 vectors, M into tiles of MR pixels. The accumulators of a
 * register tile stay in registers over all of K. Tiles of equal shape and epilogue form a segment
 * and share one loop; values that differ between tiles are read from the tile table. Remainders are
 * separate loops of static size, without masks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_H
#define QN_LOWER_LOOPS_GEMM_H

#include "lower/loops/compact.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/matrix/pack.h"
#include "plan/channels.h"
#include "quant/range.h"

enum { QN_GEMM_DIMS = 3, QN_GEMM_MORE = 3 };

/* Unpacked weights and bias. */
typedef struct qn_gemm_source {
  const qn_value *weights, *bias;             /* bias: NULL if all are zero */
  int64_t channel_step, tap_step, group_step; /* strides of `weights`, in elements */
} qn_gemm_source;

typedef struct qn_gemm {
  const qn_op *op;
  const char *stem;
  /* Micro-kernels (gemm_emit.h): all that may compute the product, ended by NULL; and the chosen
   * one. */
  const struct qn_gemm_micro *const *candidates, *micro;
  int64_t channels, tap_count; /* N over all groups; K of one output channel */
  bool packs;                  /* runtime weights or bias: a kernel packs them before the product */
  qn_gemm_source source;       /* runtime packing and floats: the unpacked weights */
  const void *own;      /* data of the micro-kernels for these types: qn_bytes_of (bytes.h) ... */
  const void *estimate; /* result of the chosen micro-kernel's `estimate`; NULL if none */
  const qn_dot *dot;    /* byte dot product; NULL for other types */
  const int64_t *taps;  /* [tap_count] element offset in x of the factor of each weight, from the
                           pixel's base */
  int64_t
      extent; /* elements from a pixel's base that may be read safely for every pixel and group */
  int64_t groups; /* each of channels / groups consecutive output channels */
  int64_t merged; /* groups of the op that are one of `groups`: their channels fill a vector, whose
                     lanes multiply x of their own; 0: one */
  int64_t group_stride; /* stride of groups in x, in elements */
  const int64_t *x_of_group, *weights_of_group,
      *y_of_group; /* [groups] explicit offsets; NULL: strides group_stride, source.group_step, and
                      the group's channel count */
  int64_t counts[QN_GEMM_DIMS], strides[QN_GEMM_DIMS]; /* output pixels [image, row, column], and
                                                          their strides in x, in elements */
  int64_t entries; /* maximum batch size if `groups` are those of a dynamic batch; else 0 */
  bool by_image;   /* the number of images is dynamic: no work item may span two images */
  qn_value *x;     /* its buffer; NULL: the buffer of operand 0 */
  qn_value *more[QN_GEMM_MORE]; /* further buffers that the epilogue reads, or NULL
                                   (qn_gemm_emitter.more) */
  bool can_repeat; /* results may be stored more than once: no post-op reads what they overwrite */
  const qn_op *producer; /* producer of x that is fused into this kernel (fuse_producer.h), a row
                            per work item; NULL if none */
  int64_t y_first,
      y_strides[QN_GEMM_DIMS]; /* offset and strides of the results in y, in elements */
} qn_gemm;

/* Sets the strides of gemm->source from the channel layout of the weights. */
void qn_gemm_set_layout(qn_gemm *gemm, const qn_channel_layout *layout, int64_t groups);

/* Merges groups until their output channels fill a vector of `lanes`, if they can, and if weights
 * and bias are constant. */
void qn_gemm_merge_groups(qn_gemm *gemm, int64_t lanes);

/* ---- which micro-kernel (gemm_choose.c) ---- */

enum { QN_GEMM_CANDIDATES = 9 };
/* The cheapest candidate that supports the product. Per candidate, in list order: the reason why it
 * does not support it, or else its estimated cycles, which are 0 if it is the only one. */
typedef struct qn_gemm_choice {
  const struct qn_gemm_micro *micro;
  const char *problems[QN_GEMM_CANDIDATES];
  double cycles[QN_GEMM_CANDIDATES];
} qn_gemm_choice;
qn_gemm_choice qn_gemm_choose(qn_arena *scratch, const qn_gemm *gemm, const qn_target *target);
/* A copy of the product that micro-kernel `micro` computes. */
qn_gemm qn_gemm_with(const qn_gemm *gemm, const struct qn_gemm_micro *micro,
                     const qn_target *target);

QN_NODISCARD qn_status qn_gemm_lower(qn_loops *lo, const qn_gemm *gemm);

/* ---- the plan, made before anything is emitted (gemm_plan.c) ---- */

/* What one work item of the kernel is. */
typedef enum qn_gemm_unit {
  QN_UNIT_PIXELS,   /* unit_pixels pixels; there is one row only */
  QN_UNIT_ROWS,     /* one row of pixels */
  QN_UNIT_CHANNELS, /* one N tile, over all pixels */
  QN_UNIT_BATCH,    /* all N tiles of all groups of one batch element */
} qn_gemm_unit;

/* Columns of the tile table, which has one row per N tile: common columns, then the micro-kernel's
 * own. With runtime packing one more follows: the index of the tile's first unpacked weight
 * (qn_gemm_source_field). */
typedef enum qn_tile_field {
  QN_TILE_X,       /* byte offset of the group in x */
  QN_TILE_CHANNEL, /* first output channel; element offset in y if y_of_group is set */
  QN_TILE_WEIGHTS, /* first element of the packed panel */
  QN_TILE_OFFSETS, /* first element of the list of quad offsets */
  QN_TILE_PARAMS,  /* first int32 of the epilogue's parameters */
  QN_TILE_OWN,
  QN_TILE_OWN_MAX = 7,
  QN_TILE_FIELDS = QN_TILE_OWN + QN_TILE_OWN_MAX + 1
} qn_tile_field;

typedef struct qn_gemm_tile {
  int32_t fields[QN_TILE_FIELDS];
  uint32_t vectors;
  int64_t first, valid; /* first channel over all groups; number of channels without padding */
  qn_epilogue_kind kind;
  bool reordered; /* channels are permuted; the inverse byte permutation within 128 bits follows the
                     epilogue's parameters */
} qn_gemm_tile;

/* Tiles [begin, end), of equal vectors, valid and kind. */
typedef struct qn_gemm_segment {
  uint32_t begin, end;
  int64_t rows;  /* MR */
  bool overlaps; /* the results of an M tile are computed during the products of the next one
                    (qn_gemm_micro.run) */
} qn_gemm_segment;

typedef struct qn_gemm_plan {
  const qn_gemm *gemm;
  int64_t steps; /* K steps of a tile */
  int64_t lanes; /* accumulators per vector */
  qn_gemm_unit unit;
  int64_t unit_pixels, units;
  int64_t row_count[2], row_stride[2],
      row_y[2];                          /* [outer, inner] rows: count, stride in x, stride in y */
  int64_t pixels, pixel_stride, pixel_y; /* within a row: count, stride in x, stride in y */
  /* Row wrap: M tiles cross the ends of image rows. Every row_pitch positions the address advances
   * by another wrap_x in x and wrap_y in y. 0: no wrap. */
  int64_t row_pitch, wrap_x, wrap_y;
  int64_t
      row_padding; /* positions per row_pitch that are not output pixels; computed and discarded */
  uint32_t tile_count, segment_count, field_count;
  int64_t prefetch_distance; /* bytes between a load of weights and its prefetch; 0: no prefetch */
  bool unlisted; /* the kernel has no argument `offsets`: its code contains all of them */
  bool own_vary; /* the micro-kernel's columns and the panel offsets are read from the table even if
                    affine */
  void *own;     /* data of the micro-kernel, set by its `pack` */
  qn_gemm_tile *tiles; /* [tile_count] in execution order */
  qn_gemm_segment *segments;
  qn_byte_array weights;
  qn_compact compact;     /* how `weights` is stored; its base is the last of `params` */
  int64_t panel_elements; /* total elements of all panels */
  qn_i32_array offsets, params, table; /* table: [tile_count][field_count] */
  qn_i32_array quads; /* runtime packing: descriptors of the quads (bytes.h, runtime_pack/) */
} qn_gemm_plan;

/* Whether a work item covers all pixels of its tiles. */
static inline bool qn_gemm_by_tile(const qn_gemm_plan *plan) {
  return plan->unit == QN_UNIT_CHANNELS || plan->unit == QN_UNIT_BATCH;
}

/* NR of a tile, padding included. */
static inline int64_t qn_gemm_tile_width(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  return tile->vectors * plan->lanes;
}

enum { QN_GEMM_TILE_CHANNELS = QN_EPILOGUE_MAX_VECTORS * 16 };

/* Relative cost of another copy of the loops: a schedule must gain more than this share of the
 * time. */
#define QN_GEMM_LOOP_COST 0.02
/* Overhead of a K step in cycles: loop counter, addresses, prefetches. */
#define QN_GEMM_STEP_CYCLES 0.5
/* Estimated cycles of the product with its best tile shape. */
double qn_gemm_cycles(const qn_gemm *gemm, const qn_target *target);
/* Accumulators per vector of the chosen micro-kernel. */
int64_t qn_gemm_lanes(const qn_gemm *gemm, const qn_target *target);
/* One candidate tile shape: MR, NR of the widest tiles, and estimated cycles of the whole product.
 */
typedef struct qn_gemm_shape {
  int64_t rows, channels;
  double cycles;
} qn_gemm_shape;
uint32_t qn_gemm_shapes(const qn_gemm *gemm, const qn_target *target,
                        qn_gemm_shape out_shapes[QN_EPILOGUE_MAX_VECTORS]);
/* The plan without packed constants. */
qn_gemm_plan qn_gemm_tile_shapes(qn_arena *scratch, const qn_target *target, const qn_gemm *gemm);
/* Reports the chosen tile shape and the cost of the others if --explain is given (gemm_explain.c).
 */
void qn_gemm_explain(qn_loops *lo, const qn_gemm_plan *plan);
/* Completes the plan. Returns QN_LIMIT, reported, if the packed weights exceed 2 GiB. */
QN_NODISCARD qn_status qn_gemm_plan_make(qn_loops *lo, const qn_gemm *gemm, qn_gemm_plan *out_plan);
/* Checks `bytes` of packed weights against that limit. */
QN_NODISCARD qn_status qn_gemm_check_size(qn_loops *lo, const qn_gemm_plan *plan, int64_t bytes);
void qn_gemm_plan_deinit(qn_gemm_plan *plan);

#endif

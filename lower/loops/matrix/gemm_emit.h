/* Code generation of matrix products: the loops over tiles (gemm_emit.c), and the micro-kernels
 * inside them, one per combination of element types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_EMIT_H
#define QN_LOWER_LOOPS_GEMM_EMIT_H

#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/matrix/gemm.h"
#include "lower/loops/vec.h"

enum { QN_GEMM_ACCUMULATORS = 32 };

/* The MR x NR accumulators of a register tile. */
typedef struct qn_gemm_accumulators {
  int64_t rows;
  uint32_t vectors;
  qn_value *at[QN_GEMM_ACCUMULATORS]; /* [row][vector] */
} qn_gemm_accumulators;

/* The first pixel of an M tile: its base in x, the offset of its results in y, their linear index
 * without padding, and the pixel's index in its row. The values for a whole row have no pixel
 * index. */
typedef struct qn_gemm_cursor {
  qn_value *x, *y, *element, *pixel;
} qn_gemm_cursor;

/* A software prefetch of a register tile: `step` elements with every K step (gemm_runs.h). */
typedef struct qn_gemm_prefetch {
  qn_value *memref, *index;
  int64_t step;
} qn_gemm_prefetch;
enum { QN_GEMM_PREFETCHES = 4 };

typedef struct qn_gemm_emitter {
  const qn_gemm_plan *plan;
  const qn_target *target;
  qn_kernel *k;
  qn_builder *b;
  qn_value *x, *weights, *offsets, *params, *table,
      *y;                       /* kernel arguments; NULL if the kernel lacks it */
  qn_value *more[QN_GEMM_MORE]; /* the buffers qn_gemm.more; NULL if there are none */
  qn_value *base;               /* base of weights that are stored as bytes (compact.h); NULL: 0 */
  qn_value *panel_of; /* scratch for the widened panel of a tile; NULL: widened in registers */
  qn_value *x_sum;    /* sum of x in all lanes if channels are paired (channel_pairs.c), or NULL */
  qn_value *source, *bias, *quads; /* arguments of the packing kernel */
  qn_value *row_sums; /* row sums that compensate the zero point of runtime weights; NULL if none */
  qn_value *scratch;  /* kernel-local scratch; NULL if none */
  qn_producer_source source_of_x; /* fused producer of x, which computes `chunk` rows at a time */
  qn_value *producer[QN_PRODUCER_BUFFERS];
  qn_value
      *first; /* row index of the first row in the scratch of the fused producer; NULL: row 0 */
  /* Parameters of the current N tile that are loaded before its pixels (qn_gemm_micro.load). */
  qn_value *tile_start;
  qn_epilogue_params tile_params;
  uint32_t post_op_args;
  bool has_halo; /* y has other elements between results, and post-ops need indices without them */
  const qn_type *i8, *i16, *i32;
  /* current segment, and the tile of the current iteration */
  const qn_gemm_segment *segment;
  const qn_gemm_tile *shape; /* first tile of the segment */
  qn_value *fields[QN_TILE_FIELDS];
  qn_value *panel; /* index of the N tile */
  qn_value *row,
      *tile; /* index of the row of pixels; index of the M tile in it, counted after tiles_before */
  int64_t tiles_before;
  qn_gemm_cursor at; /* first pixel of the M tile */
  qn_gemm_prefetch prefetches[QN_GEMM_PREFETCHES];
  uint32_t prefetch_count;
  int64_t chunk; /* work items of a cache block: all N tiles run over it before the next block; 0:
                    all work items */
  /* row wrap: offsets of each pixel in x and y; NULL: equally spaced */
  qn_value *pixel_x[QN_GEMM_ACCUMULATORS], *pixel_y[QN_GEMM_ACCUMULATORS];
} qn_gemm_emitter;

/* A bound of a range: `known` at compile time if `value` is NULL, else the runtime value. */
typedef struct qn_gemm_bound {
  int64_t known;
  qn_value *value;
} qn_gemm_bound;

/* Micro-kernel interface: code of a register tile for one combination of element types. The loops
 * around it are the same for all. */
typedef struct qn_gemm_micro {
  const char *name;   /* name for --explain: register unit and element type */
  uint32_t sum_bytes; /* bytes of an accumulator; determines the lanes per vector */
  bool chunks; /* supports cache blocking: if panels are small, x and y beyond L2 are read and
                  written once */
  /* Returns why it does not support the product; NULL if it does. No hook: it supports every
   * product. */
  const char *(*problem)(const qn_gemm *gemm, const qn_target *target);
  const qn_dot *(*dot)(const qn_target *target); /* its byte dot product; NULL for other types */
  bool merges;                                   /* supports merged groups (qn_gemm.merged) */
  bool halves;       /* supports vectors of half the width (qn_gemm_lanes) */
  uint32_t columns;  /* number of its own columns in the tile table */
  bool by_pairs;     /* pairs of consecutive quads cover x, for products of blocks */
  int64_t step_taps; /* weights per channel and K step; 0: `steps` gives the number of steps */
  int64_t (*steps)(const qn_gemm *gemm); /* number of K steps; NULL: tap_count / step_taps */
  /* Maximum MR for an NR of `vectors` vectors without register spills. */
  int64_t (*most_rows)(const qn_gemm *gemm, const qn_target *target, uint32_t vectors);
  /* Maximum MR if the results of a tile are computed during the products of the next one, which its
   * `run` then does; 0: that is not possible or does not pay. NULL: always 0. */
  int64_t (*overlapped_rows)(const qn_gemm *gemm, const qn_target *target,
                             const qn_gemm_tile *tile);
  /* Cycles per K step of a tile: the maximum of multiplication throughput, load throughput and
   * dependency latency. */
  double (*step_cycles)(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                        uint32_t vectors);
  /* Returns the MR that computes a row of `pixels` fastest, and its cycles per K step of the whole
   * row. Unless `unit` is 0, `unit` must be a multiple of MR. NULL: MR is searched up to most_rows.
   */
  int64_t (*choose_rows)(const qn_gemm *gemm, const qn_target *target, uint32_t vectors,
                         int64_t pixels, int64_t unit, double *out_cycles);
  double (*finish_cycles)(const qn_target *target,
                          uint32_t vectors); /* cycles of the epilogue per pixel */
  bool wraps_rows;     /* supports row wrap: pixels of a tile may be in two image rows (pixel_x,
                          pixel_y) */
  bool row_padding_ok; /* supports row wrap for equally spaced pixels if padding pixels between rows
                          are computed and discarded */
  /* Estimates the packing of the weights at each tile width, in its own format; returns NULL if
   * their values are not known. No hook: the cost does not depend on the weights. */
  const void *(*estimate)(qn_arena *scratch, const qn_target *target, const qn_gemm *gemm);
  /* Emits a kernel that computes the row sums of x and returns its buffer; NULL if none are needed.
   * No hook: never needed. */
  qn_value *(*row_sums)(qn_loops *lo, const qn_gemm *gemm);
  /* Selects the epilogue of each tile, after tiling. NULL: there is only one epilogue. */
  void (*choose)(const qn_gemm *gemm, qn_gemm_plan *plan);
  /* Fills the plan's constants, and the tiles' fields that refer to them. */
  qn_status (*pack)(qn_loops *lo, qn_gemm_plan *plan);
  const qn_type *(*panel)(const qn_gemm *gemm,
                          qn_ir_context *cx); /* element type of packed weights */
  /* Emits the runtime packing of the tile's panel from the source. */
  void (*pack_tile)(qn_gemm_emitter *e);
  void (*open)(qn_gemm_emitter *e); /* start of the kernel; NULL if not needed */
  void (*load)(qn_gemm_emitter *e); /* start of an N tile, before its pixels; NULL if not needed */
  /* Emits blocks [lower, upper) of segment->rows pixels each, counted over all rows of pixels,
   * whose length is a multiple of a block (qn_gemm_block_at). Returns false and emits nothing if
   * the loops should call the next three hooks per tile. NULL: always false. */
  bool (*run)(qn_gemm_emitter *e, qn_gemm_bound lower, qn_gemm_bound upper);
  /* One register tile: initial accumulators, all K steps, epilogue and stores. */
  void (*start)(qn_gemm_emitter *e, qn_gemm_accumulators *sums);
  void (*multiply)(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x);
  void (*finish)(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_gemm_cursor at);
} qn_gemm_micro;

extern const qn_gemm_micro qn_gemm_floats, qn_gemm_doubles; /* f32, f64 (gemm_floats.c) */

/* ---- cache blocking over M: all N tiles of a few work items, then the next items
 * (chunks/chunks.c) ---- */

/* Whether x and y together exceed L2. */
bool qn_gemm_exceeds_l2(const qn_gemm_emitter *e);
/* Work items per cache block; 0: one block. */
int64_t qn_gemm_chunk_units(const qn_gemm_emitter *e);

/* ---- fused producer: x is computed in the kernel, one cache block at a time (chunks/fused_rows.c)
 * ---- */

/* Whether producer fusion is faster than a separate kernel of `from` that writes all of x
 * (schedule.h: takes). */
bool qn_fused_rows_pays(const qn_loops *lo, const qn_gemm *gemm, const qn_op *from);
/* Called before the kernel begins: opens the producer of x. */
QN_NODISCARD qn_status qn_fused_rows_open(qn_loops *lo, qn_gemm_emitter *e);
/* Called at the start of the kernel. */
void qn_fused_rows_begin(qn_loops *lo, qn_gemm_emitter *e);
/* Called at the start of a cache block: computes the producer's rows of this block, which are the
 * kernel's work items. */
void qn_fused_rows_make(qn_gemm_emitter *e);
/* Offset of row `row` in the scratch of the fused producer. */
qn_value *qn_fused_rows_row(qn_gemm_emitter *e, qn_value *row);
/* Prefetch of the source rows of the next cache block, spread over its M tiles, `tiles_of_row` per
 * row. Returns the first element of the current tile's share, and stores its length in
 * *out_elements. */
qn_value *qn_fused_rows_prefetch_source(qn_gemm_emitter *e, int64_t tiles_of_row,
                                        int64_t *out_elements);

/* ---- for the micro-kernels (gemm_emit.c) ---- */

/* For `pack`: stores packed int16 weights as bytes if the target asks for that. */
void qn_gemm_store_compactly(const qn_loops *lo, qn_gemm_plan *plan);
/* `count` packed weights from index + offset, widened if they are stored as bytes. */
qn_value *qn_gemm_load_weights(qn_gemm_emitter *e, qn_value *index, int64_t offset, int64_t count);
/* Maximum MR such that registers hold the accumulators, the weights of a K step, one factor of x
 * and `more` other values. */
int64_t qn_gemm_rows_in_registers(const qn_target *target, uint32_t vectors, int64_t more);
/* Cycles of a K step: the maximum of product throughput (`product` cycles each), load throughput of
 * weights and of one factor of x per pixel, dependency latency (`latency`), and the load of its
 * weights from a panel of `steps` steps. */
double qn_gemm_step_cycles(const qn_target *target, int64_t rows, uint32_t vectors, double product,
                           double latency, int64_t steps);
/* Cycles to load the `bytes` of weights of a K step: from L2 if the panel exceeds half of L1d. */
double qn_gemm_weight_cycles(const qn_target *target, double bytes, double panel_bytes);
static inline int64_t qn_gemm_pixel_count(const qn_gemm *gemm) {
  return gemm->counts[0] * gemm->counts[1] * gemm->counts[2];
}
/* Whether the product is bound by reading weights: a vector of weights is multiplied with all
 * pixels, `product` cycles each, before the next one can arrive from beyond L2. There is no
 * software prefetch then, because the hardware prefetcher keeps up and prefetch instructions cost
 * time. */
static inline bool qn_gemm_is_memory_bound(const qn_gemm *gemm, double product) {
  return (double)qn_gemm_pixel_count(gemm) * product <= 1;
}

/* The tile-table column of the first unpacked weight (runtime packing). */
static inline qn_tile_field qn_gemm_source_field(const qn_gemm *gemm) {
  return (qn_tile_field)(QN_TILE_OWN + gemm->micro->columns);
}

static inline qn_gemm_bound qn_gemm_known(int64_t value) { return (qn_gemm_bound){value, NULL}; }
qn_value *qn_gemm_bound_value(qn_gemm_emitter *e, qn_gemm_bound bound);

/* The first pixel of a block of qn_gemm_micro.run. */
qn_gemm_cursor qn_gemm_block_at(qn_gemm_emitter *e, qn_value *block);

/* Whether a field is equal for all tiles of the segment; and its value as a range bound. */
bool qn_gemm_field_is_constant(const qn_gemm_emitter *e, qn_tile_field field);
qn_gemm_bound qn_gemm_field(const qn_gemm_emitter *e, qn_tile_field field);

static inline qn_value *qn_gemm_add(qn_gemm_emitter *e, qn_value *lhs, qn_value *rhs) {
  return qn_build_binary(e->b, QN_OP_ARITH_ADDI, lhs, rhs);
}

#endif

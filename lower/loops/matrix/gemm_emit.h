/* Inside the schedule of matrix products: the loops over tiles (gemm_emit.c) and the micro-kernels
 * in them, which differ by the types of the elements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_EMIT_H
#define QN_LOWER_LOOPS_GEMM_EMIT_H

#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/matrix/gemm.h"
#include "lower/loops/vec.h"

enum { QN_GEMM_ACCUMULATORS = 32 };

/* The sums of a tile of pixels and channels, in registers. */
typedef struct qn_gemm_accumulators {
  int64_t rows;
  uint32_t vectors;
  qn_value *at[QN_GEMM_ACCUMULATORS]; /* [row][vector] */
} qn_gemm_accumulators;

/* A pixel: its base in x, where its results go, their linear number without a border, and its own
 * number in the row; of a row no number. */
typedef struct qn_gemm_cursor {
  qn_value *x, *y, *element, *pixel;
} qn_gemm_cursor;

/* A software prefetch of a register tile: `step` elements with every K step (gemm_runs.h). */
typedef struct qn_gemm_prefetch {
  qn_value *memref, *index;
  int64_t step;
} qn_gemm_prefetch;
enum { QN_GEMM_PREFETCHES = 3 };

typedef struct qn_gemm_emitter {
  const qn_gemm_plan *plan;
  const qn_target *target;
  qn_kernel *k;
  qn_builder *b;
  qn_value *x, *weights, *offsets, *params, *table, *y; /* arguments; NULL: the kernel has none */
  qn_value *source, *bias, *quads;                      /* of the kernel that packs */
  qn_value *row_sums; /* what the sums of a row of x have besides their products; NULL: nothing */
  qn_value *scratch;  /* of the kernel's own; or NULL */
  qn_producer_source source_of_x; /* where x is made in the kernel, of `chunk` rows */
  qn_value *producer[QN_PRODUCER_BUFFERS];
  qn_value *first; /* row of x that is at its beginning; NULL: the first of all */
  uint32_t post_op_args;
  bool has_halo; /* y has a border, and post-ops need the numbers of elements without it */
  const qn_type *i8, *i16, *i32;
  /* the segment, and the tile of the current iteration */
  const qn_gemm_segment *segment;
  const qn_gemm_tile *shape; /* first tile of the segment */
  qn_value *fields[QN_TILE_FIELDS];
  qn_value *panel; /* number of the tile of channels */
  qn_value *row,
      *tile; /* of pixels: numbers of the row, and of the tile in it, from those before */
  int64_t tiles_before;
  qn_gemm_cursor at; /* of the tile of pixels */
  qn_gemm_prefetch prefetches[QN_GEMM_PREFETCHES];
  uint32_t prefetch_count;
  int64_t chunk; /* units whose channels are all computed before the next ones; 0: all units */
  /* where the tile's pixels are in x and y, if a row may end before; NULL: equally spaced */
  qn_value *pixel_x[QN_GEMM_ACCUMULATORS], *pixel_y[QN_GEMM_ACCUMULATORS];
} qn_gemm_emitter;

/* A range whose ends are known now (value NULL) or when the kernel runs. */
typedef struct qn_gemm_bound {
  int64_t known;
  qn_value *value;
} qn_gemm_bound;

/* What a tile computes with the elements of one pair of types. The loops around it know nothing of
 * them. */
typedef struct qn_gemm_micro {
  const char *name;   /* what its sums are in, and which they are */
  uint32_t sum_bytes; /* of a sum: as many are in a vector */
  bool chunks; /* large x and y are read and written once, in chunks, where panels are small */
  /* Why it can't compute the product; NULL: it can. The hook NULL: always. */
  const char *(*problem)(const qn_gemm *gemm, const qn_target *target);
  const qn_dot *(*dot)(const qn_target *target); /* of bytes, how it multiplies them; or NULL */
  bool parts; /* requantizes between products, which more instructions than that would hold up */
  uint32_t columns;  /* of the tile table, its own */
  int64_t step_taps; /* weights of a channel that one step takes; 0: by `steps` */
  int64_t (*steps)(const qn_gemm *gemm); /* how many there are; NULL: by the number of taps */
  /* Most pixels of a tile of `vectors` vectors such that nothing is spilled. */
  int64_t (*most_rows)(const qn_gemm *gemm, const qn_target *target, uint32_t vectors);
  /* Cycles per step of a tile: what bounds it of multiplications, loads, and the latency of a
   * chain. */
  double (*step_cycles)(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                        uint32_t vectors);
  /* The pixels of a tile with which a row of them is done first, and the cycles per step of the
   * row. `unit`: what must divide into such tiles, unless 0. NULL: the best number up to the most.
   */
  int64_t (*choose_rows)(const qn_gemm *gemm, const qn_target *target, uint32_t vectors,
                         int64_t pixels, int64_t unit, double *out_cycles);
  double (*finish_cycles)(const qn_target *target, uint32_t vectors); /* per pixel */
  bool wraps_rows;     /* pixels of a tile may be of two rows: pixel_x and pixel_y of the emitter */
  bool row_padding_ok; /* they may be, if equally spaced, with some between that are none */
  /* What the weights cost in tiles of each width, in a form of its own. NULL: the same in all. */
  const void *(*estimate)(qn_loops *lo, const qn_gemm *gemm);
  /* Emits a kernel of what sums of a row of x have besides their products; returns what it fills,
   * or NULL: nothing. The hook NULL: never anything. */
  qn_value *(*row_sums)(qn_loops *lo, const qn_gemm *gemm);
  /* Once tiles are cut: chooses their epilogues. NULL: there is one only. */
  void (*choose)(const qn_gemm *gemm, qn_gemm_plan *plan);
  /* Fills the plan's constants, and what tiles have of them. */
  qn_status (*pack)(qn_loops *lo, qn_gemm_plan *plan);
  const qn_type *(*panel)(const qn_gemm *gemm, qn_ir_context *cx); /* elements of packed weights */
  /* Packs the tile's panel from the source, when the kernel runs. */
  void (*pack_tile)(qn_gemm_emitter *e);
  void (*open)(
      qn_gemm_emitter *e); /* at the beginning of the kernel; NULL: there is nothing to do */
  /* Blocks [lower, upper) of as many pixels as the segment says, counted over all rows, which are
   * integers of them (qn_gemm_block_at); false, and nothing is emitted: one by one, by the
   * next three. NULL: always so. */
  bool (*run)(qn_gemm_emitter *e, qn_gemm_bound lower, qn_gemm_bound upper);
  /* The kernel of one tile: the values that sums begin with, all products, results. */
  void (*start)(qn_gemm_emitter *e, qn_gemm_accumulators *sums);
  void (*multiply)(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x);
  void (*finish)(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_gemm_cursor at);
} qn_gemm_micro;

extern const qn_gemm_micro qn_gemm_floats, qn_gemm_doubles; /* f32, f64 (gemm_floats.c) */

/* ---- chunks: all channels of a few units, then the next ones (chunks/chunks.c) ---- */

/* Whether x and y together exceed L2. */
bool qn_gemm_exceeds_l2(const qn_gemm_emitter *e);
/* Units of a chunk; 0: all of them are one. */
int64_t qn_gemm_chunk_units(const qn_gemm_emitter *e);

/* ---- x whose rows another op makes in the kernel, chunk by chunk (chunks/fused_rows.c) ---- */

/* Whether that takes less time than to have `from` write all of x first (schedule.h: takes). */
bool qn_fused_rows_pays(const qn_loops *lo, const qn_gemm *gemm, const qn_op *from);
/* Before the kernel begins: what x is made of. */
QN_NODISCARD qn_status qn_fused_rows_open(qn_loops *lo, qn_gemm_emitter *e);
/* At the beginning of the kernel. */
void qn_fused_rows_begin(qn_loops *lo, qn_gemm_emitter *e);
/* At the beginning of a chunk: its rows, which are the kernel's units now. */
void qn_fused_rows_make(qn_gemm_emitter *e);
/* Where a row of the chunk is. */
qn_value *qn_fused_rows_row(qn_gemm_emitter *e, qn_value *row);
/* The share of one M tile, of `tiles_of_row` per row, in prefetching the source rows of the next
 * chunk: first element, and in `out_elements` how many. */
qn_value *qn_fused_rows_prefetch_source(qn_gemm_emitter *e, int64_t tiles_of_row,
                                        int64_t *out_elements);

/* ---- for the micro-kernels (gemm_emit.c) ---- */

/* Most pixels of a tile of `vectors` such that the sums, the weights of a step, a factor of x and
 * `more` are in registers. */
int64_t qn_gemm_rows_in_registers(const qn_target *target, uint32_t vectors, int64_t more);
/* Cycles of a step that loads its weights, and a factor of x per pixel, and makes and adds a
 * product per sum: what bounds it of products, each so many cycles, loads, and the latency of a
 * chain of them; and its weights, of so many steps in a panel. */
double qn_gemm_step_cycles(const qn_target *target, int64_t rows, uint32_t vectors, double product,
                           double latency, int64_t steps);
/* Cycles to load the `bytes` of weights of a K step. A panel of more than half of L1d is loaded
 * from L2. */
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

/* The column of the source. */
static inline qn_tile_field qn_gemm_source_field(const qn_gemm *gemm) {
  return (qn_tile_field)(QN_TILE_OWN + gemm->micro->columns);
}

static inline qn_gemm_bound qn_gemm_known(int64_t value) { return (qn_gemm_bound){value, NULL}; }
qn_value *qn_gemm_bound_value(qn_gemm_emitter *e, qn_gemm_bound bound);

/* The first pixel of such a block. */
qn_gemm_cursor qn_gemm_block_at(qn_gemm_emitter *e, qn_value *block);

/* Whether a field is the same for all tiles of the segment, and its value as the end of a range. */
bool qn_gemm_field_is_constant(const qn_gemm_emitter *e, qn_tile_field field);
qn_gemm_bound qn_gemm_field(const qn_gemm_emitter *e, qn_tile_field field);

static inline qn_value *qn_gemm_add(qn_gemm_emitter *e, qn_value *lhs, qn_value *rhs) {
  return qn_build_binary(e->b, QN_OP_ARITH_ADDI, lhs, rhs);
}

#endif

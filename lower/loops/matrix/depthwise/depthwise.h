/* Depthwise convolution with channel multiplier 1: vectors run over channels.
 *
 * The bytes of several taps are interleaved, so that one instruction multiplies and adds them, in
 * one of three forms. Channels are cut into blocks of two or four accumulator vectors; the last
 * block overlaps the one before it rather than leaving the tensor, and stores only what is new.
 * With a horizontal stride of 1, neighbouring pixels of few channels are merged and stand for one
 * pixel of more channels.
 *
 * Weights that are not constant are packed by a kernel before (packing.c), after the
 * initial accumulators of their block.
 *
 * The schedules: taps (taps.c; the nibbles in nibbles.c), for all kernels, one output row at a
 * time; and columns (columns.c), for kernels of up to four rows with byte dot products: four rows
 * of x are interleaved once per column and serve several output rows and all output pixels that
 * they touch.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_DEPTHWISE_H
#define QN_LOWER_LOOPS_DEPTHWISE_H

#include "lower/loops/matrix/conv.h"
#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/matrix/pack.h"

enum {
  QN_DEPTHWISE_GROUP = 4,   /* most taps of a product, and accumulator vectors of a block */
  QN_DEPTHWISE_COLUMNS = 7, /* widest kernel of the schedule by columns */
  QN_DEPTHWISE_PIXELS = 2,  /* of a row, most that are made at once */
};

struct qn_depthwise_form;

/* One candidate kernel, with its cost. */
typedef struct qn_depthwise_variant {
  const struct qn_depthwise_form *form;
  bool by_columns;
  uint32_t group;      /* taps of a product: 4, 2 or 1 */
  uint32_t vectors;    /* accumulators of a block: 4 or 2 */
  uint32_t out_rows;   /* made at once */
  int64_t pixels;      /* of a row that are made at once, */
  int64_t merged;      /* each of so many that are one step */
  double cycles;       /* of all of the convolution, by the model of costs */
  const char *problem; /* why it can't be had; or NULL */
} qn_depthwise_variant;

enum { QN_DEPTHWISE_WAYS = 20 };
typedef struct qn_depthwise_variants {
  qn_depthwise_variant of[QN_DEPTHWISE_WAYS];
  uint32_t count;
} qn_depthwise_variants;

/* One tap, or the rest of one whose weights exceed what an instruction takes. */
typedef struct qn_depthwise_tap {
  int64_t ky, kx;
  const int32_t *weights; /* [channel of x]; NULL: not constant */
} qn_depthwise_tap;

/* What one instruction multiplies: each interleaved tap; NULL: none. */
typedef struct qn_depthwise_product {
  const qn_depthwise_tap *taps[QN_DEPTHWISE_GROUP];
} qn_depthwise_product;

typedef struct qn_depthwise_block {
  int64_t channel; /* first one of the vectors */
  int64_t width;   /* channels of the vectors */
  int64_t skip;    /* leading channels that are already stored */
  int64_t valid;   /* channels up to the end, at most width */
  qn_epilogue_kind kind;
} qn_depthwise_block;

typedef struct qn_depthwise {
  qn_op *op;
  qn_conv_shape shape;
  qn_conv_frame frame;
  const qn_weights *weights;
  const qn_epilogue *epilogue;
  const qn_dot *dot;              /* that the variant multiplies with */
  qn_depthwise_variant variant;   /* the selected one, */
  qn_depthwise_variants variants; /* all candidates */
  int64_t channels;               /* merged * shape.channels */
  qn_depthwise_tap *taps;         /* in the order of ky, then kx */
  uint32_t tap_count;
  qn_depthwise_product
      *products; /* taps: group after group; columns: [output row][tap of ky 0 ...] */
  uint32_t product_count;
  const int32_t *column_kx; /* columns: kx of each product of an output row */
  uint32_t row_products;    /* their number */
  /* groups: for each product, whether its sum of 16 bits ends with it; and how many such sums */
  const bool *ends;
  uint32_t group_count;
  qn_depthwise_block *blocks; /* in the order of processing */
  uint32_t block_count;
  qn_byte_array packed; /* [block][product][vector][lane][tap]: s8 or i16; nibbles: [block][product]
                           [half of the channels of each 128 bits][low, high][channel][tap];
                           groups: [block][product][channel] */
  int64_t packed_elements; /* of runtime weights, with their initial accumulators */
  qn_i32_array params, channel_table, offsets;
} qn_depthwise;

/* Chooses the schedule, cuts channels and taps, packs the constants (plan.c). */
void qn_depthwise_plan(qn_loops *lo, qn_op *op, const qn_weights *weights,
                       const qn_epilogue *epilogue, qn_depthwise *out_plan);
void qn_depthwise_deinit(qn_depthwise *plan);

/* ---- forms of products (variants.c) ---- */

struct qn_depthwise_emitter;
struct qn_depthwise_pixels;

/* How taps are multiplied. Numbers are operations on vectors where nothing else is said. */
typedef struct qn_depthwise_form {
  const char *name;
  /* The record that it multiplies with; NULL: the target has none. */
  const qn_dot *(*dot)(const qn_target *target);
  /* Why it can't be had with that; NULL: it can. */
  const char *(*problem)(const qn_depthwise *d);
  uint32_t group, vectors; /* as a variant has them */
  bool columns;            /* it has a schedule by columns, beside that by taps */
  bool splits;             /* weights that a factor does not hold take further taps */
  int64_t parts;           /* vectors of weights for one of inputs */
  int64_t registers;       /* by taps, of a pixel: sums and inputs */
  double load;             /* of a tap, beside the load and what flips i8 */
  double interleave;       /* of all taps of a product */
  double add, finish;      /* of a vector of sums: a product, and what comes after the last one */
  double widen;            /* of a vector of sums: a group's sum */
  /* Puts taps in the order of products, once they are listed. NULL: as they are. */
  void (*order)(qn_loops *lo, qn_depthwise *d);
  void (*pack)(qn_depthwise *d, const qn_depthwise_block *block);
  /* By taps: the products of all, added to the sums of pixels. */
  void (*multiply)(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
} qn_depthwise_form;

/* By products of the target, of constant weights or not (taps.c); as two nibbles (nibbles.c); one
 * tap after the other, summed in groups (groups.c). */
void qn_depthwise_products(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
void qn_depthwise_nibbles(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
void qn_depthwise_groups(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
void qn_depthwise_pack_products(qn_depthwise *d, const qn_depthwise_block *block);
void qn_depthwise_pack_nibbles(qn_depthwise *d, const qn_depthwise_block *block);
void qn_depthwise_pack_groups(qn_depthwise *d, const qn_depthwise_block *block);
void qn_depthwise_order_groups(qn_loops *lo, qn_depthwise *d);
/* Why they can't have the weights; or NULL. */
const char *qn_depthwise_no_nibbles(const qn_weights *weights);
const char *qn_depthwise_no_groups(const qn_weights *weights);

/* The weight of a tap of a product for the channel at `at` of the block; 0 for padding. */
int32_t qn_depthwise_weight(const qn_depthwise *d, const qn_depthwise_block *block,
                            uint32_t product, uint32_t tap, int64_t at);

/* ---- variants (variants.c) ---- */

/* One for each form in each of its schedules: what their variants have in common, or why there are
 * none. */
qn_depthwise_variants qn_depthwise_begin(const qn_depthwise *d, const qn_target *target);
/* Adds those of `d`, whose variant has begun and whose products are known; returns the one that
 * costs least, NULL if there are none. */
const qn_depthwise_variant *qn_depthwise_list(const qn_depthwise *d, const qn_target *target,
                                              qn_depthwise_variants *io_variants);
/* Channels of the block behind `done` of so many, those of merged pixels counted. */
int64_t qn_depthwise_width(const qn_target *target, const qn_depthwise_variant *variant,
                           int64_t channels, int64_t done);
/* Columns from one pixel to the next: the kernel's column kx at a pixel is column kx - advance at
 * the next one. */
int64_t qn_depthwise_advance(const qn_conv_shape *shape, int64_t merged);
/* Columns that the next pixel needs again. */
int64_t qn_depthwise_carried(const qn_conv_shape *shape, int64_t merged);
/* Reports the selected variant, and the costs of the others. */
void qn_depthwise_explain(qn_loops *lo, const qn_depthwise *d);

/* ---- in the kernel (vectors.c) ---- */

enum { QN_DEPTHWISE_POST_OPS = 6 /* the first argument that post-ops read */ };

/* Where a step reads and stores, and the linear number of its first result without a border. */
typedef struct qn_depthwise_cursor {
  qn_value *x, *y, *element;
} qn_depthwise_cursor;

typedef struct qn_depthwise_emitter {
  const qn_depthwise *d;
  qn_kernel *k;
  qn_builder *b;
  qn_value *x, *packed, *params, *channel_table, *offsets, *y;
  bool has_halo; /* y has a border, and post-ops need the numbers of elements without it */
  const qn_type *i8, *i16, *i32;
  /* the current block */
  const qn_depthwise_block *block;
  qn_value *starts_at, *weights_at, *params_at; /* where its constants begin */
  qn_value *source, *bias;                      /* of the kernel that packs */
} qn_depthwise_emitter;

/* The block's bytes from index + offset on, 0 after the last channel. */
qn_value *qn_depthwise_bytes(qn_depthwise_emitter *e, qn_value *memref, qn_value *index,
                             int64_t offset);

/* The block's channels of x from index + offset on, as bytes for the products or extended. */
qn_value *qn_depthwise_load(qn_depthwise_emitter *e, qn_value *index, int64_t offset);
/* Interleaves the channels of `group` taps: out[vector] has all taps of its channels. */
void qn_depthwise_interleave(qn_depthwise_emitter *e, qn_value *const *taps, qn_value **out);
/* The first value of an accumulator. */
qn_value *qn_depthwise_start(qn_depthwise_emitter *e, uint32_t vector);
/* An accumulator's weights of the product at index + offset, and the sum with one more product. */
qn_value *qn_depthwise_weights(qn_depthwise_emitter *e, uint32_t vector, qn_value *index,
                               int64_t offset);
qn_value *qn_depthwise_add(qn_depthwise_emitter *e, qn_value *acc, qn_value *input,
                           qn_value *weights);
/* Requantizes an accumulator of `count` pixels. */
void qn_depthwise_requantize(qn_depthwise_emitter *e, uint32_t vector, qn_value **acc,
                             uint32_t count);
/* Narrows and stores the results of one pixel; `y` and `element` as in the row function, plus the
 * offsets. */
void qn_depthwise_store(qn_depthwise_emitter *e, qn_value *const *results, qn_depthwise_cursor at,
                        int64_t y_offset, int64_t element_offset);
/* The channel of a lane, relative to the block: pairs of bytes are interleaved within 128 bits. */
static inline int64_t qn_depthwise_lane_channel(uint32_t vectors, uint32_t vector, int64_t lane) {
  return 4 * (int64_t)vectors * (lane / 4) + 4 * (int64_t)vector + lane % 4;
}
/* Elements of weights of one product. */
static inline int64_t qn_depthwise_stride(const qn_depthwise_emitter *e) {
  return e->block->width * e->d->variant.group * e->d->variant.form->parts;
}

/* Elements of `packed` that the initial accumulators of a block take: none where they are constant.
 */
static inline int64_t qn_depthwise_start_elements(const qn_depthwise *d,
                                                  const qn_depthwise_block *block) {
  return d->weights->constant ? 0 : d->variant.vectors * block->width;
}
/* All elements of a block. */
static inline int64_t qn_depthwise_block_elements(const qn_depthwise *d,
                                                  const qn_depthwise_block *block) {
  return qn_depthwise_start_elements(d, block) +
         block->width * d->variant.group * d->variant.form->parts * d->product_count;
}
/* What is added to bytes of x before they are multiplied. */
static inline int32_t qn_depthwise_offset(const qn_depthwise *d) {
  return qn_dot_offset(d->dot, d->weights->x_unsigned);
}
static inline const qn_type *qn_depthwise_element(const qn_depthwise *d, qn_ir_context *cx) {
  return qn_type_i(cx, 8 * d->dot->bytes);
}

/* Calls `block` for each run of blocks of equal shape, in a loop over them; e->block and where the
 * constants begin are set. */
typedef void qn_depthwise_block_fn(qn_depthwise_emitter *e, void *user, qn_value *channel);
void qn_depthwise_each_block(qn_depthwise_emitter *e, qn_depthwise_block_fn *block, void *user);
/* Builds the kernel that packs; returns what it fills. */
qn_value *qn_depthwise_packing(qn_loops *lo, const qn_depthwise *d);

/* The place `steps` times these strides further. */
qn_depthwise_cursor qn_depthwise_move(qn_depthwise_emitter *e, qn_depthwise_cursor from,
                                      qn_value *steps, int64_t x_stride, int64_t y_stride,
                                      int64_t element_stride);

/* All steps of the current block in the output row (taps) or rows (columns) that begin at a place.
 * `rows`: how many, at most out_rows. */
typedef void qn_depthwise_row_fn(qn_depthwise_emitter *e, uint32_t rows, qn_depthwise_cursor at);
qn_depthwise_row_fn qn_depthwise_columns_row, qn_depthwise_taps_row;

/* The 16-bit lane of a half that holds a channel, relative to the block (nibbles.c). */
static inline int64_t qn_depthwise_nibble_channel(int64_t half, int64_t lane) {
  return lane / 8 * 16 + half * 8 + lane % 8;
}
/* w = 16 * high + low, -8 <= low < 8. */
static inline int32_t qn_depthwise_low(int32_t weight) { return ((weight + 8) & 15) - 8; }
/* Pixels of a row that are made at once, by taps. */
typedef struct qn_depthwise_pixels {
  int64_t count;
  qn_value *x[QN_DEPTHWISE_PIXELS];                         /* where each begins */
  qn_value *sums[QN_DEPTHWISE_PIXELS * QN_DEPTHWISE_GROUP]; /* [pixel][vector] */
} qn_depthwise_pixels;
/* Tap t of the list in `offsets`: loads it unless `previous` has read the same bytes. */
qn_value *qn_depthwise_tap_at(qn_depthwise_emitter *e, qn_value *x, uint32_t t, qn_value *previous);

#endif

/* Depthwise convolution with channel multiplier 1, vectorized over channels.
 *
 * The bytes of several taps are interleaved, so that one instruction multiplies and adds them, in
 * one of three product forms. Channels are split into blocks of two or four accumulator vectors.
 * The last block overlaps the one before it, so that no access leaves the tensor, and stores only
 * the channels that are new. With a horizontal stride of 1, neighbouring pixels of few channels are
 * merged and treated as one pixel of more channels.
 *
 * Runtime weights are packed by a separate kernel (packing.c), after the initial accumulators of
 * their block.
 *
 * Schedules: tap-wise (taps.c, nibbles.c), for all kernel sizes, one output row at a time;
 * column-wise (columns.c), for kernels of up to four rows with byte dot products. Column-wise, four
 * rows of x are interleaved once per column and serve several output rows and all output pixels
 * whose windows contain the column.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_DEPTHWISE_H
#define QN_LOWER_LOOPS_DEPTHWISE_H

#include "lower/loops/compact.h"
#include "lower/loops/matrix/conv.h"
#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/matrix/pack.h"

enum {
  QN_DEPTHWISE_GROUP = 4,   /* maximum taps of a product; maximum accumulator vectors of a block */
  QN_DEPTHWISE_COLUMNS = 7, /* maximum kernel width of the column-wise schedule */
  QN_DEPTHWISE_PIXELS = 2,  /* maximum pixels of a row that are computed together */
  QN_DEPTHWISE_BLOCK = 64,  /* maximum channels of a block */
};

struct qn_depthwise_form;

/* One candidate kernel, with its cost. */
typedef struct qn_depthwise_variant {
  const struct qn_depthwise_form *form;
  bool by_columns;
  uint32_t group;      /* taps per product: 4, 2 or 1 */
  uint32_t vectors;    /* accumulator vectors per block: 4 or 2 */
  uint32_t out_rows;   /* output rows computed together */
  int64_t pixels;      /* steps of a row computed together */
  int64_t merged;      /* pixels merged into one step */
  double cycles;       /* estimated cycles of the whole convolution */
  const char *problem; /* reason why it is unsupported; NULL if supported */
} qn_depthwise_variant;

enum { QN_DEPTHWISE_UNROLLED = 8 /* maximum products of the tap-wise schedule without a loop */ };
enum { QN_DEPTHWISE_WAYS = 20 };
typedef struct qn_depthwise_variants {
  qn_depthwise_variant of[QN_DEPTHWISE_WAYS];
  uint32_t count;
} qn_depthwise_variants;

/* One tap of the kernel, or the second part of a tap whose weights exceed the range of the
 * instruction. */
typedef struct qn_depthwise_tap {
  int64_t ky, kx;
  const int32_t *weights; /* [channel of x]; NULL if not constant */
} qn_depthwise_tap;

/* The interleaved taps that one instruction multiplies; NULL: none. */
typedef struct qn_depthwise_product {
  const qn_depthwise_tap *taps[QN_DEPTHWISE_GROUP];
} qn_depthwise_product;

typedef struct qn_depthwise_block {
  int64_t channel; /* first channel of the vectors */
  int64_t width;   /* channels in the vectors */
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
  const qn_dot *dot;              /* dot product of the variant */
  qn_depthwise_variant variant;   /* selected variant */
  qn_depthwise_variants variants; /* all candidates */
  int64_t channels;               /* merged * shape.channels */
  qn_depthwise_tap *taps;         /* [tap_count], ordered by ky, then kx */
  uint32_t tap_count;
  qn_depthwise_product
      *products; /* tap-wise: group after group; column-wise: [output row][tap of ky 0 ...] */
  uint32_t product_count;
  const int32_t *column_kx;   /* column-wise: kx of each product of an output row */
  uint32_t row_products;      /* number of products of an output row */
  const bool *ends;           /* groups: whether a product is the last one of its 16-bit sum */
  uint32_t group_count;       /* groups: number of 16-bit sums */
  qn_depthwise_block *blocks; /* [block_count] in execution order */
  uint32_t block_count;
  qn_byte_array
      packed; /* [block][product][vector][lane][tap] of i8 or i16; nibbles: [block][product][half of
                 the channels of each 128 bits][low, high][channel][tap] */
  qn_compact compact; /* how `packed` is stored; its base is the last parameter */
  bool thin; /* the last product has one tap: its weights, one per channel, follow those of all
                blocks */
  int64_t packed_elements; /* elements of runtime-packed weights, initial accumulators included */
  qn_i32_array params, channel_table, offsets;
} qn_depthwise;

/* Selects the variant, splits channels and taps, packs the constants (plan.c). */
void qn_depthwise_plan(qn_loops *lo, qn_op *op, const qn_weights *weights,
                       const qn_epilogue *epilogue, qn_depthwise *out_plan);
void qn_depthwise_deinit(qn_depthwise *plan);

/* ---- product forms (variants.c) ---- */

struct qn_depthwise_emitter;
struct qn_depthwise_pixels;

/* A candidate way to multiply taps. Costs are vector instructions unless stated otherwise. */
typedef struct qn_depthwise_form {
  const char *name;
  const qn_dot *(*dot)(const qn_target *target); /* its dot product; NULL if the target has none */
  /* Reason why it is unsupported; NULL if supported. d->dot is set. */
  const char *(*problem)(const qn_depthwise *d);
  uint32_t group, vectors; /* as in qn_depthwise_variant */
  bool columns;            /* has a column-wise schedule in addition to the tap-wise one */
  bool splits;             /* weights that a factor cannot hold become several taps */
  int64_t parts;           /* vectors of weights per vector of inputs */
  int64_t registers;       /* tap-wise: registers per pixel for accumulators and inputs */
  double load;             /* cost per tap, in addition to the load and the sign change of i8 */
  double interleave;       /* cost of interleaving the taps of a product */
  double add, finish; /* costs per vector of accumulators: of a product; after the last product */
  double widen;       /* cost per vector of accumulators of adding a group's sum */
  /* Orders the listed taps as products need them; NULL keeps the order of ky, kx. */
  void (*order)(qn_loops *lo, qn_depthwise *d);
  void (*pack)(qn_depthwise *d, const qn_depthwise_block *block);
  /* Tap-wise: adds the products of all taps to the accumulators. */
  void (*multiply)(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
} qn_depthwise_form;

/* Hooks of the forms: interleaved taps (taps.c), two nibbles (nibbles.c), groups (groups.c,
 * with lanes by parity parity.c), single bytes (singles.c). */
void qn_depthwise_products(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
void qn_depthwise_nibbles(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
void qn_depthwise_groups(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
void qn_depthwise_singles(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
void qn_depthwise_pack_products(qn_depthwise *d, const qn_depthwise_block *block);
void qn_depthwise_pack_nibbles(qn_depthwise *d, const qn_depthwise_block *block);
void qn_depthwise_pack_groups(qn_depthwise *d, const qn_depthwise_block *block);
void qn_depthwise_order_groups(qn_loops *lo, qn_depthwise *d);
void qn_depthwise_by_parity(struct qn_depthwise_emitter *e, struct qn_depthwise_pixels *pixels);
/* Reason why the weights are unsupported; NULL if supported. */
const char *qn_depthwise_no_nibbles(const qn_weights *weights);
const char *qn_depthwise_no_groups(const qn_weights *weights);
const char *qn_depthwise_no_singles(const qn_weights *weights);

/* ---- weights (weights.c) ---- */

void qn_depthwise_channels(const qn_depthwise *d, const qn_depthwise_block *block,
                           int64_t *out_channels);
/* The weight of a tap of a product for channel `at` of the block; 0 for padding. */
int32_t qn_depthwise_weight(const qn_depthwise *d, const qn_depthwise_block *block,
                            uint32_t product, uint32_t tap, int64_t at);

/* ---- variants (variants.c) ---- */

/* One variant per product form and schedule, with the fields that all its variants share, or the
 * reason why it is unsupported. */
qn_depthwise_variants qn_depthwise_begin(const qn_depthwise *d, const qn_target *target);
/* Appends the variants of d->variant, whose products are known; returns the cheapest one, NULL if
 * none is supported. */
const qn_depthwise_variant *qn_depthwise_list(const qn_depthwise *d, const qn_target *target,
                                              qn_depthwise_variants *io_variants);
/* Channels of the block that begins at channel `done` of `channels`, both with merged pixels
 * counted. */
int64_t qn_depthwise_width(const qn_target *target, const qn_depthwise_variant *variant,
                           int64_t channels, int64_t done);
/* Columns from one step to the next: column kx of the kernel at one step is column kx - advance at
 * the next. */
int64_t qn_depthwise_advance(const qn_conv_shape *shape, int64_t merged);
/* Columns that the next step reads again. */
int64_t qn_depthwise_carried(const qn_conv_shape *shape, int64_t merged);
/* Reports the selected variant and the cycles of the others, for --explain. */
void qn_depthwise_explain(qn_loops *lo, const qn_depthwise *d);

/* ---- in the kernel (vectors.c) ---- */

enum { QN_DEPTHWISE_POST_OPS = 6 /* the first argument that post-ops read */ };

/* Offsets in x and y of a step, and the linear index of its first result, padding not counted. */
typedef struct qn_depthwise_cursor {
  qn_value *x, *y, *element;
} qn_depthwise_cursor;

typedef struct qn_depthwise_emitter {
  const qn_depthwise *d;
  const qn_target *target;
  qn_kernel *k;
  qn_builder *b;
  qn_value *x, *packed, *params, *channel_table, *offsets, *y;
  qn_value *base; /* base of weights that are stored as bytes (compact.h); NULL: 0 */
  bool widened;   /* `packed` is scratch of i16 that holds the widened weights */
  bool has_halo;  /* y is padded, and post-ops need element indices without padding */
  const qn_type *i8, *i16, *i32;
  /* the current block */
  const qn_depthwise_block *block;
  qn_value *starts_at, *weights_at,
      *params_at;          /* first elements of its initial accumulators, weights and parameters */
  qn_value *thin_at;       /* first weight of the last product, if that is thin */
  qn_value *source, *bias; /* arguments of the packing kernel */
} qn_depthwise_emitter;

/* Loads the block's bytes from index + offset on; 0 after the last channel. */
qn_value *qn_depthwise_bytes(qn_depthwise_emitter *e, qn_value *memref, qn_value *index,
                             int64_t offset);

/* Loads the block's channels of x from index + offset on, as bytes or widened, as the products
 * require. */
qn_value *qn_depthwise_load(qn_depthwise_emitter *e, qn_value *index, int64_t offset);
/* Interleaves the channels of `group` taps: out[vector] holds all taps of its channels. */
void qn_depthwise_interleave(qn_depthwise_emitter *e, qn_value *const *taps, qn_value **out);
/* The initial values of accumulator `vector` of `count` pixels. */
void qn_depthwise_start(qn_depthwise_emitter *e, uint32_t vector, qn_value **out, uint32_t count);
/* The weights of accumulator `vector` for the product at index + offset; and acc plus one product.
 */
qn_value *qn_depthwise_weights(qn_depthwise_emitter *e, uint32_t vector, qn_value *index,
                               int64_t offset);
/* The weights of accumulator `vector` for the last product, if that is thin. */
qn_value *qn_depthwise_thin_weights(qn_depthwise_emitter *e, uint32_t vector);
qn_value *qn_depthwise_add(qn_depthwise_emitter *e, qn_value *acc, qn_value *input,
                           qn_value *weights);
/* Requantizes accumulator `vector` of `count` pixels in place. */
void qn_depthwise_requantize(qn_depthwise_emitter *e, uint32_t vector, qn_value **acc,
                             uint32_t count);
/* Narrows and stores the results of one pixel at `at` plus the offsets. */
void qn_depthwise_store(qn_depthwise_emitter *e, qn_value *const *results, qn_depthwise_cursor at,
                        int64_t y_offset, int64_t element_offset);
/* The channel of a lane, relative to the block's first: channels are in byte order after narrowing
 * within 128 bits, or after vectors with the even and the odd channels were interleaved twice. */
static inline int64_t qn_depthwise_lane_channel(const qn_depthwise *d, uint32_t vector,
                                                int64_t lane) {
  const uint32_t vectors = d->variant.vectors;
  if (d->dot->by_parity && vectors > 1) return vectors * lane + vector / 2 + vector % 2 * 2;
  return 4 * (int64_t)vectors * (lane / 4) + 4 * (int64_t)vector + lane % 4;
}
/* Weight elements of one product of the block. */
static inline int64_t qn_depthwise_stride(const qn_depthwise_emitter *e) {
  return e->block->width * e->d->variant.group * e->d->variant.form->parts;
}

/* Elements of `packed` that hold the initial accumulators of a block; 0 if they are constant. */
static inline int64_t qn_depthwise_start_elements(const qn_depthwise *d,
                                                  const qn_depthwise_block *block) {
  return d->weights->constant ? 0 : d->variant.vectors * block->width;
}
/* Elements of `packed` of a whole block. */
static inline int64_t qn_depthwise_block_elements(const qn_depthwise *d,
                                                  const qn_depthwise_block *block) {
  return qn_depthwise_start_elements(d, block) +
         block->width * d->variant.group * d->variant.form->parts * (d->product_count - d->thin);
}
/* Whether a loop reads the offsets of taps from a list. Other kernels contain them, and have the
 * parameters as that argument. */
static inline bool qn_depthwise_is_listed(const qn_depthwise *d) {
  return !d->variant.by_columns && d->variant.form->multiply == qn_depthwise_products &&
         d->product_count > QN_DEPTHWISE_UNROLLED;
}
/* Whether the constant weights of a vector for all products are consecutive, so that one
 * instruction loads those of two products; else those of a product for all vectors are. */
static inline bool qn_depthwise_by_vector(const qn_depthwise *d) {
  return d->variant.by_columns && d->variant.out_rows > 1 && d->weights->constant &&
         d->epilogue->reloads;
}
/* Copies of the initial accumulators and offsets of a vector among the parameters: one per pixel
 * that is computed together, if kernels load instead of copying them, and that saves instructions.
 */
static inline int64_t qn_depthwise_copies(const qn_depthwise *d, qn_epilogue_kind kind) {
  enum { LEAST = 4 };
  int64_t pixels = d->variant.out_rows * d->variant.pixels;
  bool reloads = d->weights->constant && qn_epilogue_reloads(d->epilogue, kind);
  return reloads && pixels >= LEAST ? pixels : 1;
}
/* Parameter elements of one vector with `lanes` channels: initial accumulators, the further
 * parameters, and offsets. */
static inline int64_t qn_depthwise_param_words(const qn_depthwise *d, qn_epilogue_kind kind,
                                               int64_t lanes) {
  int64_t copies = qn_depthwise_copies(d, kind);
  return qn_epilogue_own_size(d->epilogue, kind, lanes) + 2 * (copies - 1) * lanes;
}
/* Offset added to bytes of x before the product: 0, 128 or -128. */
static inline int32_t qn_depthwise_offset(const qn_depthwise *d) {
  return qn_dot_offset(d->dot, d->weights->x_unsigned);
}
static inline const qn_type *qn_depthwise_element(const qn_depthwise *d, qn_ir_context *cx) {
  return qn_type_i(cx, 8 * d->dot->bytes);
}

/* Calls `block` for each run of blocks of equal shape, inside a loop over them. e->block and the
 * offsets of its constants are set. */
typedef void qn_depthwise_block_fn(qn_depthwise_emitter *e, void *user, qn_value *channel);
void qn_depthwise_each_block(qn_depthwise_emitter *e, qn_depthwise_block_fn *block, void *user);
/* Whether that reads the first channel of a block from a table, because blocks are not equally
 * spaced. Other kernels have the parameters as that argument. */
bool qn_depthwise_has_table(const qn_depthwise *d);
/* Builds the packing kernel of runtime weights; returns its buffer. */
qn_value *qn_depthwise_packing(qn_loops *lo, const qn_depthwise *d);

/* `from` advanced by `steps` times these strides. */
qn_depthwise_cursor qn_depthwise_move(qn_depthwise_emitter *e, qn_depthwise_cursor from,
                                      qn_value *steps, int64_t x_stride, int64_t y_stride,
                                      int64_t element_stride);

/* Emits all steps of the current block in the output rows that begin at `at`. `rows`: 1 (tap-wise),
 * or at most out_rows (column-wise). */
typedef void qn_depthwise_row_fn(qn_depthwise_emitter *e, uint32_t rows, qn_depthwise_cursor at);
qn_depthwise_row_fn qn_depthwise_columns_row, qn_depthwise_taps_row;

/* The channel, relative to the block, in 16-bit lane `lane` of half `half` (nibbles.c). */
static inline int64_t qn_depthwise_nibble_channel(int64_t half, int64_t lane) {
  return lane / 8 * 16 + half * 8 + lane % 8;
}
/* The low nibble of w = 16 * high + low, -8 <= low < 8. */
static inline int32_t qn_depthwise_low(int32_t weight) { return ((weight + 8) & 15) - 8; }
/* Pixels of a row that the tap-wise schedule computes together. */
typedef struct qn_depthwise_pixels {
  int64_t count;
  qn_value *x[QN_DEPTHWISE_PIXELS];                         /* [pixel] base in x */
  qn_value *sums[QN_DEPTHWISE_PIXELS * QN_DEPTHWISE_GROUP]; /* [pixel][vector] */
} qn_depthwise_pixels;
/* Tap t of the list in `offsets`: loads it, or reuses bytes of `previous`, the tap before it, if
 * that read the same address. */
qn_value *qn_depthwise_tap_at(qn_depthwise_emitter *e, qn_value *x, uint32_t t, qn_value *previous);

#endif

/* Depthwise convolution of f32 or f64 with multiplier 1, vectorized over channels; neither x nor
 * weights are packed. A work item is an output row. A few pixels at a time share the loads of
 * weights. The same rows can be computed in the kernel of the op that reads them (fuse_producer.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/float_form.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/matrix/conv.h"
#include "lower/loops/matrix/floats.h"
#include "lower/loops/nest.h"

enum { MAX_PIXELS = 8, MAX_UNROLLED = 9 };

typedef struct emitter {
  qn_builder *b;
  qn_conv_shape s;
  const qn_op *op;
  qn_value *x, *w, *bias, *y; /* bias: NULL if all are zero */
  qn_value *x_row,
      *y_row;      /* first elements of the row's first window in x and of its results in y */
  int64_t pixels;  /* pixels of a full step */
  qn_value *first; /* first pixel of the step, in its row */
  int64_t count;   /* pixels of the step */
} emitter;

/* Accumulators of a step: some pixels, one vector of channels. */
typedef struct sums {
  int64_t pixels, lanes;
  qn_value *at[MAX_PIXELS];
} sums;

/* Adds one tap: x and w are the offsets of its first channel, for the first pixel. */
static void add_tap(emitter *e, sums *acc, qn_value *x, qn_value *w) {
  qn_value *weights = qn_vec_load(e->b, e->w, w, 0, acc->lanes);
  for (int64_t p = 0; p < acc->pixels; p++) {
    qn_value *values = qn_vec_load(e->b, e->x, x, p * e->s.stride_x * e->s.channels, acc->lanes);
    acc->at[p] = qn_float_add_product(e->b, values, weights, acc->at[p]);
  }
}

static void unrolled_taps(emitter *e, sums *acc, qn_value *x, qn_value *w) {
  const qn_conv_shape *s = &e->s;
  for (int64_t t = 0; t < s->kernel_height * s->kernel_width; t++) {
    int64_t ky = t / s->kernel_width * s->dilation_y, kx = t % s->kernel_width * s->dilation_x;
    qn_value *from = qn_index_add(e->b, x, (ky * s->width + kx) * s->channels);
    add_tap(e, acc, from, qn_index_add(e->b, w, t * s->channels));
  }
}

static qn_carry open_loop(emitter *e, sums *acc, int64_t count) {
  return qn_carry_begin(e->b, 0, count, 1, acc->at, (uint32_t)acc->pixels);
}

static void looped_taps(emitter *e, sums *acc, qn_value *x, qn_value *w) {
  const qn_conv_shape *s = &e->s;
  qn_carry rows = open_loop(e, acc, s->kernel_height);
  qn_value *ky = rows.index;
  x = qn_nest_add(e->b, x, qn_index_affine(e->b, ky, s->dilation_y * s->width * s->channels, 0));
  w = qn_nest_add(e->b, w, qn_index_affine(e->b, ky, s->kernel_width * s->channels, 0));
  qn_carry columns = open_loop(e, acc, s->kernel_width);
  qn_value *kx = columns.index;
  x = qn_nest_add(e->b, x, qn_index_affine(e->b, kx, s->dilation_x * s->channels, 0));
  add_tap(e, acc, x, qn_nest_add(e->b, w, qn_index_affine(e->b, kx, s->channels, 0)));
  qn_carry_end(e->b, &columns);
  qn_carry_end(e->b, &rows);
}

/* Emits the step's pixels for `lanes` channels from `channel` on. */
static void step(qn_kernel *k, void *user, qn_value *channel, int64_t lanes) {
  emitter *e = user;
  const qn_conv_shape *s = &e->s;
  qn_value *first = e->first;
  int64_t pixels = e->count;
  (void)k;
  sums acc = {.pixels = pixels, .lanes = lanes};
  const qn_type *type = qn_type_vec(e->b->cx, qn_type_element(e->y->type), lanes);
  qn_value *start =
      e->bias ? qn_vec_load(e->b, e->bias, channel, 0, lanes) : qn_build_float(e->b, 0, type);
  for (int64_t p = 0; p < pixels; p++) acc.at[p] = start;
  qn_value *x = qn_nest_add(e->b, e->x_row, channel);
  x = qn_nest_add(e->b, x, qn_index_affine(e->b, first, s->stride_x * s->channels, 0));
  if (s->kernel_height * s->kernel_width <= MAX_UNROLLED)
    unrolled_taps(e, &acc, x, channel);
  else
    looped_taps(e, &acc, x, channel);
  qn_value *y = qn_nest_add(e->b, e->y_row, channel);
  y = qn_nest_add(e->b, y, qn_index_affine(e->b, first, s->channels, 0));
  for (int64_t p = 0; p < pixels; p++)
    qn_vec_store(e->b, qn_float_activate(e->b, acc.at[p], e->op), e->y, y, p * s->channels);
}

/* Emits all pixels of a row. Channels are the inner loop: accesses are sequential, which the
 * hardware prefetcher follows, and pixels a power of two apart would conflict in cache sets. */
static void pixels_of_row(emitter *e, qn_kernel *k, int64_t lanes) {
  int64_t full = e->s.out_width / e->pixels * e->pixels;
  if (full > 0) {
    e->first = qn_nest_count(e->b, full, e->pixels), e->count = e->pixels;
    qn_nest_run(k, e->s.channels, lanes, true, step, e);
    qn_nest_end(e->b);
  }
  if (full == e->s.out_width) return;
  e->first = qn_build_index(e->b, full), e->count = e->s.out_width - full;
  qn_nest_run(k, e->s.channels, lanes, true, step, e);
}

/* Emits rows [lower, upper). Element 0 of y is the start of row `origin`, or of row 0 if `origin`
 * is NULL. */
static void all_rows(emitter *e, qn_kernel *k, qn_value *lower, qn_value *upper, qn_value *origin) {
  const qn_conv_shape *s = &e->s;
  qn_builder *b = &k->b;
  int64_t lanes = k->lo->target->vector_bytes / qn_type_bytes(qn_type_element(e->y->type));
  int64_t x_row = s->width * s->channels, y_row = s->out_width * s->channels;
  qn_value *unit = qn_nest_begin(b, lower, upper, 1), *row = unit;
  e->x_row = NULL;
  if (s->batch > 1) {
    qn_value *height = qn_build_index(b, s->out_height);
    qn_value *image = qn_build_binary(b, QN_OP_ARITH_DIVUI, unit, height);
    row = qn_build_binary(b, QN_OP_ARITH_REMUI, unit, height);
    e->x_row = qn_index_affine(b, image, s->height * x_row, 0);
  }
  qn_value *in_image = qn_index_affine(b, row, s->stride_y * x_row, 0);
  e->x_row = e->x_row ? qn_nest_add(b, e->x_row, in_image) : in_image;
  if (origin) unit = qn_build_binary(b, QN_OP_ARITH_SUBI, unit, origin);
  e->y_row = qn_index_affine(b, unit, y_row, 0);
  pixels_of_row(e, k, lanes);
  qn_nest_end(b);
}

/* ---- the kernel ---- */

/* Buffers of the kernel, and of a fused producer; the bias is last, if there is one. */
enum { ARG_X, ARG_W, ARG_BIAS, ARG_COUNT };

static uint32_t read_buffers(qn_loops *lo, const qn_op *op, qn_value **out_buffers) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    out_buffers[i] = qn_loops_buffer(lo, qn_op_operand(op, i));
  return op->operand_count;
}

static emitter open_emitter(qn_kernel *k, const qn_op *op, qn_value *const *args, qn_value *y) {
  return (emitter){.b = &k->b,
                   .s = qn_conv_shape_of(op),
                   .op = op,
                   .x = args[ARG_X],
                   .w = args[ARG_W],
                   .bias = op->operand_count > ARG_BIAS ? args[ARG_BIAS] : NULL,
                   .y = y,
                   .pixels = k->lo->target->vector_registers == 32 ? MAX_PIXELS : MAX_PIXELS / 2};
}

qn_status qn_floats_depthwise(qn_loops *lo, qn_op *op) {
  qn_value *buffers[ARG_COUNT + 1];
  uint32_t count = read_buffers(lo, op, buffers);
  buffers[count] = qn_loops_buffer(lo, &op->results[0]);
  qn_kernel k = qn_kernel_begin(lo, "depthwise", op, buffers, count + 1);
  emitter e = open_emitter(&k, op, k.args, k.args[count]);
  all_rows(&e, &k, k.lower, k.upper, NULL);
  const qn_conv_shape *s = &e.s;
  qn_kernel_end(&k, s->batch * s->out_height, qn_op_cost(op).macs);
  return QN_OK;
}

/* ---- as a fused producer ---- */

static bool can_produce(const qn_op *op) {
  if (!qn_is_float_form(op)) return false;
  qn_conv_shape s = qn_conv_shape_of(op);
  return s.channels == s.out_channels;
}

static qn_status open_producer(qn_loops *lo, const qn_op *op, qn_producer_source *out_source) {
  QN_TRY(qn_floats_check(lo, op));
  qn_conv_shape s = qn_conv_shape_of(op);
  int64_t row = s.width * s.channels, window = (s.kernel_height - 1) * s.dilation_y + 1;
  *out_source =
      (qn_producer_source){.op = op, .read_to = window * row, .row_step = s.stride_y * row};
  out_source->count = read_buffers(lo, op, out_source->buffers);
  return QN_OK;
}

static void produce_rows(qn_kernel *k, const qn_producer_source *source, qn_value *const *args,
                         qn_producer_rows range) {
  emitter e = open_emitter(k, source->op, args, range.rows);
  all_rows(&e, k, range.lower, range.upper, range.lower);
}

const qn_producer qn_floats_producer = {
    .can = can_produce, .open = open_producer, .make = produce_rows};

/* The kernel of ml.hybrid_depthwise_conv: vectors run over channels. Bytes are widened to 32 bits,
 * multiplied and summed exactly, and scaled back in registers. Neither x nor weights are packed:
 * from L1d and L2 a stored byte takes a quarter of the bandwidth of an f32. A work item is an
 * output row. Some pixels at a time share the loads of weights, and the pixels of one row of taps
 * share the columns of x that they have in common.
 *
 *   totals[channel]    i32: the sum of the channel's weights
 *   in_group[channel]  f32: 1 in whole groups of 4 channels, else 0 (QN_ORDER_FOURS)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/border.h"
#include "lower/loops/narrow/reals.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

enum { X, SCALES, ZERO_POINTS, WEIGHTS, WEIGHT_SCALES, BIAS };
enum { GROUP = 4, MAX_PIXELS = 8, MAX_UNROLLED = 9 };

typedef struct emitter {
  qn_builder *b;
  qn_conv_shape s;
  const qn_op *op;
  const qn_type *i32, *f32;
  qn_value *x, *scales, *zeros, *w, *w_scales, *totals, *y; /* kernel arguments */
  qn_value *bias, *in_group;                                /* NULL if there are none */
  qn_value *scale, *zero;                                   /* of the image */
  qn_value *x_row, *y_row; /* first elements of the row's first window in x and of its results */
  qn_value *first;         /* first pixel of the step, in its row */
  int64_t count;           /* pixels of the step */
} emitter;

/* Accumulators of a step: some pixels, one vector of channels. */
typedef struct sums {
  int64_t pixels, lanes;
  qn_value *at[MAX_PIXELS];
} sums;

/* ---- sums ---- */

static qn_value *widened(emitter *e, qn_op_kind kind, qn_value *buffer, qn_value *at,
                         int64_t offset, int64_t lanes) {
  return qn_vec_cast(e->b, kind, qn_vec_load(e->b, buffer, at, offset, lanes), e->i32);
}

/* Columns of x that were loaded, by their distance from the first one. */
typedef struct columns {
  qn_value *from; /* first element of the first column */
  int64_t count, column[MAX_PIXELS * MAX_UNROLLED];
  qn_value *x[MAX_PIXELS * MAX_UNROLLED];
} columns;

static qn_value *column_at(emitter *e, columns *c, int64_t column, int64_t lanes) {
  for (int64_t i = 0; i < c->count; i++)
    if (c->column[i] == column) return c->x[i];
  int64_t offset = column * e->s.channels;
  c->column[c->count] = column;
  c->x[c->count] = widened(e, QN_OP_ARITH_EXTUI, e->x, c->from, offset, lanes);
  return c->x[c->count++];
}

/* Adds `taps` consecutive taps of a row of the kernel; x and w are the offsets of the first. */
static void add_taps(emitter *e, sums *acc, qn_value *x, qn_value *w, int64_t taps) {
  columns c = {.from = x};
  for (int64_t t = 0; t < taps; t++) {
    int64_t offset = t * e->s.channels;
    qn_value *weights = widened(e, QN_OP_ARITH_EXTSI, e->w, w, offset, acc->lanes);
    for (int64_t p = 0; p < acc->pixels; p++) {
      int64_t column = p * e->s.stride_x + t * e->s.dilation_x;
      qn_value *product = column_at(e, &c, column, acc->lanes);
      product = qn_build_binary(e->b, QN_OP_ARITH_MULI, product, weights);
      acc->at[p] = qn_build_binary(e->b, QN_OP_ARITH_ADDI, acc->at[p], product);
    }
  }
}

static qn_carry open_loop(emitter *e, sums *acc, int64_t count) {
  return qn_carry_begin(e->b, 0, count, 1, acc->at, (uint32_t)acc->pixels);
}

/* Adds a row of the kernel. */
static void add_row(emitter *e, sums *acc, qn_value *x, qn_value *w) {
  const qn_conv_shape *s = &e->s;
  if (s->kernel_width <= MAX_UNROLLED) {
    add_taps(e, acc, x, w, s->kernel_width);
    return;
  }
  qn_carry loop = open_loop(e, acc, s->kernel_width);
  x = qn_nest_add(e->b, x, qn_index_affine(e->b, loop.index, s->dilation_x * s->channels, 0));
  w = qn_nest_add(e->b, w, qn_index_affine(e->b, loop.index, s->channels, 0));
  add_taps(e, acc, x, w, 1);
  qn_carry_end(e->b, &loop);
}

static void add_window(emitter *e, sums *acc, qn_value *x, qn_value *w) {
  const qn_conv_shape *s = &e->s;
  int64_t x_step = s->dilation_y * s->width * s->channels, w_step = s->kernel_width * s->channels;
  if (s->kernel_height * s->kernel_width <= MAX_UNROLLED) {
    for (int64_t ky = 0; ky < s->kernel_height; ky++) {
      qn_value *from = qn_index_add(e->b, x, ky * x_step);
      add_row(e, acc, from, qn_index_add(e->b, w, ky * w_step));
    }
    return;
  }
  qn_carry loop = open_loop(e, acc, s->kernel_height);
  x = qn_nest_add(e->b, x, qn_index_affine(e->b, loop.index, x_step, 0));
  w = qn_nest_add(e->b, w, qn_index_affine(e->b, loop.index, w_step, 0));
  add_row(e, acc, x, w);
  qn_carry_end(e->b, &loop);
}

/* ---- pixels ---- */

/* What the zero point contributes, negative. Padding is the zero point, so it is the same for all
 * pixels. */
static qn_value *start_of(emitter *e, qn_value *channel, int64_t lanes) {
  qn_value *totals = qn_vec_load(e->b, e->totals, channel, 0, lanes);
  qn_value *zero = qn_vec_broadcast(e->b, e->zero, lanes);
  qn_value *excess = qn_build_binary(e->b, QN_OP_ARITH_MULI, totals, zero);
  return qn_build_binary(e->b, QN_OP_ARITH_SUBI, qn_vec_splat(e->b, 0, e->i32, lanes), excess);
}

static void finish(emitter *e, const sums *acc, qn_value *channel) {
  int64_t lanes = acc->lanes;
  const qn_narrow_row row = {.scale = qn_vec_broadcast(e->b, e->scale, lanes)};
  qn_narrow_channel n = {.scale = qn_vec_load(e->b, e->w_scales, channel, 0, lanes)};
  n.bias = e->bias ? qn_vec_load(e->b, e->bias, channel, 0, lanes)
                   : qn_build_float(e->b, 0, qn_type_vec(e->b->cx, e->f32, lanes));
  if (e->in_group) n.in_group = qn_vec_load(e->b, e->in_group, channel, 0, lanes);
  qn_value *y = qn_nest_add(e->b, e->y_row, channel);
  y = qn_nest_add(e->b, y, qn_index_affine(e->b, e->first, e->s.channels, 0));
  for (int64_t p = 0; p < acc->pixels; p++) {
    qn_value *real = qn_narrow_scaled(e->b, e->op, acc->at[p], &row, &n);
    qn_vec_store(e->b, real, e->y, y, p * e->s.channels);
  }
}

/* Emits the step's pixels for `lanes` channels from `channel` on. */
static void step(qn_kernel *k, void *user, qn_value *channel, int64_t lanes) {
  (void)k;
  emitter *e = user;
  sums acc = {.pixels = e->count, .lanes = lanes};
  qn_value *start = start_of(e, channel, lanes);
  for (int64_t p = 0; p < acc.pixels; p++) acc.at[p] = start;
  qn_value *x = qn_nest_add(e->b, e->x_row, channel);
  x = qn_nest_add(e->b, x, qn_index_affine(e->b, e->first, e->s.stride_x * e->s.channels, 0));
  add_window(e, &acc, x, channel);
  finish(e, &acc, channel);
}

/* Emits all pixels of a row. Channels are the inner loop, so that memory is read sequentially. */
static void pixels_of_row(emitter *e, qn_kernel *k) {
  const qn_target *target = k->lo->target;
  int64_t lanes = target->vector_bytes / (int64_t)sizeof(float);
  int64_t each = target->vector_registers == 32 ? MAX_PIXELS : MAX_PIXELS / 2;
  int64_t full = e->s.out_width / each * each;
  if (full > 0) {
    e->first = qn_nest_count(e->b, full, each), e->count = each;
    qn_nest_run(k, e->s.channels, lanes, true, step, e);
    qn_nest_end(e->b);
  }
  if (full == e->s.out_width) return;
  e->first = qn_build_index(e->b, full), e->count = e->s.out_width - full;
  qn_nest_run(k, e->s.channels, lanes, true, step, e);
}

static qn_value *of_image(emitter *e, qn_value *buffer, qn_value *image) {
  return qn_build_1(e->b, QN_OP_MEMREF_LOAD, qn_type_element(buffer->type),
                    QN_VALUES(buffer, image), NULL);
}

static void all_rows(emitter *e, qn_kernel *k) {
  const qn_conv_shape *s = &e->s;
  int64_t x_row = s->width * s->channels, y_row = s->out_width * s->channels;
  qn_value *unit = qn_nest_begin(e->b, k->lower, k->upper, 1), *row = unit;
  qn_value *image = qn_build_index(e->b, 0);
  if (s->batch > 1) {
    qn_value *height = qn_build_index(e->b, s->out_height);
    image = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, unit, height);
    row = qn_build_binary(e->b, QN_OP_ARITH_REMUI, unit, height);
  }
  e->scale = of_image(e, e->scales, image);
  e->zero = of_image(e, e->zeros, image);
  qn_value *x_image = qn_index_affine(e->b, image, s->height * x_row, 0);
  e->x_row = qn_nest_add(e->b, x_image, qn_index_affine(e->b, row, s->stride_y * x_row, 0));
  e->y_row = qn_index_affine(e->b, unit, y_row, 0);
  pixels_of_row(e, k);
  qn_nest_end(e->b);
}

/* ---- the kernel ---- */

static qn_value *totals_of(qn_loops *lo, const qn_op *op, const qn_conv_shape *s) {
  const qn_attr *payload = qn_loops_payload(op, WEIGHTS);
  int32_t *totals = QN_NEW_ARRAY(lo->scratch, s->channels, int32_t);
  for (int64_t i = 0; i < s->kernel_height * s->kernel_width * s->channels; i++)
    totals[i % s->channels] += (int32_t)qn_dense_int(payload, i);
  const qn_bytes bytes = {(const uint8_t *)totals, (size_t)s->channels * sizeof *totals};
  return qn_loops_constant(lo, qn_type_i(lo->cx, 32), bytes);
}

static qn_value *groups_of(qn_loops *lo, const qn_conv_shape *s) {
  float *in_group = QN_NEW_ARRAY(lo->scratch, s->channels, float);
  for (int64_t c = 0; c < s->channels - s->channels % GROUP; c++) in_group[c] = 1;
  const qn_bytes bytes = {(const uint8_t *)in_group, (size_t)s->channels * sizeof *in_group};
  return qn_loops_constant(lo, qn_type_float(lo->cx, QN_F32), bytes);
}

static qn_status lower_depthwise(qn_loops *lo, qn_op *op) {
  enum { TOTALS = WEIGHT_SCALES + 1, Y, OPTIONAL, MOST = OPTIONAL + 2 };
  if (!qn_value_constant(qn_op_operand(op, WEIGHTS)))
    return qn_error(&lo->cx->diag, op->loc, QN_UNSUPPORTED,
                    "no schedule for '%.*s': its weights must be constants", QN_STR_ARG(op->name));
  const qn_conv_shape s = qn_narrow_padded_shape(op);
  qn_value *buffers[MOST];
  for (uint32_t i = X; i <= WEIGHT_SCALES; i++)
    buffers[i] = qn_loops_buffer(lo, qn_op_operand(op, i));
  buffers[X] = qn_narrow_bordered(lo, op, buffers);
  buffers[TOTALS] = totals_of(lo, op, &s);
  buffers[Y] = qn_loops_buffer(lo, &op->results[0]);
  bool biased = op->operand_count > BIAS, fours = qn_op_scale_order(op) == QN_ORDER_FOURS;
  uint32_t count = OPTIONAL;
  if (biased) buffers[count++] = qn_loops_buffer(lo, qn_op_operand(op, BIAS));
  if (fours) buffers[count++] = groups_of(lo, &s);
  qn_kernel k = qn_kernel_begin(lo, "hybrid_depthwise", op, buffers, count);
  emitter e = {.b = &k.b,
               .s = s,
               .op = op,
               .i32 = qn_type_i(lo->cx, 32),
               .f32 = qn_type_float(lo->cx, QN_F32),
               .x = k.args[X],
               .scales = k.args[SCALES],
               .zeros = k.args[ZERO_POINTS],
               .w = k.args[WEIGHTS],
               .w_scales = k.args[WEIGHT_SCALES],
               .totals = k.args[TOTALS],
               .y = k.args[Y],
               .bias = biased ? k.args[OPTIONAL] : NULL,
               .in_group = fours ? k.args[count - 1] : NULL};
  all_rows(&e, &k);
  qn_kernel_end(&k, s.batch * s.out_height, qn_op_cost(op).macs);
  return QN_OK;
}

const qn_schedule qn_schedule_ml_hybrid_depthwise_conv = {.lower = lower_depthwise};

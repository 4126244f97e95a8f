/* Convolution and matrix product of 16-bit activations: per pixel and vector of channels, the sum
 * over the taps of products of pairs along the input's channels. A unit of work is a row of pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/words/words.h"
#include "lower/loops/nest.h"
#include "lower/loops/words/dot16.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/vec.h"

/* Arguments. */
enum { X, WEIGHTS, Y, PARAMETERS, ARG_COUNT = PARAMETERS + QN_WORDS_PARAMETERS };

typedef struct words_conv {
  qn_words words;
  int64_t images, rows, pixels;             /* of the result */
  int64_t image_step, row_step, pixel_step; /* between their inputs */
  int64_t kernel_rows, kernel_columns;      /* taps */
  int64_t tap_row_step, tap_step;           /* between the inputs of taps */
  int64_t groups;
  qn_dot16 dot; /* of a tap and a group: input channels times output channels */
  /* in the kernel */
  qn_value *x, *y;           /* first input and first result of the pixel */
  qn_value *weights, *first; /* of the group: its packed weights, its first channel */
  int64_t x_offset;          /* of the group in a pixel */
} words_conv;

/* ---- in the kernel ---- */

static qn_value *add_tap(qn_kernel *k, const words_conv *c, qn_value *channel, qn_value *tap_row,
                         qn_value *tap_column, qn_value *sums) {
  qn_builder *b = &k->b;
  qn_value *x = qn_nest_add(b, c->x, qn_index_affine(b, tap_row, c->tap_row_step, c->x_offset));
  x = qn_nest_add(b, x, qn_index_affine(b, tap_column, c->tap_step, 0));
  qn_value *tap = qn_index_affine(b, tap_row, c->kernel_columns, 0);
  tap = qn_nest_add(b, tap, tap_column);
  qn_value *weights = qn_index_affine(b, tap, qn_dot16_size(&c->dot), 0);
  weights = qn_nest_add(b, c->weights, weights);
  const qn_dot16_operands operands = {k->args[X], x, k->args[WEIGHTS], weights};
  return c->words.wide ? qn_dot16_build_wide(b, &c->dot, &operands, channel, sums)
                       : qn_dot16_build(b, &c->dot, &operands, channel, sums);
}

/* Channels [channel, channel + lanes) of the group. */
static void build_channels(qn_kernel *k, void *user, qn_value *channel, int64_t lanes) {
  const words_conv *c = user;
  qn_builder *b = &k->b;
  qn_value *of_all = qn_nest_add(b, c->first, channel);
  qn_value *sums = qn_words_start(k, &c->words, PARAMETERS, of_all, lanes);
  qn_op *rows = qn_nest_carry(b, 0, c->kernel_rows, 1, &sums, 1);
  qn_value *const *row_args = qn_op_body(rows)->args;
  sums = row_args[1];
  qn_op *columns = qn_nest_carry(b, 0, c->kernel_columns, 1, &sums, 1);
  qn_value *const *args = qn_op_body(columns)->args;
  sums = add_tap(k, c, channel, row_args[0], args[0], args[1]);
  qn_build_yield(b, &sums, 1);
  sums = qn_op_result(columns, 0);
  qn_build_yield(b, &sums, 1);
  qn_value *y = qn_words_finish(k, &c->words, PARAMETERS, of_all, qn_op_result(rows, 0));
  qn_stored_store(b, y, k->args[Y], qn_nest_add(b, c->y, of_all), 0);
}

static void build_pixel(qn_kernel *k, words_conv *c) {
  int64_t per_group = c->dot.columns, lanes = k->lo->target->vector_bytes / 4;
  int64_t size = c->kernel_rows * c->kernel_columns * qn_dot16_size(&c->dot);
  for (int64_t g = 0; g < c->groups; g++) {
    c->first = qn_build_index(&k->b, g * per_group);
    c->weights = qn_build_index(&k->b, g * size);
    c->x_offset = g * c->dot.depth;
    qn_nest_run(k, per_group, lanes, true, build_channels, c);
  }
}

/* Groups are parts of the code: a row of many is a loop of their own. */
static void build_row(qn_kernel *k, words_conv *c, qn_value *unit) {
  qn_builder *b = &k->b;
  qn_value *count = qn_build_index(b, c->rows);
  qn_value *image = qn_build_binary(b, QN_OP_ARITH_DIVUI, unit, count);
  qn_value *row = qn_build_binary(b, QN_OP_ARITH_REMUI, unit, count);
  qn_value *x = qn_index_affine(b, image, c->image_step, 0);
  x = qn_nest_add(b, x, qn_index_affine(b, row, c->row_step, 0));
  qn_value *pixel = qn_nest_count(b, c->pixels, 1);
  c->x = qn_nest_add(b, x, qn_index_affine(b, pixel, c->pixel_step, 0));
  qn_value *y = qn_nest_add(b, qn_index_affine(b, unit, c->pixels, 0), pixel);
  c->y = qn_index_affine(b, y, c->words.channels, 0);
  build_pixel(k, c);
  qn_nest_end(b);
}

/* ---- constants ---- */

typedef struct tap_of {
  const words_conv *conv;
  int64_t group, tap;
} tap_of;

static int64_t weight(const void *user, int64_t column, int64_t k) {
  const tap_of *t = user;
  const qn_dot16 *dot = &t->conv->dot;
  return qn_words_weight(&t->conv->words, t->group * dot->columns + column,
                         t->tap * dot->depth + k);
}

/* A group's taps one behind the other. */
static qn_value *pack(qn_loops *lo, const words_conv *c) {
  int64_t taps = c->kernel_rows * c->kernel_columns, each = qn_dot16_size(&c->dot);
  size_t size = (size_t)(c->groups * taps * each);
  int16_t *packed = QN_NEW_ARRAY(lo->scratch, size, int16_t), *at = packed;
  for (int64_t g = 0; g < c->groups; g++)
    for (int64_t t = 0; t < taps; t++, at += each)
      qn_dot16_pack(&c->dot, weight, &(tap_of){c, g, t}, at);
  return qn_loops_constant(lo, qn_type_i(lo->cx, 16),
                           (qn_bytes){(const uint8_t *)packed, size * sizeof *packed});
}

static qn_status lower(qn_loops *lo, const char *stem, words_conv *c) {
  const qn_op *op = c->words.op;
  qn_value *buffers[ARG_COUNT];
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[WEIGHTS] = pack(lo, c);
  buffers[Y] = qn_loops_buffer(lo, &op->results[0]);
  qn_words_parameters(lo, &c->words, buffers + PARAMETERS);
  qn_kernel k = qn_kernel_begin(lo, stem, op, buffers, ARG_COUNT);
  qn_value *unit = qn_nest_begin(&k.b, k.lower, k.upper, 1);
  build_row(&k, c, unit);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, c->images * c->rows, qn_op_cost(op).macs);
  return QN_OK;
}

qn_status qn_words_lower_conv(qn_loops *lo, qn_op *op) {
  qn_conv_shape s = qn_conv_shape_of(op);
  int64_t groups = qn_op_groups(op), row = s.width * s.channels;
  words_conv c = {.words = qn_words_of(op),
                  .images = s.batch,
                  .rows = s.out_height,
                  .pixels = s.out_width,
                  .image_step = s.height * row,
                  .row_step = s.stride_y * row,
                  .pixel_step = s.stride_x * s.channels,
                  .kernel_rows = s.kernel_height,
                  .kernel_columns = s.kernel_width,
                  .tap_row_step = s.dilation_y * row,
                  .tap_step = s.dilation_x * s.channels,
                  .groups = groups,
                  .dot = {s.channels / groups, s.out_channels / groups}};
  return lower(lo, "conv16", &c);
}

qn_status qn_words_lower_linear(qn_loops *lo, qn_op *op) {
  words_conv c = {.words = qn_words_of(op), .kernel_rows = 1, .kernel_columns = 1, .groups = 1};
  int64_t depth = c.words.taps;
  c.images = qn_type_elements(qn_op_operand(op, 0)->type) / depth;
  c.rows = c.pixels = 1;
  c.image_step = depth;
  c.dot = (qn_dot16){depth, c.words.channels};
  return lower(lo, "linear16", &c);
}

/* Depthwise convolution of 16-bit activations: a vector of channels times the weights of each tap;
 * with a channel multiplier, one input channel times the weights of its results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/compact.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/int16/int16.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/vec.h"

/* Kernel arguments; followed by one buffer per parameter, with the values of all channels. */
enum { X, WEIGHTS, Y, ARG_COUNT };

typedef struct int16_depthwise {
  qn_int16_product int16;
  qn_conv_shape shape;
  qn_conv_frame frame;
  int64_t multiplier;
  /* in the kernel */
  uint32_t arguments[QN_INT16_PARAMETERS]; /* [parameter] argument index; 0 if none */
  qn_value *x, *y,
      *input; /* first elements of the pixel; the input channel, with a channel multiplier */
} int16_depthwise;

/* Loads inputs of channels [channel, channel + lanes) at a tap's offset from the pixel's first
 * element. */
static qn_value *load_inputs(qn_kernel *k, const int16_depthwise *d, qn_value *x, qn_value *channel,
                             int64_t lanes) {
  qn_builder *b = &k->b;
  if (d->multiplier == 1)
    return qn_stored_load(b, k->args[X], qn_nest_add(b, x, channel), 0, lanes, false);
  qn_value *one = qn_stored_load(b, k->args[X], qn_nest_add(b, x, d->input), 0, 1, false);
  return qn_vec_broadcast(b, qn_vec_extract(b, one, 0), lanes);
}

static qn_value *add_tap(qn_kernel *k, const int16_depthwise *d, qn_value *channel, qn_value *row,
                         qn_value *column, qn_value *sums) {
  const qn_conv_shape *s = &d->shape;
  qn_builder *b = &k->b;
  int64_t lanes = qn_vec_count(sums);
  qn_value *x =
      qn_nest_add(b, d->x, qn_index_affine(b, row, s->dilation_y * s->width * s->channels, 0));
  x = qn_nest_add(b, x, qn_index_affine(b, column, s->dilation_x * s->channels, 0));
  qn_value *tap = qn_nest_add(b, qn_index_affine(b, row, s->kernel_width, 0), column);
  qn_value *at = qn_nest_add(b, qn_index_affine(b, tap, d->int16.channels, 0), channel);
  qn_value *weights = qn_stored_load(b, k->args[WEIGHTS], at, 0, lanes, false);
  qn_value *inputs = load_inputs(k, d, x, channel, lanes);
  qn_value *product = qn_build_binary(b, QN_OP_ARITH_MULI, inputs, weights); /* at most 24 bits */
  if (d->int16.wide) product = qn_vec_cast(b, QN_OP_ARITH_EXTSI, product, qn_type_i(b->cx, 64));
  return qn_build_binary(b, QN_OP_ARITH_ADDI, sums, product);
}

/* Emits results of `lanes` channels. `channel`: index among the results of one input channel. */
static void build_channels(qn_kernel *k, void *user, qn_value *channel, int64_t lanes) {
  const int16_depthwise *d = user;
  qn_builder *b = &k->b;
  if (d->multiplier > 1)
    channel = qn_nest_add(b, qn_index_affine(b, d->input, d->multiplier, 0), channel);
  qn_value *parameters[QN_INT16_PARAMETERS] = {NULL};
  for (uint32_t p = 0; p < QN_INT16_PARAMETERS; p++)
    if (d->arguments[p] != 0)
      parameters[p] = qn_vec_load(b, k->args[d->arguments[p]], channel, 0, lanes);
  qn_value *sums = parameters[QN_INT16_START];
  qn_carry rows = qn_carry_begin(b, 0, d->shape.kernel_height, 1, &sums, 1);
  qn_carry columns = qn_carry_begin(b, 0, d->shape.kernel_width, 1, &sums, 1);
  sums = add_tap(k, d, channel, rows.index, columns.index, sums);
  qn_carry_end(b, &columns);
  qn_carry_end(b, &rows);
  qn_value *y = qn_int16_finish(b, &d->int16, sums, parameters);
  qn_stored_store(b, y, k->args[Y], qn_nest_add(b, d->y, channel), 0);
}

static void build_row(qn_kernel *k, int16_depthwise *d, qn_value *unit) {
  const qn_conv_shape *s = &d->shape;
  qn_builder *b = &k->b;
  int64_t row_size = s->width * s->channels, lanes = k->lo->target->vector_bytes / 4;
  qn_value *count = qn_build_index(b, s->out_height);
  qn_value *image = qn_build_binary(b, QN_OP_ARITH_DIVUI, unit, count);
  qn_value *row = qn_build_binary(b, QN_OP_ARITH_REMUI, unit, count);
  qn_value *x = qn_index_affine(b, image, s->height * row_size, 0);
  x = qn_nest_add(b, x, qn_index_affine(b, row, s->stride_y * row_size, 0));
  qn_value *pixel = qn_nest_count(b, s->out_width, 1);
  d->x = qn_nest_add(b, x, qn_index_affine(b, pixel, s->stride_x * s->channels, 0));
  qn_value *y = qn_index_affine(b, image, d->frame.image, d->frame.first);
  y = qn_nest_add(b, y, qn_index_affine(b, row, d->frame.row, 0));
  d->y = qn_nest_add(b, y, qn_index_affine(b, pixel, d->frame.column, 0));
  if (d->multiplier > 1) d->input = qn_nest_count(b, s->channels, 1);
  qn_nest_run(k, d->multiplier > 1 ? d->multiplier : s->channels, lanes, true, build_channels, d);
  if (d->multiplier > 1) qn_nest_end(b);
  qn_nest_end(b);
}

static qn_value *weights_of(qn_loops *lo, const qn_int16_product *w) {
  size_t size = (size_t)(w->taps * w->channels);
  int16_t *values = QN_NEW_ARRAY(lo->scratch, size, int16_t), *at = values;
  for (int64_t t = 0; t < w->taps; t++)
    for (int64_t c = 0; c < w->channels; c++) *at++ = (int16_t)qn_int16_weight(w, c, t);
  return qn_compact_constant(lo, values, size);
}

/* A constant buffer with one parameter of all channels. */
static qn_value *parameter_of(qn_loops *lo, const qn_int16_product *w, uint32_t parameter) {
  const qn_type *type = qn_int16_parameter_type(w, parameter);
  size_t count = (size_t)w->channels, size = qn_type_bytes(type);
  uint8_t *bytes = QN_NEW_ARRAY(lo->scratch, count * size, uint8_t);
  for (size_t c = 0; c < count; c++) {
    int64_t value = qn_int16_parameter(w, parameter, (int64_t)c); /* little-endian */
    memcpy(bytes + c * size, &value, size);
  }
  return qn_loops_constant(lo, type, (qn_bytes){bytes, count * size});
}

qn_status qn_int16_lower_depthwise(qn_loops *lo, qn_op *op) {
  int16_depthwise d = {.int16 = qn_int16_of(lo->cx, op),
                       .shape = qn_conv_shape_of(op),
                       .frame = qn_conv_frame_of(lo, op)};
  d.multiplier = d.shape.out_channels / d.shape.channels;
  qn_value *buffers[ARG_COUNT + QN_INT16_PARAMETERS];
  uint32_t count = ARG_COUNT;
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[WEIGHTS] = weights_of(lo, &d.int16);
  buffers[Y] = qn_loops_buffer(lo, qn_fusion_result(lo, op));
  for (uint32_t p = 0; p < QN_INT16_PARAMETERS; p++) {
    if (!qn_int16_parameter_type(&d.int16, p)) continue;
    buffers[count] = parameter_of(lo, &d.int16, p);
    d.arguments[p] = count++;
  }
  qn_kernel k = qn_kernel_begin(lo, "depthwise16", op, buffers, count);
  k.has_post_ops = true;
  qn_value *unit = qn_nest_begin(&k.b, k.lower, k.upper, 1);
  build_row(&k, &d, unit);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, d.shape.batch * d.shape.out_height, qn_op_cost(op).macs);
  return QN_OK;
}

/* SignalFramer, SignalStacker, SignalOverlapAdd and SignalDelay: operators that keep samples from
 * one invocation to the next. The fill level of a buffer follows from the number of writes, so a
 * state holds the newest samples, and a count if some results are not valid yet. The runtime's
 * kernels do not write invalid results; here they are the content of the buffer, which is initially
 * 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/signal/signal.h"
#include "ir/ops/forms.h"

enum { MOST_FRAMES = 256, MOST_SAMPLES = 1 << 16 };

static const qn_type *samples_type(qn_graph_op *op, const qn_type *element, int64_t rows,
                                   int64_t columns) {
  const qn_graph_shape shape = {2, {rows, columns}};
  return qn_graph_shaped(op->graph, element, &shape);
}

/* The input's elements as rows, without quantization. */
static qn_value *rows_of(qn_graph_op *op, qn_graph_tensor *x, int64_t rows) {
  qn_value *value = qn_graph_value(op, x);
  int64_t elements = qn_graph_elements(&x->shape);
  value = qn_signal_view(op, value, rows, elements / rows);
  const qn_quant_uniform *q = value ? qn_type_quant(value->type) : NULL;
  const qn_graph_shape shape = {2, {rows, elements / rows}};
  return q ? qn_graph_part(op, QN_OP_QUANT_SCAST, q->storage, &shape, &value, 1, NULL) : value;
}

/* Concatenates a state of rows before `x`. `columns` 0: no state. */
static qn_value *behind(qn_graph_op *op, qn_graph_variable *state, qn_value *x, int64_t columns) {
  if (columns == 0) return x;
  qn_value *parts[2] = {qn_graph_open_variable(op, state), x};
  return parts[0] ? qn_signal_join(op, parts, 2, 1) : NULL;
}

/* Defines boolean output i from `valid`, an i64 of 0 or 1. */
static void define_valid(qn_graph_op *op, uint32_t i, qn_value *valid) {
  qn_graph_tensor *y = qn_graph_output(op, i);
  if (!y || op->failed || !valid) return;
  const qn_type *bit = qn_type_i(op->graph->cx, 1);
  const qn_graph_shape one = {1, {1}}, shape = y->shape;
  if (y->dtype != QN_GRAPH_BOOL || qn_graph_elements(&shape) != 1) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "one boolean is expected");
    return;
  }
  valid = qn_graph_part(op, QN_OP_ML_CAST, bit, &one, &valid, 1, NULL);
  valid = qn_graph_part(op, QN_OP_ML_RESHAPE, bit, &shape, &valid, 1, NULL);
  qn_graph_define(op, y, &shape, valid);
}

static qn_graph_variable *counter(qn_graph_op *op, const char *part) {
  const qn_graph_shape one = {1, {1}};
  return qn_signal_state(op, part, qn_graph_shaped(op->graph, qn_type_i(op->graph->cx, 64), &one));
}

static bool check_rows(qn_graph_op *op, const qn_graph_tensor *x, int64_t rows, int64_t frames,
                       int64_t samples) {
  return (rows <= MOST_FRAMES && frames >= 1 && frames <= MOST_FRAMES && samples <= MOST_SAMPLES &&
          qn_graph_spend(op, 16 * rows * frames)) ||
         qn_graph_error(op, x, QN_LIMIT, "%lld rows of %lld frames of %lld samples are too many",
                        (long long)rows, (long long)frames, (long long)samples);
}

/* ---- delay ---- */

void qn_tflite_import_signal_delay(qn_graph_op *op) {
  int64_t delay;
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_INT16, true);
  if (!x || !qn_signal_option(op, "delay_length", 1, MOST_SAMPLES, &delay)) return;
  int64_t size = x->shape.dims[x->shape.rank - 1], rows = qn_graph_elements(&x->shape) / size;
  const qn_type *i16 = qn_type_i(op->graph->cx, 16);
  if (!check_rows(op, x, rows, 1, size)) return;
  qn_graph_variable *state = qn_signal_state(op, "samples", samples_type(op, i16, rows, delay));
  qn_value *value = state ? rows_of(op, x, rows) : NULL;
  qn_value *all = value ? behind(op, state, value, delay) : NULL;
  if (!all) return;
  qn_value *y = qn_signal_cut(op, all, 1, 0, size);
  state->value = qn_signal_cut(op, all, 1, size, size + delay);
  qn_signal_define(op, 0, QN_GRAPH_INT16, &x->shape, y);
}

/* ---- SignalFramer: overlapping frames ---- */

/* A frame is the oldest of the newest `window` samples. If zeros precede the first sample, all
 * frames are valid, else the first few are not. */
void qn_tflite_import_signal_framer(qn_graph_op *op) {
  int64_t size, step, prefill;
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_INT16, true);
  if (!x || !qn_signal_option(op, "frame_size", 1, MOST_SAMPLES, &size) ||
      !qn_signal_option(op, "frame_step", 1, size, &step) ||
      !qn_signal_option(op, "prefill", 0, 1, &prefill))
    return;
  int64_t in = x->shape.dims[x->shape.rank - 1], rows = qn_graph_elements(&x->shape) / in;
  int64_t frames = in / step, needed = prefill ? 1 : (size + step - 1) / step;
  int64_t window = prefill ? size : needed * step, kept = window - step;
  if (in % step != 0 || x->shape.rank == QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, x, QN_INVALID, "%lld samples are no multiple of the step %lld",
                   (long long)in, (long long)step);
    return;
  }
  if (!check_rows(op, x, rows, frames, size)) return;
  const qn_type *type = samples_type(op, qn_type_i(op->graph->cx, 16), rows, kept > 0 ? kept : 1);
  qn_graph_variable *state = kept > 0 ? qn_signal_state(op, "samples", type) : NULL;
  qn_graph_variable *count = needed > 1 ? counter(op, "count") : NULL;
  qn_value *all = op->failed ? NULL : rows_of(op, x, rows), *parts[MOST_FRAMES];
  all = all ? behind(op, state, all, kept) : NULL;
  if (!all) return;
  qn_graph_shape shape = x->shape, cube = {3, {rows, 1, size}};
  shape.dims[shape.rank - 1] = frames;
  shape.dims[shape.rank++] = size;
  for (int64_t f = 0; f < frames; f++) {
    parts[f] = qn_signal_cut(op, all, 1, f * step, f * step + size);
    parts[f] = qn_graph_view(op, parts[f], &cube);
  }
  if (state) state->value = qn_signal_cut(op, all, 1, in, in + kept);
  qn_signal_define(op, 0, QN_GRAPH_INT16, &shape, qn_signal_join(op, parts, (uint32_t)frames, 1));
  qn_value *valid = qn_signal_constant(op, 1);
  if (count) {
    qn_value *before = qn_graph_open_variable(op, count);
    valid = qn_signal_is(op, QN_OP_ML_GREATER_EQUAL, before, qn_signal_constant(op, needed - 1));
    before = qn_signal_with(op, QN_OP_ML_ADD, before, frames);
    count->value = qn_signal_with(op, QN_OP_ML_MINIMUM, before, needed - 1);
  }
  define_valid(op, 1, valid);
}

/* ---- SignalStacker: concatenated frames ---- */

void qn_tflite_import_signal_stacker(qn_graph_op *op) {
  int64_t channels, left, right, step;
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_INT16, true);
  if (!x || !qn_signal_option(op, "num_channels", 1, MOST_SAMPLES, &channels) ||
      !qn_signal_option(op, "stacker_left_context", 0, MOST_FRAMES / 2, &left) ||
      !qn_signal_option(op, "stacker_right_context", 0, MOST_FRAMES / 2 - 1, &right) ||
      !qn_signal_option(op, "stacker_step", 1, left + right + 1, &step))
    return;
  int64_t frames = left + right + 1;
  qn_graph_tensor *y = qn_graph_output(op, 0);
  if (!y) return;
  if (qn_graph_elements(&x->shape) != channels ||
      qn_graph_elements(&y->shape) != frames * channels) {
    qn_graph_error(op, x, QN_INVALID, "%lld channels and %lld of them are expected",
                   (long long)channels, (long long)frames);
    return;
  }
  if (!check_rows(op, x, 1, frames, channels)) return;
  const qn_type *i16 = qn_type_i(op->graph->cx, 16), *i64 = qn_type_i(op->graph->cx, 64);
  int64_t kept = (frames - 1) * channels;
  const qn_graph_shape whole = {2, {1, frames * channels}}, one = {2, {1, channels}};
  qn_graph_variable *state =
      kept > 0 ? qn_signal_state(op, "samples", samples_type(op, i16, 1, kept)) : NULL;
  qn_graph_variable *count = counter(op, "count"), *started = counter(op, "started");
  qn_value *value = op->failed ? NULL : rows_of(op, x, 1), *first[MOST_FRAMES];
  qn_value *all = value ? behind(op, state, value, kept) : NULL;
  if (!all) return;
  /* The first frame is its own left context. */
  qn_value *zeros = qn_graph_view(op, value, &one);
  zeros = qn_graph_part(op, QN_OP_ML_SUB, i16, &one, (qn_value *[]){zeros, zeros}, 2, NULL);
  for (int64_t f = 0; f < frames; f++) first[f] = f < right ? zeros : value;
  qn_value *begins = qn_signal_join(op, first, (uint32_t)frames, 1);
  qn_value *was = qn_graph_open_variable(op, started), *before = qn_graph_open_variable(op, count);
  const qn_graph_shape flag = {1, {1}};
  qn_value *is =
      qn_graph_part(op, QN_OP_ML_CAST, qn_type_i(op->graph->cx, 1), &flag, &was, 1, NULL);
  all = qn_graph_part(op, QN_OP_ML_SELECT, i16, &whole, (qn_value *[]){is, all, begins}, 3, NULL);
  qn_value *held = qn_signal_with(op, QN_OP_ML_ADD, before, 1);
  qn_value *at_first = qn_signal_constant(op, left + 1);
  held =
      qn_graph_part(op, QN_OP_ML_SELECT, i64, &flag, (qn_value *[]){is, held, at_first}, 3, NULL);
  qn_value *valid = qn_signal_is(op, QN_OP_ML_GREATER_EQUAL, held, qn_signal_constant(op, frames));
  qn_value *left_over = qn_signal_with(op, QN_OP_ML_MUL, valid, step);
  count->value = qn_signal_two(op, QN_OP_ML_SUB, held, left_over);
  started->value = qn_signal_constant(op, 1);
  if (state) state->value = qn_signal_cut(op, all, 1, channels, frames * channels);
  const qn_graph_shape shape = y->shape;
  qn_signal_define(op, 0, QN_GRAPH_INT16, &shape, all);
  define_valid(op, 1, valid);
}

/* ---- SignalOverlapAdd: sums of overlapping frames ---- */

static qn_value *added(qn_graph_op *op, qn_value *a, qn_value *b, bool real) {
  if (!real)
    return qn_signal_clamp(op, qn_signal_two(op, QN_OP_ML_ADD, a, b), INT16_MIN, INT16_MAX);
  const qn_type *type = a->type;
  const qn_graph_shape shape = {2, {type->shaped.dims[0], type->shaped.dims[1]}};
  return qn_graph_part(op, QN_OP_ML_ADD, qn_type_element(type), &shape, (qn_value *[]){a, b}, 2,
                       NULL);
}

void qn_tflite_import_signal_overlap_add(qn_graph_op *op) {
  int64_t step;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed) return;
  bool real = x->dtype == QN_GRAPH_FLOAT32;
  if (!real && !qn_signal_input(op, 0, QN_GRAPH_INT16, true)) return;
  if (x->shape.rank < 2 || qn_graph_elements(&x->shape) == 0 || y->dtype != x->dtype) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "frames of rank 2 and more are expected");
    return;
  }
  int64_t size = x->shape.dims[x->shape.rank - 1], frames = x->shape.dims[x->shape.rank - 2];
  int64_t rows = qn_graph_elements(&x->shape) / (size * frames);
  if (!qn_signal_option(op, "frame_step", 1, size, &step) || !check_rows(op, x, rows, frames, size))
    return;
  qn_ir_context *cx = op->graph->cx;
  const qn_type *element = real ? qn_type_float(cx, QN_F32) : qn_type_i(cx, 64);
  qn_graph_variable *state = qn_signal_state(op, "sums", samples_type(op, element, rows, size));
  qn_value *value = !state ? NULL : real ? qn_graph_value(op, x) : qn_signal_wide(op, x);
  qn_value *sums = value ? qn_graph_open_variable(op, state) : NULL, *parts[MOST_FRAMES];
  value = qn_signal_view(op, value, rows, frames * size);
  if (!sums) return;
  const int64_t pad[] = {0, 0, 0, step};
  const qn_graph_shape whole = {2, {rows, size}};
  for (int64_t f = 0; f < frames; f++) {
    sums = added(op, sums, qn_signal_cut(op, value, 1, f * size, (f + 1) * size), real);
    parts[f] = qn_signal_cut(op, sums, 1, 0, step);
    if (step < size) sums = qn_signal_cut(op, sums, 1, step, size);
    if (step == size)
      sums = qn_graph_part(op, QN_OP_ML_SUB, element, &whole, (qn_value *[]){sums, sums}, 2, NULL);
    else
      sums = qn_graph_part(op, QN_OP_ML_PAD, element, &whole, &sums, 1,
                           QN_ATTRS({"pad", qn_attr_i64s(cx, pad, 4)}));
  }
  state->value = sums;
  qn_graph_shape shape = x->shape;
  shape.dims[--shape.rank - 1] = frames * step;
  qn_value *all = qn_signal_join(op, parts, (uint32_t)frames, 1);
  if (!real) {
    qn_signal_define(op, 0, QN_GRAPH_INT16, &shape, all);
    return;
  }
  all = qn_graph_part(op, QN_OP_ML_RESHAPE, element, &shape, &all, 1, NULL);
  qn_graph_define(op, y, &shape, all);
}

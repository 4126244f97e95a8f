/* SignalFilterBank, -SquareRoot, -SpectralSubtraction and -Log, and SignalPCAN: from the energies
 * of a spectrum to the logarithms of its channels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/tflite/signal/signal.h"
#include "ir/ops/forms.h"

enum { MOST_CHANNELS = 1 << 12, MOST_TAPS = 1 << 16 };

/* ---- the bank ---- */

enum { ENERGIES, WEIGHTS, REST, STARTS, WEIGHT_STARTS, WIDTHS, OPERANDS }; /* operands */

typedef struct bank {
  const int64_t *of[OPERANDS];
  int64_t count[OPERANDS], channels, taps;
  int64_t *indices, *weights; /* [channels][taps] */
} bank;

/* Stores taps [at, at + width of band `i`) of a row. Returns false, reported, if the band is out of
 * bounds. */
static bool put(qn_graph_op *op, bank *b, int64_t row, int64_t i, uint32_t weights, int64_t *at) {
  int64_t first = b->of[STARTS][i], weight = b->of[WEIGHT_STARTS][i], width = b->of[WIDTHS][i];
  if (width > 0 && (first < 0 || weight < 0 || first + width > b->count[ENERGIES] ||
                    weight + width > b->count[weights]))
    return qn_graph_error(op, NULL, QN_INVALID, "band %lld lies outside of its operands",
                          (long long)i);
  for (int64_t k = 0; k < width; k++, ++*at) {
    b->indices[row * b->taps + *at] = first + k;
    b->weights[row * b->taps + *at] = b->of[weights][weight + k];
  }
  return true;
}

/* Channel c is the unweighted part of band c and the weighted part of the next band. */
static bool read_bank(qn_graph_op *op, bank *b) {
  for (uint32_t i = WEIGHTS; i < OPERANDS; i++)
    if (!(b->of[i] = qn_signal_numbers(op, i, &b->count[i]))) return false;
  if (!qn_signal_option(op, "num_channels", 1, MOST_CHANNELS, &b->channels)) return false;
  for (uint32_t i = STARTS; i < OPERANDS; i++)
    if (b->count[i] < b->channels + 1)
      return qn_graph_error(op, NULL, QN_INVALID, "operand %u has no %lld bands", i,
                            (long long)(b->channels + 1));
  for (int64_t c = 0; c < b->channels; c++) {
    int64_t one = b->of[WIDTHS][c], other = b->of[WIDTHS][c + 1];
    int64_t taps = (one > 0 ? one : 0) + (other > 0 ? other : 0);
    if (taps > b->taps) b->taps = taps;
  }
  if (b->taps == 0) b->taps = 1;
  if (b->channels * b->taps > MOST_TAPS)
    return qn_graph_error(op, NULL, QN_LIMIT, "%lld channels of %lld taps are too many",
                          (long long)b->channels, (long long)b->taps);
  b->indices = QN_NEW_ARRAY(&op->graph->arena, (size_t)(b->channels * b->taps), int64_t);
  b->weights = QN_NEW_ARRAY(&op->graph->arena, (size_t)(b->channels * b->taps), int64_t);
  for (int64_t c = 0; c < b->channels; c++) {
    int64_t at = 0;
    if (!put(op, b, c, c, REST, &at) || !put(op, b, c, c + 1, WEIGHTS, &at)) return false;
  }
  return true;
}

void qn_tflite_import_signal_bank(qn_graph_op *op) {
  bank b = {0};
  qn_graph_tensor *x = qn_signal_input(op, ENERGIES, QN_GRAPH_UINT32, false);
  if (!x) return;
  b.count[ENERGIES] = qn_graph_elements(&x->shape);
  qn_value *energies = read_bank(op, &b) ? qn_signal_wide(op, x) : NULL;
  if (!energies || !qn_graph_spend(op, b.channels * b.taps)) return;
  const qn_graph_shape shape = {2, {b.channels, b.taps}}, row = {1, {b.channels}};
  qn_value *indices = qn_signal_constants(op, b.indices, &shape);
  qn_value *weights = qn_signal_constants(op, b.weights, &shape);
  qn_value *y = qn_signal_two(op, QN_OP_ML_MUL, qn_signal_gather(op, energies, indices), weights);
  qn_signal_define(op, 0, QN_GRAPH_UINT64, &row, qn_signal_reduce(op, QN_OP_ML_REDUCE_SUM, y));
}

/* ---- square roots ---- */

/* The square root, rounded to the nearest integer, at most 2^32 - 1, and 2^16 - 1 for values below
 * 2^32. Computed four bits at a time: the number of fifteen candidates whose squares do not exceed
 * x, as unsigned integers. */
static qn_value *root(qn_graph_op *op, qn_value *x, int64_t count) {
  enum { DIGITS = 8, DIGIT = 4, MARKS = 15 };
  const qn_graph_shape marks = {2, {1, MARKS}};
  qn_value *found = NULL, *column = qn_signal_view(op, x, count, 1);
  qn_value *moved = qn_signal_with(op, QN_OP_ML_ADD, column, INT64_MIN);
  for (int digit = DIGITS - 1; digit >= 0; digit--) {
    int64_t steps[MARKS];
    for (int64_t i = 0; i < MARKS; i++) steps[i] = (i + 1) << (DIGIT * digit);
    qn_value *y = qn_signal_constants(op, steps, &marks);
    if (found) y = qn_signal_two(op, QN_OP_ML_ADD, qn_signal_view(op, found, count, 1), y);
    y = qn_signal_with(op, QN_OP_ML_ADD, qn_signal_two(op, QN_OP_ML_MUL, y, y), INT64_MIN);
    y = qn_signal_is(op, QN_OP_ML_LESS_EQUAL, y, moved);
    y = qn_signal_shift(op, qn_signal_reduce(op, QN_OP_ML_REDUCE_SUM, y), DIGIT * digit);
    found = found ? qn_signal_two(op, QN_OP_ML_ADD, found, y) : y;
  }
  qn_value *rest = qn_signal_two(op, QN_OP_ML_MUL, found, found);
  rest = qn_signal_two(op, QN_OP_ML_SUB, x, rest);
  qn_value *up = qn_signal_is(op, QN_OP_ML_GREATER, rest, found);
  qn_value *high = qn_signal_shift(op, x, -32), *zero = qn_signal_constant(op, 0);
  qn_value *narrow = qn_signal_constant(op, UINT16_MAX), *wide = qn_signal_constant(op, UINT32_MAX);
  qn_value *most = qn_signal_pick(op, QN_OP_ML_EQUAL, high, zero, narrow, wide);
  up = qn_signal_two(op, QN_OP_ML_ADD, found, up);
  return qn_signal_two(op, QN_OP_ML_MINIMUM, up, most);
}

void qn_tflite_import_signal_root(qn_graph_op *op) {
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_UINT64, false);
  qn_graph_tensor *bits = x ? qn_graph_input(op, 1) : NULL;
  if (!bits || op->failed) return;
  if (bits->dtype != QN_GRAPH_INT32 || qn_graph_elements(&bits->shape) != 1) {
    qn_graph_error(op, bits, QN_UNSUPPORTED, "one int32 is expected");
    return;
  }
  qn_value *value = qn_signal_wide(op, x), *down = qn_signal_wide(op, bits);
  if (!value || !down) return;
  const qn_graph_shape one = {1, {1}};
  down = qn_graph_view(op, down, &one);
  down = qn_signal_two(op, QN_OP_ML_SUB, qn_signal_constant(op, 0), down);
  value = root(op, value, qn_graph_elements(&x->shape));
  qn_signal_define(op, 0, QN_GRAPH_UINT32, &x->shape,
                   qn_signal_two(op, QN_OP_ML_SHIFT, value, down));
}

/* ---- subtraction of noise ---- */

typedef struct subtraction {
  int64_t channels, bits, up, clamps, least, smoothing[2], rest[2]; /* [even, odd channels] */
} subtraction;

static bool read_subtraction(qn_graph_op *op, subtraction *s) {
  const int64_t most = 1 << 30; /* so that two products add up to less than 2^63 */
  return qn_signal_option(op, "num_channels", 1, MOST_CHANNELS, &s->channels) &&
         qn_signal_option(op, "spectral_subtraction_bits", 0, 31, &s->bits) &&
         qn_signal_option(op, "smoothing_bits", 0, 31, &s->up) &&
         qn_signal_option(op, "clamping", 0, 1, &s->clamps) &&
         qn_signal_option(op, "min_signal_remaining", 0, most, &s->least) &&
         qn_signal_option(op, "smoothing", 0, most, &s->smoothing[0]) &&
         qn_signal_option(op, "alternate_smoothing", 0, most, &s->smoothing[1]) &&
         qn_signal_option(op, "one_minus_smoothing", 0, most, &s->rest[0]) &&
         qn_signal_option(op, "alternate_one_minus_smoothing", 0, most, &s->rest[1]);
}

static qn_value *by_turns(qn_graph_op *op, const int64_t pair[2], int64_t count) {
  const qn_graph_shape shape = {1, {count}};
  int64_t *values = QN_NEW_ARRAY(&op->graph->arena, (size_t)count, int64_t);
  for (int64_t i = 0; i < count; i++) values[i] = pair[i % 2];
  return qn_signal_constants(op, values, &shape);
}

/* x minus the noise estimate, a slowly adapting state. */
void qn_tflite_import_signal_subtraction(qn_graph_op *op) {
  subtraction s;
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_UINT32, false);
  if (!x || !read_subtraction(op, &s)) return;
  if (qn_graph_elements(&x->shape) != s.channels) {
    qn_graph_error(op, x, QN_INVALID, "it has %lld elements, the option num_channels is %lld",
                   (long long)qn_graph_elements(&x->shape), (long long)s.channels);
    return;
  }
  const qn_type *type = qn_graph_shaped(op->graph, qn_type_i(cx, 64), &x->shape);
  qn_graph_variable *state = qn_signal_state(op, "noise", type);
  qn_value *value = state ? qn_signal_wide(op, x) : NULL;
  qn_value *noise = value ? qn_graph_open_variable(op, state) : NULL;
  if (!noise) return;
  qn_value *scaled = qn_signal_low_32(op, qn_signal_shift(op, value, s.up));
  qn_value *now = qn_signal_two(op, QN_OP_ML_MUL, scaled, by_turns(op, s.smoothing, s.channels));
  noise = qn_signal_two(op, QN_OP_ML_MUL, noise, by_turns(op, s.rest, s.channels));
  noise = qn_signal_two(op, QN_OP_ML_ADD, now, noise);
  noise = qn_signal_low_32(op, qn_signal_shift(op, noise, -s.bits));
  qn_value *estimate = qn_signal_two(op, QN_OP_ML_MINIMUM, noise, scaled);
  if (s.clamps) noise = estimate;
  qn_value *least = qn_signal_with(op, QN_OP_ML_MUL, value, s.least);
  least = qn_signal_low_32(op, qn_signal_shift(op, least, -s.bits));
  qn_value *y = qn_signal_two(op, QN_OP_ML_SUB, scaled, estimate);
  y = qn_signal_two(op, QN_OP_ML_MAXIMUM, qn_signal_shift(op, y, -s.up), least);
  state->value = noise;
  qn_signal_define(op, 0, QN_GRAPH_UINT32, &x->shape, y);
  qn_signal_define(op, 1, QN_GRAPH_UINT32, &x->shape, noise);
}

/* ---- gain control ---- */

/* A quadratic polynomial per octave of x, from a table with three coefficients and one unused
 * element. */
static qn_value *gain_of(qn_graph_op *op, qn_value *x, qn_value *table) {
  qn_value *bits = qn_signal_bits(op, x, 32), *two = qn_signal_constant(op, 2);
  qn_value *entry = qn_signal_with(op, QN_OP_ML_SUB, qn_signal_shift(op, bits, 2), 6);
  entry = qn_signal_with(op, QN_OP_ML_MAXIMUM, entry, 0);
  qn_value *by = qn_signal_two(op, QN_OP_ML_SUB, qn_signal_constant(op, 11), bits);
  qn_value *part = qn_signal_two(op, QN_OP_ML_SHIFT, x, by);
  part = qn_signal_with(op, QN_OP_ML_BITWISE_AND, part, 0x3FF);
  qn_value *linear = qn_signal_with(op, QN_OP_ML_ADD, entry, 1);
  qn_value *square = qn_signal_with(op, QN_OP_ML_ADD, entry, 2);
  qn_value *y = qn_signal_two(op, QN_OP_ML_MUL, qn_signal_gather(op, table, square), part);
  y = qn_signal_with(op, QN_OP_ML_SHIFT, y, -5);
  linear = qn_signal_shift(op, qn_signal_gather(op, table, linear), 5);
  y = qn_signal_wrap(op, qn_signal_two(op, QN_OP_ML_ADD, y, linear), 32);
  y = qn_signal_wrap(op, qn_signal_two(op, QN_OP_ML_MUL, y, part), 32);
  y = qn_signal_with(op, QN_OP_ML_SHIFT, qn_signal_with(op, QN_OP_ML_ADD, y, 1 << 14), -15);
  y = qn_signal_two(op, QN_OP_ML_ADD, y, qn_signal_gather(op, table, entry));
  y = qn_signal_wrap(op, y, 16);
  qn_value *first = qn_signal_two(op, QN_OP_ML_MINIMUM, x, two);
  return qn_signal_pick(op, QN_OP_ML_LESS_EQUAL, x, two, qn_signal_gather(op, table, first), y);
}

/* x^2 / 4 for x < 2, else x - 1; from 12 fraction bits to 6. */
static qn_value *shrunk(qn_graph_op *op, qn_value *x) {
  qn_value *two = qn_signal_constant(op, 2 << 12);
  qn_value *below = qn_signal_two(op, QN_OP_ML_MINIMUM, x, two);
  below = qn_signal_shift(op, qn_signal_two(op, QN_OP_ML_MUL, below, below), -20);
  qn_value *above = qn_signal_with(op, QN_OP_ML_SUB, qn_signal_shift(op, x, -6), 1 << 6);
  return qn_signal_pick(op, QN_OP_ML_LESS, x, two, below, above);
}

void qn_tflite_import_signal_pcan(qn_graph_op *op) {
  enum { TABLE = 4 * 32 - 6 + 3 }; /* entries that an x of 32 bits reads */
  int64_t shift, count;
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_UINT32, false);
  qn_graph_tensor *noise = x ? qn_signal_input(op, 1, QN_GRAPH_UINT32, false) : NULL;
  const int64_t *entries = noise ? qn_signal_numbers(op, 2, &count) : NULL;
  if (!entries || !qn_signal_option(op, "snr_shift", 0, 63, &shift)) return;
  if (count < TABLE || !qn_graph_same_shape(&x->shape, &noise->shape)) {
    qn_graph_error(op, x, QN_UNSUPPORTED,
                   "a table of %d entries and noise of its shape are expected", (int)TABLE);
    return;
  }
  const qn_graph_shape shape = {1, {count}};
  qn_value *value = qn_signal_wide(op, x), *estimate = qn_signal_wide(op, noise);
  if (!value || !estimate) return;
  qn_value *gain = gain_of(op, estimate, qn_signal_constants(op, entries, &shape));
  gain = qn_signal_low_32(op, gain);
  value = qn_signal_shift(op, qn_signal_two(op, QN_OP_ML_MUL, value, gain), -shift);
  value = shrunk(op, qn_signal_low_32(op, value));
  qn_signal_define(op, 0, QN_GRAPH_UINT32, &x->shape, value);
}

/* ---- logarithms ---- */

enum { SEGMENT_BITS = 7, SEGMENTS = 1 << SEGMENT_BITS };

/* log2(1 + i / 128) - i / 128 with 16 fraction bits. */
static qn_value *corrections(qn_graph_op *op) {
  int64_t values[SEGMENTS + 2] = {0};
  const qn_graph_shape shape = {1, {SEGMENTS + 2}};
  for (int i = 0; i < SEGMENTS; i++) {
    double x = (double)i / (double)SEGMENTS;
    values[i] = (int64_t)(65536 * (log2(1 + x) - x) + 0.5);
  }
  return qn_signal_constants(op, values, &shape);
}

/* scale * ln(x) of uint32 x > 0, from the integer part and the fraction of log2(x). The fraction is
 * interpolated linearly between table entries. */
static qn_value *log_of(qn_graph_op *op, qn_value *x, int64_t scale) {
  qn_value *table = corrections(op);
  qn_value *whole = qn_signal_with(op, QN_OP_ML_SUB, qn_signal_bits(op, x, 32), 1);
  whole = qn_signal_with(op, QN_OP_ML_MAXIMUM, whole, 0);
  qn_value *power = qn_signal_two(op, QN_OP_ML_SHIFT, qn_signal_constant(op, 1), whole);
  qn_value *by = qn_signal_two(op, QN_OP_ML_SUB, qn_signal_constant(op, 16), whole);
  qn_value *part = qn_signal_two(op, QN_OP_ML_SUB, x, power);
  part = qn_signal_two(op, QN_OP_ML_SHIFT, part, by);
  part = qn_signal_clamp(op, part, 0, UINT16_MAX);
  qn_value *segment = qn_signal_shift(op, part, SEGMENT_BITS - 16);
  qn_value *next = qn_signal_with(op, QN_OP_ML_ADD, segment, 1);
  qn_value *low = qn_signal_gather(op, table, segment), *high = qn_signal_gather(op, table, next);
  qn_value *along = qn_signal_with(op, QN_OP_ML_BITWISE_AND, part, (1 << (16 - SEGMENT_BITS)) - 1);
  qn_value *rise = qn_signal_two(op, QN_OP_ML_SUB, high, low);
  rise = qn_signal_with(op, QN_OP_ML_SHIFT, qn_signal_two(op, QN_OP_ML_MUL, rise, along), -16);
  qn_value *y = qn_signal_two(op, QN_OP_ML_ADD, qn_signal_shift(op, whole, 16), part);
  y = qn_signal_two(op, QN_OP_ML_ADD, qn_signal_two(op, QN_OP_ML_ADD, y, low), rise);
  const int64_t natural = 45426, half = 1 << 15; /* ln(2) with 16 fraction bits */
  y = qn_signal_with(op, QN_OP_ML_ADD, qn_signal_with(op, QN_OP_ML_MUL, y, natural), half);
  y = qn_signal_shift(op, y, -16);
  y = qn_signal_with(op, QN_OP_ML_ADD, qn_signal_with(op, QN_OP_ML_MUL, y, scale), half);
  return qn_signal_shift(op, qn_signal_low_32(op, y), -16);
}

void qn_tflite_import_signal_log(qn_graph_op *op) {
  int64_t scale, up;
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_UINT32, false);
  if (!x || !qn_signal_option(op, "output_scale", 0, INT32_MAX, &scale) ||
      !qn_signal_option(op, "input_correction_bits", 0, 31, &up))
    return;
  qn_value *value = qn_signal_wide(op, x);
  if (!value) return;
  value = qn_signal_low_32(op, qn_signal_shift(op, value, up));
  qn_value *y = qn_signal_with(op, QN_OP_ML_MINIMUM, log_of(op, value, scale), INT16_MAX);
  qn_value *one = qn_signal_constant(op, 1), *zero = qn_signal_constant(op, 0);
  y = qn_signal_pick(op, QN_OP_ML_GREATER, value, one, y, zero);
  qn_signal_define(op, 0, QN_GRAPH_INT16, &x->shape, y);
}

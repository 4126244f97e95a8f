/* SignalRfft and SignalIrfft of int16: a radix-4 and radix-2 FFT, decimated in time, on complex
 * numbers with 16-bit parts. Before each stage, numbers are divided by the radix. After each
 * product, 15 fraction bits are rounded away. The results of a stage wrap at 16 bits. A stage
 * consists of a few ops on tensors [blocks, radix, m].
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/tflite/signal/signal.h"
#include "ir/ops/forms.h"

enum { MOST_LENGTH = 1 << 12, MOST_FACTORS = 12, MOST_ROWS = 64, LARGEST = INT16_MAX };
enum { TYPE_INT16 = 7 }; /* number of the type in the file */

typedef struct complex_value {
  qn_value *re, *im;
} complex_value;

typedef struct transform {
  qn_graph_op *op;
  int64_t length, factors[MOST_FACTORS]; /* number of complex elements */
  uint32_t factor_count;
  bool inverse;
} transform;

static const double pi = 3.141592653589793238462643383279502884197169399375105820974944;

static qn_value *add(const transform *t, qn_value *a, qn_value *b) {
  return qn_signal_two(t->op, QN_OP_ML_ADD, a, b);
}
static qn_value *sub(const transform *t, qn_value *a, qn_value *b) {
  return qn_signal_two(t->op, QN_OP_ML_SUB, a, b);
}
static qn_value *wrapped(const transform *t, qn_value *x) { return qn_signal_wrap(t->op, x, 16); }

static complex_value sum(const transform *t, complex_value a, complex_value b) {
  complex_value y = {add(t, a.re, b.re), NULL};
  y.im = add(t, a.im, b.im);
  return y;
}
static complex_value difference(const transform *t, complex_value a, complex_value b) {
  complex_value y = {sub(t, a.re, b.re), NULL};
  y.im = sub(t, a.im, b.im);
  return y;
}
static complex_value stored(const transform *t, complex_value x) {
  complex_value y = {wrapped(t, x.re), NULL};
  y.im = wrapped(t, x.im);
  return y;
}

/* Rounds away 15 fraction bits, to nearest, ties up. */
static qn_value *rounded(const transform *t, qn_value *x) {
  x = qn_signal_with(t->op, QN_OP_ML_ADD, x, 1 << 14);
  return wrapped(t, qn_signal_with(t->op, QN_OP_ML_SHIFT, x, -15));
}
static qn_value *divided(const transform *t, qn_value *x, int64_t by) {
  return rounded(t, qn_signal_with(t->op, QN_OP_ML_MUL, x, LARGEST / by));
}
static complex_value divided_both(const transform *t, complex_value x, int64_t by) {
  complex_value y = {divided(t, x.re, by), NULL};
  y.im = divided(t, x.im, by);
  return y;
}
static complex_value product(const transform *t, complex_value a, complex_value b) {
  qn_value *rr = qn_signal_two(t->op, QN_OP_ML_MUL, a.re, b.re);
  qn_value *ii = qn_signal_two(t->op, QN_OP_ML_MUL, a.im, b.im);
  qn_value *ri = qn_signal_two(t->op, QN_OP_ML_MUL, a.re, b.im);
  qn_value *ir = qn_signal_two(t->op, QN_OP_ML_MUL, a.im, b.re);
  complex_value y = {rounded(t, sub(t, rr, ii)), NULL};
  y.im = rounded(t, add(t, ri, ir));
  return y;
}

/* ---- constants ---- */

static int64_t sample(double x) { return (int64_t)floor(0.5 + (double)LARGEST * x); }

/* e^(i phase) for `count` phases. */
static complex_value roots(const transform *t, const double *phases, int64_t count) {
  const qn_graph_shape shape = {1, {count}};
  int64_t *re = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)count, int64_t);
  int64_t *im = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)count, int64_t);
  for (int64_t i = 0; i < count; i++)
    re[i] = sample(cos(phases[i])), im[i] = sample(sin(phases[i]));
  complex_value y = {qn_signal_constants(t->op, re, &shape), NULL};
  y.im = qn_signal_constants(t->op, im, &shape);
  return y;
}

/* Roots for part q of a stage: every (q * stride)-th of the circle. */
static complex_value stage_roots(const transform *t, int64_t q, int64_t stride, int64_t m) {
  double *phases = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)m, double);
  for (int64_t i = 0; i < m; i++) {
    phases[i] = -2 * pi * (double)(q * stride * i) / (double)t->length;
    if (t->inverse) phases[i] *= -1;
  }
  return roots(t, phases, m);
}

/* Roots that split the spectrum of real numbers. */
static complex_value half_roots(const transform *t) {
  double *phases = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)t->length / 2, double);
  for (int64_t i = 0; i < t->length / 2; i++) {
    phases[i] = -pi * ((double)(i + 1) / (double)t->length + 0.5);
    if (t->inverse) phases[i] *= -1;
  }
  return roots(t, phases, t->length / 2);
}

static qn_value *picked(const transform *t, qn_value *x, const int64_t *indices, int64_t count) {
  const qn_graph_shape shape = {1, {count}};
  return qn_signal_gather(t->op, x, qn_signal_constants(t->op, indices, &shape));
}
static complex_value picked_both(const transform *t, complex_value x, const int64_t *indices,
                                 int64_t count) {
  complex_value y = {picked(t, x.re, indices, count), NULL};
  y.im = picked(t, x.im, indices, count);
  return y;
}

/* ---- stages ---- */

static void find_factors(transform *t) {
  for (int64_t n = t->length; n > 1;) {
    int64_t p = n % 4 == 0 ? 4 : 2;
    t->factors[t->factor_count++] = p;
    n /= p;
  }
}

/* The source index of element i in decimated order. */
static void order(const transform *t, int64_t *out) {
  for (int64_t i = 0; i < t->length; i++) {
    int64_t from = 0, stride = 1, rest = i, m = t->length;
    for (uint32_t f = 0; f < t->factor_count; f++) {
      m /= t->factors[f];
      from += stride * (rest / m);
      rest %= m;
      stride *= t->factors[f];
    }
    out[i] = from;
  }
}

/* Part q of [blocks, radix, m] as [blocks, 1, m], divided by the radix and multiplied by its roots.
 */
static complex_value part_of(const transform *t, complex_value x, int64_t q, int64_t radix,
                             int64_t stride, int64_t m) {
  complex_value y = {qn_signal_cut(t->op, x.re, 1, q, q + 1), NULL};
  y.im = qn_signal_cut(t->op, x.im, 1, q, q + 1);
  y = divided_both(t, y, radix);
  return q == 0 ? y : product(t, y, stage_roots(t, q, stride, m));
}

static complex_value joined(const transform *t, const complex_value *parts, int64_t radix) {
  qn_value *re[4], *im[4];
  const qn_graph_shape flat = {1, {t->length}};
  for (int64_t i = 0; i < radix; i++) {
    complex_value kept = stored(t, parts[i]);
    re[i] = kept.re, im[i] = kept.im;
  }
  complex_value y = {qn_signal_join(t->op, re, (uint32_t)radix, 1), NULL};
  y.im = qn_signal_join(t->op, im, (uint32_t)radix, 1);
  y.re = qn_graph_view(t->op, y.re, &flat);
  y.im = qn_graph_view(t->op, y.im, &flat);
  return y;
}

static complex_value stage(const transform *t, complex_value x, int64_t radix, int64_t m) {
  int64_t blocks = t->length / (radix * m);
  const qn_graph_shape shape = {3, {blocks, radix, m}};
  complex_value in[4], out[4];
  x.re = qn_graph_view(t->op, x.re, &shape);
  x.im = qn_graph_view(t->op, x.im, &shape);
  for (int64_t q = 0; q < radix; q++) in[q] = part_of(t, x, q, radix, blocks, m);
  if (radix == 2) {
    out[0] = sum(t, in[0], in[1]);
    out[1] = difference(t, in[0], in[1]);
    return joined(t, out, radix);
  }
  complex_value even = stored(t, sum(t, in[0], in[2]));
  complex_value even_rest = stored(t, difference(t, in[0], in[2]));
  complex_value odd = stored(t, sum(t, in[1], in[3]));
  complex_value odd_rest = stored(t, difference(t, in[1], in[3]));
  complex_value turned = {odd_rest.im, NULL}; /* times -i */
  turned.im = qn_signal_two(t->op, QN_OP_ML_SUB, qn_signal_constant(t->op, 0), odd_rest.re);
  out[0] = sum(t, even, odd);
  out[2] = difference(t, even, odd);
  out[t->inverse ? 3 : 1] = sum(t, even_rest, turned);
  out[t->inverse ? 1 : 3] = difference(t, even_rest, turned);
  return joined(t, out, radix);
}

static complex_value complex_transform(const transform *t, complex_value x) {
  int64_t *from = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)t->length, int64_t), m = 1;
  order(t, from);
  x = picked_both(t, x, from, t->length);
  for (uint32_t f = t->factor_count; f-- > 0; m *= t->factors[f]) x = stage(t, x, t->factors[f], m);
  return x;
}

/* ---- real numbers ---- */

/* Stores elements k of x in *out_near and the complex conjugates of elements length - k in
 * *out_far, for k from 1 to half the length, all divided by 2. */
static void both_sides(const transform *t, complex_value x, complex_value *out_near,
                       complex_value *out_far) {
  int64_t half = t->length / 2;
  int64_t *near = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)half, int64_t);
  int64_t *far = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)half, int64_t);
  for (int64_t i = 0; i < half; i++) near[i] = i + 1, far[i] = t->length - i - 1;
  *out_near = picked_both(t, x, near, half);
  *out_far = picked_both(t, x, far, half);
  qn_value *zero = qn_signal_constant(t->op, 0);
  out_far->im = wrapped(t, sub(t, zero, out_far->im));
  *out_near = divided_both(t, *out_near, 2);
  *out_far = divided_both(t, *out_far, 2);
}

/* Joins the parts [first | near k | far k | last] in the order of the elements. For the middle
 * element the far form is used. `extra` is 1 if the part `last` exists, else 0. */
static qn_value *in_order(const transform *t, qn_value *const *parts, int64_t extra) {
  int64_t half = t->length / 2, count = t->length + extra;
  int64_t *from = QN_NEW_ARRAY(&t->op->graph->arena, (size_t)count, int64_t);
  for (int64_t i = 1; i < t->length; i++) from[i] = i < half ? i : half + t->length - i;
  from[0] = 0;
  if (extra) from[t->length] = t->length + 1;
  qn_value *all = qn_signal_join(t->op, parts, extra ? 4 : 3, 0);
  return picked(t, all, from, count);
}

static qn_value *halved(const transform *t, qn_value *x) {
  return wrapped(t, qn_signal_with(t->op, QN_OP_ML_SHIFT, x, -1));
}

/* The spectrum of 2 * length real values, as [length + 1, 2]. */
static qn_value *spectrum(const transform *t, qn_value *x) {
  const qn_graph_shape flat = {1, {t->length}}, column = {2, {t->length + 1, 1}};
  qn_value *pairs = qn_signal_view(t->op, x, t->length, 2);
  complex_value z = {qn_signal_cut(t->op, pairs, 1, 0, 1), NULL}, near, far;
  z.im = qn_signal_cut(t->op, pairs, 1, 1, 2);
  z.re = qn_graph_view(t->op, z.re, &flat);
  z.im = qn_graph_view(t->op, z.im, &flat);
  z = complex_transform(t, z);
  complex_value first = {qn_signal_cut(t->op, z.re, 0, 0, 1), NULL};
  first.im = qn_signal_cut(t->op, z.im, 0, 0, 1);
  first = divided_both(t, first, 2);
  both_sides(t, z, &near, &far);
  complex_value even = stored(t, sum(t, near, far));
  complex_value odd = stored(t, difference(t, near, far));
  odd = product(t, odd, half_roots(t));
  complex_value low = sum(t, even, odd), high = difference(t, even, odd);
  qn_value *re[4] = {wrapped(t, add(t, first.re, first.im)), NULL}, *im[4];
  re[1] = halved(t, low.re);
  re[2] = halved(t, high.re);
  re[3] = wrapped(t, sub(t, first.re, first.im));
  im[0] = im[3] = qn_signal_constant(t->op, 0);
  im[1] = halved(t, low.im);
  im[2] = halved(t, sub(t, odd.im, even.im));
  qn_value *sides[2] = {in_order(t, re, 1), NULL};
  sides[1] = in_order(t, im, 1);
  sides[0] = qn_graph_view(t->op, sides[0], &column);
  sides[1] = qn_graph_view(t->op, sides[1], &column);
  return qn_signal_join(t->op, sides, 2, 1);
}

/* The real values of a spectrum, as [length, 2]. */
static qn_value *real_numbers(const transform *t, qn_value *x) {
  const qn_graph_shape flat = {1, {t->length + 1}}, column = {2, {t->length, 1}};
  qn_value *pairs = qn_signal_view(t->op, x, t->length + 1, 2);
  complex_value z = {qn_signal_cut(t->op, pairs, 1, 0, 1), NULL}, near, far;
  z.im = qn_signal_cut(t->op, pairs, 1, 1, 2);
  z.re = qn_graph_view(t->op, z.re, &flat);
  z.im = qn_graph_view(t->op, z.im, &flat);
  qn_value *start = qn_signal_cut(t->op, z.re, 0, 0, 1);
  qn_value *end = qn_signal_cut(t->op, z.re, 0, t->length, t->length + 1);
  complex_value first = {wrapped(t, add(t, start, end)), NULL};
  first.im = wrapped(t, sub(t, start, end));
  first = divided_both(t, first, 2);
  both_sides(t, z, &near, &far);
  complex_value even = stored(t, sum(t, near, far));
  complex_value odd = stored(t, difference(t, near, far));
  odd = product(t, odd, half_roots(t));
  complex_value low = stored(t, sum(t, even, odd)), high = stored(t, difference(t, even, odd));
  high.im = wrapped(t, sub(t, qn_signal_constant(t->op, 0), high.im));
  qn_value *re[3] = {first.re, low.re, high.re}, *im[3] = {first.im, low.im, high.im};
  complex_value all = {in_order(t, re, 0), NULL};
  all.im = in_order(t, im, 0);
  all = complex_transform(t, all);
  qn_value *sides[2] = {qn_graph_view(t->op, all.re, &column), NULL};
  sides[1] = qn_graph_view(t->op, all.im, &column);
  return qn_signal_join(t->op, sides, 2, 1);
}

/* ---- the operators ---- */

/* Transforms rows of `in` elements, padded with zeros, to rows of `out` elements. */
static void import(qn_graph_op *op, bool inverse) {
  int64_t length, type;
  qn_graph_tensor *x = qn_signal_input(op, 0, QN_GRAPH_INT16, true);
  if (!x || !qn_signal_option(op, "fft_length", 4, MOST_LENGTH, &length) ||
      !qn_signal_option(op, "T", TYPE_INT16, TYPE_INT16, &type))
    return;
  transform t = {.op = op, .length = length / 2, .inverse = inverse};
  int64_t in = x->shape.dims[x->shape.rank - 1], rows = qn_graph_elements(&x->shape) / in;
  int64_t most = inverse ? length + 2 : length, out = inverse ? length : length + 2;
  if ((length & (length - 1)) != 0 || in > most || (inverse && in != most) || rows > MOST_ROWS) {
    qn_graph_error(op, x, QN_UNSUPPORTED,
                   "%lld rows of %lld numbers are not transformed by a length of %lld: a power of "
                   "two, not less than a row, and at most %d rows are supported",
                   (long long)rows, (long long)in, (long long)length, MOST_ROWS);
    return;
  }
  qn_value *value = qn_signal_wide(op, x), *done[MOST_ROWS];
  if (!value || !qn_graph_spend(op, 2 * rows * length)) return;
  find_factors(&t);
  value = qn_signal_view(op, value, rows, in);
  const int64_t pad[] = {0, 0, 0, most - in};
  const qn_graph_shape padded = {2, {rows, most}}, row = {1, {most}}, one = {2, {1, out}};
  if (in < most)
    value = qn_graph_part(op, QN_OP_ML_PAD, qn_type_i(op->graph->cx, 64), &padded, &value, 1,
                          QN_ATTRS({"pad", qn_attr_i64s(op->graph->cx, pad, 4)}));
  for (int64_t i = 0; i < rows; i++) {
    qn_value *numbers = qn_graph_view(op, qn_signal_cut(op, value, 0, i, i + 1), &row);
    numbers = inverse ? real_numbers(&t, numbers) : spectrum(&t, numbers);
    done[i] = qn_graph_view(op, numbers, &one);
  }
  qn_graph_shape shape = x->shape;
  shape.dims[shape.rank - 1] = out;
  qn_signal_define(op, 0, QN_GRAPH_INT16, &shape, qn_signal_join(op, done, (uint32_t)rows, 0));
}

void qn_tflite_import_signal_rfft(qn_graph_op *op) { import(op, false); }
void qn_tflite_import_signal_irfft(qn_graph_op *op) { import(op, true); }

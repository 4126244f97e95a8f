/* The definition of f32 and f64 convolutions and matrix products; every engine computes these bits.
 *
 * A sum starts with its bias, or +0, and adds the products x * w one after the other: in f32 with
 * one rounding for product and sum (fused multiply-add), in f64 with one rounding for each, because
 * not every CPU has fused multiply-add. The order is that of the weights of one output: rows of the
 * window, columns, input channels; for a matrix product k. Padding elements are zeros and are
 * multiplied like all others, so an infinite weight at the padding gives NaN. The activation comes
 * last and keeps NaN.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "eval/ref/ref.h"
#include "ir/numerics.h"
#include "ir/ops/infer/matmul.h"

/* The elements of a tensor from one element on. */
typedef struct numbers {
  const void *data; /* NULL if none */
  bool wide;        /* f64; if not, f32 */
} numbers;

static bool is_wide(const qn_rt_value *value) {
  return qn_type_is_float(qn_type_element(value->type), QN_F64);
}
static numbers numbers_of(qn_eval *ev, const qn_op *op, uint32_t operand) {
  const qn_rt_value *value = qn_eval_operand(ev, op, operand);
  return (numbers){value->data, is_wide(value)};
}
static numbers from(numbers n, int64_t first) {
  if (n.wide) return (numbers){(const double *)n.data + first, true};
  return (numbers){(const float *)n.data + first, false};
}
static double number_at(numbers n, int64_t i) {
  if (!n.data) return 0;
  return n.wide ? ((const double *)n.data)[i] : (double)((const float *)n.data)[i];
}

/* Adds `count` products; elements are x_step and w_step apart. An f32 sum is returned as a double,
 * exactly. */
static double add_products(double sum, numbers x, int64_t x_step, numbers w, int64_t w_step,
                           int64_t count) {
  if (w.wide) {
    const double *a = x.data, *b = w.data;
    for (int64_t i = 0; i < count; i++) sum += a[i * x_step] * b[i * w_step];
    return sum;
  }
  const float *a = x.data, *b = w.data;
  float narrow = (float)sum;
  for (int64_t i = 0; i < count; i++) narrow = fmaf(a[i * x_step], b[i * w_step], narrow);
  return (double)narrow;
}

typedef struct limits {
  float low, high;
} limits;

static limits limits_of(const qn_eval *ev, const qn_op *op) {
  limits l;
  qn_op_real_limits(ev->module, op, &l.low, &l.high);
  return l;
}

/* Clamps y; NaN stays, and so does -0 with a bound of 0. */
static double activate(limits l, double y) {
  if (y < (double)l.low) y = (double)l.low;
  return (double)l.high < y ? (double)l.high : y;
}

static void set_number(void *data, bool wide, int64_t i, double y) {
  if (wide)
    ((double *)data)[i] = y;
  else
    ((float *)data)[i] = (float)y;
}

/* Sets element i of the result. */
static void store(const qn_rt_value *result, int64_t i, double y) {
  set_number(result->data, is_wide(result), i, y);
}

/* ---- convolutions ---- */

typedef struct conv {
  qn_ref_window window;
  int64_t depth, filters; /* input channels of a group, output channels of a group */
  numbers x, w, bias;     /* w: [tap][input channel of a group][output channel] */
  const qn_rt_value *y;
  limits limits;
} conv;

/* sums[i] += x * w[i] or, with `each`, x[i] * w[i]: one product of several outputs, whose sums do
 * not depend on each other. */
#define ADD_PRODUCTS(T, sum_of)                                                                    \
  T *to = sums;                                                                                    \
  const T *a = x, *b = w;                                                                          \
  if (each)                                                                                        \
    for (int64_t i = 0; i < count; i++) to[i] = sum_of(a[i], b[i], to[i]);                         \
  else                                                                                             \
    for (int64_t i = 0; i < count; i++) to[i] = sum_of(*a, b[i], to[i])
#define ROUNDED_TWICE(a, b, sum) ((sum) + (a) * (b))

static inline __attribute__((always_inline)) void
add_singles(void *sums, const void *x, const void *w, int64_t count, bool each) {
  ADD_PRODUCTS(float, fmaf);
}
static void add_doubles(void *sums, const void *x, const void *w, int64_t count, bool each) {
  ADD_PRODUCTS(double, ROUNDED_TWICE);
}
static void add_singles_anywhere(void *sums, const void *x, const void *w, int64_t count,
                                 bool each) {
  add_singles(sums, x, w, count, each);
}

typedef void add_fn(void *sums, const void *x, const void *w, int64_t count, bool each);

/* The build is for every CPU, most of which have the instruction that fmaf calls a function for. */
#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static void
add_singles_fused(void *sums, const void *x, const void *w, int64_t count, bool each) {
  add_singles(sums, x, w, count, each);
}
static add_fn *add_singles_here(void) {
  __builtin_cpu_init();
  bool fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return fused ? add_singles_fused : add_singles_anywhere;
}
#else
static add_fn *add_singles_here(void) { return add_singles_anywhere; }
#endif

/* Adds the products of one tap to the sums of all output channels; `at`: the position in x, or -1
 * in the padding. */
static void add_tap(const conv *c, add_fn *add, void *sums, int64_t at, int64_t tap) {
  static const double zero = 0; /* also a valid f32 zero: all bits are 0 */
  const qn_ref_window *g = &c->window;
  int64_t groups = g->in_c / c->depth, size = c->w.wide ? 8 : 4;
  numbers w = from(c->w, tap * c->depth * g->out_c);
  if (c->filters == 1 && c->depth == 1 && at >= 0) {
    add(sums, from(c->x, at).data, w.data, g->out_c, true);
    return;
  }
  for (int64_t group = 0; group < groups; group++)
    for (int64_t k = 0; k < c->depth; k++) {
      const void *x = at < 0 ? &zero : from(c->x, at + group * c->depth + k).data;
      int64_t first = group * c->filters;
      add((uint8_t *)sums + first * size, x, from(w, k * g->out_c + first).data, c->filters, false);
    }
}

static void add_window(const conv *c, add_fn *add, void *sums, int64_t n, int64_t oy, int64_t ox) {
  const qn_ref_window *g = &c->window;
  for (int64_t ky = 0; ky < g->kernel_h; ky++)
    for (int64_t kx = 0; kx < g->kernel_w; kx++) {
      int64_t iy = oy * g->stride_h + ky * g->dilation_h - g->pad_top;
      int64_t ix = ox * g->stride_w + kx * g->dilation_w - g->pad_left;
      bool inside = iy >= 0 && iy < g->in_h && ix >= 0 && ix < g->in_w;
      int64_t at = inside ? ((n * g->in_h + iy) * g->in_w + ix) * g->in_c : -1;
      add_tap(c, add, sums, at, ky * g->kernel_w + kx);
    }
}

static void run_conv(qn_eval *ev, const conv *c) {
  const qn_ref_window *g = &c->window;
  add_fn *add = c->w.wide ? add_doubles : add_singles_here();
  double *memory = QN_NEW_ARRAY(ev->arena, (size_t)g->out_c + 1, double);
  const numbers sums = {memory, c->w.wide};
  bool wide = is_wide(c->y);
  int64_t at = 0;
  for (int64_t n = 0; n < g->batch; n++)
    for (int64_t oy = 0; oy < g->out_h; oy++)
      for (int64_t ox = 0; ox < g->out_w; ox++) {
        for (int64_t oc = 0; oc < g->out_c; oc++)
          set_number(memory, sums.wide, oc, number_at(c->bias, oc));
        add_window(c, add, memory, n, oy, ox);
        for (int64_t oc = 0; oc < g->out_c; oc++)
          set_number(c->y->data, wide, at++, activate(c->limits, number_at(sums, oc)));
        qn_guard_work(g->kernel_h * g->kernel_w * c->depth * g->out_c);
      }
}

/* Weights [output channel][tap][input channel] with output channels last. */
static numbers turned(qn_eval *ev, numbers w, int64_t channels, int64_t depth) {
  double *memory = QN_NEW_ARRAY(ev->arena, (size_t)(channels * depth) + 1, double);
  for (int64_t oc = 0; oc < channels; oc++)
    for (int64_t k = 0; k < depth; k++)
      set_number(memory, w.wide, k * channels + oc, number_at(w, oc * depth + k));
  return (numbers){memory, w.wide};
}

static qn_status read_bias(qn_eval *ev, const qn_op *op, int64_t channels, numbers *out) {
  *out = (numbers){0};
  if (op->operand_count < 3) return QN_OK;
  if (qn_rt_count(qn_eval_operand(ev, op, 2)) != channels)
    return qn_eval_fail(ev, op, "has a bias that is not one value per output channel");
  *out = numbers_of(ev, op, 2);
  return QN_OK;
}

static qn_status read_conv(qn_eval *ev, const qn_op *op, conv *out) {
  const qn_type *weights = qn_ref_operand_type(op, 1);
  if (weights->shaped.rank != 4) return qn_eval_fail(ev, op, "needs weights of rank 4");
  const int64_t *dims = weights->shaped.dims;
  *out = (conv){.limits = limits_of(ev, op)};
  QN_TRY(qn_ref_window_of(ev, op, dims[1], dims[2], &out->window));
  QN_TRY(read_bias(ev, op, out->window.out_c, &out->bias));
  out->x = numbers_of(ev, op, 0);
  out->w = numbers_of(ev, op, 1);
  out->y = qn_eval_result(ev, op, 0);
  return QN_OK;
}

qn_status qn_ref_conv_floats(qn_eval *ev, const qn_op *op) {
  conv c;
  QN_TRY(read_conv(ev, op, &c));
  const int64_t *dims = qn_ref_operand_type(op, 1)->shaped.dims;
  int64_t groups = qn_op_groups(op);
  c.depth = dims[3];
  if (groups < 1 || c.window.in_c != c.depth * groups || c.window.out_c % groups != 0 ||
      dims[0] != c.window.out_c)
    return qn_eval_fail(ev, op, "has channels that do not fit its weights and groups");
  c.filters = c.window.out_c / groups;
  c.w = turned(ev, c.w, dims[0], dims[1] * dims[2] * dims[3]);
  run_conv(ev, &c);
  return QN_OK;
}

qn_status qn_ref_depthwise_floats(qn_eval *ev, const qn_op *op) {
  conv c;
  QN_TRY(read_conv(ev, op, &c));
  const int64_t *dims = qn_ref_operand_type(op, 1)->shaped.dims;
  if (dims[0] != 1 || dims[3] != c.window.out_c || c.window.in_c < 1 ||
      c.window.out_c % c.window.in_c != 0)
    return qn_eval_fail(ev, op, "has %lld output channels for %lld input channels",
                        (long long)c.window.out_c, (long long)c.window.in_c);
  c.depth = 1, c.filters = c.window.out_c / c.window.in_c;
  run_conv(ev, &c);
  return QN_OK;
}

/* ---- matrix products ---- */

qn_status qn_ref_linear_floats(qn_eval *ev, const qn_op *op) {
  const qn_type *weights = qn_ref_operand_type(op, 1);
  int64_t depth = weights->shaped.rank == 2 ? weights->shaped.dims[1] : 0;
  int64_t x_count = qn_rt_count(qn_eval_operand(ev, op, 0));
  if (depth < 1 || x_count % depth != 0 ||
      x_count / depth * weights->shaped.dims[0] != qn_rt_count(qn_eval_result(ev, op, 0)))
    return qn_eval_fail(ev, op, "has an input that is not the result's number of rows of %lld",
                        (long long)depth);
  int64_t units = weights->shaped.dims[0];
  numbers x = numbers_of(ev, op, 0), w = numbers_of(ev, op, 1), bias;
  QN_TRY(read_bias(ev, op, units, &bias));
  const qn_rt_value *y = qn_eval_result(ev, op, 0);
  const limits l = limits_of(ev, op);
  for (int64_t row = 0; row < x_count / depth; row++)
    for (int64_t unit = 0; unit < units; unit++) {
      double sum = number_at(bias, unit);
      sum = add_products(sum, from(x, row * depth), 1, from(w, unit * depth), 1, depth);
      store(y, row * units + unit, activate(l, sum));
    }
  return QN_OK;
}

qn_status qn_ref_matmul_floats(qn_eval *ev, const qn_op *op) {
  qn_matmul m;
  const char *problem = qn_matmul_of(op, &m);
  if (!problem && m.batch_count * m.rows * m.columns != qn_rt_count(qn_eval_result(ev, op, 0)))
    problem = "has a result of another shape";
  if (problem) return qn_eval_fail(ev, op, "%s", problem);
  numbers x = numbers_of(ev, op, 0), y = numbers_of(ev, op, 1);
  const qn_rt_value *out = qn_eval_result(ev, op, 0);
  int64_t at = 0;
  for (int64_t batch = 0; batch < m.batch_count; batch++) {
    numbers rows = from(x, qn_matmul_batch_offset(op, &m, 0, batch));
    numbers columns = from(y, qn_matmul_batch_offset(op, &m, 1, batch));
    for (int64_t r = 0; r < m.rows; r++)
      for (int64_t c = 0; c < m.columns; c++)
        store(out, at++,
              add_products(0, from(rows, r * m.x_row), m.x_step, from(columns, c * m.y_column),
                           m.y_step, m.depth));
  }
  return QN_OK;
}

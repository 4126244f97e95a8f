/* Ops on real numbers, as loops over indices.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "forms.h"
#include "ir/numerics.h"
#include "ir/ops/forms.h"
#include "ir/ops/infer/matmul.h"
#include "ir/types/float_format.h"
#include "ir/types/quant_cast.h"
#include "ir/types/reexpress.h"

typedef struct job {
  const qn_op *op;
  reals in[FORMS_MAX_OPERANDS];
  reals y;
  bool single; /* every operation is rounded to f32 */
} job;

/* Rounds x. Sums, differences, products and quotients of two f32 in f64, rounded to f32, are
 * correctly rounded. */
static double r(const job *j, double x) { return j->single ? (double)(float)x : x; }

/* sum + x * w; in f32 with a single rounding. */
static double add_product(const job *j, double sum, double x, double w) {
  return j->single ? (double)fmaf((float)x, (float)w, (float)sum) : sum + x * w;
}

/* ---- casts ---- */

static double to_real(const qn_rt_value *value, const int64_t *at, int64_t i) {
  const qn_quant_uniform *q = qn_type_quant(value->type);
  if (!q && qn_type_element(value->type)->kind == QN_TYPE_INTEGER)
    return (double)qn_rt_int(value, i);
  if (!q) return qn_rt_float(value, i);
  qn_quant_cell cell;
  QN_ASSERT(qn_quant_at(value->type, at, value->type->shaped.rank, &cell) == QN_OK);
  return qn_quant_dequantize(q, qn_quant_compute_kind(q, QN_DEQUANTIZE), &cell,
                             qn_quant_stored(q, qn_rt_int(value, i)));
}

static reals read(const qn_rt_value *value, qn_arena *arena) {
  int64_t at[QN_REEXPRESS_MAX_RANK] = {0}, count = qn_rt_count(value);
  reals x = {value->type, QN_NEW_ARRAY(arena, (size_t)count + 1, double)};
  for (int64_t i = 0; i < count; i++) {
    x.data[i] = to_real(value, at, i);
    (void)qn_next_coordinate(value->type, NULL, at);
  }
  return x;
}

double form_stored(const qn_module *module, const reals *y, const qn_type *type, int64_t i) {
  const qn_quant_uniform *q = qn_type_quant(type);
  const qn_type *expressed = q ? q->expressed : qn_type_element(type);
  double x = qn_float_round(expressed->float_kind, y->data[i]);
  if (!q) return x;
  int64_t at[QN_REEXPRESS_MAX_RANK] = {0};
  for (int64_t k = i, d = (int64_t)type->shaped.rank - 1; d >= 0; k /= type->shaped.dims[d--])
    at[d] = k % type->shaped.dims[d];
  qn_quant_cell cell;
  QN_ASSERT(qn_quant_at(type, at, type->shaped.rank, &cell) == QN_OK);
  qn_module_numerics numerics;
  QN_ASSERT(qn_module_numerics_of(module, module->op->loc, &numerics) == QN_OK);
  return (double)qn_quant_quantize(q, qn_quant_compute_kind(q, QN_QUANTIZE), &cell, x,
                                   numerics.rounding);
}

/* ---- pieces ---- */

static const int64_t *dims(const reals *x) { return x->type->shaped.dims; }

static double activate(const job *j, double x) {
  qn_activation act = qn_op_activation(j->op);
  if (act == QN_ACT_NONE || act == QN_ACT_FINITE) return x; /* doubles hold the results */
  double low = act == QN_ACT_RELU_N1_TO_1 ? -1 : 0;
  double high = act == QN_ACT_RELU ? (double)INFINITY : act == QN_ACT_RELU6 ? 6 : 1;
  return fmin(fmax(x, low), high);
}

/* The bias of an output channel. An integer bias has the scale of input times weights. */
static double bias_of(const job *j, int64_t channel) {
  if (j->op->operand_count < 3) return 0;
  double bias = j->in[2].data[channel];
  const qn_type *element = qn_type_element(j->in[2].type);
  if (element->kind != QN_TYPE_INTEGER) return bias;
  const qn_quant_uniform *x = qn_type_quant(j->in[0].type), *w = qn_type_quant(j->in[1].type);
  double scale = x->scales[0] * w->scales[w->scheme == QN_PER_AXIS ? channel : 0];
  qn_float_kind kind = x->expressed->float_kind;
  return qn_float_round(kind, qn_float_round(kind, scale) * bias);
}

/* ---- windows ---- */

typedef struct spot {
  int64_t n, y, x, c; /* position in the result */
} spot;

/* Reads the input at a tap. Returns false in the padding. */
static bool tap(const job *j, const spot *at, int64_t ky, int64_t kx, int64_t channel,
                double *out_x) {
  qn_i64s strides = qn_op_strides(j->op), pad = qn_op_pad(j->op);
  qn_i64s dilations = qn_op_dilations(j->op);
  const int64_t *d = dims(&j->in[0]);
  int64_t iy =
      at->y * strides.data[0] - pad.data[0] + ky * (dilations.count ? dilations.data[0] : 1);
  int64_t ix =
      at->x * strides.data[1] - pad.data[2] + kx * (dilations.count ? dilations.data[1] : 1);
  if (iy < 0 || iy >= d[1] || ix < 0 || ix >= d[2]) return false;
  *out_x = j->in[0].data[((at->n * d[1] + iy) * d[2] + ix) * d[3] + channel];
  return true;
}

typedef double spot_fn(const job *j, const spot *at);

static void for_each_spot(job *j, spot_fn *body) {
  const int64_t *d = dims(&j->y);
  int64_t i = 0;
  for (int64_t n = 0; n < d[0]; n++)
    for (int64_t y = 0; y < d[1]; y++)
      for (int64_t x = 0; x < d[2]; x++)
        for (int64_t c = 0; c < d[3]; c++)
          j->y.data[i++] = activate(j, body(j, &(spot){n, y, x, c}));
}

static double conv_at(const job *j, const spot *at) {
  bool depthwise = j->op->kind == QN_OP_ML_DEPTHWISE_CONV;
  const int64_t *w = dims(&j->in[1]), *x = dims(&j->in[0]);
  int64_t groups = depthwise ? x[3] : qn_op_groups(j->op), depth = x[3] / groups;
  int64_t first = at->c / (dims(&j->y)[3] / groups) * depth;
  double sum = bias_of(j, at->c), value;
  for (int64_t ky = 0; ky < w[1]; ky++)
    for (int64_t kx = 0; kx < w[2]; kx++)
      for (int64_t k = 0; k < depth; k++) {
        if (!tap(j, at, ky, kx, first + k, &value)) continue;
        int64_t i = depthwise ? (ky * w[2] + kx) * w[3] + at->c
                              : ((at->c * w[1] + ky) * w[2] + kx) * w[3] + k;
        sum = add_product(j, sum, value, j->in[1].data[i]);
      }
  return sum;
}

static double pool_at(const job *j, const spot *at) {
  bool average = j->op->kind == QN_OP_ML_AVG_POOL;
  qn_i64s kernel = qn_op_kernel_sizes(j->op);
  double sum = average ? 0 : -(double)INFINITY, count = 0, value;
  for (int64_t ky = 0; ky < kernel.data[0]; ky++)
    for (int64_t kx = 0; kx < kernel.data[1]; kx++) {
      if (!tap(j, at, ky, kx, at->c, &value)) continue;
      sum = average ? r(j, sum + value) : fmax(sum, value);
      count++;
    }
  return average ? r(j, sum / count) : sum;
}

static void conv(job *j) { for_each_spot(j, conv_at); }
static void pool(job *j) { for_each_spot(j, pool_at); }

/* ---- the other ops ---- */

static void linear(job *j) {
  int64_t units = dims(&j->in[1])[0], depth = dims(&j->in[1])[1];
  for (int64_t i = 0, n = qn_type_elements(j->y.type); i < n; i++) {
    double sum = bias_of(j, i % units);
    for (int64_t k = 0; k < depth; k++)
      sum = add_product(j, sum, j->in[0].data[i / units * depth + k],
                        j->in[1].data[i % units * depth + k]);
    j->y.data[i] = activate(j, sum);
  }
}

/* Dimensions of size 1 in the batch are broadcast. */
static void matmul(job *j) {
  qn_matmul m;
  QN_ASSERT(!qn_matmul_of(j->op, &m));
  for (int64_t i = 0, n = qn_type_elements(j->y.type); i < n; i++) {
    int64_t batch = i / (m.rows * m.columns), row = i / m.columns % m.rows, column = i % m.columns;
    const double *x = j->in[0].data + qn_matmul_batch_offset(j->op, &m, 0, batch) + row * m.x_row;
    const double *y = j->in[1].data + qn_matmul_batch_offset(j->op, &m, 1, batch);
    double sum = 0;
    for (int64_t k = 0; k < m.depth; k++)
      sum = add_product(j, sum, x[k * m.x_step], y[column * m.y_column + k * m.y_step]);
    j->y.data[i] = sum;
  }
}

/* The element of an operand, which is broadcast, for element i of the result. */
static double broadcast(const job *j, const reals *x, int64_t i) {
  int64_t at = 0, stride = 1;
  const qn_type *from = x->type, *to = j->y.type;
  for (uint32_t d = 0; d < from->shaped.rank; d++) {
    int64_t size = from->shaped.dims[from->shaped.rank - 1 - d];
    int64_t whole = to->shaped.dims[to->shaped.rank - 1 - d];
    at += (size == 1 ? 0 : i % whole) * stride;
    i /= whole;
    stride *= size;
  }
  return x->data[at];
}

static void binary(job *j) {
  for (int64_t i = 0, n = qn_type_elements(j->y.type); i < n; i++) {
    double a = broadcast(j, &j->in[0], i), b = broadcast(j, &j->in[1], i);
    double y = j->op->kind == QN_OP_ML_ADD ? a + b : j->op->kind == QN_OP_ML_SUB ? a - b : a * b;
    j->y.data[i] = activate(j, r(j, y));
  }
}

/* Element i of a row is added to lane i mod 16. Then lanes i and i + 8, + 4, + 2, + 1 are added. */
static double sum_in_lanes(const job *j, const double *x, int64_t count) {
  double lanes[16] = {0};
  for (int64_t i = 0; i < count; i++) lanes[i % 16] = r(j, lanes[i % 16] + x[i]);
  for (int64_t half = 8; half > 0; half /= 2)
    for (int64_t i = 0; i < half; i++) lanes[i] = r(j, lanes[i] + lanes[i + half]);
  return lanes[0];
}

static bool is_reduced(const job *j, uint32_t d) {
  qn_i64s axes = qn_op_axes(j->op);
  for (uint32_t k = 0; k < axes.count; k++)
    if (axes.data[k] == d) return true;
  return false;
}

/* Reduced dimensions at the end form a row that is summed in lanes; other dimensions are summed in
 * order. */
static void mean(job *j) {
  const qn_type *x = j->in[0].type;
  int64_t at[QN_REEXPRESS_MAX_RANK] = {0}, n = qn_type_elements(j->y.type), run = 1;
  uint32_t rank = x->shaped.rank;
  for (uint32_t d = rank; d-- > 0 && is_reduced(j, d);) run *= x->shaped.dims[d];
  for (int64_t i = 0; i < qn_type_elements(x); i++) {
    int64_t to = 0;
    for (uint32_t d = 0; d < rank; d++)
      if (!is_reduced(j, d)) to = to * x->shaped.dims[d] + at[d];
    if (i % run == 0) {
      double next = sum_in_lanes(j, &j->in[0].data[i], run);
      j->y.data[to] = r(j, j->y.data[to] + next);
    }
    (void)qn_next_coordinate(x, NULL, at);
  }
  for (int64_t i = 0; i < n; i++)
    j->y.data[i] = r(j, j->y.data[i] / (double)(qn_type_elements(x) / n));
}

static void softmax(job *j) {
  const qn_type *x = j->in[0].type;
  int64_t row = x->shaped.dims[x->shaped.rank - 1];
  double beta = qn_op_beta(j->op);
  for (int64_t first = 0, n = qn_type_elements(x); first < n; first += row) {
    const double *in = j->in[0].data + first;
    double *y = j->y.data + first, highest = in[0];
    for (int64_t i = 1; i < row; i++) highest = fmax(highest, in[i]);
    for (int64_t i = 0; i < row; i++) y[i] = r(j, exp(r(j, r(j, in[i] - highest) * beta)));
    double sum = sum_in_lanes(j, y, row);
    for (int64_t i = 0; i < row; i++) y[i] = r(j, y[i] / sum);
  }
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double relu(double x) { return fmax(x, 0); }
static double relu6(double x) { return fmin(fmax(x, 0), 6); }
static double identity(double x) { return x; }

static const struct {
  qn_op_kind kind;
  double (*function)(double x);
} unary[] = {{QN_OP_ML_SIGMOID, sigmoid},
             {QN_OP_ML_TANH, tanh},
             {QN_OP_ML_RELU, relu},
             {QN_OP_ML_RELU6, relu6},
             {QN_OP_ML_REQUANTIZE, identity}};

static void map(job *j) {
  for (size_t k = 0; k < QN_COUNT(unary); k++)
    for (int64_t i = 0, n = qn_type_elements(j->y.type); unary[k].kind == j->op->kind && i < n; i++)
      j->y.data[i] = r(j, unary[k].function(j->in[0].data[i]));
}

static void concat(job *j) {
  int64_t axis = qn_op_axis(j->op), outer = 1, to = 0;
  for (int64_t d = 0; d < axis; d++) outer *= dims(&j->y)[d];
  for (int64_t o = 0; o < outer; o++)
    for (uint32_t k = 0; k < j->op->operand_count; k++) {
      int64_t count = qn_type_elements(j->in[k].type) / outer;
      for (int64_t i = 0; i < count; i++) j->y.data[to++] = j->in[k].data[o * count + i];
    }
}

static bool is_f64(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return qn_type_is_float(q ? q->expressed : qn_type_element(type), QN_F64);
}

static const struct {
  qn_op_kind kind;
  void (*run)(job *j);
} definitions[] = {
    {QN_OP_ML_CONV, conv},       {QN_OP_ML_DEPTHWISE_CONV, conv}, {QN_OP_ML_LINEAR, linear},
    {QN_OP_ML_ADD, binary},      {QN_OP_ML_SUB, binary},          {QN_OP_ML_MUL, binary},
    {QN_OP_ML_AVG_POOL, pool},   {QN_OP_ML_MAX_POOL, pool},       {QN_OP_ML_REDUCE_MEAN, mean},
    {QN_OP_ML_SOFTMAX, softmax}, {QN_OP_ML_CONCAT, concat},       {QN_OP_ML_MATMUL, matmul}};

bool form_has_reference(qn_op_kind kind) {
  for (size_t i = 0; i < QN_COUNT(definitions); i++)
    if (definitions[i].kind == kind) return true;
  for (size_t i = 0; i < QN_COUNT(unary); i++)
    if (unary[i].kind == kind) return true;
  return false;
}

reals form_reference(const qn_op *op, const qn_rt_value *operands, qn_arena *arena) {
  job j = {.op = op, .single = !is_f64(op->results[0].type)};
  for (uint32_t i = 0; i < op->operand_count; i++) {
    j.in[i] = read(&operands[i], arena);
    j.single &= !is_f64(operands[i].type);
  }
  j.y.type = op->results[0].type;
  j.y.data = QN_NEW_ARRAY(arena, (size_t)qn_type_elements(j.y.type) + 1, double);
  void (*run)(job * j) = map;
  for (size_t i = 0; i < QN_COUNT(definitions); i++)
    if (definitions[i].kind == op->kind) run = definitions[i].run;
  run(&j);
  return j.y;
}

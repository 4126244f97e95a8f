/* Random ops and types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "forms.h"
#include "ir/ops/forms.h"
#include "ir/ops/verify/verifiers.h"
#include "ir/types/quant_at.h"
#include "ir/verify/verify.h"

enum { MAX_RANK = 4 };

static bool chance(form_case *c, int percent) { return qn_random_between(&c->m, 0, 99) < percent; }

/* ---- element types ---- */

/* A scale such that real values are in about [-8, 8] for any width. */
static double random_scale(form_case *c, uint32_t width) {
  return (double)(float)ldexp(qn_random_real(&c->m, 1.0, 2.0), 3 - (int)width);
}

static int64_t random_zero_point(form_case *c, const qn_quant_uniform *q) {
  if (chance(c, 30)) return 0;
  int64_t low = q->min > -(1 << 20) ? q->min : -(1 << 20);
  int64_t high = q->max < 1 << 20 ? q->max : 1 << 20;
  return qn_random_between(&c->m, low, high);
}

/* Draws the grid of scales: one scale, one along an axis, or one per block of some axes. */
static void random_grid(form_case *c, qn_quant_uniform *q, uint32_t rank, const int64_t *dims) {
  qn_ir_context *cx = &c->m.cx;
  int32_t *axes = QN_NEW_ARRAY(&cx->arena, MAX_RANK, int32_t);
  int64_t *sizes = QN_NEW_ARRAY(&cx->arena, MAX_RANK, int64_t);
  int64_t *grid = QN_NEW_ARRAY(&cx->arena, MAX_RANK, int64_t);
  q->count = 1;
  q->scheme =
      c->only_bytes || rank == 0 ? QN_PER_LAYER : (qn_quant_scheme)qn_random_between(&c->m, 0, 2);
  if (q->scheme == QN_PER_AXIS) {
    q->axis = (int32_t)qn_random_between(&c->m, 0, rank - 1);
    q->count = (uint32_t)dims[q->axis];
  }
  for (uint32_t d = 0; q->scheme == QN_SUB_CHANNEL && d < rank; d++) {
    grid[d] = 1;
    if (chance(c, 50)) continue;
    axes[q->block_count] = (int32_t)d;
    sizes[q->block_count] = dims[d] % 2 == 0 && chance(c, 60) ? dims[d] / 2 : 1;
    grid[d] = dims[d] / sizes[q->block_count++];
    q->count *= (uint32_t)grid[d];
  }
  if (q->scheme == QN_SUB_CHANNEL) {
    q->grid_rank = rank;
    q->grid_dims = grid;
    q->block_axes = axes;
    q->block_sizes = sizes;
  }
}

static const qn_type *random_tensor(form_case *c, uint32_t rank, const int64_t *dims,
                                    uint32_t width, bool is_signed) {
  static const qn_float_kind kinds[] = {QN_F32, QN_F32, QN_F32, QN_F32, QN_F64, QN_F16, QN_BF16};
  qn_ir_context *cx = &c->m.cx;
  qn_float_kind kind =
      c->only_bytes ? QN_F32 : kinds[qn_random_between(&c->m, 0, (int64_t)QN_COUNT(kinds) - 1)];
  qn_quant_uniform q = {.is_signed = is_signed,
                        .storage = qn_type_i(cx, width),
                        .expressed = qn_type_float(cx, kind)};
  qn_storage_range(width, is_signed, &q.min, &q.max);
  if (!c->only_bytes && chance(c, 20)) q.min++;
  random_grid(c, &q, rank, dims);
  double *scales = QN_NEW_ARRAY(&cx->arena, q.count, double);
  int64_t *zeros = QN_NEW_ARRAY(&cx->arena, q.count, int64_t);
  for (uint32_t i = 0; i < q.count; i++) {
    scales[i] = random_scale(c, width < 14 ? width : 14);
    zeros[i] = random_zero_point(c, &q);
  }
  q.scales = scales;
  q.zero_points = zeros;
  return qn_type_tensor(cx, qn_type_uniform(cx, &q), rank, dims);
}

/* A tensor type with a storage type of any width; sometimes one that is not quantized. */
static const qn_type *any_tensor(form_case *c, uint32_t rank, const int64_t *dims) {
  static const int64_t widths[] = {8, 8, 8, 4, 5, 16, 32};
  if (c->only_bytes) return random_tensor(c, rank, dims, 8, !c->m.is_unsigned);
  if (chance(c, 8)) return qn_type_tensor(&c->m.cx, qn_type_float(&c->m.cx, QN_F32), rank, dims);
  uint32_t width = (uint32_t)qn_random_pick(&c->m, widths, QN_COUNT(widths));
  return random_tensor(c, rank, dims, width, width > 8 || chance(c, 60));
}

/* A type with the storage type of another tensor, as ops require that move values. */
static const qn_type *like(form_case *c, const qn_type *type, uint32_t rank, const int64_t *dims) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return random_tensor(c, rank, dims, q->storage->integer.width, q->is_signed);
}

/* ---- ops ---- */

static const qn_attr *i64s(form_case *c, const int64_t *values, uint32_t count) {
  return qn_attr_i64s(&c->m.cx, values, count);
}

static const qn_attr *activation(form_case *c) {
  static const char *const names[] = {"none", "relu", "relu6", "relu_n1_to_1"};
  return qn_attr_string(&c->m.cx, qn_str_of(names[qn_random_between(&c->m, 0, 3)]));
}

static int64_t small(form_case *c, int64_t most) { return qn_random_between(&c->m, 1, most); }

/* Draws a window along one dimension: sets stride, two pads and dilation, and returns the size of
 * the result. */
static int64_t random_window(form_case *c, int64_t in, int64_t kernel, bool dilates,
                             int64_t *out_stride, int64_t out_pad[2], int64_t *out_dilation) {
  *out_stride = small(c, 3);
  *out_dilation = dilates ? small(c, 2) : 1;
  int64_t extent = (kernel - 1) * *out_dilation + 1;
  out_pad[0] = qn_random_between(&c->m, 0, kernel - 1);
  out_pad[1] = qn_random_between(&c->m, 0, kernel - 1);
  int64_t padded = in + out_pad[0] + out_pad[1];
  return padded < extent ? 0 : (padded - extent) / *out_stride + 1;
}

typedef struct geometry {
  int64_t x[4], y[4], kernel[2], strides[2], pad[4], dilations[2];
} geometry;

static geometry random_geometry(form_case *c, bool dilates) {
  geometry g;
  do {
    for (int i = 0; i < 4; i++) g.x[i] = small(c, i == 0 ? 2 : 6);
    g.y[0] = g.x[0];
    g.y[3] = g.x[3];
    for (int i = 0; i < 2; i++) {
      g.kernel[i] = small(c, 3);
      g.y[1 + i] = random_window(c, g.x[1 + i], g.kernel[i], dilates, &g.strides[i], g.pad + 2 * i,
                                 &g.dilations[i]);
    }
  } while (g.y[1] < 1 || g.y[2] < 1);
  return g;
}

/* A constant of at most 8 bits. Its payload is signless, as in text. */
static qn_value *constant(form_case *c, const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  uint32_t width = q->storage->integer.width;
  size_t count = (size_t)qn_type_elements(type);
  int8_t *bytes = QN_NEW_ARRAY(&c->m.cx.arena, count + 1, int8_t);
  for (size_t i = 0; i < count; i++)
    bytes[i] = (int8_t)qn_low_bits(qn_random_between(&c->m, q->min, q->max), width, true);
  const qn_type *payload = qn_type_with_element(&c->m.cx, type, qn_type_i(&c->m.cx, width));
  const qn_attr *value =
      qn_attr_dense(&c->m.cx, payload, (qn_bytes){(const uint8_t *)bytes, count}, false);
  return qn_build_1(&c->m.b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* Weights are constant in most cases. Signed ones have zero point 0, because profiles would ignore
 * another. */
static qn_value *weights(form_case *c, uint32_t rank, const int64_t *dims, int32_t axis) {
  if (c->only_bytes) return qn_random_weights(&c->m, rank, dims, axis);
  const qn_type *type = any_tensor(c, rank, dims);
  if (!qn_type_quant(type) || qn_type_quant(type)->storage->integer.width > 8 || chance(c, 40))
    return qn_random_input(&c->m, type);
  return constant(c, type);
}

/* Adds no bias, an integer bias if it has a scale, or a float bias. */
static uint32_t add_bias(form_case *c, qn_value *operands[3], int32_t axis) {
  const qn_type *w = operands[1]->type;
  const qn_quant_uniform *p = qn_type_quant(operands[0]->type), *q = qn_type_quant(w);
  int64_t channels = w->shaped.dims[axis];
  bool has_scale = p && q && p->scheme == QN_PER_LAYER &&
                   (q->scheme == QN_PER_LAYER || (q->scheme == QN_PER_AXIS && q->axis == axis));
  if (chance(c, 30)) return 2;
  if (c->only_bytes)
    operands[2] = qn_random_bias(&c->m, channels);
  else if (has_scale && chance(c, 60))
    operands[2] =
        qn_random_input(&c->m, qn_type_tensor(&c->m.cx, qn_type_i(&c->m.cx, 32), 1, &channels));
  else if (chance(c, 50))
    operands[2] = qn_random_input(
        &c->m, qn_type_tensor(&c->m.cx, qn_type_float(&c->m.cx, QN_F32), 1, &channels));
  else
    operands[2] = qn_random_input(&c->m, random_tensor(c, 1, &channels, 32, true));
  return 3;
}

static qn_value *window_op(form_case *c, qn_op_kind kind, const geometry *g,
                           qn_value *const *operands, uint32_t count, const qn_type *y) {
  qn_value *result =
      qn_build_1(&c->m.b, kind, y, operands, count,
                 QN_ATTRS({"strides", i64s(c, g->strides, 2)}, {"pad", i64s(c, g->pad, 4)},
                          {"activation", activation(c)}));
  return result;
}

/* A transposed convolution has the input shape of the convolution as its result shape, and vice
 * versa. */
static qn_value *make_conv(form_case *c, qn_op_kind kind) {
  bool depthwise = kind == QN_OP_ML_DEPTHWISE_CONV, back = kind == QN_OP_ML_CONV_TRANSPOSE;
  geometry g = random_geometry(c, true);
  int64_t *x = back ? g.y : g.x, *y = back ? g.x : g.y;
  int64_t groups = depthwise ? 1 : small(c, 3), depth = small(c, 3);
  if (!depthwise) x[3] = groups * depth;
  int64_t channels = (depthwise ? x[3] : groups) * small(c, 3);
  y[3] = channels;
  const int64_t dims[] = {depthwise ? 1 : channels, g.kernel[0], g.kernel[1],
                          depthwise ? channels : depth};
  int32_t axis = depthwise ? 3 : 0;
  qn_value *operands[3] = {qn_random_input(&c->m, any_tensor(c, 4, x))};
  operands[1] = weights(c, 4, dims, axis);
  uint32_t count = add_bias(c, operands, axis);
  qn_value *result = window_op(c, kind, &g, operands, count, any_tensor(c, 4, y));
  qn_op_set_attr(c->m.module, result->op, "dilations", i64s(c, g.dilations, 2));
  if (!depthwise) qn_op_set_attr(c->m.module, result->op, "groups", qn_attr_i64(&c->m.cx, groups));
  if (back) qn_op_set_attr(c->m.module, result->op, "output_shape", i64s(c, y + 1, 2));
  return result;
}

static qn_value *make_linear(form_case *c, qn_op_kind kind) {
  uint32_t rank = (uint32_t)small(c, 3);
  int64_t x[3], w[] = {small(c, 6), small(c, 40)};
  for (uint32_t i = 0; i < rank; i++) x[i] = small(c, 4);
  x[rank - 1] = w[1];
  qn_value *operands[3] = {qn_random_input(&c->m, any_tensor(c, rank, x))};
  operands[1] = weights(c, 2, w, 0);
  uint32_t count = add_bias(c, operands, 0);
  x[rank - 1] = w[0];
  return qn_build_1(&c->m.b, kind, any_tensor(c, rank, x), operands, count,
                    QN_ATTRS({"activation", activation(c)}));
}

static qn_value *make_matmul(form_case *c, qn_op_kind kind) {
  uint32_t rank = (uint32_t)small(c, MAX_RANK - 2) + 1, batches = rank - 2;
  bool tx = chance(c, 30), ty = chance(c, 50);
  int64_t x[MAX_RANK], y[MAX_RANK], z[MAX_RANK];
  for (uint32_t i = 0; i < batches; i++) {
    x[i] = y[i] = z[i] = small(c, 3);
    if (chance(c, 20)) y[i] = 1;
  }
  int64_t rows = small(c, 6), columns = small(c, 20), depth = small(c, 40);
  x[batches + tx] = z[batches] = rows;
  x[batches + !tx] = y[batches + ty] = depth;
  y[batches + !ty] = z[batches + 1] = columns;
  qn_value *a = qn_random_input(&c->m, any_tensor(c, rank, x));
  qn_value *b = qn_random_input(&c->m, any_tensor(c, rank, y));
  return qn_build_1(&c->m.b, kind, any_tensor(c, rank, z), QN_VALUES(a, b),
                    QN_ATTRS({"transpose_x", qn_attr_bool(&c->m.cx, tx)},
                             {"transpose_y", qn_attr_bool(&c->m.cx, ty)}));
}

static qn_value *make_binary(form_case *c, qn_op_kind kind) {
  uint32_t rank = (uint32_t)small(c, 3), skipped = (uint32_t)qn_random_between(&c->m, 0, rank - 1);
  int64_t y[3], a[3], b[3];
  for (uint32_t i = 0; i < rank; i++) {
    y[i] = a[i] = b[i] = small(c, 6);
    if (chance(c, 20))
      a[i] = 1;
    else if (chance(c, 20))
      b[i] = 1;
    if (i < skipped) a[i] = y[i];
  }
  qn_value *operands[] = {qn_random_input(&c->m, any_tensor(c, rank, a)), NULL};
  operands[1] = qn_random_input(&c->m, any_tensor(c, rank - skipped, b + skipped));
  return qn_build_1(&c->m.b, kind, any_tensor(c, rank, y), operands, 2,
                    QN_ATTRS({"activation", activation(c)}));
}

static qn_value *make_pool(form_case *c, qn_op_kind kind) {
  geometry g = random_geometry(c, false);
  qn_value *x = qn_random_input(&c->m, any_tensor(c, 4, g.x));
  const qn_type *y = any_tensor(c, 4, g.y);
  if (c->only_bytes) y = qn_type_tensor(&c->m.cx, x->type->shaped.element, 4, g.y);
  qn_value *result = window_op(c, kind, &g, &x, 1, y);
  qn_op_set_attr(c->m.module, result->op, "kernel_sizes", i64s(c, g.kernel, 2));
  return result;
}

static qn_value *make_mean(form_case *c, qn_op_kind kind) {
  uint32_t rank = (uint32_t)small(c, MAX_RANK), axes = 0, kept = 0;
  int64_t x[MAX_RANK], y[MAX_RANK], reduced[MAX_RANK];
  bool keep = chance(c, 50);
  for (uint32_t i = 0; i < rank; i++) {
    x[i] = small(c, 5);
    bool reduces = chance(c, 50);
    if (reduces) reduced[axes++] = i;
    if (!reduces || keep) y[kept++] = reduces ? 1 : x[i];
  }
  qn_value *operand = qn_random_input(&c->m, any_tensor(c, rank, x));
  return qn_build_1(
      &c->m.b, kind, any_tensor(c, kept, y), &operand, 1,
      QN_ATTRS({"axes", i64s(c, reduced, axes)}, {"keep_dims", qn_attr_bool(&c->m.cx, keep)}));
}

static qn_value *make_unary(form_case *c, qn_op_kind kind) {
  uint32_t rank = (uint32_t)small(c, 3);
  int64_t dims[3];
  for (uint32_t i = 0; i < rank; i++) dims[i] = small(c, 9);
  qn_value *x = qn_random_input(&c->m, any_tensor(c, rank, dims));
  const qn_type *y = any_tensor(c, rank, dims);
  bool mixed = !qn_type_quant(x->type) != !qn_type_quant(y);
  if (mixed && qn_op_infos[kind].verify == qn_verify_ml_alike) y = x->type;
  if (kind == QN_OP_ML_SOFTMAX && c->only_bytes) {
    qn_quant_uniform q = *qn_type_quant(y);
    const double scale = 0x1p-8;
    q.scales = &scale;
    q.zero_points = &q.min;
    y = qn_type_tensor(&c->m.cx, qn_type_uniform(&c->m.cx, &q), rank, dims);
  }
  qn_value *result = qn_build_1(&c->m.b, kind, y, &x, 1, NULL);
  if (kind == QN_OP_ML_SOFTMAX)
    qn_op_set_attr(
        c->m.module, result->op, "beta",
        qn_attr_float(&c->m.cx, chance(c, 50) ? 1.0 : 0.5, qn_type_float(&c->m.cx, QN_F32)));
  return result;
}

static qn_value *make_concat(form_case *c, qn_op_kind kind) {
  uint32_t rank = (uint32_t)small(c, 3), axis = (uint32_t)qn_random_between(&c->m, 0, rank - 1);
  uint32_t parts = (uint32_t)small(c, 3);
  int64_t dims[3], sum = 0;
  qn_value *operands[3];
  for (uint32_t i = 0; i < rank; i++) dims[i] = small(c, 5);
  const qn_type *first = random_tensor(c, rank, dims, 8, !c->m.is_unsigned);
  for (uint32_t i = 0; i < parts; i++) {
    dims[axis] = small(c, 4);
    sum += dims[axis];
    operands[i] = qn_random_input(&c->m, like(c, first, rank, dims));
  }
  dims[axis] = sum;
  return qn_build_1(&c->m.b, kind, like(c, first, rank, dims), operands, parts,
                    QN_ATTRS({"axis", qn_attr_i64(&c->m.cx, axis)}));
}

static const struct {
  qn_op_kind kind;
  qn_value *(*make)(form_case *c, qn_op_kind kind);
} makers[] = {
    {QN_OP_ML_CONV, make_conv},           {QN_OP_ML_DEPTHWISE_CONV, make_conv},
    {QN_OP_ML_CONV_TRANSPOSE, make_conv}, {QN_OP_ML_LINEAR, make_linear},
    {QN_OP_ML_ADD, make_binary},          {QN_OP_ML_SUB, make_binary},
    {QN_OP_ML_MUL, make_binary},          {QN_OP_ML_AVG_POOL, make_pool},
    {QN_OP_ML_MAX_POOL, make_pool},       {QN_OP_ML_REDUCE_MEAN, make_mean},
    {QN_OP_ML_CONCAT, make_concat},       {QN_OP_ML_MATMUL, make_matmul},
};

/* The default is one operand with the shape of the result. */
static qn_value *make(form_case *c, qn_op_kind kind) {
  for (size_t i = 0; i < QN_COUNT(makers); i++)
    if (makers[i].kind == kind) return makers[i].make(c, kind);
  return make_unary(c, kind);
}

void form_case_make(form_case *c, qn_op_kind kind, uint64_t seed, bool only_bytes) {
  qn_random_begin(&c->m, seed, "litert-ref");
  c->only_bytes = only_bytes;
  qn_value *y = make(c, kind);
  c->op = y->op;
  qn_random_end(&c->m, &y, 1);
  if (qn_verify(c->m.module) == QN_OK) return;
  qn_random_dump(&c->m);
  abort();
}

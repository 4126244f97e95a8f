/* GroupNormalization, LRN, ReverseSequence, RotaryEmbedding and AffineGrid.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

/* ---- GroupNormalization ---- */

/* A vector along the channels; before version 21 it has an element per group. */
static qn_value *per_channel(qn_graph_op *op, uint32_t i, uint32_t rank, int64_t channels,
                             int64_t groups) {
  const bool by_group = qn_onnx_opset(op) < 21;
  const qn_graph_tensor *x = qn_graph_input(op, i);
  qn_value *v = qn_onnx_real(op, i);
  if (!x || !v) return NULL;
  if (x->shape.rank != 1 || x->shape.dims[0] != (by_group ? groups : channels)) {
    qn_graph_error(op, x, QN_INVALID, "%lld elements are expected",
                   (long long)(by_group ? groups : channels));
    return NULL;
  }
  if (by_group) {
    const qn_graph_shape wide = {2, {groups, channels / groups}}, all = {1, {channels}};
    v = qn_onnx_tiled(op, qn_onnx_viewed(op, v, 2, (int64_t[]){groups, 1}), &wide);
    v = v ? qn_graph_view(op, v, &all) : NULL;
  }
  return qn_onnx_along(op, v, rank, 1);
}

void qn_onnx_import_group_norm(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  const double epsilon = (double)qn_onnx_float(op, "epsilon", 1e-5F);
  const int64_t groups = qn_onnx_int(op, "num_groups", 0);
  if (op->failed || !qn_graph_has_elements(op, x)) return;
  const uint32_t rank = x->shape.rank;
  const int64_t channels = rank > 1 ? x->shape.dims[1] : 0;
  if (groups < 1 || channels == 0 || channels % groups != 0) {
    qn_graph_error(op, x, QN_INVALID, "%lld channels in %lld groups", (long long)channels,
                   (long long)groups);
    return;
  }
  const int64_t rows[] = {x->shape.dims[0], groups,
                          qn_graph_elements(&x->shape) / (x->shape.dims[0] * groups)};
  qn_value *scale = per_channel(op, 1, rank, channels, groups);
  qn_value *bias = per_channel(op, 2, rank, channels, groups);
  qn_value *v = qn_onnx_viewed(op, qn_onnx_real(op, 0), 3, rows);
  v = qn_onnx_binary(op, QN_OP_ML_SUB, v, qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_MEAN, v, 2));
  qn_value *square = v ? qn_onnx_binary(op, QN_OP_ML_MUL, v, v) : NULL;
  square = qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_MEAN, square, 2);
  square = qn_onnx_unary(op, QN_OP_ML_SQRT, qn_onnx_with(op, QN_OP_ML_ADD, square, epsilon));
  v = qn_onnx_binary(op, QN_OP_ML_REAL_DIV, v, square);
  v = qn_onnx_viewed(op, v, rank, x->shape.dims);
  v = qn_onnx_binary(op, QN_OP_ML_MUL, v, scale);
  qn_onnx_give_real(op, 0, qn_onnx_binary(op, QN_OP_ML_ADD, v, bias));
}

/* ---- LRN ---- */

/* The sum over neighbouring channels is a product with a band matrix. */
void qn_onnx_import_lrn(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  const double alpha = (double)qn_onnx_float(op, "alpha", 1e-4F),
               beta = (double)qn_onnx_float(op, "beta", 0.75F),
               bias = (double)qn_onnx_float(op, "bias", 1);
  const int64_t size = qn_onnx_int(op, "size", 0);
  if (op->failed || !qn_graph_has_elements(op, x)) return;
  const int64_t channels = x->shape.rank > 1 ? x->shape.dims[1] : 0;
  if (size < 1 || channels == 0) {
    qn_graph_error(op, x, QN_INVALID, "a sum over %lld of %lld channels", (long long)size,
                   (long long)channels);
    return;
  }
  double *band = qn_onnx_doubles(op, channels * channels);
  if (!band) return;
  const int64_t before = (size - 1) / 2, after = size - 1 - before;
  for (int64_t i = 0; i < channels; i++)
    for (int64_t k = 0; k < channels; k++)
      band[i * channels + k] = k >= i - before && k - i <= after ? 1 : 0;
  qn_value *v = qn_onnx_real(op, 0);
  qn_value *sum = v ? qn_onnx_binary(op, QN_OP_ML_MUL, v, v) : NULL;
  sum = qn_onnx_mapped(op, sum, 1, band, channels);
  sum = qn_onnx_with(op, QN_OP_ML_MUL, sum, alpha / (double)size);
  sum = qn_onnx_with(op, QN_OP_ML_ADD, sum, bias);
  sum = qn_onnx_with(op, QN_OP_ML_POW, sum, beta);
  qn_onnx_give_real(op, 0, qn_onnx_binary(op, QN_OP_ML_REAL_DIV, v, sum));
}

/* ---- ReverseSequence ---- */

static bool is_index(qn_graph_op *op, const qn_graph_tensor *x) {
  return qn_graph_is_index(x->dtype) ||
         qn_graph_error(op, x, QN_INVALID, "indices of type %s", qn_graph_dtype_name(x->dtype));
}

/* i64 indices of an operand, from 0 on and below `size`. */
static qn_value *bounded(qn_graph_op *op, qn_value *x, int64_t size) {
  const qn_type *index = qn_onnx_i64(op);
  if (!x) return NULL;
  x = qn_onnx_binary(op, QN_OP_ML_MAXIMUM, x, qn_onnx_whole(op, index, 0));
  return qn_onnx_binary(op, QN_OP_ML_MINIMUM, x, qn_onnx_whole(op, index, size - 1));
}

void qn_onnx_import_reverse_sequence(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *lengths = qn_graph_input(op, 1);
  const int64_t batch_axis = qn_onnx_int(op, "batch_axis", 1),
                time_axis = qn_onnx_int(op, "time_axis", 0);
  if (op->failed || !qn_graph_has_elements(op, x) || !is_index(op, lengths)) return;
  const bool fits = x->shape.rank >= 2 && batch_axis >= 0 && batch_axis <= 1 &&
                    time_axis == 1 - batch_axis && lengths->shape.rank == 1 &&
                    lengths->shape.dims[0] == x->shape.dims[batch_axis];
  if (!fits) {
    qn_graph_error(op, x, QN_INVALID,
                   "axes of batch and time must be 0 and 1, with a length per batch element");
    return;
  }
  const int64_t batch = x->shape.dims[batch_axis], steps = x->shape.dims[time_axis];
  const qn_type *index = qn_onnx_i64(op);
  qn_value *ends = qn_onnx_as(op, qn_onnx_value(op, lengths), index);
  ends = qn_onnx_viewed(op, ends, 2, (int64_t[]){batch, 1});
  qn_value *at = qn_onnx_count(op, index, 2, 1, steps);
  qn_value *inside = qn_onnx_compare(op, QN_OP_ML_LESS, at, ends);
  qn_value *last =
      ends ? qn_onnx_binary(op, QN_OP_ML_SUB, ends, qn_onnx_whole(op, index, 1)) : NULL;
  qn_value *back = qn_onnx_binary(op, QN_OP_ML_SUB, last, at);
  at = bounded(op, qn_onnx_choose(op, inside, back, at), steps);
  qn_value *v = qn_onnx_moved(op, qn_onnx_value(op, x), (uint32_t)batch_axis, 0);
  v = qn_onnx_moved(op, qn_onnx_gathered(op, v, at, 1, 1), 0, (uint32_t)batch_axis);
  qn_onnx_give(op, 0, x->dtype, v);
}

/* ---- RotaryEmbedding ---- */

/* Cosines or sines [batch, steps, 1, half]: rows of a cache, or the operand itself. */
static qn_value *angles(qn_graph_op *op, uint32_t i, qn_value *ids, int64_t batch, int64_t steps,
                        int64_t half) {
  const qn_graph_tensor *cache = qn_graph_input(op, i);
  qn_value *v = qn_onnx_real(op, i);
  if (!cache || !v) return NULL;
  const qn_graph_shape *s = &cache->shape;
  const bool fits =
      ids ? s->rank == 2 && s->dims[0] > 0 && s->dims[1] == half
          : s->rank == 3 && s->dims[0] == batch && s->dims[1] == steps && s->dims[2] == half;
  if (!fits) {
    qn_graph_error(op, cache, QN_INVALID, "%lld angles per place are expected", (long long)half);
    return NULL;
  }
  if (ids) v = qn_onnx_gathered(op, v, bounded(op, ids, s->dims[0]), 0, 0);
  return qn_onnx_viewed(op, v, 4, (int64_t[]){batch, steps, 1, half});
}

/* Halves of the last dimension: even and odd elements if `interleaved`. */
static qn_value *half_of(qn_graph_op *op, qn_value *x, bool interleaved, uint32_t i, int64_t half) {
  if (!x) return NULL;
  if (!interleaved) return qn_onnx_cut(op, x, 3, i * half, (i + 1) * half);
  const int64_t *d = x->type->shaped.dims;
  const int64_t pairs[] = {d[0], d[1], d[2], half, 2}, one[] = {d[0], d[1], d[2], half};
  x = qn_onnx_cut(op, qn_onnx_viewed(op, x, 5, pairs), 4, i, i + 1);
  return qn_onnx_viewed(op, x, 4, one);
}

static qn_value *joined_halves(qn_graph_op *op, qn_value *const *parts, bool interleaved,
                               int64_t half) {
  qn_value *pairs[2];
  if (!interleaved || !parts[0] || !parts[1]) return qn_onnx_joined(op, parts, 2, 3);
  const int64_t *d = parts[0]->type->shaped.dims;
  const int64_t one[] = {d[0], d[1], d[2], half, 1}, all[] = {d[0], d[1], d[2], 2 * half};
  for (uint32_t i = 0; i < 2; i++) pairs[i] = qn_onnx_viewed(op, parts[i], 5, one);
  return qn_onnx_viewed(op, qn_onnx_joined(op, pairs, 2, 4), 4, all);
}

/* x [batch, steps, heads, size]: the first elements of each head are turned by the angles. */
static qn_value *turned(qn_graph_op *op, qn_value *x, qn_value *cosine, qn_value *sine,
                        bool interleaved, int64_t half) {
  const int64_t size = qn_onnx_dim(x, 3);
  qn_value *head = qn_onnx_cut(op, x, 3, 0, 2 * half), *parts[2];
  qn_value *a = half_of(op, head, interleaved, 0, half);
  qn_value *b = half_of(op, head, interleaved, 1, half);
  qn_value *ac = qn_onnx_binary(op, QN_OP_ML_MUL, a, cosine);
  qn_value *bs = qn_onnx_binary(op, QN_OP_ML_MUL, b, sine);
  qn_value *as = qn_onnx_binary(op, QN_OP_ML_MUL, a, sine);
  qn_value *bc = qn_onnx_binary(op, QN_OP_ML_MUL, b, cosine);
  parts[0] = qn_onnx_binary(op, QN_OP_ML_SUB, ac, bs);
  parts[1] = qn_onnx_binary(op, QN_OP_ML_ADD, as, bc);
  parts[0] = joined_halves(op, parts, interleaved, half);
  if (2 * half == size) return parts[0];
  parts[1] = qn_onnx_cut(op, x, 3, 2 * half, size);
  return qn_onnx_joined(op, parts, 2, 3);
}

void qn_onnx_import_rotary_embedding(qn_graph_op *op) {
  static const int64_t by_steps[] = {0, 2, 1, 3};
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  const bool interleaved = qn_onnx_int(op, "interleaved", 0) != 0;
  int64_t heads = qn_onnx_int(op, "num_heads", 0);
  int64_t turns = qn_onnx_int(op, "rotary_embedding_dim", 0);
  if (op->failed || !qn_graph_has_elements(op, x)) return;
  const uint32_t rank = x->shape.rank;
  const int64_t *d = x->shape.dims;
  if (rank == 4) heads = d[1];
  if ((rank != 3 && rank != 4) || heads < 1 || (rank == 3 && d[2] % heads != 0)) {
    qn_graph_error(op, x, QN_INVALID, "it does not have the heads of 'num_heads'");
    return;
  }
  const int64_t batch = d[0], steps = rank == 4 ? d[2] : d[1],
                size = rank == 4 ? d[3] : d[2] / heads;
  if (turns == 0) turns = size;
  if (turns < 2 || turns > size || turns % 2 != 0) {
    qn_graph_error(op, x, QN_INVALID, "%lld of %lld elements can't be turned in pairs",
                   (long long)turns, (long long)size);
    return;
  }
  qn_value *ids = NULL, *v = qn_onnx_real(op, 0);
  if (qn_graph_has_input(op, 3)) {
    qn_graph_tensor *operand = qn_graph_input(op, 3);
    if (!operand || !is_index(op, operand)) return;
    if (qn_graph_elements(&operand->shape) != batch * steps) {
      qn_graph_error(op, operand, QN_INVALID, "%lld places are expected",
                     (long long)(batch * steps));
      return;
    }
    ids = qn_onnx_as(op, qn_onnx_value(op, operand), qn_onnx_i64(op));
    ids = qn_onnx_viewed(op, ids, 2, (int64_t[]){batch, steps});
    if (!ids) return;
  }
  qn_value *cosine = angles(op, 1, ids, batch, steps, turns / 2);
  qn_value *sine = angles(op, 2, ids, batch, steps, turns / 2);
  if (rank == 4)
    v = qn_onnx_permuted(op, v, by_steps);
  else
    v = qn_onnx_viewed(op, v, 4, (int64_t[]){batch, steps, heads, size});
  if (!v || !cosine || !sine) return;
  v = turned(op, v, cosine, sine, interleaved, turns / 2);
  v = rank == 4 ? qn_onnx_permuted(op, v, by_steps) : qn_onnx_viewed(op, v, 3, d);
  qn_onnx_give_real(op, 0, v);
}

/* ---- AffineGrid ---- */

static double coordinate(int64_t i, int64_t size, bool is_aligned) {
  if (is_aligned) return size == 1 ? -1 : 2 * (double)i / (double)(size - 1) - 1;
  return (2 * (double)i + 1) / (double)size - 1;
}

void qn_onnx_import_affine_grid(qn_graph_op *op) {
  qn_graph_tensor *theta = qn_graph_input(op, 0), *operand = qn_graph_input(op, 1);
  const bool is_aligned = qn_onnx_int(op, "align_corners", 0) != 0;
  int64_t sizes[5];
  uint32_t count;
  if (op->failed || !qn_graph_ints(op, operand, 5, sizes, &count)) return;
  const int64_t ways = (int64_t)count - 2;
  if (ways < 2 || theta->shape.rank != 3 || theta->shape.dims[0] != sizes[0] ||
      theta->shape.dims[1] != ways || theta->shape.dims[2] != ways + 1) {
    qn_graph_error(op, theta, QN_INVALID, "it does not have a matrix of %lld x %lld per image",
                   (long long)ways, (long long)ways + 1);
    return;
  }
  qn_graph_shape shape = {count, {sizes[0]}};
  for (int64_t i = 0; i < ways; i++) shape.dims[1 + i] = sizes[2 + i];
  shape.dims[count - 1] = ways;
  if (!qn_graph_check_size(op, theta, &shape) || qn_graph_elements(&shape) == 0) {
    if (!op->failed) qn_graph_error(op, operand, QN_UNSUPPORTED, "a grid without elements");
    return;
  }
  const int64_t places = qn_graph_elements(&shape) / (sizes[0] * ways), width = ways + 1;
  double *base = qn_onnx_doubles(op, places * width);
  if (!base) return;
  for (int64_t p = 0; p < places; p++) {
    int64_t rest = p;
    for (int64_t i = 0; i < ways; rest /= sizes[count - 1 - i], i++)
      base[p * width + i] =
          coordinate(rest % sizes[count - 1 - i], sizes[count - 1 - i], is_aligned);
    base[p * width + ways] = 1;
  }
  const qn_graph_shape one = {3, {1, places, width}}, all = {3, {sizes[0], places, width}};
  qn_value *grid = qn_graph_const(op, qn_onnx_f64(op), &one, base);
  grid = qn_onnx_tiled(op, grid, &all);
  qn_value *matrix = qn_onnx_permuted(op, qn_onnx_real(op, 0), (int64_t[]){0, 2, 1});
  qn_value *y = qn_onnx_product(op, grid, matrix);
  qn_onnx_give_real(op, 0, qn_onnx_viewed(op, y, shape.rank, shape.dims));
}

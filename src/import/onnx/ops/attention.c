/* Attention: softmax(q k^T * scale + mask) v. Query heads may share key and value heads in groups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

#include <math.h>

/* The stages of scores, as qk_matmul_output_mode numbers them. */
enum { RAW, CAPPED, MASKED, WEIGHTS, MODES };
enum { QUERY, KEY, VALUE, MASK, PAST_KEY, PAST_VALUE, LENGTHS };

/* Converts [batch, length, heads * size] to [batch, heads, length, size]. `attribute` gives the
 * number of heads. A tensor of rank 4 is returned unchanged. */
static qn_value *by_heads(qn_graph_op *op, qn_value *x, const char *attribute) {
  static const int64_t perm[] = {0, 2, 1, 3};
  if (!x || qn_onnx_rank(x) == 4) return x;
  const int64_t heads = qn_onnx_int(op, attribute, 0);
  if (qn_onnx_rank(x) != 3 || heads < 1 || qn_onnx_dim(x, 2) % heads != 0) {
    qn_graph_error(op, NULL, QN_INVALID, "its operands do not have the heads of '%s'", attribute);
    return NULL;
  }
  const int64_t dims[] = {qn_onnx_dim(x, 0), qn_onnx_dim(x, 1), heads, qn_onnx_dim(x, 2) / heads};
  return qn_onnx_permuted(op, qn_onnx_viewed(op, x, 4, dims), perm);
}

static qn_value *after_past(qn_graph_op *op, uint32_t past, qn_value *x) {
  if (!x || !qn_graph_has_input(op, past)) return x;
  qn_value *parts[] = {qn_onnx_real(op, past), x};
  if (!parts[0]) return NULL;
  if (qn_onnx_rank(parts[0]) != 4) {
    qn_graph_error(op, NULL, QN_INVALID, "past keys and values have rank 4");
    return NULL;
  }
  return qn_onnx_joined(op, parts, 2, 2);
}

/* Repeats each key or value head for all query heads that share it: the result has `heads`
 * heads. */
static qn_value *shared(qn_graph_op *op, qn_value *x, int64_t heads) {
  if (!x || qn_onnx_dim(x, 1) == heads) return x;
  const int64_t groups = qn_onnx_dim(x, 1);
  if (groups == 0 || heads % groups != 0) {
    qn_graph_error(op, NULL, QN_INVALID, "heads of queries are not a multiple of those of keys");
    return NULL;
  }
  const int64_t each = heads / groups;
  const int64_t one[] = {qn_onnx_dim(x, 0), groups, 1, qn_onnx_dim(x, 2), qn_onnx_dim(x, 3)};
  const int64_t all[] = {one[0], heads, one[3], one[4]};
  const qn_graph_shape wide = {5, {one[0], groups, each, one[3], one[4]}};
  x = qn_onnx_tiled(op, qn_onnx_viewed(op, x, 5, one), &wide);
  return qn_onnx_viewed(op, x, 4, all);
}

static qn_value *lowest(qn_graph_op *op) { return qn_onnx_double(op, (double)-INFINITY); }

/* Adds the mask to the scores. A boolean mask adds 0 for true and -infinity for false. Keys beyond
 * a mask that is shorter than the scores get -infinity. Does nothing if the operand is absent. */
static bool add_mask(qn_graph_op *op, qn_value **scores) {
  if (!qn_graph_has_input(op, MASK)) return true;
  qn_graph_tensor *mask = qn_graph_input(op, MASK);
  qn_value *m = mask && mask->dtype != QN_GRAPH_BOOL ? qn_onnx_real(op, MASK) : NULL;
  if (mask && mask->dtype == QN_GRAPH_BOOL) {
    m = qn_onnx_value(op, mask);
    m = qn_onnx_choose(op, m, qn_onnx_double(op, 0), lowest(op));
  }
  if (!m || qn_onnx_rank(m) == 0) return false;
  const uint32_t last = qn_onnx_rank(m) - 1;
  const int64_t missing = qn_onnx_dim(*scores, 3) - qn_onnx_dim(m, last);
  if (missing > 0 && qn_onnx_dim(m, last) > 0) {
    qn_graph_shape rest = qn_graph_shape_of(m), one = rest;
    rest.dims[last] = missing;
    for (uint32_t i = 0; i < one.rank; i++) one.dims[i] = 1;
    qn_value *parts[] = {m, qn_onnx_tiled(op, qn_graph_view(op, lowest(op), &one), &rest)};
    m = qn_onnx_joined(op, parts, 2, last);
  }
  *scores = qn_onnx_binary(op, QN_OP_ML_ADD, *scores, m);
  return *scores != NULL;
}

/* Sets scores to -infinity for keys at or beyond the length that operand LENGTHS gives, and, if
 * attention is causal, for keys after the position of the query. `before` past keys precede the
 * keys of the current queries. */
static bool exclude(qn_graph_op *op, qn_value **scores, int64_t before) {
  const qn_type *index = qn_onnx_i64(op);
  const int64_t queries = qn_onnx_dim(*scores, 2);
  qn_value *key = qn_onnx_count(op, index, 4, 3, qn_onnx_dim(*scores, 3));
  qn_value *query = qn_onnx_count(op, index, 4, 2, queries), *length = NULL;
  qn_value *offset = qn_onnx_whole(op, index, before);
  if (qn_graph_has_input(op, LENGTHS)) {
    qn_graph_tensor *lengths = qn_graph_input(op, LENGTHS);
    if (!lengths || !qn_graph_check_dtype(op, lengths, QN_GRAPH_INT64)) return false;
    length = qn_onnx_along(op, qn_onnx_value(op, lengths), 4, 0);
    if (!length) return false;
    offset = qn_onnx_binary(op, QN_OP_ML_SUB, length, qn_onnx_whole(op, index, queries));
    qn_value *is = qn_onnx_compare(op, QN_OP_ML_LESS, key, length);
    *scores = qn_onnx_choose(op, is, *scores, lowest(op));
  }
  const int64_t left = qn_onnx_int(op, "left_window_size", -1);
  int64_t right = qn_onnx_int(op, "right_window_size", -1);
  if (op->failed || left < -1 || right < -1) {
    if (!op->failed) qn_graph_error(op, NULL, QN_INVALID, "a window of negative size");
    return false;
  }
  if (qn_onnx_int(op, "is_causal", 0)) right = 0; /* no later key */
  qn_value *own = qn_onnx_binary(op, QN_OP_ML_ADD, query, offset);
  if (right >= 0) {
    qn_value *most = qn_onnx_binary(op, QN_OP_ML_ADD, own, qn_onnx_whole(op, index, right));
    qn_value *is = qn_onnx_compare(op, QN_OP_ML_LESS_EQUAL, key, most);
    *scores = qn_onnx_choose(op, is, *scores, lowest(op));
  }
  if (left >= 0) {
    qn_value *least = qn_onnx_binary(op, QN_OP_ML_SUB, own, qn_onnx_whole(op, index, left));
    qn_value *is = qn_onnx_compare(op, QN_OP_ML_GREATER_EQUAL, key, least);
    *scores = qn_onnx_choose(op, is, *scores, lowest(op));
  }
  return *scores != NULL;
}

/* The softmax of the scores x along the last dimension; 0 in rows whose scores are all
 * -infinity. */
static qn_value *weights_of(qn_graph_op *op, qn_value *x) {
  qn_value *zero = qn_onnx_double(op, 0), *one = qn_onnx_double(op, 1);
  qn_value *most = qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_MAX, x, 3);
  qn_value *none = qn_onnx_compare(op, QN_OP_ML_EQUAL, most, lowest(op));
  most = qn_onnx_choose(op, none, zero, most);
  qn_value *e = qn_onnx_unary(op, QN_OP_ML_EXP, qn_onnx_binary(op, QN_OP_ML_SUB, x, most));
  qn_value *sum = qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_SUM, e, 3);
  sum = qn_onnx_choose(op, none, one, sum);
  return qn_onnx_binary(op, QN_OP_ML_REAL_DIV, e, sum);
}

void qn_onnx_import_attention(qn_graph_op *op) {
  static const int64_t transposed[] = {0, 1, 3, 2}, back[] = {0, 2, 1, 3};
  qn_value *q = qn_onnx_real(op, QUERY), *k = qn_onnx_real(op, KEY), *v = qn_onnx_real(op, VALUE);
  if (!q || !k || !v) return;
  const bool is_flat = qn_onnx_rank(q) == 3;
  q = by_heads(op, q, "q_num_heads");
  k = after_past(op, PAST_KEY, by_heads(op, k, "kv_num_heads"));
  v = after_past(op, PAST_VALUE, by_heads(op, v, "kv_num_heads"));
  if (!q || !k || !v || op->failed) return;
  const int64_t before =
      qn_graph_has_input(op, PAST_KEY) ? qn_graph_input(op, PAST_KEY)->shape.dims[2] : 0;
  const int64_t mode = qn_onnx_int(op, "qk_matmul_output_mode", 0), heads = qn_onnx_dim(q, 1);
  const double cap = (double)qn_onnx_float(op, "softcap", 0);
  double scale = (double)qn_onnx_float(op, "scale", 0);
  if (!qn_onnx_attribute(op, "scale", QN_ONNX_ATTR_FLOAT))
    scale = 1 / sqrt((double)qn_onnx_dim(q, 3));
  qn_value *stages[MODES]; /* what result 3 may be */
  if (op->failed || mode < 0 || mode >= MODES) {
    if (!op->failed) qn_graph_error(op, NULL, QN_INVALID, "scores of mode %lld", (long long)mode);
    return;
  }
  qn_value *shared_k = shared(op, k, heads), *shared_v = shared(op, v, heads);
  qn_value *scores = qn_onnx_product(op, q, qn_onnx_permuted(op, shared_k, transposed));
  scores = qn_onnx_with(op, QN_OP_ML_MUL, scores, scale);
  stages[RAW] = scores;
  if (cap > 0) {
    scores = qn_onnx_unary(op, QN_OP_ML_TANH, qn_onnx_with(op, QN_OP_ML_REAL_DIV, scores, cap));
    scores = qn_onnx_with(op, QN_OP_ML_MUL, scores, cap);
  }
  stages[CAPPED] = scores;
  if (!scores || !add_mask(op, &scores) || !exclude(op, &scores, before)) {
    op->failed = true;
    return;
  }
  stages[MASKED] = scores;
  stages[WEIGHTS] = weights_of(op, scores);
  qn_value *y = qn_onnx_product(op, stages[WEIGHTS], shared_v);
  if (is_flat && y) {
    const int64_t dims[] = {qn_onnx_dim(y, 0), qn_onnx_dim(y, 2), heads * qn_onnx_dim(y, 3)};
    y = qn_onnx_viewed(op, qn_onnx_permuted(op, y, back), 3, dims);
  }
  qn_onnx_give_real(op, 0, y);
  if (!op->failed) qn_onnx_give_real(op, 1, k);
  if (!op->failed) qn_onnx_give_real(op, 2, v);
  if (!op->failed) qn_onnx_give_real(op, 3, stages[mode]);
}

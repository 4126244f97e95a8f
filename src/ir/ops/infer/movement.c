/* Shapes of data movement ops, and of ops whose result types are explicit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

#define SAYS_ITSELF(stem, why) const qn_inference qn_inference_##stem = {.none = why}
SAYS_ITSELF(ml_const, "the result has the type of the value");
SAYS_ITSELF(ml_reshape, "the result's type says the new shape");
const qn_inference qn_inference_ml_split = {.none = "the results' types say where the cuts are",
                                            .permutes = QN_PERMUTES_AXIS};
SAYS_ITSELF(ml_svdf, "the result's type says how many units share the filters");
SAYS_ITSELF(ml_integer_svdf, "the result's type says how many units share the filters");
SAYS_ITSELF(ml_lstm, "it has more than one result");
SAYS_ITSELF(ml_rnn, "it has more than one result");
SAYS_ITSELF(ml_integer_lstm, "it has more than one result");
SAYS_ITSELF(ml_quantize_rows, "it has more than one result");
SAYS_ITSELF(ml_hybrid_linear, "its verifier says how rows and scales go together");
SAYS_ITSELF(ml_hybrid_depthwise_conv, "its verifier says how images and scales go together");
SAYS_ITSELF(ml_hybrid_conv, "its verifier says how images and scales go together");
SAYS_ITSELF(ml_block_linear, "its verifier says how rows and blocks go together");

/* ---- dimensions of size 1 ---- */

/* Marks the dimensions in attribute "axes" of a tensor of rank `rank`; reports invalid ones. */
static bool named_axes(qn_ir_context *cx, const qn_op *op, uint32_t rank, bool *out_named) {
  qn_i64s axes = qn_op_axes(op);
  for (uint32_t i = 0; i < axes.count; i++) {
    int64_t axis = axes.data[i];
    if (axis < 0 || axis >= rank || out_named[axis])
      return qn_op_complain(cx, op, "axis %lld is not a dimension of size 1 or is repeated",
                            (long long)axis);
    out_named[axis] = true;
  }
  return true;
}

static bool infer_squeeze(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  bool dropped[QN_ML_MAX_RANK] = {false};
  if (!named_axes(cx, op, x->shaped.rank, dropped)) return false;
  *out_shape = (qn_shape){.rank = 0};
  for (uint32_t i = 0; i < x->shaped.rank; i++) {
    if (dropped[i] && x->shaped.dims[i] != 1)
      return qn_op_complain(cx, op, "axis %u is not a dimension of size 1 or is repeated", i);
    if (!dropped[i]) out_shape->dims[out_shape->rank++] = x->shaped.dims[i];
  }
  return true;
}

static bool infer_expand_dims(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  uint32_t rank = x->shaped.rank + qn_op_axes(op).count, from = 0;
  bool added[QN_ML_MAX_RANK] = {false};
  if (rank > QN_ML_MAX_RANK)
    return qn_op_complain(cx, op, "the result would have %u dimensions, more than %d", rank,
                          QN_ML_MAX_RANK);
  if (!named_axes(cx, op, rank, added)) return false;
  *out_shape = (qn_shape){.rank = rank};
  for (uint32_t i = 0; i < rank; i++) out_shape->dims[i] = added[i] ? 1 : x->shaped.dims[from++];
  return true;
}

const qn_inference qn_inference_ml_squeeze = {.shape = infer_squeeze};
const qn_inference qn_inference_ml_expand_dims = {.shape = infer_expand_dims};

/* ---- elements in other places ---- */

static bool infer_pad(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  if (!qn_ml_i64s(cx, op, QN_A_PAD, 2 * x->shaped.rank)) return false;
  qn_i64s pad = qn_op_pad(op);
  *out_shape = (qn_shape){.rank = x->shaped.rank};
  for (uint32_t i = 0; i < x->shaped.rank; i++)
    out_shape->dims[i] = x->shaped.dims[i] + pad.data[2 * i] + pad.data[2 * i + 1];
  return true;
}

static bool infer_transpose(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  if (!qn_ml_i64s(cx, op, QN_A_PERM, x->shaped.rank)) return false;
  qn_i64s perm = qn_op_perm(op);
  bool seen[QN_ML_MAX_RANK] = {false};
  *out_shape = (qn_shape){.rank = perm.count};
  for (uint32_t i = 0; i < perm.count; i++) {
    if (perm.data[i] >= perm.count || seen[perm.data[i]])
      return qn_op_complain(cx, op, "attribute 'perm' is not a permutation");
    seen[perm.data[i]] = true;
    out_shape->dims[i] = x->shaped.dims[perm.data[i]];
  }
  return true;
}

/* Number of elements from begin to end (exclusive) with `stride`; -1 if none, or if a bound is
 * outside. */
static int64_t steps_of(int64_t begin, int64_t end, int64_t stride, int64_t dim) {
  bool inside = begin >= 0 && begin < dim && end >= -1 && end <= dim;
  if (!inside || stride == 0) return -1;
  int64_t distance = stride > 0 ? end - begin : begin - end;
  int64_t step = stride > 0 ? stride : -stride;
  return distance > 0 ? (distance + step - 1) / step : -1;
}

static bool infer_slice(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  uint32_t rank = x->shaped.rank;
  if (!qn_ml_i64s(cx, op, QN_A_BEGIN, rank) || !qn_ml_i64s(cx, op, QN_A_END, rank) ||
      !qn_ml_i64s(cx, op, QN_A_STRIDE, rank))
    return false;
  qn_i64s begin = qn_op_begin(op), end = qn_op_end(op), stride = qn_op_stride(op);
  *out_shape = (qn_shape){.rank = rank};
  for (uint32_t i = 0; i < rank; i++) {
    out_shape->dims[i] = steps_of(begin.data[i], end.data[i], stride.data[i], x->shaped.dims[i]);
    if (out_shape->dims[i] < 0)
      return qn_op_complain(cx, op, "slices nothing, or outside of its input, in dimension %u", i);
  }
  return true;
}

const qn_inference qn_inference_ml_pad = {.shape = infer_pad, .permutes = QN_PERMUTES_BORDER};
const qn_inference qn_inference_ml_transpose = {.shape = infer_transpose};
const qn_inference qn_inference_ml_slice_by_index = {.shape = infer_slice};

static bool check_rows(qn_ir_context *cx, const qn_op *op, int64_t channels) {
  qn_i64s pad = qn_op_pad(op);
  int64_t rows = qn_op_joined_rows(op);
  if (pad.data[0] > QN_ROWS_MOST_BORDER || pad.data[1] > QN_ROWS_MOST_BORDER)
    return qn_op_complain(cx, op, "pads %lld and %lld rows, more than %d", (long long)pad.data[0],
                          (long long)pad.data[1], QN_ROWS_MOST_BORDER);
  return channels <= QN_ROWS_MOST_CHANNELS / rows ||
         qn_op_complain(cx, op, "%lld rows of %lld channels are more than %d channels",
                        (long long)rows, (long long)channels, QN_ROWS_MOST_CHANNELS);
}

static bool infer_rows_to_depth(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  enum { WAYS = 2 };
  const int64_t *x = qn_ml_in(op, 0)->shaped.dims;
  bool ok = qn_infer_rank(cx, op, "the input", qn_ml_in(op, 0), WAYS + 2) &&
            qn_ml_i64s(cx, op, QN_A_PAD, 2 * WAYS) && check_rows(cx, op, x[3]);
  if (!ok) return false;
  const int64_t *pad = qn_op_pad(op).data;
  int64_t rows = qn_op_joined_rows(op), height = x[1] + pad[0] + pad[1];
  if (rows > height)
    return qn_op_complain(cx, op, "joins %lld rows, but the padded input has only %lld",
                          (long long)rows, (long long)height);
  *out_shape = (qn_shape){.rank = WAYS + 2,
                          .dims = {x[0], (height - rows) / qn_op_row_step(op) + 1,
                                   x[2] + pad[2] + pad[3], rows * x[3]}};
  return true;
}
const qn_inference qn_inference_ml_rows_to_depth = {.shape = infer_rows_to_depth,
                                                    .layout = QN_IMAGES};

/* ---- joining ---- */

static bool infer_concat(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (op->operand_count == 0) return qn_op_complain(cx, op, "requires an operand");
  const qn_type *first = qn_ml_in(op, 0);
  int64_t axis = qn_op_axis(op);
  if (axis >= first->shaped.rank)
    return qn_op_complain(cx, op, "axis %lld is out of range", (long long)axis);
  *out_shape = (qn_shape){.rank = first->shaped.rank};
  for (uint32_t i = 0; i < first->shaped.rank; i++) out_shape->dims[i] = first->shaped.dims[i];
  for (uint32_t k = 1; k < op->operand_count; k++) {
    const qn_type *part = qn_ml_in(op, k);
    bool fits = part->shaped.rank == first->shaped.rank;
    for (uint32_t i = 0; fits && i < part->shaped.rank; i++)
      fits = (int64_t)i == axis || part->shaped.dims[i] == first->shaped.dims[i];
    if (!fits)
      return qn_op_complain(cx, op, "%s and %s differ in more than the axis",
                            qn_type_quoted(cx, first), qn_type_quoted(cx, part));
    out_shape->dims[axis] += part->shaped.dims[axis];
  }
  return true;
}

const qn_inference qn_inference_ml_concat = {.shape = infer_concat, .permutes = QN_PERMUTES_AXIS};

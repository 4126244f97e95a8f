/* Verifiers of byte products whose scales are known at run time only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/ml.h"

static bool has_type(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *is,
                     const qn_type *expected) {
  if (is == expected) return true;
  return qn_op_complain(cx, op, "%s must be %s, but is %s", what, qn_type_quoted(cx, expected),
                        qn_type_quoted(cx, is));
}

static const qn_type *bytes_type(qn_ir_context *cx) { return qn_type_integer(cx, 8, QN_UNSIGNED); }

static int64_t blocks_of(const qn_op *op, int64_t depth) {
  return (depth - 1) / qn_op_block(op) + 1;
}

/* Checks the results of row8: a row is the last dimension, because blocks are consecutive in K. */
static bool check_row8(qn_ir_context *cx, const qn_op *op, uint32_t rows) {
  const qn_type *x = qn_ml_in(op, 0), *f32 = qn_type_float(cx, QN_F32);
  if (rows + 1 != x->shaped.rank || !qn_op_find(op, QN_A_BLOCK))
    return qn_op_complain(cx, op, "rows by row8 are the last dimension, and have a block");
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t d = 0; d < rows; d++) dims[d] = x->shaped.dims[d];
  dims[rows] = blocks_of(op, x->shaped.dims[rows]);
  return has_type(cx, op, "the rows", qn_ml_out(op),
                  qn_type_with_element(cx, x, qn_type_i(cx, 8))) &&
         has_type(cx, op, "the scales", op->results[1].type, qn_type_tensor(cx, f32, rows, dims)) &&
         has_type(cx, op, "the sums", op->results[2].type,
                  qn_type_tensor(cx, qn_type_i(cx, 32), rows + 1, dims));
}

bool qn_verify_ml_quantize_rows(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *f32 = qn_type_float(cx, QN_F32);
  if (qn_type_element(x) != f32) return qn_op_complain(cx, op, "needs an input of f32");
  int64_t rows = qn_op_rows(op);
  if (rows >= x->shaped.rank)
    return qn_op_complain(cx, op, "an input of rank %u has no rows of %lld dimensions",
                          x->shaped.rank, (long long)rows);
  if (qn_op_row_scheme(op) == QN_ROWS_ROW8) return check_row8(cx, op, (uint32_t)rows);
  if (qn_op_find(op, QN_A_BLOCK)) return qn_op_complain(cx, op, "blocks belong to row8");
  const qn_type *i32 = qn_type_i(cx, 32), *steps = qn_ml_out(op);
  uint32_t rank = (uint32_t)rows;
  return (steps == x || has_type(cx, op, "the steps, if not f32,", steps,
                                 qn_type_with_element(cx, x, bytes_type(cx)))) &&
         has_type(cx, op, "the scales", op->results[1].type,
                  qn_type_tensor(cx, f32, rank, x->shaped.dims)) &&
         has_type(cx, op, "the zero points", op->results[2].type,
                  qn_type_tensor(cx, i32, rank, x->shaped.dims));
}

/* Checks scales and zero points, which are indexed by the leading dimensions of x. */
static bool check_rows(qn_ir_context *cx, const qn_op *op, const qn_type *x) {
  const qn_type *scales = qn_ml_in(op, 1);
  uint32_t rank = scales->shaped.rank;
  if (rank < 1 || rank >= x->shaped.rank)
    return qn_op_complain(cx, op, "scales %s do not number rows of %s", qn_type_quoted(cx, scales),
                          qn_type_quoted(cx, x));
  const qn_type *f32 = qn_type_float(cx, QN_F32);
  return has_type(cx, op, "the scales", scales, qn_type_tensor(cx, f32, rank, x->shaped.dims)) &&
         has_type(cx, op, "the zero points", qn_ml_in(op, 2),
                  qn_type_with_element(cx, scales, qn_type_i(cx, 32)));
}

enum { X, SCALES, ZERO_POINTS, WEIGHTS, WEIGHT_SCALES, BIAS };
enum { WINDOW_RANK = 4 };

/* Checks x (bytes), weights of the given rank, and the values per channel; channels are dimension
 * `channel_dim` of the weights. */
static bool check_product(qn_ir_context *cx, const qn_op *op, uint32_t rank, uint32_t channel_dim) {
  if (!qn_ml_tensors(cx, op) || !qn_ml_scalars(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, X), *w = qn_ml_in(op, WEIGHTS);
  if (qn_type_element(x) != bytes_type(cx))
    return qn_op_complain(cx, op, "needs an input of ui8, but got %s", qn_type_quoted(cx, x));
  if (w->shaped.rank != rank || !qn_is_i(qn_type_element(w), 8))
    return qn_op_complain(cx, op, "needs i8 weights of rank %u, but got %s", rank,
                          qn_type_quoted(cx, w));
  const qn_type *per_channel =
      qn_type_tensor(cx, qn_type_float(cx, QN_F32), 1, w->shaped.dims + channel_dim);
  return has_type(cx, op, "the weights' scales", qn_ml_in(op, WEIGHT_SCALES), per_channel) &&
         (op->operand_count <= BIAS ||
          has_type(cx, op, "the bias", qn_ml_in(op, BIAS), per_channel)) &&
         check_rows(cx, op, x);
}

/* Kernels of matrix products do not multiply in groups of 4 channels. */
static bool check_order(qn_ir_context *cx, const qn_op *op) {
  if (qn_op_scale_order(op) != QN_ORDER_FOURS) return true;
  return qn_op_complain(cx, op, "order fours belongs to depthwise convolutions");
}

bool qn_verify_ml_hybrid_linear(qn_ir_context *cx, const qn_op *op) {
  if (!check_product(cx, op, 2, 0) || !check_order(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, X), *w = qn_ml_in(op, WEIGHTS);
  uint32_t rank = x->shaped.rank;
  if (x->shaped.dims[rank - 1] != w->shaped.dims[1])
    return qn_op_complain(cx, op, "%s has no rows for weights %s", qn_type_quoted(cx, x),
                          qn_type_quoted(cx, w));
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t d = 0; d + 1 < rank; d++) dims[d] = x->shaped.dims[d];
  dims[rank - 1] = w->shaped.dims[0];
  return has_type(cx, op, "the result", qn_ml_out(op),
                  qn_type_tensor(cx, qn_type_float(cx, QN_F32), rank, dims));
}

/* Number of positions of the window in a padded dimension; 0 if none. */
static int64_t places(int64_t size, const int64_t *pad, int64_t kernel, int64_t stride,
                      int64_t dilation) {
  int64_t left = size + pad[0] + pad[1] - ((kernel - 1) * dilation + 1);
  return left < 0 ? 0 : left / stride + 1;
}

/* Checks windows of weights whose dimension 3 is that of x, and which give `channels` channels. */
static bool check_windows(qn_ir_context *cx, const qn_op *op, int64_t channels) {
  if (!qn_ml_i64s(cx, op, QN_A_STRIDES, 2) || !qn_ml_i64s(cx, op, QN_A_DILATIONS, 2) ||
      !qn_ml_i64s(cx, op, QN_A_PAD, WINDOW_RANK))
    return false;
  const qn_type *x = qn_ml_in(op, X), *w = qn_ml_in(op, WEIGHTS);
  if (x->shaped.rank != WINDOW_RANK || qn_ml_in(op, SCALES)->shaped.rank != 1 ||
      x->shaped.dims[3] != w->shaped.dims[3])
    return qn_op_complain(cx, op, "%s has no windows for weights %s and a scale per image",
                          qn_type_quoted(cx, x), qn_type_quoted(cx, w));
  const int64_t *pad = qn_op_pad(op).data, *strides = qn_op_strides(op).data;
  const int64_t *dilations = qn_op_dilations(op).data, *kernel = w->shaped.dims + 1;
  int64_t dims[WINDOW_RANK] = {x->shaped.dims[0], 0, 0, channels};
  for (uint32_t i = 0; i < 2; i++)
    dims[1 + i] = places(x->shaped.dims[1 + i], pad + 2 * i, kernel[i], strides[i], dilations[i]);
  if (dims[1] < 1 || dims[2] < 1)
    return qn_op_complain(cx, op, "the window does not fit %s", qn_type_quoted(cx, x));
  return has_type(cx, op, "the result", qn_ml_out(op),
                  qn_type_tensor(cx, qn_type_float(cx, QN_F32), WINDOW_RANK, dims));
}

bool qn_verify_ml_hybrid_conv(qn_ir_context *cx, const qn_op *op) {
  return check_product(cx, op, WINDOW_RANK, 0) && check_order(cx, op) &&
         check_windows(cx, op, qn_ml_in(op, WEIGHTS)->shaped.dims[0]);
}

bool qn_verify_ml_hybrid_depthwise_conv(qn_ir_context *cx, const qn_op *op) {
  enum { CHANNEL_DIM = 3 };
  if (!check_product(cx, op, WINDOW_RANK, CHANNEL_DIM)) return false;
  const int64_t *w = qn_ml_in(op, WEIGHTS)->shaped.dims;
  if (w[0] != 1)
    return qn_op_complain(cx, op, "weights of %s have %lld filters per channel instead of one",
                          qn_type_quoted(cx, qn_ml_in(op, WEIGHTS)), (long long)w[0]);
  return check_windows(cx, op, w[CHANNEL_DIM]);
}

/* ---- products in blocks ---- */

enum { SUMS = 2, BLOCK_ZEROS = 5, BLOCK_BIAS = 6, LONGEST_BLOCK = 1 << 16 };

/* Checks what belongs to the weights [N, K]; no block is so long that its sum exceeds 32 bits. */
static bool check_blocks(qn_ir_context *cx, const qn_op *op) {
  const qn_type *w = qn_ml_in(op, WEIGHTS), *f32 = qn_type_float(cx, QN_F32);
  if (w->shaped.rank != 2 || qn_type_element(w) != bytes_type(cx))
    return qn_op_complain(cx, op, "needs ui8 weights of rank 2, but got %s", qn_type_quoted(cx, w));
  int64_t depth = w->shaped.dims[1], block = qn_op_block(op);
  if ((block < depth ? block : depth) > LONGEST_BLOCK)
    return qn_op_complain(cx, op, "a block has more than %d elements", LONGEST_BLOCK);
  const int64_t dims[] = {w->shaped.dims[0], blocks_of(op, depth)};
  return has_type(cx, op, "the weights' scales", qn_ml_in(op, WEIGHT_SCALES),
                  qn_type_tensor(cx, f32, 2, dims)) &&
         has_type(cx, op, "the weights' zero points", qn_ml_in(op, BLOCK_ZEROS),
                  qn_type_tensor(cx, bytes_type(cx), 2, dims)) &&
         (op->operand_count <= BLOCK_BIAS ||
          has_type(cx, op, "the bias", qn_ml_in(op, BLOCK_BIAS), qn_type_tensor(cx, f32, 1, dims)));
}

bool qn_verify_ml_block_linear(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !check_blocks(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, X), *w = qn_ml_in(op, WEIGHTS), *f32 = qn_type_float(cx, QN_F32);
  uint32_t rank = x->shaped.rank;
  if (rank < 2 || !qn_is_i(qn_type_element(x), 8) || x->shaped.dims[rank - 1] != w->shaped.dims[1])
    return qn_op_complain(cx, op, "%s has no rows of i8 for weights %s", qn_type_quoted(cx, x),
                          qn_type_quoted(cx, w));
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t d = 0; d + 1 < rank; d++) dims[d] = x->shaped.dims[d];
  const qn_type *scales = qn_type_tensor(cx, f32, rank - 1, dims);
  dims[rank - 1] = blocks_of(op, w->shaped.dims[1]);
  const qn_type *sums = qn_type_tensor(cx, qn_type_i(cx, 32), rank, dims);
  dims[rank - 1] = w->shaped.dims[0];
  return has_type(cx, op, "the scales", qn_ml_in(op, SCALES), scales) &&
         has_type(cx, op, "the sums", qn_ml_in(op, SUMS), sums) &&
         has_type(cx, op, "the result", qn_ml_out(op), qn_type_tensor(cx, f32, rank, dims));
}

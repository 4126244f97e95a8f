/* Costs of the ops of all tables, one function per way of counting.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/ops/infer/cost.h"

#include "ir/ops/infer/infer.h"
#include "ir/ops/infer/matmul.h"
#include "ir/ops/lstm.h"

static const int64_t *dims_of(const qn_op *op, uint32_t operand) {
  return qn_op_operand(op, operand)->type->shaped.dims;
}

/* ---- multiplications ---- */

/* Each weight is used once per output pixel. */
static int64_t weighted(const qn_op *op) {
  const qn_type *out = op->results[0].type, *weights = qn_op_operand(op, 1)->type;
  int64_t channels = out->shaped.dims[out->shaped.rank - 1];
  return channels > 0 ? qn_type_elements(out) / channels * qn_type_elements(weights) : 0;
}

/* Each weight is used once per row. */
static int64_t by_row(const qn_op *op) {
  enum { X, WEIGHTS = 3 };
  int64_t depth = dims_of(op, WEIGHTS)[1], channels = dims_of(op, WEIGHTS)[0];
  return depth > 0 ? qn_type_elements(qn_op_operand(op, X)->type) / depth * channels * depth : 0;
}

/* Depthwise windows: each weight is used once per output pixel. */
static int64_t by_place(const qn_op *op) {
  enum { WEIGHTS = 3 };
  int64_t channels = dims_of(op, WEIGHTS)[0];
  if (channels < 1) return 0;
  return qn_type_elements(op->results[0].type) / channels *
         qn_type_elements(qn_op_operand(op, WEIGHTS)->type);
}

/* Depthwise windows of weights [1, height, width, C], at each output pixel. */
static int64_t by_channel(const qn_op *op) {
  enum { WEIGHTS = 3 };
  const int64_t *kernel = dims_of(op, WEIGHTS);
  return qn_type_elements(op->results[0].type) * kernel[1] * kernel[2];
}

/* Transposed convolutions: each weight is used once per input pixel. */
static int64_t spread(const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type, *weights = qn_op_operand(op, 1)->type;
  int64_t channels = in->shaped.dims[in->shaped.rank - 1];
  return channels > 0 ? qn_type_elements(in) / channels * qn_type_elements(weights) : 0;
}

static int64_t matmul(const qn_op *op) {
  qn_matmul m;
  return qn_matmul_of(op, &m) ? 0 : m.batch_count * m.rows * m.columns * m.depth;
}

/* Per batch element and filter: its feature weights, then its time weights. */
static int64_t svdf(const qn_op *op) {
  enum { X, FEATURES = 2, TIMES };
  int64_t per_entry = qn_type_elements(qn_op_operand(op, FEATURES)->type) +
                      qn_type_elements(qn_op_operand(op, TIMES)->type);
  return dims_of(op, X)[0] * per_entry;
}

/* Per batch element and time step: the weights of all gates for input and hidden state, and those
 * of the optional parts. */
static int64_t lstm(const qn_op *op) {
  const int64_t *x = dims_of(op, QN_LSTM_X);
  int64_t units = dims_of(op, QN_LSTM_CELL)[1], outputs = dims_of(op, QN_LSTM_HIDDEN)[1];
  const qn_lstm_parts parts = qn_lstm_parts_of(op);
  int64_t gates = qn_op_coupled(op) ? QN_GATE_COUNT - 1 : QN_GATE_COUNT;
  int64_t weights = gates * units * (x[2] + outputs);
  if (parts.peepholes) weights += (gates - 1) * units;
  if (parts.projection) weights += units * outputs;
  return x[0] * x[1] * weights;
}

/* Per batch element and time step: the weights for input and hidden state. */
static int64_t rnn(const qn_op *op) {
  const int64_t *x = dims_of(op, 0);
  int64_t units = dims_of(op, qn_cell_first(op, QN_CELL_STATES))[1];
  return x[0] * x[1] * units * (x[2] + units);
}

/* ---- bytes ---- */

static int64_t bytes_of(const qn_type *type) {
  int64_t bytes = qn_type_size(type);
  return bytes > 0 ? bytes : 0;
}

static int64_t read(const qn_op *op, uint32_t first) {
  int64_t bytes = 0;
  for (uint32_t i = first; i < op->operand_count; i++)
    bytes += bytes_of(qn_op_operand(op, i)->type);
  return bytes;
}

static int64_t written(const qn_op *op) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < op->result_count; i++) bytes += bytes_of(op->results[i].type);
  return bytes;
}

static int64_t all(const qn_op *op) { return read(op, 0) + written(op); }

/* Gathering: bytes of operand 0 count as often as those of the results; all indices count. */
static int64_t picked(const qn_op *op) { return read(op, 1) + 2 * written(op); }

/* ---- table entries ---- */

#define RECORD(stem, ...) const qn_cost_record qn_cost_##stem = {__VA_ARGS__}

#define SUMS(stem, how) RECORD(stem, .macs = how, .bytes = all)
SUMS(ml_conv, weighted);
SUMS(ml_depthwise_conv, weighted);
SUMS(ml_conv_transpose, spread);
SUMS(ml_linear, weighted);
SUMS(ml_matmul, matmul);
SUMS(ml_svdf, svdf);
SUMS(ml_lstm, lstm);
SUMS(ml_rnn, rnn);
SUMS(ml_integer_conv, weighted);
SUMS(ml_integer_depthwise_conv, weighted);
SUMS(ml_integer_linear, weighted);
SUMS(ml_integer_matmul, matmul);
SUMS(ml_hybrid_linear, by_row);
SUMS(ml_hybrid_conv, by_place);
SUMS(ml_hybrid_depthwise_conv, by_channel);
SUMS(ml_block_linear, by_row);
SUMS(ml_integer_svdf, svdf);
SUMS(ml_integer_lstm, lstm);

#define MOVES(stem) RECORD(stem, .bytes = all, .no_macs = "it moves elements", .moves = true)
MOVES(ml_pad);
MOVES(ml_rows_to_depth);
MOVES(ml_transpose);
MOVES(ml_concat);
MOVES(ml_resize_nearest_neighbor);
MOVES(ml_stack);
MOVES(ml_tile);
MOVES(ml_reverse);
MOVES(ml_mirror_pad);
MOVES(ml_space_to_depth);
MOVES(ml_depth_to_space);
MOVES(ml_space_to_batch);
MOVES(ml_batch_to_space);
MOVES(ml_scatter_nd);

#define PICKS(stem) RECORD(stem, .bytes = picked, .no_macs = "it moves elements", .moves = true)
PICKS(ml_split);
PICKS(ml_slice_by_index);
PICKS(ml_gather);
PICKS(ml_gather_nd);

#define VIEW(stem)                                                                                 \
  RECORD(stem, .no_macs = "it moves nothing", .no_bytes = "its elements stay where they are",      \
         .moves = true)
VIEW(ml_reshape);
VIEW(ml_squeeze);
VIEW(ml_expand_dims);
VIEW(quant_scast);
RECORD(ml_const, .no_macs = "it computes nothing", .no_bytes = "who uses a constant reads it");

#define BY_ELEMENT(stem)                                                                           \
  RECORD(stem, .bytes = all,                                                                       \
         .no_macs = "it sums no products: what it does per element is counted in bytes")
#define UNARY(stem, ...) BY_ELEMENT(ml_##stem);
#define BINARY UNARY
#include "ir/ops/ml_elements.def"
#undef UNARY
#undef BINARY
BY_ELEMENT(ml_add);
BY_ELEMENT(ml_sub);
BY_ELEMENT(ml_mul);
BY_ELEMENT(ml_avg_pool);
BY_ELEMENT(ml_max_pool);
BY_ELEMENT(ml_reduce_mean);
BY_ELEMENT(ml_softmax);
BY_ELEMENT(ml_batch_norm);
BY_ELEMENT(ml_layer_norm);
BY_ELEMENT(ml_instance_norm);
BY_ELEMENT(ml_reexpress);
BY_ELEMENT(ml_select);
BY_ELEMENT(ml_reduce_sum);
BY_ELEMENT(ml_reduce_prod);
BY_ELEMENT(ml_reduce_max);
BY_ELEMENT(ml_reduce_min);
BY_ELEMENT(ml_reduce_argmax);
BY_ELEMENT(ml_reduce_argmin);
BY_ELEMENT(ml_top_indices);
BY_ELEMENT(ml_non_maximum_suppression);
BY_ELEMENT(ml_one_hot);
BY_ELEMENT(ml_cumsum);
BY_ELEMENT(ml_l2_norm);
BY_ELEMENT(ml_log_softmax);
BY_ELEMENT(ml_local_response_norm);
BY_ELEMENT(ml_resize_bilinear);
BY_ELEMENT(ml_integer_add);
BY_ELEMENT(ml_integer_sub);
BY_ELEMENT(ml_integer_mul);
BY_ELEMENT(ml_integer_avg_pool);
BY_ELEMENT(ml_integer_max_pool);
BY_ELEMENT(ml_integer_mean);
BY_ELEMENT(ml_integer_softmax);
BY_ELEMENT(ml_integer_rescale);
BY_ELEMENT(ml_integer_sigmoid);
BY_ELEMENT(ml_integer_tanh);
BY_ELEMENT(ml_integer_softmax16);
BY_ELEMENT(ml_lut);
BY_ELEMENT(ml_quantize_float);
BY_ELEMENT(ml_dequantize_float);
BY_ELEMENT(ml_quantize_rows);
BY_ELEMENT(quant_qcast);
BY_ELEMENT(quant_dcast);

#define OP(stem, ...) extern const qn_cost_record qn_cost_##stem;
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#include "ir/ops/quant.def"
#undef OP

const qn_cost_record *qn_cost_record_of(qn_op_kind kind) {
  static const qn_cost_record other = {.no_macs = "its dialect has no costs",
                                       .no_bytes = "its dialect has no costs"};
  static const qn_cost_record *const records[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = &qn_cost_##stem,
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#include "ir/ops/quant.def"
#undef OP
  };
  return records[kind] ? records[kind] : &other;
}

qn_cost qn_op_cost(const qn_op *op) {
  const qn_cost_record *record = qn_cost_record_of(op->kind);
  return (qn_cost){.macs = record->macs ? record->macs(op) : 0,
                   .bytes = record->bytes ? record->bytes(op) : 0};
}

bool qn_op_has_linear_cost(const qn_op *op) {
  const qn_cost_record *record = qn_cost_record_of(op->kind);
  qn_permuting turns = qn_inference_of(op->kind)->permutes;
  return record->moves || record->macs || qn_op_has(op, QN_ELEMENTWISE) ||
         turns == QN_PERMUTES_BROADCAST || turns == QN_PERMUTES_REDUCED;
}

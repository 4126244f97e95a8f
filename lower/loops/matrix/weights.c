/* Reads weights, and proves the range of each channel's accumulator from them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/weights.h"

#include "base/checked.h"
#include "base/workers.h"
#include "plan/channels.h"

static const qn_type *element_of(const qn_op *op, uint32_t operand) {
  return qn_type_element(qn_op_operand(op, operand)->type);
}

/* The reason why the schedules do not support the op: zero points with constant weights, or types
 * without kernel. NULL if supported. */
static const char *problem_of(const qn_op *op, const qn_weights *weights) {
  const char *what = NULL;
  const qn_type *x = element_of(op, 0), *w = element_of(op, 1);
  const qn_type *y = qn_type_element(qn_op_result(op, 0)->type);
  if (weights->constant && weights->plan->weight_zero_point != 0) what = "a weight zero point";
  if (weights->constant && weights->plan->input_zero_point != 0) what = "an input zero point";
  if (!qn_type_is_int(x, 8) || !qn_type_is_int(y, 8)) what = "an input or output that is not 8-bit";
  bool narrow = qn_type_is_int(w, 8) && (!weights->constant || !qn_type_is_unsigned(w));
  if (!narrow && !(weights->constant && qn_type_is_int(w, 16)))
    what = "weights that are neither i8 nor i16";
  if (qn_type_elements(qn_op_operand(op, 1)->type) > QN_MAX_WEIGHTS) what = "so many weights";
  return what;
}

static qn_status check(qn_loops *lo, const qn_op *op, const qn_weights *weights) {
  const char *what = problem_of(op, weights);
  if (!what) return QN_OK;
  return qn_error(&lo->cx->diag, op->loc, QN_UNSUPPORTED, "no schedule for '%.*s' with %s",
                  QN_STR_ARG(op->name), what);
}

/* ---- accumulator ranges ---- */

typedef struct reader {
  qn_channel_layout layout;
  const qn_attr *payload, *biases;
  int64_t x_lo, x_hi;
  int32_t *values, *bias;
  qn_interval *sums;
} reader;

static void read_channels(void *user, uint32_t begin, uint32_t end) {
  const reader *r = user;
  const qn_channel_layout *layout = &r->layout;
  for (int64_t c = begin; c < end; c++) {
    int32_t *row = r->values + c * layout->taps;
    int64_t step = layout->channels_last ? layout->channels : 1;
    qn_dense_ints(r->payload, qn_channel_index(layout, c, 0), step, layout->taps, row);
    r->bias[c] = (int32_t)qn_dense_int(r->biases, c);
    r->sums[c] = qn_bounds_dot(row, layout->taps, r->x_lo, r->x_hi, r->bias[c], false);
  }
}

static void read_constants(qn_loops *lo, const qn_op *op, qn_weights *weights, qn_interval *sums) {
  qn_channel_layout layout = qn_channel_layout_of(op);
  size_t channels = (size_t)layout.channels, taps = (size_t)layout.taps;
  reader r = {.layout = layout,
              .payload = qn_loops_payload(op, 1),
              .biases = qn_loops_payload(op, 2),
              .values = QN_NEW_ARRAY(lo->scratch, channels * taps + 1, int32_t),
              .bias = QN_NEW_ARRAY(lo->scratch, channels + 1, int32_t),
              .sums = sums};
  qn_storage_range(8, !weights->x_unsigned, &r.x_lo, &r.x_hi);
  const uint32_t worth = 1 << 16; /* weights per thread, about 100 us */
  uint32_t grain = worth / ((uint32_t)layout.taps + 1) + 1;
  qn_workers_run((uint32_t)layout.channels, grain, read_channels, &r);
  weights->values = r.values;
  weights->bias = r.bias;
}

/* Accumulator ranges for arbitrary weights. If the accumulator can wrap, the range is all of int32.
 */
static void bound_sums(qn_loops *lo, const qn_op *op, qn_weights *weights) {
  qn_interval *sums = QN_NEW_ARRAY(lo->scratch, (size_t)weights->channels + 1, qn_interval);
  enum { LARGEST = 255 + 255 }; /* maximum of |value - zero point| for arbitrary values of both */
  const qn_attr *biases = qn_value_constant(qn_op_operand(op, 2));
  int64_t most = (int64_t)LARGEST * LARGEST * weights->taps;
  for (int64_t c = 0; c < weights->channels; c++) {
    int64_t bias = biases ? qn_dense_int(biases, c) : 0;
    sums[c] = (qn_interval){bias - most, bias + most};
    if (!biases || !qn_interval_fits_i32(sums[c])) sums[c] = (qn_interval){INT32_MIN, INT32_MAX};
  }
  weights->sums = sums;
}

/* Reads constant weights and bias, and derives the accumulator ranges. */
static void read_values(qn_loops *lo, const qn_op *op, qn_weights *weights) {
  qn_interval *sums = QN_NEW_ARRAY(lo->scratch, (size_t)weights->channels + 1, qn_interval);
  read_constants(lo, op, weights, sums);
  weights->sums = sums;
}

static qn_weights describe(const qn_loops *lo, const qn_op *op) {
  qn_plan *plan = QN_NEW(lo->scratch, qn_plan);
  *plan = qn_loops_plan(lo, op);
  qn_channel_layout layout = qn_channel_layout_of(op);
  return (qn_weights){
      .plan = &plan->matrix,
      .channels = layout.channels,
      .taps = layout.taps,
      .constant =
          qn_value_constant(qn_op_operand(op, 1)) && qn_value_constant(qn_op_operand(op, 2)),
      .x_unsigned = qn_type_is_unsigned(element_of(op, 0)),
      .wide = !qn_type_is_int(element_of(op, 1), 8),
  };
}

bool qn_weights_describe(qn_loops *lo, const qn_op *op, qn_weights *out_weights) {
  *out_weights = describe(lo, op);
  if (problem_of(op, out_weights)) return false;
  if (lo->target->single_groups && out_weights->constant) read_values(lo, op, out_weights);
  return true;
}

qn_status qn_weights_read(qn_loops *lo, const qn_op *op, qn_weights *out_weights) {
  *out_weights = describe(lo, op);
  QN_TRY(check(lo, op, out_weights));
  if (out_weights->constant)
    read_values(lo, op, out_weights);
  else
    bound_sums(lo, op, out_weights);
  return QN_OK;
}

/* ---- products of two operands ---- */

/* Parameters of a matrix product of two tensors as those of weights, with one multiplier for all
 * channels. */
static qn_plan_matrix plan_of_pair(const qn_loops *lo, const qn_plan_binary *binary,
                                   int64_t channels) {
  qn_multiplier *multipliers = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_multiplier);
  double *reals = QN_NEW_ARRAY(lo->scratch, (size_t)channels, double);
  double *offsets = QN_NEW_ARRAY(lo->scratch, (size_t)channels, double);
  for (int64_t c = 0; c < channels; c++) {
    multipliers[c] = binary->y;
    reals[c] = binary->real;
  }
  const bool even = binary->rounding == QN_REQUANT_EVEN;
  return (qn_plan_matrix){.channels = channels,
                          .input_zero_point = binary->a_zero_point,
                          .weight_zero_point = binary->b_zero_point,
                          .rounding = binary->rounding,
                          .multipliers = even ? NULL : multipliers,
                          .reals = even ? reals : NULL,
                          .offsets = even ? offsets : NULL,
                          .output = binary->output};
}

static qn_interval range_of(const qn_op *op, uint32_t operand, int32_t zero_point) {
  qn_interval range;
  qn_storage_range(8, !qn_type_is_unsigned(element_of(op, operand)), &range.lo, &range.hi);
  return (qn_interval){range.lo - zero_point, range.hi - zero_point};
}

/* Accumulator range for arbitrary values of both operands. */
static qn_interval sums_of_pair(const qn_op *op, const qn_plan_matrix *plan, int64_t depth) {
  qn_interval x = range_of(op, 0, plan->input_zero_point);
  qn_interval w = range_of(op, 1, plan->weight_zero_point);
  const int64_t products[] = {x.lo * w.lo, x.lo * w.hi, x.hi * w.lo, x.hi * w.hi};
  qn_interval sum = {products[0], products[0]};
  for (size_t i = 1; i < QN_COUNT(products); i++) {
    if (products[i] < sum.lo) sum.lo = products[i];
    if (products[i] > sum.hi) sum.hi = products[i];
  }
  sum = (qn_interval){sum.lo * depth, sum.hi * depth};
  return qn_interval_fits_i32(sum) ? sum : (qn_interval){INT32_MIN, INT32_MAX};
}

/* Reads constant weights and subtracts their zero points. Folds the zero point of x into the bias,
 * as fold-zero-points does for other ops. */
static void read_pair(qn_loops *lo, const qn_op *op, const qn_matmul *m, qn_plan_matrix *plan,
                      qn_weights *weights, qn_interval *sums) {
  const qn_attr *payload = qn_loops_payload(op, 1);
  size_t channels = (size_t)weights->channels, taps = (size_t)weights->taps;
  int32_t *values = QN_NEW_ARRAY(lo->scratch, channels * taps + 1, int32_t);
  int32_t *bias = QN_NEW_ARRAY(lo->scratch, channels + 1, int32_t);
  int64_t x_lo, x_hi;
  qn_storage_range(8, !weights->x_unsigned, &x_lo, &x_hi);
  for (int64_t c = 0; c < weights->channels; c++) {
    int64_t batch = c / m->columns, from = c % m->columns * m->y_column;
    if (m->batch_count > 1) from += qn_matmul_batch_offset(op, m, 1, batch);
    int32_t *row = values + c * weights->taps;
    uint32_t sum = 0;
    qn_dense_ints(payload, from, m->y_step, weights->taps, row);
    for (int64_t k = 0; k < weights->taps; k++) {
      row[k] -= plan->weight_zero_point;
      weights->wide |= row[k] < INT8_MIN || row[k] > INT8_MAX;
      sum += (uint32_t)row[k];
    }
    bias[c] = (int32_t)(0u - (uint32_t)plan->input_zero_point * sum);
    sums[c] = qn_bounds_dot(row, weights->taps, x_lo, x_hi, bias[c], false);
  }
  plan->input_zero_point = plan->weight_zero_point = 0;
  weights->values = values;
  weights->bias = bias;
}

static bool is_large_pair(const qn_op *op) {
  bool large = qn_type_elements(op->results[0].type) > INT32_MAX;
  for (uint32_t i = 0; i < op->operand_count; i++)
    large |= qn_type_elements(qn_op_operand(op, i)->type) > INT32_MAX;
  return large;
}

static qn_status check_pair(qn_loops *lo, const qn_op *op) {
  if (!is_large_pair(op)) return QN_OK;
  return qn_error(&lo->cx->diag, op->loc, QN_UNSUPPORTED,
                  "no schedule for '%.*s' with tensors of more than 2^31 elements",
                  QN_STR_ARG(op->name));
}

/* Fills a qn_weights for two tensors; its `plan` points to *out_plan. */
static qn_weights describe_pair(const qn_loops *lo, const qn_op *op, const qn_matmul *m,
                                qn_plan_matrix **out_plan) {
  const qn_value *y = qn_op_operand(op, 1);
  int64_t channels = m->columns * m->batch_count;
  bool once = channels * m->depth == qn_type_elements(y->type);
  qn_plan read = qn_loops_plan(lo, op);
  qn_plan_matrix *plan = *out_plan = QN_NEW(lo->scratch, qn_plan_matrix);
  *plan = plan_of_pair(lo, &read.binary, channels);
  return (qn_weights){
      .plan = plan,
      .channels = channels,
      .taps = m->depth,
      .constant = once && channels * m->depth <= QN_MAX_WEIGHTS && qn_value_constant(y),
      .x_unsigned = qn_type_is_unsigned(element_of(op, 0)),
  };
}

bool qn_weights_describe_pair(const qn_loops *lo, const qn_op *op, const qn_matmul *m,
                              qn_weights *out_weights) {
  qn_plan_matrix *plan;
  if (is_large_pair(op)) return false;
  *out_weights = describe_pair(lo, op, m, &plan);
  return true;
}

qn_status qn_weights_read_pair(qn_loops *lo, const qn_op *op, const qn_matmul *m,
                               qn_weights *out_weights) {
  QN_TRY(check_pair(lo, op));
  qn_plan_matrix *plan;
  *out_weights = describe_pair(lo, op, m, &plan);
  int64_t channels = out_weights->channels;
  qn_interval *sums = QN_NEW_ARRAY(lo->scratch, (size_t)channels + 1, qn_interval);
  if (out_weights->constant)
    read_pair(lo, op, m, plan, out_weights, sums);
  else
    for (int64_t c = 0; c < channels; c++) sums[c] = sums_of_pair(op, plan, m->depth);
  out_weights->sums = sums;
  return QN_OK;
}

/* SVDF and UNIDIRECTIONAL_SEQUENCE_LSTM, whose variable tensors are states: ml.svdf, ml.lstm.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

static bool check_shape(qn_tflite_op *op, const qn_tflite_tensor *tensor,
                        const qn_tflite_shape *expected) {
  if (qn_tflite_same_shape(&tensor->shape, expected)) return true;
  qn_str is = qn_tflite_shape_text(op->im, &tensor->shape);
  qn_str wanted = qn_tflite_shape_text(op->im, expected);
  return qn_tflite_error(op, tensor, QN_INVALID, "shape %.*s where %.*s follows from the others",
                         QN_STR_ARG(is), QN_STR_ARG(wanted));
}

static bool check_rank(qn_tflite_op *op, const qn_tflite_tensor *tensor, uint32_t rank) {
  return tensor->shape.rank == rank ||
         qn_tflite_error(op, tensor, QN_INVALID, "rank %u where %u is expected", tensor->shape.rank,
                         rank);
}

/* An operand that must be there. */
static qn_tflite_tensor *required(qn_tflite_op *op, uint32_t i) {
  qn_tflite_tensor *tensor = qn_tflite_input(op, i);
  if (!tensor && !op->failed) qn_tflite_error(op, NULL, QN_INVALID, "operand %u is missing", i);
  return tensor;
}

static qn_value *state_value(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  if (tensor->is_state) return qn_tflite_value(op, tensor);
  qn_tflite_error(op, tensor, QN_INVALID, "it must be a variable tensor: the operator changes it");
  return NULL;
}

/* An int32 bias of that size, added as it is stored. */
static qn_value *bias_value(qn_tflite_op *op, qn_tflite_tensor *tensor, int64_t size) {
  if (tensor->dtype != QN_TFLITE_INT32) {
    qn_tflite_error(op, tensor, QN_UNSUPPORTED, "a bias of type %s is not supported, only int32",
                    qn_tflite_dtype_name(tensor->dtype));
    return NULL;
  }
  qn_tflite_shape shape = {1, {size}};
  if (!check_shape(op, tensor, &shape)) return NULL;
  return qn_tflite_constant(op, tensor,
                            qn_tflite_shaped(op->im, qn_type_i(op->im->cx, 32), &shape));
}

/* ---- SVDF ---- */

enum { SVDF_X, SVDF_FEATURES, SVDF_TIMES, SVDF_BIAS, SVDF_STATE };

static bool svdf_units(qn_tflite_op *op, const qn_tflite_tensor *features, int64_t *out_units) {
  int64_t rank = qn_tflite_option(op, "RANK"), filters = features->shape.dims[0];
  if (rank < 1 || filters % rank != 0)
    return qn_tflite_error(op, features, QN_INVALID,
                           "%lld filters are no multiple of the rank %lld", (long long)filters,
                           (long long)rank);
  *out_units = filters / rank;
  return true;
}

void qn_tflite_import_svdf(qn_tflite_op *op) {
  qn_tflite_tensor *x = required(op, SVDF_X), *features = required(op, SVDF_FEATURES),
                   *times = required(op, SVDF_TIMES), *bias = qn_tflite_input(op, SVDF_BIAS),
                   *state = required(op, SVDF_STATE);
  if (x && x->dtype == QN_TFLITE_FLOAT32) {
    qn_tflite_float_svdf(op);
    return;
  }
  int64_t units = 0;
  if (op->failed || !check_rank(op, x, 2) || !check_rank(op, features, 2) ||
      !check_rank(op, times, 2) || !svdf_units(op, features, &units))
    return;
  int64_t batch = x->shape.dims[0], filters = features->shape.dims[0],
          memory = times->shape.dims[1];
  if (!check_shape(op, features, &(qn_tflite_shape){2, {filters, x->shape.dims[1]}}) ||
      !check_shape(op, times, &(qn_tflite_shape){2, {filters, memory}}) ||
      !check_shape(op, state, &(qn_tflite_shape){2, {batch, filters * memory}}))
    return;
  qn_value *operands[5] = {qn_tflite_value(op, x), state_value(op, state),
                           qn_tflite_value(op, features), qn_tflite_value(op, times)};
  uint32_t count = 4;
  if (bias) operands[count++] = bias_value(op, bias, units);
  if (op->failed) return;
  qn_tflite_attrs attrs = {0};
  qn_tflite_shape shape = {2, {batch, units}};
  qn_tflite_build_with_states(op, QN_OP_ML_SVDF, operands, count, &attrs, &shape, &state, 1);
}

/* ---- UNIDIRECTIONAL_SEQUENCE_LSTM ---- */

enum {
  LSTM_GATES = 4, /* input, forget, cell, output: the file's order and ours */
  LSTM_X = 0,
  LSTM_WEIGHTS = 1,
  LSTM_RECURRENT = 5,
  LSTM_PEEPHOLES = 9,
  LSTM_BIAS = 12,
  LSTM_PROJECTION = 16,
  LSTM_HIDDEN = 18,
  LSTM_CELL = 19,
  LSTM_NORMALIZATION = 20,
  LSTM_OPERANDS = 24,
  HIDDEN_INTERMEDIATE = 4, /* whose parameters the hidden state has before projection */
  OUR_WEIGHTS = 3
};

/* Operands [from, to) are absent. */
static bool check_absent(qn_tflite_op *op, uint32_t from, uint32_t to, const char *what) {
  for (uint32_t i = from; i < to; i++)
    if (i < op->inputs.count && qn_fb_i32_at(op->inputs, i) >= 0)
      return qn_tflite_error(op, qn_tflite_input(op, i), QN_UNSUPPORTED, "%s not supported", what);
  return true;
}

static bool check_variant(qn_tflite_op *op) {
  enum { TANH = 4 };
  if (qn_tflite_option(op, "ACTIVATION") != TANH)
    return qn_tflite_error(op, NULL, QN_UNSUPPORTED, "only the activation TANH is supported");
  if (op->inputs.count > LSTM_WEIGHTS && qn_fb_i32_at(op->inputs, LSTM_WEIGHTS) < 0)
    return qn_tflite_error(op, NULL, QN_UNSUPPORTED,
                           "an input gate coupled to the forget gate is not supported");
  return check_absent(op, LSTM_PEEPHOLES, LSTM_BIAS, "peepholes are") &&
         check_absent(op, LSTM_PROJECTION, LSTM_HIDDEN, "a projection is") &&
         check_absent(op, LSTM_NORMALIZATION, LSTM_OPERANDS, "layer normalization is");
}

/* LiteRT takes the parameters of the hidden state from an intermediate, others from the state. */
static bool check_intermediate(qn_tflite_op *op, const qn_tflite_tensor *hidden) {
  qn_fb_vector list = qn_fb_vector_of(op->table, QN_FB_OPERATOR_INTERMEDIATES);
  if (list.count <= HIDDEN_INTERMEDIATE) return true;
  int32_t index = qn_fb_i32_at(list, HIDDEN_INTERMEDIATE);
  if (index < 0 || (uint32_t)index >= op->im->tensor_count)
    return qn_tflite_error(op, NULL, QN_INVALID, "intermediate %d is tensor %d, but there are %u",
                           HIDDEN_INTERMEDIATE, index, op->im->tensor_count);
  qn_tflite_tensor tensor = op->im->tensors[index]; /* has no elements: is not loaded */
  tensor.dtype = (uint8_t)qn_fb_int(tensor.table, QN_FB_TENSOR_TYPE);
  qn_tflite_q8 a, b;
  if (!qn_tflite_activation(op, &tensor, &a) || !qn_tflite_activation(op, hidden, &b)) return false;
  if (a.scale == b.scale && a.zero_point == b.zero_point) return true;
  return qn_tflite_error(op, &tensor, QN_UNSUPPORTED,
                         "its scale and zero point are not those of the hidden state");
}

static bool lstm_gates(qn_tflite_op *op, int64_t depth, int64_t units, qn_value **out_operands) {
  qn_tflite_shape input = {2, {units, depth}}, recurrent = {2, {units, units}};
  for (uint32_t g = 0; g < LSTM_GATES; g++) {
    qn_tflite_tensor *w = required(op, LSTM_WEIGHTS + g), *r = required(op, LSTM_RECURRENT + g),
                     *bias = required(op, LSTM_BIAS + g);
    if (op->failed || !check_shape(op, w, &input) || !check_shape(op, r, &recurrent)) return false;
    out_operands[g] = qn_tflite_value(op, w);
    out_operands[LSTM_GATES + g] = qn_tflite_value(op, r);
    out_operands[2 * LSTM_GATES + g] = bias_value(op, bias, units);
  }
  return !op->failed;
}

void qn_tflite_import_lstm(qn_tflite_op *op) {
  qn_ir_context *cx = op->im->cx;
  const qn_tflite_tensor *input = qn_tflite_input(op, LSTM_X);
  if (input && input->dtype == QN_TFLITE_FLOAT32) {
    qn_tflite_float_lstm(op);
    return;
  }
  if (!check_variant(op)) return;
  qn_tflite_tensor *x = required(op, LSTM_X),
                   *states[2] = {required(op, LSTM_HIDDEN), required(op, LSTM_CELL)};
  if (op->failed || !check_rank(op, x, 3) || !check_rank(op, states[0], 2)) return;
  bool time_major = qn_tflite_option(op, "TIME_MAJOR") != 0;
  int64_t batch = x->shape.dims[time_major ? 1 : 0], units = states[0]->shape.dims[1];
  qn_tflite_shape state = {2, {batch, units}};
  for (uint32_t i = 0; i < 2; i++)
    if (!check_shape(op, states[i], &state)) return;
  if (!check_intermediate(op, states[0])) return;
  qn_value *operands[OUR_WEIGHTS + 3 * LSTM_GATES] = {
      qn_tflite_value(op, x), state_value(op, states[0]), state_value(op, states[1])};
  if (op->failed || !lstm_gates(op, x->shape.dims[2], units, operands + OUR_WEIGHTS)) return;
  double clip = (double)qn_fb_float(op->options, QN_FB_LSTM_OPTIONS_CELL_CLIP);
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "time_major", qn_attr_bool(cx, time_major));
  if (clip > 0)
    qn_tflite_attr(&attrs, "cell_clip", qn_attr_float(cx, clip, qn_type_float(cx, QN_F32)));
  qn_tflite_shape shape = {3, {x->shape.dims[0], x->shape.dims[1], units}};
  qn_tflite_build_with_states(op, QN_OP_ML_LSTM, operands, QN_COUNT(operands), &attrs, &shape,
                              states, 2);
}

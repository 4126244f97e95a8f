/* CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED and BATCH_MATMUL: ml.conv, ml.depthwise_conv,
 * ml.linear, ml.matmul.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/transpose.h"
#include "import/tflite/tflite.h"

/* Common properties of these operators. */
typedef struct layer {
  qn_graph_tensor *input, *weights, *output;
  bool is_float, is_hybrid;        /* hybrid: float input with int8 weights */
  bool keeps_infinity;             /* without an activation, in profiles that clamp elsewhere */
  qn_graph_q8 input_q8, output_q8; /* if quantized */
} layer;

/* Weights of the other 8-bit type than the input: LiteRT's kernels of these two operators read the
 * bytes as the input's type and keep the zero point unchanged. */
static bool check_weights(qn_graph_op *op, const layer *l) {
  qn_op_kind kind = op->row->kind;
  uint8_t is = l->weights->dtype, as = l->input->dtype;
  if (is == as || l->is_hybrid || (as == QN_GRAPH_INT16 && is == QN_GRAPH_INT8)) return true;
  if (is == QN_GRAPH_INT4) return as == QN_GRAPH_INT8 && kind == QN_OP_ML_LINEAR;
  if (!op->graph->profile->other_weights || l->is_float ||
      (is != QN_GRAPH_INT8 && is != QN_GRAPH_UINT8) ||
      !(kind == QN_OP_ML_LINEAR || (kind == QN_OP_ML_CONV && as == QN_GRAPH_UINT8)))
    return false;
  qn_graph_warn(op, l->weights, "its bytes are %s and are read as %s, as the runtimes do",
                qn_graph_dtype_name(is), qn_graph_dtype_name(as));
  return true;
}

static bool open_layer(qn_graph_op *op, layer *l) {
  l->input = qn_graph_input(op, 0);
  l->weights = qn_graph_input(op, 1);
  l->output = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_has_elements(op, l->input) || !qn_graph_has_elements(op, l->weights))
    return false;
  l->is_float = l->input->dtype == QN_GRAPH_FLOAT32;
  l->is_hybrid = l->is_float && l->weights->dtype == QN_GRAPH_INT8;
  if (!l->is_float && (!qn_graph_activation(op, l->input, &l->input_q8) ||
                       !qn_graph_activation(op, l->output, &l->output_q8)))
    return false;
  if (!check_weights(op, l) || l->output->dtype != l->input->dtype)
    return qn_graph_error(
        op, l->weights, QN_UNSUPPORTED, "%s input, %s weights and %s output are not supported",
        qn_graph_dtype_name(l->input->dtype), qn_graph_dtype_name(l->weights->dtype),
        qn_graph_dtype_name(l->output->dtype));
  return true;
}

static bool check_rank(qn_graph_op *op, const qn_graph_tensor *tensor, uint32_t rank) {
  return tensor->shape.rank == rank ||
         qn_graph_error(op, tensor, QN_INVALID, "rank %u where %u is expected", tensor->shape.rank,
                        rank);
}

/* The type of int4 weights that are not constant: a byte per element, with a 4-bit range. */
static const qn_type *narrow_type(qn_graph_op *op, qn_graph_tensor *weights) {
  qn_graph_q8 q8;
  if (!qn_graph_value(op, weights) || !qn_graph_stored(op, weights, &q8)) return NULL;
  if (q8.zero_point != 0) {
    qn_graph_error(op, weights, QN_UNSUPPORTED, "zero point %d of int4 weights is not supported",
                   q8.zero_point);
    return NULL;
  }
  return qn_type_element(weights->value->type);
}

static const qn_type *weights_type(qn_graph_op *op, layer *l, uint32_t axis) {
  qn_graph_tensor as_read = *l->weights;
  if (l->weights->dtype == QN_GRAPH_INT4) return narrow_type(op, l->weights);
  if (l->is_float && !l->is_hybrid) return qn_type_float(op->graph->cx, QN_F32);
  if (l->input_q8.width != 16 && !l->is_hybrid) as_read.dtype = l->input->dtype;
  return qn_graph_weights_type(op, &as_read, axis);
}

/* Reads operands x, weights and optional bias, and the fused activation. */
static bool layer_operands(qn_graph_op *op, layer *l, uint32_t axis, qn_value *out_operands[3],
                           uint32_t *out_count, qn_graph_attrs *attrs) {
  const qn_type *element = weights_type(op, l, axis);
  if (!element) return false;
  const qn_type *type = qn_graph_shaped(op->graph, element, &l->weights->shape);
  const qn_attr *activation;
  out_operands[0] = qn_graph_value(op, l->input);
  out_operands[1] = qn_graph_constant(op, l->weights, type);
  bool bias = qn_graph_bias(op, 2, l->weights->shape.dims[axis], &l->input_q8, type,
                            l->output_q8.scale, &out_operands[2]);
  if (!out_operands[0] || !out_operands[1] || !bias || !qn_tflite_fused(op, &activation))
    return false;
  const bool is_unfused = qn_graph_option(op, "ACTIVATION") == 0;
  qn_graph_attr(attrs, "activation", l->keeps_infinity && is_unfused ? NULL : activation);
  *out_count = out_operands[2] ? 3 : 2;
  return true;
}

/* Checks weights [Cout, KH, KW, Cin / groups] or [1, KH, KW, Cin * multiplier] against the input's
 * channels. */
static bool check_channels(qn_graph_op *op, const layer *l, bool depthwise, int64_t *out_groups) {
  const int64_t *w = l->weights->shape.dims;
  int64_t channels = l->input->shape.dims[3];
  if (depthwise) {
    int64_t stated = qn_graph_option(op, "DEPTH_MULTIPLIER");
    if (w[0] != 1 || w[3] % channels != 0)
      return qn_graph_error(
          op, l->weights, QN_INVALID,
          "weights of %lld filters and %lld channels for an input of %lld channels",
          (long long)w[0], (long long)w[3], (long long)channels);
    if (stated > 0 && stated != w[3] / channels)
      qn_graph_warn(op, l->weights,
                    "depth multiplier %lld is stated, %lld follows from the shapes and is used",
                    (long long)stated, (long long)(w[3] / channels));
    return true;
  }
  *out_groups = channels / w[3];
  if (channels % w[3] != 0 || w[0] % *out_groups != 0)
    return qn_graph_error(op, l->weights, QN_INVALID,
                          "%lld filters of %lld channels for an input of %lld channels",
                          (long long)w[0], (long long)w[3], (long long)channels);
  return true;
}

void qn_tflite_import_conv(qn_graph_op *op) {
  bool depthwise = op->row->kind == QN_OP_ML_DEPTHWISE_CONV;
  qn_ir_context *cx = op->graph->cx;
  layer l = {0};
  int64_t groups = 1;
  if (!open_layer(op, &l)) return;
  if (!check_rank(op, l.input, 4) || !check_rank(op, l.weights, 4)) return;
  if (!check_channels(op, &l, depthwise, &groups)) return;
  const int64_t *w = l.weights->shape.dims;
  qn_graph_window window = {
      .kernel = {w[1], w[2]},
      .dilation = {qn_graph_option(op, "DILATION_H"), qn_graph_option(op, "DILATION_W")}};
  if (!qn_tflite_place_window(op, l.input, &window)) return;
  qn_value *operands[3];
  uint32_t count, axis = depthwise ? 3 : 0;
  qn_graph_attrs attrs = {0};
  if (!layer_operands(op, &l, axis, operands, &count, &attrs)) return;
  qn_graph_attr(&attrs, "strides", qn_attr_i64s(cx, window.stride, 2));
  qn_graph_attr(&attrs, "dilations", qn_attr_i64s(cx, window.dilation, 2));
  qn_graph_attr(&attrs, "pad", qn_attr_i64s(cx, window.pad, 4));
  if (!depthwise) qn_graph_attr(&attrs, "groups", qn_attr_i64(cx, groups));
  qn_graph_shape shape = {4, {l.input->shape.dims[0], window.out[0], window.out[1], w[axis]}};
  qn_graph_build(op, op->row->kind, operands, count, &attrs, &shape);
}

/* The input's shape for the product: unchanged with keep_num_dims, else [batch, K]. */
static bool linear_shapes(qn_graph_op *op, const layer *l, qn_graph_shape *out_input,
                          qn_graph_shape *out_result) {
  const qn_graph_shape *x = &l->input->shape;
  int64_t k = l->weights->shape.dims[1], units = l->weights->shape.dims[0],
          elements = qn_graph_elements(x);
  if (qn_graph_option(op, "KEEP_NUM_DIMS")) {
    if (x->rank == 0 || x->dims[x->rank - 1] != k)
      return qn_graph_error(op, l->input, QN_INVALID,
                            "its last dimension is not the %lld of the weights", (long long)k);
    *out_input = *out_result = *x;
    out_result->dims[x->rank - 1] = units;
    return true;
  }
  if (elements % k != 0)
    return qn_graph_error(op, l->input, QN_INVALID, "%lld elements are no rows of %lld",
                          (long long)elements, (long long)k);
  *out_input = (qn_graph_shape){2, {elements / k, k}};
  *out_result = (qn_graph_shape){2, {elements / k, units}};
  return true;
}

void qn_tflite_import_linear(qn_graph_op *op) {
  layer l = {0};
  qn_graph_shape input, result;
  if (!open_layer(op, &l) || !check_rank(op, l.weights, 2)) return;
  if (qn_graph_option(op, "WEIGHTS_FORMAT") != 0) {
    qn_graph_error(op, l.weights, QN_UNSUPPORTED, "shuffled weights are not supported");
    return;
  }
  if (!linear_shapes(op, &l, &input, &result)) return;
  l.keeps_infinity = l.is_float && l.weights->dtype != QN_GRAPH_FLOAT32;
  qn_value *operands[3];
  uint32_t count;
  qn_graph_attrs attrs = {0};
  if (!layer_operands(op, &l, 0, operands, &count, &attrs)) return;
  operands[0] = qn_graph_view(op, operands[0], &input);
  if (l.is_hybrid && qn_graph_option(op, "ASYMMETRIC_INPUTS"))
    qn_graph_attr(&attrs, "asymmetric_inputs", qn_attr_bool(op->graph->cx, true));
  qn_graph_build(op, QN_OP_ML_LINEAR, operands, count, &attrs, &result);
}

/* The last two dimensions of an operand, exchanged if adjoint. */
static void matrix_of(const qn_graph_tensor *x, bool adjoint, int64_t out_dims[2]) {
  const int64_t *last = x->shape.dims + x->shape.rank - 2;
  out_dims[0] = last[adjoint];
  out_dims[1] = last[!adjoint];
}

/* Transposes a constant matrix of bytes. */
static qn_bytes turned(qn_graph_op *op, const qn_graph_tensor *w) {
  const int64_t rows = w->shape.dims[0], columns = w->shape.dims[1];
  if (!qn_graph_spend(op, rows * columns)) return (qn_bytes){NULL, 0};
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, (size_t)(rows * columns));
  qn_transpose(2, (int64_t[]){columns, rows}, (int64_t[]){1, columns}, 1, w->data.data, bytes);
  return (qn_bytes){bytes, (size_t)(rows * columns)};
}

/* Float input times an 8-bit matrix: ml.linear with transposed weights. */
static void build_hybrid_matmul(qn_graph_op *op, qn_graph_tensor *x, qn_graph_tensor *w, bool adj_x,
                                bool adj_y) {
  qn_ir_context *cx = op->graph->cx;
  uint32_t rank = x->shape.rank, batches = 0;
  for (uint32_t i = 0; i + 2 < rank; i++) batches += x->shape.dims[i] > 1;
  if (batches > 1) {
    qn_graph_error(op, x, QN_UNSUPPORTED,
                   "floats in batches of more than one dimension are not supported beside weights "
                   "of 8 bits: the runtime scales rows by the ranges of others");
    return;
  }
  if (w->shape.rank != 2 || w->data.size != (size_t)qn_graph_elements(&w->shape)) {
    qn_graph_error(
        op, w, QN_UNSUPPORTED,
        "beside floats, a second operand that is not a constant matrix is not supported");
    return;
  }
  qn_graph_tensor weights = *w; /* [units, depth] */
  if (!adj_y) {
    weights.data = turned(op, w);
    weights.shape = (qn_graph_shape){2, {w->shape.dims[1], w->shape.dims[0]}};
    weights.value = NULL;
  }
  qn_value *value = qn_graph_value(op, x);
  const qn_type *element = op->failed ? NULL : qn_graph_weights_type(op, &weights, 0);
  if (!value || !element) return;
  qn_graph_shape shape = x->shape;
  if (adj_x) {
    int64_t perm[QN_GRAPH_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++) perm[i] = i;
    perm[rank - 1] = rank - 2;
    perm[rank - 2] = rank - 1;
    shape.dims[rank - 1] = x->shape.dims[rank - 2];
    shape.dims[rank - 2] = x->shape.dims[rank - 1];
    value = qn_graph_part(op, QN_OP_ML_TRANSPOSE, qn_type_float(cx, QN_F32), &shape, &value, 1,
                          QN_ATTRS({"perm", qn_attr_i64s(cx, perm, rank)}));
  }
  qn_value *operands[] = {
      value, qn_graph_constant(op, &weights, qn_graph_shaped(op->graph, element, &weights.shape))};
  qn_graph_attrs attrs = {0};
  if (qn_graph_option(op, "ASYMMETRIC_INPUTS"))
    qn_graph_attr(&attrs, "asymmetric_inputs", qn_attr_bool(cx, true));
  qn_graph_attr(&attrs, "kernel", qn_attr_word(cx, QN_A_LINEAR_KERNEL, QN_LINEAR_BATCH_MATMUL));
  shape.dims[rank - 1] = weights.shape.dims[0];
  if (operands[1]) qn_graph_build(op, QN_OP_ML_LINEAR, operands, 2, &attrs, &shape);
}

/* Stored bytes as plain integers. */
static qn_value *as_numbers(qn_graph_op *op, const qn_graph_tensor *tensor, qn_value *value) {
  const qn_type *number = qn_type_i(op->graph->cx, 8);
  if (!value || !qn_type_quant(value->type)) return value;
  return qn_graph_part(op, QN_OP_QUANT_SCAST, number, &tensor->shape, &value, 1, NULL);
}

void qn_tflite_import_matmul(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_input(op, 1),
                  *z = qn_graph_output(op, 0);
  if (op->failed) return;
  bool hybrid =
      x->dtype == QN_GRAPH_FLOAT32 && y->dtype == QN_GRAPH_INT8 && z->dtype == QN_GRAPH_FLOAT32;
  /* The kernel ignores the quantization and sums stored values. */
  bool sums = x->dtype == QN_GRAPH_INT8 && y->dtype == QN_GRAPH_INT8 &&
              z->dtype == QN_GRAPH_INT32 && !qn_graph_is_quantized(z);
  if (!hybrid && !sums &&
      (!qn_graph_matching(op, x, y, false) || !qn_graph_matching(op, x, z, false)))
    return;
  if (x->shape.rank < 2 || y->shape.rank < 2) {
    qn_graph_error(op, x->shape.rank < 2 ? x : y, QN_INVALID, "it is not a matrix");
    return;
  }
  bool adj_x = qn_graph_option(op, "ADJ_X") != 0, adj_y = qn_graph_option(op, "ADJ_Y") != 0;
  int64_t of_x[2], of_y[2];
  matrix_of(x, adj_x, of_x);
  matrix_of(y, adj_y, of_y);
  if (of_x[1] != of_y[0]) {
    qn_graph_error(op, y, QN_INVALID, "%lld rows for %lld columns of the other operand",
                   (long long)of_y[0], (long long)of_x[1]);
    return;
  }
  if (hybrid) {
    build_hybrid_matmul(op, x, y, adj_x, adj_y);
    return;
  }
  qn_graph_tensor a = *x, b = *y; /* batch dimensions */
  a.shape.rank -= 2;
  b.shape.rank -= 2;
  qn_graph_shape shape;
  if (!qn_graph_broadcast(op, &a, &b, &shape)) return;
  shape.dims[shape.rank++] = of_x[0];
  shape.dims[shape.rank++] = of_y[1];
  qn_value *operands[] = {qn_graph_value(op, x), qn_graph_value(op, y)};
  if (sums) {
    operands[0] = as_numbers(op, x, operands[0]);
    operands[1] = as_numbers(op, y, operands[1]);
  }
  qn_graph_attrs attrs = {0};
  if (adj_x) qn_graph_attr(&attrs, "transpose_x", qn_attr_bool(op->graph->cx, true));
  if (adj_y) qn_graph_attr(&attrs, "transpose_y", qn_attr_bool(op->graph->cx, true));
  if (operands[0] && operands[1]) qn_graph_build(op, QN_OP_ML_MATMUL, operands, 2, &attrs, &shape);
}

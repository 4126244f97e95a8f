/* Tensors: their tables, shapes and data.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/batch.h"
#include "import/tflite/tflite.h"

/* Element types, as numbered in the file. */
static const uint8_t dtypes[] = {
    QN_GRAPH_FLOAT32, QN_GRAPH_FLOAT16,    QN_GRAPH_INT32,  QN_GRAPH_UINT8,     QN_GRAPH_INT64,
    QN_GRAPH_STRING,  QN_GRAPH_BOOL,       QN_GRAPH_INT16,  QN_GRAPH_COMPLEX64, QN_GRAPH_INT8,
    QN_GRAPH_FLOAT64, QN_GRAPH_COMPLEX128, QN_GRAPH_UINT64, QN_GRAPH_RESOURCE,  QN_GRAPH_VARIANT,
    QN_GRAPH_UINT32,  QN_GRAPH_UINT16,     QN_GRAPH_INT4,   QN_GRAPH_BFLOAT16,  QN_GRAPH_INT2};

static qn_fb_table table_of(const qn_graph *graph, const qn_graph_tensor *tensor) {
  return (qn_fb_table){qn_tflite_of(graph)->file, tensor->at, QN_FB_TENSOR};
}

void qn_tflite_describe(qn_graph_tensor *tensor, qn_fb_table table) {
  qn_fb_table quantization = qn_fb_child(table, QN_FB_TENSOR_QUANTIZATION);
  int64_t dtype = qn_fb_int(table, QN_FB_TENSOR_TYPE);
  tensor->at = table.at;
  tensor->name = qn_fb_string(table, QN_FB_TENSOR_NAME);
  tensor->stored_dtype = dtype < (int64_t)QN_COUNT(dtypes) ? dtypes[dtype] : QN_GRAPH_UNKNOWN;
  tensor->quantization = (qn_graph_quantization){
      .scales = qn_tflite_list(quantization, QN_FB_QUANTIZATION_SCALE),
      .zero_points = qn_tflite_list(quantization, QN_FB_QUANTIZATION_ZERO_POINT),
      .axis = qn_fb_int(quantization, QN_FB_QUANTIZATION_QUANTIZED_DIMENSION),
      .is_custom = qn_fb_int(quantization, QN_FB_QUANTIZATION_DETAILS_TYPE) != 0};
}

/* With rebatch: the shape as written in the file. */
static const qn_graph_shape *keep_stored(qn_graph *graph, qn_fb_vector shape) {
  if (!graph->options->rebatch) return NULL;
  qn_graph_shape *stored = QN_NEW(&graph->arena, qn_graph_shape);
  stored->rank = shape.count;
  for (uint32_t i = 0; i < shape.count; i++) stored->dims[i] = qn_fb_i32_at(shape, i);
  return stored;
}

/* Reads shape and signature; an unknown dimension of a model input is bound to the batch. */
static bool load_shape(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor) {
  qn_fb_table table = table_of(graph, tensor);
  qn_fb_vector shape = qn_fb_vector_of(table, QN_FB_TENSOR_SHAPE);
  qn_fb_vector signature = qn_fb_vector_of(table, QN_FB_TENSOR_SHAPE_SIGNATURE);
  if (shape.count > QN_GRAPH_MAX_RANK) {
    qn_graph_problem(graph, op, tensor, QN_LIMIT, "rank %u is above the limit of %d", shape.count,
                     QN_GRAPH_MAX_RANK);
    return false;
  }
  bool has_signature = signature.count == shape.count;
  tensor->shape.rank = shape.count;
  tensor->stored = keep_stored(graph, shape);
  tensor->is_optional_shape = shape.count == 0;
  for (uint32_t i = 0; i < shape.count; i++) {
    bool unknown = has_signature && qn_fb_i32_at(signature, i) == -1;
    tensor->shape.dims[i] = qn_graph_bind(graph, tensor, i, qn_fb_i32_at(shape, i), unknown);
  }
  return qn_graph_check_size_at(graph, op, tensor, &tensor->shape);
}

bool qn_tflite_is_fixed_input(const qn_graph *graph, const qn_graph_tensor *tensor) {
  return qn_graph_is_index(tensor->stored_dtype) &&
         qn_tflite_buffer(graph, table_of(graph, tensor)).bytes.size > 0;
}

static bool load_data(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor) {
  if (tensor->is_input) return true; /* not a state then */
  qn_outside buffer = qn_tflite_buffer(graph, table_of(graph, tensor));
  if (buffer.problem) {
    qn_graph_problem(graph, op, tensor, QN_INVALID, "its data, %llu bytes from byte %llu on, %s",
                     (unsigned long long)buffer.count, (unsigned long long)buffer.at,
                     buffer.problem);
    return false;
  }
  tensor->data = buffer.bytes;
  bool is_spent = graph->work < 0;
  const char *problem = tensor->writer < 0 ? qn_graph_unpack(graph, tensor) : NULL;
  qn_status status = graph->work < 0 && !is_spent ? QN_LIMIT : QN_INVALID;
  if (problem) qn_graph_problem(graph, op, tensor, status, "%s", problem);
  return !problem;
}

bool qn_tflite_load(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor) {
  qn_fb_table table = table_of(graph, tensor);
  tensor->dtype = tensor->stored_dtype;
  tensor->is_state = qn_fb_int(table, QN_FB_TENSOR_IS_VARIABLE) != 0;
  bool good = load_shape(graph, op, tensor) && load_data(graph, op, tensor);
  if (tensor->is_state && (tensor->is_input || tensor->data.size)) {
    qn_graph_problem(graph, op, tensor, QN_INVALID,
                     "a variable tensor is neither an input nor a constant");
    good = false;
  }
  if (qn_fb_has(table, QN_FB_TENSOR_SPARSITY)) {
    qn_graph_problem(graph, op, tensor, QN_UNSUPPORTED, "sparse tensors are not supported");
    good = false;
  }
  if (tensor->dtype == QN_GRAPH_INT4 && !graph->profile->all_weights) {
    qn_graph_problem(graph, op, tensor, QN_UNSUPPORTED,
                     "the profile has no rule for elements of less than 8 bits");
    good = false;
  }
  return good;
}

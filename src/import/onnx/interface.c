/* Types of the file that are others inside. float16 is float32 inside: a cast to it rounds, and so
 * does an output of the model; operators between float16 tensors do not. Integers of fewer than 8
 * bits have a byte each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"
#include "ir/ops/forms.h"

int64_t qn_onnx_stated_type(qn_graph *graph, const qn_graph_tensor *tensor) {
  const qn_pb_message *type = qn_onnx_extra(graph, tensor)->type;
  const qn_pb_message *of = qn_pb_child(type, QN_PB_TYPE_TENSOR_TYPE);
  return of ? qn_pb_int(of, QN_PB_TENSOR_TYPE_ELEM_TYPE) : 0;
}

static qn_value *cast(qn_graph_op *op, qn_value *x, const qn_type *element) {
  const qn_graph_shape shape = qn_graph_shape_of(x);
  return qn_graph_part(op, QN_OP_ML_CAST, element, &shape, &x, 1, NULL);
}

/* Bytes outside of the range of `bits` become its ends. */
static qn_value *clamped(qn_graph_op *op, qn_value *x, uint32_t bits, bool is_signed) {
  const qn_graph_shape shape = qn_graph_shape_of(x);
  const qn_type *element = qn_type_element(x->type);
  int64_t ends[2];
  qn_storage_range(bits, is_signed, &ends[0], &ends[1]);
  for (uint32_t i = 0; i < 2; i++) {
    qn_value *end = qn_graph_const_number(op, element, ends[i]);
    x = qn_graph_part(op, i ? QN_OP_ML_MINIMUM : QN_OP_ML_MAXIMUM, element, &shape,
                      (qn_value *[]){x, end}, 2, NULL);
  }
  return x;
}

void qn_onnx_open_inputs(qn_onnx *im) {
  qn_graph *graph = &im->graph;
  for (uint32_t i = 0; i < graph->inputs.count; i++) {
    qn_graph_tensor *tensor = &graph->tensors[qn_graph_number(graph->inputs, i)];
    qn_graph_op op = {
        .graph = graph, .frame = graph->frame, .name = qn_str_of("input"), .is_interface = true};
    const uint32_t bits = qn_onnx_extra(graph, tensor)->bits;
    if (!tensor->value || graph->options->keep_unsupported) continue;
    if (tensor->dtype == QN_GRAPH_FLOAT16) {
      tensor->value = cast(&op, tensor->value, qn_onnx_f32(graph));
      tensor->dtype = QN_GRAPH_FLOAT32;
    }
    if (bits) tensor->value = clamped(&op, tensor->value, bits, tensor->dtype == QN_GRAPH_INT8);
  }
}

qn_value *qn_onnx_for_interface(qn_graph_op *op, const qn_graph_tensor *tensor, qn_value *value) {
  const bool is_half = qn_onnx_stated_type(op->graph, tensor) == QN_ONNX_FLOAT16;
  if (!value || !is_half || tensor->dtype != QN_GRAPH_FLOAT32) return value;
  return cast(op, value, qn_type_float(op->graph->cx, QN_F16));
}

/* ---- float16 results ---- */

bool qn_onnx_is_half(const qn_graph_tensor *x) {
  return x->stored_dtype == QN_ONNX_FLOAT16 && x->dtype == QN_GRAPH_FLOAT32;
}

static bool reads_half(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++)
    if (qn_graph_has_input(op, i) &&
        qn_onnx_is_half(&op->graph->tensors[qn_graph_number(op->inputs, i)]))
      return true;
  return false;
}

void qn_onnx_note_halves(qn_graph_op *op) {
  if (op->failed || op->row->kind == QN_OP_ML_CAST || !reads_half(op)) return;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    if (qn_graph_number(op->outputs, i) < 0) continue;
    qn_graph_tensor *y = qn_graph_output(op, i);
    if (y && y->dtype == QN_GRAPH_FLOAT32) y->stored_dtype = QN_ONNX_FLOAT16;
  }
}

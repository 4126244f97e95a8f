/* Operators of two operands, with numpy's broadcasting.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

/* A constant scalar c as stored value 1, -1 or 0 with scale |c| (1 if c is 0), so that it is exact.
 */
static qn_value *quantized_number(qn_graph_op *op, qn_graph_tensor *tensor, uint32_t rank) {
  qn_graph_list list = {tensor->data.data, 1, QN_GRAPH_FLOAT32};
  const double value = qn_graph_real_at(list, 0);
  if (!isfinite(value)) return NULL;
  const double scale = value == 0 ? 1 : fabs(value);
  const int64_t zero = 0;
  const int8_t stored = (int8_t)((value > 0) - (value < 0));
  const qn_type *element = qn_onnx_uniform(op->graph, QN_GRAPH_INT8, 0, -1, 1, &scale, &zero);
  qn_graph_shape shape = {.rank = rank};
  for (uint32_t i = 0; i < rank; i++) shape.dims[i] = 1;
  return qn_graph_const(op, element, &shape, &stored);
}

static bool is_number(qn_graph_op *op, qn_onnx_source source) {
  return !source.element && qn_onnx_is_constant(op, source.tensor) &&
         qn_graph_elements(&source.tensor->shape) == 1;
}

/* Whether both are quantized, or one is and the other is constant. */
static bool is_exact(qn_graph_op *op, const qn_onnx_source s[2]) {
  bool any = s[0].element || s[1].element;
  return any && qn_onnx_is_exact(op, s[0]) && qn_onnx_is_exact(op, s[1]);
}

/* NHWC if an operand is an image in that layout and the other one an image or a scalar; else the
 * file's layout. */
static qn_onnx_layout layout_of(qn_graph_op *op, const qn_onnx_source s[2]) {
  bool any = false;
  for (uint32_t i = 0; i < 2; i++) {
    const qn_graph_tensor *t = s[i].tensor;
    if (t->shape.rank != 4 && qn_graph_elements(&t->shape) != 1) return QN_ONNX_PLAIN;
    any |= t->shape.rank == 4 && qn_onnx_layout_of(op, t) == QN_ONNX_NHWC;
  }
  return any ? QN_ONNX_NHWC : QN_ONNX_PLAIN;
}

static qn_value *operand(qn_graph_op *op, qn_onnx_source s, uint32_t i, bool exact,
                         qn_onnx_layout layout) {
  qn_onnx_layout own = s.tensor->shape.rank == 4 ? layout : QN_ONNX_PLAIN;
  if (!exact) s = (qn_onnx_source){qn_graph_input(op, i), NULL};
  qn_value *number =
      exact && is_number(op, s) ? quantized_number(op, s.tensor, s.tensor->shape.rank) : NULL;
  return number ? number : qn_onnx_source_value(op, s, own);
}

static void import_pair(qn_graph_op *op, const qn_onnx_source s[2], const qn_type *result,
                        uint8_t dtype) {
  qn_graph_shape shape;
  if (!qn_graph_broadcast(op, s[0].tensor, s[1].tensor, &shape)) return;
  const bool exact = is_exact(op, s);
  qn_onnx_layout layout = shape.rank == 4 ? layout_of(op, s) : QN_ONNX_PLAIN;
  qn_onnx_recipe r = {.kind = op->row->kind,
                      .is_exact = exact,
                      .in_doubles = exact && qn_onnx_node_of(op)->row->takes_steps,
                      .layout = layout,
                      .shape = qn_onnx_shape_in(&shape, layout),
                      .count = 2};
  for (uint32_t i = 0; i < 2; i++) {
    r.activations[i] = s[i].tensor;
    r.operands[i] = operand(op, s[i], i, exact, layout);
    if (!r.operands[i]) {
      op->failed = true;
      return;
    }
  }
  if (result)
    qn_onnx_make(op, qn_graph_output(op, 0), dtype, &shape, &r, result);
  else
    qn_onnx_leave(op, qn_graph_output(op, 0), dtype, &shape, &r);
}

/* Not float32: integers as they are, float64 as float64. */
static void import_plain(qn_graph_op *op, uint8_t dtype) {
  const bool is_whole = qn_onnx_is_whole(dtype);
  if (!is_whole && dtype != QN_GRAPH_FLOAT64) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(dtype));
    return;
  }
  qn_value *x[2];
  for (uint32_t i = 0; i < 2; i++) {
    x[i] = qn_onnx_value(op, qn_graph_input(op, i));
    if (!x[i]) return;
  }
  const qn_op_kind kind = op->row->kind;
  qn_onnx_give(op, 0, dtype,
               is_whole ? qn_onnx_whole_binary(op, kind, x[0], x[1], dtype)
                        : qn_onnx_binary(op, kind, x[0], x[1]));
}

/* Powers of a type by another one, as reals. */
static void import_mixed_power(qn_graph_op *op) {
  const uint8_t dtype = qn_graph_input(op, 0)->dtype;
  qn_value *x[2];
  for (uint32_t i = 0; i < 2; i++) {
    qn_graph_tensor *tensor = qn_graph_input(op, i);
    const qn_onnx_source source = qn_onnx_source_of(op, i);
    if (source.element)
      x[i] = qn_onnx_real(op, i);
    else
      x[i] = qn_onnx_converted(op, qn_onnx_value(op, tensor), tensor->dtype, QN_GRAPH_FLOAT64);
    if (!x[i]) return;
  }
  qn_value *y = qn_onnx_binary(op, QN_OP_ML_POW, x[0], x[1]);
  if (qn_onnx_is_whole(dtype)) y = qn_onnx_converted(op, y, QN_GRAPH_FLOAT64, dtype);
  qn_onnx_give(op, 0, dtype, y);
}

void qn_onnx_import_binary(qn_graph_op *op) {
  qn_onnx_source s[2];
  for (uint32_t i = 0; i < 2; i++) s[i] = qn_onnx_source_of(op, i);
  if (op->failed) return;
  const qn_graph_tensor *a = qn_graph_input(op, 0), *b = qn_graph_input(op, 1);
  if (a->dtype != b->dtype && op->row->kind == QN_OP_ML_POW) {
    import_mixed_power(op);
    return;
  }
  if (a->dtype != b->dtype) {
    qn_graph_error(op, b, QN_UNSUPPORTED, "%s with %s in one operator is not supported",
                   qn_graph_dtype_name(a->dtype), qn_graph_dtype_name(b->dtype));
    return;
  }
  if (a->dtype == QN_GRAPH_FLOAT32)
    import_pair(op, s, NULL, a->dtype);
  else
    import_plain(op, a->dtype);
}

/* Max and Min. Two float operands may form a unit with a QuantizeLinear (value.h); any other number
 * or type of operands is imported by qn_onnx_import_variadic. */
void qn_onnx_import_minmax(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed) return;
  if (op->inputs.count == 2 && x->dtype == QN_GRAPH_FLOAT32)
    qn_onnx_import_binary(op);
  else
    qn_onnx_import_variadic(op);
}

/* QLinearAdd and QLinearMul. Operands: A, scale of A, zero point of A, the same three of B, scale
 * and zero point of the result. */
void qn_onnx_import_qlinear_binary(qn_graph_op *op) {
  qn_onnx_source s[2];
  uint8_t dtype;
  if (!qn_onnx_quantized_operand(op, 0, 0, &s[0]) || !qn_onnx_quantized_operand(op, 3, 0, &s[1]))
    return;
  const qn_type *result = qn_onnx_quantized_result(op, 6, s[0].tensor->dtype, &dtype);
  if (result) import_pair(op, s, result, dtype);
}

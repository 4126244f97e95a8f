/* Builds operators whose real result is rounded only once, although their computation has several
 * steps: all steps are computed in f64, and the last one rounds to the requested element type. Sums
 * add products of two f32 numbers, which are exact in f64, in the order of the weights, and add the
 * bias last.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"
#include "ir/ops/forms.h"

static const qn_type *f32_of(const qn_graph_op *op) { return qn_type_float(op->graph->cx, QN_F32); }
static const qn_type *f64_of(const qn_graph_op *op) { return qn_type_float(op->graph->cx, QN_F64); }

static qn_value *part(qn_graph_op *op, qn_op_kind kind, const qn_type *element, qn_value *a,
                      qn_value *b) {
  const qn_graph_shape shape = qn_graph_shape_of(a);
  return qn_graph_part(op, kind, element, &shape, (qn_value *[]){a, b}, b ? 2 : 1, NULL);
}

qn_value *qn_onnx_double(qn_graph_op *op, double value) {
  const qn_graph_shape none = {0};
  return qn_graph_const(op, f64_of(op), &none, &value);
}

static bool is_16_bit(const qn_type *element) {
  return element->kind == QN_TYPE_QUANT_UNIFORM && element->uniform.storage->integer.width == 16;
}

bool qn_onnx_wants_doubles(const qn_onnx_recipe *r, const qn_type *element) {
  const qn_type *x = qn_type_element(r->operands[0]->type);
  if (r->in_doubles) return true;
  if (r->is_exact && r->count == 2 && !r->is_layer) /* then one operand may be a float constant */
    return x->kind == QN_TYPE_FLOAT || qn_type_element(r->operands[1]->type)->kind == QN_TYPE_FLOAT;
  if (r->is_exact) return r->is_function && (is_16_bit(x) || is_16_bit(element));
  return qn_type_is_float(x, QN_F32) && qn_type_is_float(element, QN_F32) && r->takes_steps;
}

/* The quantized type `element` with scale 1. */
static const qn_type *unscaled(qn_graph_op *op, const qn_type *element) {
  const double one = 1;
  qn_quant_uniform u = element->uniform;
  QN_ASSERT(u.scheme == QN_PER_LAYER && u.storage->integer.width <= 16);
  u.scales = &one;
  return qn_type_uniform(op->graph->cx, &u);
}

static qn_value *as_stored(qn_graph_op *op, qn_value *x, const qn_type *element) {
  x = part(op, QN_OP_QUANT_SCAST, element->uniform.storage, x, NULL);
  return part(op, QN_OP_QUANT_SCAST, element, x, NULL);
}

qn_value *qn_onnx_to_doubles(qn_graph_op *op, qn_value *x) {
  const qn_type *element = qn_type_element(x->type), *f64 = f64_of(op);
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return part(op, QN_OP_ML_CAST, f64, x, NULL);
  const double scale = element->uniform.scales[0];
  /* the stored value minus the zero point is exact in f32 */
  x = as_stored(op, x, unscaled(op, element));
  x = part(op, QN_OP_QUANT_DCAST, f32_of(op), x, NULL);
  x = part(op, QN_OP_ML_CAST, f64, x, NULL);
  return part(op, QN_OP_ML_MUL, f64, x, qn_onnx_double(op, scale));
}

static qn_value *from_doubles(qn_graph_op *op, qn_value *x, const qn_type *element) {
  const qn_type *f32 = f32_of(op), *f64 = f64_of(op);
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return part(op, QN_OP_ML_CAST, element, x, NULL);
  const qn_quant_uniform *q = &element->uniform;
  x = part(op, QN_OP_ML_REAL_DIV, f64, x, qn_onnx_double(op, q->scales[0]));
  x = part(op, QN_OP_ML_ROUND, f64, x, NULL);
  x = part(op, QN_OP_ML_MAXIMUM, f64, x, qn_onnx_double(op, (double)(q->min - q->zero_points[0])));
  x = part(op, QN_OP_ML_MINIMUM, f64, x, qn_onnx_double(op, (double)(q->max - q->zero_points[0])));
  /* the values are integers that f32 represents exactly */
  x = part(op, QN_OP_ML_CAST, f32, x, NULL);
  return as_stored(op, part(op, QN_OP_QUANT_QCAST, unscaled(op, element), x, NULL), element);
}

/* Marks the op as not fused, because onnxruntime rounds intermediate results of such an
 * operator. */
qn_value *qn_onnx_from_doubles(qn_graph_op *op, qn_value *x, const qn_type *element) {
  x = from_doubles(op, x, element);
  qn_onnx_note_unfused(op->graph, x->op);
  return x;
}

qn_value *qn_onnx_in_doubles(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_value *operands[QN_ONNX_MOST_OPERANDS];
  for (uint32_t i = 0; i < r->count; i++) operands[i] = qn_onnx_to_doubles(op, r->operands[i]);
  const qn_type *type = qn_graph_shaped(op->graph, f64_of(op), &r->shape);
  const bool has_bias = r->is_layer && r->count == 3;
  qn_op *built =
      qn_build(&op->graph->builder, (qn_op_state){.kind = r->kind,
                                                  .loc = r->loc,
                                                  .operands = operands,
                                                  .operand_count = has_bias ? 2 : r->count,
                                                  .result_types = &type,
                                                  .result_count = 1,
                                                  .attrs = r->attrs.items,
                                                  .attr_count = r->attrs.count});
  qn_value *y = qn_op_result(built, 0);
  if (has_bias) y = part(op, QN_OP_ML_ADD, f64_of(op), y, operands[2]);
  return qn_onnx_from_doubles(op, y, element);
}

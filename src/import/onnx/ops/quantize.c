/* QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"
#include "ir/ops/forms.h"

static const int64_t default_axis = 1;

static qn_graph_tensor *optional(qn_graph_op *op, uint32_t i) {
  return qn_graph_has_input(op, i) ? qn_graph_input(op, i) : NULL;
}

void qn_onnx_import_quantize(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *scale = qn_graph_input(op, 1);
  qn_graph_tensor *zero = optional(op, 2), *y = qn_graph_output(op, 0);
  int64_t axis = qn_onnx_int(op, "axis", default_axis);
  int64_t type = qn_onnx_int(op, "output_dtype", 0);
  if (op->failed) return;
  uint8_t bits = zero ? qn_onnx_extra(op->graph, zero)->bits : 0;
  uint8_t dtype = zero ? zero->dtype : type ? qn_onnx_dtype(type) : QN_GRAPH_UINT8;
  if (zero && type && zero->stored_dtype != type) {
    qn_graph_error(op, zero, QN_INVALID, "a zero point of type %s where output_dtype is %s",
                   qn_onnx_type_name(zero->stored_dtype), qn_onnx_type_name(type));
    return;
  }
  if (qn_onnx_int(op, "block_size", 0) != 0) {
    qn_graph_error(op, scale, QN_UNSUPPORTED, "blocks of scales are not supported here");
    return;
  }
  if (!qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32)) return;
  const qn_type *element = qn_onnx_parameters(op, dtype, bits, scale, zero, axis, &x->shape);
  if (!element) return;
  qn_onnx_layout layout = qn_onnx_layout_of(op, x);
  if (element->uniform.scheme != QN_PER_LAYER) layout = QN_ONNX_PLAIN;
  qn_onnx_extra(op->graph, y)->bits = bits;
  y->dtype = dtype; /* the fusion of units depends on it (fuse.c) */
  qn_onnx_define(op, y, dtype, &x->shape, qn_onnx_value_as(op, x, element, layout), layout);
}

/* Dequantizes constant weights that have a scale per block of `block` elements along an axis, to a
 * float constant. Each product of integer and scale is rounded once. */
static void dequantize_blocks(qn_graph_op *op, qn_graph_tensor *x, qn_graph_tensor *scale,
                              qn_graph_tensor *zero, int64_t axis, int64_t block) {
  qn_graph_tensor *y = qn_graph_output(op, 0);
  uint32_t at;
  if (!qn_graph_axis(op, axis, x->shape.rank, &at)) return;
  if (!qn_onnx_is_constant(op, x) || !qn_onnx_is_constant(op, scale) ||
      (zero && !qn_onnx_is_constant(op, zero)) || scale->dtype != QN_GRAPH_FLOAT32) {
    qn_graph_error(op, x, QN_UNSUPPORTED,
                   "blocks of scales are supported of constants with float32 scales alone");
    return;
  }
  if (!qn_onnx_is_stored(op, x, x->dtype)) return;
  qn_graph_shape blocks = x->shape;
  if (block < 1 || block > INT32_MAX) {
    qn_graph_error(op, NULL, QN_INVALID, "blocks of %lld elements", (long long)block);
    return;
  }
  blocks.dims[at] = (x->shape.dims[at] + block - 1) / block;
  if (!qn_graph_same_shape(&blocks, &scale->shape) ||
      (zero && !qn_graph_same_shape(&blocks, &zero->shape)) ||
      (zero && zero->stored_dtype != x->stored_dtype)) {
    qn_graph_error(op, scale, QN_INVALID,
                   "scales and zero points are not one per block of %lld elements",
                   (long long)block);
    return;
  }
  int64_t count = qn_graph_elements(&x->shape), inner = 1;
  if (!qn_graph_spend(op, 8 * count)) return;
  for (uint32_t d = at + 1; d < x->shape.rank; d++) inner *= x->shape.dims[d];
  float *out = qn_arena_alloc(&op->graph->cx->arena, (size_t)count * sizeof *out);
  qn_graph_list elements = {x->data.data, (uint32_t)count, x->dtype};
  qn_graph_list scales = {scale->data.data, (uint32_t)qn_graph_elements(&blocks), QN_GRAPH_FLOAT32};
  for (int64_t i = 0; i < count; i++) {
    int64_t along = i / inner % x->shape.dims[at], outer = i / inner / x->shape.dims[at];
    uint32_t b = (uint32_t)((outer * blocks.dims[at] + along / block) * inner + i % inner);
    qn_graph_list zeros = {zero ? zero->data.data : NULL, scales.count, x->dtype};
    int64_t stored =
        qn_graph_int_at(elements, (uint32_t)i) - (zero ? qn_graph_int_at(zeros, b) : 0);
    out[i] = (float)stored * (float)qn_graph_real_at(scales, b);
  }
  y->loaded = true;
  y->dtype = y->stored_dtype = QN_GRAPH_FLOAT32;
  y->shape = x->shape;
  y->data = (qn_bytes){(const uint8_t *)out, (size_t)count * sizeof *out};
  y->writer = -1; /* no operator writes it, as for a constant in the file */
  qn_onnx_extra(op->graph, y)->is_dequantized = true;
}

void qn_onnx_import_dequantize(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *scale = qn_graph_input(op, 1);
  qn_graph_tensor *zero = optional(op, 2), *y = qn_graph_output(op, 0);
  int64_t axis = qn_onnx_int(op, "axis", default_axis), block = qn_onnx_int(op, "block_size", 0);
  if (op->failed) return;
  if (block != 0) {
    dequantize_blocks(op, x, scale, zero, axis, block);
    return;
  }
  const qn_type *element = qn_onnx_parameters(op, x->dtype, qn_onnx_extra(op->graph, x)->bits,
                                              scale, zero, axis, &x->shape);
  if (!element) return;
  if (x->dtype == QN_GRAPH_INT32)
    for (uint32_t i = 0; i < element->uniform.count; i++)
      if (element->uniform.zero_points[i] != 0) {
        qn_graph_error(op, zero, QN_INVALID, "int32 with a zero point that is not 0");
        return;
      }
  qn_onnx_form *form = QN_NEW(&op->graph->arena, qn_onnx_form);
  form->dequantized = (qn_onnx_source){x, element};
  qn_onnx_extra(op->graph, y)->form = form;
  y->loaded = true;
  y->dtype = QN_GRAPH_FLOAT32;
  y->shape = x->shape;
}

/* ---- DynamicQuantizeLinear ---- */

static qn_value *scalar(qn_graph_op *op, float value) {
  const qn_graph_shape none = {0};
  return qn_graph_const(op, qn_onnx_f32(op->graph), &none, &value);
}

static qn_value *pair(qn_graph_op *op, qn_op_kind kind, const qn_graph_shape *shape, qn_value *a,
                      qn_value *b) {
  return qn_graph_part(op, kind, qn_onnx_f32(op->graph), shape, (qn_value *[]){a, b}, 2, NULL);
}

static qn_value *round_even(qn_graph_op *op, const qn_graph_shape *shape, qn_value *x) {
  return qn_graph_part(op, QN_OP_ML_ROUND, qn_onnx_f32(op->graph), shape, &x, 1, NULL);
}

static qn_value *clamp_byte(qn_graph_op *op, const qn_graph_shape *shape, qn_value *x) {
  x = pair(op, QN_OP_ML_MAXIMUM, shape, x, scalar(op, 0));
  return pair(op, QN_OP_ML_MINIMUM, shape, x, scalar(op, 255));
}

/* The minimum of all elements of x and 0, or the maximum of both, as a scalar. */
static qn_value *extreme(qn_graph_op *op, qn_value *x, qn_op_kind reduce, qn_op_kind with_zero) {
  const qn_graph_shape none = {0};
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t rank = x->type->shaped.rank;
  for (uint32_t i = 0; i < rank; i++) axes[i] = i;
  qn_ir_context *cx = op->graph->cx;
  if (rank > 0)
    x = qn_graph_part(
        op, reduce, qn_onnx_f32(op->graph), &none, &x, 1,
        QN_ATTRS({"axes", qn_attr_i64s(cx, axes, rank)}, {"keep_dims", qn_attr_bool(cx, false)}));
  return pair(op, with_zero, &none, x, scalar(op, 0));
}

void qn_onnx_import_dynamic_quantize(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  const qn_graph_shape none = {0};
  qn_graph *graph = op->graph;
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32)) return;
  if (!qn_graph_has_elements(op, x)) return;
  if (op->outputs.count != 3) {
    qn_graph_error(op, x, QN_INVALID, "%u results; 3 expected", op->outputs.count);
    return;
  }
  qn_onnx_layout layout = qn_onnx_layout_of(op, x);
  qn_value *v = qn_onnx_value_in(op, x, layout);
  if (!v) return;
  qn_graph_shape shape = qn_graph_shape_of(v);
  qn_value *high = extreme(op, v, QN_OP_ML_REDUCE_MAX, QN_OP_ML_MAXIMUM);
  qn_value *low = extreme(op, v, QN_OP_ML_REDUCE_MIN, QN_OP_ML_MINIMUM);
  qn_value *range = pair(op, QN_OP_ML_SUB, &none, high, low);
  qn_value *empty = qn_graph_part(op, QN_OP_ML_EQUAL, qn_type_i(graph->cx, 1), &none,
                                  (qn_value *[]){range, scalar(op, 0)}, 2, NULL);
  qn_value *scale = pair(op, QN_OP_ML_REAL_DIV, &none, range, scalar(op, 255));
  scale = qn_graph_part(op, QN_OP_ML_SELECT, qn_onnx_f32(graph), &none,
                        (qn_value *[]){empty, scalar(op, 1.0F / 255), scale}, 3, NULL);
  qn_value *zero = pair(op, QN_OP_ML_REAL_DIV, &none, low, scale);
  zero = clamp_byte(op, &none, pair(op, QN_OP_ML_SUB, &none, scalar(op, 0), zero));
  zero = round_even(op, &none, zero);
  qn_value *y = round_even(op, &shape, pair(op, QN_OP_ML_REAL_DIV, &shape, v, scale));
  y = clamp_byte(op, &shape, pair(op, QN_OP_ML_ADD, &shape, y, zero));
  const qn_type *u8 = qn_type_integer(graph->cx, 8, QN_UNSIGNED);
  y = qn_graph_part(op, QN_OP_ML_CAST, u8, &shape, &y, 1, NULL);
  zero = qn_graph_part(op, QN_OP_ML_CAST, u8, &none, &zero, 1, NULL);
  qn_onnx_define(op, qn_graph_output(op, 0), QN_GRAPH_UINT8, &x->shape, y, layout);
  qn_onnx_define(op, qn_graph_output(op, 1), QN_GRAPH_FLOAT32, &none, scale, QN_ONNX_PLAIN);
  qn_onnx_define(op, qn_graph_output(op, 2), QN_GRAPH_UINT8, &none, zero, QN_ONNX_PLAIN);
}

/* Pools of images, and softmax and normalization of rows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/parts.h"
#include "import/onnx/ops/windows.h"
#include "ir/ops/forms.h"

/* ---- pools ---- */

static bool place(qn_graph_op *op, const qn_graph_tensor *x, qn_onnx_recipe *r,
                  qn_graph_shape *out_shape) {
  qn_graph_window w;
  if (!qn_onnx_is_image(op, x) || !qn_onnx_pool_window(op, x, &w)) return false;
  if (w.dilation[0] != 1 || w.dilation[1] != 1)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "dilated pools are not supported");
  bool padded = w.pad[0] || w.pad[1] || w.pad[2] || w.pad[3];
  if (op->row->kind == QN_OP_ML_AVG_POOL && padded && qn_onnx_int(op, "count_include_pad", 0))
    return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                          "averages that count padding are not supported");
  *r = (qn_onnx_recipe){
      .kind = op->row->kind, .layout = QN_ONNX_NHWC, .through_layout = QN_ONNX_NHWC};
  qn_graph_attr_i64s(op, &r->attrs, "kernel_sizes", w.kernel, 2);
  qn_graph_attr_i64s(op, &r->attrs, "strides", w.stride, 2);
  qn_graph_attr_i64s(op, &r->attrs, "pad", w.pad, 4);
  *out_shape = (qn_graph_shape){4, {x->shape.dims[0], x->shape.dims[1], w.out[0], w.out[1]}};
  r->shape = qn_onnx_shape_in(out_shape, QN_ONNX_NHWC);
  return !op->failed;
}

void qn_onnx_import_pool(qn_graph_op *op) {
  qn_onnx_source x = qn_onnx_source_of(op, 0);
  qn_onnx_recipe r;
  qn_graph_shape shape;
  if (op->failed) return;
  if (qn_onnx_is_general_pool(op)) {
    qn_onnx_build_general_pool(op);
    return;
  }
  if (!place(op, x.tensor, &r, &shape)) return;
  if (r.kind == QN_OP_ML_MAX_POOL) {
    qn_graph_tensor **through = QN_NEW_ARRAY(&op->graph->arena, 1, qn_graph_tensor *);
    through[0] = qn_graph_input(op, 0);
    r.through = through;
    r.through_count = 1;
    qn_onnx_pass(op, qn_graph_output(op, 0), &shape, &r);
    return;
  }
  r.is_exact = x.element != NULL;
  r.activations[0] = x.tensor;
  r.count = 1;
  r.operands[0] = qn_onnx_source_value(op, x, QN_ONNX_NHWC);
  if (r.operands[0]) qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &shape, &r);
}

static void over_image(qn_graph_op *op, const qn_graph_tensor *x, qn_onnx_recipe *r,
                       qn_graph_shape *out_shape) {
  static const int64_t axes[] = {1, 2};
  *r = (qn_onnx_recipe){.kind = QN_OP_ML_REDUCE_MEAN, .layout = QN_ONNX_NHWC, .count = 1};
  qn_graph_attr_i64s(op, &r->attrs, "axes", axes, 2);
  qn_graph_attr(&r->attrs, "keep_dims", qn_attr_bool(op->graph->cx, true));
  *out_shape = (qn_graph_shape){4, {x->shape.dims[0], x->shape.dims[1], 1, 1}};
  r->shape = qn_onnx_shape_in(out_shape, QN_ONNX_NHWC);
}

void qn_onnx_import_global_pool(qn_graph_op *op) {
  qn_onnx_source x = qn_onnx_source_of(op, 0);
  qn_onnx_recipe r;
  qn_graph_shape shape;
  if (!op->failed && x.tensor->shape.rank != 4) {
    qn_onnx_build_global_pool(op, QN_OP_ML_REDUCE_MEAN);
    return;
  }
  if (op->failed || !qn_onnx_is_image(op, x.tensor)) return;
  over_image(op, x.tensor, &r, &shape);
  r.is_exact = x.element != NULL;
  r.activations[0] = x.tensor;
  r.operands[0] = qn_onnx_source_value(op, x, QN_ONNX_NHWC);
  if (r.operands[0]) qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &shape, &r);
}

void qn_onnx_import_qlinear_pool(qn_graph_op *op) {
  qn_onnx_source x;
  qn_onnx_recipe r;
  qn_graph_shape shape;
  uint8_t dtype;
  if (!qn_onnx_quantized_operand(op, 0, 0, &x)) return;
  const qn_type *result = qn_onnx_quantized_result(op, 3, x.tensor->dtype, &dtype);
  if (!result || !qn_onnx_is_image(op, x.tensor)) return;
  if (qn_onnx_int(op, "channels_last", 0)) {
    qn_graph_error(
        op, x.tensor, QN_UNSUPPORTED,
        "channels_last occurs in files of optimized sessions only: export the model again");
    return;
  }
  if (op->row->kind == QN_OP_ML_REDUCE_MEAN)
    over_image(op, x.tensor, &r, &shape);
  else if (!place(op, x.tensor, &r, &shape))
    return;
  r.count = 1;
  r.operands[0] = qn_onnx_source_value(op, x, QN_ONNX_NHWC);
  if (r.operands[0]) qn_onnx_make(op, qn_graph_output(op, 0), dtype, &shape, &r, result);
}

/* ---- softmax ---- */

/* Softmax along the last dimension of a view [.., row], viewed as the shape of the result. */
static qn_value *build_rows(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_onnx_recipe rows = *r;
  rows.build = NULL;
  rows.kind = QN_OP_ML_SOFTMAX;
  rows.shape = qn_graph_shape_of(r->operands[0]);
  return qn_graph_view(op, qn_onnx_build(op, &rows, element), &r->shape);
}

/* Prepares the recipe of a softmax. Before opset version 13, a row consists of all dimensions from
 * the axis on; from version 13 on, it is the axis alone. */
static bool open_softmax(qn_graph_op *op, qn_onnx_source x, int64_t opset, qn_onnx_recipe *r) {
  const qn_graph_shape *shape = &x.tensor->shape;
  uint32_t axis;
  int64_t stated = qn_onnx_int(op, "axis", opset < 13 ? 1 : -1);
  if (op->failed || !qn_graph_axis(op, stated, shape->rank, &axis)) return false;
  qn_onnx_layout layout = QN_ONNX_PLAIN;
  bool last = axis + 1 == shape->rank;
  if (shape->rank == 4 && axis == 1 && opset >= 13) layout = QN_ONNX_NHWC, last = true;
  if (!last && opset >= 13)
    return qn_graph_error(op, x.tensor, QN_UNSUPPORTED, "axis %u of %u is not supported", axis,
                          shape->rank);
  qn_value *v = qn_onnx_source_value(op, x, layout);
  if (!v) return false;
  qn_graph_shape rows = qn_graph_shape_of(v);
  *r = (qn_onnx_recipe){.build = build_rows,
                        .layout = layout,
                        .shape = rows,
                        .is_exact = x.element != NULL,
                        .is_function = true,
                        .count = 1};
  if (!last) {
    rows = (qn_graph_shape){2, {1, 1}};
    for (uint32_t i = 0; i < shape->rank; i++) rows.dims[i >= axis] *= shape->dims[i];
  }
  r->activations[0] = x.tensor;
  r->operands[0] = qn_graph_view(op, v, &rows);
  qn_graph_attr(&r->attrs, "beta", qn_attr_float(op->graph->cx, 1, qn_onnx_f32(op->graph)));
  return true;
}

/* Whether the softmax is along a dimension that is the last one neither in the file's layout nor in
 * NHWC. */
static bool crosses_rows(qn_graph_op *op, const qn_graph_tensor *x, uint32_t *out_axis) {
  const int64_t stated = qn_onnx_int(op, "axis", -1);
  if (op->failed || qn_onnx_opset(op) < 13 || !qn_graph_axis(op, stated, x->shape.rank, out_axis))
    return false;
  return *out_axis + 1 != x->shape.rank && !(x->shape.rank == 4 && *out_axis == 1);
}

void qn_onnx_import_softmax(qn_graph_op *op) {
  qn_onnx_source x = qn_onnx_source_of(op, 0);
  qn_onnx_recipe r;
  uint32_t axis;
  if (!op->failed && crosses_rows(op, x.tensor, &axis)) {
    qn_value *reals = qn_onnx_real(op, 0);
    qn_onnx_give_real(op, 0, qn_onnx_softmaxed(op, reals, axis, false));
    return;
  }
  if (op->failed || !qn_graph_check_dtype(op, qn_graph_input(op, 0), QN_GRAPH_FLOAT32) ||
      !open_softmax(op, x, qn_onnx_opset(op), &r))
    return;
  qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &x.tensor->shape, &r);
}

/* QLinearSoftmax. Its attribute `opset` is the opset version of the Softmax that it replaces. */
void qn_onnx_import_qlinear_softmax(qn_graph_op *op) {
  qn_onnx_source x;
  qn_onnx_recipe r;
  uint8_t dtype;
  int64_t opset = qn_onnx_int(op, "opset", 13);
  if (!qn_onnx_quantized_operand(op, 0, 0, &x)) return;
  const qn_type *result = qn_onnx_quantized_result(op, 3, x.tensor->dtype, &dtype);
  if (!result || !open_softmax(op, x, opset, &r)) return;
  qn_onnx_make(op, qn_graph_output(op, 0), dtype, &x.tensor->shape, &r, result);
}

/* ---- LayerNormalization ---- */

/* Mean, and one over the standard deviation. */
static void give_moments(qn_graph_op *op, const int64_t *axes, uint32_t count, double epsilon) {
  qn_value *x = qn_onnx_real(op, 0);
  qn_value *mean = qn_onnx_reduced(op, QN_OP_ML_REDUCE_MEAN, x, axes, count, true);
  qn_value *rest = qn_onnx_binary(op, QN_OP_ML_SUB, x, mean);
  qn_value *square = qn_onnx_binary(op, QN_OP_ML_MUL, rest, rest);
  qn_value *variance = qn_onnx_reduced(op, QN_OP_ML_REDUCE_MEAN, square, axes, count, true);
  variance = qn_onnx_with(op, QN_OP_ML_ADD, variance, epsilon);
  qn_value *inverse = qn_onnx_unary(op, QN_OP_ML_SQRT, variance);
  inverse = qn_onnx_binary(op, QN_OP_ML_REAL_DIV, qn_onnx_double(op, 1), inverse);
  qn_onnx_give_real(op, 1, mean);
  if (!op->failed) qn_onnx_give_real(op, 2, inverse);
}

void qn_onnx_import_layer_norm(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  float epsilon = qn_onnx_float(op, "epsilon", 1e-5F);
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t axis, count = 0;
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32) ||
      !qn_graph_axis(op, qn_onnx_int(op, "axis", -1), x->shape.rank, &axis))
    return;
  if (qn_onnx_int(op, "stash_type", 1) != 1) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "a stash_type other than float32 is not supported");
    return;
  }
  for (uint32_t i = axis; i < x->shape.rank; i++) axes[count++] = i;
  qn_onnx_recipe r = {.kind = QN_OP_ML_LAYER_NORM, .shape = x->shape};
  for (uint32_t i = 0; i < 3 && qn_graph_has_input(op, i); i++) {
    qn_graph_tensor *operand = qn_graph_input(op, i);
    if (!operand) return;
    r.operands[r.count++] = qn_onnx_value(op, operand);
    if (!r.operands[i]) return;
  }
  qn_graph_attr_i64s(op, &r.attrs, "axes", axes, count);
  qn_graph_attr(
      &r.attrs, "epsilon",
      qn_attr_float(op->graph->cx, (double)epsilon, qn_type_float(op->graph->cx, QN_F64)));
  qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &x->shape, &r);
  if (qn_onnx_wants(op, 1) || qn_onnx_wants(op, 2)) give_moments(op, axes, count, (double)epsilon);
}

/* ---- normalization by channels ---- */

/* Operators with x and one vector per parameter. order[i] is the index in the file of the operand
 * that becomes operand i of the op. */
static void import_channels(qn_graph_op *op, const uint32_t *order, uint32_t count) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  float epsilon = qn_onnx_float(op, "epsilon", 1e-5F);
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32)) return;
  if (x->shape.rank < 2 || qn_onnx_int(op, "training_mode", 0)) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "training, or a tensor without channels");
    return;
  }
  qn_onnx_layout layout = qn_onnx_layout_of(op, x);
  qn_onnx_recipe r = {
      .kind = op->row->kind, .layout = layout, .shape = qn_onnx_shape_in(&x->shape, layout)};
  qn_value *operands[5] = {qn_onnx_value_in(op, x, layout)};
  for (uint32_t i = 1; i < count && operands[0]; i++) {
    qn_graph_tensor *vector = qn_graph_input(op, order[i]);
    if (!vector) return;
    if (vector->shape.rank != 1 || vector->shape.dims[0] != x->shape.dims[1]) {
      qn_graph_error(op, vector, QN_INVALID, "it is not one value per channel");
      return;
    }
    operands[i] = qn_onnx_value(op, vector);
    if (!operands[i]) return;
  }
  if (!operands[0]) return;
  r.count = count;
  memcpy(r.operands, operands, sizeof r.operands);
  qn_graph_attr(&r.attrs, "axis",
                qn_attr_i64(op->graph->cx, layout == QN_ONNX_NHWC ? x->shape.rank - 1 : 1));
  qn_graph_attr(
      &r.attrs, "epsilon",
      qn_attr_float(op->graph->cx, (double)epsilon, qn_type_float(op->graph->cx, QN_F64)));
  qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &x->shape, &r);
}

void qn_onnx_import_batch_norm(qn_graph_op *op) {
  static const uint32_t order[] = {0, 3, 4, 1, 2};
  import_channels(op, order, 5);
}

void qn_onnx_import_instance_norm(qn_graph_op *op) {
  static const uint32_t order[] = {0, 1, 2};
  import_channels(op, order, 3);
}

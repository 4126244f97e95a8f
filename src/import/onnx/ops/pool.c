/* Pools of images, and softmax and normalization of rows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/parts.h"
#include "import/onnx/ops/windows.h"
#include "ir/ops/forms.h"

/* ---- pools ---- */

/* Moves padding that an average counts from the window to *out, which ml.pad adds to the operand:
 * [top, bottom, left, right]. By the standard, what a last window reaches beyond the padding does
 * not count; the kernel of onnxruntime counts it. */
static bool take_counted(qn_graph_op *op, bool is_fused, qn_graph_window *w, int64_t *out) {
  int64_t after[2];
  if (op->row->kind != QN_OP_ML_AVG_POOL || !qn_onnx_int(op, "count_include_pad", 0))
    return !op->failed;
  if (!qn_onnx_stated_pads(op, 2, w, after)) return false;
  const bool reaches_beyond = w->pad[1] > after[0] || w->pad[3] > after[1];
  if (reaches_beyond && !is_fused && op->graph->profile->units == QN_UNITS_FUSED)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                          "averages that count padding, with windows that reach beyond it, are not "
                          "supported in the profile %s",
                          op->graph->profile->name);
  for (uint32_t i = 0; i < 2; i++) {
    out[2 * i] = w->pad[2 * i];
    out[2 * i + 1] = is_fused ? w->pad[2 * i + 1] : after[i];
    w->pad[2 * i] -= out[2 * i];
    w->pad[2 * i + 1] -= out[2 * i + 1];
  }
  return true;
}

/* The NHWC operand with padding that an average counts. */
static qn_value *with_counted(qn_graph_op *op, qn_value *x, const int64_t *pad) {
  const int64_t all[8] = {0, 0, pad[0], pad[1], pad[2], pad[3], 0, 0};
  if (!x || !(pad[0] || pad[1] || pad[2] || pad[3])) return x;
  qn_graph_shape shape = qn_graph_shape_of(x);
  for (uint32_t i = 0; i < 2; i++) shape.dims[1 + i] += pad[2 * i] + pad[2 * i + 1];
  return qn_graph_part(op, QN_OP_ML_PAD, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"pad", qn_attr_i64s(op->graph->cx, all, 8)}));
}

static bool place(qn_graph_op *op, const qn_graph_tensor *x, bool is_fused, qn_onnx_recipe *r,
                  qn_graph_shape *out_shape, int64_t *out_counted) {
  qn_graph_window w;
  if (!qn_onnx_is_image(op, x) || !qn_onnx_pool_window(op, x, &w)) return false;
  if (w.dilation[0] != 1 || w.dilation[1] != 1)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "dilated pools are not supported");
  if (!take_counted(op, is_fused, &w, out_counted)) return false;
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
  int64_t counted[4] = {0};
  if (op->failed) return;
  if (qn_onnx_is_general_pool(op)) {
    qn_onnx_build_general_pool(op);
    return;
  }
  if (!place(op, x.tensor, false, &r, &shape, counted)) return;
  if (r.kind == QN_OP_ML_MAX_POOL) {
    qn_onnx_pass_one(op, qn_graph_input(op, 0), qn_graph_output(op, 0), &shape, &r);
    return;
  }
  r.is_exact = x.element != NULL;
  r.activations[0] = x.tensor;
  r.count = 1;
  r.operands[0] = with_counted(op, qn_onnx_source_value(op, x, QN_ONNX_NHWC), counted);
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
  int64_t counted[4] = {0};
  uint8_t dtype;
  const bool is_fused = op->graph->profile->units == QN_UNITS_FUSED;
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
  else if (!place(op, x.tensor, is_fused, &r, &shape, counted))
    return;
  r.count = 1;
  r.operands[0] = with_counted(op, qn_onnx_source_value(op, x, QN_ONNX_NHWC), counted);
  if (r.operands[0]) qn_onnx_make(op, qn_graph_output(op, 0), dtype, &shape, &r, result);
}

/* ---- softmax ---- */

/* The permutation that exchanges the last dimension and another one. */
static void exchange(uint32_t rank, uint32_t axis, int64_t *perm) {
  for (uint32_t i = 0; i < rank; i++) perm[i] = i;
  perm[axis] = rank - 1;
  perm[rank - 1] = axis;
}

/* Softmax along the last dimension of a view [.., row]. The result is viewed as its own shape, or,
 * if the dimension is not the last one there, transposed to it. */
static qn_value *build_rows(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_onnx_recipe rows = *r;
  int64_t perm[QN_GRAPH_MAX_RANK];
  rows.build = NULL;
  rows.kind = QN_OP_ML_SOFTMAX;
  rows.shape = qn_graph_shape_of(r->operands[0]);
  qn_value *y = qn_onnx_build(op, &rows, element);
  if (!y || !r->is_exchanged) return qn_graph_view(op, y, &r->shape);
  exchange(r->shape.rank, r->axis, perm);
  return qn_onnx_transpose(op, y, perm);
}

/* Prepares the recipe of a softmax. Before opset version 13, a row consists of all dimensions from
 * the axis on; from version 13 on, it is the axis alone. */
static bool open_softmax(qn_graph_op *op, qn_onnx_source x, int64_t opset, qn_onnx_recipe *r) {
  const qn_graph_shape *shape = &x.tensor->shape;
  uint32_t axis;
  int64_t perm[QN_GRAPH_MAX_RANK], stated = qn_onnx_int(op, "axis", opset < 13 ? 1 : -1);
  if (op->failed || !qn_graph_axis(op, stated, shape->rank, &axis)) return false;
  qn_onnx_layout layout = QN_ONNX_PLAIN;
  bool last = axis + 1 == shape->rank;
  if (shape->rank == 4 && axis == 1 && opset >= 13) layout = QN_ONNX_NHWC, last = true;
  qn_value *v = qn_onnx_source_value(op, x, layout);
  if (!v) return false;
  qn_graph_shape rows = qn_graph_shape_of(v);
  *r = (qn_onnx_recipe){.build = build_rows,
                        .layout = layout,
                        .shape = rows,
                        .is_exact = x.element != NULL,
                        .is_function = true,
                        .is_exchanged = !last && opset >= 13,
                        .axis = axis,
                        .count = 1};
  if (!last && opset < 13) {
    rows = (qn_graph_shape){2, {1, 1}};
    for (uint32_t i = 0; i < shape->rank; i++) rows.dims[i >= axis] *= shape->dims[i];
  }
  exchange(shape->rank, axis, perm);
  r->activations[0] = x.tensor;
  r->operands[0] = r->is_exchanged ? qn_onnx_transpose(op, v, perm) : qn_graph_view(op, v, &rows);
  qn_graph_attr(&r->attrs, "beta", qn_attr_float(op->graph->cx, 1, qn_onnx_f32(op->graph)));
  return true;
}

void qn_onnx_import_softmax(qn_graph_op *op) {
  qn_onnx_source x = qn_onnx_source_of(op, 0);
  qn_onnx_recipe r;
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

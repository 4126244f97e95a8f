/* Parts of the decompositions of cells: operands, ops on matrices, products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/form.h"
#include "ir/ops/forms.h"

const qn_type *qn_cell_tensor(const qn_cell_expansion *f, uint32_t rank, const int64_t *dims) {
  return qn_type_tensor(f->b->cx, f->f32, rank, dims);
}
qn_value *qn_cell_view(qn_cell_expansion *f, qn_value *x, const qn_type *type) {
  return x->type == type ? x : qn_build_1(f->b, QN_OP_ML_RESHAPE, type, QN_VALUES(x), NULL);
}

qn_value *qn_cell_operand(const qn_cell_expansion *f, qn_cell_segment segment, uint32_t i) {
  return i < qn_cell_size(f->op, segment) ? f->operands[qn_cell_first(f->op, segment) + i] : NULL;
}

qn_value *qn_cell_apply(qn_cell_expansion *f, qn_op_kind kind, qn_value *x) {
  return qn_build_1(f->b, kind, x->type, QN_VALUES(x), NULL);
}
qn_value *qn_cell_combine(qn_cell_expansion *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_1(f->b, kind, a->type, QN_VALUES(a, b), NULL);
}

qn_value *qn_cell_constant(qn_cell_expansion *f, float value, int64_t size) {
  const qn_type *type = qn_cell_tensor(f, 1, &size);
  const qn_bytes bytes = {(const uint8_t *)&value, sizeof value};
  const qn_attr *attr = qn_attr_dense(f->b->cx, type, bytes, false);
  return qn_build_1(f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", attr}));
}

qn_value *qn_cell_clip(qn_cell_expansion *f, qn_value *x, double limit) {
  if (!(limit > 0)) return x;
  qn_value *high = qn_cell_constant(f, (float)limit, 1);
  x = qn_cell_combine(f, QN_OP_ML_MINIMUM, x, high);
  qn_value *low = qn_cell_constant(f, -(float)limit, 1);
  return qn_cell_combine(f, QN_OP_ML_MAXIMUM, x, low);
}

qn_value *qn_cell_activate(qn_cell_expansion *f, qn_value *x) {
  static const qn_op_kind kinds[] = {[QN_CELL_TANH] = QN_OP_ML_TANH,
                                     [QN_CELL_RELU] = QN_OP_ML_RELU,
                                     [QN_CELL_RELU_N1_TO_1] = QN_OP_ML_RELU_N1_TO_1,
                                     [QN_CELL_RELU6] = QN_OP_ML_RELU6,
                                     [QN_CELL_NONE] = QN_OP_UNREGISTERED};
  qn_cell_activation activation = qn_op_cell_activation(f->op);
  return activation == QN_CELL_NONE ? x : qn_cell_apply(f, kinds[activation], x);
}

qn_value *qn_cell_rows(qn_cell_expansion *f) {
  return qn_cell_view(f, f->operands[0],
                      qn_cell_tensor(f, 2, (int64_t[]){f->batch * f->steps, f->depth}));
}

qn_value *qn_cell_product(qn_cell_expansion *f, qn_value *x, qn_value *weights, qn_value *bias) {
  qn_ir_context *cx = f->b->cx;
  const qn_type *type =
      qn_cell_tensor(f, 2, (int64_t[]){x->type->shaped.dims[0], weights->type->shaped.dims[0]});
  const qn_attr *asymmetric = qn_attr_bool(cx, qn_op_asymmetric_inputs(f->op));
  const qn_attr *kernel = qn_attr_word(cx, QN_A_LINEAR_KERNEL, QN_LINEAR_CELL);
  return qn_build_1(f->b, QN_OP_ML_LINEAR, type, (qn_value *[]){x, weights, bias}, bias ? 3 : 2,
                    qn_type_quant(weights->type)
                        ? QN_ATTRS({"kernel", kernel}, {"asymmetric_inputs", asymmetric})
                        : NULL);
}

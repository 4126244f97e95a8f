/* Helpers for passes on graphs: types, constants and ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

#include <math.h>

#include "ir/ops/forms.h"
#include "ir/types/float_format.h"

bool qn_is_position_free(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return !q || q->scheme == QN_PER_LAYER;
}

const qn_type *qn_type_with_dims(qn_ir_context *cx, const qn_type *tensor, uint32_t rank,
                                 const int64_t *dims) {
  return qn_type_tensor(cx, tensor->shaped.element, rank, dims);
}

const qn_type *qn_type_permuted(qn_ir_context *cx, const qn_type *tensor, qn_i64s perm) {
  QN_ASSERT(perm.count == tensor->shaped.rank && perm.count <= QN_ML_MAX_RANK);
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t i = 0; i < perm.count; i++) dims[i] = tensor->shaped.dims[perm.data[i]];
  return qn_type_with_dims(cx, tensor, perm.count, dims);
}

bool qn_is_identity_perm(qn_i64s perm) {
  for (uint32_t i = 0; i < perm.count; i++)
    if (perm.data[i] != i) return false;
  return true;
}

bool qn_pad_stored_value(const qn_op *pad, int64_t *out_value) {
  const qn_quant_uniform *q = qn_type_quant(pad->results[0].type);
  bool given = qn_op_find(pad, QN_A_PAD_VALUE) != NULL;
  QN_ASSERT(!qn_op_find(pad, QN_A_PAD_REAL));
  *out_value = given || !q ? qn_op_pad_value(pad) : q->zero_points[0];
  for (uint32_t i = 1; !given && q && i < q->count; i++)
    if (q->zero_points[i] != *out_value) return false;
  return true;
}

double qn_literal_real(const qn_value *literal, int64_t i) {
  const qn_attr *attr = qn_value_constant(literal);
  QN_ASSERT(i >= 0 && (attr->dense.splat || (size_t)i < attr->dense.bytes.size));
  return qn_dense_float(attr, attr->dense.splat ? 0 : i);
}

bool qn_literal_is(const qn_value *literal, double value) {
  const qn_attr *attr = qn_value_constant(literal);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(literal->type);
  for (int64_t i = 0; i < count; i++) {
    double x = qn_dense_float(attr, i);
    if (!(x == value) || (signbit(x) != 0) != (signbit(value) != 0)) return false;
  }
  return true;
}

bool qn_literal_is_whole(const qn_value *literal, int64_t value) {
  const qn_attr *attr = qn_value_constant(literal);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(literal->type);
  for (int64_t i = 0; i < count; i++)
    if (qn_dense_int(attr, i) != value) return false;
  return true;
}

bool qn_literal_near(const qn_value *literal, double value, double part) {
  const qn_attr *attr = qn_value_constant(literal);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(literal->type);
  double as_element = qn_float_round(qn_type_element(literal->type)->float_kind, value);
  for (int64_t i = 0; i < count; i++) {
    double x = qn_dense_float(attr, i);
    if (!(fabs(x - value) <= part * fabs(value)) && x != as_element) return false;
  }
  return count > 0;
}

double qn_float_inverse(qn_float_kind kind, double x) {
  const qn_float_format *format = qn_float_format_of(kind);
  double normal = ldexp(format->denormal, (int)format->mantissa);
  double inverse = qn_float_round(kind, 1 / x);
  return isfinite(inverse) && fabs(inverse) >= normal ? 1 / x : 0;
}

bool qn_op_is_of_floats(const qn_op *op) {
  const qn_type *element = qn_type_element(op->results[0].type);
  if (element->kind != QN_TYPE_FLOAT) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_type_element(qn_op_operand(op, i)->type) != element) return false;
  return true;
}

bool qn_matched_floats(const qn_matched *m) {
  const qn_type *element = qn_type_element(m->value[0]->type);
  if (element->kind != QN_TYPE_FLOAT) return false;
  for (uint32_t i = 1; i < QN_MATCH_ROWS; i++)
    if (m->value[i] && qn_type_element(m->value[i]->type) != element) return false;
  return true;
}

bool qn_matched_alone(const qn_matched *m, uint32_t last) {
  QN_ASSERT(last < QN_MATCH_ROWS);
  for (uint32_t i = 1; i <= last; i++)
    for (const qn_use *use = m->value[i]->first_use; use; use = use->next) {
      uint32_t reader = 0;
      while (reader <= last && m->op[reader] != use->owner) reader++;
      if (reader > last) return false;
    }
  return true;
}

qn_value *qn_build_reals(qn_rewriter *rw, const qn_type *type, const double *values) {
  const qn_type *element = qn_type_element(type);
  QN_ASSERT(element->kind == QN_TYPE_FLOAT && qn_type_is_static(type));
  uint32_t size = qn_type_bytes(element);
  int64_t count = qn_type_elements(type);
  uint8_t *data = qn_arena_array(rw->pc->scratch, (size_t)count, size);
  for (int64_t i = 0; i < count; i++)
    qn_float_store(element->float_kind, values[i], data + (size_t)i * size);
  qn_bytes bytes = {data, (size_t)count * size};
  const qn_attr *value = qn_attr_dense(rw->cx, type, bytes, false);
  return qn_build_1(&rw->builder, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_build_like(qn_rewriter *rw, const qn_op *op, qn_value *const *operands,
                        uint32_t operand_count, const qn_type *type) {
  QN_ASSERT(op->result_count == 1 && op->region_count == 0);
  qn_op *made = qn_build(&rw->builder, (qn_op_state){.kind = op->kind,
                                                     .operands = operands,
                                                     .operand_count = operand_count,
                                                     .result_types = &type,
                                                     .result_count = 1,
                                                     .attrs = op->attrs,
                                                     .attr_count = op->attr_count});
  qn_op_set_attr(rw->module, made, qn_attr_decls[QN_A_TENSORS].name, NULL);
  qn_rewriter_touched(rw, made);
  return &made->results[0];
}

const qn_attr *qn_attr_real(qn_rewriter *rw, double value) {
  return qn_attr_float(rw->cx, value, qn_type_float(rw->cx, QN_F64));
}

qn_value *qn_build_leaky_relu(qn_rewriter *rw, qn_value *x, double alpha) {
  return qn_build_1(&rw->builder, QN_OP_ML_LEAKY_RELU, x->type, QN_VALUES(x),
                    QN_ATTRS({"alpha", qn_attr_real(rw, alpha)}));
}

void qn_set_i64s(qn_rewriter *rw, qn_value *of, const char *name, const int64_t *values,
                 uint32_t count) {
  QN_ASSERT(of->op);
  qn_op_set_attr(rw->module, of->op, name, qn_attr_i64s(rw->cx, values, count));
}

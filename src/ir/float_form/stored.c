/* Decompositions on stored values: operands as stored integers, results back, and the loops over
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

/* Casts between ui8 and i8: equal bytes. */
static qn_value *same_bytes(qn_form *f, qn_value *x, const qn_type *type) {
  uint8_t bytes[256];
  for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
  const qn_type *row = qn_type_tensor(f->cx, qn_type_element(type), 1, (const int64_t[]){256});
  const qn_attr *value = qn_attr_dense(f->cx, row, (qn_bytes){bytes, sizeof bytes}, false);
  qn_value *table = qn_build_1(f->b, QN_OP_ML_CONST, row, NULL, 0, QN_ATTRS({"value", value}));
  return qn_build_1(f->b, QN_OP_ML_LUT, type, QN_VALUES(x, table), NULL);
}

/* The signless integer type of stored values, or the float type. */
static const qn_type *stored_type(qn_form *f, const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  const qn_type *element = q ? q->storage : qn_type_element(type);
  if (element->kind != QN_TYPE_INTEGER) return type;
  return qn_type_with_element(f->cx, type, qn_type_i(f->cx, element->integer.width));
}

qn_value *qn_form_stored(qn_form *f, uint32_t i) {
  qn_value *x = f->operands[i];
  const qn_type *type = stored_type(f, x->type);
  if (type == x->type) return x;
  return qn_type_quant(x->type) ? qn_build_unary(f->b, QN_OP_QUANT_SCAST, x, type)
                                : same_bytes(f, x, type);
}

qn_value *qn_form_restored(qn_form *f, qn_value *y) {
  const qn_type *type = f->op->results[0].type;
  if (type == y->type) return y;
  return qn_type_quant(type) ? qn_build_unary(f->b, QN_OP_QUANT_SCAST, y, type)
                             : same_bytes(f, y, type);
}

const qn_type *qn_form_stored_result(qn_form *f) { return stored_type(f, f->op->results[0].type); }

bool qn_form_is_unsigned(const qn_form *f, uint32_t i) {
  return qn_type_is_unsigned(qn_type_element(f->operands[i]->type));
}

bool qn_form_is_real(const qn_value *x) { return qn_type_element(x->type)->kind == QN_TYPE_FLOAT; }

/* ---- scalars ---- */

qn_value *qn_form_widened(qn_form *f, qn_value *x, bool is_unsigned, uint32_t width) {
  const qn_type *type = qn_type_i(f->cx, width);
  if (x->type == type) return x;
  if (x->type->integer.width > width) return qn_build_unary(f->b, QN_OP_ARITH_TRUNCI, x, type);
  return qn_build_unary(f->b, is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, x, type);
}

qn_value *qn_form_compare_reals(qn_form *f, int64_t predicate, qn_value *a, qn_value *b) {
  return qn_build_cmpf(f->b, (qn_cmpf)predicate, a, b);
}

/* ---- constants ---- */

qn_value *qn_form_row(qn_form *f, const qn_type *element, const void *values, int64_t count) {
  const qn_type *type = qn_type_tensor(f->cx, element, 1, &count);
  const qn_bytes payload = {values, (size_t)count * qn_type_bytes(element)};
  const qn_attr *value = qn_attr_dense(f->cx, type, payload, false);
  return qn_build_1(f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* ---- loops ---- */

qn_form_access qn_form_broadcast(qn_form *f, qn_value *value) {
  const qn_type *y = f->op->results[0].type, *x = value->type;
  qn_form_access access = {.value = value};
  uint32_t skipped = y->shaped.rank - x->shaped.rank;
  for (uint32_t d = 0; d < x->shaped.rank; d++) {
    bool repeated = x->shaped.dims[d] != y->shaped.dims[skipped + d];
    access.at[d] = repeated ? qn_affine_const(f->cx, 0) : qn_form_dim(f, skipped + d);
  }
  return access;
}

/* The body on operands as `operand` gives them, broadcast to the type. */
static qn_value *elementwise(qn_form *f, qn_value *(*operand)(qn_form *f, uint32_t i),
                             const qn_type *type, qn_form_element_fn *body) {
  qn_form_access inputs[QN_GENERIC_MAX_OPERANDS];
  qn_value *elements[QN_GENERIC_MAX_OPERANDS];
  uint32_t count = f->op->operand_count;
  for (uint32_t i = 0; i < count; i++) inputs[i] = qn_form_broadcast(f, operand(f, i));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, inputs, count, &output);
  for (uint32_t i = 0; i < count; i++) elements[i] = qn_form_element(generic, i);
  return qn_form_close(f, generic, body(f, elements));
}

qn_value *qn_form_elementwise(qn_form *f, qn_form_element_fn *body) {
  return qn_form_restored(f, elementwise(f, qn_form_stored, qn_form_stored_result(f), body));
}

qn_value *qn_form_elementwise_reals(qn_form *f, qn_form_element_fn *body) {
  return elementwise(f, qn_form_operand, qn_form_result_type(f), body);
}

qn_value *qn_form_fill_with(qn_form *f, const qn_type *type, const qn_attr *number) {
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, NULL, 0, &output);
  qn_value *value = qn_build_1(f->b, QN_OP_ARITH_CONSTANT, qn_type_element(type), NULL, 0,
                               QN_ATTRS({"value", number}));
  return qn_form_close(f, generic, value);
}

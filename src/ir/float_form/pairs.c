/* Decompositions of functions of two 8-bit values, and of one 16-bit value: a lookup in a table of
 * all results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

enum { RESULTS = 65536 };

/* table[at] as a value of the op's type; the table has stored values. */
static qn_value *looked_up(qn_form *f, qn_value *at, const void *table) {
  const qn_type *type = f->op->results[0].type, *element = qn_type_element(type);
  const qn_type *row = qn_type_tensor(f->cx, element, 1, (const int64_t[]){RESULTS});
  const qn_type *held = qn_type_stored(f->cx, row);
  size_t size = RESULTS * qn_type_bytes(qn_type_element(held));
  const qn_attr *value = qn_attr_dense(f->cx, held, (qn_bytes){table, size}, false);
  qn_value *results = qn_build_1(f->b, QN_OP_ML_CONST, row, NULL, 0, QN_ATTRS({"value", value}));
  return qn_build_1(f->b, QN_OP_ML_GATHER, type, QN_VALUES(results, at),
                    QN_ATTRS({"axis", qn_attr_i64(f->cx, 0)}));
}

static qn_value *byte_of(qn_form *f, qn_value *x) { return qn_form_widened(f, x, true, 32); }

qn_value *qn_build_pairs_form(qn_builder *b, const qn_op *op, const uint8_t *table) {
  qn_value *operands[] = {qn_op_operand(op, 0), qn_op_operand(op, 1)};
  qn_form form = {.b = b, .cx = b->cx, .op = op, .operands = operands}, *f = &form;
  const qn_type *type = op->results[0].type;
  const qn_type *index = qn_type_with_element(f->cx, type, qn_type_i(f->cx, 32));
  qn_form_access inputs[] = {qn_form_broadcast(f, qn_form_stored(f, 0)), {0}};
  inputs[1] = qn_form_broadcast(f, qn_form_stored(f, 1));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, index));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, inputs, 2, &output);
  qn_value *first = byte_of(f, qn_form_element(generic, 0));
  qn_value *second = byte_of(f, qn_form_element(generic, 1));
  first = qn_build_binary_int(b, QN_OP_ARITH_SHLI, first, 8);
  qn_value *at = qn_form_close(f, generic, qn_build_binary(b, QN_OP_ARITH_ORI, first, second));
  return looked_up(f, at, table);
}

qn_value *qn_build_words_form(qn_builder *b, const qn_op *op, const int16_t *table) {
  qn_value *operands[] = {qn_op_operand(op, 0)};
  qn_form form = {.b = b, .cx = b->cx, .op = op, .operands = operands}, *f = &form;
  const qn_type *type = op->results[0].type;
  const qn_type *index = qn_type_with_element(f->cx, type, qn_type_i(f->cx, 32));
  qn_form_access input = qn_form_whole(f, qn_form_stored(f, 0));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, index));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, &input, 1, &output);
  qn_value *at = qn_form_widened(f, qn_form_element(generic, 0), false, 32);
  at = qn_build_binary_int(b, QN_OP_ARITH_SUBI, at, INT16_MIN);
  return looked_up(f, qn_form_close(f, generic, at), table);
}

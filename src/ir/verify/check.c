/* Shared functions of the verifiers of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"

#include "ir/types/float_format.h"

bool qn_op_complain(qn_ir_context *cx, const qn_op *op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(&cx->diag.scratch, format, arguments);
  va_end(arguments);
  (void)!qn_error(&cx->diag, op->loc, QN_INVALID, "'%.*s' op %.*s", QN_STR_ARG(op->name),
                  QN_STR_ARG(text));
  return false;
}

const char *qn_type_quoted(qn_ir_context *cx, const qn_type *type) {
  if (!cx->print_type) return "another type";
  qn_text text = {0};
  qn_text_putc(&text, '\'');
  cx->print_type(type, &text);
  qn_text_putc(&text, '\'');
  const char *quoted = qn_arena_str(&cx->diag.scratch, qn_text_view(&text)).data;
  qn_text_deinit(&text);
  return quoted;
}

bool qn_check_operand(qn_ir_context *cx, const qn_op *op, uint32_t i, qn_type_test *is,
                      const char *what) {
  const qn_type *type = qn_op_operand(op, i)->type;
  return is(type) || qn_op_complain(cx, op, "operand #%u must be %s, but got %s", i, what,
                                    qn_type_quoted(cx, type));
}

bool qn_check_result(qn_ir_context *cx, const qn_op *op, uint32_t i, qn_type_test *is,
                     const char *what) {
  const qn_type *type = op->results[i].type;
  return is(type) || qn_op_complain(cx, op, "result #%u must be %s, but got %s", i, what,
                                    qn_type_quoted(cx, type));
}

bool qn_check_operands_from(qn_ir_context *cx, const qn_op *op, uint32_t first, qn_type_test *is,
                            const char *what) {
  if (op->operand_count < first) {
    return qn_op_complain(cx, op, "expected %u or more operands, but found %u", first,
                          op->operand_count);
  }
  for (uint32_t i = first; i < op->operand_count; i++) {
    const qn_type *type = qn_op_operand(op, i)->type;
    if (is(type)) continue;
    return qn_op_complain(cx, op, "operand #%u must be variadic of %s, but got %s", i, what,
                          qn_type_quoted(cx, type));
  }
  return true;
}

bool qn_check_segments(qn_ir_context *cx, const qn_op *op, uint32_t count) {
  const qn_attr *attr = qn_op_find(op, QN_A_SEGMENT_SIZES);
  if (attr->kind != QN_ATTR_DENSE_ARRAY || !qn_is_i(attr->type, 32)) {
    return qn_op_complain(
        cx, op,
        "attribute 'operandSegmentSizes' failed to satisfy constraint: i32 dense array attribute");
  }
  if (attr->dense_array.count != count) {
    return qn_op_complain(
        cx, op,
        "'operandSegmentSizes' attribute for specifying operand segments must have "
        "%u elements, but got %u",
        count, attr->dense_array.count);
  }
  int64_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    int64_t size = attr->dense_array.ints[i];
    if (size < 0) {
      return qn_op_complain(cx, op,
                            "'operandSegmentSizes' attribute cannot have negative elements");
    }
    total += size;
  }
  if (total == op->operand_count) return true;
  return qn_op_complain(cx, op,
                        "operand count (%u) does not match with the total size (%lld) specified in "
                        "attribute 'operandSegmentSizes'",
                        op->operand_count, (long long)total);
}

bool qn_is_index(const qn_type *type) { return type->kind == QN_TYPE_INDEX; }
bool qn_is_tensor(const qn_type *type) { return type->kind == QN_TYPE_TENSOR; }
bool qn_is_ranked_tensor(const qn_type *type) { return qn_is_tensor(type) && type->shaped.ranked; }

bool qn_same_shape(const qn_type *a, const qn_type *b) {
  if (!qn_type_is_shaped(a) || !qn_type_is_shaped(b)) {
    return !qn_type_is_shaped(a) && !qn_type_is_shaped(b);
  }
  if (a->kind != b->kind || a->shaped.ranked != b->shaped.ranked ||
      a->shaped.rank != b->shaped.rank) {
    return false;
  }
  for (uint32_t i = 0; i < a->shaped.rank; i++) {
    if (a->shaped.dims[i] != b->shaped.dims[i]) return false;
  }
  return true;
}

bool qn_is_signless(const qn_type *type) {
  return type->kind == QN_TYPE_INDEX ||
         (type->kind == QN_TYPE_INTEGER && type->integer.sign == QN_SIGNLESS);
}

bool qn_is_float(const qn_type *type) { return type->kind == QN_TYPE_FLOAT; }

bool qn_is_i(const qn_type *type, uint32_t width) {
  return qn_type_is_int(type, width) && type->integer.sign == QN_SIGNLESS;
}

bool qn_is_vector_1d(const qn_type *type) {
  return type->kind == QN_TYPE_VECTOR && type->shaped.rank == 1 && type->shaped.dims[0] > 0;
}

uint32_t qn_bit_width(const qn_type *scalar) {
  if (scalar->kind == QN_TYPE_INTEGER) return scalar->integer.width;
  return scalar->kind == QN_TYPE_FLOAT ? qn_float_format_of(scalar->float_kind)->bits : 0;
}

bool qn_attr_has_type(const qn_attr *attr, const qn_type *type) {
  bool has_type = attr->kind == QN_ATTR_BOOL || attr->kind == QN_ATTR_INTEGER ||
                  attr->kind == QN_ATTR_FLOAT || qn_attr_is_shaped(attr);
  return has_type && attr->type == type;
}

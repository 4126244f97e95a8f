/* Verifiers of the arith and math dialects: scalars, vectors and tensors of signless integers,
 * index and floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static bool is_memref(const qn_type *type) { return type->kind == QN_TYPE_MEMREF; }

static bool verify_class(qn_ir_context *cx, const qn_op *op, bool (*belongs)(const qn_type *),
                         const char *what) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *type = qn_op_operand(op, i)->type;
    if (belongs(qn_type_element(type)) && !is_memref(type)) continue;
    return qn_op_complain(cx, op, "operand #%u must be %s, but got %s", i, what,
                          qn_type_quoted(cx, type));
  }
  return true;
}

static const char int_like[] = "signless-integer-like";
static const char float_like[] = "floating-point-like";

bool qn_verify_int_op(qn_ir_context *cx, const qn_op *op) {
  return verify_class(cx, op, qn_is_signless, int_like);
}

bool qn_verify_float_op(qn_ir_context *cx, const qn_op *op) {
  return verify_class(cx, op, qn_is_float, float_like);
}

/* Checks that a constant of quantized type has values in its storage range. */
static bool check_stored(qn_ir_context *cx, const qn_op *op, const qn_attr *value) {
  const qn_quant_uniform *q = qn_type_quant(value->type);
  int64_t count = !qn_attr_is_elements(value) ? 0
                  : value->dense.splat        ? 1
                                              : qn_type_elements(value->type);
  for (int64_t i = 0; i < count; i++) {
    int64_t stored = qn_dense_int(value, i);
    if (stored >= q->min && stored <= q->max) continue;
    return qn_op_complain(cx, op, "stored value %lld out of range [%lld, %lld]", (long long)stored,
                          (long long)q->min, (long long)q->max);
  }
  return qn_verify_quant_shape(cx, op, value->type);
}

bool qn_verify_constant(qn_ir_context *cx, const qn_op *op) {
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  const qn_type *type = op->results[0].type;
  if (!qn_attr_has_type(value, type)) {
    return qn_op_complain(cx, op, "failed to verify that all of {value, result} have same type");
  }
  const qn_type *element = qn_type_element(type);
  if (element->kind == QN_TYPE_INTEGER && element->integer.sign != QN_SIGNLESS) {
    return qn_op_complain(cx, op, "integer return type must be signless");
  }
  if (type->kind == QN_TYPE_TENSOR && qn_type_quant(type) && qn_attr_is_shaped(value)) {
    return check_stored(cx, op, value);
  }
  if (is_memref(type) || (!qn_is_signless(element) && !qn_is_float(element))) {
    return qn_op_complain(cx, op, "value must be an integer, float, or elements attribute");
  }
  return true;
}

/* Whether `mask` is i1, in the shape of `type`. */
static bool is_mask_of(const qn_type *mask, const qn_type *type) {
  return qn_is_i(qn_type_element(mask), 1) && qn_same_shape(mask, type);
}

bool qn_verify_cmp(qn_ir_context *cx, const qn_op *op) {
  bool is_float = op->kind == QN_OP_ARITH_CMPF;
  bool ok = is_float ? qn_verify_float_op(cx, op) : qn_verify_int_op(cx, op);
  const qn_type *type = qn_op_operand(op, 0)->type;
  if (qn_op_operand(op, 1)->type != type) {
    ok = qn_op_complain(cx, op, "requires all operands to have the same type");
  }
  if (!is_mask_of(op->results[0].type, type)) {
    ok = qn_op_complain(cx, op,
                        "failed to verify that result type has i1 element type and same shape as "
                        "operands");
  }
  int64_t predicate = qn_op_predicate(op), count = is_float ? 16 : 10;
  if (predicate < 0 || predicate >= count) {
    ok = qn_op_complain(cx, op,
                        "attribute 'predicate' failed to satisfy constraint: allowed 64-bit "
                        "signless integer cases: 0 to %lld",
                        (long long)(count - 1));
  }
  return ok;
}

bool qn_verify_select(qn_ir_context *cx, const qn_op *op) {
  const qn_type *condition = qn_op_operand(op, 0)->type, *type = op->results[0].type;
  if (qn_op_operand(op, 1)->type != type || qn_op_operand(op, 2)->type != type) {
    return qn_op_complain(
        cx, op, "failed to verify that all of {true_value, false_value, result} have same type");
  }
  if (!qn_is_i(condition, 1) && !is_mask_of(condition, type)) {
    return qn_op_complain(cx, op,
                          "expected condition type to be i1 or of the result's shape, but got %s",
                          qn_type_quoted(cx, condition));
  }
  return true;
}

/* ---- casts ---- */

static bool is_signless_int(const qn_type *type) {
  return type->kind == QN_TYPE_INTEGER && type->integer.sign == QN_SIGNLESS;
}
static bool is_scalar(const qn_type *type) { return is_signless_int(type) || qn_is_float(type); }

typedef enum width_rule { ANY_WIDTH, WIDER, NARROWER, SAME_WIDTH, INDEX_OR_BACK } width_rule;

static const struct {
  bool (*from)(const qn_type *type);
  bool (*to)(const qn_type *type);
  width_rule rule;
} casts[QN_OP_COUNT] = {
    [QN_OP_ARITH_EXTSI] = {is_signless_int, is_signless_int, WIDER},
    [QN_OP_ARITH_EXTUI] = {is_signless_int, is_signless_int, WIDER},
    [QN_OP_ARITH_TRUNCI] = {is_signless_int, is_signless_int, NARROWER},
    [QN_OP_ARITH_SITOFP] = {is_signless_int, qn_is_float, ANY_WIDTH},
    [QN_OP_ARITH_UITOFP] = {is_signless_int, qn_is_float, ANY_WIDTH},
    [QN_OP_ARITH_FPTOSI] = {qn_is_float, is_signless_int, ANY_WIDTH},
    [QN_OP_ARITH_FPTOUI] = {qn_is_float, is_signless_int, ANY_WIDTH},
    [QN_OP_ARITH_EXTF] = {qn_is_float, qn_is_float, WIDER},
    [QN_OP_ARITH_TRUNCF] = {qn_is_float, qn_is_float, NARROWER},
    [QN_OP_ARITH_INDEX_CAST] = {qn_is_signless, qn_is_signless, INDEX_OR_BACK},
    [QN_OP_ARITH_INDEX_CASTUI] = {qn_is_signless, qn_is_signless, INDEX_OR_BACK},
    [QN_OP_ARITH_BITCAST] = {is_scalar, is_scalar, SAME_WIDTH},
};

static bool widths_fit(width_rule rule, const qn_type *from, const qn_type *to) {
  uint32_t a = qn_bit_width(from), b = qn_bit_width(to);
  switch (rule) {
  case ANY_WIDTH:
    return true;
  case WIDER:
    return b > a;
  case NARROWER:
    return b < a;
  case SAME_WIDTH:
    return a == b;
  case INDEX_OR_BACK:
    return (from->kind == QN_TYPE_INDEX) != (to->kind == QN_TYPE_INDEX);
  }
  return false;
}

bool qn_verify_cast(qn_ir_context *cx, const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  const qn_type *from = qn_type_element(in), *to = qn_type_element(out);
  bool ok = casts[op->kind].from(from) && casts[op->kind].to(to) && !is_memref(in) &&
            qn_same_shape(in, out) && widths_fit(casts[op->kind].rule, from, to);
  if (ok) return true;
  return qn_op_complain(cx, op, "operand type %s and result type %s are cast incompatible",
                        qn_type_quoted(cx, in), qn_type_quoted(cx, out));
}

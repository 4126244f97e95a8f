/* ml.reexpress: constants are rewritten at compile time, in any scheme and width; 8-bit tensors of
 * one scale each take a table of all 256 results. Weights become int8 in the same way.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

static qn_status fail(qn_integer *in, const qn_op *op, const char *problem) {
  return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no integer form: %s",
                  QN_STR_ARG(op->name), problem);
}

static qn_value *constant_before(qn_integer *in, qn_op *op, const qn_attr *value,
                                 const qn_type *type) {
  qn_builder b = qn_builder_before(in->module, op);
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_status lower_constant(qn_integer *in, qn_op *op, const qn_attr *value) {
  const qn_attr *result;
  int64_t element;
  const char *problem = qn_reexpress_constant(in->cx, in->scratch, value, qn_reexpression_of(op),
                                              &result, &element);
  if (problem)
    return qn_error(&in->cx->diag, op->loc, QN_INVALID, "'%.*s' op %s: element %lld",
                    QN_STR_ARG(op->name), problem, (long long)element);
  qn_integer_replace(in, op, constant_before(in, op, result, qn_op_result(op, 0)->type));
  return QN_OK;
}

/* ---- weights ---- */

bool qn_integer_weights_to_int8(qn_integer *in, qn_op *op, uint32_t axis) {
  const qn_value *weights = qn_op_operand(op, 1);
  const qn_type *type;
  const qn_attr *value = qn_weights_as_int8(in->cx, in->scratch, qn_value_constant(weights),
                                            weights->type, axis, op->operand_count > 2, &type);
  if (!value) return false;
  qn_op_set_operand(op, 1, constant_before(in, op, value, type));
  return true;
}

/* ---- the op ---- */

qn_status qn_integer_ml_reexpress(qn_integer *in, qn_op *op) {
  const qn_attr *value = qn_value_constant(qn_op_operand(op, 0));
  if (value) return lower_constant(in, op, value);
  qn_quant8 x, y;
  if (!qn_integer_quant8(in, op, qn_op_operand(op, 0), "the input", &x) ||
      !qn_integer_quant8(in, op, qn_op_result(op, 0), "the result", &y))
    return QN_UNSUPPORTED;
  qn_reexpression r = qn_reexpression_of(op);
  uint8_t table[256] = {0};
  for (int byte = 0; byte < 256; byte++) {
    int64_t stored = x.is_unsigned ? byte : (int8_t)byte, result;
    const char *problem = qn_reexpression_next(&r, stored, &result);
    bool possible = stored >= x.affine.min && stored <= x.affine.max;
    if (problem && possible) return fail(in, op, "a table can't report what the result can't hold");
    table[byte] = (uint8_t)result;
  }
  qn_builder b = qn_builder_before(in->module, op);
  qn_integer_replace(in, op,
                     qn_integer_lut(&b, qn_op_operand(op, 0), table, qn_op_result(op, 0)->type));
  return QN_OK;
}

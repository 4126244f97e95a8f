/* Checks and operands that the float schedules share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/floats.h"

#include <math.h>

#include "ir/float_form/float_form.h"
#include "ir/numerics.h"

qn_status qn_floats_check(qn_loops *lo, const qn_op *op) {
  const char *what =
      qn_is_float_form(op) ? NULL : "other types than one of f32 and f64, or over volumes";
  QN_ASSERT(qn_property_padding_explicit.holds(op));
  bool large = qn_type_elements(op->results[0].type) > INT32_MAX;
  for (uint32_t i = 0; i < op->operand_count; i++)
    large |= qn_type_elements(qn_op_operand(op, i)->type) > INT32_MAX;
  if (large) what = "tensors of more than 2^31 elements";
  if (!what) return QN_OK;
  return qn_error(&lo->cx->diag, op->loc, QN_UNSUPPORTED, "no schedule for '%.*s' with %s",
                  QN_STR_ARG(op->name), what);
}

qn_value *qn_float_add_product(qn_builder *b, qn_value *x, qn_value *w, qn_value *sum) {
  QN_ASSERT(x->type == w->type && w->type == sum->type);
  const qn_type *type = sum->type;
  if (qn_type_is_float(type->shaped.element, QN_F32))
    return qn_build_1(b, QN_OP_MATH_FMA, type, QN_VALUES(x, w, sum), NULL);
  return qn_build_binary(b, QN_OP_ARITH_ADDF, sum, qn_build_binary(b, QN_OP_ARITH_MULF, x, w));
}

qn_value *qn_float_activate(qn_builder *b, qn_value *y, const qn_op *op) {
  float low, high;
  qn_op_real_limits(b->module, op, &low, &high);
  return qn_build_float_clamp(b, y, low, high);
}

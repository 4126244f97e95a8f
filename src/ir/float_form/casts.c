/* Decompositions of ops that are casts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

static qn_value *cast_only(qn_form *f) { return qn_form_operand(f, 0); }

static const char *reexpress_problem(const qn_op *op) {
  bool reports = qn_op_overflow(op) == QN_OVERFLOW_ERROR;
  return reports ? "quant.qcast does not report what the result can't hold" : NULL;
}

static qn_value *concat(qn_form *f) {
  uint32_t count = f->op->operand_count;
  qn_value **parts = qn_arena_array(&f->b->module->arena, count, sizeof *parts);
  for (uint32_t i = 0; i < count; i++) parts[i] = qn_form_operand(f, i);
  return qn_build_1(f->b, QN_OP_ML_CONCAT, qn_form_result_type(f), parts, count,
                    QN_ATTRS({"axis", qn_op_find(f->op, QN_A_AXIS)}));
}

const qn_float_form qn_float_form_ml_requantize = {.build = cast_only};
const qn_float_form qn_float_form_ml_reexpress = {.build = cast_only, .problem = reexpress_problem};
const qn_float_form qn_float_form_ml_concat = {.build = concat};

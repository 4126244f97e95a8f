/* Shared functions of the construction of replacements: recording of failures, and properties of
 * operands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>

#include "rules/rewrite/build.h"

bool qn_rule_stage_fail(qn_rule_staging *s, const char *code, const char *format, ...) {
  if (s->failure.size > 0) return false;
  va_list arguments;
  va_start(arguments, format);
  qn_text_vformat(&s->failure, format, arguments);
  va_end(arguments);
  s->code = code;
  return false;
}

bool qn_rule_stage_unevaluated(qn_rule_staging *s) {
  const qn_rule_evaluation *e = &s->evaluation;
  if (!e->failure) return qn_rule_stage_fail(s, "RR0905", "it can't be evaluated");
  return qn_rule_stage_fail(s, "RR0905", "%s, line %u", e->failure,
                            e->failed ? e->failed->pos.line : 0);
}

void qn_rule_stage_drop(qn_rule_staging *s) {
  while (s->made.count > 0) {
    qn_op *op = s->made.data[--s->made.count];
    qn_rule_graph_forget(s->graph, op);
    qn_op_erase(s->builder.module, op);
  }
}

bool qn_rule_sizes_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *wanted) {
  const qn_rule_view *v = s->evaluation.view;
  const qn_rule_definition *d = v->definition(v->graph, operand);
  QN_ASSERT(d->rank <= QN_RULE_MAX_RANK);
  wanted->rank = d->rank;
  for (uint32_t i = 0; i < d->rank; i++) wanted->sizes[i] = d->sizes[i];
  return d->rank > 0;
}

bool qn_rule_type_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *wanted) {
  const qn_rule_view *v = s->evaluation.view;
  const qn_value *value = qn_rule_value_of(operand);
  if (!value) return qn_rule_stage_fail(s, "RR0902", "a shape has no element type");
  wanted->element = qn_type_element(value->type);
  wanted->axis = v->definition(v->graph, operand)->axis;
  return true;
}

bool qn_rule_wanted_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *out_wanted) {
  *out_wanted = (qn_rule_wanted){.outputs = 1};
  return qn_rule_sizes_of(s, operand, out_wanted) && qn_rule_type_of(s, operand, out_wanted);
}

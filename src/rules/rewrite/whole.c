/* Builds the whole replacement and checks its type against what it replaces.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/run.h"

static void put_definition(qn_rule_run *run, const qn_type *type, qn_text *out) {
  const qn_ir_context *cx = run->module->cx;
  if (cx->print_type)
    cx->print_type(type, out);
  else
    qn_text_puts(out, "another type");
}

static bool complain_of_type(qn_rule_run *run, const char *code, const qn_type *is,
                             const qn_type *wanted) {
  qn_text text = {0};
  put_definition(run, is, &text);
  qn_text_puts(&text, ", consumers need ");
  put_definition(run, wanted, &text);
  (void)qn_rule_stage_fail(&run->staging, code, "the replacement gives %s", text.data);
  qn_text_deinit(&text);
  return false;
}

/* Reshapes the value to the type that the consumers of the matched output require. NULL if sizes or
 * encoding differ. */
static qn_value *fit_type(qn_rule_run *run, qn_value *value, const qn_type *wanted) {
  qn_rule_staging *s = &run->staging;
  qn_rule_definition is, needed;
  if (value->type == wanted) return value;
  bool seen = qn_rule_define(&run->arena, value->type, QN_RULE_NATURAL, &is) &&
              qn_rule_define(&run->arena, wanted, QN_RULE_NATURAL, &needed);
  bool same = seen && is.rank == needed.rank;
  for (uint32_t i = 0; same && i < is.rank; i++) same = is.sizes[i] == needed.sizes[i];
  if (!same) return (void)complain_of_type(run, "RR0901", value->type, wanted), NULL;
  if (qn_type_quant(wanted) && qn_type_quant(wanted)->scheme != QN_PER_LAYER
          ? true
          : qn_type_element(value->type) != qn_type_element(wanted))
    return (void)complain_of_type(run, "RR0902", value->type, wanted), NULL;
  return qn_rule_stage_made(
      s, qn_build_1(&s->builder, QN_OP_ML_RESHAPE, wanted, QN_VALUES(value), NULL));
}

static bool same_attrs(const qn_op *a, const qn_op *b) {
  uint32_t i = 0, k = 0;
  while (i < a->attr_count || k < b->attr_count) {
    /* "quern." attributes are metadata that does not affect results */
    if (i < a->attr_count && qn_str_starts(a->attrs[i].name, "quern.")) {
      i++;
    } else if (k < b->attr_count && qn_str_starts(b->attrs[k].name, "quern.")) {
      k++;
    } else {
      bool same = i < a->attr_count && k < b->attr_count &&
                  qn_str_equal(a->attrs[i].name, b->attrs[k].name) &&
                  qn_attr_equal(a->attrs[i].value, b->attrs[k].value);
      if (!same) return false;
      i++, k++;
    }
  }
  return true;
}

/* Whether the new op computes the same as the old one and has the same name for rules. */
static bool is_same(qn_rule_run *run, const qn_op *old, const qn_op *new) {
  if (!new || old->kind != new->kind || old->operand_count != new->operand_count) return false;
  for (uint32_t i = 0; i < old->operand_count; i++)
    if (qn_op_operand(old, i) != qn_op_operand(new, i)) return false;
  return qn_map_get(&run->graph.names, old) == qn_map_get(&run->graph.names, new) &&
         same_attrs(old, new);
}

void qn_rule_begin_stage(qn_rule_run *run, qn_op *op, const qn_rule_binding *binding) {
  qn_rule_staging *s = &run->staging;
  QN_ASSERT(s->made.count == 0); /* what was staged before is committed or dropped */
  s->builder = qn_builder_after(run->module, op);
  s->made.count = 0;
  s->code = NULL;
  qn_text_clear(&s->failure);
  s->evaluation.binding = binding;
  s->evaluation.pieces = NULL;
  s->evaluation.candidate = 0;
  s->parts[0] = NULL;
  s->evaluation.failure = NULL;
  s->evaluation.failed = NULL;
}

qn_value *qn_rule_stage_whole(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result) {
  qn_rule_staging *s = &run->staging;
  qn_rule_wanted wanted;
  qn_rule_operand operand;
  QN_ASSERT(result < op->result_count);
  const qn_value *old = &op->results[result];
  if (!qn_rule_wanted_of(s, s->evaluation.binding->root, &wanted) ||
      !qn_rule_stage_root(s, rule->replacement, &wanted, &operand))
    return NULL;
  qn_value *value = qn_rule_stage_value(s, operand, QN_RULE_NATURAL);
  if (!value || value == old) return NULL;
  value = fit_type(run, value, old->type);
  return value && is_same(run, op, value->op) ? NULL : value;
}

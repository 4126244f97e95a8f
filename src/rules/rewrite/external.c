/* Calls of external functions, which are written in C.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/external.h"

const qn_rule_external *qn_rule_external_find(const qn_rule_names *names, qn_str name,
                                              qn_rule_external_kind kind) {
  for (const qn_rule_external *e = names->externals; e && e->name; e++)
    if (e->kind == kind && e->call && qn_str_is(name, e->name)) return e;
  return NULL;
}

static bool add_operand(qn_rule_staging *s, qn_rule_call *call, const qn_rule_node *node,
                        const qn_rule_wanted *wanted) {
  if (call->operand_count == QN_RULE_MAX_CALL || call->value_count == QN_RULE_MAX_CALL)
    return qn_rule_stage_fail(s, "RR0905", "a function has too many operands");
  if (node->type == QN_RULE_POISON)
    return qn_rule_stage_operand(s, node, wanted, &call->operands[call->operand_count++]);
  if (qn_rule_evaluate(&s->evaluation, node, &call->values[call->value_count++])) return true;
  return qn_rule_stage_unevaluated(s);
}

bool qn_rule_stage_external(qn_rule_staging *s, qn_rule_external_kind kind,
                            const qn_rule_node *node, uint32_t first, const qn_rule_piece *piece,
                            const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  qn_str name = node->args[0]->text;
  const qn_rule_external *external = qn_rule_external_find(s->names, name, kind);
  qn_rule_call call = {.view = s->evaluation.view,
                       .graph = s->graph,
                       .staging = s,
                       .root = s->evaluation.binding->root,
                       .piece = piece};
  if (!external)
    return qn_rule_stage_fail(s, "RR0904", "this build has no function '%.*s'", QN_STR_ARG(name));
  for (uint32_t i = first; i < node->arg_count; i++)
    if (!add_operand(s, &call, node->args[i], wanted)) return false;
  if (!external->call(&call, external->user))
    return qn_rule_stage_fail(s, "RR0905", "%s: %s", external->name,
                              call.problem ? call.problem : "it failed");
  if (!call.result.node)
    return qn_rule_stage_fail(s, "RR0905", "%s gave no result", external->name);
  *out_operand = call.result;
  return true;
}

bool qn_rule_external_holds(void *user, qn_str name, qn_rule_operand operand,
                            const qn_rule_value *values, uint32_t count, bool *out_holds) {
  qn_rule_staging *s = user;
  const qn_rule_external *external = qn_rule_external_find(s->names, name, QN_RULE_CONSTRAINT);
  qn_rule_call call = {.view = s->evaluation.view,
                       .graph = s->graph,
                       .root = s->evaluation.binding->root,
                       .operands = {operand},
                       .operand_count = 1};
  if (!external || count > QN_RULE_MAX_CALL) return false;
  /* an operand that is a tag has no value: a constraint takes one graph operand, which is passed in
   * call.operands */
  for (uint32_t i = 0; i < count; i++) call.values[call.value_count++] = values[i];
  if (!external->call(&call, external->user)) return false;
  *out_holds = call.holds;
  return true;
}

/* The sieve in front of the matcher: which kinds of ops must stand where a pattern has an op. Rules
 * are found by the kind of their root; most of those fall through here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/rewrite/run.h"

/* All kinds that have the name; false: an op of any kind may stand there. */
static bool add_kinds(qn_str name, uint64_t *kinds) {
  const qn_rule_form *form = qn_rule_form_find(name);
  const char *same = form ? form->name : NULL;
  if (!form || (form->needs & QN_RULE_OUTPUT)) return false;
  for (; form->name && strcmp(form->name, same) == 0; form++)
    kinds[form->kind / 64] |= (uint64_t)1 << form->kind % 64;
  return true;
}

/* In which operand of the op input i is, whatever row of the name it is; false: that depends. */
static bool operand_of(qn_str root, uint32_t i, uint32_t *out_operand) {
  const qn_rule_form *form = qn_rule_form_find(root);
  if (!form || (form->needs & QN_RULE_OUTPUT) || i >= qn_rule_form_inputs(form)) return false;
  const qn_rule_slot *slot = qn_rule_form_input(form, i);
  *out_operand = slot->operand;
  return slot->kind == QN_RULE_SLOT_VALUE || slot->kind == QN_RULE_SLOT_REST;
}

void qn_rule_sieve_make(const qn_rule *rule, qn_rule_sieve *out_sieve) {
  const qn_rule_node *root = qn_rule_root_pattern(rule);
  *out_sieve = (qn_rule_sieve){.count = 0};
  if (root != rule->match) return; /* EITHER: the operands may stand the other way round */
  for (uint32_t i = 1; i < root->arg_count && out_sieve->count < QN_RULE_SIEVED; i++) {
    const qn_rule_node *pattern = root->args[i];
    while (qn_rule_is(pattern, QN_RULE_FN_LET) || qn_rule_is(pattern, QN_RULE_FN_EITHER))
      pattern = pattern->args[pattern->arg_count - 1];
    if (pattern->kind == QN_RULE_STRING) continue;
    uint32_t n = out_sieve->count;
    memset(&out_sieve->needs[n], 0, sizeof out_sieve->needs[n]);
    if (operand_of(qn_rule_op_name(root), i - 1, &out_sieve->needs[n].operand) &&
        add_kinds(qn_rule_op_name(pattern), out_sieve->needs[n].kinds))
      out_sieve->count++;
  }
}

bool qn_rule_may_match(const qn_rule_sieve *sieve, const qn_op *op) {
  for (uint32_t i = 0; i < sieve->count; i++) {
    uint32_t operand = sieve->needs[i].operand;
    const qn_op *producer = operand < op->operand_count ? qn_op_operand(op, operand)->op : NULL;
    if (!producer || !(sieve->needs[i].kinds[producer->kind / 64] >> producer->kind % 64 & 1))
      return false;
  }
  return true;
}

/* How many operands the ops of this build can have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/arity.h"

#include "rules/graph/form.h"

/* Whether an op of the form can have `given` operands, or, if `more`, at least that many. */
static bool fits(const qn_rule_form *form, uint32_t given, bool more) {
  uint32_t known = qn_rule_form_inputs(form);
  bool rest = known > 0 && qn_rule_form_input(form, known - 1)->kind == QN_RULE_SLOT_REST;
  return rest ? more || given >= known : more ? given <= known : given == known;
}

static bool is_known(const qn_rule_form *form) {
  return form->kind != QN_OP_UNREGISTERED && form->slots[0].kind != QN_RULE_SLOT_NONE;
}

const char *qn_rule_operands_of(qn_str name, uint32_t given, bool more) {
  const qn_rule_form *first = qn_rule_form_find(name);
  for (const qn_rule_form *form = first; form && form->name && strcmp(form->name, first->name) == 0;
       form++)
    if (!is_known(form) || fits(form, given, more)) return NULL;
  return first ? first->summary : NULL;
}

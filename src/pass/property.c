/* Checks whether a module has a property.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/property.h"

#include "ir/walk.h"

bool qn_property_is_in(const qn_property *property, const qn_property *const *list) {
  for (; list && *list; list++)
    if (*list == property) return true;
  return false;
}

typedef struct search {
  const qn_property *property;
  const qn_op *found;
} search;

static bool visit(qn_op *op, void *user) {
  search *s = user;
  if (!s->found && !s->property->holds(op)) s->found = op;
  return !s->found;
}

const qn_op *qn_property_violation(const qn_property *property, const qn_module *module) {
  search s = {property, NULL};
  qn_walk_pre(module->op, visit, &s);
  return s.found;
}

qn_status qn_properties_check(const qn_module *module, const qn_pass *pass) {
  for (const qn_property *const *need = pass->needed; need && *need; need++) {
    const qn_op *op = qn_property_violation(*need, module);
    if (!op) continue;
    return qn_error(&module->cx->diag, op->loc, QN_INVALID,
                    "pass '%s' needs '%s' (%s), which this '%.*s' is not: run '%s' first",
                    pass->name, (*need)->name, (*need)->summary, QN_STR_ARG(op->name),
                    (*need)->by->name);
  }
  return QN_OK;
}

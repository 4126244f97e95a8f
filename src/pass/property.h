/* Properties of modules, which some passes establish and other passes require, as their records
 * (pass.h) specify. A property is one constant, defined next to the pass that establishes it. It is
 * a predicate on single ops: a module has the property if all of its ops have it. So it can be
 * checked at any time, and a message can name the op that violates it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_PROPERTY_H
#define QN_PASS_PROPERTY_H

#include "pass/pass.h"

struct qn_property {
  const char *name, *summary; /* "padding-explicit", "no convolution pads its input itself" */
  bool (*holds)(const qn_op *op);
  const qn_pass *by; /* the pass that establishes it */
};

/* Whether `list`, which ends with NULL and may be NULL, contains the property. */
bool qn_property_is_in(const qn_property *property, const qn_property *const *list);

/* The first op of the module that does not have the property, or NULL. */
const qn_op *qn_property_violation(const qn_property *property, const qn_module *module);

/* Returns QN_INVALID if the module lacks a property that the pass requires. The message is at the
 * first such op and names the pass that establishes the property. */
QN_NODISCARD qn_status qn_properties_check(const qn_module *module, const qn_pass *pass);

#endif

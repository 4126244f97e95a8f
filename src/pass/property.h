/* Properties of modules: what a pass makes true and others rely on, stated in their records
 * (pass.h). A property is one constant, beside the pass that establishes it, and looks at one op at
 * a time: a module has it when all of its ops do, so that it can be asked for wherever it is needed
 * and a message can say where it fails.
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

/* In a list of a record, which ends with NULL and may be NULL. */
bool qn_property_is_in(const qn_property *property, const qn_property *const *list);

/* The first op of the module that does not have the property, or NULL. */
const qn_op *qn_property_violation(const qn_property *property, const qn_module *module);

/* QN_INVALID, at an op that lacks something that the pass needs, with the pass that gives it. */
QN_NODISCARD qn_status qn_properties_check(const qn_module *module, const qn_pass *pass);

#endif

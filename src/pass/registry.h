/* The passes of a context: those of this library and those that users register. No pass registers
 * itself; the owner of the registry adds the records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_REGISTRY_H
#define QN_PASS_REGISTRY_H

#include "base/array.h"
#include "pass/pass.h"

typedef struct qn_registry {
  QN_ARRAY(const qn_pass *) passes; /* in the order in which they were added */
  qn_str_map by_name;
} qn_registry; /* zero-initialize */

void qn_registry_deinit(qn_registry *registry);
/* Adds a record, which is referenced, not copied. Returns false without effect if a pass of that
 * name exists. */
bool qn_registry_add(qn_registry *registry, const qn_pass *pass);
/* Adds a table ended by NULL. None of its names may be registered already. */
void qn_registry_add_table(qn_registry *registry, const qn_pass *const *table);
/* The pass of that name. If no pass has the name, other spellings are tried: "fuse_conv_bias" and
 * "common::fuse_conv_bias" find fuse-conv-bias. NULL if no pass is found. */
const qn_pass *qn_registry_find(const qn_registry *registry, qn_str name);
/* The registered name that is most similar to a misspelled `name`; NULL if none is similar. */
const char *qn_registry_near(const qn_registry *registry, qn_str name);

#endif

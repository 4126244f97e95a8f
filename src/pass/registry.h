/* The passes that a context knows: tables of this library, and what users add. Nothing registers
 * itself; the owner of the registry hands the records over.
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
/* The record is kept, not copied. False, and nothing changes, when the name is taken. */
bool qn_registry_add(qn_registry *registry, const qn_pass *pass);
/* A table ended by NULL, of names that are not taken. */
void qn_registry_add_table(qn_registry *registry, const qn_pass *const *table);
/* By its name or, where none has that, by another spelling of it: "fuse_conv_bias" and
 * "common::fuse_conv_bias" are fuse-conv-bias. NULL when there is none. */
const qn_pass *qn_registry_find(const qn_registry *registry, qn_str name);
/* The name that was probably meant, or NULL. */
const char *qn_registry_near(const qn_registry *registry, qn_str name);

#endif

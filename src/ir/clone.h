/* Copying, comparing and hashing IR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CLONE_H
#define QN_IR_CLONE_H

#include "base/map.h"
#include "ir/module.h"

/* A deep, detached copy within `module`. Operands are mapped through `values` (qn_value* ->
 * qn_value*) if they are in it; the results of copied ops are added to it. */
qn_op *qn_op_clone(qn_module *module, const qn_op *op, qn_map *values);
qn_module *qn_module_clone(const qn_module *module);

/* Whether structure, types, attributes and use pattern are equal; locations and value ids are
 * ignored. */
bool qn_op_equal(const qn_op *a, const qn_op *b);
uint64_t qn_op_hash(const qn_op *op); /* equal ops of one context have equal hashes */

#endif

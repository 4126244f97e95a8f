/* Copying, comparing and hashing IR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CLONE_H
#define QN_IR_CLONE_H

#include "base/map.h"
#include "ir/module.h"

/* A deep copy within `module`, detached. Operands defined outside are looked up in `values`
 * (qn_value* -> qn_value*), else kept; results are added to it. */
qn_op *qn_op_clone(qn_module *module, const qn_op *op, qn_map *values);
qn_module *qn_module_clone(const qn_module *module);

/* Same structure, types, attributes and use pattern; locations and value ids don't count. */
bool qn_op_equal(const qn_op *a, const qn_op *b);
uint64_t qn_op_hash(const qn_op *op); /* equal ops of one context have equal hashes */

#endif

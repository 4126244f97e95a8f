/* Cost estimates, so that a rule can apply only if its result is cheaper. Time is estimated from a
 * fixed table of measurements, so estimates are the same on every machine. Memory is the arena size
 * that the compiler plans for a copy of the module.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_COST_COST_H
#define QN_RULES_COST_COST_H

#include "ir/module.h"
#include "pass/registry.h"

/* Estimated nanoseconds on one thread. An op without a measurement is treated as elementwise.
 * Constants and ops that only alias memory cost 0. */
double qn_rule_time_of(const qn_op *op);
/* Units of work of an op in the table: multiplications if it has any, else taps of pooling windows,
 * else elements. */
int64_t qn_rule_work_of(const qn_op *op);

/* The arena size that the compiler plans for a module at the model stage. This lowers `module` to
 * loops, so it can't be used afterwards. Returns false if it does not compile, or if `registry` is
 * NULL. */
bool qn_rule_arena_of(qn_module *module, const qn_registry *registry, int64_t *out_bytes);

#endif

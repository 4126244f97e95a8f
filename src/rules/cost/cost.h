/* What ops are estimated to cost, so that a rule may apply only where its result is cheaper. Two
 * things are estimated: time, by a table of measurements, which is the same on every machine, and
 * memory, by the compiler's own plan of a copy.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_COST_COST_H
#define QN_RULES_COST_COST_H

#include "ir/module.h"
#include "pass/registry.h"

/* Nanoseconds on one thread. An op of which nothing was measured is taken for an elementwise one;
 * what only names memory again, and constants, cost nothing. */
double qn_rule_time_of(const qn_op *op);
/* The units of work that the table counts: multiplications, else taps of windows, else elements. */
int64_t qn_rule_work_of(const qn_op *op);

/* The arena of a module at the model stage as the compiler would plan it, which lowers it to loops:
 * the module is used up. False: it does not compile, or the registry has no compiler. */
bool qn_rule_arena_of(qn_module *module, const qn_registry *registry, int64_t *out_bytes);

#endif

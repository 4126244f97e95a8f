/* Whether the memory of a loops-stage module is sound, recomputed from its launches alone: who
 * wrote every byte of the arena last, and who reads it. The lowering's own plan is not asked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_MEMORY_PLAN_H
#define QN_TESTS_SUPPORT_MEMORY_PLAN_H

#include "base/str.h"
#include "ir/module.h"

/* Appends a line for everything that is wrong in @main:
 *  - a place outside of the arena, or not aligned to its elements;
 *  - a read of bytes that nothing has written;
 *  - a read of a tensor of which a part was overwritten by another one: two lives in one place;
 *  - a launch that writes where another of its operands lies, or into an input or a constant;
 *  - an output, or a tensor that quern.probes shows, with a byte that is never written.
 * true: nothing is. */
bool qn_memory_plan_check(const qn_module *loops, qn_text *out);

#endif

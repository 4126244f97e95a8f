/* Checks the buffer assignment of a loops-stage module. The check uses only the launches: which
 * launch wrote each byte of the arena last, and which launches read it. It does not use the memory
 * plan of the lowering.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_MEMORY_PLAN_H
#define QN_TESTS_SUPPORT_MEMORY_PLAN_H

#include "base/str.h"
#include "ir/module.h"

/* Appends a line for each error in @main, and returns true if there is none. Errors are:
 *  - a buffer outside of the arena, or not aligned to its elements;
 *  - a read of bytes that nothing has written;
 *  - a read of a tensor of which another tensor has overwritten a part (overlapping lifetimes);
 *  - a launch that writes into memory of another of its operands, of an input or of a constant;
 *  - an output, or a tensor that quern.probes shows, with a byte that is never written. */
bool qn_memory_plan_check(const qn_module *loops, qn_text *out);

#endif

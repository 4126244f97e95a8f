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
 * - a buffer outside of the arena, or not aligned to its elements;
 * - a read of bytes that no launch has written;
 * - a read of a tensor after another tensor has overwritten a part of it (overlapping lifetimes);
 * - a launch that writes to memory of its other operands, of an input or of a constant, or to
 *   prepared memory unless it prepares constants;
 * - an output, or a tensor of quern.probes, with a byte that is never written. */
bool qn_memory_plan_check(const qn_module *loops, qn_text *out);

#endif

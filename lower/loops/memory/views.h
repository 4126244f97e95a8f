/* Tensors that are views of others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_VIEWS_H
#define QN_LOWER_LOOPS_VIEWS_H

#include "lower/loops/memory/buffers.h"

/* Whether the result of a slice is a view of its operand. The same buffer alone does not prove it,
 * because both may be parts of a concatenation. */
bool qn_memory_is_view(const qn_memory_plan *plan, const qn_op *slice);

/* ---- for plan.c: one op at a time ---- */

/* Make the result a view of the whole operand; the results ranges of it; the result one range of
 * it. */
void qn_view_reshape(const qn_assigner *a, const qn_op *op);
void qn_view_split(const qn_assigner *a, const qn_op *op);
void qn_view_slice(const qn_assigner *a, const qn_op *op);
/* Makes each operand a range of the result, so that its producer writes it there. */
void qn_place_parts(const qn_assigner *a, const qn_op *op);

#endif

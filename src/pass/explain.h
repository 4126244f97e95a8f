/* Remarks that explain what a pass changed at an op, or why it did not apply to the op.
 * qn_run_settings.explain enables them. Changes are reported by the rewriter, and by those passes
 * that walk the IR without a rewriter. Why a rule did not apply is derived from the rows of the
 * rule (match.h), so no pass has code for it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_EXPLAIN_H
#define QN_PASS_EXPLAIN_H

#include "pass/pass.h"

/* Whether a change of the op by the running pass must be reported. */
bool qn_explains(const qn_pass_context *pc, const qn_op *op);
/* Whether the running pass must report why it does not apply to the op. */
bool qn_explains_why_not(const qn_pass_context *pc, const qn_op *op);

/* Reports the remark "PASS: text" at `loc`, where PASS is the running pass. */
void qn_explain(qn_pass_context *pc, const qn_loc *loc, const char *format, ...) QN_PRINTF(3, 4);

/* The part of a text PASS@NODE before or after the '@'. */
qn_str qn_explained_pass(const char *explain);
qn_str qn_explained_node(const char *explain);
/* Whether `node` denotes the op. A node is the index of a model tensor that the op writes, the LINE
 * or LINE:COLUMN of the op's location, or the op's name or the first words of that name ("operator
 * 3"). */
bool qn_op_is_called(const qn_op *op, qn_str node);

#endif

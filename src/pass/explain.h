/* What passes did to which op, and why one did not apply to one: remarks at the op, asked for by
 * qn_run_settings.explain. What changed is told by the rewriter and by the passes that walk
 * themselves; why not, by the rows of rules (match.h), so that no pass says it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_EXPLAIN_H
#define QN_PASS_EXPLAIN_H

#include "pass/pass.h"

/* Whether what the running pass does to the op is to be told. */
bool qn_explains(const qn_pass_context *pc, const qn_op *op);
/* Whether it is asked why it does not apply to the op. */
bool qn_explains_why_not(const qn_pass_context *pc, const qn_op *op);

/* "PASS: text" at a place. */
void qn_explain(qn_pass_context *pc, const qn_loc *loc, const char *format, ...) QN_PRINTF(3, 4);

/* The part of a text PASS@NODE before or after the '@'. */
qn_str qn_explained_pass(const char *explain);
qn_str qn_explained_node(const char *explain);
/* Whether `node` names the op: by the number of a tensor of the model that the op writes, by LINE
 * or LINE:COLUMN of its location, or by its name or the name's first words ("operator 3"). */
bool qn_op_is_called(const qn_op *op, qn_str node);

#endif

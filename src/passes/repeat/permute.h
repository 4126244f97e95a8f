/* Ops that compute the same when their tensors are transposed: which they are, and what changes in
 * them. A permuted value is one that is going to be read as it was before a transpose of `perm`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_REPEAT_PERMUTE_H
#define QN_PASSES_REPEAT_PERMUTE_H

#include "base/map.h"
#include "passes/support/graph.h"

/* Whether the op can be computed on permuted values: `permuted` has those of its operands that are,
 * of one permutation. The others have to be constants, one number, or tensors for which a reshape
 * does what the transpose would. A reduction that keeps its dimensions adds the same terms in the
 * same order, or is of integers, or the order of sums may change. */
bool qn_can_permute(const qn_op *op, const qn_map *permuted, qn_i64s perm, bool reorders_sums);
/* Gives it the attributes, other operands and types for that; its permuted operands stay. */
void qn_permute(qn_pass_context *pc, qn_op *op, const qn_map *permuted, qn_i64s perm);

/* Whether a reduction of floats gives what it gave but for the order of its sums when it reads the
 * value as it was and names its dimensions so: what it leaves is in the order that it had. */
bool qn_can_absorb(const qn_op *op, qn_i64s perm);
void qn_absorb(qn_pass_context *pc, qn_op *op, qn_i64s perm);

/* The type before a transpose of `perm` that made `type`. */
const qn_type *qn_type_before(qn_ir_context *cx, const qn_type *type, qn_i64s perm);

#endif

/* Ops that can be computed on transposed operands. A permuted value is the result of a transpose
 * `perm`, or depends on one; ops that are permuted read and produce the value before this transpose
 * instead.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_REPEAT_PERMUTE_H
#define QN_PASSES_REPEAT_PERMUTE_H

#include "base/map.h"
#include "passes/support/graph.h"

/* Whether the op can be computed on permuted operands. `permuted` is the set of permuted values,
 * all with the permutation `perm`. Other operands must be constants, have one element, or be
 * tensors for which a reshape has the effect of the transpose. A reduction must keep dimensions and
 * sum the same terms in the same order, unless its operand is 8-bit or `reorders_sums`. */
bool qn_can_permute(const qn_op *op, const qn_map *permuted, qn_i64s perm, bool reorders_sums);
/* Changes attributes, types and the operands that are not permuted for the computation on permuted
 * operands. The caller replaces the permuted operands. */
void qn_permute(qn_pass_context *pc, qn_op *op, const qn_map *permuted, qn_i64s perm);

/* Whether a reduction of floats that drops dimensions can read the value before the transpose, with
 * its axes mapped, and give the same result except for the order of its sums: the dimensions that
 * remain must keep their order. */
bool qn_can_absorb(const qn_op *op, qn_i64s perm);
void qn_absorb(qn_pass_context *pc, qn_op *op, qn_i64s perm);

/* The type of the operand of a transpose `perm` whose result has the type `type`. */
const qn_type *qn_type_before(qn_ir_context *cx, const qn_type *type, qn_i64s perm);

#endif

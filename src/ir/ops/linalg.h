/* What a linalg.generic says, for those who read verified ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_LINALG_H
#define QN_IR_OPS_LINALG_H

#include "ir/op_attrs.h"

/* An entry of iterator_types is this, a kind, and '>': #linalg.iterator_type<parallel>. */
extern const char qn_iterator_prefix[];
/* The kind alone; empty when the attribute is no iterator type. */
qn_str qn_iterator_kind(const qn_attr *iterator_type);
/* Whether there is such a kind of loops. */
bool qn_is_iterator_kind(qn_str kind);

/* Loops of the iteration space. */
static inline uint32_t qn_generic_loops(const qn_op *op) {
  return qn_op_find(op, QN_A_ITERATOR_TYPES)->array.count;
}
/* The first operands are inputs, the rest initial values of the outputs. */
static inline uint32_t qn_generic_inputs(const qn_op *op) { return qn_op_segment(op, 0); }
/* From positions in the iteration space to positions in the operand. */
static inline const qn_affine_map *qn_generic_map(const qn_op *op, uint32_t operand) {
  return qn_op_find(op, QN_A_INDEXING_MAPS)->array.items[operand]->map;
}
/* The operand and its dimension whose size is the range of a loop: the first that the loop's
 * variable walks alone. false: none does. */
bool qn_generic_range(const qn_op *op, uint32_t loop, uint32_t *out_operand, uint32_t *out_dim);
/* Whether the body asks where in a loop it is. */
bool qn_generic_is_indexed(const qn_op *op, uint32_t loop);

#endif

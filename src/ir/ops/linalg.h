/* Accessors of verified linalg.generic ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_LINALG_H
#define QN_IR_OPS_LINALG_H

#include "ir/op_attrs.h"

/* Prefix of an element of iterator_types: #linalg.iterator_type<parallel> is this, a kind, and '>'.
 */
extern const char qn_iterator_prefix[];
/* The kind of an iterator type; empty if the attribute is not one. */
qn_str qn_iterator_kind(const qn_attr *iterator_type);
/* Whether `kind` is a known kind of iterator. */
bool qn_is_iterator_kind(qn_str kind);

/* Number of loops of the iteration space. */
static inline uint32_t qn_generic_loops(const qn_op *op) {
  return qn_op_find(op, QN_A_ITERATOR_TYPES)->array.count;
}
/* Number of inputs, the first operands; the others are initial values of the outputs. */
static inline uint32_t qn_generic_inputs(const qn_op *op) { return qn_op_segment(op, 0); }
/* The map from the iteration space to positions in the operand. */
static inline const qn_affine_map *qn_generic_map(const qn_op *op, uint32_t operand) {
  return qn_op_find(op, QN_A_INDEXING_MAPS)->array.items[operand]->map;
}
/* The operand and dimension whose size is the range of a loop: the first dimension that is indexed
 * by the loop alone. False if none. */
bool qn_generic_range(const qn_op *op, uint32_t loop, uint32_t *out_operand, uint32_t *out_dim);
/* Whether the body reads the index of a loop. */
bool qn_generic_is_indexed(const qn_op *op, uint32_t loop);
/* Whether the body has no side effects and no regions, and reads only scalar constants from
 * outside.
 */
bool qn_generic_is_closed(const qn_op *op);

#endif

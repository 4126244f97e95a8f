/* Which gathers are read through.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fuse_producer/read_through.h"

#include "ir/ops/linalg.h"

/* Rows with fewer elements are gathered: kernels fill vectors across rows only if there is no
 * table. */
enum { LEAST_ROW = 4 };

/* ---- one gather ---- */

static bool has_constant_positions(const qn_op *gather) {
  const qn_value *indices = qn_op_operand(gather, 1);
  const qn_attr *constant = qn_value_constant(indices);
  return constant && qn_attr_is_elements(constant) && indices->type->shaped.rank == 1 &&
         qn_type_is_int(qn_type_element(indices->type), 32);
}

static bool is_gatherable(const qn_op *op) {
  if (op->kind != QN_OP_ML_GATHER || qn_op_batch_dims(op) != 0 || !has_constant_positions(op))
    return false;
  const qn_type *x = qn_op_operand(op, 0)->type;
  const int64_t axis = qn_op_axis(op), rank = x->shaped.rank;
  if (axis < 1 || axis + 1 >= rank || qn_type_elements(x) > INT32_MAX) return false;
  const qn_op *from = qn_op_operand(op, 0)->op;
  return x->shaped.dims[rank - 1] >= LEAST_ROW && !(from && qn_loops_is_constant(from));
}

/* ---- the reader ---- */

static bool is_all_parallel(const qn_op *generic) {
  const qn_attr *types = qn_op_find(generic, QN_A_ITERATOR_TYPES);
  for (uint32_t i = 0; i < types->array.count; i++)
    if (!qn_str_is(qn_iterator_kind(types->array.items[i]), "parallel")) return false;
  return true;
}

/* Whether each dimension of the operand is indexed by a loop of its own. */
static bool is_by_loops(const qn_op *generic, uint32_t operand) {
  const qn_affine_map *map = qn_generic_map(generic, operand);
  uint64_t seen = 0;
  for (uint32_t d = 0; d < map->result_count; d++) {
    const qn_affine_expr *e = map->results[d];
    if (e->kind != QN_AFFINE_DIM || seen >> e->value & 1) return false;
    seen |= UINT64_C(1) << e->value;
  }
  return true;
}

/* A nest that reads a gathered tensor is not a post-op of another kernel: those read nothing but
 * the results of that kernel. */
static bool can_read(const qn_use *use) {
  const qn_op *op = use->owner;
  const uint32_t operand = (uint32_t)(use - op->operands);
  return op->kind == QN_OP_LINALG_GENERIC && operand < qn_generic_inputs(op) &&
         is_all_parallel(op) && is_by_loops(op, operand);
}

const qn_op *qn_read_through(const qn_op *gather) {
  if (!is_gatherable(gather)) return NULL;
  const qn_op *reader = NULL;
  for (const qn_use *use = gather->results[0].first_use; use; use = use->next) {
    const qn_op *owner = use->owner;
    const bool passes = owner->kind == QN_OP_ML_GATHER && use == &owner->operands[0];
    const qn_op *found = passes ? qn_read_through(owner) : can_read(use) ? owner : NULL;
    if (!found || owner->block != gather->block || (reader && found != reader)) return NULL;
    reader = found;
  }
  return reader;
}

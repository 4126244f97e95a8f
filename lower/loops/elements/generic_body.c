/* The body of a linalg.generic on one element of each operand, or on vectors. Values that are equal
 * in all lanes stay scalar until they are combined with a vector.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/linalg.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"
#include "lower/loops/elements/generic.h"

static bool is_vector(const qn_value *value) { return qn_type_is_shaped(value->type); }

/* ---- elements in memory ---- */

static qn_value *position_of(qn_generic_nest *n, const qn_affine_expr *e) {
  static const qn_op_kind kinds[] = {[QN_AFFINE_ADD] = QN_OP_ARITH_ADDI,
                                     [QN_AFFINE_MUL] = QN_OP_ARITH_MULI,
                                     [QN_AFFINE_FLOORDIV] = QN_OP_ARITH_FLOORDIVSI,
                                     [QN_AFFINE_CEILDIV] = QN_OP_ARITH_CEILDIVSI};
  qn_builder *b = &n->k->b;
  if (e->kind == QN_AFFINE_CONST) return qn_build_index(b, e->value);
  if (e->kind == QN_AFFINE_DIM) return n->point[e->value];
  qn_value *left = position_of(n, e->lhs), *right = position_of(n, e->rhs);
  if (e->kind != QN_AFFINE_MOD) return qn_build_binary(b, kinds[e->kind], left, right);
  qn_value *whole = qn_build_binary(b, QN_OP_ARITH_FLOORDIVSI, left, right);
  qn_value *product = qn_build_binary(b, QN_OP_ARITH_MULI, whole, right);
  return qn_build_binary(b, QN_OP_ARITH_SUBI, left, product);
}

/* Row-major element index in the operand's buffer. */
static qn_value *index_of(qn_generic_nest *n, uint32_t operand) {
  const qn_generic_access *a = &n->access[operand];
  qn_builder *b = &n->k->b;
  if (a->linear) return a->at ? qn_index_add(b, a->at, a->base) : qn_build_index(b, a->base);
  const qn_type *type = qn_elements_place(n->t, qn_op_operand(n->op, operand))->type;
  const qn_affine_map *map = qn_generic_map(n->op, operand);
  qn_value *at = NULL;
  for (uint32_t d = 0; d < map->result_count; d++) {
    qn_value *row = at ? qn_index_affine(b, at, type->shaped.dims[d], 0) : NULL;
    at = position_of(n, map->results[d]);
    if (row) at = qn_nest_add(b, row, at);
  }
  return at;
}

/* Whether the body's elements of the operand are contiguous: the vectorized loop is open. */
static bool is_wide(const qn_generic_nest *n, const qn_generic_access *a, uint32_t depth) {
  uint32_t loop = n->in_lanes ? n->loop_count - 1 : n->vector;
  return n->width > 1 && loop < depth && a->linear && a->steps[loop] == 1;
}

static qn_value *load(qn_generic_nest *n, uint32_t operand, qn_value *buffer, bool wide) {
  qn_builder *b = &n->k->b;
  const qn_type *type = qn_op_body(n->op)->args[operand]->type;
  qn_value *at = index_of(n, operand);
  if (!wide) return qn_elements_load(b, type, buffer, at);
  qn_value *value = qn_vec_load(b, buffer, at, 0, n->width);
  bool whole = qn_type_element(value->type) == type;
  return whole ? value : qn_vec_cast(b, QN_OP_ARITH_TRUNCI, value, type);
}

void qn_generic_load(qn_generic_nest *n, uint32_t depth) {
  const qn_block *body = qn_op_body(n->op);
  for (uint32_t i = 0; i < n->inputs; i++) {
    qn_generic_access *a = &n->access[i];
    if (a->splat || a->depth != depth || !qn_value_has_uses(body->args[i])) continue;
    a->element = load(n, i, a->buffer, is_wide(n, a, depth));
  }
}

qn_value *qn_generic_initial(qn_generic_nest *n, uint32_t output) {
  uint32_t operand = n->inputs + output;
  const qn_generic_access *a = &n->access[operand];
  int64_t width = n->in_lanes ? 1 : n->width;
  if (a->splat && !a->buffer)
    return qn_generic_constant(&n->k->b, a->splat, qn_op_body(n->op)->args[operand]->type, width);
  return load(n, operand, a->buffer, !n->in_lanes && is_wide(n, a, n->loop_count));
}

void qn_generic_store(qn_generic_nest *n, uint32_t output) {
  qn_builder *b = &n->k->b;
  qn_value *buffer = n->results[output], *value = n->carry[output];
  qn_value *at = index_of(n, n->inputs + output);
  if (!is_vector(value)) {
    qn_elements_store(b, value, buffer, at);
    return;
  }
  const qn_type *held = qn_type_element(buffer->type);
  if (qn_type_element(value->type) != held) value = qn_vec_cast(b, QN_OP_ARITH_EXTSI, value, held);
  qn_vec_store(b, value, buffer, at, 0);
}

/* ---- the body ---- */

static qn_value *known_value(qn_generic_nest *n, const qn_value *value, int64_t width) {
  return qn_generic_known(&n->k->b, &n->scalars, value, width);
}

/* The loop's variable: in each lane, the value for that lane's element. */
static qn_value *index_value(qn_generic_nest *n, uint32_t loop) {
  uint32_t vector = n->in_lanes ? n->loop_count - 1 : n->vector;
  qn_value *first = n->point[loop];
  if (n->width == 1 || n->loops[vector].last != loop) return first;
  qn_builder *b = &n->k->b;
  int64_t steps[QN_VEC_MAX_BYTES];
  for (int64_t i = 0; i < n->width; i++) steps[i] = i;
  const qn_type *type = qn_type_vec(b->cx, first->type, n->width);
  const qn_attr *lanes = qn_attr_dense(
      b->cx, type, (qn_bytes){(const uint8_t *)steps, (size_t)n->width * sizeof *steps}, true);
  qn_value *start = qn_vec_broadcast(b, first, n->width);
  qn_value *offsets =
      qn_build_1(b, QN_OP_ARITH_CONSTANT, type, NULL, 0, QN_ATTRS({"value", lanes}));
  return qn_build_binary(b, QN_OP_ARITH_ADDI, start, offsets);
}

static qn_value *build_op(qn_generic_nest *n, const qn_op *op) {
  qn_value **operands = QN_NEW_ARRAY(n->t->lo->scratch, op->operand_count + 1, qn_value *);
  int64_t width = 1;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *known = qn_map_get(&n->scalars, qn_op_operand(op, i));
    if (known && is_vector(known)) width = n->width;
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    bool condition =
        op->kind == QN_OP_ARITH_SELECT && i == 0; /* a condition for all lanes may stay scalar */
    operands[i] = known_value(n, qn_op_operand(op, i), condition ? 1 : width);
  }
  return qn_elements_lanes_op(&n->k->b, op, operands, width);
}

/* Moves values to their reduction lanes; the other lanes get the neutral element. */
static qn_value *placed(qn_generic_nest *n, const qn_join *join, qn_value *value) {
  qn_builder *b = &n->k->b;
  value = qn_generic_widened(&n->k->b, value, n->width > 1 ? n->width : QN_REDUCTION_LANES);
  if (!n->placing) return value;
  const qn_type *type = qn_type_vec(b->cx, qn_type_element(value->type), QN_REDUCTION_LANES);
  qn_neutral neutral = qn_join_neutral(join);
  bool is_float = type->shaped.element->kind == QN_TYPE_FLOAT;
  qn_value *empty =
      is_float ? qn_build_float(b, neutral.f, type) : qn_build_int(b, neutral.i, type);
  int64_t mask[QN_REDUCTION_LANES];
  for (uint32_t i = 0; i < QN_REDUCTION_LANES; i++)
    mask[i] = n->placing[i] >= 0 ? n->placing[i] : qn_vec_count(value);
  return qn_vec_shuffle(b, value, empty, mask, QN_REDUCTION_LANES);
}

/* Combines the accumulated lanes with the values, in the operand order of the op. */
static void join_lanes(qn_generic_nest *n, const qn_join *join) {
  qn_value *value = known_value(n, qn_op_operand(join->op, join->value), 1);
  qn_value *const number = placed(n, join, value);
  bool second = join->value == 1;
  n->carry[0] = qn_build_binary(&n->k->b, join->op->kind, second ? n->carry[0] : number,
                                second ? number : n->carry[0]);
}

static void set_elements(qn_generic_nest *n) {
  const qn_block *body = qn_op_body(n->op);
  for (uint32_t i = 0; i < n->operands; i++) {
    const qn_generic_access *a = &n->access[i];
    qn_value *value = i >= n->inputs ? n->carry[i - n->inputs] : a->element;
    if (i < n->inputs && a->splat && qn_value_has_uses(body->args[i]))
      value = qn_generic_constant(&n->k->b, a->splat, body->args[i]->type, 1);
    qn_map_set(&n->scalars, body->args[i], value);
  }
}

void qn_generic_body(qn_generic_nest *n) {
  const qn_op *joining = n->in_lanes ? qn_reduction_join(n->op).op : NULL;
  set_elements(n);
  QN_FOR_EACH_OP(op, qn_op_body(n->op)) {
    if (op == joining) {
      qn_join join = qn_reduction_join(n->op);
      join_lanes(n, &join);
    } else if (op->kind == QN_OP_LINALG_YIELD) {
      for (uint32_t i = 0; i < op->operand_count && !joining; i++)
        n->carry[i] = known_value(n, qn_op_operand(op, i), n->width);
    } else if (op->kind == QN_OP_LINALG_INDEX) {
      qn_map_set(&n->scalars, &op->results[0], index_value(n, (uint32_t)qn_op_dim(op)));
    } else {
      qn_map_set(&n->scalars, &op->results[0], build_op(n, op));
    }
  }
}

/* linalg.generic as a nest of loops over its iteration space, with its body inside.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "base/map.h"
#include "ir/ops/linalg.h"
#include "ir/walk.h"
#include "lower/tensors/state.h"

typedef struct nest {
  qn_tensors *t;
  const qn_op *op;
  uint32_t loops, operands; /* of the op; behind their buffers follow those of captured values */
  qn_value **point;         /* the loops' variables */
  uint32_t carried;         /* the first of the loops, to the innermost, that carry the outputs */
  qn_value **at, **carry;   /* of each output: its position, its element so far */
  const qn_value **captured;
  uint32_t captured_count;
  qn_map scalars; /* value of the body, or captured -> qn_value* in the kernel */
} nest;

static bool is_scalar_constant(const qn_value *value) {
  return value->op && value->op->kind == QN_OP_ARITH_CONSTANT;
}

/* Values from outside of the body; scalar constants among them are made anew in the kernel. */
static void find_captured(nest *n) {
  uint32_t most = 0;
  const qn_block *body = qn_op_body(n->op);
  QN_FOR_EACH_OP(op, body) most += op->operand_count;
  n->captured = QN_NEW_ARRAY(n->t->lo->scratch, most + 1, const qn_value *);
  QN_FOR_EACH_OP(op, body) {
    for (uint32_t i = 0; i < op->operand_count; i++) {
      const qn_value *value = qn_op_operand(op, i);
      bool inside = value->op ? value->op->block == body : value->block == body;
      bool seen = inside || is_scalar_constant(value);
      for (uint32_t k = 0; k < n->captured_count && !seen; k++) seen = n->captured[k] == value;
      if (!seen) n->captured[n->captured_count++] = value;
    }
  }
}

/* ---- positions ---- */

static qn_value *position_of(nest *n, qn_builder *b, const qn_affine_expr *e) {
  static const qn_op_kind kinds[] = {[QN_AFFINE_ADD] = QN_OP_ARITH_ADDI,
                                     [QN_AFFINE_MUL] = QN_OP_ARITH_MULI,
                                     [QN_AFFINE_FLOORDIV] = QN_OP_ARITH_FLOORDIVSI,
                                     [QN_AFFINE_CEILDIV] = QN_OP_ARITH_CEILDIVSI};
  if (e->kind == QN_AFFINE_CONST) return qn_build_index(b, e->value);
  if (e->kind == QN_AFFINE_DIM) return n->point[e->value];
  qn_value *left = position_of(n, b, e->lhs), *right = position_of(n, b, e->rhs);
  if (e->kind != QN_AFFINE_MOD) return qn_build_binary(b, kinds[e->kind], left, right);
  qn_value *whole = qn_build_binary(b, QN_OP_ARITH_FLOORDIVSI, left, right);
  return qn_build_binary(b, QN_OP_ARITH_SUBI, left,
                         qn_build_binary(b, QN_OP_ARITH_MULI, whole, right));
}

/* Row-major, in the operand's buffer. */
static qn_value *linear_position(nest *n, qn_builder *b, uint32_t operand) {
  const qn_type *type = qn_tensors_place(n->t, qn_op_operand(n->op, operand))->type;
  const qn_affine_map *map = qn_generic_map(n->op, operand);
  qn_value *at = qn_build_index(b, 0);
  if (!qn_type_is_shaped(type)) return at;
  for (uint32_t d = 0; d < map->result_count; d++) {
    if (d > 0)
      at = qn_build_binary(b, QN_OP_ARITH_MULI, at, qn_build_index(b, type->shaped.dims[d]));
    at = qn_build_binary(b, QN_OP_ARITH_ADDI, at, position_of(n, b, map->results[d]));
  }
  return at;
}

/* ---- the body ---- */

static qn_value *scalar_of(nest *n, qn_builder *b, const qn_value *value) {
  qn_value *known = qn_map_get(&n->scalars, value);
  if (known) return known;
  QN_ASSERT(is_scalar_constant(value));
  return qn_tensors_scalar_op(b, value->op, NULL); /* in the block that uses it */
}

static bool carries(const nest *n) { return n->carried < n->loops; }

static void load_elements(nest *n, qn_kernel *k) {
  const qn_block *body = qn_op_body(n->op);
  uint32_t inputs = qn_generic_inputs(n->op);
  for (uint32_t i = 0; i < n->operands; i++) {
    qn_value *value = NULL;
    if (i >= inputs && carries(n)) {
      value = n->carry[i - inputs];
    } else {
      qn_value *at = linear_position(n, &k->b, i);
      if (i >= inputs) n->at[i - inputs] = at;
      value = qn_tensors_load(&k->b, body->args[i]->type, k->args[i], at);
    }
    qn_map_set(&n->scalars, body->args[i], value);
  }
}

static void build_body(nest *n, qn_kernel *k) {
  const qn_block *body = qn_op_body(n->op);
  qn_builder *b = &k->b;
  uint32_t inputs = qn_generic_inputs(n->op);
  load_elements(n, k);
  QN_FOR_EACH_OP(op, body) {
    qn_value **operands = QN_NEW_ARRAY(n->t->lo->scratch, op->operand_count + 1, qn_value *);
    for (uint32_t i = 0; i < op->operand_count; i++)
      operands[i] = scalar_of(n, b, qn_op_operand(op, i));
    if (op->kind == QN_OP_LINALG_YIELD) {
      for (uint32_t i = 0; i < op->operand_count; i++) {
        n->carry[i] = operands[i];
        if (!carries(n)) qn_tensors_store(b, operands[i], k->args[inputs + i], n->at[i]);
      }
    } else if (op->kind == QN_OP_LINALG_INDEX) {
      qn_map_set(&n->scalars, &op->results[0], n->point[qn_op_dim(op)]);
    } else {
      qn_map_set(&n->scalars, &op->results[0], qn_tensors_scalar_op(b, op, operands));
    }
  }
}

/* ---- the loops ---- */

static int64_t range_of(const nest *n, uint32_t loop) {
  uint32_t operand = 0, dim = 0;
  QN_ASSERT(qn_generic_range(n->op, loop, &operand, &dim));
  return qn_tensors_place(n->t, qn_op_operand(n->op, operand))->type->shaped.dims[dim];
}

/* Parts of the outermost loop may run in any order when it is no reduction and each of its steps
 * writes elements of its own. */
static bool is_parallel(const nest *n) {
  if (n->loops == 0) return false;
  const qn_attr *types = qn_op_find(n->op, QN_A_ITERATOR_TYPES);
  if (!qn_str_is(qn_iterator_kind(types->array.items[0]), "parallel")) return false;
  for (uint32_t i = qn_generic_inputs(n->op); i < n->operands; i++) {
    const qn_affine_map *map = qn_generic_map(n->op, i);
    bool walks = false;
    for (uint32_t d = 0; d < map->result_count; d++)
      walks |= map->results[d]->kind == QN_AFFINE_DIM && map->results[d]->value == 0;
    if (!walks) return false;
  }
  return true;
}

/* Of a reduction, points of the iteration space: its body is taken for a multiplication. */
static int64_t macs_of(const nest *n) {
  const qn_attr *types = qn_op_find(n->op, QN_A_ITERATOR_TYPES);
  int64_t points = 1;
  bool reduces = false;
  for (uint32_t i = 0; i < n->loops; i++) {
    reduces |= qn_str_is(qn_iterator_kind(types->array.items[i]), "reduction");
    if (!qn_checked_mul(points, range_of(n, i), &points)) return 0;
  }
  return reduces ? points : 0;
}

static bool mentions(const qn_affine_expr *e, uint32_t loop) {
  if (e->kind == QN_AFFINE_DIM) return e->value == (int64_t)loop;
  return e->lhs && (mentions(e->lhs, loop) || mentions(e->rhs, loop));
}

/* The innermost loops along which the outputs' elements stay the same keep them in registers. */
static uint32_t first_carried(const nest *n) {
  for (uint32_t loop = n->loops; loop > 0; loop--)
    for (uint32_t i = qn_generic_inputs(n->op); i < n->operands; i++) {
      const qn_affine_map *map = qn_generic_map(n->op, i);
      for (uint32_t d = 0; d < map->result_count; d++)
        if (mentions(map->results[d], loop - 1)) return loop;
    }
  return 0;
}

static void load_outputs(nest *n, qn_kernel *k) {
  uint32_t inputs = qn_generic_inputs(n->op);
  for (uint32_t i = inputs; i < n->operands; i++) {
    n->at[i - inputs] = linear_position(n, &k->b, i);
    n->carry[i - inputs] =
        qn_tensors_load(&k->b, qn_op_body(n->op)->args[i]->type, k->args[i], n->at[i - inputs]);
  }
}

static void store_outputs(nest *n, qn_kernel *k) {
  uint32_t inputs = qn_generic_inputs(n->op);
  for (uint32_t i = inputs; i < n->operands; i++)
    qn_tensors_store(&k->b, n->carry[i - inputs], k->args[i], n->at[i - inputs]);
}

/* Loop `i` and all inside of it. */
static void build_loops(nest *n, qn_kernel *k, uint32_t i, bool parallel) {
  qn_builder *b = &k->b;
  uint32_t outputs = i >= n->carried ? n->operands - qn_generic_inputs(n->op) : 0;
  if (i == n->carried && carries(n)) load_outputs(n, k);
  if (i == n->loops) {
    build_body(n, k);
    return;
  }
  bool units = parallel && i == 0;
  qn_value *lower = units ? k->lower : qn_build_index(b, 0);
  qn_value *upper = units ? k->upper : qn_build_index(b, range_of(n, i));
  qn_value *one = qn_build_index(b, 1);
  qn_op *loop = qn_build_for(b, lower, upper, one, n->carry, outputs);
  n->point[i] = qn_op_body(loop)->args[0];
  for (uint32_t o = 0; o < outputs; o++) n->carry[o] = qn_op_body(loop)->args[1 + o];
  build_loops(n, k, i + 1, parallel);
  qn_build_yield(b, n->carry, outputs);
  for (uint32_t o = 0; o < outputs; o++) n->carry[o] = qn_op_result(loop, o);
  if (i == n->carried) store_outputs(n, k);
}

static void build_kernel(nest *n, qn_value *const *buffers) {
  qn_kernel k =
      qn_kernel_begin(n->t->lo, "generic", n->op, buffers, n->operands + n->captured_count);
  bool parallel = is_parallel(n);
  qn_value *zero = qn_build_index(&k.b, 0);
  for (uint32_t i = 0; i < n->captured_count; i++)
    qn_map_set(&n->scalars, n->captured[i],
               qn_tensors_load(&k.b, n->captured[i]->type, k.args[n->operands + i], zero));
  build_loops(n, &k, 0, parallel);
  qn_kernel_end(&k, parallel ? range_of(n, 0) : 1, macs_of(n));
}

/* Whether every element of the output is written, and none is read before. */
static bool overwrites(const nest *n, uint32_t operand) {
  const qn_affine_map *map = qn_generic_map(n->op, operand);
  if (qn_value_has_uses(qn_op_body(n->op)->args[operand]) || map->result_count != n->loops)
    return false;
  for (uint32_t i = 0; i < map->result_count; i++)
    if (map->results[i]->kind != QN_AFFINE_DIM || map->results[i]->value != (int64_t)i)
      return false;
  return true;
}

qn_status qn_tensors_generic(qn_tensors *t, const qn_op *op) {
  uint32_t inputs = qn_generic_inputs(op);
  nest n = {.t = t, .op = op, .loops = qn_generic_loops(op), .operands = op->operand_count};
  find_captured(&n);
  n.point = QN_NEW_ARRAY(t->lo->scratch, n.loops + 1, qn_value *);
  n.at = QN_NEW_ARRAY(t->lo->scratch, n.operands + 1, qn_value *);
  n.carry = QN_NEW_ARRAY(t->lo->scratch, n.operands + 1, qn_value *);
  n.carried = first_carried(&n);
  qn_value **buffers = QN_NEW_ARRAY(t->lo->scratch, n.operands + n.captured_count + 1, qn_value *);
  for (uint32_t i = 0; i < inputs; i++) buffers[i] = qn_tensors_buffer(t, qn_op_operand(op, i));
  for (uint32_t i = 0; i < n.captured_count; i++)
    buffers[n.operands + i] = qn_tensors_buffer(t, n.captured[i]);
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_place_of *place = qn_tensors_place(t, &op->results[i]);
    QN_TRY(qn_tensors_new_buffer(t, op, place));
    buffers[inputs + i] = place->buffer;
    if (overwrites(&n, inputs + i)) continue;
    qn_value *init = qn_tensors_buffer(t, qn_op_operand(op, inputs + i));
    if (init != place->buffer) qn_tensors_copy(t, op, place->type, init, place->buffer, NULL);
  }
  build_kernel(&n, buffers);
  qn_map_deinit(&n.scalars);
  return QN_OK;
}

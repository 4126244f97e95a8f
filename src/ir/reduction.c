/* Which linalg.generics reduce in lanes, and the op that combines the lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/reduction.h"

#include <math.h>

#include "ir/op_attrs.h"
#include "ir/ops/linalg.h"
#include "ir/walk.h"

/* ---- joins ---- */

typedef enum whole { ZERO, ONE, ALL_ONES, LEAST, GREATEST } whole;

static const struct {
  qn_op_kind kind;
  double f;
  whole i;
} joins[] = {
    {QN_OP_ARITH_ADDF, -0.0, ZERO},
    {QN_OP_ARITH_MULF, 1.0, ZERO},
    {QN_OP_ARITH_MAXIMUMF, -INFINITY, ZERO},
    {QN_OP_ARITH_MINIMUMF, INFINITY, ZERO},
    {QN_OP_ARITH_ADDI, 0, ZERO},
    {QN_OP_ARITH_MULI, 0, ONE},
    {QN_OP_ARITH_ANDI, 0, ALL_ONES},
    {QN_OP_ARITH_ORI, 0, ZERO},
    {QN_OP_ARITH_XORI, 0, ZERO},
    {QN_OP_ARITH_MAXSI, 0, LEAST},
    {QN_OP_ARITH_MINSI, 0, GREATEST},
    {QN_OP_ARITH_MAXUI, 0, ZERO},
    {QN_OP_ARITH_MINUI, 0, ALL_ONES},
};

static size_t join_row(qn_op_kind kind) {
  size_t row = 0;
  while (row < QN_COUNT(joins) && joins[row].kind != kind) row++;
  return row;
}

static uint32_t width_of(const qn_type *element) {
  return element->kind == QN_TYPE_INTEGER ? element->integer.width : 64; /* index */
}

static int64_t number(whole i, uint32_t width) {
  int64_t least = INT64_MIN >> (64 - width);
  const int64_t numbers[] = {
      [ZERO] = 0, [ONE] = 1, [ALL_ONES] = -1, [LEAST] = least, [GREATEST] = ~least};
  return numbers[i];
}

qn_neutral qn_join_neutral(const qn_join *join) {
  size_t row = join_row(join->op->kind);
  const qn_type *type = join->op->results[0].type;
  if (type->kind == QN_TYPE_FLOAT) return (qn_neutral){.f = joins[row].f};
  return (qn_neutral){.i = number(joins[row].i, width_of(type))};
}

qn_join qn_reduction_join(const qn_op *generic) {
  const qn_block *body = qn_op_body(generic);
  const qn_value *acc = body->args[qn_generic_inputs(generic)];
  const qn_op *op = qn_op_operand(body->last, 0)->op;
  return (qn_join){op, qn_op_operand(op, 0) == acc ? 1 : 0};
}

static bool is_used_once(const qn_value *value) {
  return value->first_use && !value->first_use->next;
}

/* Whether the body yields join(acc, value) and acc and the joined value have no other use. Excludes
 * i1, which has no minimum and maximum that lanes could start with. */
static bool joins_numbers(const qn_op *generic) {
  const qn_block *body = qn_op_body(generic);
  const qn_value *acc = body->args[qn_generic_inputs(generic)];
  const qn_value *joined = qn_op_operand(body->last, 0);
  const qn_op *op = joined->op;
  if (!op || op->block != body || join_row(op->kind) == QN_COUNT(joins)) return false;
  if (width_of(joined->type) < 2) return false;
  bool reads = qn_op_operand(op, 0) == acc || qn_op_operand(op, 1) == acc;
  return reads && is_used_once(acc) && is_used_once(joined);
}

/* ---- loops ---- */

static bool mentions(const qn_affine_expr *e, uint32_t loop) {
  if (e->kind == QN_AFFINE_DIM) return e->value == (int64_t)loop;
  return e->lhs && (mentions(e->lhs, loop) || mentions(e->rhs, loop));
}

static bool map_mentions(const qn_affine_map *map, uint32_t loop) {
  for (uint32_t d = 0; d < map->result_count; d++)
    if (mentions(map->results[d], loop)) return true;
  return false;
}

uint32_t qn_reduction_first(const qn_op *generic) {
  uint32_t first = qn_generic_loops(generic);
  while (first > 0) {
    for (uint32_t i = qn_generic_inputs(generic); i < generic->operand_count; i++)
      if (map_mentions(qn_generic_map(generic, i), first - 1)) return first;
    first--;
  }
  return 0;
}

/* Whether the map indexes each dimension by one loop, and all loops occur. */
static bool is_walked_by_all(const qn_affine_map *map, uint32_t loops) {
  if (map->result_count != loops) return false;
  for (uint32_t d = 0; d < loops; d++) {
    if (map->results[d]->kind != QN_AFFINE_DIM) return false;
    for (uint32_t e = 0; e < d; e++)
      if (map->results[d]->value == map->results[e]->value) return false;
  }
  return true;
}

static bool has_last(const qn_affine_map *map, uint32_t loop) {
  for (uint32_t d = 0; d + 1 < map->result_count; d++)
    if (mentions(map->results[d], loop)) return false;
  return map->result_count > 0 && map->results[map->result_count - 1]->kind == QN_AFFINE_DIM;
}

bool qn_reduces_in_lanes(const qn_op *generic) {
  uint32_t loops = qn_generic_loops(generic), inputs = qn_generic_inputs(generic);
  if (loops == 0 || generic->result_count != 1 || qn_reduction_first(generic) == loops)
    return false;
  const qn_attr *types = qn_op_find(generic, QN_A_ITERATOR_TYPES);
  if (!qn_str_is(qn_iterator_kind(types->array.items[loops - 1]), "reduction")) return false;
  bool found = false;
  for (uint32_t i = 0; i < inputs; i++) {
    const qn_affine_map *map = qn_generic_map(generic, i);
    if (map_mentions(map, loops - 1) && !has_last(map, loops - 1)) return false;
    found |= is_walked_by_all(map, loops);
  }
  return found && joins_numbers(generic);
}

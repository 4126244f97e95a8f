/* See generic_points.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ops/generic_points.h"

enum {
  MOST_POINTS = 256, /* at a time: all values of a body should stay in L1 or L2 */
  LEAST_POINTS = 8,  /* at a time */
  LEAST_SPACE = 256  /* points for which a copy of the body is worth its time */
};

static bool is_scalar(const qn_type *type) {
  bool known =
      type->kind == QN_TYPE_INTEGER || type->kind == QN_TYPE_INDEX || type->kind == QN_TYPE_FLOAT;
  uint32_t bytes = known ? qn_type_bytes(type) : 0;
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Ops that have an evaluator of vectors, constants, and indices. */
static bool is_suitable(const qn_op *op) {
  if (qn_op_has(op, QN_TERMINATOR)) return true;
  bool vectors = qn_op_has(op, QN_ELEMENTWISE) && op->operand_count > 0 &&
                 op->operand_count <= QN_POINTS_MOST_OPERANDS &&
                 (qn_op_info_of(op)->traits & QN_ANY_STAGE) == QN_ANY_STAGE;
  bool known = vectors || qn_op_has(op, QN_CONSTANT) || op->kind == QN_OP_LINALG_INDEX;
  return known && op->region_count == 0 && op->result_count == 1 && is_scalar(op->results[0].type);
}

static bool body_is_suitable(const qn_op *generic) {
  const qn_block *body = qn_op_body(generic);
  uint32_t count = 0;
  for (uint32_t i = 0; i < body->arg_count; i++)
    if (!is_scalar(body->args[i]->type)) return false;
  for (const qn_op *op = body->first; op; op = op->next)
    if (!is_suitable(op) || ++count > QN_POINTS_MOST_BODY_OPS) return false;
  return qn_generic_is_closed(generic);
}

/* By how much the expression grows with each step of a loop; false if that is not constant. */
static bool slope(const qn_affine_expr *e, uint32_t loop, int64_t *out) {
  int64_t a, b;
  *out = 0;
  switch (e->kind) {
  case QN_AFFINE_DIM:
    *out = e->value == (int64_t)loop;
    return true;
  case QN_AFFINE_CONST:
  case QN_AFFINE_SYMBOL:
    return true;
  default:
    if (!slope(e->lhs, loop, &a) || !slope(e->rhs, loop, &b)) return false;
  }
  if (a == 0 && b == 0) return true;
  bool scaled = e->kind == QN_AFFINE_MUL && e->rhs->kind == QN_AFFINE_CONST && b == 0;
  if (e->kind != QN_AFFINE_ADD && !scaled) return false;
  *out = scaled ? a * e->rhs->value : a + b;
  return true;
}

bool qn_generic_stride(qn_eval *ev, const qn_generic *g, uint32_t operand, uint32_t loop,
                       int64_t *out) {
  const qn_affine_map *map = qn_generic_map(g->op, operand);
  const qn_type *type = qn_generic_side(ev, g, operand)->type;
  int64_t size = 1, step;
  *out = 0;
  for (uint32_t d = map->result_count; d-- > 0; size *= type->shaped.dims[d]) {
    if (!slope(map->results[d], loop, &step) || step > INT32_MAX || step < -INT32_MAX) return false;
    *out += step * size;
  }
  return true;
}

/* Whether the points along the loop have outputs of their own, and all operands a stride. */
static bool can_run_along(qn_eval *ev, const qn_generic *g, uint32_t loop) {
  int64_t stride;
  for (uint32_t i = 0; i < g->op->operand_count; i++) {
    if (!qn_generic_stride(ev, g, i, loop, &stride)) return false;
    if (i >= g->inputs && stride == 0) return false;
  }
  return true;
}

static bool is_parallel(const qn_op *generic, uint32_t loop) {
  const qn_attr *types = qn_op_find(generic, QN_A_ITERATOR_TYPES);
  return qn_str_is(qn_iterator_kind(types->array.items[loop]), "parallel");
}

/* Whether the elements of the operand follow each other across the last loops from `first` on, each
 * of which is an index of its own or none. */
static bool is_contiguous(qn_eval *ev, const qn_generic *g, uint32_t operand, uint32_t first) {
  const qn_affine_map *map = qn_generic_map(g->op, operand);
  int64_t stride, inner = 0;
  for (uint32_t loop = g->loops; loop-- > first; inner = stride) {
    for (uint32_t d = 0; d < map->result_count; d++)
      if (map->results[d]->kind != QN_AFFINE_DIM &&
          (!slope(map->results[d], loop, &stride) || stride))
        return false;
    if (!qn_generic_stride(ev, g, operand, loop, &stride)) return false;
    if (loop + 1 < g->loops && stride != inner * g->ranges[loop + 1]) return false;
  }
  return true;
}

/* Takes as many of the last loops as are parallel and contiguous, if that is more points. */
static void choose_suffix(qn_eval *ev, const qn_generic *g, qn_generic_points *p) {
  int64_t points = 1;
  for (uint32_t first = g->loops; first-- > 0;) {
    bool joins = is_parallel(g->op, first) && can_run_along(ev, g, first) &&
                 !qn_generic_is_indexed(g->op, first);
    for (uint32_t i = 0; joins && i < g->op->operand_count; i++)
      joins = is_contiguous(ev, g, i, first);
    if (!joins) return;
    points *= g->ranges[first];
    if (points <= p->range) continue;
    p->first = first, p->along = g->loops - 1;
    p->range = points;
  }
}

/* The parallel loop with the largest range; the last of equal ones, which is the most contiguous.
 */
static bool choose_loop(qn_eval *ev, const qn_generic *g, qn_generic_points *p) {
  for (uint32_t loop = 0; loop < g->loops; loop++)
    if (is_parallel(g->op, loop) && g->ranges[loop] >= p->range && can_run_along(ev, g, loop)) {
      p->first = p->along = loop;
      p->range = g->ranges[loop];
    }
  choose_suffix(ev, g, p);
  if (p->range >= LEAST_POINTS) {
    p->width = p->range < MOST_POINTS ? p->range : MOST_POINTS;
    return true;
  }
  p->first = p->along = g->loops - 1;
  p->range = g->ranges[p->along];
  p->width = QN_REDUCTION_LANES;
  p->lanes_along = true;
  int64_t stride;
  for (uint32_t i = 0; i < g->inputs; i++)
    if (!qn_generic_stride(ev, g, i, p->along, &stride)) return false;
  return g->lanes && p->range >= LEAST_POINTS;
}

static bool is_worthwhile(const qn_generic *g) {
  int64_t space = 1;
  for (uint32_t loop = 0; loop < g->loops && space < LEAST_SPACE; loop++) space *= g->ranges[loop];
  return space >= LEAST_SPACE;
}

bool qn_generic_choose_points(qn_eval *ev, const qn_generic *g, qn_generic_points *out) {
  *out = (qn_generic_points){.along = g->loops};
  return g->loops > 0 && is_worthwhile(g) && body_is_suitable(g->op) && choose_loop(ev, g, out);
}

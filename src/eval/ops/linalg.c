/* Evaluators of the linalg dialect. They loop over the iteration space in the order that
 * ir/reduction.h defines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/checked.h"
#include "eval/ops/generic.h"

/* Determines the range of each loop. Every dimension that is indexed by the loop alone must have
 * that size. */
static qn_status find_ranges(qn_eval *ev, const qn_generic *g) {
  for (uint32_t loop = 0; loop < g->loops; loop++) {
    uint32_t operand, dim;
    if (!qn_generic_range(g->op, loop, &operand, &dim))
      return qn_eval_fail(ev, g->op, "has a loop without range");
    g->ranges[loop] = qn_generic_side(ev, g, operand)->type->shaped.dims[dim];
  }
  for (uint32_t i = 0; i < g->op->operand_count; i++) {
    const qn_affine_map *map = qn_generic_map(g->op, i);
    for (uint32_t d = 0; d < map->result_count; d++) {
      if (map->results[d]->kind != QN_AFFINE_DIM) continue;
      int64_t range = g->ranges[map->results[d]->value];
      int64_t size = qn_generic_side(ev, g, i)->type->shaped.dims[d];
      if (size != range)
        return qn_eval_fail(ev, g->op,
                            "operand #%u has %lld elements in dimension %u, but %lld are needed", i,
                            (long long)size, d, (long long)range);
    }
  }
  return QN_OK;
}

/* ---- lanes ---- */

static qn_rt_value *lane(const qn_generic *g) {
  return &g->lanes[g->point[g->loops - 1] % QN_REDUCTION_LANES];
}

static void empty_lanes(const qn_generic *g) {
  qn_join join = qn_reduction_join(g->op);
  qn_neutral neutral = qn_join_neutral(&join);
  for (uint32_t k = 0; k < QN_REDUCTION_LANES; k++)
    g->lanes[k] = (qn_rt_value){.type = join.op->results[0].type, .f = neutral.f, .i = neutral.i};
}

/* Runs the body with the accumulator of the point's lane as the output's element. */
static qn_status run_lane(qn_eval *ev, const qn_generic *g) {
  const qn_block *body = qn_op_body(g->op);
  ev->values[body->args[g->inputs]->id] = *lane(g);
  QN_TRY(qn_eval_block(ev, body));
  *lane(g) = *qn_eval_operand(ev, body->last, 0);
  return qn_generic_stands_at(g, true) ? qn_generic_join_lanes(ev, g) : QN_OK;
}

/* ---- points ---- */

static qn_status run_point(qn_eval *ev, const qn_generic *g) {
  const qn_block *body = qn_op_body(g->op);
  uint8_t *at;
  if (g->lanes && qn_generic_stands_at(g, false)) empty_lanes(g);
  for (uint32_t i = 0; i < (g->lanes ? g->inputs : g->op->operand_count); i++) {
    qn_rt_value *arg = &ev->values[body->args[i]->id];
    const qn_rt_value *value = qn_generic_side(ev, g, i);
    if (!qn_type_is_shaped(value->type)) {
      *arg = *value;
      continue;
    }
    QN_TRY(qn_generic_locate(ev, g, i, &at));
    arg->type = body->args[i]->type;
    qn_rt_set_scalar(arg, at);
  }
  if (g->lanes) return run_lane(ev, g);
  QN_TRY(qn_eval_block(ev, body));
  for (uint32_t i = 0; i < g->op->result_count; i++) {
    uint8_t scratch[QN_SCALAR_BYTES];
    const qn_rt_value *yielded = qn_eval_operand(ev, body->last, i);
    QN_TRY(qn_generic_locate(ev, g, g->inputs + i, &at));
    memcpy(at, qn_rt_bytes(yielded, scratch), qn_type_bytes(yielded->type));
  }
  return QN_OK;
}

static qn_status copy_outputs(qn_eval *ev, const qn_generic *g) {
  for (uint32_t i = 0; i < g->op->result_count; i++) {
    const qn_rt_value *initial = qn_eval_operand(ev, g->op, g->inputs + i);
    qn_rt_value *result;
    QN_TRY(qn_eval_result_as(ev, g->op, i, initial->type, &result));
    if (initial->size > 0) memcpy(result->data, initial->data, (size_t)initial->size);
  }
  return QN_OK;
}

qn_status qn_eval_linalg_generic(qn_eval *ev, const qn_op *op) {
  qn_generic g = {.op = op, .loops = qn_generic_loops(op), .inputs = qn_generic_inputs(op)};
  int64_t ranges[QN_EVAL_MAX_RANK + 1], point[QN_EVAL_MAX_RANK + 1] = {0};
  if (g.loops > QN_EVAL_MAX_RANK) return qn_eval_fail(ev, op, "has %u loops", g.loops);
  g.ranges = ranges;
  g.point = point;
  QN_TRY(copy_outputs(ev, &g));
  QN_TRY(find_ranges(ev, &g));
  for (uint32_t loop = 0; loop < g.loops; loop++)
    if (ranges[loop] == 0) return QN_OK;
  qn_rt_value lanes[QN_REDUCTION_LANES];
  g.reduced = qn_reduction_first(op);
  if (qn_reduces_in_lanes(op)) g.lanes = lanes;
  bool done;
  QN_TRY(qn_generic_run_rows(ev, &g, &done));
  if (done) return QN_OK;
  const int64_t *outer = ev->point;
  qn_status status = QN_OK;
  do {
    ev->point = point; /* a nested op has set its own point */
    status = run_point(ev, &g);
  } while (status == QN_OK && qn_generic_advance(&g, g.loops, g.loops));
  ev->point = outer;
  return status;
}

qn_status qn_eval_linalg_yield(qn_eval *ev, const qn_op *op) {
  (void)ev, (void)op;
  return QN_OK;
}

qn_status qn_eval_linalg_index(qn_eval *ev, const qn_op *op) {
  qn_eval_result(ev, op, 0)->i = ev->point[qn_op_dim(op)];
  return QN_OK;
}

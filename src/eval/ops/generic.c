/* What both ways to run a linalg.generic share (generic.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ops/generic.h"

#include <string.h>

qn_rt_value *qn_generic_side(qn_eval *ev, const qn_generic *g, uint32_t operand) {
  if (operand < g->inputs) return qn_eval_operand(ev, g->op, operand);
  return &ev->values[g->op->results[operand - g->inputs].id];
}

qn_status qn_generic_locate(qn_eval *ev, const qn_generic *g, uint32_t operand, uint8_t **out_at) {
  const qn_rt_value *value = qn_generic_side(ev, g, operand);
  const qn_affine_map *map = qn_generic_map(g->op, operand);
  int64_t at = 0;
  for (uint32_t d = 0; d < map->result_count; d++) {
    int64_t i = qn_affine_eval(map->results[d], g->point, NULL), size = value->type->shaped.dims[d];
    if (i < 0 || i >= size)
      return qn_eval_fail(ev, g->op,
                          "reads index %lld of dimension %u of operand #%u, whose size is %lld",
                          (long long)i, d, operand, (long long)size);
    at = at * size + i;
  }
  *out_at = value->data + at * qn_type_bytes(qn_type_element(value->type));
  return QN_OK;
}

bool qn_generic_advance(const qn_generic *g, uint32_t first, uint32_t last) {
  for (uint32_t loop = g->loops; loop-- > 0;) {
    if (first <= loop && loop <= last) continue;
    if (++g->point[loop] < g->ranges[loop]) return true;
    g->point[loop] = 0;
  }
  return false;
}

/* ---- lanes ---- */

bool qn_generic_stands_at(const qn_generic *g, bool end) {
  for (uint32_t loop = g->reduced; loop < g->loops; loop++)
    if (g->point[loop] != (end ? g->ranges[loop] - 1 : 0)) return false;
  return true;
}

/* acc = join(acc, value), computed by the evaluator of the joining op. */
static qn_status join_into(qn_eval *ev, const qn_join *join, qn_rt_value *acc,
                           const qn_rt_value *value) {
  qn_rt_value *to[2], saved[2];
  for (uint32_t i = 0; i < 2; i++) {
    to[i] = qn_eval_operand(ev, join->op, i);
    saved[i] = *to[i];
    *to[i] = i == join->value ? *value : *acc;
  }
  qn_status status = qn_eval_table[join->op->kind](ev, join->op);
  *acc = ev->values[join->op->results[0].id];
  for (uint32_t i = 0; i < 2; i++) *to[i] = saved[i];
  return status;
}

qn_status qn_generic_join_lanes(qn_eval *ev, const qn_generic *g) {
  qn_join join = qn_reduction_join(g->op);
  for (uint32_t half = QN_REDUCTION_LANES / 2; half > 0; half /= 2)
    for (uint32_t k = 0; k < half; k++)
      QN_TRY(join_into(ev, &join, &g->lanes[k], &g->lanes[k + half]));
  uint8_t *at, scratch[QN_SCALAR_BYTES];
  QN_TRY(qn_generic_locate(ev, g, g->inputs, &at));
  qn_rt_value acc = {.type = join.op->results[0].type};
  qn_rt_set_scalar(&acc, at);
  QN_TRY(join_into(ev, &join, &acc, &g->lanes[0]));
  memcpy(at, qn_rt_bytes(&acc, scratch), qn_type_bytes(acc.type));
  return QN_OK;
}

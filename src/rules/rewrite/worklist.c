/* The work list of ops to visit, producers first, and capturing of diagnostics while ops are
 * staged.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "rules/rewrite/run.h"

/* Pointer to the position of an op in the list. NULL if the op has no results, because no rule can
 * match it. */
static uint32_t *place_of(qn_rule_run *run, const qn_op *op) {
  if (op->result_count == 0) return NULL;
  qn_array_reserve(&run->places, run->module->value_count);
  while (run->places.count <= op->results[0].id) qn_array_push(&run->places, 0);
  return &run->places.data[op->results[0].id];
}

void qn_rule_run_push(qn_rule_run *run, qn_op *op) {
  if (qn_op_has(op, QN_TERMINATOR)) return;
  uint32_t *place = place_of(run, op);
  if (!place) return;
  QN_ASSERT(*place == 0 || run->list.data[*place - 1] == op);
  if (*place > 0) return;
  qn_array_push(&run->list, op);
  *place = (uint32_t)run->list.count;
}

qn_op *qn_rule_run_pop(qn_rule_run *run) {
  while (run->next < run->list.count) {
    qn_op *op = run->list.data[run->next++];
    if (!op) continue;
    QN_ASSERT(*place_of(run, op) == run->next); /* counted from 1 */
    *place_of(run, op) = 0;
    return op;
  }
  return NULL;
}

static void forget(qn_rule_run *run, qn_op *op) {
  uint32_t *place = place_of(run, op);
  if (place && *place > 0) run->list.data[*place - 1] = NULL;
  if (place) *place = 0;
  qn_map_set(&run->makers, op, NULL);
  qn_rule_graph_forget(&run->graph, op);
}

void qn_rule_run_erase_one(qn_rule_run *run, qn_op *op) {
  forget(run, op);
  qn_op_erase(run->module, op);
  run->ops--;
}

void qn_rule_run_erase(qn_rule_run *run, qn_op *op) {
  QN_ARRAY(qn_op *) dead = {0};
  qn_array_push(&dead, op);
  while (dead.count > 0) {
    qn_op *gone = dead.data[--dead.count];
    size_t first = dead.count;
    for (uint32_t i = 0; i < gone->operand_count; i++) {
      qn_op *producer = qn_op_operand(gone, i)->op;
      bool known = !producer;
      for (size_t k = first; k < dead.count && !known; k++) known = dead.data[k] == producer;
      if (!known) qn_array_push(&dead, producer);
    }
    qn_rule_run_erase_one(run, gone);
    for (size_t k = dead.count; k-- > first;)
      if (!qn_op_is_dead(dead.data[k])) dead.data[k] = dead.data[--dead.count];
  }
  qn_array_free(&dead);
}

/* ---- diagnostics of staged ops ---- */

static void capture(void *user, const qn_diag *diag) {
  qn_text *text = user;
  if (text->size == 0) qn_text_put(text, diag->text);
}

qn_rule_quiet qn_rule_begin_quiet(qn_rule_run *run) {
  qn_diag_engine *diag = &run->module->cx->diag;
  QN_ASSERT(diag->handler != capture); /* not nested */
  qn_rule_quiet quiet = {.user = diag->user};
  quiet.state = qn_diag_silence(diag);
  qn_text_clear(&run->captured);
  diag->handler = capture;
  diag->user = &run->captured;
  return quiet;
}

void qn_rule_end_quiet(qn_rule_run *run, const qn_rule_quiet *quiet) {
  qn_diag_engine *diag = &run->module->cx->diag;
  QN_ASSERT(diag->handler == capture);
  diag->user = quiet->user;
  qn_diag_restore(diag, &quiet->state);
}

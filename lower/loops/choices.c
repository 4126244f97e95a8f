/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/choices.h"

#include "base/map.h"
#include "ir/walk.h"
#include "lower/loops/schedule.h"

struct qn_choices {
  qn_map of_op;
};

qn_choices *qn_choices_make(qn_loops *lo, const qn_op *func) {
  qn_choices *choices = QN_NEW(lo->kept, qn_choices);
  QN_FOR_EACH_NESTED_OP(op, func) {
    const qn_schedule *schedule = qn_schedule_of(op);
    void *choice = schedule->choose ? schedule->choose(lo, op) : NULL;
    if (choice) qn_map_set(&choices->of_op, op, choice);
  }
  return choices;
}

void qn_choices_destroy(qn_choices *choices) {
  if (choices) qn_map_deinit(&choices->of_op);
}

const void *qn_choice_of(const qn_loops *lo, const qn_op *op) {
  return qn_map_get(&lo->choices->of_op, op);
}

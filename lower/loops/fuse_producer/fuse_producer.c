/* Finds the producers that are fused into the kernels of their consumers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fuse_producer/fuse_producer.h"

#include "base/map.h"
#include "ir/walk.h"
#include "lower/loops/fuse_producer/read_through.h"
#include "lower/loops/schedule.h"

struct qn_producers {
  qn_map consumer_of, producer_of; /* op -> op */
};

/* The producer of which the kernel of `op` had better compute the rows itself; NULL if none. */
static const qn_op *find_feed(qn_loops *lo, qn_op *op) {
  const qn_schedule *schedule = qn_schedule_of(op);
  if (!schedule->takes) return NULL;
  const qn_value *x = qn_op_operand(op, 0);
  const qn_op *from = x->op;
  if (!from || from->block != op->block || !qn_value_has_one_use(x)) return NULL;
  const qn_producer *producer = qn_schedule_of(from)->producer;
  return producer && producer->can(from) && schedule->takes(lo, op, from) ? from : NULL;
}

/* Whether all ops that read the result compute it themselves: constant weights that their kernels
 * widen. */
static bool is_widened(const qn_op *op) {
  const qn_use *use = op->result_count == 1 ? op->results[0].first_use : NULL;
  if (!use) return false;
  for (; use; use = use->next) {
    const qn_schedule *schedule = qn_schedule_of(use->owner);
    if (use != &use->owner->operands[1] || !schedule->widens || !schedule->widens(use->owner))
      return false;
  }
  return true;
}

qn_producers *qn_producers_find(qn_loops *lo, const qn_op *func) {
  qn_producers *producers = QN_NEW(lo->scratch, qn_producers);
  if (lo->keep_tensors) return producers;
  QN_FOR_EACH_NESTED_OP(op, func) {
    if (is_widened(op)) {
      const qn_op *reader = op->results[0].first_use->owner;
      qn_map_set(&producers->consumer_of, op, (void *)(uintptr_t)reader);
    }
    const qn_op *through = qn_read_through(op);
    if (through) qn_map_set(&producers->consumer_of, op, (void *)(uintptr_t)through);
    const qn_op *from = find_feed(lo, op);
    if (!from) continue;
    qn_map_set(&producers->consumer_of, from, (void *)(uintptr_t)op);
    qn_map_set(&producers->producer_of, op, (void *)(uintptr_t)from);
  }
  return producers;
}

void qn_producers_destroy(qn_producers *producers) {
  if (!producers) return;
  qn_map_deinit(&producers->consumer_of);
  qn_map_deinit(&producers->producer_of);
}

const qn_op *qn_producer_consumer(const qn_loops *lo, const qn_op *op) {
  return lo->producers ? qn_map_get(&lo->producers->consumer_of, op) : NULL;
}

const qn_op *qn_producer_of(const qn_loops *lo, const qn_op *reader) {
  return lo->producers ? qn_map_get(&lo->producers->producer_of, reader) : NULL;
}

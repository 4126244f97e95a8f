/* Finds the ops that feed others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/feed/feed.h"

#include "base/map.h"
#include "ir/walk.h"
#include "lower/loops/schedule.h"

struct qn_feeds {
  qn_map reader_of, feed_of; /* op -> op */
};

/* The op whose rows the kernel of `op` had better make itself, or NULL. */
static const qn_op *find_feed(qn_loops *lo, qn_op *op) {
  const qn_schedule *schedule = qn_schedule_of(op);
  if (!schedule->takes) return NULL;
  const qn_value *x = qn_op_operand(op, 0);
  const qn_op *from = x->op;
  if (!from || from->block != op->block || !qn_value_has_one_use(x)) return NULL;
  const qn_feed *feed = qn_schedule_of(from)->feed;
  return feed && feed->can(from) && schedule->takes(lo, op, from) ? from : NULL;
}

/* Whether all who read the op's result compute it themselves: constant weights that they widen. */
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

qn_feeds *qn_feeds_find(qn_loops *lo, const qn_op *func) {
  qn_feeds *feeds = QN_NEW(lo->scratch, qn_feeds);
  if (lo->keep_tensors) return feeds;
  QN_FOR_EACH_NESTED_OP(op, func) {
    if (is_widened(op)) {
      const qn_op *reader = op->results[0].first_use->owner;
      qn_map_set(&feeds->reader_of, op, (void *)(uintptr_t)reader);
    }
    const qn_op *from = find_feed(lo, op);
    if (!from) continue;
    qn_map_set(&feeds->reader_of, from, (void *)(uintptr_t)op);
    qn_map_set(&feeds->feed_of, op, (void *)(uintptr_t)from);
  }
  return feeds;
}

void qn_feeds_destroy(qn_feeds *feeds) {
  if (!feeds) return;
  qn_map_deinit(&feeds->reader_of);
  qn_map_deinit(&feeds->feed_of);
}

const qn_op *qn_feed_reader(const qn_loops *lo, const qn_op *op) {
  return lo->feeds ? qn_map_get(&lo->feeds->reader_of, op) : NULL;
}

const qn_op *qn_feed_of(const qn_loops *lo, const qn_op *reader) {
  return lo->feeds ? qn_map_get(&lo->feeds->feed_of, reader) : NULL;
}

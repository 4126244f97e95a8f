/* Branches and loops (QN_CONTROL): which values the op, or the terminator of one of its blocks,
 * passes to block arguments and to results.
 *
 * A value is passed in a slot. Slot i of a list is argument i of its block and result i of the op,
 * if these exist. For a loop, both are the value that the last iteration yielded (a loop-carried
 * variable).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_CONTROL_H
#define QN_IR_OPS_CONTROL_H

#include "ir/op.h"

enum { QN_MOST_SLOT_LISTS = 2, QN_MOST_TRANSFERS = 3 };

typedef struct qn_slots {
  uint32_t count;
  qn_value *const *args; /* block arguments; NULL if none */
  bool results;          /* the op's results belong to this list */
} qn_slots;

/* Operands of `from`, from index `first` on, are passed to all slots of a list. */
typedef struct qn_transfer {
  const qn_op *from;
  uint32_t first, list;
} qn_transfer;

typedef struct qn_control {
  qn_slots lists[QN_MOST_SLOT_LISTS];
  qn_transfer transfers[QN_MOST_TRANSFERS]; /* in order of first execution */
  uint32_t list_count, transfer_count;
  bool loops; /* its blocks may be executed any number of times */
} qn_control;

/* The transfers of a verified op with the trait QN_CONTROL. */
qn_control qn_control_of(const qn_op *op);

/* The value of slot i of a list: its block argument if there is one, else the result. */
const qn_value *qn_slot_value(const qn_op *op, const qn_slots *slots, uint32_t i);

/* How often the enclosing scf.for ops of constant bounds execute `op` together; other branches and
 * loops count as one execution. At most INT64_MAX. */
int64_t qn_control_rounds(const qn_op *op);
/* Multiply-accumulates of a launch in all its rounds. At most INT64_MAX. */
int64_t qn_launch_macs(const qn_op *launch);

#endif

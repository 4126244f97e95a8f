/* Branches and loops (QN_CONTROL): which values they pass, from themselves or from what ends
 * one of their blocks, to arguments of blocks and to their results.
 *
 * A value is passed in a slot. Slot i of a list is argument i of its block and result i of the
 * op, where it has these: for a loop both are what the last iteration left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_CONTROL_H
#define QN_IR_OPS_CONTROL_H

#include "ir/op.h"

enum { QN_MOST_SLOT_LISTS = 2, QN_MOST_TRANSFERS = 3 };

typedef struct qn_slots {
  uint32_t count;
  qn_value *const *args; /* arguments of a block, or NULL */
  bool results;          /* the op's results are those of this list */
} qn_slots;

/* Operands of `from`, beginning with `first`, go to all slots of a list. */
typedef struct qn_transfer {
  const qn_op *from;
  uint32_t first, list;
} qn_transfer;

typedef struct qn_control {
  qn_slots lists[QN_MOST_SLOT_LISTS];
  qn_transfer transfers[QN_MOST_TRANSFERS]; /* in the order in which they are executed first */
  uint32_t list_count, transfer_count;
  bool loops; /* its blocks are executed any number of times */
} qn_control;

/* The transfers of a verified op with the trait QN_CONTROL. */
qn_control qn_control_of(const qn_op *op);

/* Value i of a list: its argument if there is one, else the result. */
const qn_value *qn_slot_value(const qn_op *op, const qn_slots *slots, uint32_t i);

#endif

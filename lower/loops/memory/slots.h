/* Loop-carried variables and results of branches: all ops that yield one write the same buffer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_SLOTS_H
#define QN_LOWER_LOOPS_SLOTS_H

#include "lower/loops/memory/buffers.h"

/* Assigns a buffer to every slot. A yielded value is written there if no later op reads the old
 * contents; else it is copied after the op that yields it. Runs after views and merged parts,
 * before results of @main. */
void qn_place_slots(const qn_assigner *a);

#endif

/* Slots of branches and loops: what several ops hand on lies in one storage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_SLOTS_H
#define QN_LOWER_LOOPS_SLOTS_H

#include "lower/loops/memory/storages.h"

/* Gives every slot of tensors its storage and has what is handed on written there, where nothing
 * still reads what that holds; else it is copied, behind the op that hands it on. After views and
 * joined parts, before results of @main. */
void qn_place_slots(const qn_assigner *a);

#endif

/* Results of @main: written straight to outputs and states, or copied there at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_RESULTS_H
#define QN_LOWER_LOOPS_RESULTS_H

#include "lower/loops/memory/buffers.h"

/* Which buffers hold a tensor that does not fill them: an output of elements wider than a byte
 * cannot be viewed in part. */
bool *qn_memory_parts(const qn_assigner *a);
void qn_place_outputs(const qn_assigner *a);
void qn_place_states(const qn_assigner *a);

#endif

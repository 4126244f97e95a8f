/* The order of a tile's channels. Those that share a lane share masks where they agree: which ones
 * do is chosen within 128 bits, where one shuffle of bytes brings results back into order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_ORDER_H
#define QN_LOWER_LOOPS_STEPS_ORDER_H

#include "lower/loops/matrix/steps/fits.h"

/* Whether there are so few quads that steps are bound by masks. */
bool qn_steps_ask_for_order(uint32_t quads);

/* out_lanes[i]: the lane of the tile whose weights lane i should have; 128 bits of all vectors,
 * four lanes of each, keep theirs. */
void qn_steps_order(qn_arena *scratch, const qn_step_source *source, uint32_t *out_lanes);

#endif

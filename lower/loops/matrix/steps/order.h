/* Permutation of a tile's channels. Channels in the same lane of different vectors can share
 * complement masks if they agree on them. The permutation stays within 128 bits, so that one byte
 * shuffle restores the order of the results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_ORDER_H
#define QN_LOWER_LOOPS_STEPS_ORDER_H

#include "lower/loops/matrix/steps/fits.h"

/* Whether K has so few quads that masks bound the K steps, so that a permutation pays. */
bool qn_steps_ask_for_order(uint32_t quads);

/* out_lanes[i]: the lane of the tile whose weights move to lane i. The channels of a group of 128
 * bits of all vectors, 4 lanes of each, stay in that group. */
void qn_steps_order(qn_arena *scratch, const qn_step_source *source, uint32_t *out_lanes);

#endif

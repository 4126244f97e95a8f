/* Ops that move bytes, for graphs of several ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_DIFF_LOOPS_MOVEMENT_H
#define TESTS_DIFF_LOOPS_MOVEMENT_H

#include "maker.h"

qn_value *movement_pad(maker *m, qn_value *x);
qn_value *movement_reshape(maker *m, qn_value *x);
qn_value *movement_transpose(maker *m, qn_value *x);
qn_value *movement_slice(maker *m, qn_value *x);
qn_value *movement_concat(maker *m, qn_value *const *parts, uint32_t count, uint32_t axis);
/* Splits x in two parts along an axis. Returns 0 if the axis is too short. */
uint32_t movement_split(maker *m, qn_value *x, uint32_t axis, qn_value *out_parts[2]);

#endif

/* Elementwise ops for graphs of several ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_DIFF_LOOPS_ELEMENTWISE_H
#define TESTS_DIFF_LOOPS_ELEMENTWISE_H

#include "maker.h"

qn_value *elementwise_add(maker *m, qn_value *a, qn_value *b, const qn_type *result, bool subtract);
qn_value *elementwise_lut(maker *m, qn_value *x, const qn_type *result);

#endif

/* Floats beside weights of 8 bits as products of bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_HYBRID_H
#define QN_LOWER_INTEGER_HYBRID_H

#include "lower/integer/integer.h"

/* Writes the op's plan so and replaces the op. False, and nothing is done: it has other ways. */
bool qn_integer_hybrid(qn_integer *in, qn_op *op, const qn_plan *plan);

#endif

/* Floats beside weights of 8 bits as products of bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_HYBRID_H
#define QN_LOWER_INTEGER_HYBRID_H

#include "lower/integer/integer.h"

/* Replaces the op by products of bytes. False: it has other ways; a plan of floats beside weights
 * of 8 bits now says, where that has the bits, that one op quantizes the rows. */
bool qn_integer_hybrid(qn_integer *in, qn_op *op, qn_plan *plan);

#endif

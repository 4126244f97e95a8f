/* Float inputs with 8-bit weights as byte products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_HYBRID_H
#define QN_LOWER_INTEGER_HYBRID_H

#include "lower/integer/integer.h"

/* Replaces the op by a quantization of rows and a byte product. Returns false if that does not
 * apply. */
bool qn_integer_hybrid(qn_integer *in, qn_op *op, const qn_plan *plan);

#endif

/* Convolution.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/loops.h"

qn_status qn_loops_ml_integer_conv(qn_loops *lo, qn_op *op) {
  return qn_error(&lo->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' is not lowered to loops yet",
                  QN_STR_ARG(op->name));
}

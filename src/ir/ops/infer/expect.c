/* Preconditions of the shape functions on operands, with diagnostics.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

bool qn_infer_rank(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *type,
                   uint32_t rank) {
  if (type->shaped.rank == rank) return true;
  return qn_op_complain(cx, op, "%s must have rank %u, but got %s", what, rank,
                        qn_type_quoted(cx, type));
}

bool qn_infer_dim(qn_ir_context *cx, const qn_op *op, const char *what, int64_t is,
                  int64_t expected) {
  if (is == expected) return true;
  return qn_op_complain(cx, op, "%s is %lld, but %lld is expected", what, (long long)is,
                        (long long)expected);
}

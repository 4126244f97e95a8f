/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/rescale.h"

#include "ir/ops/forms.h"

/* Reads an op whose second operand is a splat constant as the only user of a value. Returns its
 * result; NULL if the user is another one. */
static const qn_value *only_user(const qn_value *value, qn_op_kind kind, int64_t *out_constant) {
  const qn_op *op = qn_value_has_one_use(value) ? value->first_use->owner : NULL;
  if (!op || op->kind != kind) return NULL;
  const qn_attr *constant = qn_value_constant(qn_op_operand(op, 1));
  if (!constant || !qn_attr_is_elements(constant) || !constant->dense.splat) return NULL;
  *out_constant = qn_dense_int(constant, 0);
  return &op->results[0];
}

bool qn_cg_is_rectified(const qn_value *quotient) {
  const int64_t most = 1 << 16; /* quotients are below 2^30, so no sum wraps */
  int64_t zero_point = 0, least;
  const qn_value *sum = only_user(quotient, QN_OP_ARITH_ADDI, &zero_point);
  if (zero_point < -most || zero_point > most) return false;
  return only_user(sum ? sum : quotient, QN_OP_ARITH_MAXSI, &least) && least >= zero_point;
}

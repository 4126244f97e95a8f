/* The attribute "quern.numerics".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/numerics.h"

#include <float.h>
#include <math.h>

#include "ir/ops/verify/verifiers.h"
#include "ir/verify/check.h"

const char qn_numerics_attr[] = "quern.numerics";

static qn_status read(qn_ir_context *cx, const qn_op *op, const qn_loc *loc,
                      qn_module_numerics *out) {
  *out = (qn_module_numerics){.profile = &qn_profile_litert_ref, .rounding = QN_ROUND_EVEN};
  out->may_fall_back = qn_op_fall_back(op);
  if (!qn_op_find(op, QN_A_NUMERICS)) return QN_OK;
  QN_TRY(qn_profile_find(&cx->diag, loc, qn_op_numerics(op), &out->profile));
  out->rounding = out->profile->quantize;
  out->is_named = true;
  return QN_OK;
}

qn_status qn_module_numerics_of(const qn_module *module, const qn_loc *loc,
                                qn_module_numerics *out_numerics) {
  return read(module->cx, module->op, loc, out_numerics);
}

const qn_profile *qn_module_profile(const qn_module *module) {
  qn_module_numerics numerics;
  qn_status status = qn_module_numerics_of(module, module->op->loc, &numerics);
  return status == QN_OK ? numerics.profile : &qn_profile_litert_ref;
}

/* A product of matrices on floats with weights of 8 or 4 bits; LiteRT's kernels keep infinity
 * there. */
static bool is_hybrid_linear(const qn_op *op) {
  return op->kind == QN_OP_ML_HYBRID_LINEAR || op->kind == QN_OP_ML_BLOCK_LINEAR ||
         (op->kind == QN_OP_ML_LINEAR && qn_type_quant(qn_op_operand(op, 1)->type));
}

void qn_op_real_limits(const qn_module *module, const qn_op *op, float *out_low, float *out_high) {
  const qn_activation activation = qn_op_activation(op);
  qn_activation_limits(activation, out_low, out_high);
  if (!qn_type_is_float(qn_type_element(op->results[0].type), QN_F32)) return;
  if (activation == QN_ACT_FINITE) {
    *out_low = -FLT_MAX;
    *out_high = FLT_MAX;
  } else if (activation == QN_ACT_RELU && !is_hybrid_linear(op) &&
             qn_module_profile(module)->finite_results) {
    *out_high = FLT_MAX;
  }
}

/* Nested modules must not have their own numerics. */
bool qn_verify_module(qn_ir_context *cx, const qn_op *op) {
  qn_module_numerics unused;
  if (qn_op_parent(op) && qn_op_find(op, QN_A_NUMERICS))
    return qn_op_complain(cx, op, "has '%s', which only the top-level module takes",
                          qn_numerics_attr);
  int64_t bits = qn_op_index_bits(op);
  if (bits != 32 && bits != 64)
    return qn_op_complain(cx, op, "has 'quern.index_bits' %lld: an index has 32 or 64 bits",
                          (long long)bits);
  return read(cx, op, op->loc, &unused) == QN_OK;
}

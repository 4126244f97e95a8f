/* The lowering of each op of the integer stage. Every row of ops/ml_integer.def must have a
 * function qn_loops_STEM, or this does not link; the ops of ops/ml.def that stand at the integer
 * stage too are listed in loops.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/loops.h"

#include "lower/tensors/state.h"

#define OP(stem, kind, ...) [QN_OP_##kind] = qn_loops_##stem,
static qn_loops_fn *const lowerings[QN_OP_COUNT] = {
#include "ir/ops/ml_integer.def"
    QN_LOOPS_MOVEMENT_OPS(OP)[QN_OP_LINALG_GENERIC] = qn_loops_tensor_op};
#undef OP

/* Ops whose operands from this one on go into the kernels' constants. */
static const uint8_t first_constants[QN_OP_COUNT] = {[QN_OP_ML_INTEGER_CONV] = 1,
                                                     [QN_OP_ML_INTEGER_DEPTHWISE_CONV] = 1,
                                                     [QN_OP_ML_INTEGER_LINEAR] = 1,
                                                     [QN_OP_ML_LUT] = 1};

uint32_t qn_loops_first_constant(qn_op_kind kind) {
  return first_constants[kind] ? first_constants[kind] : UINT32_MAX;
}

qn_loops_fn *qn_loops_lowering(const qn_op *op) {
  return qn_tensors_is_elementwise(op) ? qn_loops_tensor_op : lowerings[op->kind];
}

bool qn_loops_is_constant(const qn_op *op) {
  return qn_op_has(op, QN_CONSTANT) || op->kind == QN_OP_TENSOR_EMPTY;
}

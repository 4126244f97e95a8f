/* Queries of the weights entries in the op tables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/weights.h"

#include "ir/ops/infer/infer.h"

qn_weights_layout qn_op_weights(const qn_op *op) { return qn_inference_of(op->kind)->weights; }

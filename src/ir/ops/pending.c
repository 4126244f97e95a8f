/* Verifiers that come with their dialects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/verifiers.h"

bool qn_verify_tensor_dim(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_tensor_rank(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_tensor_splat(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_tensor_empty(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_tensor_from_elements(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_tensor_reshape(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_tensor_cast(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_tensor_extract(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_shape_of(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_shape_num_elements(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_shape_split_at(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_const_shape(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_linalg_generic(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_linalg_yield(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_linalg_index(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_br(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_cond_br(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_assert(qn_ir_context *cx, const qn_op *op) { return cx && op; }
bool qn_verify_call_indirect(qn_ir_context *cx, const qn_op *op) { return cx && op; }

/* Evaluators that come with their dialects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/eval_op.h"

qn_status qn_eval_tensor_dim(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_tensor_rank(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_tensor_splat(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_tensor_empty(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_tensor_from_elements(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_tensor_reshape(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_tensor_cast(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_tensor_extract(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_shape_shape_of(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_shape_num_elements(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_shape_split_at(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_shape_const_shape(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_linalg_generic(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_linalg_yield(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_linalg_index(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_cf_br(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_cf_cond_br(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_cf_assert(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_func_constant(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }
qn_status qn_eval_func_call_indirect(qn_eval *ev, const qn_op *op) { return qn_eval_fail(ev, op, "has no evaluator yet"); }

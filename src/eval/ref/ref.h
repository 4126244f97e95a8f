/* Inside the reference kernels: what the evaluators of the model and integer stages share.
 *
 * Every evaluator has three steps: a plan (src/plan: made from the !quant types at the model stage,
 * read from attributes and operands at the integer stage), tensors widened to int32 with their zero
 * point removed, one kernel. So each kernel exists once and knows nothing of storage types.
 *
 * Nothing here trusts the verifier for memory safety: geometry and parameters are checked where
 * they are read, and what does not fit is an error at the op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_REF_H
#define QN_EVAL_REF_H

#include "base/guard.h"
#include "eval/eval_op.h"
#include "plan/plan.h"

/* ---- running an evaluator (common.c) ---- */

enum { QN_REF_MAX_BYTES = INT32_MAX }; /* of one tensor */
/* Checks that operands and results are tensors of static shape and sane size, gives the results
 * storage, runs `body`, and releases what it allocated in ev->arena. */
qn_status qn_ref_run(qn_eval *ev, const qn_op *op, qn_eval_fn *body);

/* One op with its parameters. */
typedef qn_status qn_ref_kernel(qn_eval *ev, const qn_op *op, const qn_plan *plan);
/* An op of the model stage by its plan; one without is run on int8 weights where these hold its
 * constant weights, else by its float form where that is allowed (float_form.c). */
qn_status qn_ref_run_model(qn_eval *ev, const qn_op *op, qn_ref_kernel *kernel);
/* An op that means `body` on floats throughout (qn_is_float_form), else a kernel with its plan. */
qn_status qn_ref_run_either(qn_eval *ev, const qn_op *op, qn_eval_fn *body, qn_ref_kernel *kernel);
/* An op of the integer stage by what it says. */
qn_status qn_ref_run_integer(qn_eval *ev, const qn_op *op, qn_plan_read_fn *read,
                             qn_ref_kernel *kernel);

/* Instead of a plan, for which `reason`, of that status, says why there is none. */
qn_status qn_ref_run_unplanned(qn_eval *ev, const qn_op *op, qn_planner *planner, qn_status status,
                               qn_str reason);

/* By a plan of kind QN_PLAN_FORM. */
qn_status qn_ref_run_form(qn_eval *ev, const qn_op *op);

static inline const qn_type *qn_ref_operand_type(const qn_op *op, uint32_t i) {
  return op->operands[i].value->type;
}
static inline const qn_type *qn_ref_result_type(const qn_op *op, uint32_t i) {
  return op->results[i].type;
}
/* All elements minus `zero_point`, widened; scratch memory. */
int32_t *qn_ref_load(qn_eval *ev, const qn_rt_value *value, int32_t zero_point);

/* ---- attributes ---- */

/* An array<i64> attribute of exactly `count` values, each at least `lo`. */
qn_status qn_ref_i64s(qn_eval *ev, const qn_op *op, qn_attr_id id, uint32_t count, int64_t lo,
                      const int64_t **out_values);

/* The stored result for what is left after requantization. */
static inline int32_t qn_ref_finish(const qn_plan_output *out, int32_t y) {
  return qn_clamp32((int64_t)y + out->zero_point, out->min, out->max);
}

/* ---- requantization of an accumulator (channels.c) ---- */

/* That weights and result have the plan's channels; gives the bias, zeros where there is none. */
qn_status qn_ref_channels(qn_eval *ev, const qn_op *op, const qn_plan_matrix *plan,
                          const int64_t **out_bias);
/* The stored result of channel c for a sum that includes the bias, of which the accumulator has as
 * many bits as the plan says. */
int32_t qn_ref_requantize(const qn_plan_matrix *plan, int64_t c, uint64_t sum);

/* ---- products of f32, without a plan (floats.c) ---- */

qn_eval_fn qn_ref_conv_floats, qn_ref_depthwise_floats, qn_ref_linear_floats, qn_ref_matmul_floats;

/* ---- sliding windows (window.c) ---- */

/* Convolutions and pools over NHWC. */
typedef struct qn_ref_window {
  int64_t batch, in_h, in_w, in_c, out_h, out_w, out_c;
  int64_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;
} qn_ref_window;
/* Reads "strides", "pad" and, when present, "dilations", and checks the result's shape. */
qn_status qn_ref_window_of(qn_eval *ev, const qn_op *op, int64_t kernel_h, int64_t kernel_w,
                           qn_ref_window *out);

/* Rows of ml_forms.def that are more than a table. */
qn_ref_kernel qn_ref_svdf, qn_ref_lstm;
/* y[i] = table[x[i] as unsigned byte]. */
void qn_ref_lut(const qn_rt_value *x, const uint8_t table[256], qn_rt_value *y);

#endif

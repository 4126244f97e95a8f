/* Internals of the reference kernels, shared by the evaluators of the model and integer stages.
 *
 * Every evaluator has three steps: get a plan (src/plan: derived from the !quant types at the model
 * stage, read from attributes and operands at the integer stage); widen tensors to int32 and
 * subtract their zero points; run one kernel. So each kernel exists once and does not depend on
 * storage types.
 *
 * Memory safety does not rely on the verifier: geometry and parameters are checked where they are
 * read, and a violation is an error at the op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_REF_H
#define QN_EVAL_REF_H

#include "base/guard.h"
#include "eval/eval_op.h"
#include "plan/plan.h"

/* ---- running an evaluator (common.c) ---- */

enum { QN_REF_MAX_BYTES = INT32_MAX }; /* maximum bytes of a tensor */
/* Checks that operands and results are tensors of static shape and bounded size, allocates the
 * results, runs `body`, and releases what it allocated in ev->arena. */
qn_status qn_ref_run(qn_eval *ev, const qn_op *op, qn_eval_fn *body);

/* Computes one op with its parameters. */
typedef qn_status qn_ref_kernel(qn_eval *ev, const qn_op *op, const qn_plan *plan);
/* Runs a model-stage op by its plan. Without a plan it runs with int8 weights, if these represent
 * its constant weights, else by its float decomposition, if permitted (float_form.c). */
qn_status qn_ref_run_model(qn_eval *ev, const qn_op *op, qn_ref_kernel *kernel);
/* Runs `body` for an op on floats throughout (qn_is_float_form), else `kernel` with the op's plan.
 */
qn_status qn_ref_run_either(qn_eval *ev, const qn_op *op, qn_eval_fn *body, qn_ref_kernel *kernel);
/* Runs an integer-stage op with the parameters that `read` returns. */
qn_status qn_ref_run_integer(qn_eval *ev, const qn_op *op, qn_plan_read_fn *read,
                             qn_ref_kernel *kernel);

/* Runs an op without a plan; `reason` and `status` say why it has none. */
qn_status qn_ref_run_unplanned(qn_eval *ev, const qn_op *op, qn_planner *planner, qn_status status,
                               qn_str reason);

/* Runs a recurrent cell on floats by its decomposition. */
qn_status qn_ref_run_cell(qn_eval *ev, const qn_op *op);

/* Runs an op whose plan has kind QN_PLAN_FORM. */
qn_status qn_ref_run_form(qn_eval *ev, const qn_op *op, qn_planner *planner, const qn_plan *plan);

static inline const qn_type *qn_ref_operand_type(const qn_op *op, uint32_t i) {
  return op->operands[i].value->type;
}
static inline const qn_type *qn_ref_result_type(const qn_op *op, uint32_t i) {
  return op->results[i].type;
}
/* All elements, widened to int32, minus `zero_point`; scratch memory. */
int32_t *qn_ref_load(qn_eval *ev, const qn_rt_value *value, int32_t zero_point);
/* Sets `count` elements of a result from `first` on. */
void qn_ref_store(const qn_rt_value *result, int64_t first, const int32_t *values, int64_t count);

/* ---- attributes ---- */

/* An array<i64> attribute of exactly `count` values, each at least `lo`. */
qn_status qn_ref_i64s(qn_eval *ev, const qn_op *op, qn_attr_id id, uint32_t count, int64_t lo,
                      const int64_t **out_values);

/* The stored result for a requantized value y: adds the zero point and clamps. */
static inline int32_t qn_ref_finish(const qn_plan_output *out, int32_t y) {
  return qn_clamp32((int64_t)y + out->zero_point, out->min, out->max);
}

/* ---- requantization of an accumulator (channels.c) ---- */

/* Checks that weights and result have the plan's channels; returns the bias, zeros if there is
 * none. */
qn_status qn_ref_channels(qn_eval *ev, const qn_op *op, const qn_plan_matrix *plan,
                          const int64_t **out_bias);
/* The stored result of channel c for a sum that includes the bias; the accumulator has the plan's
 * width. */
int32_t qn_ref_requantize(const qn_plan_matrix *plan, int64_t c, uint64_t sum);

/* ---- products of f32, without a plan (floats.c) ---- */

qn_eval_fn qn_ref_conv_floats, qn_ref_depthwise_floats, qn_ref_linear_floats, qn_ref_matmul_floats;

/* ---- sliding windows (window.c) ---- */

/* Convolutions and pools over NHWC. */
typedef struct qn_ref_window {
  int64_t batch, in_h, in_w, in_c, out_h, out_w, out_c;
  int64_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;
} qn_ref_window;
/* Reads "strides", "pad" and, if present, "dilations", and checks the result's shape. */
qn_status qn_ref_window_of(qn_eval *ev, const qn_op *op, int64_t kernel_h, int64_t kernel_w,
                           qn_ref_window *out);

/* Kernels of the ops in ml_forms.def that are not table lookups. */
qn_ref_kernel qn_ref_svdf, qn_ref_lstm;
/* y[i] = table[x[i] as unsigned byte]. */
void qn_ref_lut(const qn_rt_value *x, const uint8_t table[256], qn_rt_value *y);

#endif

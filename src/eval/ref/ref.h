/* Inside the reference kernels: what the evaluators of the model and integer stages share.
 *
 * Every evaluator has three steps: parameters (from the !quant types at the model stage, from
 * attributes and operands at the integer stage), tensors widened to int32 with their zero point
 * removed, one kernel. So each kernel exists once and knows nothing of storage types.
 *
 * Nothing here trusts the verifier for memory safety: geometry and parameters are checked where
 * they are read, and what does not fit is an error at the op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_REF_H
#define QN_EVAL_REF_H

#include "eval/eval_op.h"
#include "quant/multiplier.h"
#include "quant/range.h"

/* ---- running an evaluator (common.c) ---- */

enum { QN_REF_MAX_BYTES = INT32_MAX }; /* of one tensor */
/* Checks that operands and results are tensors of static shape and sane size, gives the results
 * storage, runs `body`, and releases what it allocated in ev->arena. */
qn_status qn_ref_run(qn_eval *ev, const qn_op *op, qn_eval_fn *body);

/* The same for an op of the model stage whose `body` is the arithmetic of a profile: where that does
 * not cover the operands, the op's float form is run instead (float_form.c). */
qn_status qn_ref_run_model(qn_eval *ev, const qn_op *op, qn_eval_fn *body);

/* Inside of it: `body` first, silently: it says itself what it does not cover. Where nothing covers
 * the operands its message is the one to report. */
qn_status qn_ref_profile_or_float(qn_eval *ev, const qn_op *op, qn_eval_fn *body);

static inline const qn_type *qn_ref_operand_type(const qn_op *op, uint32_t i) {
  return op->operands[i].value->type;
}
static inline const qn_type *qn_ref_result_type(const qn_op *op, uint32_t i) {
  return op->results[i].type;
}
/* All elements minus `zero_point`, widened; scratch memory. */
int32_t *qn_ref_load(qn_eval *ev, const qn_rt_value *value, int32_t zero_point);

/* ---- attributes ---- */

/* An integer attribute within [lo, hi]. */
qn_status qn_ref_i32(qn_eval *ev, const qn_op *op, qn_attr_id id, int64_t lo, int64_t hi,
                     int32_t *out_value);
/* A zero point: any that keeps differences of 8-bit values far from 32 bits. */
qn_status qn_ref_zero_point(qn_eval *ev, const qn_op *op, qn_attr_id id, int32_t *out_value);
/* Mantissa and shift of a requantization. */
qn_status qn_ref_multiplier(qn_eval *ev, const qn_op *op, qn_attr_id mantissa, qn_attr_id shift,
                            qn_multiplier *out_multiplier);
/* An array<i64> attribute of exactly `count` values, each at least `lo`. */
qn_status qn_ref_i64s(qn_eval *ev, const qn_op *op, qn_attr_id id, uint32_t count, int64_t lo,
                      const int64_t **out_values);

/* ---- quantization from types ---- */

typedef struct qn_ref_quant {
  qn_affine8 affine;
  bool is_unsigned;
} qn_ref_quant;

/* The profile of the module. */
qn_status qn_ref_profile(qn_eval *ev, const qn_op *op, const qn_profile **out_profile);
/* Parameters of an 8-bit tensor with one scale; `role` names it in messages. */
qn_status qn_ref_quant8(qn_eval *ev, const qn_op *op, const qn_value *value, const char *role,
                        qn_ref_quant *out_quant);
/* Of operand 0 and result 0, which must agree in signedness. */
qn_status qn_ref_unary_quant8(qn_eval *ev, const qn_op *op, qn_ref_quant *out_x,
                              qn_ref_quant *out_y);
bool qn_ref_same_quant(const qn_ref_quant *a, const qn_ref_quant *b);
/* That a real multiplier has a fixed-point form: finite, not negative, below 2^30. */
qn_status qn_ref_check_real(qn_eval *ev, const qn_op *op, double real);

/* ---- requantization of an accumulator (channels.c) ---- */

typedef struct qn_ref_output {
  int32_t zero_point, min, max;
} qn_ref_output;
/* "output_zero_point", "min", "max". */
qn_status qn_ref_output_of(qn_eval *ev, const qn_op *op, qn_ref_output *out);
static inline int32_t qn_ref_finish(const qn_ref_output *out, int32_t y) {
  return qn_clamp32((int64_t)y + out->zero_point, out->min, out->max);
}

/* Bias, multiplier and clamp per output channel of convolutions and matrix products. */
typedef struct qn_ref_channels {
  int64_t count;
  int32_t input_zero_point, weight_zero_point;
  const int32_t *bias;
  const qn_multiplier *multipliers; /* rounding "double", else NULL */
  const double *reals;              /* rounding "real", else NULL */
  qn_ref_output output;
} qn_ref_channels;
/* Model stage: from the types; `channel_dim` is the weights' dimension of output channels. */
qn_status qn_ref_channels_of_types(qn_eval *ev, const qn_op *op, uint32_t channel_dim,
                                   qn_ref_channels *out);
/* Integer stage: from operands 2 to 4 and the attributes. */
qn_status qn_ref_channels_of_operands(qn_eval *ev, const qn_op *op, uint32_t channel_dim,
                                      qn_ref_channels *out);
/* The stored result of channel c for an accumulator that includes the bias. */
int32_t qn_ref_requantize(const qn_ref_channels *channels, int64_t c, int32_t acc);

/* ---- sliding windows (window.c) ---- */

/* Convolutions and pools over NHWC. */
typedef struct qn_ref_window {
  int64_t batch, in_h, in_w, in_c, out_h, out_w, out_c;
  int64_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;
} qn_ref_window;
/* Reads "strides", "pad" and, when present, "dilations", and checks the result's shape. */
qn_status qn_ref_window_of(qn_eval *ev, const qn_op *op, int64_t kernel_h, int64_t kernel_w,
                           qn_ref_window *out);

/* ---- kernels used by both stages of other files ---- */

/* y[i] = table[x[i] as unsigned byte]. */
void qn_ref_lut(const qn_rt_value *x, const uint8_t table[256], qn_rt_value *y);
/* For unary tables: checks the multiplier, fills the table. */
qn_status qn_ref_unary_table(qn_eval *ev, const qn_op *op, qn_unary unary, const qn_ref_quant *x,
                             const qn_ref_quant *y, double real, uint8_t table[256]);

#endif

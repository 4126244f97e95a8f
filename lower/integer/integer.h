/* Shared state and helpers of the model -> integer lowering. One function per op of the model
 * dialect, found through a table that expands ops/ml.def and ops/quant.def (lower_to_integer.c).
 *
 * While ops are being replaced, every value keeps its !quant type, also the results of the new
 * integer ops: a consumer reads the quantization of its operands from their types. When all ops
 * have been replaced, all types are converted at once (retype.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_INTEGER_H
#define QN_LOWER_INTEGER_INTEGER_H

#include "ir/builder.h"
#include "ir/numerics.h"
#include "ir/types/reexpress.h"
#include "lower/lower.h"
#include "quant/multiplier.h"
#include "quant/range.h"

typedef struct qn_integer {
  qn_module *module;
  qn_ir_context *cx;
  qn_arena *scratch;
  const qn_profile *profile; /* of the module (ir/numerics.h) */
  qn_rounding rounding; /* of quant.qcast */
  bool names_profile;   /* the module does, and so expects its bits */
} qn_integer;

/* Replaces `op` by its integer form, or leaves it when it has no arithmetic. Reports what prevents
 * it: QN_UNSUPPORTED or QN_INVALID; the caller goes on with the next op. */
typedef qn_status qn_integer_fn(qn_integer *in, qn_op *op);
#define OP(stem, ...) qn_integer_fn qn_integer_##stem;
#include "ir/ops/ml.def"
#include "ir/ops/quant.def"
#undef OP

/* ---- quantization of operands (support.c) ---- */

typedef struct qn_quant8 {
  qn_affine8 affine;
  bool is_unsigned;
} qn_quant8;

/* The parameters of an 8-bit tensor with one scale and zero point. False when it is anything else,
 * reported against `op`; `role` names the tensor in the message ("input", "operand 1"). */
bool qn_integer_quant8(qn_integer *in, const qn_op *op, const qn_value *value, const char *role,
                       qn_quant8 *out_quant);
/* Of operand 0 and result 0 of an op whose tensors are all 8-bit of one signedness. */
bool qn_integer_unary_quant8(qn_integer *in, const qn_op *op, qn_quant8 *out_x, qn_quant8 *out_y);
bool qn_integer_same_sign(qn_integer *in, const qn_op *op, const qn_quant8 *a, const qn_quant8 *b);
/* Equal scale, zero point and signedness. */
bool qn_quant8_equal(const qn_quant8 *a, const qn_quant8 *b);
/* Mantissa and shift of a real multiplier; one that is not finite or needs a left shift above 30
 * bits has no defined result and is reported. */
bool qn_integer_multiplier(qn_integer *in, const qn_op *op, double real,
                           qn_multiplier *out_multiplier);

/* ---- building ---- */

static inline const qn_attr *qn_integer_i64(const qn_integer *in, int64_t value) {
  return qn_attr_i64(in->cx, value);
}
/* One-dimensional ml.const; equal elements become a splat. */
qn_value *qn_integer_i32s(qn_builder *b, const int32_t *values, int64_t count);
qn_value *qn_integer_f64s(qn_builder *b, const double *values, int64_t count);
/* The table operand of ml.lut; `element`: i8 or ui8, what it gives. */
qn_value *qn_integer_table(qn_builder *b, const uint8_t table[256], const qn_type *element);
/* ml.lut with an explicit table; `result` is the type of the looked-up tensor. */
qn_value *qn_integer_lut(qn_builder *b, qn_value *x, const uint8_t table[256],
                         const qn_type *result);
/* The attributes of an op that later stages look for ("quern.*") go from `op` to `to`. */
void qn_integer_move_marks(qn_module *module, const qn_op *op, qn_op *to);
/* `with`, the result of a new op, takes the place of op's only result; op is erased. */
void qn_integer_replace(qn_integer *in, qn_op *op, qn_value *with);

/* ---- matrix ops: weights, bias and multipliers per output channel (channels.c) ---- */

typedef struct qn_channel_layout {
  int64_t channels, taps; /* taps: weights per output channel */
  bool channels_last;     /* element (tap, channel) instead of (channel, tap) */
} qn_channel_layout;
static inline int64_t qn_channel_index(const qn_channel_layout *layout, int64_t channel,
                                       int64_t tap) {
  return layout->channels_last ? tap * layout->channels + channel : channel * layout->taps + tap;
}
/* Layout of the weights of a (model or integer) conv, depthwise_conv or linear op. */
qn_channel_layout qn_channel_layout_of(const qn_op *op);
/* A constant of one repeated value can claim any size; work on weights is bounded by these. */
enum { QN_MAX_CHANNELS = 1 << 20, QN_MAX_WEIGHTS = 1 << 28 };
static inline bool qn_channel_layout_fits(const qn_channel_layout *layout) {
  return layout->channels > 0 && layout->channels <= QN_MAX_CHANNELS &&
         layout->taps <= QN_MAX_WEIGHTS / layout->channels;
}
/* 8-bit weights as stored, whichever way the payload's element type is written. */
typedef struct qn_weight_bytes {
  const uint8_t *bytes;
  bool splat, is_unsigned;
} qn_weight_bytes;
static inline qn_weight_bytes qn_weight_bytes_of(const qn_attr *payload, bool is_unsigned) {
  return (qn_weight_bytes){payload->dense.bytes.data, payload->dense.splat, is_unsigned};
}
static inline int32_t qn_weight_at(qn_weight_bytes w, int64_t i) {
  uint8_t byte = w.bytes[w.splat ? 0 : i];
  return w.is_unsigned ? byte : (int8_t)byte;
}

typedef struct qn_channels {
  qn_quant8 x, y;
  int64_t weight_zero_point;
  qn_value *bias, *multiplier, *shift; /* tensor<Cxi32>, tensor<Cxi32 or f64>, tensor<Cxi32> */
  const char *rounding;                /* "double" or "real" */
  int32_t min, max;
} qn_channels;

/* Everything of ml.conv, ml.depthwise_conv or ml.linear except its geometry. Builds the constants
 * before `op` and warns when a channel's accumulator may leave 32 bits. */
bool qn_integer_channels(qn_integer *in, qn_op *op, qn_builder *b, qn_channels *out_channels);

/* ---- constants in another scheme (reexpress.c) ---- */

/* Constant weights of fewer bits, or with scales per block, become int8 with at most a scale per
 * index of `axis` where that holds them exactly (ir/types/reexpress.h). */
bool qn_integer_weights_to_int8(qn_integer *in, qn_op *op, uint32_t axis);

/* ---- types (retype.c) ---- */

/* Reports every tensor type that the integer stage can't hold: quantized types other than uniform
 * ones, shapes that are not static. */
QN_NODISCARD qn_status qn_integer_check_types(qn_integer *in);
/* Writes scale and zero point of quantized arguments and results into their attributes, where they are
 * missing (boundary.c). Before the types are converted. */
QN_NODISCARD qn_status qn_integer_keep_quantization(qn_integer *in, qn_op *func);
/* Turns every !quant type into its storage type: values, constants, function signatures, casts. */
QN_NODISCARD qn_status qn_integer_retype(qn_integer *in);
/* The smallest of i8, i16 and i32 that holds the storage; ui8 for 8 unsigned bits. */
const qn_type *qn_integer_storage_element(qn_ir_context *cx, const qn_type *element);

/* ---- the integer stage's own passes ---- */

/* Whether merging away the tensor that `op` makes would lose a tensor that is to be kept. */
bool qn_integer_is_kept(const qn_pass_context *pc, const qn_op *op);

/* Calls `visit` for every op in the bodies of the module's functions. The op may be erased. */
typedef void qn_integer_visit(qn_op *op, void *user);
void qn_integer_for_each(qn_module *module, qn_integer_visit *visit, void *user);

#endif

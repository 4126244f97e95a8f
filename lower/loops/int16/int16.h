/* Convolutions and matrix products of int16 activations: constants, and the requantization of the
 * accumulators. These have 32 bits if weights and bias prove that this is enough, else 64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_INT16_H
#define QN_LOWER_LOOPS_INT16_H

#include "ir/weights.h"
#include "lower/loops/matrix/frame.h"
#include "lower/loops/matrix/gemm.h"
#include "lower/loops/matrix/weights.h"

typedef struct qn_int16_product {
  qn_ir_context *cx;
  const qn_op *op;
  qn_requant_rounding rounding;
  int64_t channels, taps; /* taps per channel */
  bool depthwise;         /* weights have their channel last */
  int64_t largest;        /* maximum magnitude of a weight if `wide`; at least 1 */
  bool wide;              /* int64 accumulators */
  bool limited;           /* accumulators are clamped before requantization (quant/multiplier.h) */
  bool large;             /* a mantissa of the reduced rounding has more than 32 bits */
  int64_t min, max;
} qn_int16_product;

/* Whether the op has weights and int16 activations; the 8-bit schedules hand such ops over. */
static inline bool qn_int16_applies(const qn_op *op) {
  return qn_op_has_weights(op) && qn_type_is_int(qn_type_element(qn_op_operand(op, 0)->type), 16);
}
qn_int16_product qn_int16_of(qn_ir_context *cx, const qn_op *op);
int64_t qn_int16_weight(const qn_int16_product *w, int64_t channel, int64_t tap);

/* The per-channel constants: initial accumulator, up to three for the rounding, and the limit of an
 * accumulator that is clamped first. */
enum {
  QN_INT16_START,
  QN_INT16_ROUNDING,
  QN_INT16_LIMIT = QN_INT16_ROUNDING + 3,
  QN_INT16_PARAMETERS
};
/* i32, i64 or f64; NULL if the op has no such constant. */
const qn_type *qn_int16_parameter_type(const qn_int16_product *w, uint32_t parameter);
/* The value of a parameter for a channel: the integer, or the bit pattern of the f64. */
int64_t qn_int16_parameter(const qn_int16_product *w, uint32_t parameter, int64_t channel);

/* Requantizes accumulators to clamped i32 results. `parameters` are those of the lanes, NULL as
 * above. */
qn_value *qn_int16_finish(qn_builder *b, const qn_int16_product *w, qn_value *sums,
                          qn_value *const parameters[QN_INT16_PARAMETERS]);

/* The GEMM of a convolution or matrix product; the caller sets its geometry (gemm_s16.c). */
qn_gemm qn_int16_gemm(qn_loops *lo, qn_op *op, const char *stem);
/* depthwise.c */
qn_status qn_int16_lower_depthwise(qn_loops *lo, qn_op *op);

#endif

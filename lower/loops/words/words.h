/* Convolutions and matrix products of 16-bit activations: constants, and the requantization of
 * their sums, which have 32 bits where weights and bias prove that, else 64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_WORDS_H
#define QN_LOWER_LOOPS_WORDS_H

#include "ir/weights.h"
#include "lower/loops/matrix/frame.h"
#include "lower/loops/matrix/gemm.h"
#include "lower/loops/matrix/weights.h"

typedef struct qn_words {
  qn_ir_context *cx;
  const qn_op *op;
  qn_requant_rounding rounding;
  int64_t channels, taps; /* taps per channel */
  bool depthwise;         /* weights have their channel last */
  int64_t greatest;       /* magnitude of a weight where sums are wide; at least 1 */
  bool wide;              /* sums of 64 bits */
  bool limited;           /* sums are clamped first (quant/multiplier.h) */
  bool large;             /* of the reduced rounding a mantissa has more than 32 bits */
  int64_t min, max;
} qn_words;

/* Whether the op is one of them: for the schedules of 8 bits to hand over. */
static inline bool qn_words_take(const qn_op *op) {
  return qn_op_has_weights(op) && qn_type_is_int(qn_type_element(qn_op_operand(op, 0)->type), 16);
}
qn_words qn_words_of(qn_ir_context *cx, const qn_op *op);
int64_t qn_words_weight(const qn_words *w, int64_t channel, int64_t tap);

/* What a channel has constants for: the value that its sum starts with, up to three of the
 * rounding, the limit of a sum that is clamped first. */
enum {
  QN_WORDS_START,
  QN_WORDS_ROUNDING,
  QN_WORDS_LIMIT = QN_WORDS_ROUNDING + 3,
  QN_WORDS_PARAMETERS
};
/* i32, i64 or f64; NULL: the op has no such constant. */
const qn_type *qn_words_parameter_type(const qn_words *w, uint32_t parameter);
/* As a word of its type, of f64 its bits. */
int64_t qn_words_parameter(const qn_words *w, uint32_t parameter, int64_t channel);

/* Sums to clamped results, i32, with the parameters of their lanes; NULL as above. */
qn_value *qn_words_finish(qn_builder *b, const qn_words *w, qn_value *sums,
                          qn_value *const parameters[QN_WORDS_PARAMETERS]);

/* The product of a convolution or of matrices, whose geometry is the caller's (gemm_words.c). */
qn_gemm qn_words_gemm(qn_loops *lo, qn_op *op, const char *stem);
/* depthwise.c */
qn_status qn_words_lower_depthwise(qn_loops *lo, qn_op *op);

#endif

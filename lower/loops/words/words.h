/* Convolutions and matrix products of 16-bit activations: constants, and the requantization of
 * their sums, which have 32 bits where weights and bias prove that, else 64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_WORDS_H
#define QN_LOWER_LOOPS_WORDS_H

#include "ir/weights.h"
#include "lower/loops/matrix/frame.h"
#include "lower/loops/matrix/weights.h"

typedef struct qn_words {
  const qn_op *op;
  qn_requant_rounding rounding;
  int64_t channels, taps; /* taps per channel */
  bool depthwise;         /* weights have their channel last */
  bool wide;              /* sums of 64 bits */
  bool limited;           /* sums are clamped first (quant/multiplier.h) */
  int64_t min, max;
} qn_words;

/* Whether the op is one of them: for the schedules of 8 bits to hand over. */
static inline bool qn_words_take(const qn_op *op) {
  return qn_op_has_weights(op) && qn_type_is_int(qn_type_element(qn_op_operand(op, 0)->type), 16);
}
qn_words qn_words_of(const qn_op *op);
int64_t qn_words_weight(const qn_words *w, int64_t channel, int64_t tap);

/* The constants of the requantization, arguments `first` and following of the kernel. */
enum { QN_WORDS_PARAMETERS = 5 };
void qn_words_parameters(qn_loops *lo, const qn_words *w,
                         qn_value *out_buffers[QN_WORDS_PARAMETERS]);

/* What the sums of channels [channel, channel + lanes) start with. */
qn_value *qn_words_start(qn_kernel *k, const qn_words *w, uint32_t first, qn_value *channel,
                         int64_t lanes);
/* Sums to clamped results, i32. */
qn_value *qn_words_finish(qn_kernel *k, const qn_words *w, uint32_t first, qn_value *channel,
                          qn_value *sums);

/* The schedules (conv.c, depthwise.c). */
qn_status qn_words_lower_conv(qn_loops *lo, qn_op *op);
qn_status qn_words_lower_linear(qn_loops *lo, qn_op *op);
qn_status qn_words_lower_depthwise(qn_loops *lo, qn_op *op);

#endif

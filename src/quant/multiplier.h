/* Real multipliers as mantissa and shift, and each operator's formula for its multiplier
 * (docs/arithmetic.md 2.1 and 2.6: whether a step is float32 or double changes the last bit).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_MULTIPLIER_H
#define QN_QUANT_MULTIPLIER_H

#include "quant/profile.h"
#include "quant/range.h"
#include "runtime/fixed.h"

/* m ~ mantissa * 2^(shift - 31); mantissa 0 or in [2^30, 2^31); -31 <= shift <= 31, or 32 for all m
 * from 2^31 on, which fixed.h saturates. */
typedef struct qn_multiplier {
  int32_t mantissa;
  int32_t shift;
} qn_multiplier;

/* The multiplier of a non-negative real; ties of the mantissa are rounded away from zero. Reals
 * below 2^-32 give 0; from 2^31 on, which a 32-bit accumulator cannot use, the multiplier
 * saturates. NaN and infinity give 0. */
qn_multiplier qn_multiplier_of(double real);
/* Whether a real multiplier has a mantissa and a shift of at most 31 bits, the maximum of a 32-bit
 * left shift. Left shifts up to 31 may wrap, as in the reference kernels. */
static inline bool qn_multiplier_exists(double real) { return real >= 0 && real <= INT32_MAX; }
double qn_multiplier_real(qn_multiplier multiplier);
/* The product of an accumulator and a multiplier, with the rounding "once" or else "double". */
static inline int32_t qn_requant32_by(int32_t acc, qn_multiplier m, qn_requant_rounding rounding) {
  return rounding == QN_REQUANT_ONCE ? qn_requant32_once(acc, m.mantissa, m.shift)
                                     : qn_requant32(acc, m.mantissa, m.shift);
}
/* How the sum of terms is rounded. */
static inline qn_requant_rounding qn_sum_rounding(qn_term_rounding terms) {
  return terms == QN_TERM_ONCE ? QN_REQUANT_ONCE : QN_REQUANT_DOUBLE;
}
/* A term of a sum of 8 or 16 bits at the common scale: x * 2^left_shift * m, where x is a stored
 * value minus its zero point. `rounding`: which of the steps round (docs/arithmetic.md 6.1). With
 * QN_TERM_SINGLE, left_shift + m.shift is at most 31. */
static inline int32_t qn_sum_term(int32_t x, int32_t left_shift, qn_multiplier m,
                                  qn_term_rounding rounding) {
  if (rounding == QN_TERM_SINGLE) {
    const int32_t left = left_shift + m.shift;
    return qn_rdhm32(left < 0 ? x >> -left : qn_shl32(x, left), m.mantissa);
  }
  if (rounding == QN_TERM_DOWN && m.shift < 0)
    return qn_rdhm32(qn_shl32(x, left_shift), m.mantissa) >> -m.shift;
  return qn_requant32_by(qn_shl32(x, left_shift), m, qn_sum_rounding(rounding));
}
/* The multiplier whose product by M32 (qn_requant32) is floor((x * nearest(256 * ratio) + 128) /
 * 256), for |ratio| <= 2^7. It has another mantissa and shift than qn_multiplier_of would give. */
qn_multiplier qn_multiplier_of_8_bits(float ratio);
enum { QN_FAR_SHIFT = 32 };
/* The multiplier 2^31. It replaces all larger multipliers, because it saturates every accumulator
 * except 0. */
static inline qn_multiplier qn_multiplier_far(void) {
  return (qn_multiplier){INT32_C(1) << 30, QN_FAR_SHIFT};
}

/* A multiplier for results of at most 16 bits whose left shifts lose no bits, and the limit that
 * makes it equivalent to another multiplier: accumulators are first clamped to [-limit - 1,
 * limit]. */
typedef struct qn_limited {
  qn_multiplier multiplier; /* shift is at most 17 if there is a limit */
  int64_t limit;            /* INT64_MAX if none */
} qn_limited;
/* Converts a multiplier to the equivalent with a limit if its shift exceeds `most`, the maximum
 * shift that the reference supports; `most` must be at least 7. */
qn_limited qn_multiplier_limited(qn_multiplier multiplier, int32_t most);

/* Per-operator real multipliers; scales are float32 values widened to double. `is_unsigned`: uint8
 * tensors; `per_axis`: weights with a scale per channel. */
double qn_real_conv(double input, double weight, double output, bool is_unsigned);
double qn_real_linear(const qn_profile *profile, double input, double weight, double output,
                      bool per_axis);
double qn_real_mul(const qn_profile *profile, double a, double b, double output);
/* a * b / output for the rounding "single": each step in float32. */
double qn_real_single(double a, double b, double output);
double qn_real_requantize(double input, double output); /* for QUANTIZE and MEAN */
double qn_real_relu(double input, double output);

typedef struct qn_add_multipliers {
  int32_t left_shift;
  qn_multiplier a, b, output;
} qn_add_multipliers;
/* Whether the profile supports these scales, the larger of which has a multiplier. */
bool qn_multipliers_add_exist(const qn_profile *profile, uint32_t width, double a, double b,
                              double output);
/* ADD and SUB: the left shift is 20 for 8 bits, 15 for 16; 21 with QN_ADD_ONCE. */
qn_add_multipliers qn_multipliers_add(const qn_profile *profile, uint32_t width, double a, double b,
                                      double output, bool subtract);

/* MEAN by the rounding "single": factor and offset of the sum of stored values. */
typedef struct qn_single {
  float factor, offset;
} qn_single;
qn_single qn_single_mean(const qn_affine8 *input, const qn_affine8 *output, int64_t count);

/* MEAN by QN_MEAN_OFFSET: the multiplier of the sum of stored values, and the offset that is added
 * after it, within 2^30 + 2^7. */
qn_multiplier qn_multiplier_mean_offset(const qn_affine8 *input, const qn_affine8 *output,
                                        int64_t count, int32_t *out_offset);

/* MEAN over `count` elements: 1 / count folded in with truncation (docs/arithmetic.md 7.3). */
qn_multiplier qn_multiplier_mean(double input, double output, int64_t count);

/* SOFTMAX on 8-bit input: the multiplier, and the smallest difference that contributes
 * (docs/arithmetic.md 8). Requires 0 <= input.shift; callers report other scales. */
typedef struct qn_softmax_params {
  qn_multiplier input;
  int32_t diff_min;
} qn_softmax_params;
qn_softmax_params qn_softmax_params_of(double beta, double input);

#endif

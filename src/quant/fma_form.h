/* Requantization by proof. The reference y(acc) = clamp(round(acc * m) + zp) is a monotone step
 * function with at most 255 steps. So is
 *     f(acc) = clamp(nearest_even_int(fma(float(acc), scale, offset)))        all in binary32,
 * and two monotone step functions are equal iff they have the same thresholds. The search takes the
 * thresholds of the reference, finds a scale and offset that reproduce them, and checks by
 * evaluating f at every threshold T and at T - 1. Rounding is to nearest, so the rounding mode is
 * never changed at run time. Only accumulators in the proved range matter. If there is no solution,
 * another f truncates and adds the zero point afterwards.
 *
 * The cheapest f has no conversions (magic-number conversion). With B the bit pattern of 1.5 *
 * 2^23, whose neighbouring floats are integers, an accumulator that starts with B + n is the bit
 * pattern of the float 1.5 * 2^23 + n + acc. Scale and offset map that to 1.5 * 2^23 + result,
 * whose low bits are the result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_FMA_FORM_H
#define QN_QUANT_FMA_FORM_H

#include "quant/steps.h"

typedef enum qn_fma_kind {
  QN_FMA_NONE,      /* no proof: use the integer form */
  QN_FMA_ONE,       /* one offset */
  QN_FMA_SIGNED,    /* offset chosen by the sign of acc: offset_negative where acc < 0 */
  QN_FMA_TRUNCATED, /* offsets as SIGNED; the sum is truncated toward zero, zero_point added to that
                     */
  QN_FMA_BITS,      /* magic-number conversion: the int32 acc + start is reinterpreted as the float
                       factor; the result is the int32 pattern of the float sum, minus QN_FMA_BASE */
} qn_fma_kind;

/* 1.5 * 2^23, and its bit pattern. */
#define QN_FMA_BASE_VALUE 0x1.8p23F
#define QN_FMA_BASE INT32_C(0x4B400000)

typedef struct qn_fma_form {
  qn_fma_kind kind;
  float scale, offset, offset_negative; /* ONE, SIGNED: zero point included in the offsets */
  int32_t zero_point;                   /* TRUNCATED; else 0 */
  int32_t start;                        /* BITS; else 0 */
} qn_fma_form;

/* Searches and proves a form; QN_FMA_NONE if `steps` is invalid. float(acc) rounds to nearest even,
 * as the conversion instruction does. */
qn_fma_form qn_fma_form_find(const qn_steps *steps);
/* The truncated form costs one more addition and is exact for nearly all channels without another
 * form. Its offsets are near one half, where floats are dense; and rounding the sum to float moves
 * all thresholds of a sign in the same direction, whereas a tie to even moves every other one. */
qn_fma_form qn_fma_form_find_truncated(const qn_steps *steps);
/* The form without conversions, for accumulators in a range of less than 2^23 and results of 16
 * bits before the clamp. Its sum is rounded once, to an integer, so it is exact for all channels
 * for which one offset suffices, whatever their scale. */
qn_fma_form qn_fma_form_find_bits(const qn_steps *steps);
/* f(acc) as the generated code computes it. */
int32_t qn_fma_form_apply(const qn_fma_form *form, int32_t acc, int32_t min, int32_t max);

/* The form of a binary 8-bit operator y(a, b): f = nearest(fma(a, sa, fma(b, sb, offset))), proved
 * by evaluating the pairs at which both could differ. */
typedef struct qn_fma2_form {
  bool proved;
  float scale_a, scale_b, offset;
} qn_fma2_form;
typedef int32_t qn_binary_fn(const void *user, int32_t a, int32_t b);
/* The question: which form gives the same results as `reference`? The reference result is an
 * integer that differs from a * scale_a + b * scale_b + offset by at most 1/2 + reference_error,
 * clamped to [min, max]. reference_error is HUGE_VAL if unknown. Each operand has at most 256
 * values: [a_lo, a_hi] and [b_lo, b_hi]. */
typedef struct qn_fma2_question {
  qn_binary_fn *reference;
  const void *user;
  double scale_a, scale_b, offset, reference_error;
  int32_t a_lo, a_hi, b_lo, b_hi, min, max;
} qn_fma2_question;
qn_fma2_form qn_fma2_form_find(const qn_fma2_question *question);
/* f(a, b) as the generated code computes it. */
int32_t qn_fma2_form_apply(const qn_fma2_form *form, int32_t a, int32_t b, int32_t min,
                           int32_t max);

#endif

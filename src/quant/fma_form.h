/* Requantization by proof. The reference y(acc) = clamp(round(acc * m) + zp) is a monotone step
 * function with at most 255 steps. So is
 *     f(acc) = clamp(nearest_even_int(fma(float(acc), scale, offset)))        all in binary32,
 * and two monotone step functions are equal iff they have the same thresholds. The search takes the
 * thresholds of the reference, finds scale and offset that reproduce them, and checks by evaluating
 * f at every threshold T and T - 1 (rounding is to nearest, so that no rounding mode is changed at
 * run time). Only accumulators inside the proved range count. Where that has no solution, another f
 * truncates instead and adds the zero point afterwards.
 *
 * The cheapest f converts nothing. With B the bits of 1.5 * 2^23, whose neighbours are the integers
 * around it, an accumulator that begins with B + n is the bits of the float 1.5 * 2^23 + n + acc,
 * and scale and offset bring that to 1.5 * 2^23 + result, whose lower bits are the result.
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

/* 1.5 * 2^23, and its bits. */
#define QN_FMA_BASE_VALUE 0x1.8p23F
#define QN_FMA_BASE INT32_C(0x4B400000)

typedef struct qn_fma_form {
  qn_fma_kind kind;
  float scale, offset, offset_negative; /* ONE, SIGNED: zero point included in the offsets */
  int32_t zero_point;                   /* TRUNCATED; else 0 */
  int32_t start;                        /* BITS; else 0 */
} qn_fma_form;

/* Searches and proves; none of steps that were not found. float(acc) rounds to nearest even, as the
 * conversion instruction does. */
qn_fma_form qn_fma_form_find(const qn_steps *steps);
/* The truncated form, which costs an addition more and serves nearly all channels for which there
 * is no other: its offsets are near one half, where floats are dense, and the rounding of the sum
 * to float moves all thresholds of a sign the same way, where a tie to even moves every other one.
 */
qn_fma_form qn_fma_form_find_truncated(const qn_steps *steps);
/* The form without conversions, for accumulators and results that fit: a range of less than 2^23,
 * and results of 16 bits before they are clamped. Its sum is rounded once, to an integer; so it
 * serves all channels that one offset serves, whatever their scale. */
qn_fma_form qn_fma_form_find_bits(const qn_steps *steps);
/* f(acc) as the generated code computes it. */
int32_t qn_fma_form_apply(const qn_fma_form *form, int32_t acc, int32_t min, int32_t max);

/* The same for a binary 8-bit operator y(a, b): f = nearest(fma(a, sa, fma(b, sb, offset))), proved
 * by evaluating the pairs at which the two could differ. */
typedef struct qn_fma2_form {
  bool proved;
  float scale_a, scale_b, offset;
} qn_fma2_form;
typedef int32_t qn_binary_fn(const void *user, int32_t a, int32_t b);
/* The reference is an integer in [min, max], clamped from one that is at most 1/2 + reference_error
 * from a scale_a + b scale_b + offset. HUGE_VAL: that is not known. At most 256 values per side. */
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

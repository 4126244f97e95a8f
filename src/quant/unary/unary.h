/* Functions of one 8-bit value as tables of all 256 results (docs/arithmetic.md 9, 10, 11). Each
 * function is a rule of its own; a table is filled by one evaluation of it per stored value, and
 * what does not depend on the value is prepared once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_UNARY_H
#define QN_QUANT_UNARY_H

#include <math.h>

#include "quant/multiplier.h"
#include "quant/range.h"

/* A function in the making: what it is applied to, and what its rule prepares. */
typedef struct qn_unary {
  qn_affine8 input, output;
  float parameter; /* of functions that have one */
  qn_multiplier multiplier, other;
  int32_t min, max;    /* clamp; the output's range before the preparation */
  int32_t radius;      /* fixed-point functions: saturated beyond */
  float scale, offset; /* float forms */
  bool *beyond;        /* set where kernels convert a float that 32 bits don't hold; or NULL */
} qn_unary;

typedef struct qn_unary_rule {
  void (*prepare)(qn_unary *u);
  int32_t (*entry)(const qn_unary *u, int32_t x);
  /* For 16 bits: the real function, between whose samples is interpolated (table16.h); NULL: it is
     `entry` of every value. */
  float (*sample)(const qn_unary *u, float x);
} qn_unary_rule;
/* The rule that a profile has for a function. */
typedef const qn_unary_rule *qn_unary_fn(const qn_profile *profile);

/* Fills table[x as unsigned byte] = y (as byte). From `ends`, the quantizations, the parameter and
 * `beyond` are read. */
void qn_unary_table(qn_unary_fn *function, const qn_profile *profile, const qn_unary *ends,
                    bool input_unsigned, uint8_t table[256]);

/* The same of int16: table[x + 32768] = y. */
enum { QN_INT16_VALUES = 65536 };
void qn_unary_words(qn_unary_fn *function, const qn_profile *profile, const qn_unary *ends,
                    int16_t table[QN_INT16_VALUES]);

/* sigmoidal.c */
qn_unary_fn qn_unary_sigmoid, qn_unary_tanh;
/* rescaled.c */
qn_unary_fn qn_unary_relu, qn_unary_relu_n1_to_1, qn_unary_relu6, qn_unary_requantize,
    qn_unary_recode, qn_unary_recode_up, qn_unary_concat_rescale;
/* functions.c */
qn_unary_fn qn_unary_exp, qn_unary_log, qn_unary_elu, qn_unary_gelu, qn_unary_gelu_approximate,
    qn_unary_gelu_logistic, qn_unary_leaky_relu, qn_unary_leaky_relu_words, qn_unary_abs,
    qn_unary_sqrt, qn_unary_rsqrt;
double qn_real_rsqrt(double input, double output);
/* hard_swish.c */
qn_unary_fn qn_unary_hard_swish;
double qn_real_hard_swish(double input, double output); /* of x, before it is weighted */

/* ---- for rules ---- */

/* What int32 holds; kernels convert a float without a look at it. */
static inline void qn_unary_check_held(const qn_unary *u, float y) {
  if (u->beyond && !(fabsf(y) < 0x1p31F)) *u->beyond = true;
}
/* y = function(x) in float32, times the rounded reciprocal of the output's scale (3.4). */
void qn_unary_prepare_float(qn_unary *u);
int32_t qn_unary_float(const qn_unary *u, int32_t x, float (*function)(float));

#endif

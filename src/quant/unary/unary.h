/* Functions of one 8-bit value as tables of all 256 results (docs/arithmetic.md 9, 10, 11). Each
 * function is a separate rule. A table is filled by one evaluation per stored value; values that do
 * not depend on it are precomputed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_UNARY_H
#define QN_QUANT_UNARY_H

#include <math.h>

#include "quant/multiplier.h"
#include "quant/range.h"

/* A unary function under construction: the quantization of its operand and result, and the values
 * that its rule precomputes. */
typedef struct qn_unary {
  qn_affine8 input, output;
  float parameter; /* alpha or another parameter; unused by functions without one */
  qn_multiplier multiplier, other;
  int32_t min, max;    /* limits of the result; before `prepare` the storage range of the output */
  int32_t radius;      /* fixed-point functions saturate beyond this magnitude */
  float scale, offset; /* factor and offset, for functions in float32 */
  /* is set if a kernel would convert a float beyond the range of int32; NULL if not needed */
  bool *beyond;
} qn_unary;

typedef struct qn_unary_rule {
  void (*prepare)(qn_unary *u);
  int32_t (*entry)(const qn_unary *u, int32_t x);
  /* For 16 bits: the real function, whose samples are interpolated (table16.h). NULL: `entry` is
   * evaluated for every int16 value. */
  float (*sample)(const qn_unary *u, float x);
} qn_unary_rule;
/* Returns the rule of a function in a profile. */
typedef const qn_unary_rule *qn_unary_fn(const qn_profile *profile);

/* Fills table[x] = y for all stored values, where x and y are unsigned bytes. `ends` has the
 * quantization of operand and result, the parameter, and `beyond`. */
void qn_unary_table(qn_unary_fn *function, const qn_profile *profile, const qn_unary *ends,
                    bool input_unsigned, uint8_t table[256]);

/* As qn_unary_table, for int16: table[x + 32768] = y. */
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
/* multiplier of x, before the multiplication by the weight */
double qn_real_hard_swish(double input, double output);

/* ---- for rules ---- */

/* Sets *u->beyond if y exceeds int32, because kernels convert floats without a range check. */
static inline void qn_unary_check_held(const qn_unary *u, float y) {
  if (u->beyond && !(fabsf(y) < 0x1p31F)) *u->beyond = true;
}
/* y = function(x) in float32, times the rounded reciprocal of the output's scale (3.4). */
void qn_unary_prepare_float(qn_unary *u);
int32_t qn_unary_float(const qn_unary *u, int32_t x, float (*function)(float));

#endif

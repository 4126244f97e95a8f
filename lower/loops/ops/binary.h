/* integer_add, integer_sub and integer_mul on vectors of stored values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_BINARY_H
#define QN_LOWER_LOOPS_BINARY_H

#include "lower/loops/loops.h"
#include "quant/corrected_form.h"
#include "quant/paired_form.h"

/* One op with its constants and, on a target with fused multiply-add, the form that was proved
 * equal on all pairs of operands. */
typedef struct qn_binary {
  bool product, subtract;                   /* a product; a difference; a sum if neither */
  bool a_unsigned, b_unsigned, is_unsigned; /* signedness of both operands and of the result */
  bool words;                               /* 16-bit tensors */
  int32_t a_zero_point, b_zero_point, left_shift;
  qn_multiplier a, b, output;
  qn_requant_rounding rounding; /* rounding of products */
  qn_term_rounding terms;       /* rounding of the terms of sums */
  int32_t zero_point, min, max;
  qn_fma2_form sum_form;
  const qn_paired_form *paired;       /* form of sums without a proved `sum_form`; NULL if none */
  const qn_corrected_form *corrected; /* form of sums without one of both; NULL if none */
  qn_fma_form product_form;           /* form of products: requantizes (a - za) * (b - zb) */
} qn_binary;

qn_binary qn_binary_of(const qn_loops *lo, const qn_op *op);

/* Adds with a proved form: stored values as f32 lanes to stored results as i32 lanes, not clamped.
 */
qn_value *qn_binary_sum_floats(qn_builder *b, const qn_binary *binary, qn_value *x, qn_value *y);

/* Whether the form reads a table. That with corrections does not if the reference's terms are
 * exact.
 */
static inline bool qn_binary_has_table(const qn_binary *binary) {
  return binary->paired || (binary->corrected && binary->corrected->unit != 0);
}
/* The buffer of the table; NULL if none is needed. */
qn_value *qn_binary_table(qn_loops *lo, const qn_binary *binary);
/* Stored operands (i8 or i16 lanes) to stored results. `table`: the kernel's argument for the table
 * buffer; NULL if none. */
qn_value *qn_binary_emit(qn_builder *b, const qn_binary *binary, qn_value *table, qn_value *a,
                         qn_value *bytes_b);

#endif

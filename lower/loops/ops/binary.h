/* integer_add, integer_sub and integer_mul on vectors of stored values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_BINARY_H
#define QN_LOWER_LOOPS_BINARY_H

#include "lower/loops/loops.h"
#include "quant/corrected_form.h"

/* One op with its constants and, on a target with fused multiply-add, the float form that was
 * proved equal on all pairs of operands. */
typedef struct qn_binary {
  bool product, subtract;                   /* else a sum */
  bool a_unsigned, b_unsigned, is_unsigned; /* is_unsigned: the result */
  bool words;                               /* of 16 bits */
  int32_t a_zero_point, b_zero_point, left_shift;
  qn_multiplier a, b, output;
  qn_requant_rounding rounding; /* of products */
  qn_term_rounding terms;       /* of sums */
  int32_t zero_point, min, max;
  qn_fma2_form sum_form;
  const qn_corrected_form *corrected; /* of sums without that form; NULL: it has none, too */
  qn_fma_form product_form;           /* of (a - za) * (b - zb) */
} qn_binary;

qn_binary qn_binary_of(const qn_loops *lo, const qn_op *op);

/* A sum with a proved form: from stored values as floats to those of the result as i32, not
 * clamped.
 */
qn_value *qn_binary_sum_floats(qn_builder *b, const qn_binary *binary, qn_value *x, qn_value *y);

/* Where the terms of the reference lose nothing there is no correction. */
static inline bool qn_binary_has_table(const qn_binary *binary) {
  return binary->corrected && binary->corrected->unit != 0;
}
/* The buffer of the table that a kernel needs to compute it, or NULL: it needs none. */
qn_value *qn_binary_table(qn_loops *lo, const qn_binary *binary);
/* Lanes of the operands as stored (i8 or i16) to lanes of the result as stored. `table`: the
 * kernel's argument for that buffer, or NULL. */
qn_value *qn_binary_emit(qn_builder *b, const qn_binary *binary, qn_value *table, qn_value *a,
                         qn_value *bytes_b);

#endif

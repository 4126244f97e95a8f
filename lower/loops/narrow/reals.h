/* Real results from sums of byte products, for all kernels whose rows are quantized at run time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_REALS_H
#define QN_LOWER_LOOPS_NARROW_REALS_H

#include "ir/float_form/form.h"
#include "ir/op_attrs.h"

/* A vector of channels of one row. All but `sum` (i32, zero point subtracted) are f32. */
typedef struct qn_narrow_sum {
  qn_value *sum, *row, *channel; /* row, channel: scales */
  qn_value *bias;
  qn_value *in_group; /* QN_ORDER_FOURS: 1 for channels in whole groups, else 0; NULL otherwise */
} qn_narrow_sum;

/* The result in f32, by the order of the scales, before the activation. The sum is converted with
 * one rounding. Only the form's builder and context are used. */
qn_value *qn_narrow_real(qn_form *form, qn_scale_order order, const qn_narrow_sum *s);

#endif

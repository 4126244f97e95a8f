/* What the decompositions of the resizing ops share: where the elements of an axis come from.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_RESIZE_H
#define QN_IR_FLOAT_FORM_RESIZE_H

#include "ir/float_form/form.h"

/* Source positions of the elements of one axis: element i is interpolated between elements `low`
 * and `high` of the operand, by its distance from `low`. */
typedef struct qn_resize_axis {
  int64_t in, out;
  int32_t *low, *high, *fixed; /* `fixed`: distance in units of 1 / QN_RESIZE_FRACTION */
  float *distance;
} qn_resize_axis;

enum { QN_RESIZE_FRACTION_BITS = 10, QN_RESIZE_FRACTION = 1 << QN_RESIZE_FRACTION_BITS };

/* Bilinear resizing of integers in two passes, rows first: half of the products of one pass, in 16
 * bits if they fit. Returns the stored result; NULL if the passes are not exact. That is never the
 * case with `fixed` distances, those of signed integers. The arithmetic of unsigned ones is f32, so
 * their distances must be multiples of a power of two such that f32 rounds nothing. */
qn_value *qn_resize_in_passes(qn_form *f, qn_value *x, const qn_resize_axis *rows,
                              const qn_resize_axis *columns, bool fixed);

#endif

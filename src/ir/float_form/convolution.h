/* Internals of the decompositions of convolutions: a convolution under construction, and moves of
 * its operands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_CONVOLUTION_H
#define QN_IR_FLOAT_FORM_CONVOLUTION_H

#include "base/checked.h"
#include "ir/float_form/form.h"

enum { QN_CONVOLUTION_WAYS = 3 };

typedef struct qn_convolution {
  qn_form *f;
  qn_value *x, *weights, *bias; /* bias may be NULL */
  uint32_t ways;                /* spatial dimensions */
  int64_t kernel[QN_CONVOLUTION_WAYS], strides[QN_CONVOLUTION_WAYS];
  int64_t dilations[QN_CONVOLUTION_WAYS], pad[2 * QN_CONVOLUTION_WAYS];
  bool backward; /* the weights must be reversed */
} qn_convolution;

/* ---- conv.c ---- */

/* Reads the op's attributes; then its operands as reals, or as stored values. */
void qn_convolution_open(qn_form *f, qn_convolution *out);
void qn_convolution_take_reals(qn_form *f, qn_convolution *c);
void qn_convolution_take_stored(qn_form *f, qn_convolution *c);
/* Builds it as an ml.conv of two dimensions; returns a tensor of type `result`. */
qn_value *qn_convolution_build(qn_convolution *c, const qn_type *result);

qn_value *qn_convolution_reshaped(const qn_convolution *c, qn_value *x, uint32_t rank,
                                  const int64_t *dims);
qn_value *qn_convolution_transposed(const qn_convolution *c, qn_value *x, uint32_t rank,
                                    const int64_t *perm);
/* `pad` has two numbers per dimension. */
qn_value *qn_convolution_padded(const qn_convolution *c, qn_value *x, uint32_t rank,
                                const int64_t *pad);
/* Slices with stride 1, or -1 from the last element on. */
qn_value *qn_convolution_sliced(const qn_convolution *c, qn_value *x, uint32_t rank,
                                const int64_t *begin, const int64_t *end, const int64_t *stride);

/* Multiplies *product; false if it exceeds INT32_MAX bytes, the interpreter's limit. */
static inline bool qn_convolution_grows(int64_t *product, int64_t by) {
  return qn_checked_mul(*product, by, product) && *product <= INT32_MAX;
}

/* ---- phases.c ---- */

/* Builds a transposed convolution without products by zeros between the elements of x; NULL if that
 * is not possible. */
qn_value *qn_convolution_build_phases(const qn_convolution *c, const qn_type *result);

#endif

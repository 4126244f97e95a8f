/* ml.reexpress (requantize to another type) as a function of stored values, shared by its verifier,
 * evaluator and lowering.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_REEXPRESS_H
#define QN_IR_REEXPRESS_H

#include "ir/op_attrs.h"
#include "ir/types/quant_at.h"

enum { QN_REEXPRESS_MAX_RANK = 8 };

/* A walk over the op's tensors in row-major order. */
typedef struct qn_reexpression {
  const qn_type *from, *to;
  bool exact;     /* mode "exact": rounding or clamping is an error */
  bool saturates; /* mode "checked": overflow = "saturate"; else "error" */
  qn_rounding rounding;
  int64_t at[QN_REEXPRESS_MAX_RANK]; /* the coordinate of the next element */
} qn_reexpression;

/* Reads a verified ml.reexpress; the walk is at the first element. */
qn_reexpression qn_reexpression_of(const qn_op *op);

/* Requantizes the element at `at`, and advances to the next. Returns NULL on success, else the
 * reason why the element has no value. */
const char *qn_reexpression_next(qn_reexpression *r, int64_t stored, int64_t *out_value);

/* Converts the payload of a constant of type r.from to type r.to. Returns NULL on success, else
 * what is wrong with element *out_element. */
const char *qn_reexpress_constant(qn_ir_context *cx, qn_arena *scratch, const qn_attr *value,
                                  qn_reexpression r, const qn_attr **out_value,
                                  int64_t *out_element);

/* Converts constant weights to int8 with zero point 0 and at most one scale per index of `axis`, if
 * int8 represents all of them exactly. That holds for signed weights of fewer bits, which keep
 * their scales, and for weights with a scale per block, if the scales are multiples of the
 * channel's smallest scale and the bias does not lose its scale. Returns NULL otherwise, and for
 * other types. */
const qn_attr *qn_weights_as_int8(qn_ir_context *cx, qn_arena *scratch, const qn_attr *value,
                                  const qn_type *type, uint32_t axis, bool biased,
                                  const qn_type **out_type);

/* Moves `at` to the next coordinate in row-major order whose indices are multiples of `steps`
 * (NULL: all 1) in the static shape of `type`; false after the last. */
bool qn_next_coordinate(const qn_type *type, const int64_t *steps, int64_t *at);

#endif

/* Where the elements of a tensor are inside another one, the destination, to which only data
 * movement leads: transposes, reshapes, concatenations, padding. A kernel that stores its results
 * there makes these ops unnecessary (fusion.h).
 *
 *   %a: 4x6   %b = transpose %a: 6x4   %c = concat(%b, ...) along dimension 1: 6x10
 *
 * Element (i, j) of %a is element 10 * j + i of %c. A placement is found from the destination back
 * to the tensor, one op at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FUSION_PLACEMENT_H
#define QN_LOWER_LOOPS_FUSION_PLACEMENT_H

#include "ir/op.h"

/* `extent` positions that are `step` elements of the destination apart. */
typedef struct qn_placement_digit {
  int64_t extent, step;
} qn_placement_digit;

/* Element e of the tensor, in its linear order, is element `first` + the sum of digit * step of the
 * destination; the digits of e are those of a number with the given extents, the most significant
 * one first. */
enum { QN_PLACEMENT_DIGITS = 16 };
typedef struct qn_placement {
  const qn_value *in; /* the destination */
  int64_t first;
  uint32_t count;
  qn_placement_digit digits[QN_PLACEMENT_DIGITS];
} qn_placement;

/* The placement of a tensor in itself. */
qn_placement qn_placement_whole(const qn_value *tensor);

/* These functions change the placement of a tensor of type `of`, the result of an op, to that of
 * its operand. They return false if the operand has none. A reshape changes nothing. */

/* The operand, of the same rank, begins at index begin[d * stride] of each dimension d of the
 * result. */
bool qn_placement_take_box(qn_placement *p, const qn_type *of, const qn_type *operand,
                           const int64_t *begin, uint32_t stride);
/* Dimension i of the result is dimension permutation[i] of the operand. */
bool qn_placement_take_transposed(qn_placement *p, const qn_type *of, const int64_t *permutation);

/* Splits digits such that each belongs to one dimension of the tensor, and joins those that are one
 * run: dimension d has digits [out_ends[d - 1], out_ends[d]), none if its extent is 1. Returns
 * false if that is not possible. `of` is the tensor's type. */
bool qn_placement_by_dimensions(qn_placement *p, const qn_type *of, uint32_t *out_ends);

#endif

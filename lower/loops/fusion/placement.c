/* Digits of a placement: split at the dimensions of a tensor, moved with them, and joined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fusion/placement.h"

qn_placement qn_placement_whole(const qn_value *tensor) {
  return (qn_placement){.in = tensor, .count = 1, .digits = {{qn_type_elements(tensor->type), 1}}};
}

/* ---- splitting and joining ---- */

static bool is_run(const qn_placement_digit *outer, const qn_placement_digit *inner) {
  return outer->step == inner->extent * inner->step;
}

/* Digits that are collected from the least significant one on. */
typedef struct reversed {
  uint32_t count;
  qn_placement_digit digits[QN_PLACEMENT_DIGITS];
} reversed;

/* Adds a digit of the dimension whose digits begin at `from`. */
static bool push(reversed *to, uint32_t from, qn_placement_digit digit) {
  qn_placement_digit *inner = to->count > from ? &to->digits[to->count - 1] : NULL;
  if (inner && is_run(&digit, inner)) {
    inner->extent *= digit.extent;
    return true;
  }
  if (to->count == QN_PLACEMENT_DIGITS) return false;
  to->digits[to->count++] = digit;
  return true;
}

/* Moves digits whose extents multiply to `extent` from the end of `p`; the last of them is split if
 * it is longer. */
static bool take(qn_placement *p, reversed *to, int64_t extent) {
  const uint32_t from = to->count;
  while (extent > 1) {
    QN_ASSERT(p->count > 0);
    qn_placement_digit *last = &p->digits[p->count - 1], taken = *last;
    if (last->extent > extent) {
      if (last->extent % extent != 0) return false;
      taken.extent = extent;
      *last = (qn_placement_digit){last->extent / extent, last->step * extent};
    } else {
      if (extent % last->extent != 0) return false;
      p->count--;
    }
    extent /= taken.extent;
    if (taken.extent > 1 && !push(to, from, taken)) return false;
  }
  return true;
}

bool qn_placement_by_dimensions(qn_placement *p, const qn_type *of, uint32_t *out_ends) {
  const uint32_t rank = of->shaped.rank;
  reversed all = {0};
  uint32_t sizes[QN_PLACEMENT_DIGITS];
  if (rank > QN_PLACEMENT_DIGITS) return false;
  for (uint32_t d = rank; d-- > 0;) {
    const uint32_t before = all.count;
    if (!take(p, &all, of->shaped.dims[d])) return false;
    sizes[d] = all.count - before;
  }
  p->count = all.count;
  for (uint32_t i = 0; i < all.count; i++) p->digits[i] = all.digits[all.count - 1 - i];
  for (uint32_t d = 0, end = 0; d < rank; d++) out_ends[d] = end += sizes[d];
  return true;
}

/* ---- ops ---- */

/* Takes indices [begin, begin + extent) of a dimension with `count` digits. */
static bool take_range(qn_placement *p, qn_placement_digit *digits, uint32_t count, int64_t begin,
                       int64_t extent) {
  int64_t inner = 1;
  if (count == 0) return true; /* a dimension of 1 */
  for (uint32_t i = 1; i < count; i++) inner *= digits[i].extent;
  if (begin % inner != 0 || extent % inner != 0) return false;
  p->first += begin / inner * digits[0].step;
  digits[0].extent = extent / inner;
  return true;
}

bool qn_placement_take_box(qn_placement *p, const qn_type *of, const qn_type *operand,
                           const int64_t *begin, uint32_t stride) {
  uint32_t ends[QN_PLACEMENT_DIGITS];
  if (!qn_placement_by_dimensions(p, of, ends)) return false;
  for (uint32_t d = 0; d < of->shaped.rank; d++) {
    const uint32_t at = d == 0 ? 0 : ends[d - 1];
    const int64_t first = begin[d * stride], extent = operand->shaped.dims[d];
    QN_ASSERT(first >= 0 && extent > 0 && first + extent <= of->shaped.dims[d]);
    if (!take_range(p, &p->digits[at], ends[d] - at, first, extent)) return false;
  }
  return true;
}

bool qn_placement_take_transposed(qn_placement *p, const qn_type *of, const int64_t *permutation) {
  uint32_t ends[QN_PLACEMENT_DIGITS], of_operand[QN_PLACEMENT_DIGITS], count = 0;
  if (!qn_placement_by_dimensions(p, of, ends)) return false;
  const qn_placement from = *p;
  for (uint32_t i = 0; i < of->shaped.rank; i++) of_operand[permutation[i]] = i;
  for (uint32_t d = 0; d < of->shaped.rank; d++) {
    const uint32_t dim = of_operand[d];
    for (uint32_t i = dim == 0 ? 0 : ends[dim - 1]; i < ends[dim]; i++)
      p->digits[count++] = from.digits[i];
  }
  QN_ASSERT(count == p->count);
  return true;
}

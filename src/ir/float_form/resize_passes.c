/* Bilinear resizing of integers in two passes. The result of the op is q00 (1 - dy) (1 - dx) + ...,
 * which is rounded once. In integers it is a sum of products with 2^bits times the distances, so
 * the sum over rows can be computed first, once for all columns:
 *
 *   t[y][i] = x[low[y]][i] (2^r - dy) + x[high[y]][i] dy          r fraction bits
 *   y[y][x] = (t[y][low[x]] (2^c - dx) + t[y][high[x]] dx) / 2^(r + c), rounded
 *
 * f32 arithmetic, which is that of unsigned integers, has the same values if it rounds nothing. All
 * of its products and sums are multiples of 2^-(r + c) and below four times the largest element,
 * since a distance is less than 1.5.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/resize.h"

enum { F32_BITS = 24, CARRY_BITS = 2 };

typedef struct passes {
  qn_form *f;
  bool is_unsigned;
  int bits[2];           /* fraction bits of the rows' distances, and of the columns' */
  const qn_type *number; /* of products and sums: i16, i32 or i64 */
} passes;

static double distance_of(const qn_resize_axis *a, int64_t i, bool fixed) {
  return fixed ? ldexp(a->fixed[i], -QN_RESIZE_FRACTION_BITS) : (double)a->distance[i];
}

/* The fewest bits with which all distances are integers; -1: more than QN_RESIZE_FRACTION_BITS. */
static int fraction_bits(const qn_resize_axis *a, bool fixed) {
  for (int bits = 0; bits <= QN_RESIZE_FRACTION_BITS; bits++) {
    bool whole = true;
    for (int64_t i = 0; whole && i < a->out; i++) {
      double d = distance_of(a, i, fixed);
      whole = ldexp(d, bits) == rint(ldexp(d, bits));
    }
    if (whole) return bits;
  }
  return -1;
}

/* The distances in units of 2^-bits, as a row of i32. */
static qn_value *distances(const passes *p, const qn_resize_axis *a, int bits, bool fixed) {
  int32_t *units = qn_arena_array(&p->f->b->module->arena, (size_t)a->out, sizeof *units);
  for (int64_t i = 0; i < a->out; i++) units[i] = (int32_t)ldexp(distance_of(a, i, fixed), bits);
  return qn_form_row(p->f, qn_type_i(p->f->cx, 32), units, a->out);
}

static qn_value *binary(const passes *p, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(p->f->b, kind, a, b);
}
static qn_value *number(const passes *p, int64_t value) {
  return qn_build_int(p->f->b, value, p->number);
}

/* sum / 2^shift. Ties: up for unsigned integers, where f32 adds 0.5 and truncates; else away from
 * zero: those below 0 go down because of the -1 there. */
static qn_value *rounded(const passes *p, qn_value *sum, int shift) {
  if (shift == 0) return sum;
  qn_value *half = number(p, INT64_C(1) << (shift - 1)), *by = number(p, shift);
  if (p->is_unsigned)
    return binary(p, QN_OP_ARITH_SHRUI, binary(p, QN_OP_ARITH_ADDI, sum, half), by);
  qn_value *sign = binary(p, QN_OP_ARITH_SHRSI, sum, number(p, p->number->integer.width - 1));
  sum = binary(p, QN_OP_ARITH_ADDI, binary(p, QN_OP_ARITH_ADDI, sum, half), sign);
  return binary(p, QN_OP_ARITH_SHRSI, sum, by);
}

/* One pass over dimension `dim` of x; the last one (`type` is the result's) rounds. */
static qn_value *pass(const passes *p, qn_value *x, uint32_t dim, const qn_resize_axis *a,
                      qn_value *by, const qn_type *type) {
  qn_form *f = p->f;
  const int bits = p->bits[dim - 1];
  const qn_form_access inputs[] = {
      qn_form_whole(f, qn_form_take(f, x, dim, a->low, a->out)),
      qn_form_whole(f, qn_form_take(f, x, dim, a->high, a->out)),
      {.value = by, .at = {qn_form_dim(f, dim)}},
  };
  const qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, 4, 0, inputs, 3, &output);
  const uint32_t width = p->number->integer.width;
  qn_value *terms[2], *d = qn_form_widened(f, qn_form_element(generic, 2), false, width);
  qn_value *rest = binary(p, QN_OP_ARITH_SUBI, number(p, INT64_C(1) << bits), d);
  for (uint32_t i = 0; i < 2; i++) {
    qn_value *q = qn_form_widened(f, qn_form_element(generic, i), p->is_unsigned, width);
    terms[i] = binary(p, QN_OP_ARITH_MULI, q, i ? d : rest);
  }
  qn_value *y = binary(p, QN_OP_ARITH_ADDI, terms[0], terms[1]);
  if (qn_type_element(type) != p->number)
    y = qn_build_unary(f->b, QN_OP_ARITH_TRUNCI, rounded(p, y, p->bits[0] + p->bits[1]),
                       qn_type_element(type));
  return qn_form_close(f, generic, y);
}

qn_value *qn_resize_in_passes(qn_form *f, qn_value *x, const qn_resize_axis *rows,
                              const qn_resize_axis *columns, bool fixed) {
  passes p = {.f = f, .is_unsigned = !fixed};
  if (qn_form_is_real(x)) return NULL;
  p.bits[0] = fraction_bits(rows, fixed), p.bits[1] = fraction_bits(columns, fixed);
  const int width = (int)qn_type_element(x->type)->integer.width;
  const int bits = width + p.bits[0] + p.bits[1];
  if (p.bits[0] < 0 || p.bits[1] < 0) return NULL;
  if (!fixed && bits + CARRY_BITS > F32_BITS) return NULL;
  /* Sums wrap, so only the result and half of a unit must fit: unsigned, or with a sign. */
  const int needed = bits + !p.is_unsigned;
  p.number = qn_type_i(f->cx, needed <= 16 ? 16 : needed <= 32 ? 32 : 64);
  const int64_t *from = x->type->shaped.dims, *to = f->op->results[0].type->shaped.dims;
  const int64_t between[] = {from[0], to[1], from[2], from[3]};
  qn_value *t = pass(&p, x, 1, rows, distances(&p, rows, p.bits[0], fixed),
                     qn_type_tensor(f->cx, p.number, 4, between));
  return pass(&p, t, 2, columns, distances(&p, columns, p.bits[1], fixed),
              qn_form_stored_result(f));
}

/* Bilinear resizing of bytes in two passes. The result of the op is q00 (1 - dy) (1 - dx) + ...,
 * which is rounded once. In integers it is a sum of products with 2^bits times the distances, so
 * the sum over rows can be computed first, once for all columns:
 *
 *   t[y][i] = x[low[y]][i] (2^r - dy) + x[high[y]][i] dy          r fraction bits
 *   y[y][x] = (t[y][low[x]] (2^c - dx) + t[y][high[x]] dx) / 2^(r + c), rounded
 *
 * f32 arithmetic, which is that of unsigned bytes, has the same values if it rounds nothing. All of
 * its products and sums are multiples of 2^-(r + c) below 2^10, since a distance is less than 1.5.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/resize.h"

enum { BYTE = 8, F32_BITS = 24, SUM_BITS = 10 };

typedef struct passes {
  qn_form *f;
  bool is_unsigned;
  int bits[2];           /* fraction bits of the rows' distances, and of the columns' */
  const qn_type *number; /* of products and sums: i16 or i32 */
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

/* The distances in units of 2^-bits, as a row of p->number. */
static qn_value *distances(const passes *p, const qn_resize_axis *a, int bits, bool fixed) {
  qn_arena *arena = &p->f->b->module->arena;
  int16_t *narrow = qn_arena_array(arena, (size_t)a->out, sizeof *narrow);
  int32_t *wide = qn_arena_array(arena, (size_t)a->out, sizeof *wide);
  for (int64_t i = 0; i < a->out; i++) {
    double d = distance_of(a, i, fixed);
    wide[i] = (int32_t)ldexp(d, bits);
    narrow[i] = (int16_t)wide[i];
  }
  bool is_narrow = p->number->integer.width == 16;
  return qn_form_row(p->f, p->number, is_narrow ? (void *)narrow : (void *)wide, a->out);
}

static qn_value *binary(const passes *p, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(p->f->b, kind, a, b);
}
static qn_value *number(const passes *p, int64_t value) {
  return qn_build_int(p->f->b, value, p->number);
}

/* sum / 2^shift. Ties: up for unsigned bytes, where f32 adds 0.5 and truncates; else away from
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

/* One pass over dimension `dim` of x; the last one (`type` has bytes) rounds. */
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
  qn_value *terms[2], *d = qn_form_element(generic, 2);
  qn_value *rest = binary(p, QN_OP_ARITH_SUBI, number(p, INT64_C(1) << bits), d);
  for (uint32_t i = 0; i < 2; i++) {
    qn_value *q =
        qn_form_widened(f, qn_form_element(generic, i), p->is_unsigned, p->number->integer.width);
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
  p.bits[0] = fraction_bits(rows, fixed), p.bits[1] = fraction_bits(columns, fixed);
  const int bits = p.bits[0] + p.bits[1];
  if (qn_form_is_real(x) || qn_type_bytes(qn_type_element(x->type)) > 1) return NULL;
  if (p.bits[0] < 0 || p.bits[1] < 0 || (!fixed && bits + SUM_BITS > F32_BITS)) return NULL;
  /* Sums wrap, so only the result and half of a unit must fit: unsigned, or with a sign. */
  const bool narrow = bits + BYTE <= (p.is_unsigned ? 16 : 15);
  p.number = qn_type_i(f->cx, narrow ? 16 : 32);
  const int64_t *from = x->type->shaped.dims, *to = f->op->results[0].type->shaped.dims;
  const int64_t between[] = {from[0], to[1], from[2], from[3]};
  qn_value *t = pass(&p, x, 1, rows, distances(&p, rows, p.bits[0], fixed),
                     qn_type_tensor(f->cx, p.number, 4, between));
  return pass(&p, t, 2, columns, distances(&p, columns, p.bits[1], fixed),
              qn_form_stored_result(f));
}

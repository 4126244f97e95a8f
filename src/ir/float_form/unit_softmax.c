/* 8-bit softmax by a table of exponentials: in f64, whose error matters only within 2^-40 of a step
 * of a tie; or in f32, as a kernel of onnxruntime rounds it (docs/arithmetic.md 19.6 and 20.6).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/unit.h"

enum { ENTRIES = 256 };

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}

static bool is_single(const unit *u) { return u->numbers->finish == QN_UNIT_SINGLE; }
static const qn_type *computed(const unit *u) {
  return qn_type_float(u->f->cx, is_single(u) ? QN_F32 : QN_F64);
}

/* Type of one value per row. */
static const qn_type *row_type(const unit *u, const qn_type *element) {
  const qn_type *type = u->f->op->results[0].type;
  return qn_type_tensor(u->f->cx, element, type->shaped.rank - 1, type->shaped.dims);
}

static qn_value *widened(unit *u, qn_op *generic) {
  qn_form *f = u->f;
  return qn_form_widened(f, qn_form_element(generic, 0), qn_form_is_unsigned(f, 0), 32);
}

static qn_value *largest(unit *u, qn_value *x) {
  qn_form *f = u->f;
  uint32_t rank = x->type->shaped.rank;
  const qn_type *i32 = qn_type_i(f->cx, 32);
  qn_form_access input = qn_form_whole(f, x);
  qn_form_access output =
      qn_form_whole(f, qn_form_fill_with(f, row_type(u, i32), qn_attr_int(f->cx, INT16_MIN, i32)));
  qn_op *generic = qn_form_open(f, rank, UINT64_C(1) << (rank - 1), &input, 1, &output);
  return qn_form_close(
      f, generic, binary(f, QN_OP_ARITH_MAXSI, qn_form_element(generic, 1), widened(u, generic)));
}

static qn_value *table_of(unit *u) {
  const double *values = u->numbers->exponentials;
  float singles[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) singles[i] = (float)values[i];
  const void *payload = is_single(u) ? (const void *)singles : values;
  return qn_form_row(u->f, computed(u), payload, ENTRIES);
}

static qn_value *exponentials(unit *u, qn_value *x) {
  qn_form *f = u->f;
  const qn_type *i32 = qn_type_i(f->cx, 32);
  qn_form_access inputs[] = {qn_form_whole(f, x), qn_form_whole(f, largest(u, x))};
  qn_form_access output =
      qn_form_whole(f, qn_form_empty(f, qn_type_with_element(f->cx, x->type, i32)));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, inputs, 2, &output);
  qn_value *at = qn_form_close(
      f, generic, binary(f, QN_OP_ARITH_SUBI, qn_form_element(generic, 1), widened(u, generic)));
  return qn_build_1(f->b, QN_OP_ML_GATHER, qn_type_with_element(f->cx, x->type, computed(u)),
                    QN_VALUES(table_of(u), at), QN_ATTRS({"axis", qn_attr_i64(f->cx, 0)}));
}

/* Sums in order, in f64 rounded to f32 after each addition, because an f32 sum in lanes would
 * differ. */
static qn_value *sums(unit *u, qn_value *e) {
  qn_form *f = u->f;
  uint32_t rank = e->type->shaped.rank;
  const qn_type *f64 = qn_type_float(f->cx, QN_F64);
  qn_form_access input = qn_form_whole(f, e);
  qn_form_access output = qn_form_whole(
      f, qn_form_fill_with(f, row_type(u, computed(u)), qn_attr_float(f->cx, 0.0, computed(u))));
  qn_op *generic = qn_form_open(f, rank, UINT64_C(1) << (rank - 1), &input, 1, &output);
  qn_value *term = qn_form_element(generic, 0), *sum = qn_form_element(generic, 1);
  if (!is_single(u)) return qn_form_close(f, generic, binary(f, QN_OP_ARITH_ADDF, sum, term));
  term = qn_build_unary(f->b, QN_OP_ARITH_EXTF, term, f64);
  sum = binary(f, QN_OP_ARITH_ADDF, qn_build_unary(f->b, QN_OP_ARITH_EXTF, sum, f64), term);
  return qn_form_close(f, generic, qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, sum, computed(u)));
}

/* 1 / (sum * step) of each row: one division per row instead of one per element. */
static qn_value *factors(unit *u, qn_value *sums) {
  qn_form *f = u->f;
  qn_form_access input = qn_form_whole(f, sums);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, sums->type));
  qn_op *generic = qn_form_open(f, sums->type->shaped.rank, 0, &input, 1, &output);
  qn_value *sum = qn_form_element(generic, 0);
  sum = binary(f, QN_OP_ARITH_MULF, sum, qn_build_float(f->b, u->numbers->step, sum->type));
  qn_value *one = qn_build_float(f->b, 1, sum->type);
  return qn_form_close(f, generic, binary(f, QN_OP_ARITH_DIVF, one, sum));
}

/* e * floor(1 / step) / sum, as the kernel of onnxruntime computes it. */
static qn_value *share(unit *u, qn_value *e, qn_value *sum) {
  qn_form *f = u->f;
  float times = floorf(1.0F / (float)u->numbers->step);
  e = binary(f, QN_OP_ARITH_MULF, e, qn_build_float(f->b, (double)times, e->type));
  return binary(f, QN_OP_ARITH_DIVF, e, sum);
}

qn_value *qn_unit_softmax(unit *u) {
  qn_form *f = u->f;
  qn_value *e = exponentials(u, qn_form_stored(f, 0));
  qn_value *of_rows = is_single(u) ? sums(u, e) : factors(u, sums(u, e));
  qn_form_access inputs[] = {qn_form_whole(f, e), qn_form_whole(f, of_rows)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, qn_form_stored_result(f)));
  qn_op *generic = qn_form_open(f, e->type->shaped.rank, 0, inputs, 2, &output);
  qn_value *element = qn_form_element(generic, 0), *row = qn_form_element(generic, 1);
  qn_value *y = is_single(u) ? share(u, element, row) : binary(f, QN_OP_ARITH_MULF, element, row);
  return qn_form_restored(f, qn_form_close(f, generic, qn_unit_nearest(u, y)));
}

/* Quantization of rows of floats by their own ranges, as the runtimes' kernels compute it
 * (docs/arithmetic.md 15). The rules are in hybrid_rules.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "ir/float_form/fixed.h"
#include "ir/float_form/hybrid.h"

enum { BLOCK = 8 };

typedef struct input {
  qn_form *f;
  const qn_type *f32;
  qn_row_scheme scheme;
  uint32_t rows;
  qn_value *low, *high; /* per row: minimum and maximum; low is NULL if magnitudes are used */
  qn_value *scale, *inverse, *zero;
} input;

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *real(qn_form *f, double value, const qn_value *like) {
  return qn_build_float(f->b, value, like->type);
}
static qn_value *magnitude(qn_form *f, qn_value *x) {
  return qn_build_unary(f->b, QN_OP_MATH_ABSF, x, x->type);
}
/* ---- ranges ---- */

qn_value *qn_form_minmax(qn_form *f, qn_op_kind kind, qn_value *x, uint32_t kept,
                         bool of_magnitudes) {
  static const int64_t one[] = {1};
  uint32_t rank = x->type->shaped.rank;
  const qn_type *element = qn_type_element(x->type);
  const qn_type *type =
      qn_type_tensor(f->cx, element, kept ? kept : 1, kept ? x->type->shaped.dims : one);
  qn_value *start = qn_form_fill_with(f, type, qn_attr_float(f->cx, 0, element));
  qn_form_access from = qn_form_whole(f, x), to = qn_form_whole(f, start);
  if (!kept) to.at[0] = qn_affine_const(f->cx, 0);
  uint64_t reduced = ((UINT64_C(1) << rank) - 1) & ~((UINT64_C(1) << kept) - 1);
  qn_op *generic = qn_form_open(f, rank, reduced, &from, 1, &to);
  qn_value *value = qn_form_element(generic, 0);
  if (of_magnitudes) value = magnitude(f, value);
  return qn_form_close(f, generic, binary(f, kind, qn_form_element(generic, 1), value));
}

/* body(low, high) of every row; if magnitudes are used, both are the maximum. */
typedef qn_value *row_fn(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high);
static qn_value *per_row(input *in, row_fn *body) {
  qn_form *f = in->f;
  const qn_type *type = qn_type_tensor(f->cx, in->f32, in->rows, f->operands[0]->type->shaped.dims);
  qn_form_access inputs[] = {qn_form_whole(f, in->low ? in->low : in->high),
                             qn_form_whole(f, in->high)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, in->rows, 0, inputs, 2, &output);
  return qn_form_close(
      f, generic, body(f, in->scheme, qn_form_element(generic, 0), qn_form_element(generic, 1)));
}

static qn_value *width(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high) {
  (void)scheme;
  return binary(f, QN_OP_ARITH_SUBF, high, low);
}

static void find_ranges(input *in) {
  qn_value *x = in->f->operands[0];
  bool ends = in->scheme != QN_ROWS_SYMMETRIC;
  in->high = qn_form_minmax(in->f, QN_OP_ARITH_MAXIMUMF, x, in->rows, !ends);
  if (ends) in->low = qn_form_minmax(in->f, QN_OP_ARITH_MINIMUMF, x, in->rows, false);
  in->scale = per_row(in, qn_form_row_scale);
  in->inverse = per_row(in, qn_form_row_inverse);
  if (ends) in->zero = per_row(in, qn_form_row_zero);
}

/* ---- elements ---- */

/* The value added before truncation: 1/2 in whole blocks; in the remainder the largest float below
 * it, so that sums round halves away from zero and nothing else. Shaped like a row; NULL if there
 * are only whole blocks. */
static qn_value *halves(input *in) {
  qn_form *f = in->f;
  const qn_type *x = f->operands[0]->type;
  const qn_type *type =
      qn_type_tensor(f->cx, in->f32, x->shaped.rank - in->rows, x->shaped.dims + in->rows);
  int64_t count = qn_type_elements(type), whole = count - count % BLOCK;
  if (whole == count) return NULL;
  float *values = qn_arena_array(&f->b->module->arena, (size_t)count, sizeof *values);
  for (int64_t i = 0; i < count; i++) values[i] = i < whole ? 0.5F : 0.5F - FLT_EPSILON / 4;
  const qn_bytes bytes = {(const uint8_t *)values, (size_t)count * sizeof *values};
  const qn_attr *value = qn_attr_dense(f->cx, type, bytes, false);
  return qn_build_1(f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *in_steps(input *in) {
  qn_form *f = in->f;
  qn_value *x = f->operands[0];
  qn_value *row = in->scheme == QN_ROWS_DYNAMIC ? NULL : halves(in);
  uint32_t count = 0, zero = 0, half = 0, rank = x->type->shaped.rank;
  qn_form_access inputs[4];
  inputs[count++] = qn_form_whole(f, x);
  inputs[count++] = qn_form_whole(f, in->inverse);
  if (in->zero) inputs[zero = count++] = qn_form_whole(f, in->zero);
  if (row) {
    inputs[half = count++] = (qn_form_access){.value = row};
    for (uint32_t i = in->rows; i < rank; i++) inputs[half].at[i - in->rows] = qn_form_dim(f, i);
  }
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, rank, 0, inputs, count, &output);
  qn_value *element = qn_form_element(generic, 0);
  const qn_row_element e = {
      .x = element,
      .inverse = qn_form_element(generic, 1),
      .zero = zero ? qn_form_element(generic, zero) : NULL,
      .half = row ? qn_form_element(generic, half) : real(f, 0.5, element),
      .has_rest = row != NULL,
  };
  return qn_form_close(f, generic, qn_form_row_step(f, in->scheme, &e));
}

/* Quantizes all rows by one op (ml.quantize_rows). */
static qn_hybrid_input by_op(qn_form *f, uint32_t rows) {
  const qn_type *x = f->operands[0]->type, *f32 = qn_type_float(f->cx, QN_F32);
  const int64_t *dims = x->shaped.dims;
  const qn_type *types[] = {x, qn_type_tensor(f->cx, f32, rows, dims),
                            qn_type_tensor(f->cx, qn_type_i(f->cx, 32), rows, dims)};
  const qn_row_scheme scheme = qn_hybrid_scheme(&f->numbers->hybrid);
  qn_op *op = qn_build(f->b, (qn_op_state){.kind = QN_OP_ML_QUANTIZE_ROWS,
                                           .operands = f->operands,
                                           .operand_count = 1,
                                           .result_types = types,
                                           .result_count = QN_COUNT(types)});
  qn_op_set_attr(f->b->module, op, qn_attr_decls[QN_A_ROWS].name, qn_attr_i64(f->cx, rows));
  qn_op_set_attr(f->b->module, op, qn_attr_decls[QN_A_ROW_SCHEME].name,
                 qn_attr_word(f->cx, QN_A_ROW_SCHEME, scheme));
  return (qn_hybrid_input){
      .rows = rows, .steps = qn_op_result(op, 0), .scale = qn_op_result(op, 1)};
}

qn_hybrid_input qn_form_hybrid_input(qn_form *f, uint32_t rows) {
  if (f->numbers->hybrid.by_op) return by_op(f, rows);
  input in = {.f = f,
              .f32 = qn_type_float(f->cx, QN_F32),
              .scheme = qn_hybrid_scheme(&f->numbers->hybrid),
              .rows = rows};
  find_ranges(&in);
  qn_value *steps = in_steps(&in), *extent = in.low ? per_row(&in, width) : in.high;
  return (qn_hybrid_input){.rows = rows, .steps = steps, .scale = in.scale, .extent = extent};
}

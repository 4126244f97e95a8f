/* Decompositions of exact units (docs/arithmetic.md 19 and 20): an integer is computed from stored
 * values, and parameters of the plan turn it into the result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/unit.h"
#include "ir/types/quant_at.h"

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *whole(qn_form *f, int64_t value, const qn_value *like) {
  return qn_build_int(f->b, value, like->type);
}
static const qn_type *f64_of(const unit *u) { return qn_type_float(u->f->cx, QN_F64); }

/* ---- differences to zero points ---- */

static qn_value *difference(unit *u, qn_value *stored, uint32_t operand) {
  qn_form *f = u->f;
  const qn_quant_uniform *q = qn_type_quant(f->operands[operand]->type);
  qn_value *x = qn_form_widened(f, stored, q && !q->is_signed, 64);
  int64_t zero_point = q ? q->zero_points[0] : 0;
  return zero_point ? binary(f, QN_OP_ARITH_SUBI, x, whole(f, zero_point, x)) : x;
}

/* Constant integers as doubles. */
static qn_value *constant_doubles(unit *u, uint32_t operand, const qn_attr *payload,
                                  const qn_type *type) {
  qn_form *f = u->f;
  const qn_type *from = f->operands[operand]->type;
  const qn_quant_uniform *q = qn_type_quant(from);
  int64_t count = qn_type_elements(type), inner = 1;
  bool by_channel = q && q->count > 1;
  for (uint32_t d = by_channel ? (uint32_t)q->axis + 1 : from->shaped.rank; d < from->shaped.rank;
       d++)
    inner *= from->shaped.dims[d];
  double *values = qn_arena_array(&f->b->module->arena, (size_t)count + 1, sizeof *values);
  for (int64_t i = 0; i < count; i++) {
    int64_t zero_point = q ? q->zero_points[by_channel ? i / inner % q->count : 0] : 0;
    const int64_t stored = qn_dense_int(payload, i);
    values[i] = (double)((q ? qn_quant_stored(q, stored) : stored) - zero_point);
  }
  const qn_bytes bytes = {(const uint8_t *)values, (size_t)count * sizeof *values};
  const qn_attr *value = qn_attr_dense(f->cx, type, bytes, true);
  return qn_build_1(f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *computed_doubles(unit *u, uint32_t operand, const qn_type *type) {
  qn_form *f = u->f;
  const qn_quant_uniform *q = qn_type_quant(f->operands[operand]->type);
  qn_form_access inputs[] = {qn_form_whole(f, qn_form_stored(f, operand)), {0}};
  const bool by_channel = q && q->count > 1;
  if (by_channel) {
    inputs[1].value = qn_form_row(f, qn_type_i(f->cx, 64), q->zero_points, q->count);
    inputs[1].at[0] = qn_form_dim(f, q->axis);
  }
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, inputs, by_channel ? 2 : 1, &output);
  qn_value *x = qn_form_element(generic, 0);
  if (by_channel)
    x = binary(f, QN_OP_ARITH_SUBI, qn_form_widened(f, x, !q->is_signed, 64),
               qn_form_element(generic, 1));
  else
    x = difference(u, x, operand);
  return qn_form_close(f, generic, qn_build_unary(f->b, QN_OP_ARITH_SITOFP, x, f64_of(u)));
}

/* Operand i minus its zero points, as f64. A plain integer bias has none. Constants become
 * constants, up to MOST_COPIED bytes. Larger ones stay as they are stored, and are converted before
 * the first call: a module would otherwise be eight times as large as its weights. */
static qn_value *doubles(unit *u, uint32_t operand) {
  enum { MOST_COPIED = 16 << 20 };
  const qn_value *x = u->f->operands[operand];
  const qn_type *type = qn_type_with_element(u->f->cx, x->type, f64_of(u));
  const qn_attr *payload = qn_value_constant(x);
  bool copied = payload && qn_attr_is_elements(payload) &&
                qn_type_elements(type) <= MOST_COPIED / (int64_t)sizeof(double);
  return copied ? constant_doubles(u, operand, payload, type) : computed_doubles(u, operand, type);
}

/* ---- sums ---- */

/* The op itself on integers held in f64: products and sums of f64 are exact below 2^53. */
static qn_value *matrix_sums(unit *u) {
  static const qn_attr_id geometry[] = {QN_A_STRIDES, QN_A_PAD,         QN_A_DILATIONS,
                                        QN_A_GROUPS,  QN_A_TRANSPOSE_X, QN_A_TRANSPOSE_Y};
  qn_form *f = u->f;
  bool biased = f->op->operand_count > 2 && !qn_form_is_real(f->operands[2]);
  qn_value *operands[] = {doubles(u, 0), doubles(u, 1), biased ? doubles(u, 2) : NULL};
  const qn_type *type = qn_type_with_element(f->cx, f->op->results[0].type, f64_of(u));
  qn_value *sums = qn_build_1(f->b, f->op->kind, type, operands, biased ? 3 : 2, NULL);
  for (size_t i = 0; i < QN_COUNT(geometry); i++) {
    const qn_attr *value = qn_op_find(f->op, geometry[i]);
    if (value) qn_op_set_attr(f->b->module, sums->op, qn_attr_decls[geometry[i]].name, value);
  }
  return sums;
}

static const qn_type *whole_numbers(unit *u, const qn_type *like) {
  return qn_type_with_element(u->f->cx, like, qn_type_i(u->f->cx, 64));
}
static qn_form_access zeros(unit *u, const qn_type *type) {
  qn_form *f = u->f;
  const qn_attr *zero = qn_attr_int(f->cx, 0, qn_type_element(type));
  return qn_form_whole(f, qn_form_fill_with(f, type, zero));
}

static qn_value *add_up(unit *u, qn_op *generic, uint32_t output) {
  qn_form *f = u->f;
  qn_value *x = difference(u, qn_form_element(generic, 0), 0);
  return qn_form_close(f, generic,
                       binary(f, QN_OP_ARITH_ADDI, qn_form_element(generic, output), x));
}

/* Stored values, padded with the zero point, which adds nothing. */
static qn_value *bordered(unit *u) {
  qn_form *f = u->f;
  qn_i64s pad = qn_op_pad(f->op);
  const qn_type *type = f->operands[0]->type;
  int64_t borders[8] = {0}, dims[QN_FORM_MAX_RANK], all = 0;
  for (uint32_t d = 0; d < 4; d++) dims[d] = type->shaped.dims[d];
  for (uint32_t i = 0; i < 4; i++) {
    borders[2 + i] = pad.data[i];
    dims[1 + i / 2] += pad.data[i];
    all += pad.data[i];
  }
  if (all == 0) return qn_form_stored(f, 0);
  type = qn_type_tensor(f->cx, qn_type_element(type), 4, dims);
  qn_value *x = qn_build_1(f->b, QN_OP_ML_PAD, type, QN_VALUES(f->operands[0]),
                           QN_ATTRS({"pad", qn_attr_i64s(f->cx, borders, 8)}));
  const qn_type *stored = qn_type_i(f->cx, qn_type_quant(type)->storage->integer.width);
  return qn_build_unary(f->b, QN_OP_QUANT_SCAST, x, qn_type_with_element(f->cx, type, stored));
}

enum { WINDOW_LOOPS = 6, WINDOW_TAPS = 3 << 4 };

/* Opens loops n, row, column, channel, tap row and tap column; the sizes of the latter two come
 * from a tensor that is not read. */
static qn_op *open_windows(unit *u, const qn_form_access *sums) {
  qn_form *f = u->f;
  qn_i64s kernel = qn_op_kernel_sizes(f->op), strides = qn_op_strides(f->op);
  qn_form_access inputs[] = {qn_form_whole(f, bordered(u)), {0}};
  for (uint32_t i = 0; i < 2; i++) {
    const qn_affine_expr *at = qn_affine_scaled(f->cx, qn_form_dim(f, 1 + i), strides.data[i]);
    inputs[0].at[1 + i] = qn_affine_add(f->cx, at, qn_form_dim(f, 4 + i));
  }
  const qn_type *taps = qn_type_tensor(f->cx, qn_type_i(f->cx, 8), 2, kernel.data);
  inputs[1] = (qn_form_access){.value = qn_form_empty(f, taps),
                               .at = {qn_form_dim(f, 4), qn_form_dim(f, 5)}};
  return qn_form_open(f, WINDOW_LOOPS, WINDOW_TAPS, inputs, 2, sums);
}

static qn_value *window_sums(unit *u) {
  qn_form_access sums = zeros(u, whole_numbers(u, u->f->op->results[0].type));
  return add_up(u, open_windows(u, &sums), 2);
}

/* Sums of f32(scale * difference) in order, as f64 rounded to f32 after each addition. */
static qn_value *float_window_sums(unit *u) {
  qn_form *f = u->f;
  const qn_type *f32 = qn_type_float(f->cx, QN_F32);
  const double scale = qn_type_quant(f->operands[0]->type)->scales[0];
  const qn_type *type = qn_type_with_element(f->cx, f->op->results[0].type, f32);
  qn_form_access sums =
      qn_form_whole(f, qn_form_fill_with(f, type, qn_attr_float(f->cx, 0.0, f32)));
  qn_op *generic = open_windows(u, &sums);
  qn_value *x = difference(u, qn_form_element(generic, 0), 0);
  x = qn_build_unary(f->b, QN_OP_ARITH_SITOFP, x, f32);
  x = binary(f, QN_OP_ARITH_MULF, x, qn_build_float(f->b, scale, f32));
  x = qn_build_unary(f->b, QN_OP_ARITH_EXTF, x, f64_of(u));
  qn_value *sum = qn_build_unary(f->b, QN_OP_ARITH_EXTF, qn_form_element(generic, 2), f64_of(u));
  sum = binary(f, QN_OP_ARITH_ADDF, sum, x);
  return qn_form_close(f, generic, qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, sum, f32));
}

static qn_value *reduced_sums(unit *u) {
  qn_form *f = u->f;
  qn_i64s axes = qn_op_axes(f->op);
  uint64_t reduced = 0;
  for (uint32_t i = 0; i < axes.count; i++) reduced |= UINT64_C(1) << axes.data[i];
  qn_form_access input = qn_form_whole(f, qn_form_stored(f, 0));
  qn_form_access sums = zeros(u, whole_numbers(u, f->op->results[0].type));
  uint32_t rank = input.value->type->shaped.rank, at = 0;
  for (uint32_t d = 0; d < rank; d++) {
    bool gone = reduced >> d & 1;
    if (gone && !qn_op_keep_dims(f->op)) continue;
    sums.at[at++] = gone ? qn_affine_const(f->cx, 0) : qn_form_dim(f, d);
  }
  return add_up(u, qn_form_open(f, rank, reduced, &input, 1, &sums), 1);
}

/* ---- a result from each sum ---- */

/* The access of parameters of the plan: one value, per channel, or per row and column. */
static qn_form_access by_place(unit *u, const double *values, uint32_t rank) {
  qn_form *f = u->f;
  const qn_unit_numbers *n = u->numbers;
  qn_form_access access = {.value = qn_form_row(f, f64_of(u), values, n->count)};
  access.at[0] = n->count == 1 ? qn_affine_const(f->cx, 0) : qn_form_dim(f, rank - 1);
  bool by_window = n->core == QN_UNIT_WINDOW || n->core == QN_UNIT_FLOAT_WINDOW;
  if (!by_window || n->count == 1) return access;
  const int64_t *dims = f->op->results[0].type->shaped.dims;
  const qn_type *type = qn_type_tensor(f->cx, f64_of(u), 2, dims + 1);
  access.value = qn_build_unary(f->b, QN_OP_ML_RESHAPE, access.value, type);
  access.at[0] = qn_form_dim(f, 1);
  access.at[1] = qn_form_dim(f, 2);
  return access;
}

static qn_value *finished(unit *u, qn_value *sums) {
  qn_form *f = u->f;
  const qn_type *type = f->op->results[0].type;
  uint32_t rank = type->shaped.rank, count = 0, bias = 0, divisor = 0;
  bool real = u->numbers->finish == QN_UNIT_REAL || u->numbers->finish == QN_UNIT_SINGLE_REAL;
  qn_form_access inputs[5];
  inputs[count++] = qn_form_whole(f, sums);
  inputs[count++] = by_place(u, u->numbers->factors, rank);
  inputs[count++] = by_place(u, u->numbers->offsets, rank);
  if (u->numbers->divisors) inputs[divisor = count++] = by_place(u, u->numbers->divisors, rank);
  if (u->numbers->finish == QN_UNIT_SINGLE_REAL && f->op->operand_count > 2 &&
      qn_form_is_real(f->operands[2])) {
    inputs[bias = count++] = (qn_form_access){.value = f->operands[2]};
    inputs[bias].at[0] = qn_form_dim(f, rank - 1);
  }
  const qn_type *stored = real ? type : qn_form_stored_result(f);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, stored));
  qn_op *generic = qn_form_open(f, rank, 0, inputs, count, &output);
  const unit_place at = {.factor = qn_form_element(generic, 1),
                         .offset = qn_form_element(generic, 2),
                         .divisor = divisor ? qn_form_element(generic, divisor) : NULL,
                         .bias = bias ? qn_form_element(generic, bias) : NULL};
  qn_value *y = qn_form_close(f, generic, qn_unit_finished(u, qn_form_element(generic, 0), &at));
  return real ? y : qn_form_restored(f, y);
}

/* ---- elementwise ---- */

static qn_value *element_numbers(unit *u, qn_op *generic) {
  qn_form *f = u->f;
  const qn_unit_numbers *n = u->numbers;
  qn_value *a = difference(u, qn_form_element(generic, 0), 0);
  if (n->core == QN_UNIT_ELEMENT) return a;
  qn_value *b = difference(u, qn_form_element(generic, 1), 1);
  if (n->core == QN_UNIT_PRODUCT) return binary(f, QN_OP_ARITH_MULI, a, b);
  a = binary(f, QN_OP_ARITH_MULI, a, whole(f, n->terms[0], a));
  b = binary(f, QN_OP_ARITH_MULI, b, whole(f, n->terms[1], b));
  return binary(f, QN_OP_ARITH_ADDI, a, b);
}

static qn_value *elementwise(unit *u) {
  qn_form *f = u->f;
  const qn_type *type = f->op->results[0].type;
  bool real = !qn_type_quant(type);
  qn_form_access inputs[2];
  uint32_t count = u->numbers->core == QN_UNIT_ELEMENT ? 1 : 2;
  for (uint32_t i = 0; i < count; i++) inputs[i] = qn_form_broadcast(f, qn_form_stored(f, i));
  qn_form_access output =
      qn_form_whole(f, qn_form_empty(f, real ? type : qn_form_stored_result(f)));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, inputs, count, &output);
  qn_value *y;
  if (u->numbers->core == QN_UNIT_TERMS)
    y = real ? qn_unit_real_sum(u, difference(u, qn_form_element(generic, 0), 0),
                                difference(u, qn_form_element(generic, 1), 1))
             : qn_unit_quotient(u, element_numbers(u, generic));
  else {
    qn_value *n = element_numbers(u, generic);
    const double *divisors = u->numbers->divisors;
    const unit_place at = {.factor = qn_build_float(f->b, u->numbers->factors[0], f64_of(u)),
                           .offset = qn_build_float(f->b, u->numbers->offsets[0], f64_of(u)),
                           .divisor =
                               divisors ? qn_build_float(f->b, divisors[0], f64_of(u)) : NULL};
    y = qn_unit_finished(u, n, &at);
  }
  y = qn_form_close(f, generic, y);
  return real ? y : qn_form_restored(f, y);
}

static qn_value *looked_up(unit *u) {
  qn_form *f = u->f;
  enum { ENTRIES = 256 };
  const qn_type *type = f->op->results[0].type;
  qn_form_access input = qn_form_whole(f, qn_form_stored(f, 0));
  const qn_type *index = qn_type_with_element(f->cx, type, qn_type_i(f->cx, 32));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, index));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, &input, 1, &output);
  qn_value *at = qn_form_widened(f, qn_form_element(generic, 0), true, 32);
  at = qn_form_close(f, generic, at);
  qn_value *table = qn_form_row(f, f->real, u->numbers->reals, ENTRIES);
  return qn_build_1(f->b, QN_OP_ML_GATHER, type, QN_VALUES(table, at),
                    QN_ATTRS({"axis", qn_attr_i64(f->cx, 0)}));
}

qn_value *qn_build_unit_form(qn_builder *b, const qn_op *op, const qn_unit_numbers *numbers) {
  qn_value **operands = qn_arena_array(&b->module->arena, op->operand_count + 1, sizeof *operands);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = qn_op_operand(op, i);
  qn_form form = {.b = b, .cx = b->cx, .op = op, .operands = operands};
  unit u = {.f = &form, .numbers = numbers};
  form.real = qn_type_float(b->cx, QN_F32);
  switch (numbers->core) {
  case QN_UNIT_MATRIX:
    return finished(&u, matrix_sums(&u));
  case QN_UNIT_WINDOW:
    return finished(&u, window_sums(&u));
  case QN_UNIT_FLOAT_WINDOW:
    return finished(&u, float_window_sums(&u));
  case QN_UNIT_REDUCED:
    return finished(&u, reduced_sums(&u));
  case QN_UNIT_SOFTMAX:
    return qn_unit_softmax(&u);
  case QN_UNIT_TABLE:
    return looked_up(&u);
  default:
    return elementwise(&u);
  }
}

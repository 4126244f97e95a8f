/* Matrix products of floats with weights of 8 bits, as kernels compute them: each row of the input
 * (of a convolution, each entry of the batch) is quantized by its own range, products are summed
 * exactly, and the sums are scaled back (docs/arithmetic.md 15).
 *
 * The sums are those of f32 kernels: they are whole numbers, exact below 2^24. Where they may be
 * greater, weights are taken apart as 16 * high + low and the halves are summed on their own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/fixed.h"

enum { OEQ = 1, OLT = 4 };

typedef struct hybrid {
  qn_form *f;
  const qn_type *f32;
  uint32_t rows;     /* leading dimensions of the input that have a range each */
  qn_value *scale;   /* per row: of the input */
  qn_value *inverse; /* per row: what the input is multiplied by */
  qn_value *offset;  /* per row, in f32: the stored value of 0; NULL: 0 */
} hybrid;

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *real(qn_form *f, double value, const qn_value *like) {
  return qn_build_float(f->b, value, like->type);
}

/* ---- ranges ---- */

static const qn_type *row_type(const hybrid *h) {
  const qn_type *x = h->f->operands[0]->type;
  return qn_type_tensor(h->f->cx, h->f32, h->rows, x->shaped.dims);
}

/* The rows' greatest or lowest element, from `initial` on; of magnitudes. */
static qn_value *extreme(hybrid *h, qn_op_kind kind, double initial, bool of_magnitudes) {
  qn_form *f = h->f;
  qn_value *x = f->operands[0];
  uint32_t rank = x->type->shaped.rank;
  qn_value *start = qn_form_fill_with(f, row_type(h), qn_attr_float(f->cx, initial, h->f32));
  qn_form_access input = qn_form_whole(f, x), output = qn_form_whole(f, start);
  uint64_t reduced = ((UINT64_C(1) << rank) - 1) & ~((UINT64_C(1) << h->rows) - 1);
  qn_op *generic = qn_form_open(f, rank, reduced, &input, 1, &output);
  qn_value *element = qn_form_element(generic, 0);
  if (of_magnitudes) element = qn_build_unary(f->b, QN_OP_MATH_ABSF, element, h->f32);
  return qn_form_close(f, generic, binary(f, kind, qn_form_element(generic, 1), element));
}

/* body(a, b) of every row. */
typedef qn_value *row_fn(qn_form *f, qn_value *a, qn_value *b);
static qn_value *per_row(hybrid *h, qn_value *a, qn_value *b, row_fn *body) {
  qn_form *f = h->f;
  qn_form_access inputs[] = {qn_form_whole(f, a), qn_form_whole(f, b)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, row_type(h)));
  qn_op *generic = qn_form_open(f, h->rows, 0, inputs, 2, &output);
  return qn_form_close(f, generic,
                       body(f, qn_form_element(generic, 0), qn_form_element(generic, 1)));
}

/* Where the range is empty everything is 0. */
static qn_value *symmetric_scale(qn_form *f, qn_value *range, qn_value *same) {
  qn_value *is_empty = qn_form_compare_reals(f, OEQ, range, real(f, 0, range));
  qn_value *scale = binary(f, QN_OP_ARITH_DIVF, same, real(f, INT8_MAX, range));
  return qn_build_select(f->b, is_empty, real(f, 1, range), scale);
}
static qn_value *symmetric_inverse(qn_form *f, qn_value *range, qn_value *same) {
  qn_value *is_empty = qn_form_compare_reals(f, OEQ, range, real(f, 0, range));
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, INT8_MAX, range), same);
  return qn_build_select(f->b, is_empty, real(f, 0, range), inverse);
}

/* 255 steps between the ends; where both are 0, `none`. */
static qn_value *step(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *width = binary(f, QN_OP_ARITH_SUBF, high, low);
  return binary(f, QN_OP_ARITH_DIVF, width, real(f, UINT8_MAX, width));
}
static qn_value *unless_empty(qn_form *f, qn_value *low, qn_value *high, qn_value *y, double none) {
  qn_value *is_empty = qn_form_compare_reals(f, OEQ, low, high);
  return qn_build_select(f->b, is_empty, real(f, none, y), y);
}
static qn_value *asymmetric_scale(qn_form *f, qn_value *low, qn_value *high) {
  return unless_empty(f, low, high, step(f, low, high), 1);
}
static qn_value *asymmetric_inverse(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *scale = asymmetric_scale(f, low, high);
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, 1, scale), scale);
  return unless_empty(f, low, high, inverse, 0);
}
/* The zero point from the end with the smaller error, to nearest. */
static qn_value *asymmetric_offset(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *scale = step(f, low, high);
  qn_value *lows = binary(f, QN_OP_ARITH_DIVF, low, scale);
  qn_value *highs = binary(f, QN_OP_ARITH_DIVF, high, scale);
  qn_value *least = real(f, INT8_MIN, scale), *most = real(f, INT8_MAX, scale);
  qn_value *from_low = binary(f, QN_OP_ARITH_SUBF, least, lows);
  qn_value *from_high = binary(f, QN_OP_ARITH_SUBF, most, highs);
  qn_value *low_error = qn_build_unary(f->b, QN_OP_MATH_ABSF, lows, lows->type);
  low_error = binary(f, QN_OP_ARITH_ADDF, real(f, -INT8_MIN, scale), low_error);
  qn_value *high_error = qn_build_unary(f->b, QN_OP_MATH_ABSF, highs, highs->type);
  high_error = binary(f, QN_OP_ARITH_ADDF, most, high_error);
  qn_value *is_less = qn_form_compare_reals(f, OLT, low_error, high_error);
  qn_value *zero = qn_build_select(f->b, is_less, from_low, from_high);
  zero = qn_build_unary(f->b, QN_OP_MATH_ROUND, zero, zero->type);
  zero = binary(f, QN_OP_ARITH_MINIMUMF, binary(f, QN_OP_ARITH_MAXIMUMF, zero, least), most);
  return unless_empty(f, low, high, zero, 0);
}

static void find_ranges(hybrid *h) {
  if (!h->f->numbers->asymmetric) {
    qn_value *range = extreme(h, QN_OP_ARITH_MAXIMUMF, 0, true);
    h->scale = per_row(h, range, range, symmetric_scale);
    h->inverse = per_row(h, range, range, symmetric_inverse);
    return;
  }
  qn_value *low = extreme(h, QN_OP_ARITH_MINIMUMF, 0, false);
  qn_value *high = extreme(h, QN_OP_ARITH_MAXIMUMF, 0, false);
  h->scale = per_row(h, low, high, asymmetric_scale);
  h->inverse = per_row(h, low, high, asymmetric_inverse);
  h->offset = per_row(h, low, high, asymmetric_offset);
}

/* ---- the input in steps, less its zero point ---- */

static qn_value *input_in_steps(hybrid *h) {
  qn_form *f = h->f;
  qn_value *x = f->operands[0];
  uint32_t count = h->offset ? 3 : 2;
  qn_form_access inputs[3] = {qn_form_whole(f, x), qn_form_whole(f, h->inverse)};
  if (h->offset) inputs[2] = qn_form_whole(f, h->offset);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, inputs, count, &output);
  qn_value *q =
      binary(f, QN_OP_ARITH_MULF, qn_form_element(generic, 0), qn_form_element(generic, 1));
  qn_value *offset = h->offset ? qn_form_element(generic, 2) : NULL;
  if (offset) q = binary(f, QN_OP_ARITH_ADDF, offset, q);
  q = qn_build_unary(f->b, QN_OP_MATH_ROUND, q, h->f32);
  q = binary(f, QN_OP_ARITH_MAXIMUMF, q, real(f, offset ? INT8_MIN : -INT8_MAX, q));
  q = binary(f, QN_OP_ARITH_MINIMUMF, q, real(f, INT8_MAX, q));
  if (offset) q = binary(f, QN_OP_ARITH_SUBF, q, offset);
  return qn_form_close(f, generic, q);
}

/* ---- sums ---- */

/* Which part of a stored weight: all of it, or one of its halves, the low one from -8 on. */
enum { WHOLE, HIGH, LOW };
static int32_t part_of(int32_t weight, int part) {
  int32_t high = (weight + 8) >> 4;
  return part == WHOLE ? weight : part == HIGH ? high : weight - 16 * high;
}

static qn_value *constant_part(hybrid *h, const qn_attr *payload, const qn_type *type, int part) {
  qn_form *f = h->f;
  int64_t count = qn_type_elements(type);
  float *values = qn_arena_array(&f->b->module->arena, (size_t)count, sizeof *values);
  for (int64_t i = 0; i < count; i++)
    values[i] = (float)part_of((int32_t)qn_dense_int(payload, i), part);
  const qn_bytes bytes = {(const uint8_t *)values, (size_t)count * sizeof *values};
  const qn_attr *value = qn_attr_dense(f->cx, type, bytes, true);
  return qn_build_1(f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *computed_part(hybrid *h, const qn_type *type, int part) {
  qn_form *f = h->f;
  qn_form_access input = qn_form_whole(f, qn_form_stored(f, 1));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, &input, 1, &output);
  qn_value *w = qn_form_widened(f, qn_form_element(generic, 0), false, 32);
  qn_value *high = binary(f, QN_OP_ARITH_ADDI, w, qn_build_int(f->b, 8, w->type));
  high = binary(f, QN_OP_ARITH_SHRSI, high, qn_build_int(f->b, 4, w->type));
  qn_value *low = binary(f, QN_OP_ARITH_SHLI, high, qn_build_int(f->b, 4, w->type));
  low = binary(f, QN_OP_ARITH_SUBI, w, low);
  qn_value *y = part == WHOLE ? w : part == HIGH ? high : low;
  return qn_form_close(f, generic, qn_build_unary(f->b, QN_OP_ARITH_SITOFP, y, h->f32));
}

/* The op itself, without bias and activation, on the steps and a part of the weights. */
static qn_value *sums_of(hybrid *h, qn_value *steps, int part) {
  qn_form *f = h->f;
  const qn_type *type = qn_type_with_element(f->cx, f->operands[1]->type, h->f32);
  const qn_attr *payload = qn_value_constant(f->operands[1]);
  qn_value *weights =
      payload ? constant_part(h, payload, type, part) : computed_part(h, type, part);
  qn_value *y =
      qn_build_1(f->b, f->op->kind, f->op->results[0].type, QN_VALUES(steps, weights), NULL);
  static const qn_attr_id geometry[] = {QN_A_STRIDES, QN_A_PAD, QN_A_DILATIONS, QN_A_GROUPS};
  for (size_t i = 0; i < QN_COUNT(geometry); i++) {
    const qn_attr *value = qn_op_find(f->op, geometry[i]);
    if (value) qn_op_set_attr(f->b->module, y->op, qn_attr_decls[geometry[i]].name, value);
  }
  return y;
}

/* The sum as a number of f32, rounded once. */
static qn_value *whole_sum(qn_form *f, qn_value *high, qn_value *low) {
  const qn_type *i32 = qn_type_i(f->cx, 32);
  if (!high) return low;
  high = qn_build_unary(f->b, QN_OP_ARITH_FPTOSI, high, i32);
  low = qn_build_unary(f->b, QN_OP_ARITH_FPTOSI, low, i32);
  high = binary(f, QN_OP_ARITH_SHLI, high, qn_build_int(f->b, 4, i32));
  qn_value *sum = binary(f, QN_OP_ARITH_ADDI, high, low);
  return qn_build_unary(f->b, QN_OP_ARITH_SITOFP, sum, qn_type_float(f->cx, QN_F32));
}

/* ---- back to reals ---- */

static qn_value *weight_scales(hybrid *h, int64_t channels) {
  const qn_quant_uniform *q = qn_type_quant(h->f->operands[1]->type);
  float *scales = qn_arena_array(&h->f->b->module->arena, (size_t)channels, sizeof *scales);
  for (int64_t c = 0; c < channels; c++) scales[c] = (float)q->scales[q->count > 1 ? c : 0];
  return qn_form_row(h->f, h->f32, scales, channels);
}

/* The kernels differ in which two of sum and scales they multiply first. */
static qn_value *scaled(qn_form *f, qn_value *sum, qn_value *row, qn_value *channel) {
  if (!f->numbers->sum_first)
    return binary(f, QN_OP_ARITH_MULF, sum, binary(f, QN_OP_ARITH_MULF, row, channel));
  return binary(f, QN_OP_ARITH_MULF, binary(f, QN_OP_ARITH_MULF, sum, channel), row);
}

static qn_value *scaled_back(hybrid *h, qn_value *high, qn_value *low) {
  qn_form *f = h->f;
  const qn_type *type = low->type;
  uint32_t rank = type->shaped.rank, count = 0, bias = 0, halves = 0;
  qn_form_access inputs[5];
  inputs[count++] = qn_form_whole(f, low);
  inputs[count++] = qn_form_whole(f, h->scale);
  inputs[count] = (qn_form_access){.value = weight_scales(h, type->shaped.dims[rank - 1])};
  inputs[count++].at[0] = qn_form_dim(f, rank - 1);
  if (f->op->operand_count > 2) {
    inputs[bias = count++] = (qn_form_access){.value = f->operands[2]};
    inputs[bias].at[0] = qn_form_dim(f, rank - 1);
  }
  if (high) inputs[halves = count++] = qn_form_whole(f, high);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, rank, 0, inputs, count, &output);
  qn_value *sum =
      whole_sum(f, high ? qn_form_element(generic, halves) : NULL, qn_form_element(generic, 0));
  qn_value *y = scaled(f, sum, qn_form_element(generic, 1), qn_form_element(generic, 2));
  if (bias) y = binary(f, QN_OP_ARITH_ADDF, y, qn_form_element(generic, bias));
  f->real = h->f32;
  return qn_form_close(f, generic, qn_form_activate(f, y, qn_form_activation(f)));
}

qn_value *qn_form_hybrid(qn_form *f) {
  hybrid h = {.f = f,
              .f32 = qn_type_float(f->cx, QN_F32),
              .rows = f->op->kind == QN_OP_ML_LINEAR ? f->operands[0]->type->shaped.rank - 1 : 1};
  find_ranges(&h);
  qn_value *steps = input_in_steps(&h);
  if (!f->numbers->halves) return scaled_back(&h, NULL, sums_of(&h, steps, WHOLE));
  qn_value *high = sums_of(&h, steps, HIGH);
  return scaled_back(&h, high, sums_of(&h, steps, LOW));
}

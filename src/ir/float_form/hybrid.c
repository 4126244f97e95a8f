/* Matrix products of floats with 8-bit weights, as the runtimes' kernels compute them: each row of
 * the input (of a convolution, each batch element or pixel) is quantized by its own range
 * (ml.quantize_rows), products are summed exactly, and the sums are scaled back (docs/arithmetic.md
 * 15).
 *
 * Sums are computed in f32: they are integers, exact below 2^24. If they may be larger, weights are
 * split as 16 * high + low, and both parts are summed separately.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "ir/float_form/fixed.h"
#include "ir/float_form/hybrid.h"

enum { FOUR = 4 };

typedef struct hybrid {
  qn_form *f;
  const qn_type *f32;
  const qn_hybrid_numbers *numbers;
  qn_value *steps; /* the input as stored values minus their zero point */
  qn_value *scale; /* per row: the scale */
} hybrid;

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *real(qn_form *f, double value, const qn_value *like) {
  return qn_build_float(f->b, value, like->type);
}

/* ---- the input ---- */

qn_op *qn_hybrid_quantize(qn_builder *b, const qn_op *op, const qn_hybrid_numbers *n, qn_value *x,
                          const qn_type *step) {
  qn_ir_context *cx = b->cx;
  const int64_t *dims = x->type->shaped.dims;
  const bool by_row = op->kind == QN_OP_ML_LINEAR || n->pixels;
  const uint32_t rows = by_row ? x->type->shaped.rank - 1 : 1; /* dimensions that select a row */
  const qn_type *types[] = {qn_type_with_element(cx, x->type, step),
                            qn_type_tensor(cx, qn_type_float(cx, QN_F32), rows, dims),
                            qn_type_tensor(cx, qn_type_i(cx, 32), rows, dims)};
  qn_op *made = qn_build(b, (qn_op_state){.kind = QN_OP_ML_QUANTIZE_ROWS,
                                          .operands = &x,
                                          .operand_count = 1,
                                          .result_types = types,
                                          .result_count = QN_COUNT(types)});
  qn_op_set_attr(b->module, made, qn_attr_decls[QN_A_ROWS].name, qn_attr_i64(cx, rows));
  qn_op_set_attr(b->module, made, qn_attr_decls[QN_A_ROW_SCHEME].name,
                 qn_attr_word(cx, QN_A_ROW_SCHEME, qn_hybrid_scheme(n)));
  return made;
}

/* The maximum magnitude of the whole input, as a tensor of one element; NaN if any is NaN. */
static qn_value *largest_magnitude(qn_form *f) {
  static const int64_t one[] = {1};
  qn_value *x = f->operands[0];
  uint32_t rank = x->type->shaped.rank;
  const qn_type *element = qn_type_element(x->type), *type = qn_type_tensor(f->cx, element, 1, one);
  qn_value *start = qn_form_fill_with(f, type, qn_attr_float(f->cx, 0, element));
  qn_form_access from = qn_form_whole(f, x), to = qn_form_whole(f, start);
  to.at[0] = qn_affine_const(f->cx, 0);
  qn_op *generic = qn_form_open(f, rank, (UINT64_C(1) << rank) - 1, &from, 1, &to);
  qn_value *value = qn_form_element(generic, 0);
  value = qn_build_unary(f->b, QN_OP_MATH_ABSF, value, value->type);
  value = binary(f, QN_OP_ARITH_MAXIMUMF, qn_form_element(generic, 1), value);
  return qn_form_close(f, generic, value);
}

/* ---- sums ---- */

/* The part of a stored weight w = 16 * HIGH + LOW, where LOW is in [-8, 7]; WHOLE is w itself. */
enum { WHOLE, HIGH, LOW };
static int32_t part_of(int32_t weight, int part) {
  int32_t high = (weight + 8) >> 4;
  return part == WHOLE ? weight : part == HIGH ? high : weight - 16 * high;
}

static qn_value *constant_part(hybrid *h, const qn_attr *payload, const qn_type *type, int part) {
  qn_form *f = h->f;
  int64_t count = qn_type_elements(type);
  float *values = qn_arena_array(&f->b->module->arena, (size_t)count, sizeof *values);
  int32_t *weights = qn_arena_array(&f->b->module->arena, (size_t)count, sizeof *weights);
  qn_dense_ints(payload, 0, 1, count, weights);
  for (int64_t i = 0; i < count; i++) values[i] = (float)part_of(weights[i], part);
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

/* Builds the op without bias and activation, on stored inputs minus zero points and a part of the
 * weights. */
static qn_value *sums_of(hybrid *h, int part) {
  qn_form *f = h->f;
  const qn_type *type = qn_type_with_element(f->cx, f->operands[1]->type, h->f32);
  const qn_attr *payload = qn_value_constant(f->operands[1]);
  qn_value *weights =
      payload ? constant_part(h, payload, type, part) : computed_part(h, type, part);
  qn_value *y =
      qn_build_1(f->b, f->op->kind, f->op->results[0].type, QN_VALUES(h->steps, weights), NULL);
  static const qn_attr_id geometry[] = {QN_A_STRIDES, QN_A_PAD, QN_A_DILATIONS, QN_A_GROUPS};
  for (size_t i = 0; i < QN_COUNT(geometry); i++) {
    const qn_attr *value = qn_op_find(f->op, geometry[i]);
    if (value) qn_op_set_attr(f->b->module, y->op, qn_attr_decls[geometry[i]].name, value);
  }
  return y;
}

/* The whole sum as an f32, rounded once. */
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
  for (int64_t c = 0; c < channels; c++) {
    scales[c] = (float)q->scales[q->count > 1 ? c : 0];
    if (h->numbers->dynamic && scales[c] < FLT_MIN) scales[c] = 0;
  }
  return qn_form_row(h->f, h->f32, scales, channels);
}

/* 1 for channels of whole blocks, else 0. */
static qn_value *whole_blocks(hybrid *h, int64_t channels) {
  float *is_whole = qn_arena_array(&h->f->b->module->arena, (size_t)channels, sizeof *is_whole);
  for (int64_t c = 0; c < channels; c++) is_whole[c] = c < channels - channels % FOUR;
  return qn_form_row(h->f, h->f32, is_whole, channels);
}

/* Values that the result of a channel depends on. */
typedef struct parts {
  qn_value *sum, *row, *channel;
  qn_value *bias;     /* may be NULL */
  qn_value *is_whole; /* whole_blocks; NULL: all are */
  qn_value *extent;   /* largest magnitude of the whole input; NULL if not needed */
} parts;

/* The scaled sum; kernels differ in the order of multiplications. */
static qn_value *scaled(qn_form *f, const parts *p) {
  qn_value *first = p->channel, *second = p->row;
  if (f->numbers->hybrid.order == QN_HYBRID_SCALES)
    return binary(f, QN_OP_ARITH_MULF, p->sum, binary(f, QN_OP_ARITH_MULF, second, first));
  if (p->is_whole) {
    qn_value *whole = qn_form_compare_reals(f, QN_CMP_OGT, p->is_whole, real(f, 0, p->is_whole));
    first = qn_build_select(f->b, whole, p->channel, p->row);
    second = qn_build_select(f->b, whole, p->row, p->channel);
  }
  return binary(f, QN_OP_ARITH_MULF, binary(f, QN_OP_ARITH_MULF, p->sum, first), second);
}

/* Adds the bias; kernels without a bias start from 0. */
static qn_value *plus_bias(qn_form *f, const parts *p) {
  if (f->numbers->hybrid.order == QN_HYBRID_FUSED) {
    qn_value *factor = binary(f, QN_OP_ARITH_MULF, p->sum, p->row);
    qn_value *bias = p->bias ? qn_form_flushed(f, p->bias) : real(f, 0, factor);
    qn_value *y =
        qn_build_1(f->b, QN_OP_MATH_FMA, factor->type, QN_VALUES(factor, p->channel, bias), NULL);
    return qn_form_flushed(f, y);
  }
  qn_value *y = scaled(f, p);
  if (p->extent) { /* adding -0 changes no bias */
    qn_value *is_zero = qn_form_compare_reals(f, QN_CMP_OEQ, p->extent, real(f, 0, p->extent));
    y = qn_build_select(f->b, is_zero, real(f, -0.0, y), y);
  }
  return binary(f, QN_OP_ARITH_ADDF, y, p->bias ? p->bias : real(f, 0, y));
}

bool qn_hybrid_shows_zeros(const qn_value *bias) {
  const qn_attr *payload = bias ? qn_value_constant(bias) : NULL;
  if (!payload || !qn_attr_is_elements(payload)) return bias != NULL;
  int64_t count = payload->dense.splat ? 1 : qn_type_elements(bias->type);
  for (int64_t i = 0; i < count; i++) {
    double value = qn_dense_float(payload, i);
    if (value == 0 && signbit(value)) return true;
  }
  return false;
}

static qn_value *scaled_back(hybrid *h, qn_value *high, qn_value *low) {
  qn_form *f = h->f;
  const qn_type *type = low->type;
  uint32_t rank = type->shaped.rank, count = 0, bias = 0, halves = 0, blocks = 0, extent = 0;
  int64_t channels = type->shaped.dims[rank - 1];
  qn_value *given_bias = f->op->operand_count > 2 ? f->operands[2] : NULL;
  qn_form_access inputs[7];
  inputs[count++] = qn_form_whole(f, low);
  inputs[count++] = qn_form_whole(f, h->scale);
  inputs[count] = (qn_form_access){.value = weight_scales(h, channels)};
  inputs[count++].at[0] = qn_form_dim(f, rank - 1);
  if (given_bias) {
    inputs[bias = count++] = (qn_form_access){.value = given_bias};
    inputs[bias].at[0] = qn_form_dim(f, rank - 1);
  }
  if (high) inputs[halves = count++] = qn_form_whole(f, high);
  if (h->numbers->order == QN_HYBRID_FOURS && channels % FOUR != 0) {
    inputs[blocks = count++] = (qn_form_access){.value = whole_blocks(h, channels)};
    inputs[blocks].at[0] = qn_form_dim(f, rank - 1);
  }
  if (h->numbers->skips && qn_hybrid_shows_zeros(given_bias)) {
    inputs[extent = count++] = (qn_form_access){.value = largest_magnitude(f)};
    inputs[extent].at[0] = qn_affine_const(f->cx, 0);
  }
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, rank, 0, inputs, count, &output);
  qn_value *upper = high ? qn_form_element(generic, halves) : NULL;
  const parts p = {.sum = whole_sum(f, upper, qn_form_element(generic, 0)),
                   .row = qn_form_element(generic, 1),
                   .channel = qn_form_element(generic, 2),
                   .bias = bias ? qn_form_element(generic, bias) : NULL,
                   .is_whole = blocks ? qn_form_element(generic, blocks) : NULL,
                   .extent = extent ? qn_form_element(generic, extent) : NULL};
  qn_value *y = plus_bias(f, &p);
  f->real = h->f32;
  return qn_form_close(f, generic, qn_form_activate(f, y));
}

qn_value *qn_form_hybrid(qn_form *f) {
  const qn_hybrid_numbers *numbers = &f->numbers->hybrid;
  const qn_type *f32 = qn_type_float(f->cx, QN_F32);
  qn_op *rows = qn_hybrid_quantize(f->b, f->op, numbers, f->operands[0], f32);
  hybrid h = {.f = f,
              .f32 = f32,
              .numbers = numbers,
              .steps = qn_op_result(rows, 0),
              .scale = qn_op_result(rows, 1)};
  if (!numbers->halves) return scaled_back(&h, NULL, sums_of(&h, WHOLE));
  qn_value *high = sums_of(&h, HIGH);
  return scaled_back(&h, high, sums_of(&h, LOW));
}

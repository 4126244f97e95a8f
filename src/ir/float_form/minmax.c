/* Decompositions of reductions on stored values: minimum, maximum, argmin, argmax, sum, product and
 * mean.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/fixed.h"

/* The op that combines two elements, and its neutral element. */
typedef struct joining {
  qn_op_kind real, is_signed, is_unsigned;
  double neutral_real;
  int sign; /* neutral integer: 1: maximum, -1: minimum, 0: given by the next field */
  int64_t neutral_whole;
} joining;

static const joining largest = {
    QN_OP_ARITH_MAXIMUMF, QN_OP_ARITH_MAXSI, QN_OP_ARITH_MAXUI, -INFINITY, -1, 0};
static const joining lowest = {
    QN_OP_ARITH_MINIMUMF, QN_OP_ARITH_MINSI, QN_OP_ARITH_MINUI, INFINITY, 1, 0};
static const joining sum = {QN_OP_ARITH_ADDF, QN_OP_ARITH_ADDI, QN_OP_ARITH_ADDI, 0, 0, 0};
static const joining product = {QN_OP_ARITH_MULF, QN_OP_ARITH_MULI, QN_OP_ARITH_MULI, 1, 0, 1};

static bool is_unsigned(qn_form *f) {
  return qn_form_is_unsigned(f, 0) || qn_type_is_int(qn_type_element(f->operands[0]->type), 1);
}

static const qn_attr *neutral(qn_form *f, const joining *j, const qn_type *element) {
  if (element->kind == QN_TYPE_FLOAT) return qn_attr_float(f->cx, j->neutral_real, element);
  int64_t low = INT64_MIN, high = INT64_MAX;
  if (element->integer.width <= 32)
    qn_storage_range(element->integer.width, !is_unsigned(f), &low, &high);
  return qn_attr_int(f->cx, j->sign > 0 ? high : j->sign < 0 ? low : j->neutral_whole, element);
}

static qn_value *join(qn_form *f, const joining *j, qn_value *so_far, qn_value *x) {
  bool real = x->type->kind == QN_TYPE_FLOAT;
  qn_op_kind kind = real ? j->real : is_unsigned(f) ? j->is_unsigned : j->is_signed;
  return qn_build_binary(f->b, kind, so_far, x);
}

/* Loops over the operand; those that are not reduced index the result. */
typedef struct nest {
  uint32_t loops;
  uint64_t reduced;
  qn_form_access output;
} nest;

static nest nest_of(qn_form *f, uint64_t reduced, bool keeps, qn_value *initial) {
  uint32_t rank = f->operands[0]->type->shaped.rank, out = 0;
  nest n = {rank, reduced, {.value = initial}};
  for (uint32_t d = 0; d < rank; d++) {
    bool drops = reduced >> d & 1;
    if (!drops)
      n.output.at[out++] = qn_form_dim(f, d);
    else if (keeps)
      n.output.at[out++] = qn_affine_const(f->cx, 0);
  }
  return n;
}

static qn_value *reduced_by(qn_form *f, qn_value *x, const joining *j, uint64_t reduced, bool keeps,
                            const qn_type *type) {
  qn_value *initial = qn_form_fill_with(f, type, neutral(f, j, qn_type_element(type)));
  nest n = nest_of(f, reduced, keeps, initial);
  qn_form_access input = qn_form_whole(f, x);
  qn_op *generic = qn_form_open(f, n.loops, n.reduced, &input, 1, &n.output);
  qn_value *y = join(f, j, qn_form_element(generic, 1), qn_form_element(generic, 0));
  return qn_form_close(f, generic, y);
}

static uint64_t axes_of(const qn_op *op) {
  qn_i64s axes = qn_op_axes(op);
  uint64_t reduced = 0;
  for (uint32_t i = 0; i < axes.count; i++) reduced |= UINT64_C(1) << axes.data[i];
  return reduced;
}

static qn_value *reduction(qn_form *f, const joining *j) {
  qn_value *x = qn_form_stored(f, 0);
  return qn_form_restored(
      f, reduced_by(f, x, j, axes_of(f->op), qn_op_keep_dims(f->op), qn_form_stored_result(f)));
}

static qn_value *real_reduction(qn_form *f, const joining *j) {
  return reduced_by(f, qn_form_operand(f, 0), j, axes_of(f->op), qn_op_keep_dims(f->op),
                    qn_form_result_type(f));
}

/* ---- in fixed point: accumulators of 32 bits ---- */

static const qn_type *accumulators(qn_form *f, uint32_t width) {
  return qn_type_with_element(f->cx, f->op->results[0].type, qn_type_i(f->cx, width));
}

/* body(acc) of every element in the result's shape, as stored. */
static qn_value *each(qn_form *f, qn_value *acc, qn_form_body *body) {
  qn_form_access input = qn_form_whole(f, acc);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, qn_form_stored_result(f)));
  qn_op *generic = qn_form_open(f, acc->type->shaped.rank, 0, &input, 1, &output);
  return qn_form_close(f, generic, body(f, qn_form_element(generic, 0)));
}

static int64_t reduced_count(const qn_form *f) {
  int64_t results = qn_type_elements(f->op->results[0].type);
  return results > 0 ? qn_type_elements(f->op->operands[0].value->type) / results : 0;
}

/* Sums with `width` bits. */
static qn_value *summed(qn_form *f, uint32_t width, bool is_unsigned) {
  qn_value *x = qn_form_stored(f, 0);
  const qn_type *type = accumulators(f, width);
  qn_value *initial = qn_form_fill_with(f, type, qn_attr_int(f->cx, 0, qn_type_element(type)));
  nest n = nest_of(f, axes_of(f->op), qn_op_keep_dims(f->op), initial);
  qn_form_access input = qn_form_whole(f, x);
  qn_op *generic = qn_form_open(f, n.loops, n.reduced, &input, 1, &n.output);
  qn_value *term = qn_form_widened(f, qn_form_element(generic, 0), is_unsigned, width);
  qn_value *so_far = qn_form_element(generic, 1);
  return qn_form_close(f, generic, qn_build_binary(f->b, QN_OP_ARITH_ADDI, so_far, term));
}

static qn_value *rescaled_sum(qn_form *f, qn_value *x) {
  int64_t zeros = (int64_t)(uint32_t)(reduced_count(f) * f->numbers->a_zero_point);
  x = qn_build_binary_int(f->b, QN_OP_ARITH_SUBI, x, (int32_t)zeros);
  return qn_form_finished(f, qn_form_requant32(f, x, f->numbers->y));
}
static qn_value *fixed_sum(qn_form *f) {
  bool bytes = f->numbers->bytes || qn_form_is_unsigned(f, 0);
  return qn_form_restored(f, each(f, summed(f, 32, bytes), rescaled_sum));
}

/* Mean of plain integers: the 64-bit sum, divided toward zero. */
static qn_value *divided(qn_form *f, qn_value *x) {
  uint32_t width = qn_type_element(qn_form_stored_result(f))->integer.width;
  qn_value *count = qn_build_int(f->b, reduced_count(f), x->type);
  return qn_form_widened(f, qn_build_binary(f->b, QN_OP_ARITH_DIVSI, x, count), false, width);
}
qn_value *qn_form_stored_mean(qn_form *f) { return each(f, summed(f, 64, false), divided); }

/* Product: rescaled after each factor, starting from the first element. */
static qn_value *rescaled_product(qn_form *f, qn_value *x) {
  qn_value *wide = qn_form_widened(f, x, false, 64);
  return qn_form_finished(f, qn_form_requant64(f, wide, f->numbers->y));
}
static qn_value *is_first(qn_form *f, uint64_t reduced) {
  qn_value *first = qn_build_int(f->b, 1, qn_type_i(f->cx, 1));
  for (uint32_t d = 0; reduced >> d; d++) {
    if (!(reduced >> d & 1)) continue;
    qn_value *at = qn_build_1(f->b, QN_OP_LINALG_INDEX, qn_type_index(f->cx), NULL, 0,
                              QN_ATTRS({"dim", qn_attr_i64(f->cx, d)}));
    at = qn_build_unary(f->b, QN_OP_ARITH_INDEX_CAST, at, qn_type_i(f->cx, 64));
    qn_value *is = qn_build_cmpi(f->b, QN_CMP_EQ, at, qn_build_int(f->b, 0, at->type));
    first = qn_build_binary(f->b, QN_OP_ARITH_ANDI, first, is);
  }
  return first;
}
static qn_value *fixed_product(qn_form *f) {
  const qn_type *type = accumulators(f, 32);
  qn_value *x = qn_form_stored(f, 0);
  qn_value *initial = qn_form_fill_with(f, type, qn_attr_int(f->cx, 0, qn_type_element(type)));
  nest n = nest_of(f, axes_of(f->op), qn_op_keep_dims(f->op), initial);
  qn_form_access input = qn_form_whole(f, x);
  qn_op *generic = qn_form_open(f, n.loops, n.reduced, &input, 1, &n.output);
  qn_value *d = qn_form_less_zero_point(f, qn_form_element(generic, 0), qn_form_is_unsigned(f, 0),
                                        f->numbers->a_zero_point);
  qn_value *so_far = qn_form_widened(f, qn_form_element(generic, 1), false, 64);
  qn_value *next = qn_form_widened(f, d, false, 64);
  next = qn_build_binary(f->b, QN_OP_ARITH_MULI, so_far, next);
  next = qn_form_requant64(f, next, f->numbers->y);
  qn_value *y = qn_build_select(f->b, is_first(f, n.reduced), d, next);
  return qn_form_restored(f, each(f, qn_form_close(f, generic, y), rescaled_product));
}

#define REDUCTION(name, how, fixed_fn)                                                             \
  static qn_value *stored_##name(qn_form *f) { return reduction(f, &how); }                        \
  static qn_value *build_##name(qn_form *f) { return real_reduction(f, &how); }                    \
  const qn_float_form qn_float_form_ml_##name = {                                                  \
      .build = build_##name, .stored = stored_##name, .fixed = fixed_fn};
REDUCTION(reduce_max, largest, NULL)
REDUCTION(reduce_min, lowest, NULL)
REDUCTION(reduce_sum, sum, fixed_sum)
REDUCTION(reduce_prod, product, fixed_product)

/* ---- places ---- */

static qn_value *index_along(qn_form *f, int64_t axis, const qn_type *type) {
  qn_value *at = qn_build_1(f->b, QN_OP_LINALG_INDEX, qn_type_index(f->cx), NULL, 0,
                            QN_ATTRS({"dim", qn_attr_i64(f->cx, axis)}));
  return qn_build_unary(f->b, QN_OP_ARITH_INDEX_CAST, at, type);
}

/* Argmin and argmax of 8-bit integers in one pass: the minimum or maximum of the 16-bit keys
 * x << 8 | i, where i is the index of the element. For a maximum, i counts from the end, so that
 * the first of equal elements wins. */
static qn_value *keys_of(qn_form *f, const joining *j, qn_value *x, int64_t axis, bool keeps) {
  uint32_t width = qn_type_element(x->type)->integer.width;
  const qn_type *key = qn_type_i(f->cx, 2 * width);
  const qn_type *type = qn_type_with_element(f->cx, f->op->results[0].type, key);
  nest n = nest_of(f, UINT64_C(1) << axis, keeps, qn_form_fill_with(f, type, neutral(f, j, key)));
  qn_form_access input = qn_form_whole(f, x);
  qn_op *generic = qn_form_open(f, n.loops, n.reduced, &input, 1, &n.output);
  qn_value *wide = qn_form_widened(f, qn_form_element(generic, 0), is_unsigned(f), 2 * width);
  wide = qn_build_binary(f->b, QN_OP_ARITH_SHLI, wide, qn_build_int(f->b, width, key));
  qn_value *at = index_along(f, axis, key);
  qn_value *last = qn_build_int(f->b, x->type->shaped.dims[axis] - 1, key);
  if (j->sign < 0) at = qn_build_binary(f->b, QN_OP_ARITH_SUBI, last, at);
  wide = qn_build_binary(f->b, QN_OP_ARITH_ORI, wide, at);
  return qn_form_close(f, generic, join(f, j, qn_form_element(generic, 1), wide));
}

static qn_value *place_by_keys(qn_form *f, const joining *j, qn_value *x, int64_t axis) {
  const qn_type *type = f->op->results[0].type;
  qn_form_access keys = qn_form_whole(f, keys_of(f, j, x, axis, qn_op_keep_dims(f->op)));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, &keys, 1, &output);
  qn_value *at = qn_form_element(generic, 0);
  int64_t mask = (INT64_C(1) << at->type->integer.width / 2) - 1;
  at = qn_build_binary_int(f->b, QN_OP_ARITH_ANDI, at, mask);
  qn_value *last = qn_build_int(f->b, x->type->shaped.dims[axis] - 1, at->type);
  if (j->sign < 0) at = qn_build_binary(f->b, QN_OP_ARITH_SUBI, last, at);
  at = qn_form_widened(f, at, true, qn_type_element(type)->integer.width);
  return qn_form_close(f, generic, at);
}

/* Whether keys of twice the element width hold element and index: 8-bit elements, at most 256 per
 * row. */
static bool has_keys(const qn_value *x, int64_t axis) {
  const qn_type *element = qn_type_element(x->type);
  bool bytes = element->kind == QN_TYPE_INTEGER && element->integer.width == 8;
  return bytes && x->type->shaped.dims[axis] <= INT64_C(1) << 8;
}

/* Argmin or argmax. Wider elements take two passes: the minimum or maximum, then the lowest index
 * of an element equal to it; 0 if no element is equal, as among NaNs. */
static qn_value *place_of(qn_form *f, const joining *j) {
  const qn_type *type = f->op->results[0].type, *index = qn_type_element(type);
  qn_value *x = qn_form_stored(f, 0);
  int64_t axis = qn_op_axis(f->op), size = x->type->shaped.dims[axis];
  if (has_keys(x, axis)) return place_by_keys(f, j, x, axis);
  uint64_t reduced = UINT64_C(1) << axis;
  bool keeps = qn_op_keep_dims(f->op);
  const qn_type *values = qn_type_with_element(f->cx, type, qn_type_element(x->type));
  qn_value *extreme = reduced_by(f, x, j, reduced, keeps, values);
  qn_value *initial = qn_form_fill_with(f, type, qn_attr_int(f->cx, size, index));
  nest n = nest_of(f, reduced, keeps, initial);
  qn_form_access inputs[] = {qn_form_whole(f, x), n.output};
  inputs[1].value = extreme;
  qn_op *generic = qn_form_open(f, n.loops, n.reduced, inputs, 2, &n.output);
  qn_value *element = qn_form_element(generic, 0), *is = qn_form_element(generic, 1), *equal;
  equal = qn_form_is_real(x) ? qn_form_compare_reals(f, QN_CMP_OEQ, element, is)
                             : qn_build_cmpi(f->b, QN_CMP_EQ, element, is);
  qn_value *at = index_along(f, axis, index);
  at = qn_build_select(f->b, equal, at, qn_build_int(f->b, size, index));
  qn_value *so_far = qn_form_element(generic, 2);
  qn_value *y = qn_form_close(f, generic, qn_build_binary(f->b, QN_OP_ARITH_MINSI, so_far, at));
  if (!qn_form_is_real(x)) return y;
  qn_form_access found = qn_form_whole(f, y), output = qn_form_whole(f, qn_form_empty(f, type));
  generic = qn_form_open(f, type->shaped.rank, 0, &found, 1, &output);
  at = qn_form_element(generic, 0);
  equal = qn_build_cmpi(f->b, QN_CMP_EQ, at, qn_build_int(f->b, size, index));
  return qn_form_close(f, generic, qn_build_select(f->b, equal, qn_build_int(f->b, 0, index), at));
}

static const joining greatest_number = {
    QN_OP_ARITH_MAXNUMF, QN_OP_ARITH_MAXSI, QN_OP_ARITH_MAXUI, -INFINITY, -1, 0};
static const joining lowest_number = {
    QN_OP_ARITH_MINNUMF, QN_OP_ARITH_MINSI, QN_OP_ARITH_MINUI, INFINITY, 1, 0};
#define PLACE(name, how)                                                                           \
  static qn_value *stored_##name(qn_form *f) { return place_of(f, &how); }                         \
  const qn_float_form qn_float_form_ml_##name = {.none = "its form is on stored values",           \
                                                 .stored = stored_##name};
PLACE(reduce_argmax, greatest_number)
PLACE(reduce_argmin, lowest_number)

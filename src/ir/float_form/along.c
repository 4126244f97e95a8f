/* Decompositions that scan a row for each of its elements: cumulative sums, largest elements,
 * neighbouring channels, one-hot, and scatter. A point of the loops that is masked out leaves the
 * accumulator unchanged, so elements are combined in row order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}

/* In a body: the variable of a loop. */
static qn_value *index_of(qn_form *f, uint32_t loop) {
  qn_value *at = qn_build_1(f->b, QN_OP_LINALG_INDEX, qn_type_index(f->cx), NULL, 0,
                            QN_ATTRS({"dim", qn_attr_i64(f->cx, loop)}));
  return qn_build_unary(f->b, QN_OP_ARITH_INDEX_CAST, at, qn_type_i(f->cx, 32));
}

static qn_value *zeros(qn_form *f, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return qn_form_fill_with(f, type,
                           element->kind == QN_TYPE_FLOAT ? qn_attr_float(f->cx, 0.0, element)
                                                          : qn_attr_int(f->cx, 0, element));
}

static qn_value *sum_of(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, a->type->kind == QN_TYPE_FLOAT ? QN_OP_ARITH_ADDF : QN_OP_ARITH_ADDI, a, b);
}

/* The access of a tensor with another loop along one dimension. */
static qn_form_access walked(qn_form *f, qn_value *x, uint32_t axis, uint32_t loop) {
  qn_form_access access = qn_form_whole(f, x);
  access.at[axis] = qn_form_dim(f, loop);
  return access;
}

/* ---- sums of a part of a row ---- */

/* y[.. i ..] = the sum of x[.. j ..] for which counts(i, j). */
typedef qn_value *counts_fn(qn_form *f, qn_value *i, qn_value *j);
static qn_value *sums_along(qn_form *f, qn_value *x, uint32_t axis, counts_fn *counts) {
  uint32_t rank = x->type->shaped.rank;
  qn_form_access input = walked(f, x, axis, rank);
  qn_form_access output = qn_form_whole(f, zeros(f, x->type));
  qn_op *generic = qn_form_open(f, rank + 1, UINT64_C(1) << rank, &input, 1, &output);
  qn_value *so_far = qn_form_element(generic, 1);
  qn_value *sum = sum_of(f, so_far, qn_form_element(generic, 0));
  qn_value *i = index_of(f, axis), *is = counts(f, i, index_of(f, rank));
  return qn_form_close(f, generic, qn_build_select(f->b, is, sum, so_far));
}

static qn_value *is_before(qn_form *f, qn_value *i, qn_value *j) {
  return qn_build_cmpi(f->b, qn_op_exclusive(f->op) ? QN_CMP_SLT : QN_CMP_SLE, j, i);
}
static qn_value *build_cumsum(qn_form *f) {
  return sums_along(f, qn_form_operand(f, 0), (uint32_t)qn_op_axis(f->op), is_before);
}
static qn_value *stored_cumsum(qn_form *f) {
  return qn_form_restored(
      f, sums_along(f, qn_form_stored(f, 0), (uint32_t)qn_op_axis(f->op), is_before));
}
const qn_float_form qn_float_form_ml_cumsum = {.build = build_cumsum, .stored = stored_cumsum};

/* ---- neighbours ---- */

static qn_value *is_near(qn_form *f, qn_value *i, qn_value *j) {
  qn_value *radius = qn_build_int(f->b, qn_op_radius(f->op), i->type);
  qn_value *distance = binary(f, QN_OP_ARITH_SUBI, j, i);
  qn_value *lowest = binary(f, QN_OP_ARITH_SUBI, qn_build_int(f->b, 0, i->type), radius);
  qn_value *is_behind = qn_build_cmpi(f->b, QN_CMP_SGE, distance, lowest);
  qn_cmpi last = qn_form_profile(f)->response_closed ? QN_CMP_SLE : QN_CMP_SLT;
  return binary(f, QN_OP_ARITH_ANDI, is_behind, qn_build_cmpi(f->b, last, distance, radius));
}
static qn_value *square(qn_form *f, qn_value *x) { return binary(f, QN_OP_ARITH_MULF, x, x); }

static qn_value *build_local_response_norm(qn_form *f) {
  qn_value *x = qn_form_operand(f, 0);
  uint32_t rank = x->type->shaped.rank;
  qn_value *sums = sums_along(f, qn_form_map(f, x, square), rank - 1, is_near);
  qn_form_access inputs[] = {qn_form_whole(f, x), qn_form_whole(f, sums)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, rank, 0, inputs, 2, &output);
  qn_value *weight = binary(f, QN_OP_ARITH_MULF, qn_form_number(f, qn_op_alpha(f->op)),
                            qn_form_element(generic, 1));
  weight = binary(f, QN_OP_ARITH_ADDF, qn_form_number(f, qn_op_offset(f->op)), weight);
  weight = binary(f, QN_OP_MATH_POWF, weight, qn_form_number(f, -qn_op_beta(f->op)));
  return qn_form_close(f, generic,
                       binary(f, QN_OP_ARITH_MULF, qn_form_element(generic, 0), weight));
}
const qn_float_form qn_float_form_ml_local_response_norm = {.build = build_local_response_norm};

/* ---- the largest elements ---- */

static qn_value *is_greater(qn_form *f, qn_value *a, qn_value *b, bool is_equal) {
  if (a->type->kind == QN_TYPE_FLOAT)
    return qn_form_compare_reals(f, is_equal ? QN_CMP_OEQ : QN_CMP_OGT, a, b);
  qn_cmpi above = qn_form_is_unsigned(f, 0) ? QN_CMP_UGT : QN_CMP_SGT;
  return qn_build_cmpi(f->b, is_equal ? QN_CMP_EQ : above, a, b);
}

/* For each element, the number of elements of its row that precede it in the order. */
static qn_value *places(qn_form *f, qn_value *x) {
  uint32_t rank = x->type->shaped.rank, axis = rank - 1;
  const qn_type *type = qn_type_with_element(f->cx, x->type, qn_type_i(f->cx, 32));
  qn_form_access inputs[] = {qn_form_whole(f, x), walked(f, x, axis, rank)};
  qn_form_access output = qn_form_whole(f, zeros(f, type));
  qn_op *generic = qn_form_open(f, rank + 1, UINT64_C(1) << rank, inputs, 2, &output);
  qn_value *here = qn_form_element(generic, 0), *there = qn_form_element(generic, 1);
  qn_value *other = index_of(f, rank);
  qn_value *is_first = qn_build_cmpi(f->b, QN_CMP_SLT, other, index_of(f, axis));
  qn_value *wins = binary(f, QN_OP_ARITH_ANDI, is_greater(f, there, here, true), is_first);
  wins = binary(f, QN_OP_ARITH_ORI, is_greater(f, there, here, false), wins);
  qn_value *one = qn_form_widened(f, wins, true, 32);
  return qn_form_close(f, generic, sum_of(f, qn_form_element(generic, 2), one));
}

static qn_value *stored_top_indices(qn_form *f) {
  qn_value *at = places(f, qn_form_stored(f, 0));
  const qn_type *type = f->op->results[0].type, *index = qn_type_element(type);
  uint32_t rank = type->shaped.rank, axis = rank - 1;
  qn_form_access input = walked(f, at, axis, rank);
  qn_form_access output = qn_form_whole(f, zeros(f, type));
  qn_op *generic = qn_form_open(f, rank + 1, UINT64_C(1) << rank, &input, 1, &output);
  qn_value *is = qn_build_cmpi(f->b, QN_CMP_EQ, qn_form_element(generic, 0), index_of(f, axis));
  qn_value *found = qn_form_widened(f, index_of(f, rank), false, index->integer.width);
  return qn_form_close(f, generic, qn_build_select(f->b, is, found, qn_form_element(generic, 1)));
}
const qn_float_form qn_float_form_ml_top_indices = {.none = "its form is on stored values",
                                                    .stored = stored_top_indices};

/* ---- one of several ---- */

/* The access of a single element for all points of the loops. */
static qn_form_access single(qn_form *f, qn_value *x) {
  qn_form_access access = {.value = x};
  for (uint32_t i = 0; i < x->type->shaped.rank; i++) access.at[i] = qn_affine_const(f->cx, 0);
  return access;
}

static qn_value *stored_one_hot(qn_form *f) {
  const qn_type *type = qn_form_stored_result(f), *in = f->operands[0]->type;
  uint32_t axis = (uint32_t)qn_op_axis(f->op);
  qn_form_access inputs[] = {
      {.value = f->operands[0]}, single(f, qn_form_stored(f, 1)), single(f, qn_form_stored(f, 2))};
  for (uint32_t i = 0; i < in->shaped.rank; i++)
    inputs[0].at[i] = qn_form_dim(f, i < axis ? i : i + 1);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, inputs, 3, &output);
  qn_value *index = qn_form_element(generic, 0);
  qn_value *place = qn_form_widened(f, index_of(f, axis), false, index->type->integer.width);
  qn_value *is = qn_build_cmpi(f->b, QN_CMP_EQ, index, place);
  qn_value *value =
      qn_build_select(f->b, is, qn_form_element(generic, 1), qn_form_element(generic, 2));
  return qn_form_restored(f, qn_form_close(f, generic, value));
}
const qn_float_form qn_float_form_ml_one_hot = {.none = "its form is on stored values",
                                                .stored = stored_one_hot};

/* ---- slices at indices ---- */

/* Scatters slices by index; both are viewed as one dimension. */
static qn_value *scattered(qn_form *f, qn_value *updates, const qn_type *type) {
  const qn_type *in = f->operands[0]->type;
  int64_t k = in->shaped.dims[in->shaped.rank - 1], slices = 1, inner = 1;
  for (uint32_t i = 0; i < type->shaped.rank; i++)
    *(i < k ? &slices : &inner) *= type->shaped.dims[i];
  qn_value *at = qn_form_positions(f, f->operands[0], type->shaped.dims);
  int64_t rows = at->type->shaped.dims[0];
  const qn_type *element = qn_type_element(type);
  const qn_type *given = qn_type_tensor(f->cx, element, 2, (const int64_t[]){rows, inner});
  const qn_type *flat = qn_type_tensor(f->cx, element, 2, (const int64_t[]){slices, inner});
  updates = qn_build_unary(f->b, QN_OP_ML_RESHAPE, updates, given);
  enum { SLICE, INNER, ROW };
  qn_form_access inputs[] = {{.value = updates, .at = {qn_form_dim(f, ROW), qn_form_dim(f, INNER)}},
                             {.value = at, .at = {qn_form_dim(f, ROW)}}};
  qn_form_access output = qn_form_whole(f, zeros(f, flat));
  qn_op *generic = qn_form_open(f, 3, UINT64_C(1) << ROW, inputs, 2, &output);
  qn_value *so_far = qn_form_element(generic, 2);
  qn_value *sum = sum_of(f, so_far, qn_form_element(generic, 0));
  qn_value *is = qn_build_cmpi(f->b, QN_CMP_EQ, qn_form_element(generic, 1), index_of(f, SLICE));
  qn_value *y = qn_form_close(f, generic, qn_build_select(f->b, is, sum, so_far));
  return qn_build_unary(f->b, QN_OP_ML_RESHAPE, y, type);
}
static qn_value *stored_scatter_nd(qn_form *f) {
  return qn_form_restored(f, scattered(f, qn_form_stored(f, 1), qn_form_stored_result(f)));
}
const qn_float_form qn_float_form_ml_scatter_nd = {.none = "its form is on stored values",
                                                   .stored = stored_scatter_nd};

/* Float decompositions of normalizations: (x - mean) * (1 / sqrt(variance + epsilon)) * gamma +
 * beta, evaluated from left to right with one rounding per operation. Mean and variance are
 * operands, or computed from x: the mean of x, and the mean of (x - mean)^2.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}

/* 1 / root of (x + epsilon) */
static qn_value *inverse_root(qn_form *f, qn_value *x) {
  x = binary(f, QN_OP_ARITH_ADDF, x, qn_form_number(f, qn_op_epsilon(f->op)));
  x = qn_build_unary(f->b, QN_OP_MATH_SQRT, x, f->real);
  return binary(f, QN_OP_ARITH_DIVF, qn_form_number(f, 1.0), x);
}

static qn_value *square(qn_form *f, qn_value *x) { return binary(f, QN_OP_ARITH_MULF, x, x); }

/* Applies gamma and beta, the operands from `first` on, if present; they extend along `axes`. */
static qn_value *normalized(qn_form *f, qn_form_access mean, qn_form_access factor, uint32_t first,
                            qn_i64s axes) {
  qn_form_access inputs[5] = {qn_form_whole(f, qn_form_operand(f, 0)), mean, factor};
  uint32_t count = 3;
  for (uint32_t i = first; i < f->op->operand_count; i++) {
    inputs[count] = (qn_form_access){.value = qn_form_operand(f, i)};
    for (uint32_t d = 0; d < axes.count; d++) inputs[count].at[d] = qn_form_dim(f, axes.data[d]);
    count++;
  }
  const qn_type *type = qn_form_result_type(f);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, inputs, count, &output);
  qn_value *y =
      binary(f, QN_OP_ARITH_SUBF, qn_form_element(generic, 0), qn_form_element(generic, 1));
  y = binary(f, QN_OP_ARITH_MULF, y, qn_form_element(generic, 2));
  if (count > 3) y = binary(f, QN_OP_ARITH_MULF, y, qn_form_element(generic, 3));
  if (count > 4) y = binary(f, QN_OP_ARITH_ADDF, y, qn_form_element(generic, 4));
  return qn_form_close(f, generic, y);
}

static qn_value *build_batch_norm(qn_form *f) {
  const int64_t axis = qn_op_axis(f->op);
  qn_value *factor = qn_form_map(f, qn_form_operand(f, 2), inverse_root);
  const qn_affine_expr *channel = qn_form_dim(f, axis);
  return normalized(f, (qn_form_access){.value = qn_form_operand(f, 1), .at = {channel}},
                    (qn_form_access){.value = factor, .at = {channel}}, 3, (qn_i64s){&axis, 1});
}
const qn_float_form qn_float_form_ml_batch_norm = {.build = build_batch_norm};

static qn_value *squared_differences(qn_form *f, qn_value *x, qn_value *mean) {
  qn_form_access inputs[] = {qn_form_whole(f, x), qn_form_broadcast(f, mean)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, inputs, 2, &output);
  qn_value *d =
      binary(f, QN_OP_ARITH_SUBF, qn_form_element(generic, 0), qn_form_element(generic, 1));
  return qn_form_close(f, generic, square(f, d));
}

static qn_value *over(qn_form *f, uint64_t reduced, qn_i64s axes) {
  qn_value *x = qn_form_operand(f, 0), *mean = qn_form_mean(f, x, reduced, true);
  qn_value *variance = qn_form_mean(f, squared_differences(f, x, mean), reduced, true);
  qn_value *factor = qn_form_map(f, variance, inverse_root);
  return normalized(f, qn_form_broadcast(f, mean), qn_form_broadcast(f, factor), 1, axes);
}

static qn_value *build_layer_norm(qn_form *f) {
  qn_i64s axes = qn_op_axes(f->op);
  uint64_t reduced = 0;
  for (uint32_t i = 0; i < axes.count; i++) reduced |= UINT64_C(1) << axes.data[i];
  return over(f, reduced, axes);
}
const qn_float_form qn_float_form_ml_layer_norm = {.build = build_layer_norm};

static qn_value *build_instance_norm(qn_form *f) {
  const int64_t axis = qn_op_axis(f->op);
  uint64_t all = (UINT64_C(1) << f->op->results[0].type->shaped.rank) - 1;
  return over(f, all & ~UINT64_C(1) & ~(UINT64_C(1) << axis), (qn_i64s){&axis, 1});
}
const qn_float_form qn_float_form_ml_instance_norm = {.build = build_instance_norm};

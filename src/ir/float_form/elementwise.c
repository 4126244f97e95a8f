/* Float decompositions of elementwise ops, as scalar float ops in a linalg.generic.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/form.h"

static qn_value *binary(qn_form *f, qn_op_kind kind) {
  qn_form_access inputs[] = {qn_form_broadcast(f, qn_form_operand(f, 0)), {0}};
  inputs[1] = qn_form_broadcast(f, qn_form_operand(f, 1));
  const qn_type *type = qn_form_result_type(f);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, type->shaped.rank, 0, inputs, 2, &output);
  qn_value *y =
      qn_build_binary(f->b, kind, qn_form_element(generic, 0), qn_form_element(generic, 1));
  return qn_form_close(f, generic, qn_form_activate(f, y));
}

static qn_value *build_add(qn_form *f) { return binary(f, QN_OP_ARITH_ADDF); }
const qn_float_form qn_float_form_ml_add = {.build = build_add, .stored = qn_form_stored_add};

static qn_value *build_sub(qn_form *f) { return binary(f, QN_OP_ARITH_SUBF); }
const qn_float_form qn_float_form_ml_sub = {.build = build_sub, .stored = qn_form_stored_sub};

static qn_value *build_mul(qn_form *f) { return binary(f, QN_OP_ARITH_MULF); }
const qn_float_form qn_float_form_ml_mul = {.build = build_mul, .stored = qn_form_stored_mul};

static qn_value *relu(qn_form *f, qn_value *x) {
  return qn_build_float_clamp(f->b, x, 0, INFINITY);
}
static qn_value *relu6(qn_form *f, qn_value *x) { return qn_build_float_clamp(f->b, x, 0, 6); }

static qn_value *hard_swish(qn_form *f, qn_value *x) {
  qn_value *shifted = qn_build_binary(f->b, QN_OP_ARITH_ADDF, x, qn_form_number(f, 3.0));
  shifted = relu6(f, shifted);
  qn_value *y = qn_build_binary(f->b, QN_OP_ARITH_MULF, x, shifted);
  return qn_build_binary(f->b, QN_OP_ARITH_DIVF, y, qn_form_number(f, 6.0));
}

static qn_value *build_sigmoid(qn_form *f) {
  return qn_form_map(f, qn_form_operand(f, 0), qn_form_logistic);
}
const qn_float_form qn_float_form_ml_sigmoid = {.build = build_sigmoid};

static qn_value *build_tanh(qn_form *f) {
  return qn_form_map(f, qn_form_operand(f, 0), qn_form_hyperbolic);
}
const qn_float_form qn_float_form_ml_tanh = {.build = build_tanh};

static qn_value *build_relu(qn_form *f) { return qn_form_map(f, qn_form_operand(f, 0), relu); }
const qn_float_form qn_float_form_ml_relu = {.build = build_relu};

static qn_value *build_relu6(qn_form *f) { return qn_form_map(f, qn_form_operand(f, 0), relu6); }
const qn_float_form qn_float_form_ml_relu6 = {.build = build_relu6};

static qn_value *build_hard_swish(qn_form *f) {
  return qn_form_map(f, qn_form_operand(f, 0), hard_swish);
}
const qn_float_form qn_float_form_ml_hard_swish = {.build = build_hard_swish};

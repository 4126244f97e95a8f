/* Ops of a body on vectors, and functions of one f32 in a whole vector: what a kernel of floats
 * does with its results before it stores them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"
#include "ir/ops/forms.h"
#include "ir/ops/linalg.h"
#include "ir/pointwise.h"
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/loops/elements/generic.h"
#include "lower/loops/vec.h"

qn_value *qn_generic_constant(qn_builder *b, const qn_attr *value, const qn_type *element,
                              int64_t width) {
  const qn_type *type = width > 1 ? qn_type_vec(b->cx, element, width) : element;
  bool elements = qn_attr_is_elements(value);
  if (element->kind == QN_TYPE_FLOAT)
    return qn_build_float(b, elements ? qn_dense_float(value, 0) : value->number, type);
  int64_t i = elements                      ? qn_dense_int(value, 0)
              : value->kind == QN_ATTR_BOOL ? value->boolean
                                            : value->integer;
  return qn_build_int(b, i, type);
}

qn_value *qn_generic_widened(qn_builder *b, qn_value *value, int64_t width) {
  if (width == 1 || qn_type_is_shaped(value->type)) return value;
  const qn_attr *constant = qn_value_constant(value);
  if (constant) return qn_generic_constant(b, constant, value->type, width);
  return qn_vec_broadcast(b, value, width);
}

qn_value *qn_generic_known(qn_builder *b, const qn_map *values, const qn_value *value,
                           int64_t width) {
  qn_value *known = qn_map_get(values, value);
  if (known) return qn_generic_widened(b, known, width);
  QN_ASSERT(value->op && value->op->kind == QN_OP_ARITH_CONSTANT);
  return qn_generic_constant(b, qn_op_find(value->op, QN_A_VALUE), value->type, width);
}

qn_value *qn_elements_lanes_op(qn_builder *b, const qn_op *op, qn_value *const *operands,
                               int64_t lanes) {
  const qn_type *type = qn_type_element(op->results[0].type);
  if (lanes > 1) type = qn_type_vec(b->cx, type, lanes);
  return qn_op_result(qn_build_copy(b, op, operands, &type), 0);
}

/* ---- chains ---- */

/* Elementary functions, with the vectors at once that keep a processor busy: those of f32 alone
 * take about 45 instructions, those with parts in f64 more than 100. */
static const uint8_t function_vectors[QN_OP_COUNT] = {
#define FUNCTION(dialect, DIALECT, name, NAME, ...) [QN_OP_##DIALECT##_##NAME] = 2,
#include "quant/elementary.def"
#undef FUNCTION
};

int64_t qn_elements_at_once(const qn_op *generic) {
  int64_t least = 0;
  QN_FOR_EACH_OP(inner, qn_op_body(generic)) {
    const bool is_short = inner->kind == QN_OP_MATH_EXP || inner->kind == QN_OP_MATH_EXP2;
    const int64_t here = is_short ? 4 : function_vectors[inner->kind];
    if (here && (!least || here < least)) least = here;
  }
  return least ? least : 1;
}

/* ---- functions of one f32 ---- */

/* Whether vectors can compute the body: few ops that cannot trap, as lanes beyond the tensor hold
 * arbitrary values. Doubles, such as those of the logistic function, take two vectors. */
static bool fits_lanes(const qn_op *op) {
  enum { MOST_OPS = 64 };
  uint32_t count = 0;
  QN_FOR_EACH_OP(inner, qn_op_body(op)) {
    if (inner->kind == QN_OP_LINALG_YIELD) continue;
    if (++count > MOST_OPS) return false;
    if (inner->kind != QN_OP_ARITH_CONSTANT && !qn_elements_is_elementwise(inner)) return false;
    if (qn_type_bytes(inner->results[0].type) > sizeof(double)) return false;
  }
  return true;
}

static bool is_f32(const qn_value *value) {
  return qn_type_is_float(qn_type_element(value->type), QN_F32);
}

bool qn_elements_is_function(const qn_op *op, const qn_value *x) {
  if (!qn_is_pointwise_generic(op) || !is_f32(x) || !is_f32(&op->results[0])) return false;
  if (!qn_same_shape(x->type, op->results[0].type) || !fits_lanes(op)) return false;
  uint32_t reads = 0;
  for (uint32_t i = 0; i < qn_generic_inputs(op); i++) {
    qn_pointwise_role role = qn_pointwise_role_of(op, i);
    bool is_x = role == QN_POINTWISE_ELEMENT && qn_op_operand(op, i) == x;
    if (!is_x && role != QN_POINTWISE_UNIFORM && role != QN_POINTWISE_IGNORED) return false;
    reads += is_x;
  }
  return reads == 1;
}

qn_value *qn_elements_function(qn_kernel *k, const qn_op *op, const qn_value *x, qn_value *lanes) {
  qn_builder *b = &k->b;
  const qn_block *body = qn_op_body(op);
  int64_t count = qn_vec_count(lanes);
  qn_value *result = NULL;
  qn_map values = {0};
  for (uint32_t i = 0; i < qn_generic_inputs(op); i++) {
    if (!qn_value_has_uses(body->args[i])) continue;
    const qn_attr *uniform = qn_value_constant(qn_op_operand(op, i));
    bool is_x = qn_op_operand(op, i) == x;
    QN_ASSERT(is_x || uniform);
    qn_map_set(&values, body->args[i],
               is_x ? lanes : qn_generic_constant(b, uniform, body->args[i]->type, count));
  }
  QN_FOR_EACH_OP(inner, body) {
    if (inner->kind == QN_OP_ARITH_CONSTANT) continue;
    qn_value **operands = QN_NEW_ARRAY(k->lo->scratch, inner->operand_count + 1, qn_value *);
    for (uint32_t i = 0; i < inner->operand_count; i++)
      operands[i] = qn_generic_known(b, &values, qn_op_operand(inner, i), count);
    if (inner->kind == QN_OP_LINALG_YIELD)
      result = operands[0];
    else
      qn_map_set(&values, &inner->results[0], qn_elements_lanes_op(b, inner, operands, count));
  }
  qn_map_deinit(&values);
  return result;
}

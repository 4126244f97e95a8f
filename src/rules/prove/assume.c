/* Facts about sizes and encodings that follow from a constraint which holds or does not hold.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/prove/state.h"

/* ---- constraints ---- */

static bool is(const qn_rule_node *node, qn_rule_function_id id) {
  return node->function && qn_rule_is(node, id);
}

static uint32_t encoding_of(qn_prover *p, const qn_rule_node *reference) {
  return qn_prover_reference(p, reference).encoding;
}

/* DTYPE_OF(a) = DType::b. */
static void assume_dtype(qn_prover *p, const qn_rule_node *of, const qn_rule_node *dtype) {
  if (!is(of, QN_RULE_FN_DTYPE_OF) || dtype->kind != QN_RULE_DTYPE) return;
  uint32_t encoding = encoding_of(p, of->args[0]), number = 0;
  qn_str name = qn_str_is(dtype->text, "Float") ? qn_str_of("Float32") : dtype->text;
  while (qn_rule_dtypes[number] && !qn_str_is(name, qn_rule_dtypes[number])) number++;
  if (encoding != QN_PROVER_UNKNOWN)
    p->encodings.data[qn_prover_encoding(p, encoding)].dtype = number;
}

/* From "product = 1": every factor of the product of sizes is 1. */
static void assume_ones(qn_prover *p, const qn_rule_node *product, const qn_rule_node *one) {
  if (!is(product, QN_RULE_FN_MUL) || one->kind != QN_RULE_INT || one->integer != 1) return;
  const qn_linear unit = qn_linear_constant(1);
  for (uint32_t i = 0; i < product->arg_count; i++) {
    if (!is(product->args[i], QN_RULE_FN_DIM_OF)) continue;
    qn_linear size = qn_prover_scalar(p, product->args[i]);
    qn_linear_equate(&p->space, &size, &unit);
  }
}

/* Whether the scalar is an integer. Nodes of macro expansions have no checked type, so only
 * functions with a fixed result type are recognized. */
static bool is_integral(const qn_rule_node *node) {
  qn_rule_result result = node->function ? node->function->result : QN_RULE_RESULT_NONE;
  return node->kind == QN_RULE_INT || node->type == QN_RULE_I32 || node->type == QN_RULE_SIZE ||
         result == QN_RULE_RESULT_I32 || result == QN_RULE_RESULT_SIZE;
}

static void assume_equal(qn_prover *p, const qn_rule_node *a, const qn_rule_node *b) {
  assume_dtype(p, a, b);
  assume_dtype(p, b, a);
  if (!is_integral(a) || !is_integral(b)) return;
  assume_ones(p, a, b);
  assume_ones(p, b, a);
  qn_linear x = qn_prover_scalar(p, a), y = qn_prover_scalar(p, b);
  qn_linear_equate(&p->space, &x, &y);
}

void qn_prover_assume(qn_prover *p, const qn_rule_node *constraint) {
  if (is(constraint, QN_RULE_FN_AND)) {
    for (uint32_t i = 0; i < constraint->arg_count; i++) qn_prover_assume(p, constraint->args[i]);
  } else if (is(constraint, QN_RULE_FN_SAME_ENCODING)) {
    qn_prover_equate_encodings(p, encoding_of(p, constraint->args[0]),
                               encoding_of(p, constraint->args[1]));
  } else if (is(constraint, QN_RULE_FN_NOT)) {
    qn_prover_assume_not(p, constraint->args[0]);
  } else if (is(constraint, QN_RULE_FN_EQ)) {
    assume_equal(p, constraint->args[0], constraint->args[1]);
  }
}

void qn_prover_assume_not(qn_prover *p, const qn_rule_node *constraint) {
  if (is(constraint, QN_RULE_FN_OR)) {
    for (uint32_t i = 0; i < constraint->arg_count; i++)
      qn_prover_assume_not(p, constraint->args[i]);
  } else if (is(constraint, QN_RULE_FN_NOT)) {
    qn_prover_assume(p, constraint->args[0]);
  } else if (is(constraint, QN_RULE_FN_SAME_ENCODING)) {
    uint32_t a = encoding_of(p, constraint->args[0]), b = encoding_of(p, constraint->args[1]);
    if (a != QN_PROVER_UNKNOWN && b != QN_PROVER_UNKNOWN)
      qn_array_push(&p->differing, ((qn_encoding_pair){a, b}));
  }
}

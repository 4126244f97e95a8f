/* Folds constants into weights and biases. Values are computed in double precision and rounded
 * once. The original constants stay, because other ops can read them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/affine.h"

#include <math.h>

#include "ir/ops/forms.h"
#include "ir/weights.h"

/* y = op(x, weights, bias), and the constant that is folded. */
typedef struct affine {
  const qn_op *op;
  const qn_value *weights, *bias, *constant; /* bias: NULL if there is none */
  int64_t channels;
} affine;

bool qn_is_per_channel(const qn_value *constant, int64_t channels) {
  uint32_t rank = qn_rank(constant);
  int64_t elements = qn_type_elements(constant->type);
  return elements == 1 || (elements == channels && qn_dim(constant, rank - 1) == channels);
}

qn_value *qn_build_per_channel(qn_rewriter *rw, qn_value *constant, const qn_value *tensor,
                               uint32_t dimension) {
  int64_t elements = qn_type_elements(constant->type);
  QN_ASSERT(dimension < qn_rank(tensor));
  uint32_t rank = qn_rank(constant), behind = qn_rank(tensor) - 1 - dimension;
  bool one = elements == 1, channels = behind < rank && elements == qn_dim(tensor, dimension) &&
                                       qn_dim(constant, rank - 1 - behind) == elements;
  if (rank > qn_rank(tensor) || (!one && !channels)) return NULL;
  if (rank == 0 || (rank == 1 && (one || behind == 0))) return constant;
  const qn_attr *value = qn_value_literal(constant);
  const qn_type *type = qn_type_with_dims(rw->cx, constant->type, 1, &elements);
  const qn_attr *vector = qn_attr_dense(rw->cx, type, value->dense.bytes, true);
  return qn_build_1(&rw->builder, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", vector}));
}

static bool read_op(const qn_matched *m, affine *out) {
  const qn_op *op = m->op[QN_AFFINE_OP];
  const qn_value *y = &op->results[0];
  QN_ASSERT(op->operand_count >= 2 && op->operand_count <= 3 && qn_rank(y) > 0);
  *out = (affine){.op = op,
                  .weights = qn_op_operand(op, 1),
                  .bias = op->operand_count > 2 ? qn_op_operand(op, 2) : NULL,
                  .channels = qn_dim(y, qn_rank(y) - 1)};
  return y->type == m->value[0]->type && qn_op_is_of_floats(op) && qn_op_is_of_floats(m->op[0]) &&
         (!out->bias || qn_value_literal(out->bias));
}

static bool read(const qn_matched *m, affine *out) {
  if (!read_op(m, out)) return false;
  out->constant = m->value[QN_AFFINE_CONSTANT];
  return qn_is_per_channel(out->constant, out->channels);
}

static double constant_of(const affine *a, int64_t channel) {
  return qn_literal_real(a->constant, qn_type_elements(a->constant->type) == 1 ? 0 : channel);
}
static double bias_of(const affine *a, int64_t channel) {
  return a->bias ? qn_literal_real(a->bias, channel) : 0;
}

static int64_t channel_of(const affine *a, int64_t weight, int64_t weights) {
  bool last = qn_op_weights(a->op) == QN_CHANNELS_LAST;
  return last ? weight % a->channels : weight / (weights / a->channels);
}

static qn_value *scaled_weights(qn_rewriter *rw, const affine *a, const double *factors) {
  int64_t count = qn_type_elements(a->weights->type);
  QN_ASSERT(count == 0 || (a->channels > 0 && count % a->channels == 0));
  double *values = QN_NEW_ARRAY(rw->pc->scratch, count, double);
  for (int64_t i = 0; i < count; i++)
    values[i] = qn_literal_real(a->weights, i) * factors[channel_of(a, i, count)];
  return qn_build_reals(rw, a->weights->type, values);
}

/* Builds the affine op with the root's activation. `bias`: [channels] values; NULL for none. */
static qn_value *build(qn_rewriter *rw, const qn_matched *m, const affine *a, qn_value *weights,
                       const double *bias) {
  const qn_type *element = qn_type_element(m->value[0]->type);
  qn_value *operands[3] = {qn_op_operand(a->op, 0), weights, NULL};
  if (bias)
    operands[2] = qn_build_reals(rw, qn_type_tensor(rw->cx, element, 1, &a->channels), bias);
  qn_value *made = qn_build_like(rw, a->op, operands, bias ? 3 : 2, m->value[0]->type);
  qn_op_set_attr(rw->module, made->op, "activation", qn_op_find(m->op[0], QN_A_ACTIVATION));
  return made;
}

qn_value *qn_fuse_into_bias(qn_rewriter *rw, const qn_matched *m) {
  affine a;
  if (!read(m, &a)) return NULL;
  bool subtracts = m->op[0]->kind == QN_OP_ML_SUB;
  bool negates = subtracts && m->swapped; /* the root is k - affine */
  if (negates && !qn_value_literal(a.weights)) return NULL;
  double *bias = QN_NEW_ARRAY(rw->pc->scratch, a.channels, double);
  double *signs = QN_NEW_ARRAY(rw->pc->scratch, a.channels, double);
  for (int64_t c = 0; c < a.channels; c++) {
    double k = constant_of(&a, c), b = bias_of(&a, c);
    signs[c] = -1;
    bias[c] = negates ? k - b : subtracts ? b - k : b + k;
  }
  qn_value *weights =
      negates ? scaled_weights(rw, &a, signs) : qn_op_operand(m->op[QN_AFFINE_OP], 1);
  return build(rw, m, &a, weights, bias);
}

qn_value *qn_fuse_into_weights(qn_rewriter *rw, const qn_matched *m) {
  affine a;
  bool divides = m->op[0]->kind == QN_OP_ML_REAL_DIV;
  if (!read(m, &a) || !qn_value_literal(a.weights) || (divides && m->swapped)) return NULL;
  qn_float_kind kind = qn_type_element(a.constant->type)->float_kind;
  double *factors = QN_NEW_ARRAY(rw->pc->scratch, a.channels, double);
  double *bias = QN_NEW_ARRAY(rw->pc->scratch, a.channels, double);
  for (int64_t c = 0; c < a.channels; c++) {
    double k = constant_of(&a, c);
    factors[c] = divides ? qn_float_inverse(kind, k) : k;
    if (divides && factors[c] == 0) return NULL;
    bias[c] = bias_of(&a, c) * factors[c];
  }
  return build(rw, m, &a, scaled_weights(rw, &a, factors), a.bias ? bias : NULL);
}

qn_value *qn_fuse_batch_norm(qn_rewriter *rw, const qn_matched *m) {
  affine a;
  const qn_op *norm = m->op[0];
  if (!read_op(m, &a) || !qn_value_literal(a.weights) ||
      qn_op_axis(norm) + 1 != qn_rank(m->value[0]))
    return NULL;
  const qn_value *parameters[4] = {NULL}; /* mean, variance, gamma, beta */
  QN_ASSERT(norm->operand_count <= 1 + QN_COUNT(parameters));
  for (uint32_t i = 1; i < norm->operand_count; i++) {
    parameters[i - 1] = qn_op_operand(norm, i);
    if (!qn_value_literal(parameters[i - 1])) return NULL;
  }
  double *factors = QN_NEW_ARRAY(rw->pc->scratch, a.channels, double);
  double *bias = QN_NEW_ARRAY(rw->pc->scratch, a.channels, double);
  for (int64_t c = 0; c < a.channels; c++) {
    factors[c] = 1 / sqrt(qn_literal_real(parameters[1], c) + qn_op_epsilon(norm));
    if (parameters[2]) factors[c] *= qn_literal_real(parameters[2], c);
    bias[c] = factors[c] * (bias_of(&a, c) - qn_literal_real(parameters[0], c));
    if (parameters[3]) bias[c] += qn_literal_real(parameters[3], c);
    if (!isfinite(factors[c]) || !isfinite(bias[c])) return NULL;
  }
  return build(rw, m, &a, scaled_weights(rw, &a, factors), bias);
}

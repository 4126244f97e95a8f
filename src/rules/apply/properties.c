/* Functions of constraints that query operands: number of uses, sizes, types, encodings, and the
 * elements of constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/evaluators.h"

#include <math.h>

static const qn_rule_definition *define(qn_rule_evaluation *e, const qn_rule_node *node) {
  qn_rule_operand operand;
  if (!qn_rule_resolve(e, node, &operand)) return NULL;
  return e->view->definition(e->view->graph, operand);
}

/* ---- properties of operands ---- */

bool qn_rule_eval_count(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  const qn_rule_view *v = e->view;
  qn_rule_operand operand;
  uint32_t count = 0;
  if (!qn_rule_resolve(e, node->args[0], &operand)) return false;
  if (qn_rule_is(node, QN_RULE_FN_INPUTS_OF)) count = v->input_count(v->graph, operand.node);
  if (qn_rule_is(node, QN_RULE_FN_OUTPUTS_OF)) count = v->output_count(v->graph, operand.node);
  if (qn_rule_is(node, QN_RULE_FN_USES_OF)) count = v->uses(v->graph, operand);
  *out_value = qn_rule_value_integer(QN_RULE_SIZE, count);
  return true;
}

bool qn_rule_eval_shape(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  const qn_rule_definition *d = define(e, node->args[0]);
  if (!d) return false;
  QN_ASSERT(d->rank <= QN_RULE_MAX_RANK);
  int64_t dim, result = d->rank;
  if (qn_rule_is(node, QN_RULE_FN_ELEMENTSIZE_OF)) result = d->element_bytes;
  if (qn_rule_is(node, QN_RULE_FN_DIM_OF)) {
    if (!qn_rule_evaluate_index(e, node->args[1], &dim)) return false;
    if (dim < 0 || dim >= d->rank) return qn_rule_fail(e, node, "there is no such dimension");
    result = d->sizes[dim];
  }
  *out_value = qn_rule_value_integer(QN_RULE_SIZE, result);
  return true;
}

bool qn_rule_eval_dtype(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  const qn_rule_definition *d = define(e, node->args[0]);
  if (d) *out_value = qn_rule_value_integer(QN_RULE_DTYPE_TAG, d->dtype);
  return d != NULL;
}

/* The channel that the call names. Without a channel operand, all channels must have the same
 * encoding; otherwise the evaluation fails. */
static bool choose_channel(qn_rule_evaluation *e, const qn_rule_node *node,
                           const qn_rule_definition *d, int64_t *out_channel) {
  *out_channel = 0;
  if (!d->quantized) return qn_rule_fail(e, node, "the operand is not quantized");
  if (node->arg_count > 1) {
    if (!qn_rule_evaluate_index(e, node->args[1], out_channel)) return false;
    bool good = *out_channel >= 0 && *out_channel < d->channels;
    return good ? true : qn_rule_fail(e, node, "there is no such channel");
  }
  bool steps = qn_rule_is(node, QN_RULE_FN_STEPSIZE_OF);
  for (uint32_t i = 1; i < d->channels; i++)
    if (steps ? d->steps[i] != d->steps[0] : d->zero_offsets[i] != d->zero_offsets[0])
      return qn_rule_fail(e, node, "the channels of the operand differ");
  return true;
}

bool qn_rule_eval_encoding(qn_rule_evaluation *e, const qn_rule_node *node,
                           qn_rule_value *out_value) {
  const qn_rule_definition *d = define(e, node->args[0]);
  int64_t channel;
  if (!d || !choose_channel(e, node, d, &channel)) return false;
  QN_ASSERT(channel >= 0 && channel < d->channels && d->steps && d->zero_offsets);
  bool step = qn_rule_is(node, QN_RULE_FN_STEPSIZE_OF) || qn_rule_is(node, QN_RULE_FN_STEPSIZE_AT);
  *out_value = step ? qn_rule_value_real((double)d->steps[channel])
                    : qn_rule_value_integer(QN_RULE_I32, d->zero_offsets[channel]);
  return true;
}

bool qn_rule_eval_axis(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  const qn_rule_definition *d = define(e, node->args[0]);
  if (!d) return false;
  if (!d->quantized || d->channels < 2)
    return qn_rule_fail(e, node, "the operand has no axis of encodings");
  *out_value = qn_rule_value_integer(QN_RULE_I32, d->axis);
  return true;
}

bool qn_rule_eval_same_op(qn_rule_evaluation *e, const qn_rule_node *node,
                          qn_rule_value *out_value) {
  qn_rule_operand a, b;
  if (!qn_rule_resolve(e, node->args[0], &a) || !qn_rule_resolve(e, node->args[1], &b))
    return false;
  *out_value = qn_rule_value_bool(qn_rule_same_operand(a, b));
  return true;
}

bool qn_rule_eval_same_encoding(qn_rule_evaluation *e, const qn_rule_node *node,
                                qn_rule_value *out_value) {
  const qn_rule_definition *a = define(e, node->args[0]), *b = a ? define(e, node->args[1]) : NULL;
  if (!a || !b) return false;
  bool same = a->dtype == b->dtype && a->quantized == b->quantized;
  if (same && a->quantized) {
    same = a->channels == b->channels && (a->channels < 2 || a->axis == b->axis);
    for (uint32_t i = 0; same && i < a->channels; i++)
      same = a->steps[i] == b->steps[i] && a->zero_offsets[i] == b->zero_offsets[i];
  }
  *out_value = qn_rule_value_bool(same);
  return true;
}

/* ---- constants ---- */

/* Reads one element of a constant. *out_valid is false if the operand is not a constant or the
 * index is out of range. */
static bool read_constant(qn_rule_evaluation *e, const qn_rule_node *node, bool integer,
                          bool *out_valid, double *out_value) {
  const qn_rule_view *v = e->view;
  qn_rule_operand operand;
  int64_t index;
  if (!qn_rule_resolve(e, node->args[0], &operand) ||
      !qn_rule_evaluate_index(e, node->args[1], &index))
    return false;
  *out_valid = index >= 0 && index < v->constant_size(v->graph, operand);
  *out_value = *out_valid ? v->constant_at(v->graph, operand, index) : (double)NAN;
  bool fits = *out_value >= INT32_MIN && *out_value <= INT32_MAX && floor(*out_value) == *out_value;
  if (integer && !fits) *out_valid = false;
  return true;
}

bool qn_rule_eval_constant(qn_rule_evaluation *e, const qn_rule_node *node,
                           qn_rule_value *out_value) {
  bool integer = qn_rule_is(node, QN_RULE_FN_CONSTVAL_INT), valid;
  double value;
  if (!read_constant(e, node, integer, &valid, &value)) return false;
  *out_value = integer ? qn_rule_value_integer(QN_RULE_I32, valid ? (int64_t)value : INT32_MIN)
                       : qn_rule_value_real(value);
  return true;
}

bool qn_rule_eval_valid(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  bool valid;
  double value;
  bool integer = qn_rule_is(node, QN_RULE_FN_CONSTVAL_INT_VALID);
  if (!read_constant(e, node, integer, &valid, &value)) return false;
  *out_value = qn_rule_value_bool(valid);
  return true;
}

bool qn_rule_eval_is_const(qn_rule_evaluation *e, const qn_rule_node *node,
                           qn_rule_value *out_value) {
  qn_rule_operand operand;
  if (!qn_rule_resolve(e, node->args[0], &operand)) return false;
  *out_value = qn_rule_value_bool(e->view->constant_size(e->view->graph, operand) >= 0);
  return true;
}

/* Imports operators in order: records writers, checks an operator against its row, and replaces
 * failed operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/batch.h"
#include "import/graph/build.h"
#include "import/graph/main.h"
#include "import/graph/opaque.h"

/* Whether a non-integer operand has no elements; integer operands are shapes, axes and similar. */
static bool has_empty_operand(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    const qn_graph_tensor *x = qn_graph_input(op, i);
    bool values = x && !qn_graph_is_index(x->dtype);
    if (values && qn_graph_elements(&x->shape) == 0) return true;
  }
  return false;
}

static bool has_empty_results(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    const qn_graph_tensor *y = qn_graph_output(op, i);
    if (!y || qn_graph_elements(&y->shape) != 0) return false;
  }
  return true;
}

/* Imports an operator. If an operand has no elements, the results are empty, except for joining and
 * padding. */
static void import_checked(qn_graph_op *op) {
  bool empty = has_empty_operand(op);
  if (op->failed) return;
  if (empty && has_empty_results(op))
    qn_graph_build_empty(op);
  else if (empty && op->row->kind != QN_OP_ML_CONCAT)
    qn_graph_refuse_empty(op);
  else
    op->row->import(op);
}

/* Checks operand and result counts, and required operands. */
static void check_counts(qn_graph_op *op, const qn_graph_tensor *first) {
  const qn_graph_row *row = op->row;
  if (op->inputs.count < (uint32_t)row->least ||
      (row->most >= 0 && op->inputs.count > (uint32_t)row->most))
    qn_graph_error(op, first, QN_INVALID, "%u operands; %d%s expected", op->inputs.count,
                   row->least, row->most == row->least ? " are" : " or more are");
  if (row->results >= 0 ? op->outputs.count != (uint32_t)row->results : op->outputs.count == 0)
    qn_graph_error(op, first, QN_INVALID, "%u results; %d expected", op->outputs.count,
                   row->results < 0 ? 1 : row->results);
  uint32_t required = row->most < 0 ? op->inputs.count : (uint32_t)row->least;
  for (uint32_t i = 0; i < required && i < op->inputs.count; i++)
    if (!qn_graph_has_input(op, i))
      qn_graph_error(op, first, QN_INVALID, "operand %u is missing", i);
}

static qn_graph_tensor *result_at(const qn_graph_op *op, uint32_t i) {
  return &op->graph->tensors[qn_graph_number(op->outputs, i)];
}

/* Calls the import function after the checks of the row and the format. */
static void import_op(qn_graph_op *op, const qn_graph_checks *checks) {
  const qn_graph_row *row = op->row;
  const qn_graph_tensor *first = op->outputs.count ? result_at(op, 0) : NULL;
  if (!row || !row->import) {
    qn_graph_error(op, first, QN_UNSUPPORTED, "the operator %.*s is not supported%s%s",
                   QN_STR_ARG(op->name), row ? ": " : "", row ? row->unsupported : "");
    return;
  }
  if (!checks->version(op, first)) return;
  check_counts(op, first);
  checks->options(op, first);
  if (!op->failed) import_checked(op);
}

/* Gives the results of a failed operator placeholder values of their stored shapes, so that later
 * operators are checked. The module is discarded at the end. */
static void leave_placeholders(qn_graph_op *op) {
  qn_graph *graph = op->graph;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    qn_graph_tensor *tensor = result_at(op, i);
    if (tensor->value || !qn_graph_load(graph, op, tensor)) continue;
    const qn_type *element = tensor->dtype == QN_GRAPH_FLOAT32 ? qn_type_float(graph->cx, QN_F32)
                                                               : qn_type_i(graph->cx, 8);
    tensor->value = qn_block_add_arg(graph->module, graph->entry,
                                     qn_graph_shaped(graph, element, &tensor->shape), graph->loc);
  }
}

/* Restores states whose new value is a result of an erased op to their old value. */
static void take_back_states(qn_graph *graph, const qn_op *gone) {
  qn_value **arguments = graph->entry->args + graph->entry->arg_count - graph->state_count;
  for (uint32_t k = 0; k < graph->state_count; k++) {
    qn_value **value = qn_graph_state_place(&graph->states[k]);
    if (*value && (*value)->op == gone) *value = arguments[k];
  }
}

/* Erases the ops that an operator built, after `last`, before it failed. Constants may stay,
 * because others may read them. */
static void take_back(qn_graph_op *op, const qn_op *last) {
  qn_graph *graph = op->graph;
  for (uint32_t i = 0; i < op->outputs.count; i++) result_at(op, i)->value = NULL;
  for (qn_op *built = graph->block->last, *before; built && built != last; built = before) {
    before = built->prev;
    if (qn_op_has(built, QN_CONSTANT)) continue;
    take_back_states(graph, built);
    qn_op_erase(graph->module, built);
  }
}

/* Replaces a failed operator by placeholders or an opaque op. A tensor without a message was
 * rejected before, at another operator. */
static void leave_in_place(qn_graph_op *op, const qn_op *last) {
  bool kept = op->graph->options->keep_unsupported && op->graph->status == QN_OK;
  if (!kept) {
    leave_placeholders(op);
    return;
  }
  if (op->reason.size == 0) op->reason = qn_str_of("one of its tensors is not supported");
  take_back(op, last);
  qn_graph_build_opaque(op);
}

bool qn_graph_check_indices(qn_graph_op *op, qn_graph_list indices, int32_t least,
                            const char *what) {
  bool good = true;
  for (uint32_t i = 0; i < indices.count; i++) {
    int32_t index = qn_graph_number(indices, i);
    if (index >= least && (index < 0 || (uint32_t)index < op->graph->tensor_count)) continue;
    good = qn_graph_error(op, NULL, QN_INVALID, "%s %u is tensor %d, but there are %u tensors",
                          what, i, index, op->graph->tensor_count);
  }
  return good;
}

void qn_graph_record_writes(qn_graph_op *op) {
  qn_graph *graph = op->graph;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    qn_graph_tensor *tensor = result_at(op, i);
    if (tensor->writer >= 0) {
      qn_graph_error(op, tensor, QN_INVALID, "already written by operator %lld",
                     (long long)tensor->writer);
    } else if (tensor->is_input) {
      qn_graph_error(op, tensor, QN_INVALID, "writes an input of the model");
    } else {
      tensor->writer = op->index;
      if (qn_graph_load(graph, op, tensor) && tensor->data.size)
        qn_graph_error(op, tensor, QN_INVALID, "writes a constant");
    }
  }
}

void qn_graph_take(qn_graph_op *op, const qn_graph_checks *checks) {
  const qn_op *last = op->graph->block->last;
  import_op(op, checks);
  qn_graph_check_batch(op, last);
  if (op->failed) leave_in_place(op, last);
}

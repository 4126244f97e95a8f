/* If, Loop and Scan. A branch that is known is imported in place of the operator; else both are,
 * and the condition selects results. Loops are unrolled: their number of iterations must be known.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

enum { MOST_ITERATIONS = 4096 };

/* The body in an attribute; NULL, reported, if there is none. */
static const qn_onnx_scope *body_of(qn_graph_op *op, const char *name) {
  const qn_pb_message *attribute = qn_onnx_attribute(op, name, QN_ONNX_ATTR_GRAPH);
  const qn_pb_message *graph = qn_pb_child(attribute, QN_PB_ATTRIBUTE_G);
  if (!graph && !op->failed)
    qn_graph_error(op, NULL, QN_INVALID, "attribute '%s' is missing", name);
  return graph ? qn_onnx_open_body(op, graph) : NULL;
}

/* Imports the nodes of a body once, with these tensors as inputs; stores the tensors of its
 * outputs. False, reported, on errors. */
static bool read_body(qn_graph_op *op, const qn_onnx_scope *body, const int32_t *arguments,
                      uint32_t argument_count, int32_t *out_results, uint32_t result_count) {
  const qn_onnx_node **order;
  uint32_t count;
  if (!qn_onnx_read_body(op, body, arguments, argument_count, out_results, result_count, &order,
                         &count))
    return false;
  qn_onnx_import_nodes(qn_onnx_of(op->graph), order, count);
  for (uint32_t i = 0; i < result_count; i++) op->failed |= op->graph->tensors[out_results[i]].bad;
  return !op->failed;
}

static qn_graph_tensor *tensor_of(qn_graph_op *op, int32_t number) {
  qn_graph_tensor *tensor = &op->graph->tensors[number];
  return qn_graph_load(op->graph, op, tensor) ? tensor : NULL;
}

static int32_t *new_numbers(qn_graph_op *op, uint32_t count) {
  return QN_NEW_ARRAY(&op->graph->arena, count, int32_t);
}

/* Whether a boolean is known where the graph is imported. */
static bool is_known(qn_graph_op *op, const qn_graph_tensor *x, bool *out) {
  if (x->dtype != QN_GRAPH_BOOL || !qn_onnx_is_constant(op, x) || x->data.size != 1) return false;
  *out = x->data.data[0] != 0;
  return true;
}

/* Defines result i as a tensor of a body. */
static void give_tensor(qn_graph_op *op, uint32_t i, int32_t number) {
  qn_graph_tensor *x = qn_onnx_wants(op, i) ? tensor_of(op, number) : NULL;
  if (x) qn_onnx_alias(op, qn_graph_output(op, i), x);
}

/* Whether operands from `first` on are there; they are the values that iterations update. */
static bool has_states(qn_graph_op *op, uint32_t first) {
  for (uint32_t i = first; i < op->inputs.count; i++)
    if (!qn_graph_has_input(op, i))
      return qn_graph_error(op, NULL, QN_INVALID, "operand %u is missing", i);
  return true;
}

/* ---- If ---- */

static bool is_boolean(qn_graph_op *op, const qn_graph_tensor *x) {
  return qn_graph_check_dtype(op, x, QN_GRAPH_BOOL) &&
         (qn_graph_elements(&x->shape) == 1 ||
          qn_graph_error(op, x, QN_INVALID, "a condition is one boolean"));
}

static void give_selected(qn_graph_op *op, uint32_t i, qn_value *condition, int32_t yes,
                          int32_t no) {
  if (!qn_onnx_wants(op, i)) return;
  qn_graph_tensor *x = tensor_of(op, yes), *y = tensor_of(op, no);
  if (!x || !y) return;
  qn_value *a = qn_onnx_value(op, x), *b = qn_onnx_value(op, y);
  if (!a || !b) return;
  if (x->dtype != y->dtype || a->type != b->type) {
    qn_graph_error(op, qn_graph_output(op, i), QN_UNSUPPORTED,
                   "both branches must have the same type and shape, as the condition is not known "
                   "when the model is compiled");
    return;
  }
  qn_onnx_give(op, i, x->dtype, qn_onnx_choose(op, condition, a, b));
}

void qn_onnx_import_if(qn_graph_op *op) {
  static const char *const names[] = {"else_branch", "then_branch"};
  qn_graph_tensor *condition = qn_graph_input(op, 0);
  const uint32_t count = op->outputs.count;
  bool is_true = false;
  if (op->failed || !is_boolean(op, condition)) return;
  const bool known = is_known(op, condition, &is_true);
  int32_t *results[2] = {NULL, NULL};
  for (uint32_t i = 0; i < 2; i++) {
    if (known && i != is_true) continue;
    const qn_onnx_scope *body = body_of(op, names[i]);
    results[i] = new_numbers(op, count);
    if (!body || !read_body(op, body, NULL, 0, results[i], count)) return;
  }
  if (known) {
    for (uint32_t i = 0; i < count; i++) give_tensor(op, i, results[is_true][i]);
    return;
  }
  const qn_graph_shape none = {0};
  qn_value *chosen = qn_onnx_value(op, condition);
  if (chosen) chosen = qn_graph_view(op, chosen, &none);
  for (uint32_t i = 0; chosen && i < count; i++)
    give_selected(op, i, chosen, results[1][i], results[0][i]);
}

/* ---- tensors of iterations ---- */

/* A constant scalar. */
static int32_t constant(qn_graph_op *op, uint8_t dtype, int64_t value) {
  const size_t width = (size_t)qn_graph_dtype_bytes(dtype);
  const int32_t number = qn_onnx_add_tensor(op, qn_str_of(""));
  if (number < 0) return -1;
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, sizeof value);
  memcpy(bytes, &value, sizeof value); /* little-endian */
  qn_graph_tensor *tensor = &op->graph->tensors[number];
  tensor->dtype = dtype;
  tensor->data = (qn_bytes){bytes, width};
  tensor->loaded = true;
  return number;
}

/* Body result `result` of each iteration along a new dimension, from the last one on if
 * `is_reverse`. */
static void give_stacked(qn_graph_op *op, uint32_t i, int32_t *const *results, uint32_t result,
                         uint32_t count, int64_t axis, bool is_reverse) {
  qn_value **parts = QN_NEW_ARRAY(&op->graph->arena, count, qn_value *);
  uint32_t at = 0;
  uint8_t dtype = 0;
  if (!qn_onnx_wants(op, i)) return;
  for (uint32_t k = 0; k < count; k++) {
    qn_graph_tensor *x = tensor_of(op, results[is_reverse ? count - 1 - k : k][result]);
    qn_value *v = x ? qn_onnx_value(op, x) : NULL;
    if (!v) return;
    if (k == 0 && !qn_graph_axis(op, axis, x->shape.rank + 1, &at)) return;
    qn_graph_shape shape = {.rank = x->shape.rank + 1};
    if (shape.rank > QN_GRAPH_MAX_RANK) {
      qn_graph_error(op, x, QN_LIMIT, "a result of rank %u", shape.rank);
      return;
    }
    for (uint32_t d = 0; d < shape.rank; d++)
      shape.dims[d] = d == at ? 1 : x->shape.dims[d - (d > at)];
    parts[k] = qn_graph_view(op, v, &shape);
    dtype = x->dtype;
    if (parts[k]->type != parts[0]->type) {
      qn_graph_error(op, x, QN_UNSUPPORTED,
                     "its shape or type differs from iteration to iteration");
      return;
    }
  }
  qn_onnx_give(op, i, dtype, qn_onnx_joined(op, parts, count, at));
}

/* ---- Loop ---- */

/* The most iterations that operand 0 says. */
static bool read_trip_count(qn_graph_op *op, int64_t *out) {
  *out = INT64_MAX;
  if (!qn_graph_has_input(op, 0)) return true;
  qn_graph_tensor *x = qn_graph_input(op, 0);
  return x && qn_graph_scalar(op, x, out);
}

/* Whether the loop goes on, as operand 1 or the body says. */
static bool read_condition(qn_graph_op *op, const qn_graph_tensor *x, bool *out) {
  return is_known(op, x, out) ||
         qn_graph_error(op, x, QN_UNSUPPORTED,
                        "the condition of a loop must follow from constants, because loops are "
                        "unrolled when a model is compiled");
}

void qn_onnx_import_loop(qn_graph_op *op) {
  const uint32_t states = op->inputs.count > 2 ? op->inputs.count - 2 : 0;
  int64_t most;
  bool goes_on = true;
  if (op->outputs.count < states) {
    qn_graph_error(op, NULL, QN_INVALID, "%u results where %u or more are expected",
                   op->outputs.count, states);
    return;
  }
  if (!has_states(op, 2) || !read_trip_count(op, &most)) return;
  if (qn_graph_has_input(op, 1)) {
    const qn_graph_tensor *x = qn_graph_input(op, 1);
    if (!x || !is_boolean(op, x) || !read_condition(op, x, &goes_on)) return;
  }
  const qn_onnx_scope *body = body_of(op, "body");
  const uint32_t scans = op->outputs.count - states, width = 1 + states + scans;
  int32_t *arguments = new_numbers(op, 2 + states);
  int32_t **results = QN_NEW_ARRAY(&op->graph->arena, MOST_ITERATIONS, int32_t *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < states; i++) arguments[2 + i] = qn_graph_number(op->inputs, 2 + i);
  for (; body && goes_on && count < most; count++) {
    if (count == MOST_ITERATIONS) {
      qn_graph_error(op, NULL, QN_LIMIT, "more than %d iterations", MOST_ITERATIONS);
      return;
    }
    int32_t *out = results[count] = new_numbers(op, width);
    arguments[0] = constant(op, QN_GRAPH_INT64, count);
    arguments[1] = constant(op, QN_GRAPH_BOOL, 1);
    if (op->failed || !read_body(op, body, arguments, 2 + states, out, width)) return;
    const qn_graph_tensor *x = tensor_of(op, out[0]);
    if (!x || !read_condition(op, x, &goes_on)) return;
    memcpy(arguments + 2, out + 1, states * sizeof *out);
  }
  if (!body) return;
  if (count == 0 && scans > 0) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "no iterations, and results of each of them");
    return;
  }
  for (uint32_t i = 0; i < states; i++) give_tensor(op, i, arguments[2 + i]);
  for (uint32_t i = 0; i < scans; i++)
    give_stacked(op, states + i, results, 1 + states + i, count, 0, false);
}

/* ---- Scan ---- */

typedef struct scan {
  uint32_t states, inputs, outputs; /* operands that the body updates; that it reads by slices */
  int64_t *axes, *directions, *out_axes, *out_directions;
  int64_t steps;
} scan;

static bool read_list(qn_graph_op *op, const char *name, uint32_t count, int64_t **out) {
  uint32_t stated;
  *out = QN_NEW_ARRAY(&op->graph->arena, count + 1, int64_t);
  if (!qn_onnx_ints(op, name, count, *out, &stated)) return false;
  return stated == 0 || stated == count ||
         qn_graph_error(op, NULL, QN_INVALID, "attribute '%s' has %u numbers where %u are expected",
                        name, stated, count);
}

static bool read_scan(qn_graph_op *op, scan *s) {
  const int64_t inputs = qn_onnx_int(op, "num_scan_inputs", 0);
  if (op->failed) return false;
  if (qn_onnx_opset(op) < 9)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "it is supported from version 9 on");
  if (inputs < 1 || inputs > op->inputs.count)
    return qn_graph_error(op, NULL, QN_INVALID, "'num_scan_inputs' is %lld", (long long)inputs);
  if (!has_states(op, 0)) return false;
  s->inputs = (uint32_t)inputs;
  s->states = op->inputs.count - s->inputs;
  if (op->outputs.count < s->states)
    return qn_graph_error(op, NULL, QN_INVALID, "%u results where %u or more are expected",
                          op->outputs.count, s->states);
  s->outputs = op->outputs.count - s->states;
  if (!read_list(op, "scan_input_axes", s->inputs, &s->axes) ||
      !read_list(op, "scan_input_directions", s->inputs, &s->directions) ||
      !read_list(op, "scan_output_axes", s->outputs, &s->out_axes) ||
      !read_list(op, "scan_output_directions", s->outputs, &s->out_directions))
    return false;
  for (uint32_t i = 0; i < s->inputs; i++) {
    const qn_graph_tensor *x = qn_graph_input(op, s->states + i);
    uint32_t axis;
    if (!x || !qn_graph_axis(op, s->axes[i], x->shape.rank, &axis)) return false;
    s->axes[i] = axis;
    if (i > 0 && x->shape.dims[axis] != s->steps)
      return qn_graph_error(op, x, QN_INVALID, "%lld steps, and others with %lld",
                            (long long)x->shape.dims[axis], (long long)s->steps);
    s->steps = x->shape.dims[axis];
  }
  if (s->steps < 1 || s->steps > MOST_ITERATIONS)
    return qn_graph_error(op, NULL, QN_LIMIT, "%lld steps; 1 to %d are supported",
                          (long long)s->steps, MOST_ITERATIONS);
  return true;
}

/* The slice of operand i that a step reads; -1 after an error. */
static int32_t slice_of(qn_graph_op *op, const scan *s, uint32_t i, int64_t step) {
  qn_graph_tensor *x = qn_graph_input(op, s->states + i);
  const uint32_t axis = (uint32_t)s->axes[i];
  const int64_t at = s->directions[i] ? s->steps - 1 - step : step;
  const int32_t number = qn_onnx_add_tensor(op, x->name);
  qn_value *v = number < 0 ? NULL : qn_onnx_cut(op, qn_onnx_value(op, x), axis, at, at + 1);
  qn_graph_shape shape = {0};
  for (uint32_t d = 0; d < x->shape.rank; d++)
    if (d != axis) shape.dims[shape.rank++] = x->shape.dims[d];
  if (!v) return -1;
  v = qn_graph_view(op, v, &shape);
  qn_onnx_define(op, &op->graph->tensors[number], x->dtype, &shape, v, QN_ONNX_PLAIN);
  op->graph->tensors[number].writer = op->index;
  return number;
}

void qn_onnx_import_scan(qn_graph_op *op) {
  scan s = {0};
  if (!read_scan(op, &s)) return;
  const qn_onnx_scope *body = body_of(op, "body");
  const uint32_t width = s.states + s.outputs;
  int32_t *arguments = new_numbers(op, s.states + s.inputs);
  int32_t **results = QN_NEW_ARRAY(&op->graph->arena, (size_t)s.steps, int32_t *);
  for (uint32_t i = 0; i < s.states; i++) arguments[i] = qn_graph_number(op->inputs, i);
  for (int64_t step = 0; body && step < s.steps; step++) {
    int32_t *out = results[step] = new_numbers(op, width);
    for (uint32_t i = 0; i < s.inputs; i++) {
      arguments[s.states + i] = slice_of(op, &s, i, step);
      if (arguments[s.states + i] < 0) return;
    }
    if (!read_body(op, body, arguments, s.states + s.inputs, out, width)) return;
    memcpy(arguments, out, s.states * sizeof *out);
  }
  if (!body) return;
  for (uint32_t i = 0; i < s.states; i++) give_tensor(op, i, arguments[i]);
  for (uint32_t i = 0; i < s.outputs; i++)
    give_stacked(op, s.states + i, results, s.states + i, (uint32_t)s.steps, s.out_axes[i],
                 s.out_directions[i] != 0);
}

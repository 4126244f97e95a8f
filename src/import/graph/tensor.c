/* Tensors of operators: loading, sizes, and budgets.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "import/graph/value.h"
#include "ir/entry/dtype.h"

/* The constant that the options give for an input: of its type, and of its shape where that is
 * known. */
static bool take_given(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor) {
  const qn_constant_input *given = tensor->given;
  const qn_dtype_names *names = qn_dtype_names_of(given->dtype);
  const char *is = names ? names->numpy : "no type", *wanted = qn_graph_dtype_name(tensor->dtype);
  if (strcmp(is, wanted) != 0) {
    qn_graph_problem(graph, op, tensor, QN_INVALID, "its constant is %s, the input %s", is, wanted);
    return false;
  }
  qn_graph_shape shape = {.rank = given->rank};
  bool fits = given->rank == tensor->shape.rank && given->rank <= QN_GRAPH_MAX_RANK;
  for (uint32_t i = 0; fits && i < given->rank; i++) {
    bool is_known = !(tensor->dynamic >> i & 1);
    shape.dims[i] = given->dims[i];
    fits = shape.dims[i] >= 0 && (!is_known || shape.dims[i] == tensor->shape.dims[i]);
  }
  if (!fits) {
    qn_graph_problem(graph, op, tensor, QN_INVALID,
                     "its constant has another shape than the input");
    return false;
  }
  if (!qn_graph_check_size_at(graph, op, tensor, &shape)) return false;
  tensor->shape = shape;
  if (given->bytes != (size_t)qn_graph_elements(&shape) * names->bytes) {
    qn_graph_problem(graph, op, tensor, QN_INVALID, "its constant has %zu bytes", given->bytes);
    return false;
  }
  tensor->data =
      (qn_bytes){qn_arena_copy(&graph->cx->arena, given->data, given->bytes), given->bytes};
  const char *problem = qn_graph_unpack(graph, tensor);
  if (problem) qn_graph_problem(graph, op, tensor, QN_INVALID, "%s", problem);
  return !problem;
}

bool qn_graph_load(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor) {
  if (tensor->loaded) return !tensor->bad;
  tensor->loaded = true;
  tensor->bad = !graph->format->load(graph, op, tensor);
  if (tensor->given && !tensor->bad) tensor->bad = !take_given(graph, op, tensor);
  return !tensor->bad;
}

qn_graph_tensor *qn_graph_input(qn_graph_op *op, uint32_t i) {
  if (!qn_graph_has_input(op, i)) return NULL;
  qn_graph_tensor *tensor = &op->graph->tensors[qn_graph_number(op->inputs, i)];
  if (qn_graph_load(op->graph, op, tensor)) return tensor;
  op->failed = true;
  return NULL;
}

bool qn_graph_has_input(const qn_graph_op *op, uint32_t i) {
  return i < op->inputs.count && qn_graph_number(op->inputs, i) >= 0;
}

qn_graph_tensor *qn_graph_output(qn_graph_op *op, uint32_t i) {
  QN_ASSERT(i < op->outputs.count && qn_graph_number(op->outputs, i) >= 0);
  qn_graph_tensor *tensor = &op->graph->tensors[qn_graph_number(op->outputs, i)];
  if (qn_graph_load(op->graph, op, tensor)) return tensor;
  op->failed = true;
  return NULL;
}

/* ---- budgets ---- */

static bool spend(qn_graph_op *op, int64_t *left, int64_t units, const char *problem) {
  if (*left < 0) {
    op->failed = true; /* already reported */
    return false;
  }
  *left -= units;
  return *left >= 0 || qn_graph_error(op, NULL, QN_LIMIT, "%s", problem);
}

bool qn_graph_spend_on_calls(qn_graph_op *op, int64_t units) {
  return spend(op, &op->graph->calls, units,
               "subgraphs call each other so often that the import, which reads one for each call, "
               "would cost too much");
}

bool qn_graph_spend(qn_graph_op *op, int64_t units) {
  if (op->graph->frame && op->graph->frame->again) return qn_graph_spend_on_calls(op, units);
  return spend(op, &op->graph->work, units,
               "operators share large constants so often that the import would cost too much");
}

/* ---- sizes ---- */

bool qn_graph_check_size_at(qn_graph *graph, qn_graph_op *op, const qn_graph_tensor *tensor,
                            const qn_graph_shape *shape) {
  int64_t bytes = qn_graph_dtype_bytes(tensor->dtype);
  bool fits = true;
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (shape->dims[i] < 0) {
      qn_graph_problem(graph, op, tensor, QN_INVALID, "dimension %u is %lld", i,
                       (long long)shape->dims[i]);
      return false;
    }
    fits =
        fits && qn_checked_mul(bytes, shape->dims[i], &bytes) && bytes <= QN_GRAPH_MAX_TENSOR_BYTES;
  }
  if (fits) return true;
  qn_str text = qn_graph_shape_text(graph, shape);
  qn_graph_problem(graph, op, tensor, QN_LIMIT,
                   "a tensor of shape %.*s is larger than the limit of %d MiB", QN_STR_ARG(text),
                   QN_GRAPH_MAX_TENSOR_BYTES >> 20);
  return false;
}

bool qn_graph_check_size(qn_graph_op *op, const qn_graph_tensor *tensor,
                         const qn_graph_shape *shape) {
  return qn_graph_check_size_at(op->graph, op, tensor, shape);
}

bool qn_graph_has_elements(qn_graph_op *op, const qn_graph_tensor *tensor) {
  return qn_graph_elements(&tensor->shape) > 0 ||
         qn_graph_error(op, tensor, QN_UNSUPPORTED,
                        "a tensor without elements is not supported here");
}

bool qn_graph_has_shape_of(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *first,
                           qn_status status) {
  if (qn_graph_same_shape(&x->shape, &first->shape)) return true;
  qn_str own = qn_graph_shape_text(op->graph, &x->shape);
  qn_str wanted = qn_graph_shape_text(op->graph, &first->shape);
  return qn_graph_error(op, x, status, "it has shape %.*s, the first operand %.*s", QN_STR_ARG(own),
                        QN_STR_ARG(wanted));
}

const qn_type *qn_graph_shaped(qn_graph *graph, const qn_type *element,
                               const qn_graph_shape *shape) {
  return qn_type_tensor(graph->cx, element, shape->rank, shape->dims);
}

bool qn_graph_axis(qn_graph_op *op, int64_t axis, uint32_t rank, uint32_t *out_axis) {
  if (axis < -(int64_t)rank || axis >= (int64_t)rank)
    return qn_graph_error(op, NULL, QN_INVALID, "axis %lld of a tensor of rank %u", (long long)axis,
                          rank);
  *out_axis = (uint32_t)(axis < 0 ? axis + rank : axis);
  return true;
}

bool qn_graph_broadcast(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b,
                        qn_graph_shape *out) {
  const qn_graph_shape *longer = a->shape.rank >= b->shape.rank ? &a->shape : &b->shape;
  const qn_graph_shape *shorter = longer == &a->shape ? &b->shape : &a->shape;
  *out = *longer;
  uint32_t lead = longer->rank - shorter->rank;
  for (uint32_t i = 0; i < shorter->rank; i++) {
    int64_t x = longer->dims[lead + i], y = shorter->dims[i];
    if (x == y || y == 1) continue;
    if (x != 1) {
      qn_str ta = qn_graph_shape_text(op->graph, &a->shape),
             tb = qn_graph_shape_text(op->graph, &b->shape);
      return qn_graph_error(op, b, QN_INVALID, "shapes %.*s and %.*s cannot be broadcast",
                            QN_STR_ARG(ta), QN_STR_ARG(tb));
    }
    out->dims[lead + i] = y;
  }
  return true;
}

bool qn_graph_check_dtype(qn_graph_op *op, const qn_graph_tensor *tensor, uint8_t dtype) {
  return tensor->dtype == dtype ||
         qn_graph_error(op, tensor, QN_UNSUPPORTED, "it is %s where %s is expected",
                        qn_graph_dtype_name(tensor->dtype), qn_graph_dtype_name(dtype));
}

/* Builds ops of the model stage from a checked operator: options, attributes, results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/build.h"

int64_t qn_graph_option(const qn_graph_op *op, const char *name) {
  return op->graph->format->option(op, name);
}

double qn_graph_real_option(const qn_graph_op *op, const char *name) {
  return op->graph->format->real_option(op, name);
}

qn_graph_list qn_graph_list_option(const qn_graph_op *op, const char *name) {
  return op->graph->format->list_option(op, name);
}

qn_str qn_graph_string_option(const qn_graph_op *op, const char *name) {
  return op->graph->format->string_option(op, name);
}

void qn_graph_attr(qn_graph_attrs *attrs, const char *name, const qn_attr *value) {
  if (!value) return;
  QN_ASSERT(attrs->count < QN_COUNT(attrs->items));
  attrs->items[attrs->count++] = (qn_named_attr){qn_str_of(name), value};
}

void qn_graph_attr_i64s(qn_graph_op *op, qn_graph_attrs *attrs, const char *name,
                        const int64_t *values, uint32_t count) {
  qn_graph_attr(attrs, name, qn_attr_i64s(op->graph->cx, values, count));
}

const qn_attr *qn_graph_unfused(const qn_graph *graph, qn_graph_dtype dtype) {
  if (dtype != QN_GRAPH_FLOAT32 || !graph->profile->finite_results) return NULL;
  return qn_attr_word(graph->cx, QN_A_ACTIVATION, QN_ACT_FINITE);
}

/* Compares the computed shape with the stored one and warns on a difference. Stored shapes are
 * hints; they differ legitimately if the file has an unknown dimension or a new batch size was set.
 */
static void compare_shapes(qn_graph_op *op, const qn_graph_tensor *tensor,
                           const qn_graph_shape *computed) {
  const qn_graph_shape *stored = &tensor->shape;
  if (op->graph->rebound || tensor->is_optional_shape || qn_graph_same_shape(stored, computed))
    return;
  if (stored->rank == computed->rank) {
    bool differs = false;
    for (uint32_t i = 0; i < stored->rank; i++)
      differs = differs || (stored->dims[i] != computed->dims[i] && !(tensor->dynamic >> i & 1));
    if (!differs) return;
  }
  qn_str a = qn_graph_shape_text(op->graph, stored), b = qn_graph_shape_text(op->graph, computed);
  qn_graph_warn(op, tensor, "its stored shape is %.*s, computed and used is %.*s", QN_STR_ARG(a),
                QN_STR_ARG(b));
}

/* The tensor type of output i: `shape`, and the element type of the file, whose quantization the
 * import function has checked. NULL, reported, if there is no such output or it is too large. */
static const qn_type *result_type(qn_graph_op *op, uint32_t i, const qn_graph_shape *shape) {
  qn_graph_tensor *tensor = qn_graph_output(op, i);
  if (!tensor || !qn_graph_check_size(op, tensor, shape)) return NULL;
  const qn_type *element = qn_graph_element_type(op->graph, op, tensor);
  return element ? qn_graph_shaped(op->graph, element, shape) : NULL;
}

/* Builds a tensor without elements; zeros replace values that cannot be computed. */
static qn_value *build_empty(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *type) {
  static const uint8_t zeros[sizeof(double)] = {0};
  qn_ir_context *cx = op->graph->cx;
  const qn_type *stored = qn_type_stored(cx, type);
  size_t size = qn_type_elements(stored) == 0 ? 0 : qn_type_bytes(qn_type_element(stored));
  const qn_attr *value = qn_attr_dense(cx, stored, (qn_bytes){zeros, size}, true);
  qn_builder b = op->graph->builder;
  b.loc = qn_graph_loc(op, tensor);
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static void define(qn_graph_op *op, qn_graph_tensor *tensor, const qn_graph_shape *shape,
                   qn_value *value) {
  compare_shapes(op, tensor, shape);
  tensor->shape = *shape;
  tensor->value = value;
}

void qn_graph_define(qn_graph_op *op, qn_graph_tensor *tensor, const qn_graph_shape *shape,
                     qn_value *value) {
  const int64_t number = tensor->index;
  if (!op->graph->frame->outer) /* tensors of other subgraphs have other numbers */
    qn_op_set_attr(op->graph->module, value->op, qn_attr_decls[QN_A_TENSORS].name,
                   qn_attr_i64s(op->graph->cx, &number, 1));
  define(op, tensor, shape, value);
}

void qn_graph_build_empty(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    qn_graph_tensor *tensor = qn_graph_output(op, i);
    const qn_type *type = tensor ? result_type(op, i, &tensor->shape) : NULL;
    if (type) define(op, tensor, &tensor->shape, build_empty(op, tensor, type));
  }
}

void qn_graph_refuse_empty(qn_graph_op *op) {
  const qn_graph_tensor *y = op->outputs.count ? qn_graph_output(op, 0) : NULL; /* an interface */
  qn_graph_error(op, y, QN_UNSUPPORTED, "it is computed from a tensor without elements");
}

/* Whether an operand of the op has no elements, which is reported. Not decided by a table, because
 * an integer operand may be sizes or axes (main.c). */
static bool takes_nothing(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                          uint32_t count) {
  for (uint32_t i = 0; i < count && kind != QN_OP_ML_CONCAT; i++)
    if (qn_type_elements(operands[i]->type) == 0) {
      qn_graph_refuse_empty(op);
      return true;
    }
  return false;
}

/* Builds the op with one result per output, then one per state. */
static void build(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                  uint32_t operand_count, qn_graph_attrs *attrs, const qn_graph_shape *shapes,
                  qn_graph_tensor *const *states, uint32_t state_count) {
  qn_graph *graph = op->graph;
  uint32_t outputs = op->outputs.count, count = outputs + state_count;
  const qn_type **types = QN_NEW_ARRAY(&graph->arena, count, const qn_type *);
  int64_t *numbers = QN_NEW_ARRAY(&graph->arena, count, int64_t);
  for (uint32_t i = 0; i < outputs; i++) {
    numbers[i] = qn_graph_number(op->outputs, i);
    types[i] = result_type(op, i, &shapes[i]);
  }
  for (uint32_t i = 0; i < state_count; i++) {
    numbers[outputs + i] = states[i]->index;
    types[outputs + i] = states[i]->value->type;
  }
  if (op->failed) return;
  if (!state_count && qn_graph_elements(&shapes[0]) == 0) { /* then no output has elements */
    for (uint32_t i = 0; i < outputs; i++) {
      qn_graph_tensor *tensor = &graph->tensors[numbers[i]];
      define(op, tensor, &shapes[i], build_empty(op, tensor, types[i]));
    }
    return;
  }
  if (takes_nothing(op, kind, operands, operand_count)) return;
  if (!graph->frame->outer) /* tensors of other subgraphs have other numbers */
    qn_graph_attr(attrs, "quern.tensors", qn_attr_i64s(graph->cx, numbers, count));
  qn_op_state state = {.kind = kind,
                       .loc = qn_graph_loc(op, &graph->tensors[numbers[0]]),
                       .operands = operands,
                       .operand_count = operand_count,
                       .result_types = types,
                       .result_count = count,
                       .attrs = attrs->items,
                       .attr_count = attrs->count};
  qn_op *built = qn_build(&graph->builder, state);
  for (uint32_t i = 0; i < outputs; i++)
    define(op, &graph->tensors[numbers[i]], &shapes[i], qn_op_result(built, i));
  for (uint32_t i = 0; i < state_count; i++) states[i]->value = qn_op_result(built, outputs + i);
}

void qn_graph_build(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                    uint32_t operand_count, qn_graph_attrs *attrs, const qn_graph_shape *shapes) {
  build(op, kind, operands, operand_count, attrs, shapes, NULL, 0);
}

void qn_graph_build_with_states(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                                uint32_t operand_count, qn_graph_attrs *attrs,
                                const qn_graph_shape *shape, qn_graph_tensor *const *states,
                                uint32_t state_count) {
  build(op, kind, operands, operand_count, attrs, shape, states, state_count);
}

qn_value *qn_graph_view(qn_graph_op *op, qn_value *value, const qn_graph_shape *shape) {
  qn_builder b = op->graph->builder;
  b.loc = qn_graph_loc(op, NULL);
  const qn_type *type = qn_graph_shaped(op->graph, qn_type_element(value->type), shape);
  return value->type == type ? value
                             : qn_build_1(&b, QN_OP_ML_RESHAPE, type, QN_VALUES(value), NULL);
}

qn_value *qn_graph_const(qn_graph_op *op, const qn_type *element, const qn_graph_shape *shape,
                         const void *data) {
  const qn_type *stored = qn_type_stored(op->graph->cx, qn_graph_shaped(op->graph, element, shape));
  size_t size = (size_t)qn_graph_elements(shape) * qn_type_bytes(qn_type_element(stored));
  const qn_attr *value = qn_attr_dense(op->graph->cx, stored, (qn_bytes){data, size}, false);
  return qn_graph_part(op, QN_OP_ML_CONST, element, shape, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_graph_const_number(qn_graph_op *op, const qn_type *element, int64_t value) {
  const qn_graph_shape scalar = {0};
  return qn_graph_const(op, element, &scalar, &value); /* little-endian */
}

qn_value *qn_graph_counted(qn_graph_op *op, const qn_type *element, const qn_graph_shape *shape,
                           int64_t first) {
  size_t width = qn_type_bytes(element), count = (size_t)qn_graph_elements(shape);
  if (!qn_graph_spend(op, (int64_t)(count * width))) return NULL;
  uint8_t *bytes = qn_arena_alloc(&op->graph->arena, count * width);
  for (size_t i = 0; i < count; i++) {
    int64_t value = first + (int64_t)i;
    memcpy(bytes + i * width, &value, width); /* little-endian */
  }
  return qn_graph_const(op, element, shape, bytes);
}

qn_value *qn_graph_part(qn_graph_op *op, qn_op_kind kind, const qn_type *element,
                        const qn_graph_shape *shape, qn_value *const *operands, uint32_t count,
                        const qn_attr_arg *attrs) {
  qn_builder b = op->graph->builder;
  b.loc = qn_graph_loc(op, NULL);
  const qn_type *type = qn_graph_shaped(op->graph, element, shape);
  if (qn_graph_elements(shape) == 0 || takes_nothing(op, kind, operands, count))
    return build_empty(op, NULL, type);
  return qn_build_1(&b, kind, type, operands, count, attrs);
}

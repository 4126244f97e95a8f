/* From a checked operator to an op of the model stage: options, attributes, results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

int64_t qn_tflite_option(const qn_tflite_op *op, const char *name) {
  qn_fb_row table = op->code->builtin->options;
  for (qn_fb_row row = table + 1; row < QN_FB_ROW_COUNT && qn_fb_schema[row].table == table; row++)
    if (strcmp(qn_fb_schema[row].name, name) == 0) return qn_fb_int(op->options, row);
  QN_UNREACHABLE("the table of options has no such field");
}

bool qn_tflite_fused(qn_tflite_op *op, const qn_attr **out_attr) {
  static const char *const names[] = {NULL, "relu", "relu_n1_to_1", "relu6", NULL, NULL};
  static const char *const ignored[] = {NULL, NULL, NULL, NULL, "TANH", "SIGN_BIT"};
  int64_t code = qn_tflite_option(op, "ACTIVATION");
  *out_attr = NULL;
  if (code < 0 || code >= (int64_t)QN_COUNT(names))
    return qn_tflite_error(op, NULL, QN_INVALID, "unknown fused activation %lld", (long long)code);
  bool is_float = qn_tflite_output(op, 0)->dtype == QN_TFLITE_FLOAT32;
  if (ignored[code] && is_float)
    return qn_tflite_error(op, NULL, QN_UNSUPPORTED,
                           "the fused activation %s of a float operator is not supported",
                           ignored[code]);
  if (ignored[code])
    qn_tflite_warn(
        op, NULL,
        "the fused activation %s is left out, as the quantized kernels of the runtimes do",
        ignored[code]);
  if (names[code]) *out_attr = qn_attr_string(op->im->cx, qn_str_of(names[code]));
  return true;
}

void qn_tflite_attr(qn_tflite_attrs *attrs, const char *name, const qn_attr *value) {
  if (!value) return;
  QN_ASSERT(attrs->count < QN_COUNT(attrs->items));
  attrs->items[attrs->count++] = (qn_named_attr){qn_str_of(name), value};
}

/* The computed shape against the stored one. The stored shapes are hints to runtimes, which compute
 * them as well; where the file says "unknown" or a new batch size was bound, they differ rightly.
 */
static void compare_shapes(qn_tflite_op *op, const qn_tflite_tensor *tensor,
                           const qn_tflite_shape *computed) {
  const qn_tflite_shape *stored = &tensor->shape;
  if (op->im->rebound || tensor->is_optional_shape || qn_tflite_same_shape(stored, computed))
    return;
  if (stored->rank == computed->rank) {
    bool differs = false;
    for (uint32_t i = 0; i < stored->rank; i++)
      differs = differs || (stored->dims[i] != computed->dims[i] && !(tensor->dynamic >> i & 1));
    if (!differs) return;
  }
  qn_str a = qn_tflite_shape_text(op->im, stored), b = qn_tflite_shape_text(op->im, computed);
  qn_tflite_warn(op, tensor, "its stored shape is %.*s, computed and used is %.*s", QN_STR_ARG(a),
                 QN_STR_ARG(b));
}

/* Element type of output i, whose parameters the import function has checked. */
static const qn_type *result_type(qn_tflite_op *op, uint32_t i, const qn_tflite_shape *shape) {
  qn_tflite_tensor *tensor = qn_tflite_output(op, i);
  if (!tensor || !qn_tflite_check_size(op, tensor, shape)) return NULL;
  const qn_type *element = qn_tflite_element_type(op->im, op, tensor);
  return element ? qn_tflite_shaped(op->im, element, shape) : NULL;
}

/* What has no elements needs no op; zeros stand for what can't be computed. */
static qn_value *build_empty(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type) {
  static const uint8_t zeros[sizeof(double)] = {0};
  qn_ir_context *cx = op->im->cx;
  const qn_type *stored = qn_type_stored(cx, type);
  size_t size = qn_type_elements(stored) == 0 ? 0 : qn_type_bytes(qn_type_element(stored));
  const qn_attr *value = qn_attr_dense(cx, stored, (qn_bytes){zeros, size}, true);
  qn_builder b = op->im->builder;
  b.loc = qn_tflite_loc(op, tensor);
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static void define(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_tflite_shape *shape,
                   qn_value *value) {
  compare_shapes(op, tensor, shape);
  tensor->shape = *shape;
  tensor->value = value;
}

void qn_tflite_define(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_tflite_shape *shape,
                      qn_value *value) {
  const int64_t number = tensor->index;
  if (!op->im->frame->outer) /* tensors of other subgraphs have other numbers */
    qn_op_set_attr(op->im->module, value->op, qn_attr_decls[QN_A_TENSORS].name,
                   qn_attr_i64s(op->im->cx, &number, 1));
  define(op, tensor, shape, value);
}

void qn_tflite_build_empty(qn_tflite_op *op) {
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    qn_tflite_tensor *tensor = qn_tflite_output(op, i);
    const qn_type *type = tensor ? result_type(op, i, &tensor->shape) : NULL;
    if (type) define(op, tensor, &tensor->shape, build_empty(op, tensor, type));
  }
}

void qn_tflite_refuse_empty(qn_tflite_op *op) {
  qn_tflite_error(op, qn_tflite_output(op, 0), QN_UNSUPPORTED,
                  "it is computed from a tensor without elements");
}

/* Whether the op would compute with nothing, which is reported. Integers may be sizes or axes, so
 * that no table knows it of an operator (graph.c). */
static bool takes_nothing(qn_tflite_op *op, qn_op_kind kind, qn_value *const *operands,
                          uint32_t count) {
  for (uint32_t i = 0; i < count && kind != QN_OP_ML_CONCAT; i++)
    if (qn_type_elements(operands[i]->type) == 0) {
      qn_tflite_refuse_empty(op);
      return true;
    }
  return false;
}

/* The op with a result per output, then one per state. */
static void build(qn_tflite_op *op, qn_op_kind kind, qn_value *const *operands,
                  uint32_t operand_count, qn_tflite_attrs *attrs, const qn_tflite_shape *shapes,
                  qn_tflite_tensor *const *states, uint32_t state_count) {
  qn_tflite *im = op->im;
  uint32_t outputs = op->outputs.count, count = outputs + state_count;
  const qn_type **types = QN_NEW_ARRAY(&im->arena, count, const qn_type *);
  int64_t *numbers = QN_NEW_ARRAY(&im->arena, count, int64_t);
  for (uint32_t i = 0; i < outputs; i++) {
    numbers[i] = qn_fb_i32_at(op->outputs, i);
    types[i] = result_type(op, i, &shapes[i]);
  }
  for (uint32_t i = 0; i < state_count; i++) {
    numbers[outputs + i] = states[i]->index;
    types[outputs + i] = states[i]->value->type;
  }
  if (op->failed) return;
  if (!state_count && qn_tflite_elements(&shapes[0]) == 0) { /* then all of them have none */
    for (uint32_t i = 0; i < outputs; i++) {
      qn_tflite_tensor *tensor = &im->tensors[numbers[i]];
      define(op, tensor, &shapes[i], build_empty(op, tensor, types[i]));
    }
    return;
  }
  if (takes_nothing(op, kind, operands, operand_count)) return;
  if (!im->frame->outer) /* tensors of other subgraphs have other numbers */
    qn_tflite_attr(attrs, "quern.tensors", qn_attr_i64s(im->cx, numbers, count));
  qn_op_state state = {.kind = kind,
                       .loc = qn_tflite_loc(op, &im->tensors[numbers[0]]),
                       .operands = operands,
                       .operand_count = operand_count,
                       .result_types = types,
                       .result_count = count,
                       .attrs = attrs->items,
                       .attr_count = attrs->count};
  qn_op *built = qn_build(&im->builder, state);
  for (uint32_t i = 0; i < outputs; i++)
    define(op, &im->tensors[numbers[i]], &shapes[i], qn_op_result(built, i));
  for (uint32_t i = 0; i < state_count; i++) states[i]->value = qn_op_result(built, outputs + i);
}

void qn_tflite_build(qn_tflite_op *op, qn_op_kind kind, qn_value *const *operands,
                     uint32_t operand_count, qn_tflite_attrs *attrs,
                     const qn_tflite_shape *shapes) {
  build(op, kind, operands, operand_count, attrs, shapes, NULL, 0);
}

void qn_tflite_build_with_states(qn_tflite_op *op, qn_op_kind kind, qn_value *const *operands,
                                 uint32_t operand_count, qn_tflite_attrs *attrs,
                                 const qn_tflite_shape *shape, qn_tflite_tensor *const *states,
                                 uint32_t state_count) {
  build(op, kind, operands, operand_count, attrs, shape, states, state_count);
}

qn_value *qn_tflite_view(qn_tflite_op *op, qn_value *value, const qn_tflite_shape *shape) {
  qn_builder b = op->im->builder;
  b.loc = qn_tflite_loc(op, NULL);
  const qn_type *type = qn_tflite_shaped(op->im, qn_type_element(value->type), shape);
  return value->type == type ? value
                             : qn_build_1(&b, QN_OP_ML_RESHAPE, type, QN_VALUES(value), NULL);
}

qn_value *qn_tflite_const(qn_tflite_op *op, const qn_type *element, const qn_tflite_shape *shape,
                          const void *data) {
  const qn_type *stored = qn_type_stored(op->im->cx, qn_tflite_shaped(op->im, element, shape));
  size_t size = (size_t)qn_tflite_elements(shape) * qn_type_bytes(qn_type_element(stored));
  const qn_attr *value = qn_attr_dense(op->im->cx, stored, (qn_bytes){data, size}, false);
  return qn_tflite_part(op, QN_OP_ML_CONST, element, shape, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_tflite_number(qn_tflite_op *op, const qn_type *element, int64_t value) {
  const qn_tflite_shape scalar = {0};
  return qn_tflite_const(op, element, &scalar, &value); /* little-endian */
}

qn_value *qn_tflite_counted(qn_tflite_op *op, const qn_type *element, const qn_tflite_shape *shape,
                            int64_t first) {
  size_t width = qn_type_bytes(element), count = (size_t)qn_tflite_elements(shape);
  if (!qn_tflite_spend(op, (int64_t)(count * width))) return NULL;
  uint8_t *bytes = qn_arena_alloc(&op->im->arena, count * width);
  for (size_t i = 0; i < count; i++) {
    int64_t value = first + (int64_t)i;
    memcpy(bytes + i * width, &value, width); /* little-endian */
  }
  return qn_tflite_const(op, element, shape, bytes);
}

qn_tflite_shape qn_tflite_shape_of(const qn_value *value) {
  qn_tflite_shape shape = {.rank = value->type->shaped.rank};
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = value->type->shaped.dims[i];
  return shape;
}

qn_value *qn_tflite_part(qn_tflite_op *op, qn_op_kind kind, const qn_type *element,
                         const qn_tflite_shape *shape, qn_value *const *operands, uint32_t count,
                         const qn_attr_arg *attrs) {
  qn_builder b = op->im->builder;
  b.loc = qn_tflite_loc(op, NULL);
  const qn_type *type = qn_tflite_shaped(op->im, element, shape);
  if (qn_tflite_elements(shape) == 0 || takes_nothing(op, kind, operands, count))
    return build_empty(op, NULL, type);
  return qn_build_1(&b, kind, type, operands, count, attrs);
}

/* Attributes of nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/onnx.h"

static const qn_pb_message *named(const qn_pb_message *owner, qn_pb_row field, qn_str name) {
  const qn_pb_message *attribute;
  for (qn_pb_walk walk = qn_pb_begin(owner, field); qn_pb_next_child(&walk, &attribute);)
    if (qn_str_equal(qn_pb_string(attribute, QN_PB_ATTRIBUTE_NAME), name)) return attribute;
  return NULL;
}

/* Resolves references to attributes of calls, recursively up to the depth of function calls. */
static const qn_pb_message *resolve(const qn_onnx_scope *scope, const qn_pb_message *node,
                                    qn_str name) {
  const qn_pb_message *attribute = named(node, QN_PB_NODE_ATTRIBUTE, name);
  while (attribute && qn_pb_has(attribute, QN_PB_ATTRIBUTE_REF_ATTR_NAME) && scope->call) {
    qn_str of_call = qn_pb_string(attribute, QN_PB_ATTRIBUTE_REF_ATTR_NAME);
    attribute = named(scope->call, QN_PB_NODE_ATTRIBUTE, of_call);
    if (!attribute) attribute = named(scope->function, QN_PB_FUNCTION_ATTRIBUTE_PROTO, of_call);
    scope = scope->outer;
  }
  return attribute;
}

/* The message field for each attribute type. */
static qn_pb_row field_of(int64_t type) {
  static const qn_pb_row fields[] = {
      [QN_ONNX_ATTR_FLOAT] = QN_PB_ATTRIBUTE_F,   [QN_ONNX_ATTR_INT] = QN_PB_ATTRIBUTE_I,
      [QN_ONNX_ATTR_STRING] = QN_PB_ATTRIBUTE_S,  [QN_ONNX_ATTR_TENSOR] = QN_PB_ATTRIBUTE_T,
      [QN_ONNX_ATTR_GRAPH] = QN_PB_ATTRIBUTE_G,   [QN_ONNX_ATTR_FLOATS] = QN_PB_ATTRIBUTE_FLOATS,
      [QN_ONNX_ATTR_INTS] = QN_PB_ATTRIBUTE_INTS, [QN_ONNX_ATTR_STRINGS] = QN_PB_ATTRIBUTE_STRINGS};
  QN_ASSERT(type > 0 && type < (int64_t)QN_COUNT(fields));
  return fields[type];
}

const qn_pb_message *qn_onnx_attribute(qn_graph_op *op, const char *name, int64_t type) {
  const qn_onnx_node *node = qn_onnx_node_of(op);
  const qn_pb_message *attribute = resolve(node->scope, node->message, qn_str_of(name));
  if (!attribute) return NULL;
  int64_t stored = qn_pb_int(attribute, QN_PB_ATTRIBUTE_TYPE);
  bool fits = stored == type || (stored == 0 && qn_pb_has(attribute, field_of(type)));
  if (fits) return attribute;
  qn_graph_error(op, NULL, QN_INVALID, "attribute '%s' has type %lld where %lld is expected", name,
                 (long long)stored, (long long)type);
  return NULL;
}

int64_t qn_onnx_int(qn_graph_op *op, const char *name, int64_t fallback) {
  const qn_pb_message *attribute = qn_onnx_attribute(op, name, QN_ONNX_ATTR_INT);
  return attribute ? qn_pb_int(attribute, QN_PB_ATTRIBUTE_I) : fallback;
}

float qn_onnx_float(qn_graph_op *op, const char *name, float fallback) {
  const qn_pb_message *attribute = qn_onnx_attribute(op, name, QN_ONNX_ATTR_FLOAT);
  return attribute ? qn_pb_float(attribute, QN_PB_ATTRIBUTE_F) : fallback;
}

qn_str qn_onnx_string(qn_graph_op *op, const char *name, const char *fallback) {
  const qn_pb_message *attribute = qn_onnx_attribute(op, name, QN_ONNX_ATTR_STRING);
  return attribute ? qn_pb_string(attribute, QN_PB_ATTRIBUTE_S) : qn_str_of(fallback);
}

bool qn_onnx_ints(qn_graph_op *op, const char *name, uint32_t most, int64_t *out_values,
                  uint32_t *out_count) {
  const qn_pb_message *attribute = qn_onnx_attribute(op, name, QN_ONNX_ATTR_INTS);
  size_t count = attribute ? qn_pb_count(attribute, QN_PB_ATTRIBUTE_INTS) : 0;
  *out_count = 0;
  if (count > most)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "attribute '%s' has %zu numbers where at most %u make sense", name, count,
                          most);
  if (count > 0) qn_pb_numbers(attribute, QN_PB_ATTRIBUTE_INTS, out_values);
  *out_count = (uint32_t)count;
  return !op->failed;
}

bool qn_onnx_floats(qn_graph_op *op, const char *name, uint32_t most, float *out_values,
                    uint32_t *out_count) {
  const qn_pb_message *attribute = qn_onnx_attribute(op, name, QN_ONNX_ATTR_FLOATS);
  const size_t count = attribute ? qn_pb_count(attribute, QN_PB_ATTRIBUTE_FLOATS) : 0;
  *out_count = 0;
  if (count > most)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "attribute '%s' has %zu numbers where at most %u make sense", name, count,
                          most);
  int64_t *bits = QN_NEW_ARRAY(&op->graph->arena, count + 1, int64_t);
  if (count > 0) qn_pb_numbers(attribute, QN_PB_ATTRIBUTE_FLOATS, bits);
  for (size_t i = 0; i < count; i++) {
    const uint32_t low = (uint32_t)bits[i];
    memcpy(&out_values[i], &low, sizeof low);
  }
  *out_count = (uint32_t)count;
  return !op->failed;
}

/* See onnx_builder.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_builder.h"

#include <stdlib.h>

void qn_onb_put_varint(qn_text *to, uint64_t value) {
  while (value >= 0x80) {
    qn_text_putc(to, (char)(value | 0x80));
    value >>= 7;
  }
  qn_text_putc(to, (char)value);
}

static void put_tag(qn_text *to, uint32_t field, uint32_t wire) {
  qn_onb_put_varint(to, (uint64_t)field << 3 | wire);
}

void qn_onb_put_int(qn_text *to, uint32_t field, int64_t value) {
  put_tag(to, field, 0);
  qn_onb_put_varint(to, (uint64_t)value);
}

void qn_onb_put_float(qn_text *to, uint32_t field, float value) {
  put_tag(to, field, 5);
  qn_text_put(to, (qn_str){(const char *)&value, sizeof value});
}

void qn_onb_put_bytes(qn_text *to, uint32_t field, const void *data, size_t size) {
  put_tag(to, field, 2);
  qn_onb_put_varint(to, size);
  if (size) qn_text_put(to, (qn_str){data, size});
}

void qn_onb_put_string(qn_text *to, uint32_t field, const char *string) {
  qn_onb_put_bytes(to, field, string, strlen(string));
}

void qn_onb_put_message(qn_text *to, uint32_t field, qn_text *message) {
  qn_onb_put_bytes(to, field, message->data, message->size);
  qn_text_clear(message);
}

qn_onb *qn_onb_create(void) { return calloc(1, sizeof(qn_onb)); }

void qn_onb_destroy(qn_onb *b) {
  qn_text *texts[] = {&b->graph, &b->imports, &b->functions, &b->node, &b->file};
  for (size_t i = 0; i < QN_COUNT(texts); i++) qn_text_deinit(texts[i]);
  free(b);
}

enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };

static void flush_node(qn_onb *b) {
  if (b->node.size) qn_onb_put_message(&b->graph, GRAPH_NODE, &b->node);
}

/* Next item of a list "a,,b", whose items may be empty. The list "" has no item. */
static bool next_item(const char **list, qn_str *out) {
  if (!*list || (**list == 0 && (*list)[-1] != ',')) return false;
  size_t n = strcspn(*list, ",");
  *out = (qn_str){*list, n};
  *list = (*list)[n] ? *list + n + 1 : NULL;
  return true;
}

static void put_list(qn_text *to, uint32_t field, const char *list) {
  qn_str item;
  if (*list == 0) return;
  while (next_item(&list, &item)) qn_onb_put_bytes(to, field, item.data, item.size);
}

static bool number_of(qn_str item, int64_t *out) {
  char text[32] = {0};
  memcpy(text, item.data, item.size < sizeof text ? item.size : sizeof text - 1);
  char *end;
  *out = strtoll(text, &end, 10);
  return item.size > 0 && *end == 0;
}

static void put_value(qn_onb *b, uint32_t field, const char *name, int64_t type, const char *dims) {
  qn_text value = {0}, outer = {0}, tensor = {0}, shape = {0}, dim = {0};
  qn_str item;
  qn_onb_put_int(&tensor, 1, type);
  bool has_shape = dims != NULL;
  while (dims && *dims && next_item(&dims, &item)) {
    int64_t number;
    if (number_of(item, &number))
      qn_onb_put_int(&dim, 1, number);
    else if (item.data[0] != '?')
      qn_onb_put_bytes(&dim, 2, item.data, item.size);
    qn_onb_put_message(&shape, 1, &dim);
  }
  if (has_shape) qn_onb_put_message(&tensor, 2, &shape);
  qn_onb_put_message(&outer, 1, &tensor);
  qn_onb_put_string(&value, 1, name);
  qn_onb_put_message(&value, 2, &outer);
  qn_onb_put_message(&b->graph, field, &value);
  qn_text *texts[] = {&value, &outer, &tensor, &shape, &dim};
  for (size_t i = 0; i < QN_COUNT(texts); i++) qn_text_deinit(texts[i]);
}

void qn_onb_input(qn_onb *b, const char *name, int64_t type, const char *dims) {
  flush_node(b);
  put_value(b, GRAPH_INPUT, name, type, dims);
}

void qn_onb_output(qn_onb *b, const char *name, int64_t type, const char *dims) {
  flush_node(b);
  put_value(b, GRAPH_OUTPUT, name, type, dims);
}

void qn_onb_tensor(qn_onb *b, const char *name, int64_t type, const char *dims, const void *data,
                   size_t size) {
  qn_text tensor = {0};
  qn_str item;
  flush_node(b);
  while (dims && *dims && next_item(&dims, &item)) {
    int64_t number;
    if (number_of(item, &number)) qn_onb_put_int(&tensor, 1, number);
  }
  qn_onb_put_int(&tensor, 2, type);
  qn_onb_put_string(&tensor, 8, name);
  if (data) qn_onb_put_bytes(&tensor, 9, data, size);
  qn_onb_put_message(&b->graph, GRAPH_INITIALIZER, &tensor);
  qn_text_deinit(&tensor);
}

void qn_onb_node(qn_onb *b, const char *domain, const char *op, const char *inputs,
                 const char *outputs) {
  flush_node(b);
  put_list(&b->node, NODE_INPUT, inputs);
  put_list(&b->node, NODE_OUTPUT, outputs);
  qn_onb_put_string(&b->node, NODE_OP, op);
  if (*domain) qn_onb_put_string(&b->node, NODE_DOMAIN, domain);
}

enum {
  ATTR_NAME = 1,
  ATTR_F = 2,
  ATTR_I = 3,
  ATTR_S = 4,
  ATTR_G = 6,
  ATTR_INTS = 8,
  ATTR_TYPE = 20
};
enum { TYPE_FLOAT = 1, TYPE_INT = 2, TYPE_STRING = 3, TYPE_GRAPH = 5, TYPE_INTS = 7 };

static void end_attr(qn_onb *b, qn_text *attr, const char *name, int64_t type) {
  qn_onb_put_string(attr, ATTR_NAME, name);
  qn_onb_put_int(attr, ATTR_TYPE, type);
  qn_onb_put_message(&b->node, NODE_ATTRIBUTE, attr);
  qn_text_deinit(attr);
}

void qn_onb_attr_int(qn_onb *b, const char *name, int64_t value) {
  qn_text attr = {0};
  qn_onb_put_int(&attr, ATTR_I, value);
  end_attr(b, &attr, name, TYPE_INT);
}

void qn_onb_attr_float(qn_onb *b, const char *name, float value) {
  qn_text attr = {0};
  qn_onb_put_float(&attr, ATTR_F, value);
  end_attr(b, &attr, name, TYPE_FLOAT);
}

void qn_onb_attr_ints(qn_onb *b, const char *name, const char *values) {
  qn_text attr = {0};
  qn_str item;
  while (values && *values && next_item(&values, &item)) {
    int64_t number;
    if (number_of(item, &number)) qn_onb_put_int(&attr, ATTR_INTS, number);
  }
  end_attr(b, &attr, name, TYPE_INTS);
}

void qn_onb_attr_string(qn_onb *b, const char *name, const char *value) {
  qn_text attr = {0};
  qn_onb_put_string(&attr, ATTR_S, value);
  end_attr(b, &attr, name, TYPE_STRING);
}

void qn_onb_attr_graph(qn_onb *b, const char *name, qn_onb *body) {
  qn_text attr = {0};
  flush_node(body);
  qn_onb_put_message(&attr, ATTR_G, &body->graph);
  end_attr(b, &attr, name, TYPE_GRAPH);
  qn_onb_destroy(body);
}

void qn_onb_import(qn_onb *b, const char *domain, int64_t version) {
  qn_text import = {0};
  if (*domain) qn_onb_put_string(&import, 1, domain);
  qn_onb_put_int(&import, 2, version);
  qn_onb_put_message(&b->imports, 8, &import);
  qn_text_deinit(&import);
}

qn_bytes qn_onb_finish(qn_onb *b, int64_t ir_version, int64_t opset) {
  flush_node(b);
  if (opset > 0) qn_onb_import(b, "", opset);
  qn_onb_put_string(&b->graph, GRAPH_NAME, "g");
  qn_onb_put_int(&b->file, 1, ir_version);
  qn_onb_put_message(&b->file, 7, &b->graph);
  qn_text_put(&b->file, qn_text_view(&b->imports));
  qn_text_put(&b->file, qn_text_view(&b->functions));
  return (qn_bytes){(const uint8_t *)b->file.data, b->file.size};
}

/* The model file beside the live graph: a delegate is told nodes and tensors, and compiles the
 * file. The two must be one model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file: a FlatBuffer, read with every offset checked ---- */

typedef struct table {
  qn_bytes file;
  size_t at; /* 0: absent */
} table;

static bool load(qn_bytes file, size_t at, void *out, size_t bytes) {
  if (at > file.size || bytes > file.size - at) return false;
  memcpy(out, file.data + at, bytes);
  return true;
}

static size_t follow(qn_bytes file, size_t at) {
  uint32_t offset;
  return at && load(file, at, &offset, 4) && offset ? at + offset : 0;
}

/* Where a field lies; 0: it is not there. */
static size_t field(table t, unsigned number) {
  int32_t back;
  uint16_t size, offset;
  if (!t.at || !load(t.file, t.at, &back, 4)) return 0;
  size_t vtable = (size_t)((int64_t)t.at - back);
  if (!load(t.file, vtable, &size, 2) || 4 + 2 * number + 2 > size ||
      !load(t.file, vtable + 4 + 2 * (size_t)number, &offset, 2) || !offset)
    return 0;
  return t.at + offset;
}

static int64_t number(table t, unsigned at, size_t bytes) {
  int8_t byte = 0;
  int32_t word = 0;
  size_t place = field(t, at);
  if (bytes == 1) return place && load(t.file, place, &byte, 1) ? byte : 0;
  return place && load(t.file, place, &word, 4) ? word : 0;
}

/* A vector of elements of so many bytes, as its first one; count 0 when it is absent or cut. */
static size_t vector(table t, unsigned at, size_t bytes, uint32_t *out_count) {
  size_t place = follow(t.file, field(t, at));
  *out_count = 0;
  if (!place || !load(t.file, place, out_count, 4)) return 0;
  if (*out_count > (t.file.size - place - 4) / bytes) *out_count = 0;
  return place + 4;
}

static table child_at(qn_bytes file, size_t first, uint32_t i) {
  return (table){file, follow(file, first + 4 * (size_t)i)};
}

/* Numbers of fields in the schema. */
enum { MODEL_CODES = 1, MODEL_SUBGRAPHS = 2, MODEL_BUFFERS = 4 };
enum { CODE_OLD = 0, CODE_BUILTIN = 3 };
enum { GRAPH_TENSORS = 0, GRAPH_OPERATORS = 3 };
enum { TENSOR_SHAPE = 0, TENSOR_TYPE = 1, TENSOR_BUFFER = 2 };
enum { OPERATOR_CODE = 0, OPERATOR_INPUTS = 1, OPERATOR_OUTPUTS = 2, BUFFER_DATA = 0 };

/* ---- beside the graph ---- */

typedef struct sides {
  table model, graph;
  size_t codes, buffers, tensors, operators; /* first elements */
  uint32_t code_count, buffer_count, tensor_count, operator_count;
  lt_context *c;
} sides;

static bool same_list(table op, unsigned at, const lt_ints *live) {
  uint32_t count;
  size_t first = vector(op, at, 4, &count);
  if (live->size < 0 || (uint32_t)live->size != count) return false;
  return count == 0 || memcmp(op.file.data + first, live->data, 4 * (size_t)count) == 0;
}

static bool same_operator(const sides *s, uint32_t i) {
  table op = child_at(s->graph.file, s->operators, i);
  int64_t index = number(op, OPERATOR_CODE, 4);
  lt_node *node;
  lt_registration *registration;
  if (index < 0 || index >= s->code_count || s->c->node(s->c, (int)i, &node, &registration))
    return false;
  table code = child_at(s->graph.file, s->codes, (uint32_t)index);
  int64_t old = number(code, CODE_OLD, 1), builtin = number(code, CODE_BUILTIN, 4);
  return registration->builtin_code == (old > builtin ? old : builtin) &&
         same_list(op, OPERATOR_INPUTS, node->inputs) &&
         same_list(op, OPERATOR_OUTPUTS, node->outputs);
}

/* A type as the file numbers it, in the runtime's numbers. */
static int live_type(int64_t type) {
  static const int numbers[] = {1, 10, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18};
  return type >= 0 && type < (int64_t)(sizeof numbers / sizeof *numbers) ? numbers[type] : -1;
}

static bool same_constant(const sides *s, table tensor, const lt_tensor *live) {
  int64_t index = number(tensor, TENSOR_BUFFER, 4);
  uint32_t count;
  if (index < 0 || index >= s->buffer_count) return false;
  table buffer = child_at(s->graph.file, s->buffers, (uint32_t)index);
  size_t first = vector(buffer, BUFFER_DATA, 1, &count);
  /* Data after the FlatBuffer, of files above 2 GiB, is not compared. */
  return count == 0 || (count >= live->bytes && live->data &&
                        memcmp(buffer.file.data + first, live->data, live->bytes) == 0);
}

static bool same_tensor(const sides *s, uint32_t i) {
  table tensor = child_at(s->graph.file, s->tensors, i);
  const lt_tensor *live = &s->c->tensors[i];
  int64_t type = number(tensor, TENSOR_TYPE, 1);
  uint32_t rank;
  vector(tensor, TENSOR_SHAPE, 4, &rank);
  int wanted = live_type(type);
  if (wanted >= 0 && wanted != live->type) return false;
  bool sized = rank > 0 && live->dims && live->dims->size > 0;
  if (sized && (uint32_t)live->dims->size != rank) return false;
  return live->allocation != LT_CONSTANT || same_constant(s, tensor, live);
}

const char *file_differs(qn_bytes file, lt_context *c, const lt_ints *plan) {
  sides s = {.c = c};
  uint32_t graphs, root;
  if (!load(file, 0, &root, 4)) return "it is cut off";
  s.model = (table){file, root};
  size_t first = vector(s.model, MODEL_SUBGRAPHS, 4, &graphs);
  if (graphs == 0) return "it has no graph";
  s.graph = child_at(file, first, 0);
  s.codes = vector(s.model, MODEL_CODES, 4, &s.code_count);
  s.buffers = vector(s.model, MODEL_BUFFERS, 4, &s.buffer_count);
  s.tensors = vector(s.graph, GRAPH_TENSORS, 4, &s.tensor_count);
  s.operators = vector(s.graph, GRAPH_OPERATORS, 4, &s.operator_count);
  if (s.operator_count != (uint32_t)plan->size) return "it has another number of operators";
  if (s.tensor_count > c->tensor_count) return "it has another number of tensors";
  for (uint32_t i = 0; i < s.operator_count; i++)
    if (!same_operator(&s, i)) return "its operators are others";
  for (uint32_t i = 0; i < s.tensor_count; i++)
    if (!same_tensor(&s, i)) return "its tensors are others";
  return NULL;
}

/* ---- where it is ---- */

static char *mapped_at(const void *where) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[4096], path[4096], *found = NULL;
  while (maps && !found && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %4095[^\n]", &from, &to, path) == 3 &&
        path[0] == '/' && (uintptr_t)where >= from && (uintptr_t)where < to)
      found = strdup(path);
  }
  if (maps) fclose(maps);
  return found;
}

char *file_find(const options *o, const lt_context *c) {
  if (o->model) return strdup(o->model);
  for (size_t i = 0; i < c->tensor_count; i++) {
    if (c->tensors[i].allocation != LT_CONSTANT || !c->tensors[i].data) continue;
    char *path = mapped_at(c->tensors[i].data);
    if (path) return path;
  }
  return NULL;
}

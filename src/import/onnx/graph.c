/* Names, nodes and their order: functions are inlined at their calls, nodes are sorted
 * topologically, and nodes that no output depends on are omitted. Graphs in attributes are opened
 * by the operators that have them (ops/control.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/onnx.h"

#include <stdlib.h>

enum { MOST_CALLS = 64, MOST_IN_BODIES = 1 << 16 };

/* ---- tensors ---- */

/* Adds a tensor and returns its index; -1, reported, if there are too many. */
static int32_t add_tensor(qn_onnx *im, qn_str name) {
  qn_graph *graph = &im->graph;
  if (graph->tensor_count == QN_GRAPH_MAX_TENSORS) {
    if (graph->status != QN_LIMIT)
      qn_graph_model_error(graph, NULL, QN_LIMIT, "more than %d tensors", QN_GRAPH_MAX_TENSORS);
    return -1;
  }
  if (graph->tensor_count == im->tensor_capacity && im->is_fixed) {
    if (graph->status != QN_LIMIT)
      qn_graph_model_error(graph, NULL, QN_LIMIT,
                           "the bodies of loops and branches have more than %d tensors in all",
                           MOST_IN_BODIES);
    return -1;
  }
  if (graph->tensor_count == im->tensor_capacity) {
    uint32_t capacity = im->tensor_capacity ? 2 * im->tensor_capacity : 64;
    qn_graph_tensor *tensors = QN_NEW_ARRAY(&graph->arena, capacity, qn_graph_tensor);
    qn_onnx_tensor *extras = QN_NEW_ARRAY(&graph->arena, capacity, qn_onnx_tensor);
    if (graph->tensor_count) {
      memcpy(tensors, graph->tensors, graph->tensor_count * sizeof *tensors);
      memcpy(extras, im->extras, graph->tensor_count * sizeof *extras);
    }
    graph->tensors = tensors;
    im->extras = extras;
    im->tensor_capacity = capacity;
  }
  uint32_t number = graph->tensor_count++;
  graph->tensors[number] =
      (qn_graph_tensor){.name = name, .index = number, .at = number + 1, .writer = -1};
  return (int32_t)number;
}

/* Moves the tensors to memory with room for those of bodies, which are opened while the importer
 * holds pointers to tensors. calloc gives memory that is only used where it is written. */
static bool reserve_for_bodies(qn_onnx *im) {
  qn_graph *graph = &im->graph;
  const uint32_t capacity = graph->tensor_count + MOST_IN_BODIES;
  im->is_fixed = true;
  im->reserved[0] = calloc(capacity, sizeof *graph->tensors);
  im->reserved[1] = calloc(capacity, sizeof *im->extras);
  if (!im->reserved[0] || !im->reserved[1]) {
    qn_graph_model_error(graph, NULL, QN_LIMIT, "no memory for the bodies of loops and branches");
    return false;
  }
  memcpy(im->reserved[0], graph->tensors, graph->tensor_count * sizeof *graph->tensors);
  memcpy(im->reserved[1], im->extras, graph->tensor_count * sizeof *im->extras);
  graph->tensors = im->reserved[0];
  im->extras = im->reserved[1];
  im->tensor_capacity = capacity;
  return true;
}

/* Offset of indices stored as map values, which are non-NULL pointers. */
enum { SHIFT = 2 };

static void bind(qn_onnx_scope *scope, qn_str name, int32_t number) {
  qn_str_map_set(&scope->names, name, (void *)((intptr_t)number + SHIFT));
}

/* The index of a tensor that this scope defines; -1 if absent (an omitted input of a function), or
 * if there are too many. */
static int32_t find_or_define(qn_onnx *im, qn_onnx_scope *scope, qn_str name) {
  void *found = qn_str_map_get(&scope->names, name);
  if (found) return (int32_t)((intptr_t)found - SHIFT);
  int32_t number = add_tensor(im, name);
  if (number >= 0) bind(scope, name, number);
  return number;
}

/* As find_or_define, also for names of the scopes around a body. */
static int32_t find_or_add(qn_onnx *im, qn_onnx_scope *scope, qn_str name) {
  for (const qn_onnx_scope *s = scope; s; s = s->around) {
    void *found = qn_str_map_get(&s->names, name);
    if (found) return (int32_t)((intptr_t)found - SHIFT);
  }
  return find_or_define(im, scope, name);
}

static void check_name(qn_onnx *im, qn_str name) {
  if (name.size && memchr(name.data, 0, name.size)) {
    qn_graph_tensor tensor = {.name = name};
    qn_graph_model_error(&im->graph, &tensor, QN_INVALID, "its name has a NUL byte");
  }
}

/* ---- scopes ---- */

static qn_onnx_scope *new_scope(qn_onnx *im, const qn_pb_message *message) {
  qn_onnx_scope *scope = QN_NEW(&im->graph.arena, qn_onnx_scope);
  scope->message = message;
  scope->next = im->scopes;
  im->scopes = scope;
  return scope;
}

/* "" is "ai.onnx". */
static qn_str domain_of(qn_str domain) {
  return qn_str_is(domain, "ai.onnx") ? qn_str_of("") : domain;
}

static int64_t opset_of(const qn_onnx *im, const qn_onnx_scope *scope, qn_str domain) {
  const qn_pb_message *owner = scope->function ? scope->function : im->model, *import;
  qn_pb_row field = scope->function ? QN_PB_FUNCTION_OPSET_IMPORT : QN_PB_MODEL_OPSET_IMPORT;
  for (qn_pb_walk walk = qn_pb_begin(owner, field); qn_pb_next_child(&walk, &import);)
    if (qn_str_equal(domain_of(qn_pb_string(import, QN_PB_OPSET_DOMAIN)), domain))
      return qn_pb_int(import, QN_PB_OPSET_VERSION);
  return 0;
}

static const qn_pb_message *function_of(qn_onnx *im, const qn_pb_message *node) {
  if (im->functions.count == 0) return NULL;
  qn_str domain = domain_of(qn_pb_string(node, QN_PB_NODE_DOMAIN)),
         name = qn_pb_string(node, QN_PB_NODE_OP_TYPE),
         overload = qn_pb_string(node, QN_PB_NODE_OVERLOAD);
  qn_str key = qn_arena_format(&im->graph.arena, "%.*s:%.*s:%.*s", QN_STR_ARG(domain),
                               QN_STR_ARG(name), QN_STR_ARG(overload));
  return qn_str_map_get(&im->functions, key);
}

/* ---- nodes ---- */

static qn_onnx_node *add_node(qn_onnx *im) {
  qn_graph *graph = &im->graph;
  if (im->node_count == QN_GRAPH_MAX_OPERATORS) {
    if (graph->status != QN_LIMIT)
      qn_graph_model_error(graph, NULL, QN_LIMIT, "more than %d nodes", QN_GRAPH_MAX_OPERATORS);
    return NULL;
  }
  if (im->node_count == im->node_capacity) {
    uint32_t capacity = im->node_capacity ? 2 * im->node_capacity : 64;
    qn_onnx_node *nodes = QN_NEW_ARRAY(&graph->arena, capacity, qn_onnx_node);
    if (im->node_count) memcpy(nodes, im->nodes, im->node_count * sizeof *nodes);
    im->nodes = nodes;
    im->node_capacity = capacity;
  }
  qn_onnx_node *node = &im->nodes[im->node_count];
  *node = (qn_onnx_node){.index = im->node_count++};
  return node;
}

/* Tensor indices of names; -1 for an empty name. A new name gets a tensor without definition. */
static int32_t *numbers_of(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *message,
                           qn_pb_row field, uint32_t *out_count) {
  qn_str name;
  size_t count = qn_pb_count(message, field);
  int32_t *numbers = QN_NEW_ARRAY(&im->graph.arena, count, int32_t);
  *out_count = (uint32_t)count;
  for (qn_pb_walk walk = qn_pb_begin(message, field); qn_pb_next_string(&walk, &name);)
    *numbers++ = name.size == 0               ? -1
                 : field == QN_PB_NODE_OUTPUT ? find_or_define(im, scope, name)
                                              : find_or_add(im, scope, name);
  return numbers - count;
}

/* ---- names that bodies use from outside ---- */

typedef struct name_set {
  qn_str_map names;
  const struct name_set *around;
} name_set;

typedef struct captures {
  int32_t *numbers;
  uint32_t count, capacity;
  qn_str_map seen;
} captures;

static bool is_defined(const name_set *set, qn_str name) {
  for (; set; set = set->around)
    if (qn_str_map_get(&set->names, name)) return true;
  return false;
}

static void capture(qn_onnx *im, qn_onnx_scope *scope, const name_set *set, qn_str name,
                    captures *out) {
  if (name.size == 0 || is_defined(set, name) || qn_str_map_get(&out->seen, name)) return;
  qn_str_map_set(&out->seen, name, out);
  if (out->count == out->capacity) {
    const uint32_t capacity = out->capacity ? 2 * out->capacity : 8;
    int32_t *numbers = QN_NEW_ARRAY(&im->graph.arena, capacity, int32_t);
    if (out->count) memcpy(numbers, out->numbers, out->count * sizeof *numbers);
    out->numbers = numbers;
    out->capacity = capacity;
  }
  out->numbers[out->count++] = find_or_add(im, scope, name);
}

static void add_names(name_set *set, const qn_pb_message *owner, qn_pb_row field, qn_pb_row name) {
  const qn_pb_message *message;
  for (qn_pb_walk walk = qn_pb_begin(owner, field); qn_pb_next_child(&walk, &message);)
    qn_str_map_set(&set->names, qn_pb_string(message, name), set);
}

static void capture_of_graph(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph,
                             const name_set *around, captures *out);

static void capture_of_node(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *node,
                            const name_set *set, captures *out) {
  const qn_pb_message *attribute;
  for (qn_pb_walk walk = qn_pb_begin(node, QN_PB_NODE_ATTRIBUTE);
       qn_pb_next_child(&walk, &attribute);) {
    const qn_pb_message *graph = qn_pb_child(attribute, QN_PB_ATTRIBUTE_G);
    if (graph) capture_of_graph(im, scope, graph, set, out);
  }
}

/* Nested graphs are a message in a message each, so their depth is limited. */
static void capture_of_graph(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph,
                             const name_set *around, captures *out) {
  name_set set = {.around = around};
  const qn_pb_message *node, *value;
  qn_str name;
  add_names(&set, graph, QN_PB_GRAPH_INPUT, QN_PB_VALUE_NAME);
  add_names(&set, graph, QN_PB_GRAPH_INITIALIZER, QN_PB_TENSOR_NAME);
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);)
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_OUTPUT); qn_pb_next_string(&names, &name);)
      qn_str_map_set(&set.names, name, &set);
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);) {
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_INPUT); qn_pb_next_string(&names, &name);)
      capture(im, scope, &set, name, out);
    capture_of_node(im, scope, node, &set, out);
  }
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_OUTPUT); qn_pb_next_child(&walk, &value);)
    capture(im, scope, &set, qn_pb_string(value, QN_PB_VALUE_NAME), out);
  qn_str_map_deinit(&set.names);
}

/* Appends what the node's bodies read to its inputs, so that it follows the writers. */
static void append_captures(qn_onnx *im, qn_onnx_scope *scope, qn_onnx_node *node) {
  captures found = {0};
  capture_of_node(im, scope, node->message, NULL, &found);
  qn_str_map_deinit(&found.seen);
  if (found.count == 0) return;
  int32_t *all = QN_NEW_ARRAY(&im->graph.arena, node->input_count + found.count, int32_t);
  memcpy(all, node->inputs, node->input_count * sizeof *all);
  memcpy(all + node->input_count, found.numbers, found.count * sizeof *all);
  node->inputs = all;
  node->input_count += found.count;
}

static bool has_body(const qn_pb_message *node) {
  const qn_pb_message *attribute;
  for (qn_pb_walk walk = qn_pb_begin(node, QN_PB_NODE_ATTRIBUTE);
       qn_pb_next_child(&walk, &attribute);)
    if (qn_pb_child(attribute, QN_PB_ATTRIBUTE_G)) return true;
  return false;
}

static void open_node(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *message) {
  qn_onnx_node *node = add_node(im);
  if (!node) return;
  qn_str domain = domain_of(qn_pb_string(message, QN_PB_NODE_DOMAIN));
  uint8_t bit = domain.size == 0                     ? QN_ONNX_STANDARD
                : qn_str_is(domain, "com.microsoft") ? QN_ONNX_MICROSOFT
                                                     : 0;
  const qn_onnx_row *row = qn_str_map_get(&im->rows, qn_pb_string(message, QN_PB_NODE_OP_TYPE));
  node->message = message;
  node->scope = scope;
  node->row = row && (row->domains & bit) ? row : NULL;
  node->opset = opset_of(im, scope, domain);
  uint32_t inputs, outputs;
  int32_t *of_inputs = numbers_of(im, scope, message, QN_PB_NODE_INPUT, &inputs);
  int32_t *of_outputs = numbers_of(im, scope, message, QN_PB_NODE_OUTPUT, &outputs);
  while (outputs > 0 && of_outputs[outputs - 1] < 0)
    outputs--; /* trailing outputs may be omitted */
  node->inputs = of_inputs;
  node->input_count = node->operand_count = inputs;
  node->outputs = of_outputs;
  node->output_count = outputs;
  if (has_body(message)) {
    im->has_bodies = true;
    append_captures(im, scope, node);
  }
}

qn_onnx_op qn_onnx_open_op(qn_onnx *im, const qn_onnx_node *node) {
  qn_graph_list inputs = {(const uint8_t *)node->inputs, node->operand_count, QN_GRAPH_INT32};
  qn_graph_list outputs = {(const uint8_t *)node->outputs, node->output_count, QN_GRAPH_INT32};
  return (qn_onnx_op){
      .op = {.graph = &im->graph,
             .frame = im->graph.frame,
             .row = node->row ? &node->row->row : NULL,
             .name = qn_graph_printable(&im->graph.arena,
                                        qn_pb_string(node->message, QN_PB_NODE_OP_TYPE), 80),
             .title = qn_pb_string(node->message, QN_PB_NODE_NAME),
             .index = node->index,
             .at = node->message->at,
             .inputs = inputs,
             .outputs = outputs},
      .node = node};
}

static void open_nodes(qn_onnx *im, qn_onnx_scope *scope, qn_pb_row field);

/* Inlines a function call: adds its body's nodes, in a new scope. */
static void open_call(qn_onnx *im, qn_onnx_scope *outer, const qn_pb_message *call,
                      const qn_pb_message *function) {
  qn_graph *graph = &im->graph;
  qn_str called = qn_graph_printable(&graph->arena, qn_pb_string(call, QN_PB_NODE_OP_TYPE), 80);
  for (const qn_onnx_scope *s = outer; s; s = s->outer)
    if (s->function == function) {
      qn_graph_model_error(graph, NULL, QN_INVALID, "function '%.*s' calls itself",
                           QN_STR_ARG(called));
      return;
    }
  if (outer->depth == MOST_CALLS) {
    qn_graph_model_error(graph, NULL, QN_LIMIT, "functions call each other more than %d deep",
                         MOST_CALLS);
    return;
  }
  qn_onnx_scope *scope = new_scope(im, function);
  scope->function = function;
  scope->outer = outer;
  scope->call = call;
  scope->depth = outer->depth + 1;
  static const qn_pb_row formal[] = {QN_PB_FUNCTION_INPUT, QN_PB_FUNCTION_OUTPUT},
                         actual[] = {QN_PB_NODE_INPUT, QN_PB_NODE_OUTPUT};
  for (uint32_t k = 0; k < 2; k++) {
    qn_pb_walk given = qn_pb_begin(call, actual[k]);
    qn_str name, of_call;
    if (qn_pb_count(call, actual[k]) > qn_pb_count(function, formal[k]))
      qn_graph_model_error(graph, NULL, QN_INVALID,
                           "a call of function '%.*s' has more %s than the function",
                           QN_STR_ARG(called), k ? "outputs" : "inputs");
    for (qn_pb_walk walk = qn_pb_begin(function, formal[k]); qn_pb_next_string(&walk, &name);) {
      bool is_given = qn_pb_next_string(&given, &of_call) && of_call.size;
      if (is_given || k == 0) bind(scope, name, is_given ? find_or_add(im, outer, of_call) : -1);
    }
  }
  open_nodes(im, scope, QN_PB_FUNCTION_NODE);
}

/* Adds results first, so that their indices follow the order of writing, and earlier nodes can
 * refer to them. */
static void open_nodes(qn_onnx *im, qn_onnx_scope *scope, qn_pb_row field) {
  const qn_pb_message *node, *function;
  qn_str name;
  for (qn_pb_walk walk = qn_pb_begin(scope->message, field); qn_pb_next_child(&walk, &node);)
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_OUTPUT);
         qn_pb_next_string(&names, &name);) {
      check_name(im, name);
      if (name.size) find_or_define(im, scope, name);
    }
  for (qn_pb_walk walk = qn_pb_begin(scope->message, field);
       im->graph.status != QN_LIMIT && qn_pb_next_child(&walk, &node);) {
    function = function_of(im, node);
    if (function)
      open_call(im, scope, node, function);
    else
      open_node(im, scope, node);
  }
}

/* ---- inputs, outputs, initializers ---- */

static void open_initializers(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph) {
  const qn_pb_message *message;
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_INITIALIZER);
       qn_pb_next_child(&walk, &message);) {
    qn_str name = qn_pb_string(message, QN_PB_TENSOR_NAME);
    check_name(im, name);
    if (name.size == 0) {
      qn_graph_model_error(&im->graph, NULL, QN_INVALID, "an initializer, at byte %zu, has no name",
                           message->at);
      continue;
    }
    int32_t number = find_or_define(im, scope, name);
    if (number < 0) return;
    qn_onnx_tensor *extra = &im->extras[number];
    if (extra->initializer)
      qn_graph_model_error(&im->graph, &im->graph.tensors[number], QN_INVALID,
                           "there are two initializers of this name");
    extra->initializer = message;
  }
  if (qn_pb_count(graph, QN_PB_GRAPH_SPARSE_INITIALIZER) > 0)
    qn_graph_model_error(&im->graph, NULL, QN_UNSUPPORTED, "sparse initializers are not supported");
}

/* Tensor indices of the inputs or outputs. An initializer that is listed as an input is a constant.
 */
static qn_graph_list open_interface(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph,
                                    qn_pb_row field) {
  const qn_pb_message *message;
  size_t count = qn_pb_count(graph, field);
  int32_t *numbers = QN_NEW_ARRAY(&im->graph.arena, count, int32_t);
  uint32_t kept = 0, constants = 0;
  for (qn_pb_walk walk = qn_pb_begin(graph, field); qn_pb_next_child(&walk, &message);) {
    qn_str name = qn_pb_string(message, QN_PB_VALUE_NAME);
    check_name(im, name);
    if (name.size == 0) {
      qn_graph_model_error(&im->graph, NULL, QN_INVALID, "an %s of the model has no name",
                           field == QN_PB_GRAPH_INPUT ? "input" : "output");
      continue;
    }
    int32_t number = find_or_add(im, scope, name);
    if (number < 0) break;
    im->extras[number].type = qn_pb_child(message, QN_PB_VALUE_TYPE);
    if (field == QN_PB_GRAPH_INPUT && im->extras[number].initializer)
      constants++;
    else
      numbers[kept++] = number;
  }
  if (constants > 0)
    qn_remark(&im->graph.cx->diag, im->graph.loc,
              "%u inputs have their values in the file and are constants", constants);
  return (qn_graph_list){(const uint8_t *)numbers, kept, QN_GRAPH_INT32};
}

/* ---- order ---- */

enum { NEW, OPEN, DONE };

static int64_t writer_of(const qn_onnx *im, int32_t number) {
  return number < 0 ? -1 : im->graph.tensors[number].writer;
}

/* Reports a cycle: the nodes of the stack from the repeated one on depend on each other. */
static void report_cycle(qn_onnx *im, const uint32_t *stack, uint32_t depth, uint32_t again) {
  enum { MOST_NAMED = 8 };
  qn_text text = {0};
  uint32_t first = depth, named = 0;
  while (first > 0 && stack[first - 1] != again) first--;
  for (uint32_t i = first - 1; i < depth && named < MOST_NAMED; i++, named++) {
    const qn_onnx_node *node = &im->nodes[stack[i]];
    qn_str name = qn_pb_string(node->message, QN_PB_NODE_OP_TYPE);
    name = qn_graph_printable(&im->graph.arena, name, 40);
    qn_text_format(&text, "%s%u (%.*s)", named ? ", " : "", node->index, QN_STR_ARG(name));
  }
  qn_graph_model_error(
      &im->graph, NULL, QN_INVALID, "operators read each other's results in a circle: %.*s%s",
      QN_STR_ARG(qn_text_view(&text)), depth - first + 1 > MOST_NAMED ? ", ..." : "");
  qn_text_deinit(&text);
}

/* Sorts the nodes from `first` on in file order, each after the nodes it reads from. Earlier nodes
 * are sorted. */
static bool sort_nodes(qn_onnx *im, uint32_t first, const qn_onnx_node **order,
                       uint32_t *out_count) {
  qn_arena *arena = &im->graph.arena;
  const uint32_t count = im->node_count - first;
  uint32_t *stack = QN_NEW_ARRAY(arena, count, uint32_t);
  uint32_t *next = QN_NEW_ARRAY(arena, count, uint32_t);
  *out_count = 0;
  for (uint32_t root = first; root < im->node_count; root++) {
    uint32_t depth = 0;
    if (im->nodes[root].state == DONE) continue;
    stack[depth++] = root;
    im->nodes[root].state = OPEN;
    while (depth > 0) {
      uint32_t at = stack[depth - 1];
      qn_onnx_node *node = &im->nodes[at];
      if (next[at - first] == node->input_count) {
        node->state = DONE;
        order[(*out_count)++] = node;
        depth--;
        continue;
      }
      int64_t writer = writer_of(im, node->inputs[next[at - first]++]);
      if (writer < first || im->nodes[writer].state == DONE) continue;
      if (im->nodes[writer].state == OPEN) {
        report_cycle(im, stack, depth, (uint32_t)writer);
        return false;
      }
      im->nodes[writer].state = OPEN;
      stack[depth++] = (uint32_t)writer;
    }
  }
  return true;
}

/* Keeps the nodes that results depend on, in a backward pass over the sorted nodes from index
 * `first` on; returns their number. */
static uint32_t keep_live(qn_onnx *im, uint32_t first, const qn_onnx_node **order, uint32_t count,
                          const int32_t *results, uint32_t result_count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < result_count; i++) {
    int64_t writer = writer_of(im, results[i]);
    if (writer >= first) im->nodes[writer].live = true;
  }
  for (uint32_t i = count; i > 0; i--) {
    const qn_onnx_node *node = order[i - 1];
    for (uint32_t k = 0; node->live && k < node->input_count; k++) {
      int64_t writer = writer_of(im, node->inputs[k]);
      if (writer >= first) im->nodes[writer].live = true;
    }
  }
  for (uint32_t i = 0; i < count; i++)
    if (order[i]->live) order[kept++] = order[i];
  return kept;
}

static void mark_live(qn_onnx *im) {
  const qn_graph_list outputs = im->graph.outputs;
  int32_t *results = QN_NEW_ARRAY(&im->graph.arena, outputs.count, int32_t);
  for (uint32_t i = 0; i < outputs.count; i++) results[i] = qn_graph_number(outputs, i);
  const uint32_t kept = keep_live(im, 0, im->order, im->order_count, results, outputs.count);
  if (kept < im->order_count)
    qn_remark(&im->graph.cx->diag, im->graph.loc,
              "%u of %u nodes are not imported, as no output depends on them",
              im->order_count - kept, im->order_count);
  im->order_count = kept;
}

/* ---- checks of names ---- */

/* Records the writer of each tensor; reports tensors that are written twice. */
static void record_writers(qn_onnx *im, uint32_t first) {
  for (uint32_t i = first; i < im->node_count; i++) {
    qn_onnx_op op = {0};
    for (uint32_t k = 0; k < im->nodes[i].output_count; k++) {
      int32_t number = im->nodes[i].outputs[k];
      if (number < 0) continue;
      qn_graph_tensor *tensor = &im->graph.tensors[number];
      const char *problem = tensor->writer >= 0              ? "already written by operator"
                            : im->extras[number].initializer ? "writes a constant"
                            : tensor->is_input               ? "writes an input of the model"
                                                             : NULL;
      if (problem && !op.node) op = qn_onnx_open_op(im, &im->nodes[i]);
      if (problem && tensor->writer >= 0)
        qn_graph_error(&op.op, tensor, QN_INVALID, "%s %lld", problem, (long long)tensor->writer);
      else if (problem)
        qn_graph_error(&op.op, tensor, QN_INVALID, "%s", problem);
      else
        tensor->writer = i;
    }
  }
}

/* Whether something defines the tensor: an earlier body may have made it a constant. */
static bool has_source(const qn_onnx *im, int32_t number) {
  const qn_graph_tensor *tensor = &im->graph.tensors[number];
  return tensor->writer >= 0 || tensor->is_input || im->extras[number].initializer ||
         tensor->loaded;
}

static void check_readers(qn_onnx *im, uint32_t first) {
  for (uint32_t i = first; i < im->node_count; i++)
    for (uint32_t k = 0; k < im->nodes[i].input_count; k++) {
      int32_t number = im->nodes[i].inputs[k];
      if (number < 0 || has_source(im, number)) continue;
      qn_onnx_op op = qn_onnx_open_op(im, &im->nodes[i]);
      qn_graph_error(&op.op, &im->graph.tensors[number], QN_INVALID,
                     "it is not an initializer, no operator writes it and it is not an input");
    }
}

static void check_outputs(qn_onnx *im) {
  for (uint32_t i = 0; i < im->graph.outputs.count; i++) {
    int32_t number = qn_graph_number(im->graph.outputs, i);
    if (!has_source(im, number))
      qn_graph_model_error(&im->graph, &im->graph.tensors[number], QN_INVALID,
                           "an output of the model that no operator writes");
  }
}

bool qn_onnx_open_graph(qn_onnx *im, const qn_pb_message *graph) {
  qn_onnx_scope *scope = new_scope(im, graph);
  const qn_pb_message *node;
  qn_str name;
  /* Tensors that nodes of the main graph write get the first indices, in the order of writing. */
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);)
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_OUTPUT); qn_pb_next_string(&names, &name);)
      if (name.size) find_or_add(im, scope, name);
  open_initializers(im, scope, graph);
  im->graph.inputs = open_interface(im, scope, graph, QN_PB_GRAPH_INPUT);
  im->graph.outputs = open_interface(im, scope, graph, QN_PB_GRAPH_OUTPUT);
  for (uint32_t i = 0; i < im->graph.inputs.count; i++)
    im->graph.tensors[qn_graph_number(im->graph.inputs, i)].is_input = true;
  open_nodes(im, scope, QN_PB_GRAPH_NODE);
  if (im->graph.status == QN_LIMIT) return false;
  im->graph.op_count = im->node_count;
  record_writers(im, 0);
  check_readers(im, 0);
  check_outputs(im);
  for (uint32_t i = 0; i < im->graph.inputs.count; i++) /* begin_main marks them again */
    im->graph.tensors[qn_graph_number(im->graph.inputs, i)].is_input = false;
  if (im->graph.outputs.count == 0)
    qn_graph_model_error(&im->graph, NULL, QN_INVALID, "the model has no outputs");
  im->order = QN_NEW_ARRAY(&im->graph.arena, im->node_count, const qn_onnx_node *);
  if (!sort_nodes(im, 0, im->order, &im->order_count)) return false;
  mark_live(im);
  return !im->has_bodies || reserve_for_bodies(im);
}

/* ---- bodies ---- */

static qn_onnx_scope *scope_in(qn_onnx *im, const qn_onnx_scope *around,
                               const qn_pb_message *graph) {
  qn_onnx_scope *scope = new_scope(im, graph);
  scope->function = around->function;
  scope->outer = around->outer;
  scope->call = around->call;
  scope->depth = around->depth + 1;
  scope->around = around;
  return scope;
}

/* The work of reading a body once: its nodes, and names in bodies inside of it, which are looked up
 * again. */
static int64_t cost_of(const qn_pb_message *graph) {
  const qn_pb_message *node, *attribute;
  int64_t cost = 1;
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);) {
    cost += 1 + (int64_t)qn_pb_count(node, QN_PB_NODE_INPUT) +
            (int64_t)qn_pb_count(node, QN_PB_NODE_OUTPUT);
    for (qn_pb_walk each = qn_pb_begin(node, QN_PB_NODE_ATTRIBUTE);
         qn_pb_next_child(&each, &attribute);) {
      const qn_pb_message *inner = qn_pb_child(attribute, QN_PB_ATTRIBUTE_G);
      if (inner) cost += cost_of(inner);
    }
  }
  return cost;
}

qn_onnx_scope *qn_onnx_open_body(qn_graph_op *op, const qn_pb_message *graph) {
  qn_onnx *im = qn_onnx_of(op->graph);
  const qn_onnx_scope *around = qn_onnx_node_of(op)->scope;
  if (around->depth >= MOST_CALLS) {
    qn_graph_error(op, NULL, QN_LIMIT, "bodies are in each other more than %d deep", MOST_CALLS);
    return NULL;
  }
  qn_onnx_scope *scope = scope_in(im, around, graph);
  scope->cost = cost_of(graph);
  open_initializers(im, scope, graph);
  return scope;
}

int32_t qn_onnx_add_tensor(qn_graph_op *op, qn_str name) {
  const int32_t number = add_tensor(qn_onnx_of(op->graph), name);
  op->failed |= number < 0;
  return number;
}

/* Binds the inputs of a body to tensors. */
static bool bind_inputs(qn_graph_op *op, qn_onnx_scope *scope, const int32_t *arguments,
                        uint32_t count) {
  const qn_pb_message *input;
  const size_t inputs = qn_pb_count(scope->message, QN_PB_GRAPH_INPUT);
  if (inputs != count)
    return qn_graph_error(op, NULL, QN_INVALID, "a body with %zu inputs where %u are expected",
                          inputs, count);
  for (qn_pb_walk walk = qn_pb_begin(scope->message, QN_PB_GRAPH_INPUT);
       qn_pb_next_child(&walk, &input);) {
    const qn_str name = qn_pb_string(input, QN_PB_VALUE_NAME);
    check_name(qn_onnx_of(op->graph), name);
    bind(scope, name, *arguments++);
  }
  return true;
}

static bool find_results(qn_graph_op *op, qn_onnx_scope *scope, int32_t *out, uint32_t count) {
  qn_onnx *im = qn_onnx_of(op->graph);
  const qn_pb_message *output;
  const size_t outputs = qn_pb_count(scope->message, QN_PB_GRAPH_OUTPUT);
  if (outputs != count)
    return qn_graph_error(op, NULL, QN_INVALID, "a body with %zu outputs where %u are expected",
                          outputs, count);
  for (qn_pb_walk walk = qn_pb_begin(scope->message, QN_PB_GRAPH_OUTPUT);
       qn_pb_next_child(&walk, &output); out++) {
    *out = find_or_add(im, scope, qn_pb_string(output, QN_PB_VALUE_NAME));
    op->failed |= *out < 0;
    if (op->failed) return false;
    qn_graph_tensor *tensor = &im->graph.tensors[*out];
    if (!has_source(im, *out))
      return qn_graph_error(op, tensor, QN_INVALID, "an output of a body that no operator writes");
  }
  return true;
}

bool qn_onnx_read_body(qn_graph_op *op, const qn_onnx_scope *body, const int32_t *arguments,
                       uint32_t argument_count, int32_t *out_results, uint32_t result_count,
                       const qn_onnx_node ***out_order, uint32_t *out_count) {
  qn_onnx *im = qn_onnx_of(op->graph);
  const uint32_t first = im->node_count;
  const int64_t cost = body->cost + argument_count + result_count;
  qn_onnx_scope *scope = scope_in(im, body, body->message);
  scope->depth = body->depth;
  if (!qn_graph_spend_on_calls(op, cost) || !bind_inputs(op, scope, arguments, argument_count))
    return false;
  open_nodes(im, scope, QN_PB_GRAPH_NODE);
  op->failed |= im->graph.status == QN_LIMIT;
  if (op->failed) return false;
  record_writers(im, first);
  check_readers(im, first);
  if (!find_results(op, scope, out_results, result_count)) return false;
  *out_order = QN_NEW_ARRAY(&im->graph.arena, im->node_count - first, const qn_onnx_node *);
  if (!sort_nodes(im, first, *out_order, out_count)) {
    op->failed = true;
    return false;
  }
  *out_count = keep_live(im, first, *out_order, *out_count, out_results, result_count);
  qn_onnx_count_readers(im, first);
  return true;
}

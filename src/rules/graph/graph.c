/* Creation and lookup of the graph's nodes, each of which exists once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/graph/graph.h"

#include <string.h>

#include "base/hash.h"
#include "ir/types/quant_at.h"

void qn_rule_graph_init(qn_rule_graph *graph, qn_module *module) {
  *graph = (qn_rule_graph){.module = module, .cx = module->cx};
  qn_arena_init(&graph->arena);
  for (const qn_rule_form *form = qn_rule_forms; form->name; form++) {
    void **slot = qn_str_map_at(&graph->forms, qn_str_of(form->name));
    if (!*slot) *slot = (void *)(uintptr_t)form;
  }
  graph->output = qn_rule_form_find(qn_str_of("$Out"));
}

void qn_rule_graph_deinit(qn_rule_graph *graph) {
  qn_array_free(&graph->nodes);
  qn_map_deinit(&graph->data);
  qn_map_deinit(&graph->names);
  qn_str_map_deinit(&graph->forms);
  qn_arena_deinit(&graph->arena);
}

/* The chain of nodes of a value. Values have consecutive ids in order of creation, so an array
 * indexed by id has better locality than a hash map when a block is traversed. */
static qn_rule_gnode *nodes_of(const qn_rule_graph *graph, const qn_value *value) {
  return value->id < graph->nodes.count ? graph->nodes.data[value->id] : NULL;
}

static void set_nodes(qn_rule_graph *graph, const qn_value *value, qn_rule_gnode *first) {
  qn_array_reserve(&graph->nodes, graph->module->value_count);
  while (graph->nodes.count <= value->id) qn_array_push(&graph->nodes, NULL);
  graph->nodes.data[value->id] = first;
}

static void forget_nodes(qn_rule_graph *graph, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (nodes_of(graph, &op->results[i])) set_nodes(graph, &op->results[i], NULL);
}

void qn_rule_graph_forget(qn_rule_graph *graph, const qn_op *op) {
  if (qn_map_get(&graph->names, op)) qn_map_set(&graph->names, op, NULL);
  forget_nodes(graph, op);
}

void qn_rule_graph_name(qn_rule_graph *graph, const qn_op *op, const qn_rule_form *form) {
  QN_ASSERT(form->kind == op->kind || (form->needs & QN_RULE_COMPOSED));
  qn_map_set(&graph->names, op, (void *)(uintptr_t)form);
  forget_nodes(graph, op);
}

/* ---- shapes and constants ---- */

static qn_rule_operand data_node(qn_rule_graph *graph, qn_rule_node_of of, const double *numbers,
                                 uint32_t count, bool real) {
  uint64_t hash = qn_hash_bytes((uint64_t)of * 2 + real, numbers, count * sizeof *numbers);
  const void *key = (const void *)(uintptr_t)(hash | 1);
  qn_rule_gnode *first = qn_map_get(&graph->data, key);
  for (qn_rule_gnode *node = first; node; node = node->next)
    if (node->of == of && node->real == real && node->count == count &&
        memcmp(node->numbers, numbers, count * sizeof *numbers) == 0)
      return (qn_rule_operand){node, 0};
  qn_rule_gnode *node = QN_NEW(&graph->arena, qn_rule_gnode);
  *node = (qn_rule_gnode){.of = of,
                          .count = count,
                          .numbers = qn_arena_copy(&graph->arena, numbers, count * sizeof *numbers),
                          .real = real,
                          .next = first};
  qn_map_set(&graph->data, key, node);
  return (qn_rule_operand){node, 0};
}

qn_rule_operand qn_rule_shape_node(qn_rule_graph *graph, const double *sizes, uint32_t count) {
  QN_ASSERT(count <= QN_RULE_MAX_RANK); /* definitions have room for no more */
  return data_node(graph, QN_RULE_OF_SHAPE, sizes, count, false);
}

qn_rule_operand qn_rule_numbers_node(qn_rule_graph *graph, const double *numbers, uint32_t count,
                                     bool real) {
  return data_node(graph, QN_RULE_OF_NUMBERS, numbers, count, real);
}

/* ---- values ---- */

static bool same_output(const qn_op *op) {
  for (uint32_t i = 1; i < op->result_count; i++)
    if (op->results[i].type != op->results[0].type) return false;
  return true;
}

static int64_t zero_shift(bool from_signed, bool to_signed) {
  enum { HALF = 128 };
  return from_signed == to_signed ? 0 : from_signed ? HALF : -HALF;
}

/* Whether a requantization only converts 8-bit codes between signed and unsigned. */
static bool is_shifted(const qn_op *op) {
  const qn_quant_uniform *a = qn_type_quant(qn_op_operand(op, 0)->type);
  const qn_quant_uniform *b = qn_type_quant(op->results[0].type);
  if (!a || !b || a->count != 1 || b->count != 1 || a->scales[0] != b->scales[0]) return false;
  if (a->storage->integer.width != 8 || b->storage->integer.width != 8) return false;
  return a->is_signed != b->is_signed &&
         b->zero_points[0] - a->zero_points[0] == zero_shift(a->is_signed, b->is_signed);
}

/* Whether the op is a storage cast of a storage cast, which reinterprets the stored values in
 * another encoding. */
static bool is_relabelled(const qn_op *op) {
  const qn_value *below = qn_op_operand(op, 0);
  return below->op && below->op->kind == op->kind && qn_type_quant(op->results[0].type) &&
         qn_type_quant(qn_op_operand(below->op, 0)->type);
}

/* Whether operand 0 is a product that only this op reads, so that a form can stand for both ops. */
static bool is_scaled(const qn_op *op) {
  const qn_value *below = qn_op_operand(op, 0);
  return below->op && below->op->kind == QN_OP_ML_MUL && qn_value_has_one_use(below) &&
         qn_op_is_plain(below->op);
}

static bool needs_hold(const qn_op *op, uint32_t needs) {
  const qn_type *result = qn_type_element(op->results[0].type);
  bool plain = qn_op_is_plain(op);
  if ((needs & QN_RULE_PLAIN) && !plain) return false;
  if ((needs & QN_RULE_CLAMPED) && plain) return false;
  if ((needs & QN_RULE_REALS) && result->kind != QN_TYPE_FLOAT) return false;
  if ((needs & QN_RULE_CODES) && !qn_type_quant(result)) return false;
  if ((needs & QN_RULE_SQUARED) &&
      (op->operand_count < 2 || qn_op_operand(op, 0) != qn_op_operand(op, 1)))
    return false;
  if ((needs & QN_RULE_SHIFTED) && !is_shifted(op)) return false;
  if ((needs & QN_RULE_RELABELLED) && !is_relabelled(op)) return false;
  if ((needs & QN_RULE_UNCHANGED) && op->results[0].type != qn_op_operand(op, 0)->type)
    return false;
  if ((needs & QN_RULE_SCALED) && !is_scaled(op)) return false;
  return !(needs & QN_RULE_EVEN) || same_output(op);
}

bool qn_rule_form_fits(qn_rule_graph *graph, const qn_rule_form *form, const qn_op *op) {
  uint32_t values = 0;
  bool rest = false, below = false; /* BELOW: the BELOW slots together are operand 0 */
  if (form->kind != op->kind || op->result_count == 0 || op->operand_count == 0) return false;
  if (op->results[0].type->kind != QN_TYPE_TENSOR) return false;
  if (op->result_count > 1 && !(form->needs & QN_RULE_EVEN)) return false;
  /* checked before the slots, because it is cheaper */
  if (!needs_hold(op, form->needs)) return false;
  for (const qn_rule_slot *slot = form->slots; slot->kind != QN_RULE_SLOT_NONE; slot++) {
    qn_rule_operand ignored;
    below |= slot->kind == QN_RULE_SLOT_BELOW;
    values += qn_rule_slot_is_value(slot) && slot->kind != QN_RULE_SLOT_BELOW;
    rest |= slot->kind == QN_RULE_SLOT_REST;
    if (slot->kind >= QN_RULE_SLOT_INPUTS ? !qn_rule_slot_holds(op, slot)
                                          : !qn_rule_slot_read(graph, op, slot, 0, &ignored))
      return false;
  }
  bool squared = (form->needs & QN_RULE_SQUARED) != 0;
  return rest || values + squared + below == op->operand_count;
}

/* The first form that the op fits, from `form` on. Without `any_name`, only forms with the name of
 * `form` are tried. */
static const qn_rule_form *fitting(qn_rule_graph *graph, const qn_op *op, const qn_rule_form *form,
                                   bool any_name) {
  const char *name = form->name;
  for (; form->name && (any_name || strcmp(form->name, name) == 0); form++)
    if (form->kind != QN_OP_UNREGISTERED && form->kind == op->kind &&
        qn_rule_form_fits(graph, form, op))
      return form;
  return NULL;
}

static qn_rule_gnode *value_node(qn_rule_graph *graph, qn_value *value, qn_rule_layout layout,
                                 const qn_rule_form *form) {
  qn_rule_gnode *first = nodes_of(graph, value), *last = NULL;
  for (qn_rule_gnode *node = first; node; last = node, node = node->next)
    if (node->layout == layout && node->form == form) return node;
  qn_rule_gnode *node = QN_NEW(&graph->arena, qn_rule_gnode);
  *node = (qn_rule_gnode){.layout = layout, .value = value, .form = form};
  if (last)
    last->next = node; /* at the end: the first node of the chain has the value's own name */
  else
    set_nodes(graph, value, node);
  return node;
}

/* The first form that fits the op of a value, used when rules ask for its name; NULL if none
 * fits. */
static const qn_rule_form *own_form(qn_rule_graph *graph, const qn_value *value) {
  if (!value->op) return NULL;
  const qn_rule_form *named = qn_map_get(&graph->names, value->op);
  return named ? named : fitting(graph, value->op, qn_rule_forms, true);
}

qn_rule_operand qn_rule_operand_of(qn_rule_graph *graph, qn_value *value, qn_rule_layout layout) {
  QN_ASSERT(value->id < graph->module->value_count); /* of this module */
  qn_value *first = value->op ? &value->op->results[0] : value;
  uint32_t output = value->op ? value->index : 0;
  for (qn_rule_gnode *node = nodes_of(graph, first); node; node = node->next)
    if (node->layout == layout && node->form != graph->output)
      return (qn_rule_operand){node, output};
  return (qn_rule_operand){value_node(graph, first, layout, own_form(graph, first)), output};
}

qn_value *qn_rule_value_of(qn_rule_operand operand) {
  const qn_rule_gnode *node = qn_rule_gnode_of(operand);
  if (node->of != QN_RULE_OF_VALUE) return NULL;
  QN_ASSERT(operand.output == 0 || operand.output < node->value->op->result_count);
  return node->value->op && operand.output > 0 ? &node->value->op->results[operand.output]
                                               : node->value;
}

/* ---- the view ---- */

/* The "$Out" node of an operand that is an output of an op with several outputs: rules see it as an
 * op of its own. */
static void *as_output(qn_rule_graph *graph, qn_rule_operand operand) {
  qn_value *value = qn_rule_value_of(operand);
  if (!value || !value->op || value->op->result_count < 2) return NULL;
  return value_node(graph, value, QN_RULE_NATURAL, graph->output);
}

static qn_rule_name resolve(void *user, qn_str text) {
  qn_rule_graph *graph = user;
  qn_rule_name name = {.text = text, .known = qn_str_map_get(&graph->forms, text)};
  const qn_rule_form *first = name.known;
  for (const qn_rule_form *form = first; form && form->name; form++, name.breadth++)
    if (strcmp(form->name, first->name) != 0) break;
  return name;
}

static void *as(void *user, qn_rule_operand operand, qn_rule_name name) {
  qn_rule_graph *graph = user;
  const qn_rule_gnode *node = operand.node;
  if (node->of != QN_RULE_OF_VALUE || !node->value->op) return NULL;
  const qn_rule_form *form = name.known;
  if (!form) return NULL;
  if (form->needs & QN_RULE_OUTPUT) return as_output(graph, operand);
  if (node->layout != QN_RULE_NATURAL && !qn_rule_form_keeps_layout(form)) return NULL;
  const qn_rule_form *named = qn_map_get(&graph->names, node->value->op);
  if (named) return strcmp(named->name, form->name) == 0 ? operand.node : NULL;
  form = fitting(graph, node->value->op, form, false);
  if (!form) return NULL;
  return node->form == form ? operand.node : value_node(graph, node->value, node->layout, form);
}

static bool is_output(const qn_rule_gnode *node) {
  return node->form && (node->form->needs & QN_RULE_OUTPUT);
}

static uint32_t input_count(void *user, void *at) {
  const qn_rule_gnode *node = at;
  (void)user;
  if (node->of != QN_RULE_OF_VALUE || !node->form) return 0;
  if (is_output(node)) return 2;
  uint32_t count = qn_rule_form_inputs(node->form);
  QN_ASSERT(count > 0); /* no form is without operands */
  const qn_rule_slot *last = qn_rule_form_input(node->form, count - 1);
  if (last->kind == QN_RULE_SLOT_REST) count += node->value->op->operand_count - last->operand - 1;
  return count;
}

static uint32_t output_count(void *user, void *at) {
  const qn_rule_gnode *node = at;
  (void)user;
  bool several = node->of == QN_RULE_OF_VALUE && node->value->op && !is_output(node);
  return several ? node->value->op->result_count : 1;
}

static qn_rule_operand output_input(qn_rule_graph *graph, const qn_rule_gnode *node, uint32_t i) {
  const qn_op *op = node->value->op;
  if (i == 0) {
    qn_rule_operand whole = qn_rule_operand_of(graph, &op->results[0], QN_RULE_NATURAL);
    return whole;
  }
  const double sizes[] = {0, 0, op->result_count, node->value->index};
  return qn_rule_shape_node(graph, sizes, 4);
}

static qn_rule_operand input(void *user, void *at, uint32_t i) {
  qn_rule_graph *graph = user;
  const qn_rule_gnode *node = at;
  if (is_output(node)) return output_input(graph, node, i);
  QN_ASSERT(node->of == QN_RULE_OF_VALUE && node->form);
  const qn_rule_slot *slot = qn_rule_form_input(node->form, i);
  uint32_t rest = slot->kind == QN_RULE_SLOT_REST ? i - (qn_rule_form_inputs(node->form) - 1) : 0;
  qn_rule_operand operand = {NULL, 0};
  if (!qn_rule_slot_read(graph, node->value->op, slot, rest, &operand))
    /* not reached: every slot of a form that fits can be read */
    return qn_rule_shape_node(graph, NULL, 0);
  if (node->layout != QN_RULE_NATURAL && slot->kind == QN_RULE_SLOT_VALUE)
    return qn_rule_operand_of(graph, qn_rule_value_of(operand), node->layout);
  return operand;
}

static void define_data(const qn_rule_gnode *node, qn_rule_definition *d) {
  const char *word = node->real ? "Float32" : "Int32";
  d->element_bytes = 4;
  d->channels = 1;
  while (strcmp(qn_rule_dtypes[d->dtype], word) != 0) d->dtype++;
  if (node->of == QN_RULE_OF_NUMBERS) {
    d->rank = 4;
    d->sizes[0] = d->sizes[1] = d->sizes[2] = 1;
    d->sizes[3] = node->count;
    return;
  }
  d->rank = node->count;
  for (uint32_t i = 0; i < node->count; i++) d->sizes[i] = (int64_t)node->numbers[i];
}

static const qn_rule_definition *definition(void *user, qn_rule_operand operand) {
  qn_rule_graph *graph = user;
  qn_rule_gnode *node = operand.node;
  if (operand.output > 0 && node->of == QN_RULE_OF_VALUE) {
    qn_value *value = qn_rule_value_of(operand);
    return definition(graph,
                      (qn_rule_operand){value_node(graph, value, node->layout, graph->output), 0});
  }
  if (node->definition) return node->definition;
  qn_rule_definition *d = QN_NEW(&graph->arena, qn_rule_definition);
  *d = (qn_rule_definition){0};
  if (node->of != QN_RULE_OF_VALUE)
    define_data(node, d);
  else if (!qn_rule_define(&graph->arena, node->value->type, node->layout, d))
    *d = (qn_rule_definition){0}; /* a type that rules can't represent */
  node->definition = d;
  return d;
}

static uint32_t uses(void *user, qn_rule_operand operand) {
  (void)user;
  const qn_value *value = qn_rule_value_of(operand);
  return value ? qn_value_use_count(value) : 0;
}

/* ---- constants ---- */

static int64_t constant_size(void *user, qn_rule_operand operand) {
  (void)user;
  const qn_rule_gnode *node = operand.node;
  if (node->of != QN_RULE_OF_VALUE)
    return node->of == QN_RULE_OF_NUMBERS ? (int64_t)node->count : -1;
  return qn_value_literal(node->value) ? qn_type_elements(node->value->type) : -1;
}

/* Index in the value's data of element `index` in the order that rules see. */
static int64_t place_of(const qn_rule_definition *d, const qn_rule_dims *dims, const qn_type *type,
                        int64_t index, int64_t *coordinate) {
  int64_t place = 0;
  for (uint32_t i = d->rank; i-- > 0; index /= d->sizes[i])
    if (dims->of[i] >= 0) coordinate[dims->of[i]] = index % d->sizes[i];
  for (uint32_t i = 0; i < type->shaped.rank; i++)
    place = place * type->shaped.dims[i] + coordinate[i];
  return place;
}

static double constant_at(void *user, qn_rule_operand operand, int64_t index) {
  const qn_rule_gnode *node = operand.node;
  QN_ASSERT(index >= 0 && index < constant_size(user, operand));
  if (node->of != QN_RULE_OF_VALUE) return node->numbers[index];
  const qn_type *type = node->value->type, *element = qn_type_element(type);
  const qn_attr *attr = qn_value_constant(node->value);
  int64_t coordinate[QN_RULE_MAX_RANK] = {0};
  qn_rule_dims dims;
  qn_quant_cell cell;
  if (!qn_rule_layout_dims(node->layout, type->shaped.rank, &dims)) return 0;
  int64_t at = place_of(definition(user, operand), &dims, type, index, coordinate);
  if (attr->dense.splat) at = 0;
  if (element->kind == QN_TYPE_FLOAT) return qn_dense_float(attr, at);
  if (!qn_type_quant(element)) return (double)qn_dense_int(attr, at);
  int64_t stored = qn_quant_stored(qn_type_quant(element), qn_dense_int(attr, at));
  if (qn_quant_at(type, coordinate, type->shaped.rank, &cell) != QN_OK) return 0;
  return (double)(stored - cell.zero_point) * cell.scale;
}

qn_rule_view qn_rule_graph_view(qn_rule_graph *graph) {
  return (qn_rule_view){.graph = graph,
                        .resolve = resolve,
                        .as = as,
                        .input_count = input_count,
                        .output_count = output_count,
                        .input = input,
                        .definition = definition,
                        .uses = uses,
                        .constant_size = constant_size,
                        .constant_at = constant_at};
}

/* Branches and loops whose blocks are subgraphs, and subgraphs in place of operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/subgraph.h"
#include "import/graph/ops/ops.h"
#include "ir/walk.h"

/* The only element of a boolean tensor, as an i1. */
static qn_value *condition_of(qn_graph_op *op, qn_value *tensor, const char *what) {
  qn_graph *graph = op->graph;
  const qn_type *type = tensor->type, *i1 = qn_type_i(graph->cx, 1);
  if (qn_type_element(type) != i1 || qn_type_elements(type) != 1) {
    qn_graph_error(op, NULL, QN_INVALID, "%s is not one boolean", what);
    return NULL;
  }
  qn_value *operands[1 + QN_GRAPH_MAX_RANK] = {tensor};
  qn_builder b = graph->builder;
  b.loc = qn_graph_loc(op, NULL);
  for (uint32_t i = 0; i < type->shaped.rank; i++) operands[1 + i] = qn_build_index(&b, 0);
  return qn_build_1(&b, QN_OP_TENSOR_EXTRACT, i1, operands, 1 + type->shaped.rank, NULL);
}

static qn_graph_given *give_all(qn_graph_op *op, uint32_t first) {
  qn_graph_given *given =
      QN_NEW_ARRAY(&op->graph->arena, (size_t)op->inputs.count + 1, qn_graph_given);
  for (uint32_t i = first; i < op->inputs.count; i++) given[i - first] = qn_graph_give(op, i);
  return given;
}

static qn_graph_given *results_of(qn_graph_op *op) {
  return QN_NEW_ARRAY(&op->graph->arena, (size_t)op->outputs.count + 1, qn_graph_given);
}

/* Stores the values of `given` in `out` and returns their number. Variables have no value here:
 * they are passed by name. */
static uint32_t values_of(const qn_graph_given *given, uint32_t count, qn_value **out) {
  uint32_t values = 0;
  for (uint32_t i = 0; i < count; i++)
    if (given[i].value) out[values++] = given[i].value;
  return values;
}

/* Defines output i as result i; variables have no result here. */
static void define_results(qn_graph_op *op, qn_op *built, const qn_graph_given *given) {
  qn_graph *graph = op->graph;
  int64_t *numbers = QN_NEW_ARRAY(&graph->arena, (size_t)op->outputs.count + 1, int64_t);
  uint32_t count = 0;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    qn_graph_tensor *tensor = qn_graph_output(op, i);
    if (!tensor) return;
    tensor->variable = given[i].variable;
    if (given[i].variable) continue;
    const qn_type *type = given[i].value->type;
    const qn_type *element = qn_graph_element_type(graph, op, tensor);
    if (element && element != qn_type_element(type))
      qn_graph_error(op, tensor, QN_INVALID,
                     "its elements have another type than what the "
                     "subgraph gives");
    numbers[count] = tensor->index;
    tensor->value = built ? &built->results[count] : given[i].value;
    tensor->shape.rank = type->shaped.rank;
    for (uint32_t d = 0; d < type->shaped.rank; d++) tensor->shape.dims[d] = type->shaped.dims[d];
    count++;
  }
  if (built && !graph->frame->outer)
    qn_op_set_attr(graph->module, built, qn_attr_decls[QN_A_TENSORS].name,
                   qn_attr_i64s(graph->cx, numbers, count));
}

static qn_op *build_control(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                            uint32_t operand_count, qn_value *const *like, uint32_t results) {
  const qn_type **types = QN_NEW_ARRAY(&op->graph->arena, (size_t)results + 1, const qn_type *);
  for (uint32_t i = 0; i < results; i++) types[i] = like[i]->type;
  qn_op *built =
      qn_build(&op->graph->builder, (qn_op_state){.kind = kind,
                                                  .loc = qn_graph_loc(op, qn_graph_output(op, 0)),
                                                  .operands = operands,
                                                  .operand_count = operand_count,
                                                  .result_types = types,
                                                  .result_count = results,
                                                  .region_count = 2});
  for (uint32_t i = 0; i < 2; i++)
    qn_block_append(qn_block_create(op->graph->module), &built->regions[i]);
  return built;
}

static void end_block(qn_graph_op *op, qn_block *block, qn_op_kind kind, qn_value *const *values,
                      uint32_t count) {
  qn_builder b = qn_builder_at_end(op->graph->module, block, qn_graph_loc(op, NULL));
  qn_build_0(&b, kind, values, count, NULL);
}

/* ---- variables that a subgraph assigns ---- */

/* Current values of all variables. A variable that is not open has the value of its argument of
 * @main. */
typedef struct standing {
  qn_value **values; /* [variable] value; NULL if not open */
  uint32_t count;
} standing;

static standing stand(const qn_graph *graph, qn_arena *arena) {
  standing s = {QN_NEW_ARRAY(arena, (size_t)graph->variable_count + 1, qn_value *),
                graph->variable_count};
  for (uint32_t k = 0; k < s.count; k++) s.values[k] = graph->variables[k].value;
  return s;
}

static qn_value *standing_of(const qn_graph *graph, const standing *s, uint32_t k) {
  qn_value *value = k < s->count ? s->values[k] : NULL;
  return value ? value : graph->variables[k].argument;
}

static void go_back(const qn_graph *graph, const standing *s) {
  for (uint32_t k = 0; k < graph->variable_count; k++)
    graph->variables[k].value = standing_of(graph, s, k);
}

/* Whether variable k has another value after a block than before it. */
static bool assigns(const qn_graph *graph, const standing *before, const standing *after,
                    uint32_t k) {
  return standing_of(graph, before, k) != standing_of(graph, after, k);
}

/* ---- IF ---- */

static bool same_kinds(qn_graph_op *op, const qn_graph_given *a, const qn_graph_given *b) {
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    bool same =
        a[i].variable == b[i].variable && (a[i].variable || a[i].value->type == b[i].value->type);
    if (!same)
      return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                            "result %u has another type or shape in one branch than in the other",
                            i);
  }
  return true;
}

static void move_ops(qn_block *from, qn_block *to) {
  while (from->first) {
    qn_op *op = from->first;
    qn_op_unlink(op);
    qn_op_append(op, to);
  }
}

/* The values that a branch yields: its results, then variables that either branch assigns. */
static uint32_t yielded_by(qn_graph_op *op, const qn_graph_given *given, const standing *before,
                           const standing ends[2], uint32_t branch, qn_value **out) {
  const qn_graph *graph = op->graph;
  uint32_t count = values_of(given, op->outputs.count, out);
  for (uint32_t k = 0; k < graph->variable_count; k++)
    if (assigns(graph, before, &ends[0], k) || assigns(graph, before, &ends[1], k))
      out[count++] = standing_of(graph, &ends[branch], k);
  return count;
}

/* Builds scf.if. Result types are known only after both branches have been read, so they are first
 * read into an op without results. */
void qn_graph_if(qn_graph_op *op, const uint32_t numbers[2]) {
  qn_graph *graph = op->graph;
  uint32_t count = op->outputs.count, given_count = op->inputs.count - 1;
  qn_graph_given condition = qn_graph_give(op, 0), *given = give_all(op, 1), *out[2];
  if (op->failed || !condition.value) return;
  qn_value *chosen = condition_of(op, condition.value, "its condition");
  if (!chosen) return;
  qn_op *draft = build_control(op, QN_OP_SCF_IF, &chosen, 1, NULL, 0);
  standing before = stand(graph, &graph->arena), ends[2];
  graph->conditional++;
  for (uint32_t i = 0; i < 2; i++) {
    out[i] = results_of(op);
    if (!op->failed)
      qn_graph_call(op, numbers[i], draft->regions[i].first, given, given_count, out[i], count);
    ends[i] = stand(graph, &graph->arena);
    go_back(graph, &before);
  }
  graph->conditional--;
  if (op->failed || !same_kinds(op, out[0], out[1])) return;
  qn_value **values =
      QN_NEW_ARRAY(&graph->arena, (size_t)count + graph->variable_count + 1, qn_value *);
  uint32_t results = yielded_by(op, out[0], &before, ends, 0, values);
  qn_op *built = build_control(op, QN_OP_SCF_IF, &chosen, 1, values, results);
  for (uint32_t i = 0; i < 2; i++) {
    move_ops(draft->regions[i].first, built->regions[i].first);
    yielded_by(op, out[i], &before, ends, i, values);
    end_block(op, built->regions[i].first, QN_OP_SCF_YIELD, values, results);
  }
  qn_op_erase(graph->module, draft);
  define_results(op, built, out[0]);
  uint32_t next = values_of(out[0], count, values);
  for (uint32_t k = 0; k < graph->variable_count; k++)
    if (assigns(graph, &before, &ends[0], k) || assigns(graph, &before, &ends[1], k))
      graph->variables[k].value = &built->results[next++];
  qn_graph_forget_inner(graph);
}

/* ---- WHILE ---- */

static qn_graph_given *arguments_of(qn_graph_op *op, const qn_graph_given *given, uint32_t count,
                                    qn_block *block) {
  qn_graph_given *inside = QN_NEW_ARRAY(&op->graph->arena, (size_t)count + 1, qn_graph_given);
  for (uint32_t i = 0; i < count; i++) {
    inside[i] = given[i];
    if (given[i].value)
      inside[i].value =
          qn_block_add_arg(op->graph->module, block, given[i].value->type, qn_graph_loc(op, NULL));
  }
  return inside;
}

static bool keeps_kinds(qn_graph_op *op, const qn_graph_given *given, const qn_graph_given *next) {
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    bool same = given[i].variable == next[i].variable &&
                (given[i].variable || given[i].value->type == next[i].value->type);
    if (!same)
      return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                            "value %u has another type or shape after a round than before", i);
  }
  return true;
}

/* A loop under construction. It is first read as an op (`draft`) whose only loop-carried values are
 * its operands; reading its blocks shows which variables it assigns. */
typedef struct rounds {
  qn_op *draft;
  standing before, ends[2]; /* state before the loop; after each of the two blocks */
  qn_value **values;        /* [all loop-carried values + 1 for the condition] */
  uint32_t count;           /* number of operands */
} rounds;

static bool is_assigned(const qn_graph *graph, const rounds *r, uint32_t k) {
  return assigns(graph, &r->before, &r->ends[0], k) || assigns(graph, &r->before, &r->ends[1], k);
}

/* Appends the current values of assigned variables after `count` values; returns the new count. */
static uint32_t add_assigned(const qn_graph *graph, const rounds *r, const standing *s,
                             uint32_t count) {
  for (uint32_t k = 0; k < graph->variable_count; k++)
    if (is_assigned(graph, r, k)) r->values[count++] = standing_of(graph, s, k);
  return count;
}

static void rename_inside(qn_value *from, const qn_block *block, qn_value *to) {
  for (qn_use *use = from->first_use, *next; use; use = next) {
    next = use->next;
    const qn_block *b = use->owner->block;
    while (b && b != block) b = b->region->owner->block;
    if (b) qn_op_set_operand(use->owner, (uint32_t)(use - use->owner->operands), to);
  }
}

/* Rebuilds the op with additional arguments for assigned variables, which replace their previous
 * values in its blocks. */
static qn_op *with_variables(qn_graph_op *op, const rounds *r) {
  qn_graph *graph = op->graph;
  for (uint32_t i = 0; i < r->count; i++) r->values[i] = qn_op_operand(r->draft, i);
  uint32_t all = add_assigned(graph, r, &r->before, r->count);
  if (all == r->count) return r->draft;
  qn_op *built = build_control(op, QN_OP_SCF_WHILE, r->values, all, r->values, all);
  for (uint32_t k = 0; k < 2; k++) {
    qn_block *from = r->draft->regions[k].first, *to = built->regions[k].first;
    for (uint32_t i = 0; i < all; i++)
      qn_block_add_arg(graph->module, to, r->values[i]->type, qn_graph_loc(op, NULL));
    for (uint32_t i = r->count; i < all; i++) rename_inside(r->values[i], from, to->args[i]);
    for (uint32_t i = 0; i < r->count; i++) qn_value_replace_all_uses(from->args[i], to->args[i]);
    move_ops(from, to);
  }
  qn_op_erase(graph->module, r->draft);
  return built;
}

/* Reads the first block, which yields the loop condition and all loop-carried values. */
static void read_condition(qn_graph_op *op, rounds *r, uint32_t number, const qn_graph_given *in) {
  qn_graph *graph = op->graph;
  qn_block *block = r->draft->regions[0].first;
  qn_graph_given decision = {0};
  if (!qn_graph_call(op, number, block, in, op->inputs.count, &decision, 1)) return;
  qn_builder outside = graph->builder;
  graph->builder = qn_builder_at_end(graph->module, block, qn_graph_loc(op, NULL));
  if (decision.value)
    r->values[0] = condition_of(op, decision.value, "what its condition gives");
  else
    qn_graph_error(op, NULL, QN_INVALID, "its condition gives a variable");
  graph->builder = outside;
}

static void finish_while(qn_graph_op *op, rounds *r, const qn_graph_given *given,
                         const qn_graph_given *in, const qn_graph_given *next) {
  qn_graph *graph = op->graph;
  values_of(in, op->inputs.count, r->values + 1);
  uint32_t all = add_assigned(graph, r, &r->ends[0], 1 + r->count);
  end_block(op, r->draft->regions[0].first, QN_OP_SCF_CONDITION, r->values, all);
  values_of(next, op->inputs.count, r->values);
  all = add_assigned(graph, r, &r->ends[1], r->count);
  end_block(op, r->draft->regions[1].first, QN_OP_SCF_YIELD, r->values, all);
  qn_op *built = with_variables(op, r);
  define_results(op, built, given);
  uint32_t result = r->count;
  for (uint32_t k = 0; k < graph->variable_count; k++)
    if (is_assigned(graph, r, k)) graph->variables[k].value = &built->results[result++];
  qn_graph_forget_inner(graph);
}

void qn_graph_while(qn_graph_op *op, uint32_t condition, uint32_t body) {
  qn_graph *graph = op->graph;
  uint32_t count = op->inputs.count;
  qn_graph_given *given = give_all(op, 0), *next = results_of(op), *in[2];
  if (op->failed) return;
  rounds r = {.values = QN_NEW_ARRAY(&graph->arena, (size_t)count + QN_GRAPH_MAX_VARIABLES + 1,
                                     qn_value *)};
  r.count = values_of(given, count, r.values);
  r.draft = build_control(op, QN_OP_SCF_WHILE, r.values, r.count, r.values, r.count);
  for (uint32_t k = 0; k < 2; k++)
    in[k] = arguments_of(op, given, count, r.draft->regions[k].first);
  r.before = stand(graph, &graph->arena);
  graph->conditional++;
  read_condition(op, &r, condition, in[0]);
  qn_value *goes_on = r.values[0];
  r.ends[0] = stand(graph, &graph->arena);
  go_back(graph, &r.before);
  if (!op->failed) qn_graph_call(op, body, r.draft->regions[1].first, in[1], count, next, count);
  r.ends[1] = stand(graph, &graph->arena);
  go_back(graph, &r.before);
  graph->conditional--;
  r.values[0] = goes_on;
  if (!op->failed && keeps_kinds(op, given, next)) finish_while(op, &r, given, in[0], next);
}

/* ---- CALL ---- */

void qn_graph_inline(qn_graph_op *op, uint32_t number) {
  qn_graph_given *given = give_all(op, 0), *out = results_of(op);
  if (op->failed) return;
  if (qn_graph_call(op, number, op->graph->block, given, op->inputs.count, out, op->outputs.count))
    define_results(op, NULL, out);
}

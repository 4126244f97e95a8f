/* Builds a sample graph for a rule: the pattern is built from its leaves to its root. Types and
 * sizes come from small pools, so that operands which a constraint requires to be equal often are.
 * Types and sizes that the constraint names are drawn more often.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/trial/sampler.h"

#include <string.h>

#include "base/heap.h"
#include "eval/fold.h"
#include "ir/verify/verify.h"

typedef qn_rule_sampler sampler;

/* ---- patterns ---- */

static bool make(sampler *s, const qn_rule_node *pattern, const qn_rule_form *form,
                 const qn_rule_slot *slot, uint32_t tag, qn_rule_operand *out_operand);

static void note_base(sampler *s, const qn_rule_slot *slot, qn_rule_operand operand) {
  if (!qn_rule_slot_is_value(slot) || s->base.rank > 0 || !qn_rule_value_of(operand)) return;
  if (!qn_rule_wanted_of(&s->run.staging, operand, &s->base) || s->base.rank != 4) s->base.rank = 0;
  s->whole = qn_rule_value_of(operand);
}

/* A random form of the name; NULL if there is none. */
static const qn_rule_form *pick_form(sampler *s, qn_str name) {
  const qn_rule_form *form = qn_rule_form_find(name);
  uint32_t rows = 0;
  while (form && form[rows].name && strcmp(form[rows].name, form->name) == 0) rows++;
  return form ? form + qn_rule_sampler_below(s, rows) : NULL;
}

static bool make_output(sampler *s, const qn_rule_node *pattern, qn_rule_operand *out_operand) {
  qn_rule_operand whole;
  const double sizes[] = {0, 0, 2, qn_rule_sampler_below(s, 2)};
  if (pattern->arg_count != 3 || pattern->args[2]->kind != QN_RULE_STRING) return false;
  if (!make(s, pattern->args[1], NULL, NULL, UINT32_MAX - 1, &whole)) return false;
  const qn_value *value = qn_rule_value_of(whole);
  if (!value || !value->op || value->op->result_count != 2) return false;
  *out_operand =
      qn_rule_operand_of(&s->run.graph, &value->op->results[(int)sizes[3]], QN_RULE_NATURAL);
  return true;
}

/* Index of the first operand that is a value, not an attribute. */
static uint32_t first_value(const qn_rule_form *form) {
  uint32_t i = 0;
  while (!qn_rule_slot_is_value(qn_rule_form_input(form, i))) {
    i++;
    QN_ASSERT(i < qn_rule_form_inputs(form)); /* each form has an operand with data */
  }
  return i;
}

/* Builds an op of the pattern. `slot`: the slot of the consumer for which it is built; NULL at the
 * root. */
static bool make_op(sampler *s, const qn_rule_node *pattern, const qn_rule_slot *slot, uint32_t tag,
                    qn_rule_operand *out_operand) {
  enum { MOST_INPUTS = 16 };
  qn_rule_operand inputs[MOST_INPUTS];
  const qn_rule_form *form = pick_form(s, qn_rule_op_name(pattern));
  if (!form) return false;
  if (form->needs & QN_RULE_OUTPUT) return make_output(s, pattern, out_operand);
  const qn_rule_wanted outer = s->base;
  const qn_rule_slot *around = s->around;
  const int64_t channels = s->channels;
  const qn_value *whole = s->whole;
  bool weights = slot && slot->kind == QN_RULE_SLOT_VALUE && slot->layout != QN_RULE_NATURAL &&
                 slot->layout != QN_RULE_VECTOR && qn_rule_form_keeps_layout(form);
  s->around = weights ? slot : NULL;
  if (!weights) s->base.rank = 0;
  s->whole = NULL;
  uint32_t count = pattern->arg_count - 1, known = qn_rule_form_inputs(form);
  bool more = qn_rule_is(pattern, QN_RULE_FN_OpVarIn) &&
              qn_rule_form_input(form, known - 1)->kind == QN_RULE_SLOT_REST;
  bool rest = qn_rule_form_input(form, known - 1)->kind == QN_RULE_SLOT_REST;
  if (count > known && !rest) return false;
  uint32_t least = more ? known + qn_rule_sampler_below(s, 3) : count;
  for (uint32_t i = 0; i < MOST_INPUTS && (i < count || i < least); i++) {
    const qn_rule_slot *own = qn_rule_form_input(form, i);
    bool good = i < count ? make(s, pattern->args[i + 1], form, own, UINT32_MAX - 1, &inputs[i])
                          : qn_rule_sampler_leaf(s, form, own, UINT32_MAX - 1, &inputs[i]);
    if (!good) return false;
    note_base(s, own, inputs[i]);
    if (i >= count) count = i + 1;
  }
  const qn_value *first = qn_rule_value_of(inputs[first_value(form)]);
  if (!first) return false;
  qn_rule_wanted wanted = {
      .any_size = true, .axis = -1, .outputs = form->needs & QN_RULE_EVEN ? 2 : 1};
  wanted.element = qn_rule_sampler_result_type(s, form, qn_type_element(first->type), tag);
  s->base = outer;
  s->around = around;
  s->whole = whole;
  if (!weights) s->channels = channels;
  return qn_rule_stage_op(&s->run.staging, qn_str_of(form->name), inputs, count, &wanted,
                          out_operand);
}

static bool bind(sampler *s, uint32_t tag, qn_rule_operand operand) {
  s->binding.bound[tag] = true;
  s->binding.tags[tag] = operand;
  return true;
}

static bool make_new(sampler *s, const qn_rule_node *pattern, const qn_rule_form *form,
                     const qn_rule_slot *slot, uint32_t tag, qn_rule_operand *out_operand) {
  if (pattern->kind != QN_RULE_STRING) return make_op(s, pattern, slot, tag, out_operand);
  return form && qn_rule_sampler_leaf(s, form, slot, pattern->tag, out_operand) &&
         bind(s, pattern->tag, *out_operand);
}

/* If the position is a tag that must equal an op later in the pattern: that op, which is built
 * first. Otherwise the position itself. */
static const qn_rule_node *made_first(const qn_rule_same *same, const qn_rule_node *pattern) {
  for (uint32_t i = 0; pattern->kind == QN_RULE_STRING && i < same->count; i++)
    if (same->places[i]->kind != QN_RULE_STRING) return same->places[i];
  return pattern;
}

/* Builds a position that SAME_OP requires to equal others: in 75 % of the cases it reuses the
 * operand built for one of them. */
static bool make_same(sampler *s, qn_rule_same *same, const qn_rule_node *place,
                      const qn_rule_node *pattern, const qn_rule_form *form,
                      const qn_rule_slot *slot, uint32_t tag, qn_rule_operand *out_operand) {
  enum { MOSTLY = 75 };
  bool wanted = !same->at_work && qn_rule_sampler_chance(s, MOSTLY);
  if (wanted && !same->made_at) {
    const qn_rule_node *first = made_first(same, place);
    same->at_work = true;
    bool good = make_new(s, first == place ? pattern : first, form, slot, tag, &same->made);
    same->at_work = false;
    if (!good) return false;
    same->made_at = first;
  }
  bool use = same->made_at && (wanted || same->made_at == place) &&
             qn_rule_match_part(&s->run.view, pattern, same->made, &s->binding);
  if (!use) return make_new(s, pattern, form, slot, tag, out_operand);
  *out_operand = same->made;
  return true;
}

static bool make(sampler *s, const qn_rule_node *pattern, const qn_rule_form *form,
                 const qn_rule_slot *slot, uint32_t tag, qn_rule_operand *out_operand) {
  if (pattern->kind == QN_RULE_STRING && s->binding.bound[pattern->tag]) {
    *out_operand = s->binding.tags[pattern->tag];
    return true;
  }
  if (qn_rule_is(pattern, QN_RULE_FN_EITHER))
    return make(s, pattern->args[0], form, slot, tag, out_operand);
  if (qn_rule_is(pattern, QN_RULE_FN_LET))
    return make(s, pattern->args[1], form, slot, pattern->args[0]->tag, out_operand) &&
           bind(s, pattern->args[0]->tag, *out_operand);
  const qn_rule_node *place;
  qn_rule_same *same = qn_rule_sampler_same(s, pattern, &place);
  return same ? make_same(s, same, place, pattern, form, slot, tag, out_operand)
              : make_new(s, pattern, form, slot, tag, out_operand);
}

/* ---- the module ---- */

static void finish(sampler *s, qn_value *result) {
  qn_block *block = qn_op_body(s->function);
  const qn_type **types = QN_NEW_ARRAY(&s->run.arena, block->arg_count + 1, const qn_type *);
  for (uint32_t i = 0; i < block->arg_count; i++) types[i] = block->args[i]->type;
  const qn_type *type = qn_type_function(s->cx, types, block->arg_count, &result->type, 1);
  qn_op_set_attr(s->module, s->function, "function_type", qn_attr_type(s->cx, type));
  qn_builder b = qn_builder_at_end(s->module, block, s->cx->diag.unknown);
  (void)qn_build_0(&b, QN_OP_FUNC_RETURN, QN_VALUES(result), NULL);
}

static qn_value *build(sampler *s) {
  const qn_loc *loc = s->cx->diag.unknown;
  qn_builder b = qn_builder_at_end(s->module, qn_op_body(s->module->op), loc);
  qn_rule_operand root;
  s->function =
      qn_build_func(&b, qn_str_of("sample"), qn_type_function(s->cx, NULL, 0, NULL, 0), NULL);
  s->run.staging.builder = qn_builder_at_end(s->module, qn_op_body(s->function), loc);
  qn_rule_quiet quiet = qn_rule_begin_quiet(&s->run);
  bool good = make(s, s->rule->match, NULL, NULL, QN_RULE_ROOT, &root);
  qn_rule_end_quiet(&s->run, &quiet);
  return good ? qn_rule_value_of(root) : NULL;
}

qn_module *qn_rule_sample(qn_ir_context *cx, const qn_rule *rule, qn_rule_sampling *sampling) {
  const qn_rule_set none = {.options = {.names = &qn_rule_default_names}};
  const qn_rule_run_options options = QN_RULE_RUN_OPTIONS_INIT;
  sampler *s = qn_heap_new(sizeof *s);
  *s = (sampler){.module = qn_module_create(cx, cx->diag.unknown),
                 .cx = cx,
                 .rule = rule,
                 .sampling = sampling};
  qn_op_set_attr(s->module, s->module->op, "quern.numerics",
                 qn_attr_string(cx, qn_str_of("litert-ref")));
  qn_rule_run_init(&s->run, s->module, &none, &options);
  s->run.staging.evaluation.binding = &s->binding;
  qn_folder_destroy(s->run.staging.folder); /* no folding: ops that the pattern names must stay */
  s->run.staging.folder = NULL;
  qn_rule_sampler_hints(&s->hints, rule->constraint);
  qn_rule_sampler_hints(&s->hints, rule->replacement);
  qn_rule_sampler_same_hints(&s->hints, rule, rule->constraint);
  qn_value *root = build(s);
  qn_module *module = s->module;
  if (root) finish(s, root);
  s->run.staging.made.count = 0;
  qn_rule_run_deinit(&s->run);
  qn_heap_free(s);
  if (root && qn_verify(module) == QN_OK) return module;
  qn_module_destroy(module);
  return NULL;
}

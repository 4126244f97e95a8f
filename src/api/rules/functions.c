/* Functions that users register for rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/call.h"
#include "api/rules/rules.h"
#include "rules/rewrite/external.h"

/* The callback of a registered function. */
typedef struct callee {
  qn_rule_callback *callback;
  void *user;
} callee;

static bool call_user(qn_rule_call *call, void *user) {
  const callee *to = user;
  call->problem = "the function of the user declined";
  return to->callback(call, to->user) != 0;
}

/* ---- registration ---- */

static bool is_name(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return name && name[0] && strspn(name, letters) == strlen(name) &&
         (name[0] < '0' || name[0] > '9');
}

static const char *problem_of(const qn_rules *rules, qn_rule_function_kind kind, const char *name,
                              const char *operands) {
  if (!is_name(name)) return "is no name";
  for (const qn_rule_external *e = rules->set.options.names->externals; e && e->name; e++)
    if (strcmp(e->name, name) == 0) return "is registered already";
  if (!operands || strspn(operands, "oiufbd") != strlen(operands) ||
      strlen(operands) > QN_RULE_MAX_CALL)
    return "has operands that are no letters of o, i, u, f, b and d";
  if (kind == QN_RULE_FUNCTION_CONSTRAINT && operands[0] != 'o')
    return "is a constraint, whose first operand is one of the graph";
  return kind == QN_RULE_FUNCTION_REPLACE && operands[0]
             ? "is a replacement, which takes no operands"
             : NULL;
}

static void add(qn_rules *rules, qn_rule_function_kind kind, const char *name, const char *operands,
                callee to) {
  static const qn_rule_external_kind kinds[] = {QN_RULE_CONSTRAINT, QN_RULE_SHAPEFN,
                                                QN_RULE_SPLIT_SHAPEFN, QN_RULE_REPLACE};
  qn_arena *arena = &rules->set.arena;
  const qn_rule_names *before = rules->set.options.names;
  uint32_t count = 0;
  while (before->externals[count].name) count++;
  qn_rule_names *names = qn_arena_copy(arena, before, sizeof *before);
  qn_rule_external *all = QN_NEW_ARRAY(arena, count + 2, qn_rule_external);
  memcpy(all, before->externals, count * sizeof *all);
  all[count] = (qn_rule_external){.name = qn_arena_str(arena, qn_str_of(name)).data,
                                  .kind = kinds[kind],
                                  .operands = qn_arena_str(arena, qn_str_of(operands)).data,
                                  .call = call_user,
                                  .user = qn_arena_copy(arena, &to, sizeof to)};
  names->externals = all;
  rules->set.options.names = names;
}

static qn_status enter(qn_rules *rules, qn_rule_function_kind kind, const char *name,
                       const char *operands, callee to) {
  qn_diag_engine *diag = &rules->context->ir.diag;
  QN_TRY(qn_rules_check_there(rules));
  const char *problem = to.callback ? problem_of(rules, kind, name, operands) : "has no callback";
  if (problem)
    return qn_error(diag, diag->unknown, QN_INVALID, "function '%s' of rules %s", name ? name : "",
                    problem);
  rules->changing = true;
  add(rules, kind, name, operands, to);
  rules->changing = false;
  return QN_OK;
}

qn_status qn_rules_register(qn_rules *rules, qn_rule_function_kind kind, const char *name,
                            const char *operands, qn_rule_callback *callback, void *user) {
  qn_status status;
  const callee to = {callback, user};
  QN_CALL(&status, rules->context, NULL, &rules->ring, enter(rules, kind, name, operands, to));
  return status;
}

static qn_status enter_option(qn_rules *rules, const char *name) {
  qn_diag_engine *diag = &rules->context->ir.diag;
  QN_TRY(qn_rules_check_there(rules));
  const qn_rule_names *before = rules->set.options.names;
  uint32_t count = 0;
  bool taken = false;
  for (; before->options[count].name; count++)
    taken |= name && strcmp(before->options[count].name, name) == 0;
  if (taken || !is_name(name))
    return qn_error(diag, diag->unknown, QN_INVALID, "option '%s' of rules %s", name ? name : "",
                    taken ? "is registered already" : "is no name");
  rules->changing = true;
  qn_arena *arena = &rules->set.arena;
  qn_rule_names *names = qn_arena_copy(arena, before, sizeof *before);
  qn_rule_word *all = QN_NEW_ARRAY(arena, count + 2, qn_rule_word);
  memcpy(all, before->options, count * sizeof *all);
  all[count] = (qn_rule_word){qn_arena_str(arena, qn_str_of(name)).data, ""};
  names->options = all;
  rules->set.options.names = names;
  rules->changing = false;
  return QN_OK;
}

qn_status qn_rules_register_option(qn_rules *rules, const char *name) {
  qn_status status;
  QN_CALL(&status, rules->context, NULL, &rules->ring, enter_option(rules, name));
  return status;
}

/* ---- arguments of a call ---- */

static const qn_rule_operand *operand_of(const qn_rule_call *call, int number) {
  if (number == QN_RULE_MATCHED) return &call->root;
  bool there = number >= 0 && (uint32_t)number < call->operand_count;
  return there ? &call->operands[number] : NULL;
}

static const qn_rule_definition *define(const qn_rule_call *call, int number) {
  const qn_rule_operand *operand = operand_of(call, number);
  return operand ? call->view->definition(call->view->graph, *operand) : NULL;
}

uint32_t qn_rule_call_rank(const qn_rule_call *call, int operand) {
  const qn_rule_definition *d = define(call, operand);
  return d ? d->rank : 0;
}

int64_t qn_rule_call_size(const qn_rule_call *call, int operand, uint32_t dimension) {
  const qn_rule_definition *d = define(call, operand);
  return d && dimension < d->rank ? d->sizes[dimension] : 0;
}

int64_t qn_rule_call_elements(const qn_rule_call *call, int operand) {
  const qn_rule_operand *of = operand_of(call, operand);
  return of ? call->view->constant_size(call->view->graph, *of) : -1;
}

double qn_rule_call_element(const qn_rule_call *call, int operand, int64_t index) {
  bool there = index >= 0 && index < qn_rule_call_elements(call, operand);
  return there ? call->view->constant_at(call->view->graph, *operand_of(call, operand), index) : 0;
}

int64_t qn_rule_call_integer(const qn_rule_call *call, uint32_t value) {
  return value < call->value_count ? call->values[value].integer : 0;
}

double qn_rule_call_number(const qn_rule_call *call, uint32_t value) {
  return value < call->value_count ? (double)qn_rule_value_as_real(call->values[value]) : 0;
}

int qn_rule_call_piece(const qn_rule_call *call, int64_t *out_dimension, int64_t *out_start,
                       int64_t *out_size) {
  if (!call->piece) return 0;
  *out_dimension = call->piece->dim;
  *out_start = call->piece->start;
  *out_size = call->piece->size;
  return 1;
}

/* ---- results of a call ---- */

enum { NO_OPERAND = -2 };

static int add_operand(qn_rule_call *call, qn_rule_operand operand) {
  if (call->operand_count == QN_RULE_MAX_CALL) return NO_OPERAND;
  call->operands[call->operand_count] = operand;
  return (int)call->operand_count++;
}

void qn_rule_call_hold(qn_rule_call *call, int holds) { call->holds = holds != 0; }

void qn_rule_call_give_shape(qn_rule_call *call, const int64_t *sizes, uint32_t count) {
  double numbers[QN_RULE_MAX_RANK];
  if (count > QN_RULE_MAX_RANK) return; /* a missing result is reported as a failure */
  for (uint32_t i = 0; i < count; i++) numbers[i] = (double)sizes[i];
  call->result = qn_rule_shape_node(call->graph, numbers, count);
}

int qn_rule_call_input(qn_rule_call *call, int operand, uint32_t i) {
  const qn_rule_operand *of = operand_of(call, operand);
  const qn_rule_view *v = call->view;
  if (!of || i >= v->input_count(v->graph, of->node)) return NO_OPERAND;
  return add_operand(call, v->input(v->graph, of->node, i));
}

int qn_rule_call_build(qn_rule_call *call, const char *op, const int *operands, uint32_t count,
                       int like) {
  qn_rule_operand inputs[QN_RULE_MAX_CALL], made;
  qn_rule_wanted wanted;
  const qn_rule_operand *model = operand_of(call, like);
  if (!call->staging || !model || count > QN_RULE_MAX_CALL) return NO_OPERAND;
  for (uint32_t i = 0; i < count; i++) {
    const qn_rule_operand *input = operand_of(call, operands[i]);
    if (!input) return NO_OPERAND;
    inputs[i] = *input;
  }
  if (!qn_rule_wanted_of(call->staging, *model, &wanted) ||
      !qn_rule_stage_op(call->staging, qn_str_of(op), inputs, count, &wanted, &made))
    return NO_OPERAND;
  return add_operand(call, made);
}

void qn_rule_call_give(qn_rule_call *call, int operand) {
  const qn_rule_operand *of = operand_of(call, operand);
  if (of) call->result = *of;
}

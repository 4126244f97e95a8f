/* Checks of calls: whether the function exists, is allowed in this position, and has the right
 * number of operands; and checks that involve several operands of a call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

#include <math.h>

/* ---- words ---- */

/* Names of the sorts of positions for messages, by bit of qn_rule_sort. */
static const struct {
  uint32_t sort;
  const char *what;
} sort_words[] = {
    {QN_RULE_SORT_BUILD, "constructs an op"},
    {QN_RULE_SORT_MATCH, "is a pattern"},
    {QN_RULE_SORT_LETTING, "is a pattern"},
    {QN_RULE_SORT_OPNAME, "is the name of an op"},
    {QN_RULE_SORT_REF, "is an operand of the graph"},
    {QN_RULE_SORT_ITERREF, "is an operand of the graph"},
    {QN_RULE_SORT_SCALAR, "is a value"},
    {QN_RULE_SORT_SHAPE, "is a shape"},
    {QN_RULE_SORT_CONST, "is a constant of the graph"},
    {QN_RULE_SORT_ROOT, "is a whole replacement"},
    {QN_RULE_SORT_CHUNK, "is the chunk of an AUTOSPLIT"},
};

static const char *word_of(uint32_t sorts) {
  for (size_t i = 0; i < QN_COUNT(sort_words); i++)
    if (sorts & sort_words[i].sort) return sort_words[i].what;
  return "is something else";
}

/* ---- one call ---- */

static void refuse_unknown(qn_rule_checker *c, const qn_rule_node *node) {
  if (qn_rule_known_unsupported(node->text)) {
    qn_rule_error(c->reporter, "RR0213", node->pos, "%.*s is known but not supported",
                  QN_STR_ARG(node->text));
    return;
  }
  qn_rule_guess guess = qn_rule_guess_begin(node->text);
  for (int i = 0; i < QN_RULE_FN_COUNT; i++)
    if (qn_rule_functions[i].operands)
      qn_rule_guess_offer(&guess, qn_str_of(qn_rule_functions[i].name));
  qn_rule_error(c->reporter, "RR0210", node->pos, "unknown function '%.*s'",
                QN_STR_ARG(node->text));
  qn_rule_guess_help(c->reporter, &guess, "", "");
}

static void refuse_sort(qn_rule_checker *c, const qn_rule_node *node,
                        const qn_rule_function *function, const char *wanted) {
  bool patterns = function->sorts & (QN_RULE_SORT_MATCH | QN_RULE_SORT_LETTING);
  bool builds = function->sorts & QN_RULE_SORT_BUILD;
  if (function->id == QN_RULE_FN_OpVarIn) {
    qn_rule_error(c->reporter, "RR0211", node->pos,
                  "OpVarIn belongs to the match; build a variable-length op with OP_ITER");
  } else if (patterns && !builds) {
    qn_rule_error(c->reporter, "RR0211", node->pos, "%s belongs to the match; expected %s",
                  function->name, wanted);
  } else if (function->sorts == QN_RULE_SORT_ROOT) {
    qn_rule_error(c->reporter, "RR0601", node->pos,
                  "%s may stand only at the root of a replacement", function->name);
    if (function->id == QN_RULE_FN_AUTOSPLIT)
      qn_rule_help(c->reporter, "split in one pass and wrap in the next");
  } else {
    qn_rule_error(c->reporter, "RR0211", node->pos, "expected %s, found %s(...), which %s", wanted,
                  function->name, word_of(function->sorts));
  }
}

static bool check_arity(qn_rule_checker *c, const qn_rule_node *node) {
  uint32_t least, most;
  qn_rule_function_arity(node->function, &least, &most);
  if (node->arg_count >= least && node->arg_count <= most) return true;
  char count[32];
  if (most == least)
    snprintf(count, sizeof count, "%u operand%s", least, least == 1 ? "" : "s");
  else if (most == UINT32_MAX)
    snprintf(count, sizeof count, "at least %u", least);
  else
    snprintf(count, sizeof count, "%u or %u operands", least, most);
  qn_rule_error(c->reporter, "RR0209", node->pos, "%s takes %s (%s), %u given",
                node->function->name, count, node->function->words, node->arg_count);
  return false;
}

const qn_rule_function *qn_rule_check_call(qn_rule_checker *c, qn_rule_node *node, uint32_t sorts,
                                           const char *wanted) {
  const qn_rule_function *function = qn_rule_function_find(node->text);
  node->damaged = true; /* suppresses further messages about this node */
  if (!function) {
    refuse_unknown(c, node);
    return NULL;
  }
  if (!function->operands) {
    qn_rule_error(c->reporter, "RR0209", node->pos, "%s takes no operands", function->name);
    return NULL;
  }
  if (!(function->sorts & sorts)) {
    refuse_sort(c, node, function, wanted);
    return NULL;
  }
  if (function->extension && c->set->options.strict) {
    qn_rule_error(c->reporter, "RR0215", node->pos,
                  "%s is extension X%u, which the strict grammar does not have", function->name,
                  function->extension);
    return NULL;
  }
  c->rule->extensions |= function->extension ? 1u << function->extension : 0;
  node->function = function;
  if (!check_arity(c, node)) return NULL;
  node->damaged = false;
  return function;
}

/* ---- all operands of a call ---- */

static void check_compare(qn_rule_checker *c, qn_rule_node *call) {
  qn_rule_type a = call->args[0]->type, b = call->args[1]->type;
  bool equality = qn_rule_is(call, QN_RULE_FN_EQ) || qn_rule_is(call, QN_RULE_FN_NE);
  if (a == QN_RULE_POISON || b == QN_RULE_POISON) return;
  if (qn_rule_is_number(a) && qn_rule_is_number(b)) return;
  if (a == b && equality) return;
  qn_rule_error(c->reporter, "RR0403", call->pos, "%s cannot compare %s with %s%s",
                call->function->name, qn_rule_type_names[a], qn_rule_type_names[b],
                a == b ? "; only EQ and NE can" : "");
}

/* The common type of two numbers in arithmetic; POISON if they have none. */
static qn_rule_type promote(qn_rule_type a, qn_rule_type b) {
  if (a == QN_RULE_POISON || b == QN_RULE_POISON) return QN_RULE_POISON;
  if (a == b) return a;
  if (!qn_rule_is_number(a) || !qn_rule_is_number(b)) return QN_RULE_POISON;
  if (a == QN_RULE_F32 || b == QN_RULE_F32) return QN_RULE_F32;
  return QN_RULE_SIZE;
}

static void check_select(qn_rule_checker *c, qn_rule_node *call) {
  qn_rule_type a = call->args[1]->type, b = call->args[2]->type;
  call->type = promote(a, b);
  if (call->type != QN_RULE_POISON || a == QN_RULE_POISON || b == QN_RULE_POISON) return;
  qn_rule_error(c->reporter, "RR0404", call->pos, "the branches of SELECT have types %s and %s",
                qn_rule_type_names[a], qn_rule_type_names[b]);
}

static void check_output_type(qn_rule_checker *c, qn_rule_node *call) {
  qn_rule_type types[3];
  for (int i = 0; i < 3; i++) {
    types[i] = call->args[i]->type;
    if (types[i] == QN_RULE_POISON) return;
  }
  if (types[0] == QN_RULE_DTYPE_TAG && qn_rule_is_integral(types[1]) &&
      qn_rule_is_number(types[2])) {
    if (types[2] != QN_RULE_F32)
      qn_rule_warning(c->reporter, "W0110", call->args[2]->pos,
                      "the step size is %s and is read as float", qn_rule_type_names[types[2]]);
    return;
  }
  qn_rule_error(c->reporter, "RR0406", call->pos, "%s takes (%s), found (%s, %s, %s)",
                call->function->name, call->function->words, qn_rule_type_names[types[0]],
                qn_rule_type_names[types[1]], qn_rule_type_names[types[2]]);
  if (types[0] != QN_RULE_DTYPE_TAG) qn_rule_help(c->reporter, "the dtype comes first");
}

static void check_multi_out(qn_rule_checker *c, qn_rule_node *call) {
  const qn_rule_node *count = call->args[0], *number = call->args[1];
  if (count->kind != QN_RULE_INT || number->kind != QN_RULE_INT) return;
  if (number->integer >= 0 && number->integer < count->integer) return;
  qn_rule_error(c->reporter, "RR0411", number->pos, "output %lld of an op that has %lld (from 0)",
                (long long)number->integer, (long long)count->integer);
}

static void check_shape_of(qn_rule_checker *c, qn_rule_node *call) {
  const qn_rule_node *arg = call->args[0];
  if (arg->kind == QN_RULE_CALL && arg->function && (arg->function->sorts == QN_RULE_SORT_SHAPE))
    qn_rule_warning(c->reporter, "W0802", call->pos, "gen_ShapeOf of a shape is the shape itself");
}

static void check_cast(qn_rule_checker *c, qn_rule_node *call) {
  if (call->args[0]->type != QN_RULE_DTYPE_TAG || qn_rule_is(call, QN_RULE_FN_INT)) return;
  qn_rule_error(c->reporter, "RR0409", call->args[0]->pos,
                "%s cannot convert a dtype; only INT can", call->function->name);
}

static void promote_all(qn_rule_node *call) {
  call->type = call->args[0]->type;
  for (uint32_t i = 1; i < call->arg_count; i++)
    call->type = promote(call->type, call->args[i]->type);
  bool negated = call->function->result == QN_RULE_RESULT_NEGATED;
  if (negated && call->type == QN_RULE_SIZE) call->type = QN_RULE_I32;
  if (!qn_rule_is_number(call->type)) call->type = QN_RULE_POISON;
}

static const struct {
  qn_rule_function_id id;
  void (*check)(qn_rule_checker *c, qn_rule_node *call);
} wholes[] = {
    {QN_RULE_FN_EQ, check_compare},
    {QN_RULE_FN_NE, check_compare},
    {QN_RULE_FN_LT, check_compare},
    {QN_RULE_FN_GT, check_compare},
    {QN_RULE_FN_LE, check_compare},
    {QN_RULE_FN_GE, check_compare},
    {QN_RULE_FN_SELECT, check_select},
    {QN_RULE_FN_WITH_OUTPUT_TYPE, check_output_type},
    {QN_RULE_FN_OpMultiOut, check_multi_out},
    {QN_RULE_FN_gen_ShapeOf, check_shape_of},
    {QN_RULE_FN_UINT, check_cast},
    {QN_RULE_FN_INT, check_cast},
    {QN_RULE_FN_FLOAT, check_cast},
    {QN_RULE_FN_EXTERNAL_CONSTRAINT, qn_rule_check_external},
    {QN_RULE_FN_SHAPEFN_APPLY, qn_rule_check_external},
    {QN_RULE_FN_AUTOSPLIT_SHAPEFN_APPLY, qn_rule_check_external},
    {QN_RULE_FN_EXTERNAL_REPLACE, qn_rule_check_external},
};

void qn_rule_check_whole(qn_rule_checker *c, qn_rule_node *call) {
  static const qn_rule_type results[] = {
      [QN_RULE_RESULT_BOOL] = QN_RULE_BOOL,           [QN_RULE_RESULT_I32] = QN_RULE_I32,
      [QN_RULE_RESULT_SIZE] = QN_RULE_SIZE,           [QN_RULE_RESULT_F32] = QN_RULE_F32,
      [QN_RULE_RESULT_DTYPE_TAG] = QN_RULE_DTYPE_TAG, [QN_RULE_RESULT_NEGATED] = QN_RULE_POISON};
  qn_rule_result result = call->function->result;
  QN_ASSERT((size_t)result < QN_COUNT(results));
  call->type = results[result];
  if (result == QN_RULE_RESULT_PROMOTED || result == QN_RULE_RESULT_NEGATED) promote_all(call);
  for (size_t i = 0; i < QN_COUNT(wholes); i++)
    if (wholes[i].id == call->function->id) wholes[i].check(c, call);
}

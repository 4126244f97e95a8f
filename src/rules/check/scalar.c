/* Checks of scalars, and their types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

/* Checks a bare name, which must be one of the constants of the language. */
static void check_name(qn_rule_checker *c, qn_rule_node *node) {
  const qn_rule_function *function = qn_rule_function_find(node->text);
  if (function && !function->operands) {
    static const qn_rule_type types[] = {
        [QN_RULE_RESULT_BOOL] = QN_RULE_BOOL, [QN_RULE_RESULT_F32] = QN_RULE_F32};
    node->function = function;
    node->type = types[function->result];
    return;
  }
  if (function) {
    qn_rule_error(c->reporter, "RR0209", node->pos, "%s takes operands: %s(%s)", function->name,
                  function->name, function->words);
    return;
  }
  qn_rule_guess guess = qn_rule_guess_begin(node->text);
  for (int i = 0; i < QN_RULE_FN_COUNT; i++)
    if (!qn_rule_functions[i].operands)
      qn_rule_guess_offer(&guess, qn_str_of(qn_rule_functions[i].name));
  qn_rule_error(c->reporter, "RR0210", node->pos, "unknown name '%.*s'", QN_STR_ARG(node->text));
  qn_rule_guess_help(c->reporter, &guess, "", "");
}

static void check_call(qn_rule_checker *c, qn_rule_node *node) {
  if (!qn_rule_check_call(c, node, QN_RULE_SORT_SCALAR, "a value")) return;
  if (qn_rule_is(node, QN_RULE_FN_SELECT)) {
    qn_rule_check_operands(c, node); /* the condition */
    qn_rule_check_scalar(c, node->args[1]);
    qn_rule_check_scalar(c, node->args[2]);
  } else {
    qn_rule_check_operands(c, node);
  }
  qn_rule_check_whole(c, node);
}

static void check_string(qn_rule_checker *c, qn_rule_node *node) {
  qn_rule_error(c->reporter, "RR0211", node->pos, "expected a value, found the tag \"%.*s\"",
                QN_STR_ARG(node->text));
  qn_rule_help(c->reporter, "ask for a property of it, such as DIM_OF(\"%.*s\", 3)",
               QN_STR_ARG(node->text));
}

static void check_number(qn_rule_checker *c, qn_rule_node *node) {
  (void)c;
  node->type = node->kind == QN_RULE_FLOAT ? QN_RULE_F32
               : node->is_size             ? QN_RULE_SIZE
                                           : QN_RULE_I32;
}

qn_rule_type qn_rule_check_scalar(qn_rule_checker *c, qn_rule_node *node) {
  static void (*const checks[])(qn_rule_checker * c, qn_rule_node * node) = {
      [QN_RULE_CALL] = check_call,     [QN_RULE_NAME] = check_name,
      [QN_RULE_STRING] = check_string, [QN_RULE_INT] = check_number,
      [QN_RULE_FLOAT] = check_number,  [QN_RULE_DTYPE] = qn_rule_check_dtype,
  };
  QN_ASSERT((size_t)node->kind < QN_COUNT(checks));
  checks[node->kind](c, node);
  return node->type;
}

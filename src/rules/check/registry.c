/* Checks of names that rules use: dtypes, options, layouts and external functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

void qn_rule_check_dtype(qn_rule_checker *c, qn_rule_node *node) {
  qn_rule_guess guess = qn_rule_guess_begin(node->text);
  node->type = QN_RULE_DTYPE_TAG;
  if (qn_str_is(node->text, "Float"))
    qn_rule_warning(c->reporter, "W0109", node->pos, "DType::Float is read as DType::Float32");
  for (const char *const *name = qn_rule_dtypes; *name; name++) {
    if (qn_str_is(node->text, *name)) return;
    qn_rule_guess_offer(&guess, qn_str_of(*name));
  }
  qn_rule_error(c->reporter, "RR0702", node->pos, "DType has no tag '%.*s'",
                QN_STR_ARG(node->text));
  qn_rule_guess_help(c->reporter, &guess, "DType::", "");
}

/* Writes "a, b, c" for a list that ends with a NULL name. */
static void list_words(const qn_rule_word *words, qn_text *out) {
  for (const qn_rule_word *word = words; word && word->name; word++)
    qn_text_format(out, "%s%s", word > words ? ", " : "", word->name);
}

static void check_word(qn_rule_checker *c, const qn_rule_node *node, const qn_rule_word *words,
                       const char *code, const char *what, const char *quote) {
  qn_rule_guess guess = qn_rule_guess_begin(node->text);
  for (const qn_rule_word *word = words; word && word->name; word++) {
    if (qn_str_is(node->text, word->name)) return;
    qn_rule_guess_offer(&guess, qn_str_of(word->name));
  }
  qn_text list = {0};
  list_words(words, &list);
  qn_rule_error(c->reporter, code, node->pos, "there is no %s '%.*s'", what,
                QN_STR_ARG(node->text));
  if (list.size > 0) qn_rule_note_anywhere(c->reporter, "there are: %s", list.data);
  qn_rule_guess_help(c->reporter, &guess, quote, quote);
  qn_text_deinit(&list);
}

void qn_rule_check_option(qn_rule_checker *c, qn_rule_node *node) {
  if (node->kind == QN_RULE_STRING) {
    check_word(c, node, c->set->options.names->options, "RR0706", "option", "\"");
    return;
  }
  qn_rule_error(c->reporter, "RR0211", node->pos, "expected the name of an option, found %s",
                qn_rule_describe(c, node));
  qn_rule_help(c->reporter, "names of options are strings");
}

void qn_rule_check_layout(qn_rule_checker *c, qn_rule_node *node) {
  if (node->kind == QN_RULE_NAME) {
    check_word(c, node, c->set->options.names->layouts, "RR0707", "layout", "");
    return;
  }
  qn_rule_error(c->reporter, "RR0211", node->pos, "expected the name of a layout, found %s",
                qn_rule_describe(c, node));
}

/* ---- external functions ---- */

typedef struct kind_of_call {
  qn_rule_function_id function;
  qn_rule_external_kind kind;
  const char *what, *result;
  uint32_t first; /* index of the call's operand that is the external function's first parameter */
} kind_of_call;

static const kind_of_call kinds[] = {
    {QN_RULE_FN_EXTERNAL_CONSTRAINT, QN_RULE_CONSTRAINT, "constraint function", "bool", 1},
    {QN_RULE_FN_SHAPEFN_APPLY, QN_RULE_SHAPEFN, "shape function", "shape", 1},
    {QN_RULE_FN_AUTOSPLIT_SHAPEFN_APPLY, QN_RULE_SPLIT_SHAPEFN, "shape function of splits", "shape",
     2},
    {QN_RULE_FN_EXTERNAL_REPLACE, QN_RULE_REPLACE, "replacement function", "operand", 1},
};

static const struct {
  char letter;
  const char *name;
} letters[] = {{'o', "operand"}, {'i', "int"},  {'u', "size"},
               {'f', "float"},   {'b', "bool"}, {'d', "dtype"}};

static const char *name_of_letter(char letter) {
  for (size_t i = 0; i < QN_COUNT(letters); i++)
    if (letters[i].letter == letter) return letters[i].name;
  return "value";
}

/* Whether an argument has the type of a letter of the signature. 'o' is a graph operand, whose node
 * type is POISON; it accepts nothing else. */
static bool fits(char letter, const qn_rule_node *arg) {
  bool is_operand = arg->type == QN_RULE_POISON;
  if (letter == 'o' || is_operand) return (letter == 'o') == is_operand;
  if (letter == 'i' || letter == 'u') return qn_rule_is_integral(arg->type);
  if (letter == 'f') return qn_rule_is_number(arg->type);
  return arg->type == (letter == 'b' ? QN_RULE_BOOL : QN_RULE_DTYPE_TAG);
}

static void note_signature(qn_rule_checker *c, qn_str operands, const char *result) {
  qn_text text = {0};
  for (size_t i = 0; i < operands.size; i++)
    qn_text_format(&text, "%s%s", i ? ", " : "", name_of_letter(operands.data[i]));
  qn_rule_note_anywhere(c->reporter, "declared as (%s) -> %s", text.data ? text.data : "", result);
  qn_text_deinit(&text);
}

static void compare(qn_rule_checker *c, const qn_rule_node *call, const kind_of_call *kind,
                    qn_str operands) {
  const qn_rule_node *name = call->args[0];
  uint32_t given = call->arg_count - kind->first;
  if (given != operands.size) {
    qn_rule_error(c->reporter, "RR0704", name->pos, "%.*s takes %zu operand%s, %u given",
                  QN_STR_ARG(name->text), operands.size, operands.size == 1 ? "" : "s", given);
    note_signature(c, operands, kind->result);
    return;
  }
  for (uint32_t i = 0; i < given; i++) {
    const qn_rule_node *arg = call->args[kind->first + i];
    if (arg->damaged || fits(operands.data[i], arg)) continue;
    qn_rule_error(c->reporter, "RR0704", arg->pos, "operand %u of %.*s must be %s, found %s", i + 1,
                  QN_STR_ARG(name->text), name_of_letter(operands.data[i]),
                  arg->type == QN_RULE_POISON ? "an operand of the graph"
                                              : qn_rule_type_names[arg->type]);
    note_signature(c, operands, kind->result);
  }
}

static void refuse_external(qn_rule_checker *c, const qn_rule_node *name,
                            const kind_of_call *kind) {
  qn_text list = {0};
  qn_rule_guess guess = qn_rule_guess_begin(name->text);
  for (const qn_rule_external *e = c->set->options.names->externals; e && e->name; e++) {
    if (e->kind != kind->kind) continue;
    qn_text_format(&list, "%s%s", list.size ? ", " : "", e->name);
    qn_rule_guess_offer(&guess, qn_str_of(e->name));
  }
  qn_rule_error(c->reporter, "RR0703", name->pos, "%s '%.*s' is not registered", kind->what,
                QN_STR_ARG(name->text));
  if (list.size > 0) qn_rule_note_anywhere(c->reporter, "registered: %s", list.data);
  qn_rule_guess_help(c->reporter, &guess, "", "");
  qn_text_deinit(&list);
}

void qn_rule_check_external(qn_rule_checker *c, qn_rule_node *call) {
  const kind_of_call *kind = kinds;
  while (kind < kinds + QN_COUNT(kinds) && !qn_rule_is(call, kind->function)) kind++;
  QN_ASSERT(kind < kinds + QN_COUNT(kinds));
  const qn_rule_node *name = call->args[0];
  if (name->kind != QN_RULE_NAME) return; /* an error has been reported */
  for (const qn_rule_external *e = c->set->options.names->externals; e && e->name; e++) {
    if (e->kind != kind->kind || !qn_str_is(name->text, e->name)) continue;
    compare(c, call, kind, qn_str_of(e->operands));
    return;
  }
  for (uint32_t i = 0; i < c->file->declared_count; i++) {
    const qn_rule_declared *declared = &c->file->declared[i];
    if (!qn_str_equal(declared->name, name->text)) continue;
    if (kind->kind != QN_RULE_REPLACE) compare(c, call, kind, declared->operands);
    return;
  }
  refuse_external(c, name, kind);
}

/* Checks of the operands of calls. The function's row in functions.def gives each operand a letter;
 * the table `letters` has the check for each letter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

typedef struct place {
  qn_rule_node *call;
  uint32_t index;
  const struct letter *letter;
} place;

typedef struct letter {
  char letter;
  uint32_t sorts; /* allowed sorts of a graph operand; 0: not a graph operand */
  /* code of the error and the expected noun, if a graph operand has another sort */
  const char *code, *noun;
  void (*check)(qn_rule_checker *c, const place *at, qn_rule_node *node);
} letter;

enum {
  /* an operand that exists before the rule is applied */
  EXISTING = QN_RULE_SORT_REF | QN_RULE_SORT_ITERREF,
  GRAPH = QN_RULE_SORT_REF | QN_RULE_SORT_ITERREF | QN_RULE_SORT_SHAPE | QN_RULE_SORT_CONST |
          QN_RULE_SORT_BUILD,
};

static const char *name_of(const place *at) { return at->call->function->name; }

/* ---- scalars ---- */

static void refuse_type(qn_rule_checker *c, const place *at, const qn_rule_node *node,
                        const char *code, const char *wanted) {
  bool condition = qn_str_is(qn_str_of(code), "RR0402");
  qn_rule_error(c->reporter, code, node->pos, "%s needs %s, operand %u is %s", name_of(at), wanted,
                at->index + 1, qn_rule_type_names[node->type]);
  if (condition && qn_rule_is_number(node->type))
    qn_rule_help(c->reporter, "NE(%s, 0)", qn_rule_source(c, node));
  if (!condition && node->type == QN_RULE_BOOL)
    qn_rule_help(c->reporter, "write INT(%s)", qn_rule_source(c, node));
}

static void check_bool(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  qn_rule_type type = qn_rule_check_scalar(c, node);
  if (type == QN_RULE_BOOL || type == QN_RULE_POISON) return;
  bool many = at->call->arg_count > 1 && !qn_rule_is(at->call, QN_RULE_FN_SELECT);
  refuse_type(c, at, node, "RR0402", many ? "bool operands" : "a bool operand");
}

static bool check_integral(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  qn_rule_type type = qn_rule_check_scalar(c, node);
  if (!qn_rule_is_integral(type)) refuse_type(c, at, node, "RR0405", "int or size");
  /* whether it is a literal, so that the caller can check its value */
  return node->kind == QN_RULE_INT;
}

static void check_int(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  check_integral(c, at, node);
}

static void check_number(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  qn_rule_type type = qn_rule_check_scalar(c, node);
  if (!qn_rule_is_number(type)) refuse_type(c, at, node, "RR0409", "numbers");
}

static void check_dtype(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  qn_rule_type type = qn_rule_check_scalar(c, node);
  if (type != QN_RULE_DTYPE_TAG && type != QN_RULE_POISON)
    refuse_type(c, at, node, "RR0409", "a dtype");
}

static void check_any(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  (void)at;
  qn_rule_check_scalar(c, node);
}

static void check_dimension(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  enum { LAST = 7 };
  if (!check_integral(c, at, node) || (node->integer >= 0 && node->integer <= LAST)) return;
  qn_rule_error(c->reporter, "RR0407", node->pos, "dimension %lld is out of range (0 to %d)",
                (long long)node->integer, LAST);
}

static void check_power(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  if (!check_integral(c, at, node)) return;
  int64_t value = node->integer;
  if (value > 0 && (value & (value - 1)) == 0) return;
  qn_rule_error(c->reporter, "RR0408", node->pos,
                "the multiple of ROUNDUP must be a power of two, %lld is not", (long long)value);
}

static void check_chunk(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  bool splits = qn_rule_is(at->call, QN_RULE_FN_AUTOSPLIT);
  if (splits && node->kind == QN_RULE_CALL && qn_str_is(node->text, "SWEEP")) {
    if (!qn_rule_check_call(c, node, QN_RULE_SORT_CHUNK, "a chunk size")) return;
    qn_rule_check_operands(c, node);
    qn_rule_check_whole(c, node);
    return;
  }
  if (!check_integral(c, at, node) || node->integer > 0) return;
  qn_rule_error(c->reporter, "RR0410", node->pos, "the chunk of %s must be positive, %lld is not",
                name_of(at), (long long)node->integer);
}

static void check_literal(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  qn_rule_check_scalar(c, node);
  if (node->kind == QN_RULE_INT) return;
  bool history = qn_rule_is(at->call, QN_RULE_FN_WITH_SPLIT_HISTORY);
  qn_rule_error(c->reporter, "RR0606", node->pos,
                "the second of %s operands of %s must be an "
                "integer constant",
                history ? "three" : "two", name_of(at));
}

static void check_literal_dimension(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  if (node->kind == QN_RULE_INT)
    check_dimension(c, at, node);
  else
    check_literal(c, at, node);
}

/* ---- names ---- */

static bool want_string(qn_rule_checker *c, const qn_rule_node *node, const char *what) {
  if (node->kind == QN_RULE_STRING) return true;
  qn_rule_error(c->reporter, "RR0211", node->pos, "expected %s, which is a string, found %s", what,
                qn_rule_describe(c, node));
  return false;
}

static void check_tag(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  (void)at;
  if (want_string(c, node, "a tag")) qn_rule_check_tag(c, node);
}

static void check_op_name(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  (void)at;
  qn_rule_check_op_name(c, node);
}

static void check_split_use(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  bool splits_only = at->letter->letter == 'a';
  if (want_string(c, node, "a split tag")) qn_rule_check_split_use(c, at->call, node, splits_only);
}

static void check_split_tag(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  (void)at;
  want_string(c, node, "a split tag"); /* check_operands defines the split tag later */
}

static void check_option(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  (void)at;
  qn_rule_check_option(c, node);
}

static void check_layout(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  (void)at;
  qn_rule_check_layout(c, node);
}

static void check_function(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  if (node->kind == QN_RULE_NAME) return;
  qn_rule_error(c->reporter, "RR0211", node->pos, "expected the name of a C function, found %s",
                qn_rule_describe(c, node));
  if (node->kind == QN_RULE_STRING)
    qn_rule_help(c->reporter, "write %s(%.*s), without quotes", name_of(at),
                 QN_STR_ARG(node->text));
}

/* ---- operands of the graph ---- */

static void check_graph(qn_rule_checker *c, const place *at, qn_rule_node *node);

/* Reports a node whose sort is none of those that the position accepts. */
static void refuse_operand(qn_rule_checker *c, const place *at, const qn_rule_node *node) {
  const char *found = qn_rule_describe(c, node), *op = name_of(at);
  char code = at->letter->letter;
  if (code == 'w') {
    bool exists = node->kind == QN_RULE_STRING;
    qn_rule_error(c->reporter, at->letter->code, node->pos,
                  exists ? "the last operand of %s must construct an Op; \"%.*s\" exists already "
                           "and cannot be retyped"
                         : "the last operand of %s must construct an Op, found %.*s",
                  op, QN_STR_ARG(exists ? node->text : qn_str_of(found)));
    qn_rule_help(c->reporter, "wrap a Cast or Requantize");
  } else if (code == 'H' || code == 'R') {
    qn_rule_error(c->reporter, at->letter->code, node->pos,
                  "the first operand of %s may not construct an Op, found %s", op, found);
    qn_rule_help(c->reporter, code == 'H' ? "use an existing operand or gen_Shape(...)"
                                          : "use an existing operand");
  } else {
    qn_rule_error(c->reporter, at->letter->code, node->pos, "%s %s, found %s", op, at->letter->noun,
                  found);
  }
  if (code == 'X')
    qn_rule_note_anywhere(c->reporter, "the Op would be built once per piece and per use");
  bool number = node->kind == QN_RULE_INT || node->kind == QN_RULE_FLOAT;
  if (number && (code == 'g' || code == 'p'))
    qn_rule_help(c->reporter, "write gen_ConstScalar_%s(%.*s)",
                 node->kind == QN_RULE_INT ? "i32" : "f32", QN_STR_ARG(node->spelling));
}

static void check_select(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  if (!qn_rule_check_call(c, node, QN_RULE_SORT_ANY, at->letter->noun)) return;
  qn_rule_check_operands(c, node);
  check_graph(c, at, node->args[1]);
  check_graph(c, at, node->args[2]);
}

/* Whether the node constructs an op. For a SELECT, one branch that constructs an op is enough. */
static bool builds(const qn_rule_node *node) {
  const qn_rule_function *function =
      node->kind == QN_RULE_CALL ? qn_rule_function_find(node->text) : NULL;
  if (!function) return false;
  if (function->id != QN_RULE_FN_SELECT) return function->sorts & QN_RULE_SORT_BUILD;
  return node->arg_count == 3 && (builds(node->args[1]) || builds(node->args[2]));
}

static void check_graph(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  const qn_rule_function *function =
      node->kind == QN_RULE_CALL ? qn_rule_function_find(node->text) : NULL;
  bool is_ref = at->letter->sorts & QN_RULE_SORT_REF;
  if (function && function->id == QN_RULE_FN_SELECT) {
    check_select(c, at, node);
  } else if (node->kind == QN_RULE_STRING && is_ref) {
    qn_rule_check_tag(c, node);
  } else if (function && !(function->sorts & at->letter->sorts) && (function->sorts & GRAPH) &&
             function->sorts != QN_RULE_SORT_ROOT) {
    node->damaged = true;
    refuse_operand(c, at, node);
  } else if (node->kind == QN_RULE_CALL) {
    if (!qn_rule_check_call(c, node, at->letter->sorts, "an operand of the graph")) return;
    qn_rule_check_operands(c, node);
    qn_rule_check_whole(c, node);
    node->type = QN_RULE_POISON; /* it is not a scalar */
  } else {
    node->damaged = true;
    refuse_operand(c, at, node);
  }
}

static void check_building(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  static const letter any = {'g', GRAPH, "RR0211", "takes operands of the graph", check_graph};
  bool select = node->kind == QN_RULE_CALL && qn_str_is(node->text, "SELECT");
  const place anywhere = {at->call, at->index, &any};
  check_graph(c, select && builds(node) ? &anywhere : at, node);
}

/* Checks an operand of an external function, which can be a scalar or a graph operand. */
static void check_parameter(qn_rule_checker *c, const place *at, qn_rule_node *node) {
  bool scalar = node->kind != QN_RULE_STRING;
  const qn_rule_node *leaf = node;
  while (leaf->kind == QN_RULE_CALL && qn_str_is(leaf->text, "SELECT") && leaf->arg_count == 3)
    leaf = leaf->args[1];
  if (leaf->kind == QN_RULE_STRING) scalar = false;
  const qn_rule_function *function =
      leaf->kind == QN_RULE_CALL ? qn_rule_function_find(leaf->text) : NULL;
  if (function && (function->sorts & GRAPH) && !(function->sorts & QN_RULE_SORT_SCALAR))
    scalar = false;
  if (scalar)
    qn_rule_check_scalar(c, node);
  else
    check_graph(c, at, node);
  if (scalar && node->type == QN_RULE_POISON) node->damaged = true; /* an error has been reported */
}

/* ---- the letters ---- */

static const letter letters[] = {
    {'b', 0, NULL, NULL, check_bool},
    {'i', 0, NULL, NULL, check_int},
    {'n', 0, NULL, NULL, check_number},
    {'d', 0, NULL, NULL, check_dtype},
    {'e', 0, NULL, NULL, check_any}, /* qn_rule_check_whole checks both operands together */
    {'c', 0, NULL, NULL, check_any},
    {'D', 0, NULL, NULL, check_dimension},
    {'2', 0, NULL, NULL, check_power},
    {'P', 0, NULL, NULL, check_chunk},
    {'K', 0, NULL, NULL, check_literal},
    {'k', 0, NULL, NULL, check_literal_dimension},
    {'t', 0, NULL, NULL, check_tag},
    {'O', 0, NULL, NULL, check_op_name},
    {'s', 0, NULL, NULL, check_split_use},
    {'a', 0, NULL, NULL, check_split_use}, /* tags of AUTOSPLIT only */
    {'S', 0, NULL, NULL, check_split_tag},
    {'o', 0, NULL, NULL, check_option},
    {'f', 0, NULL, NULL, check_function},
    {'L', 0, NULL, NULL, check_layout},
    {'r', QN_RULE_SORT_REF, "RR0211", "asks about an existing operand", check_graph},
    {'g', GRAPH, "RR0211", "takes operands of the graph", check_graph},
    {'p', GRAPH, "RR0211", "takes values and operands of the graph", check_parameter},
    {'h', EXISTING | QN_RULE_SORT_SHAPE, "RR0605", "takes an existing operand or a shape",
     check_graph},
    {'H', EXISTING | QN_RULE_SORT_SHAPE, "RR0603", NULL, check_graph},
    {'R', EXISTING, "RR0603", NULL, check_graph},
    {'X', EXISTING, "RR0605", "slices an existing operand", check_graph},
    {'B', QN_RULE_SORT_REF | QN_RULE_SORT_BUILD, "RR0607", "begins with Op(...) or an existing op",
     check_graph},
    {'w', QN_RULE_SORT_BUILD, "RR0604", "an op", check_building},
    /* branches of SELECT: the sort follows from the position of the SELECT */
    {'.', 0, NULL, NULL, NULL},
};

static const letter *find_letter(char name) {
  const letter *found = letters;
  while (found->letter != name && found->letter != '.') found++;
  QN_ASSERT(found->letter == name); /* each letter of functions.def has a row */
  return found;
}

void qn_rule_check_operands(qn_rule_checker *c, qn_rule_node *call) {
  qn_rule_split *split = NULL;
  bool opens = qn_rule_is(call, QN_RULE_FN_AUTOSPLIT) || qn_rule_is(call, QN_RULE_FN_OP_ITER);
  QN_ASSERT(!opens || call->arg_count > 1); /* the second operand is the split tag */
  for (uint32_t i = 0; i < call->arg_count; i++) {
    const place at = {call, i,
                      find_letter(qn_rule_function_letter(call->function, call->arg_count, i))};
    if (opens && i + 1 == call->arg_count) split = qn_rule_open_split(c, call, call->args[1]);
    if (at.letter->check) at.letter->check(c, &at, call->args[i]);
  }
  if (split) split->active = false;
}

/* Evaluates the scalar expressions of constraints and replacements, operands from left to right.
 * AND, OR and SELECT stop at the first operand that decides the result. Each function with a value
 * has a row in the table at the end of this file; macros have none, because they are expanded
 * before.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/evaluate.h"

#include <math.h>

#include "rules/apply/evaluators.h"

bool qn_rule_fail(qn_rule_evaluation *e, const qn_rule_node *node, const char *why) {
  QN_ASSERT(why);
  e->failure = why;
  e->failed = node;
  return false;
}

bool qn_rule_evaluate_index(qn_rule_evaluation *e, const qn_rule_node *node, int64_t *out_index) {
  qn_rule_value value;
  if (!qn_rule_evaluate(e, node, &value)) return false;
  QN_ASSERT(value.type != QN_RULE_F32); /* by the checks */
  *out_index = value.integer;
  return true;
}

/* ---- operands ---- */

const qn_rule_piece *qn_rule_piece_of(qn_rule_evaluation *e, const qn_rule_node *tag) {
  const qn_rule_piece *piece = e->pieces;
  while (piece && !qn_str_equal(piece->tag, tag->text)) piece = piece->outer;
  if (!piece) (void)qn_rule_fail(e, tag, "there is no such split here");
  return piece;
}

static bool index_of_edge(qn_rule_evaluation *e, const qn_rule_node *node, int64_t *out_index) {
  if (!qn_rule_is(node, QN_RULE_FN_ITER_INPUT_OF))
    return qn_rule_evaluate_index(e, node->args[1], out_index);
  const qn_rule_piece *piece = qn_rule_piece_of(e, node->args[1]);
  if (piece) *out_index = piece->start;
  return piece != NULL;
}

static bool resolve_edge(qn_rule_evaluation *e, const qn_rule_node *node,
                         qn_rule_operand *out_operand) {
  const qn_rule_view *v = e->view;
  bool input = !qn_rule_is(node, QN_RULE_FN_OUTPUT_OF);
  qn_rule_operand from;
  int64_t index;
  if (!qn_rule_resolve(e, node->args[0], &from) || !index_of_edge(e, node, &index)) return false;
  uint32_t count =
      input ? v->input_count(v->graph, from.node) : v->output_count(v->graph, from.node);
  if (index < 0 || index >= count)
    return qn_rule_fail(e, node, input ? "there is no such input" : "there is no such output");
  *out_operand = input ? v->input(v->graph, from.node, (uint32_t)index)
                       : (qn_rule_operand){from.node, (uint32_t)index};
  return true;
}

bool qn_rule_resolve(qn_rule_evaluation *e, const qn_rule_node *node,
                     qn_rule_operand *out_operand) {
  if (node->kind == QN_RULE_STRING) {
    QN_ASSERT(node->tag == QN_RULE_ROOT ||
              (node->tag < QN_RULE_MAX_TAGS && e->binding->bound[node->tag]));
    *out_operand = node->tag == QN_RULE_ROOT ? e->binding->root : e->binding->tags[node->tag];
    return true;
  }
  if (!qn_rule_is(node, QN_RULE_FN_SELECT)) return resolve_edge(e, node, out_operand);
  qn_rule_value condition;
  if (!qn_rule_evaluate(e, node->args[0], &condition)) return false;
  return qn_rule_resolve(e, node->args[condition.integer ? 1 : 2], out_operand);
}

/* ---- logic ---- */

static bool eval_logic(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  bool all = qn_rule_is(node, QN_RULE_FN_AND), any = qn_rule_is(node, QN_RULE_FN_OR);
  bool result = all;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    qn_rule_value value;
    if (!qn_rule_evaluate(e, node->args[i], &value)) return false;
    result = all || any ? value.integer != 0 : result != (value.integer != 0);
    if ((all && !result) || (any && result)) break;
  }
  *out_value = qn_rule_value_bool(result);
  return true;
}

static bool eval_not(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  if (!qn_rule_evaluate(e, node->args[0], out_value)) return false;
  *out_value = qn_rule_value_bool(out_value->integer == 0);
  return true;
}

static bool eval_select(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  qn_rule_value condition;
  if (!qn_rule_evaluate(e, node->args[0], &condition) ||
      !qn_rule_evaluate(e, node->args[condition.integer ? 1 : 2], out_value))
    return false;
  if (node->type == out_value->type) return true;
  const char *problem = qn_rule_value_cast(node->type, *out_value, out_value);
  return problem ? qn_rule_fail(e, node, problem) : true;
}

/* ---- numbers ---- */

static bool eval_compare(qn_rule_evaluation *e, const qn_rule_node *node,
                         qn_rule_value *out_value) {
  /* Result of the comparison if a < b, a == b, a > b, and if one side is NaN. */
  static const struct {
    qn_rule_function_id id;
    bool holds[4];
  } rows[] = {
      {QN_RULE_FN_EQ, {false, true, false, false}}, {QN_RULE_FN_NE, {true, false, true, true}},
      {QN_RULE_FN_LT, {true, false, false, false}}, {QN_RULE_FN_LE, {true, true, false, false}},
      {QN_RULE_FN_GT, {false, false, true, false}}, {QN_RULE_FN_GE, {false, true, true, false}}};
  qn_rule_value a, b;
  if (!qn_rule_evaluate(e, node->args[0], &a) || !qn_rule_evaluate(e, node->args[1], &b))
    return false;
  int order = qn_rule_value_compare(a, b);
  for (size_t i = 0; i < QN_COUNT(rows); i++)
    if (qn_rule_is(node, rows[i].id)) *out_value = qn_rule_value_bool(rows[i].holds[order + 1]);
  return true;
}

static bool eval_arith(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  static const struct {
    qn_rule_function_id id;
    qn_rule_arith op;
  } rows[] = {{QN_RULE_FN_ADD, QN_RULE_ARITH_ADD},        {QN_RULE_FN_MUL, QN_RULE_ARITH_MUL},
              {QN_RULE_FN_MIN, QN_RULE_ARITH_MIN},        {QN_RULE_FN_MAX, QN_RULE_ARITH_MAX},
              {QN_RULE_FN_SUB, QN_RULE_ARITH_SUB},        {QN_RULE_FN_DIV, QN_RULE_ARITH_DIV},
              {QN_RULE_FN_REM, QN_RULE_ARITH_REM},        {QN_RULE_FN_MOD, QN_RULE_ARITH_MOD},
              {QN_RULE_FN_ROUNDUP, QN_RULE_ARITH_ROUNDUP}};
  size_t row = 0;
  while (!qn_rule_is(node, rows[row].id)) row++;
  if (!qn_rule_evaluate(e, node->args[0], out_value)) return false;
  const char *problem = NULL;
  if (node->arg_count == 1) problem = qn_rule_value_cast(node->type, *out_value, out_value);
  for (uint32_t i = 1; i < node->arg_count && !problem; i++) {
    qn_rule_value next;
    if (!qn_rule_evaluate(e, node->args[i], &next)) return false;
    problem = qn_rule_value_arith(rows[row].op, node->type, *out_value, next, out_value);
  }
  return problem ? qn_rule_fail(e, node, problem) : true;
}

static bool eval_sign(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  qn_rule_value a, zero = qn_rule_value_integer(QN_RULE_I32, 0);
  if (!qn_rule_evaluate(e, node->args[0], &a)) return false;
  bool real = a.type == QN_RULE_F32;
  bool negative = real ? signbit(a.real) : a.integer < 0;
  bool negate = negative || qn_rule_is(node, QN_RULE_FN_NEG);
  *out_value = a;
  if (negate && real) out_value->real = -a.real; /* not 0 - x, which would lose the sign of zero */
  if (!negate || real) return true;
  const char *problem = qn_rule_value_arith(QN_RULE_ARITH_SUB, node->type, zero, a, out_value);
  return problem ? qn_rule_fail(e, node, problem) : true;
}

static bool eval_cast(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  qn_rule_value a;
  if (!qn_rule_evaluate(e, node->args[0], &a)) return false;
  const char *problem = NULL;
  if (node->type == QN_RULE_DTYPE_TAG)
    *out_value = a;
  else
    problem = qn_rule_value_cast(node->type, a, out_value);
  return problem ? qn_rule_fail(e, node, problem) : true;
}

static bool eval_pow2(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  int64_t a;
  if (!qn_rule_evaluate_index(e, node->args[0], &a)) return false;
  *out_value = qn_rule_value_bool(a > 0 && (a & (a - 1)) == 0);
  return true;
}

static bool eval_piece(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  const qn_rule_piece *piece = qn_rule_piece_of(e, node->args[0]);
  if (!piece) return false;
  int64_t value = piece->start;
  if (qn_rule_is(node, QN_RULE_FN_SPLIT_DIM)) value = piece->dim;
  if (qn_rule_is(node, QN_RULE_FN_SPLIT_SIZE)) value = piece->size;
  *out_value = qn_rule_value_integer(QN_RULE_I32, value);
  return true;
}

/* If SWEEPs have different lengths, the shorter ones stay at their last size. */
static bool eval_sweep(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  uint32_t last = node->arg_count - 1;
  return qn_rule_evaluate(e, node->args[e->candidate < last ? e->candidate : last], out_value);
}

/* ---- external functions ---- */

static bool eval_option(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  qn_rule_value value = qn_rule_value_real(0);
  double exact = 0;
  for (const qn_rule_setting *s = e->settings; s && s->name; s++)
    if (qn_str_is(node->args[0]->text, s->name)) exact = s->value;
  if (node->type == QN_RULE_BOOL) {
    *out_value = qn_rule_value_bool(exact != 0);
    return true;
  }
  bool whole = fabs(exact) < 0x1p53 && node->type != QN_RULE_F32;
  value = whole ? qn_rule_value_integer(QN_RULE_SIZE, (int64_t)exact) : qn_rule_value_real(exact);
  const char *problem = qn_rule_value_cast(node->type, value, out_value);
  return problem ? qn_rule_fail(e, node, problem) : true;
}

static bool eval_chunk(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  enum { DEPTH = 3, BLOCK = 32 };
  int64_t dim;
  if (!qn_rule_evaluate_index(e, node->args[1], &dim)) return false;
  bool blocked = qn_str_is(node->args[0]->text, "Blocked32") && dim == DEPTH;
  *out_value = qn_rule_value_integer(QN_RULE_SIZE, blocked ? BLOCK : 1);
  return true;
}

static bool eval_external(qn_rule_evaluation *e, const qn_rule_node *node,
                          qn_rule_value *out_value) {
  enum { MOST = 16 };
  qn_rule_value values[MOST];
  qn_rule_operand operand;
  uint32_t count = node->arg_count - 2;
  bool holds = false;
  if (count > MOST) return qn_rule_fail(e, node, "the function has too many operands");
  if (!qn_rule_resolve(e, node->args[1], &operand)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!qn_rule_evaluate(e, node->args[i + 2], &values[i])) return false;
  if (!e->external || !e->external(e->user, node->args[0]->text, operand, values, count, &holds))
    return qn_rule_fail(e, node, "the function is not there");
  *out_value = qn_rule_value_bool(holds);
  return true;
}

/* ---- the table ---- */

#define ROW(name, function) [QN_RULE_FN_##name] = function
static qn_rule_evaluator *const evaluators[QN_RULE_FN_COUNT] = {
    ROW(AND, eval_logic),
    ROW(OR, eval_logic),
    ROW(XOR, eval_logic),
    ROW(NOT, eval_not),
    ROW(SELECT, eval_select),
    ROW(EQ, eval_compare),
    ROW(NE, eval_compare),
    ROW(LT, eval_compare),
    ROW(GT, eval_compare),
    ROW(LE, eval_compare),
    ROW(GE, eval_compare),
    ROW(ADD, eval_arith),
    ROW(MUL, eval_arith),
    ROW(MIN, eval_arith),
    ROW(MAX, eval_arith),
    ROW(SUB, eval_arith),
    ROW(DIV, eval_arith),
    ROW(REM, eval_arith),
    ROW(MOD, eval_arith),
    ROW(ROUNDUP, eval_arith),
    ROW(NEG, eval_sign),
    ROW(ABS, eval_sign),
    ROW(UINT, eval_cast),
    ROW(INT, eval_cast),
    ROW(FLOAT, eval_cast),
    ROW(DTYPE, eval_cast),
    ROW(IS_POW2, eval_pow2),
    ROW(INPUTS_OF, qn_rule_eval_count),
    ROW(OUTPUTS_OF, qn_rule_eval_count),
    ROW(USES_OF, qn_rule_eval_count),
    ROW(RANK_OF, qn_rule_eval_shape),
    ROW(ELEMENTSIZE_OF, qn_rule_eval_shape),
    ROW(DIM_OF, qn_rule_eval_shape),
    ROW(DTYPE_OF, qn_rule_eval_dtype),
    ROW(STEPSIZE_OF, qn_rule_eval_encoding),
    ROW(STEPSIZE_AT, qn_rule_eval_encoding),
    ROW(ZERO_OFFSET_OF, qn_rule_eval_encoding),
    ROW(ZERO_OFFSET_AT, qn_rule_eval_encoding),
    ROW(QUANT_AXIS_OF, qn_rule_eval_axis),
    ROW(SAME_OP, qn_rule_eval_same_op),
    ROW(SAME_ENCODING, qn_rule_eval_same_encoding),
    ROW(CONSTVAL_INT, qn_rule_eval_constant),
    ROW(CONSTVAL_FLOAT, qn_rule_eval_constant),
    ROW(CONSTVAL_INT_VALID, qn_rule_eval_valid),
    ROW(CONSTVAL_FLOAT_VALID, qn_rule_eval_valid),
    ROW(IS_CONST, qn_rule_eval_is_const),
    ROW(OPTION_BOOL, eval_option),
    ROW(OPTION_INT, eval_option),
    ROW(OPTION_UINT, eval_option),
    ROW(OPTION_FLOAT, eval_option),
    ROW(SPLIT_DIM, eval_piece),
    ROW(SPLIT_START, eval_piece),
    ROW(SPLIT_SIZE, eval_piece),
    ROW(ITER_VAR, eval_piece),
    ROW(SWEEP, eval_sweep),
    ROW(LAYOUT_CHUNKSIZE, eval_chunk),
    ROW(EXTERNAL_CONSTRAINT, eval_external)};
#undef ROW

static qn_rule_value named(const qn_rule_node *node) {
  if (qn_rule_is(node, QN_RULE_FN_INF)) return qn_rule_value_real((double)INFINITY);
  if (qn_rule_is(node, QN_RULE_FN_NEG_INF)) return qn_rule_value_real(-(double)INFINITY);
  return qn_rule_value_bool(!qn_rule_is(node, QN_RULE_FN_false));
}

static qn_rule_value tag_of_dtype(const qn_rule_node *node) {
  qn_str name = node->text;
  int64_t index = 0;
  /* warning W0109 was reported when the rule was checked */
  if (qn_str_is(name, "Float")) name = qn_str_of("Float32");
  while (!qn_str_is(name, qn_rule_dtypes[index])) index++;
  return qn_rule_value_integer(QN_RULE_DTYPE_TAG, index);
}

bool qn_rule_evaluate(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value) {
  if (node->kind == QN_RULE_CALL) {
    QN_ASSERT(node->function && node->function->id < QN_RULE_FN_COUNT); /* by the checks */
    qn_rule_evaluator *evaluate = evaluators[node->function->id];
    return evaluate ? evaluate(e, node, out_value) : qn_rule_fail(e, node, "it has no value here");
  }
  if (node->kind == QN_RULE_FLOAT)
    *out_value = qn_rule_value_real(node->real);
  else if (node->kind == QN_RULE_DTYPE)
    *out_value = tag_of_dtype(node);
  else if (node->kind == QN_RULE_NAME)
    *out_value = named(node);
  else
    *out_value = qn_rule_value_integer(node->is_size ? QN_RULE_SIZE : QN_RULE_I32, node->integer);
  return true;
}

bool qn_rule_is_held(qn_rule_evaluation *e, const qn_rule *rule) {
  qn_rule_value value;
  e->failure = NULL;
  e->failed = NULL;
  if (!qn_rule_evaluate(e, rule->constraint, &value)) return false;
  QN_ASSERT(value.type == QN_RULE_BOOL);
  return value.integer != 0;
}

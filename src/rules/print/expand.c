/* Macros. The expansion of each is written in the rule language itself, with A, B and C for the
 * operands and REST for all further operands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/functions.h"
#include "rules/print/print.h"
#include "rules/syntax/parser.h"

static const struct {
  qn_rule_function_id id;
  const char *meaning;
} macros[] = {
    {QN_RULE_FN_IS_QUINT8, "EQ(DTYPE_OF(A), DType::QUInt8)"},
    {QN_RULE_FN_IS_QINT8, "EQ(DTYPE_OF(A), DType::QInt8)"},
    {QN_RULE_FN_IS_QUINT16, "EQ(DTYPE_OF(A), DType::QUInt16)"},
    {QN_RULE_FN_IS_QINT16, "EQ(DTYPE_OF(A), DType::QInt16)"},
    {QN_RULE_FN_IS_QINT32, "EQ(DTYPE_OF(A), DType::QInt32)"},
    {QN_RULE_FN_IS_INT32, "EQ(DTYPE_OF(A), DType::Int32)"},
    {QN_RULE_FN_IS_FLOAT16, "EQ(DTYPE_OF(A), DType::Float16)"},
    {QN_RULE_FN_IS_FLOAT32, "EQ(DTYPE_OF(A), DType::Float32)"},
    {QN_RULE_FN_IS_FLOAT, "EQ(DTYPE_OF(A), DType::Float32)"},
    {QN_RULE_FN_DIM_BATCHES, "DIM_OF(A, 0)"},
    {QN_RULE_FN_DIM_HEIGHT, "DIM_OF(A, 1)"},
    {QN_RULE_FN_DIM_WIDTH, "DIM_OF(A, 2)"},
    {QN_RULE_FN_DIM_DEPTH, "DIM_OF(A, 3)"},
    {QN_RULE_FN_DIM_FILTHEIGHT, "DIM_OF(A, 0)"},
    {QN_RULE_FN_DIM_FILTWIDTH, "DIM_OF(A, 1)"},
    {QN_RULE_FN_DIM_FILTDEPTH, "DIM_OF(A, 2)"},
    {QN_RULE_FN_DIM_NFILTS, "DIM_OF(A, 3)"},
    {QN_RULE_FN_SAME_SHAPE, "AND(EQ(DIM_OF(A, 3), DIM_OF(B, 3)), EQ(DIM_OF(A, 2), DIM_OF(B, 2)), "
                            "EQ(DIM_OF(A, 1), DIM_OF(B, 1)), EQ(DIM_OF(A, 0), DIM_OF(B, 0)))"},
    {QN_RULE_FN_Operand, "A"},
    {QN_RULE_FN_FROM_DEFAULT_PACKAGE, "A"},
    {QN_RULE_FN_AUTOSPLIT_SLICE, "WITH_SIZE(C, WITH_TYPE(A, Op(\"Slice_shape\", A, B, C)))"},
    {QN_RULE_FN_TYPICAL_SLICE,
     "AUTOSPLIT_SLICE(A, AUTOSPLIT_SHAPEFN_APPLY(simple_split_start, B, A), "
     "AUTOSPLIT_SHAPEFN_APPLY(simple_split_size, B, A))"},
    {QN_RULE_FN_CHANGEDIM_SLICE,
     "AUTOSPLIT_SLICE(A, AUTOSPLIT_SHAPEFN_APPLY(simpledim_split_start, B, A, C), "
     "AUTOSPLIT_SHAPEFN_APPLY(simpledim_split_size, B, A, C))"},
    {QN_RULE_FN_OpMultiOut, "Op(\"$Out\", WITH_MULTI_OUT(A, Op(C, REST)), gen_Shape(0, 0, A, B))"},
};

static const char *meaning_of(const qn_rule_node *node) {
  for (size_t i = 0; node->function && i < QN_COUNT(macros); i++)
    if (qn_rule_is(node, macros[i].id)) return macros[i].meaning;
  return NULL;
}

/* Parses the expansion of a macro. It is part of this file, so it has no errors. */
static qn_rule_node *parse(qn_arena *arena, const char *meaning) {
  qn_rule_reporter silent = {.arena = arena};
  qn_rule_parser p = {.arena = arena, .reporter = &silent};
  const qn_rule_pos start = {1, 1, 0};
  qn_rule_lexer_init(&p.lexer, arena, qn_str_of(meaning), start);
  qn_rule_parser_start(&p, start);
  return qn_rule_parse_operand(&p, false);
}

/* Limit of nodes. Operands of macros are copied, several times each, and can be macros themselves,
 * so the size can grow exponentially. */
enum { MOST_NODES = 1 << 16 };
typedef struct expander {
  qn_arena *arena;
  uint32_t nodes; /* nodes copied so far; at the limit expansion stops */
} expander;

static qn_rule_node *expand(expander *x, const qn_rule_node *node);
static qn_rule_node *substitute(expander *x, const qn_rule_node *form, const qn_rule_node *macro);

/* The operand of the macro that the name A, B or C denotes; NULL for other nodes. */
static const qn_rule_node *operand_named(const qn_rule_node *form, const qn_rule_node *macro) {
  bool letter = form->kind == QN_RULE_NAME && form->text.size == 1;
  uint32_t index = letter ? (uint32_t)(form->text.data[0] - 'A') : UINT32_MAX;
  return index < macro->arg_count ? macro->args[index] : NULL;
}

static void substitute_args(expander *x, qn_rule_node *node, const qn_rule_node *form,
                            const qn_rule_node *macro) {
  enum { NAMED = 3 };
  uint32_t rest = macro->arg_count > NAMED ? macro->arg_count - NAMED : 0;
  node->args = QN_NEW_ARRAY(x->arena, form->arg_count + rest, qn_rule_node *);
  node->arg_count = 0;
  for (uint32_t i = 0; i < form->arg_count; i++) {
    bool all_rest = form->args[i]->kind == QN_RULE_NAME && qn_str_is(form->args[i]->text, "REST");
    for (uint32_t k = 0; all_rest && k < rest; k++)
      node->args[node->arg_count++] = expand(x, macro->args[NAMED + k]);
    if (!all_rest) node->args[node->arg_count++] = substitute(x, form->args[i], macro);
  }
}

static qn_rule_node *substitute(expander *x, const qn_rule_node *form, const qn_rule_node *macro) {
  const qn_rule_node *operand = operand_named(form, macro);
  if (operand) return expand(x, operand);
  qn_rule_node *node = qn_arena_copy(x->arena, form, sizeof *form);
  node->pos = macro->pos;
  if (node->kind != QN_RULE_CALL) return node;
  node->function = qn_rule_function_find(node->text);
  substitute_args(x, node, form, macro);
  return meaning_of(node) ? expand(x, node) : node;
}

static qn_rule_node *expand(expander *x, const qn_rule_node *node) {
  const char *meaning = x->nodes < MOST_NODES ? meaning_of(node) : NULL;
  qn_rule_node *copy;
  x->nodes++;
  if (meaning) {
    copy = substitute(x, parse(x->arena, meaning), node);
    copy->before = node->before;
    copy->behind = node->behind;
    copy->type = node->type;
    return copy;
  }
  copy = qn_arena_copy(x->arena, node, sizeof *node);
  copy->args = QN_NEW_ARRAY(x->arena, node->arg_count, qn_rule_node *);
  for (uint32_t i = 0; i < node->arg_count; i++) copy->args[i] = expand(x, node->args[i]);
  return copy;
}

const qn_rule *qn_rule_expand(qn_arena *arena, const qn_rule *rule) {
  expander x = {.arena = arena};
  qn_rule *copy = qn_arena_copy(arena, rule, sizeof *rule);
  copy->match = expand(&x, rule->match);
  copy->constraint = expand(&x, rule->constraint);
  copy->replacement = expand(&x, rule->replacement);
  return x.nodes < MOST_NODES ? copy : NULL;
}

/* Reports an error if the pieces of an AUTOSPLIT can't be computed independently. For each operand
 * of an op, vocabulary.def has a character per dimension of the result: which part of the operand a
 * piece along that dimension needs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"
#include "rules/graph/form.h"
#include "rules/print/print.h"

typedef struct judge {
  qn_rule_checker *c;
  qn_str tag; /* the split tag */
} judge;

/* The node within modifiers. */
static const qn_rule_node *bare(const qn_rule_node *node) {
  while (node->kind == QN_RULE_CALL && node->function && node->function->operands) {
    size_t letters = strlen(node->function->operands);
    bool modifier = node->function->operands[letters - 1] == 'w' &&
                    (node->function->sorts & QN_RULE_SORT_BUILD);
    if (!modifier) break;
    node = node->args[node->arg_count - 1];
  }
  return node;
}

/* The split function that computes where a slice begins; NULL if the node is not a slice of this
 * split. */
static const qn_rule_node *slice_start(const judge *j, const qn_rule_node *node) {
  enum { START = 2 };
  bool slice = node->function && qn_rule_is(node, QN_RULE_FN_Op) && node->arg_count > START &&
               qn_str_is(qn_rule_op_name(node), "Slice_shape");
  const qn_rule_node *start = slice ? node->args[START] : NULL;
  if (!start || !start->function || !qn_rule_is(start, QN_RULE_FN_AUTOSPLIT_SHAPEFN_APPLY))
    return NULL;
  return qn_str_equal(start->args[1]->text, j->tag) ? start : NULL;
}

/* The dimension along which a slice is taken; -1 if it depends on a function of the user or is not
 * a constant. */
static int64_t cut_dimension(const qn_rule_node *start, int64_t split) {
  enum { DIMENSION = 3 };
  if (qn_str_is(start->args[0]->text, "simple_split_start")) return split;
  if (!qn_str_is(start->args[0]->text, "simpledim_split_start")) return -1;
  const qn_rule_node *dim = start->args[DIMENSION];
  return dim->kind == QN_RULE_INT ? dim->integer : -1;
}

static bool varies(const judge *j, const qn_rule_node *node) {
  if (node->kind == QN_RULE_STRING && qn_str_equal(node->text, j->tag)) return true;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (varies(j, node->args[i])) return true;
  return false;
}

static void begin(const judge *j, const qn_rule_node *at, const qn_rule_form *form,
                  uint32_t operand, const char *what) {
  qn_rule_error(j->c->reporter, "RR0810", at->pos, "operand %u of \"%s\" %s", operand + 1,
                form->name, what);
}

static void judge_op(const judge *j, const qn_rule_node *op, int64_t dim, int64_t split);

static void suggest_slice(const judge *j, qn_str operand, int64_t dim, int64_t split) {
  if (dim == split)
    qn_rule_help(j->c->reporter, "TYPICAL_SLICE(\"%.*s\", \"%.*s\")", QN_STR_ARG(operand),
                 QN_STR_ARG(j->tag));
  else
    qn_rule_help(j->c->reporter, "CHANGEDIM_SLICE(\"%.*s\", \"%.*s\", %lld)", QN_STR_ARG(operand),
                 QN_STR_ARG(j->tag), (long long)dim);
}

/* Checks an operand of which a piece along dimension `dim` is needed. */
static void judge_cut(const judge *j, const qn_rule_node *arg, const qn_rule_form *form,
                      uint32_t operand, int64_t dim, int64_t split) {
  const qn_rule_node *built = bare(arg), *start = slice_start(j, built);
  int64_t cut = start ? cut_dimension(start, split) : dim;
  bool may_be_one = (qn_op_infos[form->kind].traits & QN_BATCHED_ALL) != 0;
  if (start && cut >= 0 && cut != dim) {
    begin(j, arg, form, operand, "is cut along the wrong dimension");
    qn_rule_note_anywhere(j->c->reporter,
                          "a piece along dimension %lld of the result needs its dimension %lld",
                          (long long)split, (long long)dim);
    suggest_slice(j, qn_str_of("..."), dim, split);
  } else if (!start && built->function && qn_rule_is(built, QN_RULE_FN_Op) &&
             /* an op that computes the piece itself */
             !qn_str_is(qn_rule_op_name(built), "Slice_shape")) {
    judge_op(j, built, dim, split);
  } else if (!start && built->kind == QN_RULE_STRING && !may_be_one) {
    begin(j, arg, form, operand, "is whole, but differs from piece to piece");
    suggest_slice(j, built->text, dim, split);
  }
}

static void judge_window(const judge *j, const qn_rule_node *arg, const qn_rule_form *form,
                         uint32_t operand, int64_t split) {
  const qn_rule_node *start = slice_start(j, bare(arg));
  if (start && cut_dimension(start, split) < 0) return;
  if (!start && bare(arg)->kind != QN_RULE_STRING) return;
  begin(j, arg, form, operand,
        start ? "is cut without what the window reaches around a piece"
              : "is whole, but differs from piece to piece");
  qn_rule_help(j->c->reporter, "AUTOSPLIT_SLICE with window_split_start and window_split_size");
}

static void judge_operand(const judge *j, const qn_rule_node *arg, const qn_rule_form *form,
                          uint32_t operand, char need, int64_t split) {
  if (need == '.' && varies(j, arg)) {
    begin(j, arg, form, operand, "is cut, but every element of the result needs all of it");
    qn_rule_help(j->c->reporter, "split along another dimension, or leave the operand whole");
  } else if (need == 'w') {
    judge_window(j, arg, form, operand, split);
  } else if (need >= '0' && need <= '9') {
    judge_cut(j, arg, form, operand, need - '0', split);
  }
}

static void judge_op(const judge *j, const qn_rule_node *op, int64_t dim, int64_t split) {
  const qn_rule_form *form = qn_rule_form_find(qn_rule_op_name(op));
  if (!form || form->kind == QN_OP_UNREGISTERED) return;
  uint32_t inputs = qn_rule_form_inputs(form);
  for (uint32_t i = 0; i + 1 < op->arg_count && i < inputs; i++) {
    const qn_rule_slot *slot = qn_rule_form_input(form, i);
    char need = slot->along && (size_t)dim < strlen(slot->along) ? slot->along[dim] : '\0';
    if (need == 'x') {
      qn_rule_error(j->c->reporter, "RR0810", op->pos,
                    "\"%s\" can't be computed in pieces along dimension %lld", form->name,
                    (long long)dim);
      qn_rule_note_anywhere(j->c->reporter, "every element along it depends on all others");
      return;
    }
    judge_operand(j, op->args[i + 1], form, i, need, split);
  }
}

static void judge_root(qn_rule_checker *c, const qn_rule_node *root) {
  if (!root->function) return;
  if (qn_rule_is(root, QN_RULE_FN_SELECT)) {
    judge_root(c, root->args[1]);
    judge_root(c, root->args[2]);
    return;
  }
  if (!qn_rule_is(root, QN_RULE_FN_AUTOSPLIT) || root->args[0]->kind != QN_RULE_INT) return;
  const judge j = {c, root->args[1]->text};
  const qn_rule_node *body = bare(root->args[3]);
  if (body->function && qn_rule_is(body, QN_RULE_FN_Op))
    judge_op(&j, body, root->args[0]->integer, root->args[0]->integer);
}

void qn_rule_check_pieces(qn_rule_checker *c) {
  qn_arena arena;
  qn_arena_init(&arena);
  const qn_rule *expanded = qn_rule_expand(&arena, c->rule);
  if (expanded) judge_root(c, expanded->replacement);
  qn_rule_flush(c->reporter);
  qn_arena_deinit(&arena);
}

/* The proof of a rule. The facts that match and constraint imply are recorded first. Then the
 * replacement is built symbolically, and the inferred sizes of each op are compared with the sizes
 * that its surroundings require.
 *
 * Proofs hold for operands of up to four dimensions, as rules see them. Each application is checked
 * even if the rule is proved.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/prove/prove.h"

#include <string.h>

#include "rules/print/print.h"
#include "rules/prove/state.h"

enum { MOST_INPUTS = 64 };

static bool is(const qn_rule_node *node, qn_rule_function_id id) {
  return node->function && qn_rule_is(node, id);
}

/* The sizes and encoding that the next op must have, like qn_rule_wanted in rewrite/build.h. */
typedef struct wanted {
  qn_linear sizes[QN_PROVER_RANK];
  uint32_t encoding;
} wanted;

static const qn_rule_form *form_of(const qn_rule_node *op) {
  const qn_rule_form *form = qn_rule_form_find(qn_rule_op_name(op));
  return form && form->kind != QN_OP_UNREGISTERED ? form : NULL;
}

/* ---- the match ---- */

static qn_known match_pattern(qn_prover *p, const qn_rule_node *pattern);

static void bind(qn_prover *p, uint32_t tag, const qn_known *known) {
  QN_ASSERT(tag < QN_RULE_MAX_TAGS);
  if (p->bound[tag]) {
    qn_known *is = &p->tags[tag];
    for (uint32_t i = 0; i < QN_PROVER_RANK && is->sized && known->sized; i++)
      qn_linear_equate(&p->space, &is->sizes[i], &known->sizes[i]);
    qn_prover_equate_encodings(p, is->encoding, known->encoding);
    return;
  }
  p->bound[tag] = true;
  p->tags[tag] = *known;
}

static qn_known match_tag(qn_prover *p, const qn_rule_node *tag) {
  if (!p->bound[tag->tag]) {
    qn_text words = {0};
    qn_prover_words(p, tag, &words);
    qn_known fresh = qn_prover_fresh(p, words.data);
    qn_text_deinit(&words);
    bind(p, tag->tag, &fresh);
  }
  return p->tags[tag->tag];
}

/* Computes the sizes of a matched op from those of its operands, and records that they are equal to
 * the symbolic sizes in `result`. */
static void match_op(qn_prover *p, const qn_rule_node *op, const qn_known *result, bool swapped) {
  QN_ASSERT(op->arg_count > 0); /* the name */
  qn_known inputs[MOST_INPUTS];
  const qn_rule_form *form = form_of(op);
  uint32_t count = op->arg_count - 1;
  if (count > MOST_INPUTS) return;
  for (uint32_t i = 0; i < count; i++) inputs[i] = match_pattern(p, op->args[i + 1]);
  if (!p->infers || !form || swapped || is(op, QN_RULE_FN_OpVarIn) ||
      count < qn_rule_form_inputs(form))
    return;
  qn_linear sizes[QN_PROVER_RANK];
  qn_prover_infer(p, form, inputs, count, sizes);
  for (uint32_t i = 0; i < QN_PROVER_RANK; i++)
    qn_linear_equate(&p->space, &result->sizes[i], &sizes[i]);
  if (form->needs & QN_RULE_UNCHANGED)
    qn_prover_equate_encodings(p, result->encoding, inputs[0].encoding);
}

static qn_known match_pattern(qn_prover *p, const qn_rule_node *pattern) {
  bool either = is(pattern, QN_RULE_FN_EITHER);
  while (is(pattern, QN_RULE_FN_EITHER)) pattern = pattern->args[0];
  if (pattern->kind == QN_RULE_STRING) return match_tag(p, pattern);
  if (is(pattern, QN_RULE_FN_LET)) {
    qn_known known = match_pattern(p, pattern->args[1]);
    bind(p, pattern->args[0]->tag, &known);
    return known;
  }
  qn_str words = qn_arena_format(p->arena, "op %u:%u", pattern->pos.line, pattern->pos.column);
  qn_known known = qn_prover_fresh(p, words.data);
  match_op(p, pattern, &known, either);
  return known;
}

/* ---- the replacement ---- */

static void note(qn_prover *p, qn_proof *io_proof, qn_proof found, const qn_rule_node *node,
                 uint32_t dim) {
  if (found <= *io_proof) return;
  *io_proof = found;
  if (found != QN_PROOF_FAILS || p->blame) return;
  p->blame = node;
  p->blamed_dimension = dim;
}

static void compare_sizes(qn_prover *p, const qn_rule_node *node, const qn_linear *are,
                          const qn_linear *wanted_sizes) {
  for (uint32_t i = 0; i < QN_PROVER_RANK; i++)
    note(p, &p->sizes, qn_linear_compare(&p->space, &are[i], &wanted_sizes[i]), node, i);
}

static qn_known build(qn_prover *p, const qn_rule_node *node, const wanted *w);

static qn_known unknown(qn_prover *p, const qn_rule_node *node) {
  note(p, &p->sizes, QN_PROOF_OPEN, node, 0);
  note(p, &p->encoding, QN_PROOF_OPEN, node, 0);
  qn_text words = {0};
  qn_prover_words(p, node, &words);
  qn_known known = {.encoding = QN_PROVER_UNKNOWN,
                    .words = qn_arena_str(p->arena, qn_text_view(&words))};
  qn_text_deinit(&words);
  return known;
}

static qn_known made(const qn_prover *p, const wanted *w) {
  qn_known known = {.sized = true, .encoding = w->encoding};
  memcpy(known.sizes, w->sizes, sizeof known.sizes);
  known.words = qn_arena_format(p->arena, "made %zu", p->encodings.count);
  return known;
}

static qn_known build_op(qn_prover *p, const qn_rule_node *op, const wanted *w) {
  qn_known inputs[MOST_INPUTS];
  const qn_rule_form *form = form_of(op);
  uint32_t count = op->arg_count - 1;
  if (!form || count > MOST_INPUTS || count < qn_rule_form_inputs(form)) return unknown(p, op);
  for (uint32_t i = 0; i < count; i++) inputs[i] = build(p, op->args[i + 1], w);
  qn_linear sizes[QN_PROVER_RANK];
  qn_prover_infer(p, form, inputs, count, sizes);
  compare_sizes(p, op, sizes, w->sizes);
  return made(p, w);
}

/* The sizes that the built-in function simple_split_size or its counterpart returns. Returns false
 * for other functions. */
static bool split_size(qn_prover *p, const qn_rule_node *node, qn_known *out_shape) {
  bool simple = qn_str_is(node->args[0]->text, "simple_split_size");
  bool elsewhere = qn_str_is(node->args[0]->text, "simpledim_split_size");
  if (!simple && !elsewhere) return false;
  qn_str words = qn_arena_format(p->arena, "split %.*s", QN_STR_ARG(node->args[1]->text));
  qn_linear piece =
      qn_linear_atom(&p->space, qn_arena_format(p->arena, "%.*s.size", QN_STR_ARG(words)));
  qn_linear dim =
      qn_linear_atom(&p->space, qn_arena_format(p->arena, "%.*s.dim", QN_STR_ARG(words)));
  *out_shape = qn_prover_reference(p, node->args[2]);
  dim = elsewhere ? qn_prover_scalar(p, node->args[3]) : dim;
  dim = qn_linear_reduce(&p->space, &dim);
  if (!out_shape->sized || dim.count > 0 || dim.constant < 0 || dim.constant >= QN_PROVER_RANK)
    return false;
  out_shape->sizes[dim.constant] = piece;
  return true;
}

/* Builds a shape, or a constant of the rule, symbolically. */
static qn_known build_shape(qn_prover *p, const qn_rule_node *node, const wanted *w) {
  qn_known shape = {.encoding = QN_PROVER_UNKNOWN};
  qn_text words = {0};
  qn_prover_words(p, node, &words);
  shape.words = qn_arena_str(p->arena, qn_text_view(&words));
  qn_text_deinit(&words);
  if (node->function->sorts == QN_RULE_SORT_CONST) { /* a constant is one row of elements */
    bool one = is(node, QN_RULE_FN_gen_ConstScalar_f32) || is(node, QN_RULE_FN_gen_ConstScalar_i32);
    bool listed = is(node, QN_RULE_FN_gen_ConstArr_vals_i32);
    shape.sized = true;
    for (uint32_t i = 0; i < QN_PROVER_RANK; i++) shape.sizes[i] = qn_linear_constant(1);
    if (listed) shape.sizes[QN_PROVER_RANK - 1] = qn_linear_constant(node->arg_count);
    if (!one && !listed) shape.sizes[QN_PROVER_RANK - 1] = qn_prover_scalar(p, node->args[1]);
  } else if (is(node, QN_RULE_FN_gen_ShapeOf)) {
    qn_known of = build(p, node->args[0], w);
    shape.sized = of.sized;
    memcpy(shape.sizes, of.sizes, sizeof shape.sizes);
  } else if (is(node, QN_RULE_FN_gen_Shape) && node->arg_count == QN_PROVER_RANK) {
    shape.sized = true;
    for (uint32_t i = 0; i < QN_PROVER_RANK; i++)
      shape.sizes[i] = qn_prover_scalar(p, node->args[i]);
  } else if (is(node, QN_RULE_FN_AUTOSPLIT_SHAPEFN_APPLY)) {
    qn_known piece;
    if (split_size(p, node, &piece)) {
      shape.sized = true;
      memcpy(shape.sizes, piece.sizes, sizeof shape.sizes);
    }
  }
  return shape;
}

/* Builds an AUTOSPLIT: if each piece has the sizes of its part, the concatenation has the sizes of
 * the whole. */
static qn_known build_split(qn_prover *p, const qn_rule_node *node, const wanted *w) {
  const qn_rule_node *dim = node->args[0];
  if (dim->kind != QN_RULE_INT || dim->integer < 0 || dim->integer >= QN_PROVER_RANK)
    return unknown(p, node);
  wanted part = *w;
  qn_str words = qn_arena_format(p->arena, "split %.*s", QN_STR_ARG(node->args[1]->text));
  qn_linear at =
      qn_linear_atom(&p->space, qn_arena_format(p->arena, "%.*s.dim", QN_STR_ARG(words)));
  qn_linear is_dim = qn_linear_constant(dim->integer);
  qn_linear_equate(&p->space, &at, &is_dim);
  part.sizes[dim->integer] =
      qn_linear_atom(&p->space, qn_arena_format(p->arena, "%.*s.size", QN_STR_ARG(words)));
  (void)build(p, node->args[3], &part);
  return made(p, w);
}

static void replace_sizes(const qn_known *by, wanted *w, qn_prover *p, const qn_rule_node *node) {
  if (by->sized)
    memcpy(w->sizes, by->sizes, sizeof w->sizes);
  else
    for (uint32_t i = 0; i < QN_PROVER_RANK; i++)
      w->sizes[i] =
          qn_linear_atom(&p->space, qn_arena_format(p->arena, "%.*s of %u, %u",
                                                    QN_STR_ARG(by->words), i, node->pos.offset));
}

static uint32_t stated_encoding(qn_prover *p, const qn_rule_node *node) {
  uint32_t dtype = QN_PROVER_UNKNOWN;
  if (node->args[0]->kind == QN_RULE_DTYPE)
    for (dtype = 0;
         qn_rule_dtypes[dtype] && !qn_str_is(node->args[0]->text, qn_rule_dtypes[dtype]);)
      dtype++;
  return qn_prover_new_encoding(p, dtype);
}

/* Builds a modifier (WITH_SIZE ...) and the op within it. */
static qn_known build_modified(qn_prover *p, const qn_rule_node *node, const wanted *w) {
  wanted changed = *w;
  bool size = is(node, QN_RULE_FN_WITH_SIZE), type = is(node, QN_RULE_FN_WITH_TYPE);
  bool both = is(node, QN_RULE_FN_WITH_SAME_OUTPUT);
  if (size || type || both) {
    qn_known of = build(p, node->args[0], w);
    if (size || both) replace_sizes(&of, &changed, p, node);
    if (type || both) changed.encoding = of.encoding;
  } else if (is(node, QN_RULE_FN_WITH_OUTPUT_TYPE)) {
    changed.encoding = stated_encoding(p, node);
  } else if (is(node, QN_RULE_FN_ResizeDim)) {
    const qn_rule_node *dim = node->args[0];
    if (dim->kind != QN_RULE_INT || dim->integer < 0 || dim->integer >= QN_PROVER_RANK)
      return unknown(p, node);
    changed.sizes[dim->integer] = qn_prover_scalar(p, node->args[1]);
  }
  return build(p, node->args[node->arg_count - 1], &changed);
}

static qn_known build_wrapped(qn_prover *p, const qn_rule_node *node, const wanted *w) {
  qn_known inner = build(p, node->args[1], w);
  const qn_rule_form *form = form_of(node);
  if (!form || !inner.sized || qn_rule_form_inputs(form) != 1) return unknown(p, node);
  qn_linear sizes[QN_PROVER_RANK];
  qn_prover_infer(p, form, &inner, 1, sizes);
  compare_sizes(p, node, sizes, inner.sizes);
  return inner;
}

static qn_known build(qn_prover *p, const qn_rule_node *node, const wanted *w) {
  static const qn_rule_function_id modifiers[] = {
      QN_RULE_FN_WITH_SIZE,         QN_RULE_FN_WITH_TYPE, QN_RULE_FN_WITH_SAME_OUTPUT,
      QN_RULE_FN_WITH_OUTPUT_TYPE,  QN_RULE_FN_ResizeDim, QN_RULE_FN_WITH_SAME_ID,
      QN_RULE_FN_WITH_SPLIT_HISTORY};
  if (is(node, QN_RULE_FN_Op)) return build_op(p, node, w);
  if (is(node, QN_RULE_FN_AUTOSPLIT)) return build_split(p, node, w);
  if (is(node, QN_RULE_FN_WrapOp) || is(node, QN_RULE_FN_WrapOpAlways))
    return build_wrapped(p, node, w);
  for (size_t i = 0; i < QN_COUNT(modifiers); i++)
    if (is(node, modifiers[i])) return build_modified(p, node, w);
  if (node->kind == QN_RULE_STRING || (node->function && node->function->sorts == QN_RULE_SORT_REF))
    return qn_prover_reference(p, node);
  if (node->function && (node->function->sorts & (QN_RULE_SORT_SHAPE | QN_RULE_SORT_CONST)) &&
      !is(node, QN_RULE_FN_SELECT))
    return build_shape(p, node, w);
  return unknown(p, node);
}

/* Proves a whole replacement, or one branch of a SELECT at its root. */
static void prove_root(qn_prover *p, const qn_rule_node *node) {
  wanted w = {.encoding = p->root.encoding};
  memcpy(w.sizes, p->root.sizes, sizeof w.sizes);
  qn_known result = build(p, node, &w);
  if (result.sized)
    compare_sizes(p, node, result.sizes, p->root.sizes);
  else
    note(p, &p->sizes, QN_PROOF_OPEN, node, 0);
  note(p, &p->encoding, qn_prover_compare_encodings(p, result.encoding, p->root.encoding), node,
       QN_PROVER_UNKNOWN);
}

/* ---- the whole proof ---- */

static void report(const qn_prover *p) {
  qn_rule_reporter *r = p->c->reporter;
  if (p->sizes == QN_PROOF_FAILS)
    qn_rule_error(r, "RR0801", p->blame->pos,
                  "dimension %u of this never has the size that is wanted of it",
                  p->blamed_dimension);
  else
    qn_rule_error(r, "RR0801", p->blame->pos,
                  "this never has the element type and encoding of what it replaces");
  qn_rule_note_anywhere(r, p->sizes == QN_PROOF_FAILS
                               ? "an op has the sizes of the matched output unless WITH_SIZE, "
                                 "ResizeDim or a piece of a split say others"
                               : "by the match and the constraint they differ wherever it applies");
}

/* The conditions of the SELECTs around a branch with their values there, innermost first. */
typedef struct decision {
  const qn_rule_node *condition;
  bool holds;
  const struct decision *outer;
} decision;

static void assume_decisions(qn_prover *p, const decision *d) {
  if (!d) return;
  assume_decisions(p, d->outer);
  if (d->holds)
    qn_prover_assume(p, d->condition);
  else
    qn_prover_assume_not(p, d->condition);
}

/* Proves one branch of the replacement, with the facts that hold in this branch only. */
static void prove_branch(qn_rule_checker *c, const qn_rule *rule, const qn_rule_node *branch,
                         const decision *decided) {
  qn_arena arena;
  qn_arena_init(&arena);
  qn_prover *p = QN_NEW(&arena, qn_prover);
  *p = (qn_prover){.c = c, .rule = rule, .arena = &arena, .space = {.arena = &arena}};
  const qn_rule_node *root = rule->match;
  bool either = is(root, QN_RULE_FN_EITHER);
  while (is(root, QN_RULE_FN_EITHER)) root = root->args[0];
  p->root = qn_prover_fresh(p, "*");
  match_op(p, root, &p->root, either);
  qn_prover_assume(p, rule->constraint);
  assume_decisions(p, decided);
  p->infers = true;
  /* the second time, expressions are written with the equalities that the first time found */
  for (int i = 0; i < 2; i++) match_op(p, root, &p->root, either);
  prove_root(p, branch);
  c->rule->sizes_proved &= p->sizes == QN_PROOF_HOLDS;
  c->rule->encoding_proved &= p->encoding == QN_PROOF_HOLDS;
  if (p->blame) report(p);
  qn_linear_deinit(&p->space);
  qn_array_free(&p->encodings);
  qn_array_free(&p->differing);
  qn_arena_deinit(&arena);
}

static void prove(qn_rule_checker *c, const qn_rule *rule, const qn_rule_node *node,
                  const decision *decided) {
  if (!is(node, QN_RULE_FN_SELECT)) {
    prove_branch(c, rule, node, decided);
    return;
  }
  const decision yes = {node->args[0], true, decided}, no = {node->args[0], false, decided};
  prove(c, rule, node->args[1], &yes);
  prove(c, rule, node->args[2], &no);
}

void qn_rule_prove(qn_rule_checker *c) {
  qn_arena arena;
  qn_arena_init(&arena);
  const qn_rule *expanded = qn_rule_expand(&arena, c->rule);
  c->rule->sizes_proved = c->rule->encoding_proved = expanded != NULL;
  if (expanded) prove(c, expanded, expanded->replacement, NULL);
  qn_rule_flush(c->reporter);
  qn_arena_deinit(&arena);
}

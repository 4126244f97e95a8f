/* select-optimization: replaces a select with a constant condition by the operand that it selects.
 *
 *   "ml.select"(true, %a, %b)            ->   %a, if it has the type of the result
 *   "ml.select"(false, %a, %b)           ->   %b, the same
 *
 * With infinities=true, if the condition is a constant with some true elements, and one operand is
 * a constant whose elements are all infinite:
 *
 *   "ml.select"(%c, inf, %b)             ->   "ml.add"("ml.select"(%c, inf, -0.0), %b)
 *
 * const-elimination then folds the new select, which leaves a sum with a constant. Where %b has the
 * infinity of opposite sign or NaN, the sum is NaN, but the select gives the constant. So this
 * rewrite is optional.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact, except for such elements with
 * infinities=true.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { SELECT, CONDITION, A, B };

/* The value of all elements of a constant condition, 1 or 0; -1 if they differ. */
static int all_of(const qn_value *condition) {
  const qn_attr *attr = qn_value_constant(condition);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(condition->type);
  bool any = false, all = true;
  for (int64_t i = 0; i < count; i++) {
    bool holds = qn_dense_int(attr, i) != 0;
    any |= holds, all &= holds;
  }
  return all ? 1 : any ? -1 : 0;
}

static qn_value *chosen(qn_rewriter *rw, const qn_matched *m) {
  (void)rw;
  int all = all_of(m->value[CONDITION]);
  qn_value *value = all < 0 ? NULL : m->value[all ? A : B];
  return value && value->type == m->value[SELECT]->type ? value : NULL;
}

/* ---- infinities ---- */

static bool is_infinite(const qn_value *literal) {
  const qn_attr *attr = qn_value_constant(literal);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(literal->type);
  for (int64_t i = 0; i < count; i++)
    if (!isinf(qn_dense_float(attr, i))) return false;
  return count > 0;
}

/* The broadcast type of two shapes, with the element type of `b`. */
static const qn_type *joined(qn_ir_context *cx, const qn_value *a, const qn_value *b) {
  int64_t dims[QN_ML_MAX_RANK];
  uint32_t rank = qn_rank(a) > qn_rank(b) ? qn_rank(a) : qn_rank(b);
  for (uint32_t i = 1; i <= rank; i++) {
    int64_t m = i <= qn_rank(a) ? qn_dim(a, qn_rank(a) - i) : 1;
    dims[rank - i] = m == 1 && i <= qn_rank(b) ? qn_dim(b, qn_rank(b) - i) : m;
  }
  return qn_type_with_dims(cx, b->type, rank, dims);
}

static qn_value *added(qn_rewriter *rw, const qn_matched *m) {
  bool a_known = qn_value_literal(m->value[A]) != NULL;
  bool b_known = qn_value_literal(m->value[B]) != NULL;
  const qn_type *type = m->value[SELECT]->type, *element = qn_type_element(type);
  qn_value *known = m->value[a_known ? A : B], *other = m->value[a_known ? B : A];
  if (!*(const bool *)rw->state || a_known == b_known || element->kind != QN_TYPE_FLOAT ||
      qn_type_element(known->type) != element || qn_type_element(other->type) != element ||
      !is_infinite(known) || all_of(m->value[CONDITION]) >= 0)
    return NULL;
  const double zero = -0.0; /* adding -0 changes no float */
  qn_value *nothing = qn_build_reals(rw, qn_type_with_dims(rw->cx, type, 0, NULL), &zero);
  qn_value *term = qn_build_1(
      &rw->builder, QN_OP_ML_SELECT, joined(rw->cx, m->value[CONDITION], known),
      QN_VALUES(m->value[CONDITION], a_known ? known : nothing, a_known ? nothing : known), NULL);
  return qn_build_1(&rw->builder, QN_OP_ML_ADD, type, QN_VALUES(term, other), NULL);
}

#define ROWS                                                                                       \
  {                                                                                                \
    {.kinds = {QN_OP_ML_SELECT}, .operands = {CONDITION, A, B}},                                   \
        {.flags = QN_ANY_VALUE | QN_LITERAL}, {.flags = QN_ANY_VALUE}, {                           \
      .flags = QN_ANY_VALUE                                                                        \
    }                                                                                              \
  }
static const qn_graph_rule known = {ROWS, chosen};
static const qn_graph_rule infinite = {ROWS, added};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("known-condition", QN_OP_ML_SELECT, known),
                                      QN_GRAPH_RULE("infinite-choice", QN_OP_ML_SELECT, infinite)};

static const qn_option_spec options[] = {
    {"infinities", QN_OPTION_BOOL, "false", "add constants of infinities instead of choosing"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  bool infinities = qn_pass_bool(pc, "infinities");
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &infinities});
}

const qn_pass qn_pass_select_optimization = {
    .name = "select-optimization",
    .summary = "make choices whose condition is known",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};

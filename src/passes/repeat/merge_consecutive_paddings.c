/* merge-consecutive-paddings: merges two consecutive pads with the same value, or with the same
 * mirror mode.
 *
 *   %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1>}
 *   %1 = "ml.pad"(%0) {pad = array<i64: 1, 1, 1, 0>}
 *     ->
 *   %1 = "ml.pad"(%x) {pad = array<i64: 1, 1, 2, 1>}
 *
 *   also "ml.mirror_pad" with the same mode, if at most one of them pads each side
 *
 * No other op reads the first pad. Mirror pads stay if both pad the same side of a dimension,
 * because the second would mirror elements of the first, or if the second mirrors more elements
 * than the operand has. Pad values are compared as stored values: without an explicit value, the
 * zero points of the two results can differ.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/types/float_format.h"
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { SECOND, FIRST, X };

/* Builds one op like the second, with the padding of both. */
static qn_value *with_both(qn_rewriter *rw, const qn_matched *m) {
  qn_i64s second = qn_op_pad(m->op[SECOND]), first = qn_op_pad(m->op[FIRST]);
  int64_t pad[2 * QN_ML_MAX_RANK];
  QN_ASSERT(first.count == second.count && first.count <= QN_COUNT(pad));
  for (uint32_t i = 0; i < second.count; i++) pad[i] = first.data[i] + second.data[i];
  qn_value *made = qn_build_like(rw, m->op[SECOND], QN_VALUES(m->value[X]), m->value[SECOND]->type);
  qn_set_i64s(rw, made, "pad", pad, second.count);
  return made;
}

static qn_value *one_mirror(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *first = m->op[FIRST], *second = m->op[SECOND];
  qn_i64s a = qn_op_pad(first), b = qn_op_pad(second);
  if (qn_op_mirror_mode(first) != qn_op_mirror_mode(second)) return NULL;
  int64_t left = qn_op_mirror_mode(first) == QN_MIRROR_SYMMETRIC ? 0 : 1;
  for (uint32_t i = 0; i < b.count; i++)
    if (b.data[i] && (a.data[i] || b.data[i] > qn_dim(m->value[X], i / 2) - left)) return NULL;
  return with_both(rw, m);
}

/* Whether two float pad values are equal after rounding to the element type, including the sign of
 * zero. */
static bool is_same_real(const qn_type *element, const qn_op *second, const qn_op *first) {
  double a = qn_float_round(element->float_kind, qn_pad_border_real(second));
  double b = qn_float_round(element->float_kind, qn_pad_border_real(first));
  return a == b && !signbit(a) == !signbit(b);
}

static qn_value *one_pad(qn_rewriter *rw, const qn_matched *m) {
  int64_t outer, inner;
  const qn_type *element = qn_type_element(m->value[SECOND]->type);
  if (element->kind == QN_TYPE_FLOAT)
    return is_same_real(element, m->op[SECOND], m->op[FIRST]) ? with_both(rw, m) : NULL;
  bool known =
      qn_pad_stored_value(m->op[SECOND], &outer) && qn_pad_stored_value(m->op[FIRST], &inner);
  return known && outer == inner ? with_both(rw, m) : NULL;
}

#define ROWS(kind)                                                                                 \
  {                                                                                                \
    {.kinds = {kind}, .operands = {FIRST}},                                                        \
        {.kinds = {kind}, .flags = QN_ONLY_USE, .operands = {X}}, {                                \
      .flags = QN_ANY_VALUE                                                                        \
    }                                                                                              \
  }
static const qn_graph_rule pads = {.rows = ROWS(QN_OP_ML_PAD), .rewrite = one_pad};
static const qn_graph_rule mirrors = {.rows = ROWS(QN_OP_ML_MIRROR_PAD), .rewrite = one_mirror};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("pad-of-pad", QN_OP_ML_PAD, pads),
    QN_GRAPH_RULE("mirror-of-mirror", QN_OP_ML_MIRROR_PAD, mirrors),
};

const qn_pass qn_pass_merge_consecutive_paddings = {
    .name = "merge-consecutive-paddings",
    .summary = "one pad in the place of several in a row that write one value or mirror in one way",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};

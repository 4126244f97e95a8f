/* cast-optimization: merges two consecutive casts into one, or removes both.
 *
 *   "ml.cast"(%x : f32) : f32                        ->   %x
 *   "ml.cast"("ml.cast"(%x : i8) : f32) : i32        ->   "ml.cast"(%x : i8) : i32
 *   "ml.cast"("ml.cast"(%x : f16) : f32) : f16       ->   %x
 *
 * Merging is exact in two cases. Either the first cast preserves all values. Or both casts convert
 * between integers, the last type is not wider than the middle one, and the range after both casts
 * equals that of the direct cast: a wrap that changes the range, as from i32 through ui8 to i8,
 * stays. Floats saturate where integers wrap, so a conversion from integer through float to integer
 * is merged only if the last type represents all values of the first. The first cast stays if it
 * has other readers.
 *
 * With upstream-compatible=true, pairs are also merged if only range and resolution of the types
 * agree. This is not exact, e.g. for i32 through f32 to i32.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact, unless upstream-compatible.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/casts.h"
#include "ir/ops/forms.h"

enum { LAST, FIRST, X };

static bool is_float(const qn_type *t) { return t->kind == QN_TYPE_FLOAT; }
static bool is_bool(const qn_type *t) { return qn_type_is_int(t, 1); }

/* Whether the extent of values is the same after casts from `a` through `b` to `c` as after a cast
 * from `a` to `c`. */
static bool same_values(const qn_type *a, const qn_type *b, const qn_type *c) {
  qn_extent by = qn_extent_through(qn_extent_through(qn_extent_of(a), b), c),
            straight = qn_extent_through(qn_extent_of(a), c);
  return by.low == straight.low && by.high == straight.high && by.resolution == straight.resolution;
}

/* Whether casting from `a` through `b` to `c` equals casting from `a` to `c` for every value. */
static bool is_exact(const qn_type *a, const qn_type *b, const qn_type *c) {
  bool whole = !is_float(a) && !is_float(b) && !is_float(c);
  if (whole && !is_bool(b) && !is_bool(c) && c->integer.width <= b->integer.width)
    return same_values(a, b, c);
  if (!qn_cast_holds(a, b)) return false;
  if (is_float(a) && is_float(c) && a != c && qn_bit_width(a) == qn_bit_width(c)) return false;
  return is_float(a) || !is_float(b) || is_float(c) || is_bool(c) || qn_cast_holds(a, c);
}

/* ---- upstream-compatible ---- */

static bool is_known_upstream(const qn_type *t) {
  return is_float(t) ? t->float_kind == QN_F16 || t->float_kind == QN_F32 : t->integer.width <= 32;
}

static bool is_compatible(const qn_type *a, const qn_type *b, const qn_type *c) {
  if (!is_known_upstream(a) || !is_known_upstream(b) || !is_known_upstream(c)) return false;
  return same_values(a, b, c);
}

/* ---- rules ---- */

static qn_value *straight(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *a = qn_type_element(m->value[X]->type),
                *b = qn_type_element(m->value[FIRST]->type),
                *c = qn_type_element(m->value[LAST]->type);
  bool compatible = *(const bool *)rw->state && is_compatible(a, b, c);
  if (!compatible && !is_exact(a, b, c)) return NULL;
  if (a == c) return m->value[X];
  return qn_build_like(rw, m->op[LAST], QN_VALUES(m->value[X]), m->value[LAST]->type);
}

static const qn_graph_rule pair = {
    .rows = {{.kinds = {QN_OP_ML_CAST}, .operands = {FIRST}},
             {.kinds = {QN_OP_ML_CAST}, .operands = {X}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = straight,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("cast-to-same", QN_OP_ML_CAST, qn_cast_to_same),
                                      QN_GRAPH_RULE("cast-of-cast", QN_OP_ML_CAST, pair)};

static const qn_option_spec options[] = {
    {"upstream-compatible", QN_OPTION_BOOL, "false",
     "compare ranges and resolutions, which is not exact"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  bool compatible = qn_pass_bool(pc, "upstream-compatible");
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &compatible});
}

const qn_pass qn_pass_cast_optimization = {
    .name = "cast-optimization",
    .summary = "remove casts there and back, and make one of two in a row",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};

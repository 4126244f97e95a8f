/* lower-quant-ops: replaces quant.qcast and quant.dcast by arithmetic; quant.scast stays.
 *
 *   %q = quant.qcast %x : f32 to !quant.uniform<i8:f32, 0.5:10>
 *     ->
 *   %0 = arith.divf %x, %scale         x / 0.5
 *   %1 = math.roundeven %0             "rounding" of the option, or of the module
 *   %2 = arith.cmpf uno, %1, %1
 *   %3 = arith.select %2, %zero, %1    NaN gives the zero point
 *   %4 = arith.addf %3, %zero_point
 *   %5 = arith.maximumf %4, %min       saturates
 *   %6 = arith.minimumf %5, %max
 *   %7 = arith.fptosi %6 : f32 to i8
 *   %q = quant.scast %7 : i8 to !quant.uniform<i8:f32, 0.5:10>
 *
 * Casts of tensors become one linalg.generic; unranked tensors are reshaped before and after it.
 * cf.assert checks sizes that are dynamic against the number of scales. ir/types/quant_cast.h
 * defines the results. By default a cast rounds as it does without this pass: by the profile in the
 * module's "quern.numerics", or to nearest even if there is none. The options give these results
 * for scale 1 and i8:
 *
 *   rounding       0.5   1.5   2.5  -1.5  -2.5   2.7    300   NaN
 *   even             0     2     2    -2    -2     3    127     0
 *   away             1     2     3    -2    -3     3    127     0
 *   toward-zero      0     1     2    -1    -2     2    127     0
 *   floor            0     1     2    -2    -3     2    127     0
 *   stochastic     0,1   1,2   2,3 -2,-1 -3,-2   2,3    127     0   2.7: 3 with probability 0.7
 *   upstream-compatible  0  1    2    -1    -2     2  undefined
 *
 * Stochastic rounding depends only on the seed, the index of the cast in its function and the index
 * of the element, so it is reproducible. upstream-compatible also replaces dcast(qcast(x)) by x,
 * which is wrong if x would have been rounded or clamped.
 *
 * Needs: verified quant ops.  Keeps: everything else.  Numerics: exact (the casts' own definition).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "base/hash.h"
#include "ir/numerics.h"
#include "ir/walk.h"
#include "pass/pass.h"
#include "passes/canonical/constants.h"
#include "passes/quant/lower.h"

typedef QN_ARRAY(qn_op *) cast_list;

static bool is_cast(const qn_op *op) {
  return op->kind == QN_OP_QUANT_QCAST || op->kind == QN_OP_QUANT_DCAST;
}

static bool collect(qn_op *op, void *user) {
  cast_list *casts = user;
  if (is_cast(op)) qn_array_push(casts, op);
  return true;
}

/* ---- pairs, as upstream folds them ---- */

/* If the op is dcast(qcast(x)) or qcast(dcast(x)) with the type of x: x. NULL for other casts. */
static qn_value *source_of_pair(const qn_op *outer) {
  const qn_op *inner = qn_op_operand(outer, 0)->op;
  if (!inner || !is_cast(inner) || inner->kind == outer->kind) return NULL;
  qn_value *source = qn_op_operand(inner, 0);
  return source->type == outer->results[0].type ? source : NULL;
}

/* Folds each cast that forms a pair with the cast before it; pairs are determined before any is
 * folded. Folded entries become NULL. Other casts are lowered even if they have no uses left. */
static void fold_pairs(qn_module *module, cast_list *casts) {
  cast_list folded = {0};
  qn_map sources = {0}; /* result of a folded cast -> the value that replaces it */
  for (size_t i = 0; i < casts->count; i++) {
    qn_op *cast = casts->data[i];
    qn_value *source = source_of_pair(cast);
    if (!source) continue;
    qn_value *earlier = qn_map_get(&sources, source);
    qn_map_set(&sources, &cast->results[0], earlier ? earlier : source);
    qn_array_push(&folded, cast);
    casts->data[i] = NULL;
  }
  for (size_t i = 0; i < folded.count; i++) {
    qn_value *result = &folded.data[i]->results[0];
    qn_value_replace_all_uses(result, qn_map_get(&sources, result));
  }
  for (size_t i = folded.count; i-- > 0;) qn_op_erase(module, folded.data[i]);
  qn_map_deinit(&sources);
  qn_array_free(&folded);
}

/* ---- one cast ---- */

typedef struct settings {
  bool as_upstream;
  qn_cast_rounding rounding;
  uint64_t seed;
  qn_constants constants;
  qn_grids grids;
} settings;

static qn_value *shared_constant(void *user, qn_op *at, const qn_attr *attr, const qn_type *type) {
  return qn_constants_get(user, at, attr, type);
}

static const qn_type *with_element(qn_ir_context *cx, const qn_type *type, const qn_type *element) {
  return qn_type_is_shaped(type) ? qn_type_with_element(cx, type, element) : element;
}

static qn_status lower(qn_pass_context *pc, settings *s, qn_op *cast, uint64_t number) {
  qn_value *x = qn_op_operand(cast, 0), *result = &cast->results[0];
  qn_emit e = {
      .cx = pc->cx, .b = qn_builder_before(pc->module, cast), .cast = cast, .grids = &s->grids};
  e.quantizes = cast->kind == QN_OP_QUANT_QCAST;
  e.q = qn_type_quant(e.quantizes ? result->type : x->type);
  QN_ASSERT(e.q); /* casts are verified */
  e.constant = s->as_upstream ? NULL : shared_constant;
  e.constant_user = &s->constants;
  e.stored = qn_type_i(pc->cx, e.q->storage->integer.width);
  QN_TRY(qn_check_cast_form(&e));
  if (!e.quantizes)
    x = qn_build_unary(&e.b, QN_OP_QUANT_SCAST, x, with_element(pc->cx, x->type, e.stored));
  s->rounding.stream = qn_hash_mix(s->seed, number);
  qn_value *y =
      s->as_upstream ? qn_lower_cast_as_upstream(&e, x) : qn_build_cast_form(&e, x, &s->rounding);
  if (e.quantizes) y = qn_build_unary(&e.b, QN_OP_QUANT_SCAST, y, result->type);
  QN_ASSERT(y->type == result->type);
  qn_value_replace_all_uses(result, y);
  qn_op_erase(pc->module, cast);
  return QN_OK;
}

/* ---- the pass ---- */

static qn_status read_rounding(qn_pass_context *pc, qn_cast_rounding *out_rounding) {
  qn_str name = qn_str_of(qn_pass_string(pc, "rounding"));
  qn_module_numerics numerics;
  QN_TRY(qn_module_numerics_of(pc->module, pc->module->op->loc, &numerics));
  *out_rounding = (qn_cast_rounding){.fixed = numerics.rounding};
  out_rounding->stochastic = qn_str_is(name, "stochastic");
  if (!out_rounding->stochastic && !qn_str_is(name, "module"))
    /* the option accepts only these names */
    QN_ASSERT(qn_rounding_of_name(name, &out_rounding->fixed));
  return QN_OK;
}

static qn_status check_options(const qn_pass_context *pc) {
  if (!qn_pass_bool(pc, "upstream-compatible") ||
      qn_str_is(qn_str_of(qn_pass_string(pc, "rounding")), "module"))
    return QN_OK;
  return qn_error(&pc->cx->diag, pc->module->op->loc, QN_INVALID,
                  "'upstream-compatible' truncates; it goes with no 'rounding'");
}

static qn_status run(qn_pass_context *pc) {
  QN_TRY(check_options(pc));
  settings s = {.as_upstream = qn_pass_bool(pc, "upstream-compatible"),
                .seed = (uint64_t)qn_pass_i64(pc, "seed")};
  QN_TRY(read_rounding(pc, &s.rounding));
  cast_list casts = {0};
  qn_walk_pre(pc->root, collect, &casts);
  if (s.as_upstream) fold_pairs(pc->module, &casts);
  qn_constants_init(&s.constants, pc->module);
  qn_status status = QN_OK;
  for (size_t i = 0; i < casts.count; i++) {
    if (!casts.data[i]) continue;
    qn_status lowered = lower(pc, &s, casts.data[i], i);
    if (lowered != QN_OK) status = lowered;
  }
  pc->changed |= casts.count > 0;
  qn_constants_deinit(&s.constants);
  qn_grids_deinit(&s.grids);
  qn_array_free(&casts);
  return status;
}

static const qn_option_spec options[] = {
    {"rounding", QN_OPTION_CHOICE, "module|even|away|toward-zero|floor|stochastic",
     "of quant.qcast; 'module': what it means to all stages"},
    {"seed", QN_OPTION_I64, "0", "of stochastic rounding"},
    {"upstream-compatible", QN_OPTION_BOOL, "false", "the ops of upstream's pass, in its order"},
    {NULL, 0, NULL, NULL},
};

const qn_pass qn_pass_lower_quant_ops = {
    .name = "lower-quant-ops",
    .summary = "turn quant.qcast and quant.dcast into arithmetic on stored integers",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .needs = "verified quant ops",
    .keeps = "quant.scast and all other ops",
    .options = options,
    .run = run,
};

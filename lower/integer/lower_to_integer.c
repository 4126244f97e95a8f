/* Converts a module from the model stage to the integer stage.
 *
 *   before: %y = "ml.relu"(%x) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant...>
 *   after:  %t = "ml.const"() {value = dense<...> : tensor<256xi8>} : () -> tensor<256xi8>
 *           %y = "ml.lut"(%x, %t) : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
 *
 * Requires a verified module. Keeps one op per tensor of the model, with its location and its
 * "quern.*" attributes. Numerics: exact, as defined by the profile in "quern.numerics", unless the
 * options allow the float fallback (forms.h). If an op has no integer form, the pass fails and the
 * module is left partly converted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/cell_form.h"
#include "ir/walk.h"
#include "lower/integer/forms.h"

typedef struct lowering {
  qn_integer in;
  qn_integer_choice choice;
  qn_status status; /* the worst so far: QN_INVALID beats QN_UNSUPPORTED */
} lowering;

static void note_status(lowering *lo, qn_status status) {
  if (status != QN_OK && lo->status != QN_INVALID) lo->status = status;
}

/* Whether the op keeps quantized types, because the pass does not visit it. */
static bool stays_quantized(const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (qn_type_is_quant(qn_type_element(op->results[i].type))) return true;
  return false;
}

static void check_stage(lowering *lo, const qn_op *op, bool visited) {
  if (!qn_op_has(op, QN_INTEGER_STAGE) || (!visited && stays_quantized(op)))
    note_status(lo, qn_error(&lo->in.cx->diag, op->loc, QN_UNSUPPORTED,
                             "'%.*s' has no integer form", QN_STR_ARG(op->name)));
}

static void lower_op(qn_op *op, void *user) {
  lowering *lo = user;
  if (qn_cell_is_real(op)) return; /* not expanded, which has been reported */
  if (qn_plan_record_of(op->kind))
    note_status(lo, qn_integer_lower_as_chosen(&lo->in, &lo->choice, op));
  else
    check_stage(lo, op, true);
}

/* Whether lower_op visits the ops inside `parent`. */
static bool is_visited(const lowering *lo, const qn_op *parent) {
  if (!parent) return false;
  if (qn_op_has(parent, QN_CONTROL)) return true; /* if not, an enclosing op is reported */
  return parent->kind == QN_OP_FUNC && qn_op_parent(parent) == lo->in.module->op;
}

/* Checks ops that lower_op does not visit (outside of functions, and in isolated regions), and
 * attributes that no op may have. */
static bool check_other(qn_op *op, void *user) {
  lowering *lo = user;
  bool visited = is_visited(lo, qn_op_parent(op));
  if (!visited) check_stage(lo, op, false);
  for (uint32_t i = 0; i < op->attr_count; i++)
    if (op->attrs[i].value->kind == QN_ATTR_ELIDED)
      note_status(lo, qn_error(&lo->in.cx->diag, op->loc, QN_INVALID,
                               "'%.*s' op has an elided value, which can't be lowered",
                               QN_STR_ARG(op->name)));
  return true;
}

static qn_integer_opt_in opt_in_of(const char *word) {
  if (strcmp(word, "auto") == 0) return QN_OPT_IN_AUTO;
  return strcmp(word, "true") == 0 ? QN_OPT_IN_TRUE : QN_OPT_IN_FALSE;
}

/* Whether the fallback needs an opt-in. The pass option takes precedence over the module's
 * attribute. */
static bool needs_opt_in(const qn_planner *planner, qn_integer_opt_in opt_in) {
  return opt_in == QN_OPT_IN_AUTO ? planner->needs_opt_in : opt_in == QN_OPT_IN_FALSE;
}

static qn_status run(qn_pass_context *pc) {
  lowering lo = {.in = {.module = pc->module, .cx = pc->cx, .scratch = pc->scratch}};
  QN_TRY(qn_planner_of(pc->module, pc->scratch, pc->module->op->loc, &lo.in.planner));
  lo.choice = (qn_integer_choice){.force = qn_str_of(qn_pass_string(pc, "force")),
                                  .forbid = qn_str_of(qn_pass_string(pc, "forbid")),
                                  .fall_back = opt_in_of(qn_pass_string(pc, "fall-back"))};
  lo.in.planner.needs_opt_in = needs_opt_in(&lo.in.planner, lo.choice.fall_back);
  QN_TRY(qn_integer_check_choice(&lo.in, &lo.choice));
  note_status(&lo, qn_integer_check_types(&lo.in));
  (void)qn_integer_turn_constants(pc->module, pc->scratch);
  bool expanded; /* cells that expand-cells did not see */
  note_status(&lo, qn_integer_expand_cells(pc->module, &expanded));
  qn_walk_pre(pc->module->op, check_other, &lo);
  qn_integer_for_each(pc->module, lower_op, &lo);
  if (lo.status != QN_OK) return lo.status;
  pc->changed = true;
  return qn_integer_retype(&lo.in);
}

static const qn_option_spec options[] = {
    {"force", QN_OPTION_STRING, "",
     "op names, separated by commas: use the integer form, or fail where there is none"},
    {"forbid", QN_OPTION_STRING, "",
     "op names, separated by commas: always use the float fallback (dequantize, float ops, "
     "quantize)"},
    {"fall-back", QN_OPTION_CHOICE, QN_OPT_IN_WORDS,
     "use the float fallback where an op has no integer form; auto: unless the module names a "
     "profile"},
    {NULL, 0, NULL, NULL},
};

static bool is_integer(const qn_op *op) { return qn_op_is_legal(op, QN_STAGE_INTEGER); }

const qn_property qn_property_integers_only = {
    .name = "integers-only",
    .summary = "an op of the integer stage, without quantized types",
    .holds = is_integer,
    .by = &qn_pass_lower_to_integer,
};

const qn_pass qn_pass_lower_to_integer = {
    .name = "lower-to-integer",
    .summary = "make zero points, multipliers, shifts and clamps explicit",
    .numerics = QN_EXACT,
    .sets_stage = true,
    .stage = QN_STAGE_INTEGER,
    .established = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .options = options,
    .run = run,
};

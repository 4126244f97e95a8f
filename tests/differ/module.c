/* Random modules of arith, math, quant, tensor and linalg: interpreter, passes, compiled function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/passes/pipelines.h"
#include "ir/clone.h"
#include "ir/walk.h"
#include "lower/tensors/tensors.h"
#include "passes/passes.h"
#include "tests/differ/differ.h"

/* ---- what has no result ---- */

typedef struct search {
  const qn_loc *loc;
  qn_op *found;
} search;

static bool find_at(qn_op *op, void *user) {
  search *s = user;
  if (op->loc == s->loc && op->result_count && !qn_op_has(op, QN_CONSTANT)) s->found = op;
  return true; /* the last: others of its line make its operands */
}

/* A value of any number in place of each result. */
static void replace(differ *d, qn_op *op) {
  qn_random_model *m = &d->m;
  m->b = qn_builder_before(m->module, op);
  for (uint32_t i = 0; i < op->result_count; i++) {
    const qn_type *type = op->results[i].type, *known = type;
    if (type->kind == QN_TYPE_TENSOR && !qn_type_is_static(type))
      known = qn_type_tensor(&m->cx, type->shaped.element, m->rank, m->dims);
    qn_value *with = qn_random_constant(m, known);
    if (known != type) with = qn_build_1(&m->b, QN_OP_TENSOR_CAST, type, QN_VALUES(with), NULL);
    qn_value_replace_all_uses(&op->results[i], with);
  }
  qn_op_erase(m->module, op);
}

/* Divisions by zero, conversions out of range and the like go, so that the function has a result.
 */
static bool make_defined(differ *d) {
  enum { MOST = 24 };
  for (int i = 0; i < MOST; i++) {
    if (d->expected.result_count) qn_arena_deinit(&d->expected.arena);
    d->m.failed_at = NULL;
    if (differ_interpret(d, d->m.module, &d->expected) == QN_OK) {
      d->m.diagnostics[0] = 0;
      return true;
    }
    search s = {.loc = d->m.failed_at};
    qn_walk_pre(d->m.module->op, find_at, &s);
    if (!s.found || qn_type_quant(s.found->results[0].type)) return false;
    replace(d, s.found);
  }
  return false;
}

/* ---- below ---- */

/* A model takes and gives tensors: of one element, where the function has scalars. */
static void use_tensors(qn_module *module) {
  qn_op *func = qn_module_main(module);
  qn_block *body = qn_op_body(func);
  const qn_type *types[2 * QN_RANDOM_MAX_ARGS];
  uint32_t args = body->arg_count, results = body->last->operand_count;
  for (uint32_t i = 0; i < args; i++) {
    qn_value *arg = body->args[i];
    types[i] = arg->type;
    if (qn_type_is_shaped(arg->type)) continue;
    types[i] = qn_type_tensor(module->cx, arg->type, 0, NULL);
    qn_builder b = qn_builder_before(module, body->first);
    qn_value *scalar =
        qn_build_1(&b, QN_OP_TENSOR_EXTRACT, arg->type, QN_VALUES(arg), NULL); /* typed below */
    qn_value_replace_all_uses(arg, scalar);
    qn_op_set_operand(scalar->op, 0, arg);
    qn_value_set_type(arg, types[i]);
  }
  for (uint32_t i = 0; i < results; i++) {
    qn_value *v = qn_op_operand(body->last, i);
    types[args + i] = v->type;
    if (qn_type_is_shaped(v->type)) continue;
    types[args + i] = qn_type_tensor(module->cx, v->type, 0, NULL);
    qn_builder b = qn_builder_before(module, body->last);
    qn_op_set_operand(
        body->last, i,
        qn_build_1(&b, QN_OP_TENSOR_FROM_ELEMENTS, types[args + i], QN_VALUES(v), NULL));
  }
  const qn_type *type = qn_type_function(module->cx, types, args, types + args, results);
  qn_op_set_attr(module, func, "function_type", qn_attr_type(module->cx, type));
}

/* Branches and loops are a model's matter, where all types are known. */
static bool check_as_model(differ *d, const qn_module *module) {
  const qn_target *target = differ_target(d);
  const qn_lower_config config = {.target = target};
  const qn_run_settings settings = qn_pipeline_settings(&config);
  qn_module *loops = qn_module_clone(module);
  if (qn_op_body(qn_module_main(loops))->next == NULL) use_tensors(loops);
  qn_status status = qn_pipeline_lower(loops, &settings, QN_STAGE_MODEL, QN_STAGE_LOOPS);
  bool ok = status == QN_UNSUPPORTED || status == QN_INVALID ? differ_refuse(d)
            : status != QN_OK ? differ_problem(d, loops, "the function is not lowered as a model")
                              : differ_check_loops(d, loops, target);
  if (ok && status == QN_OK) d->counts->controls++;
  qn_module_destroy(loops);
  return ok;
}

static bool has_control(const qn_module *module) {
  QN_FOR_EACH_NESTED_OP(op, qn_module_main(module))
  if (qn_op_has(op, QN_CONTROL)) return true;
  return false;
}

static bool check_compiled(differ *d, const qn_module *module) {
  if (has_control(module)) return check_as_model(d, module);
  const qn_target *target = differ_target(d);
  const qn_tensors_options options = {.target = target};
  const qn_type *types[QN_RANDOM_MAX_ARGS];
  const qn_op *func = qn_module_main(module);
  for (uint32_t i = 0; i < d->inputs.arg_count; i++) {
    const qn_type *was = d->inputs.args[i].type, *is = qn_op_body(func)->args[i]->type;
    types[i] =
        qn_type_is_shaped(was) ? qn_type_with_element(&d->m.cx, was, qn_type_element(is)) : is;
  }
  qn_tensors_result lowered = {0};
  qn_status status = qn_lower_tensors(module, func, types, &options, &d->inputs.arena, &lowered);
  if (status == QN_UNSUPPORTED) return differ_refuse(d);
  if (status != QN_OK) return differ_problem(d, module, "the function is not lowered to loops");
  bool ok = differ_check_loops(d, lowered.loops, target);
  qn_module_destroy(lowered.loops);
  return ok;
}

static bool check(differ *d) {
  if (qn_verify(d->m.module) != QN_OK)
    return differ_problem(d, NULL, "the generated module is not valid");
  differ_make_inputs(d);
  if (!make_defined(d)) {
    d->counts->undefined++;
    if (d->options->verbose) fprintf(stderr, "undefined: %s", d->m.diagnostics);
    return true;
  }
  if (!differ_check_text(d, d->m.module)) return false;
  qn_module *copy = differ_run_passes(d, d->m.module);
  if (!copy) return false;
  const qn_pass *lower[] = {&qn_pass_inline, &qn_pass_lower_quant_ops};
  const qn_pipeline_options options = {.verify_each = true};
  bool ok = qn_pipeline_run(copy, lower, QN_COUNT(lower), &options) == QN_OK
                ? differ_check(d, copy, "after lower-quant-ops")
                : differ_problem(d, copy, "quantized casts are not lowered");
  ok = ok && differ_check_text(d, copy) && check_compiled(d, copy);
  qn_module_destroy(copy);
  return ok;
}

bool differ_module(qn_choices choices, const differ_options *options, differ_counts *counts) {
  enum { MOST_OPS = 10 };
  differ d = {.options = options, .counts = counts};
  qn_random_begin_with(&d.m, choices, "litert-ref");
  qn_random_fill_module(&d.m, 1 + (uint32_t)qn_choose(&d.m.choices, MOST_OPS));
  bool ok = check(&d);
  differ_end(&d);
  counts->cases++;
  return ok;
}

/* Random ops on tensors of any quantization. The float form is compared with its definition; and at
 * the integer stage and the loops stage, interpreted and as machine code, it must have the same
 * bits. If a profile supports the op, its integer form may differ from the float form by at most
 * one step.
 *
 * usage: diff_forms [seeds per op [op seed]]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/eval_op.h"
#include "forms.h"
#include "ir/clone.h"
#include "ir/ops/forms.h"

/* One module in COMPILED is compiled: that takes much longer than interpreting it. */
enum { COMPILED = 8, SEEDS = 60 };

/* The definition uses the C library's exponential, so results may differ by a step. */
static bool has_exp(qn_op_kind kind) {
  return kind == QN_OP_ML_SOFTMAX || kind == QN_OP_ML_SIGMOID || kind == QN_OP_ML_TANH;
}
/* Outside of the domain of these functions, the tables of profiles have entries nevertheless. */
static bool is_partial(qn_op_kind kind) { return kind == QN_OP_ML_LOG || kind == QN_OP_ML_RSQRT; }
static bool has_weights(qn_op_kind kind) { return qn_op_infos[kind].optional_operands > 0; }

/* ---- inputs: stored values within the type, most of them small ---- */

static void fill(qn_random_model *m, qn_rt_value *value) {
  const qn_quant_uniform *q = qn_type_quant(value->type);
  const qn_type *element = qn_type_element(value->type);
  int64_t count = qn_type_elements(value->type);
  for (int64_t i = 0; i < count; i++) {
    int64_t low = q ? q->min : -20000, high = q ? q->max : 20000;
    if (q && q->storage->integer.width > 16) {
      low = q->zero_points[0] - 20000;
      high = q->zero_points[0] + 20000;
    }
    int64_t x = qn_random_between(m, low, high);
    float real = (float)x / 2048.0f;
    if (element->kind == QN_TYPE_FLOAT)
      memcpy(value->data + i * 4, &real, sizeof real);
    else
      memcpy(value->data + i * qn_type_bytes(element), &x, qn_type_bytes(element));
  }
}

static void random_inputs(qn_random_model *m, qn_random_run *out_run) {
  qn_random_inputs(m, out_run);
  for (uint32_t i = 0; i < out_run->arg_count; i++) fill(m, &out_run->args[i]);
}

/* ---- comparisons ---- */

static double element(const qn_type *type, const qn_rt_value *value, int64_t i) {
  qn_rt_value typed = *value;
  typed.type = type;
  bool real = qn_type_element(type)->kind == QN_TYPE_FLOAT;
  return real ? qn_rt_float(&typed, i) : (double)qn_rt_int(&typed, i);
}

static bool is_near(const qn_type *type, double a, double b, int steps) {
  if (a == b || (isnan(a) && isnan(b))) return true;
  if (!qn_type_quant(type)) return steps > 0 && fabs(a - b) <= 1e-6 * fmax(fabs(a), 1e-3);
  /* With wide storage, a step is much smaller than the f32's unit in the last place. */
  uint32_t width = qn_type_quant(type)->storage->integer.width;
  return fabs(a - b) <= (width > 16 ? steps * fmax(64.0, 1e-6 * fabs(a)) : steps);
}

/* The operands of the op: arguments or constants. */
static void operand_values(form_case *c, const qn_random_run *inputs, qn_rt_value *out) {
  for (uint32_t i = 0; i < c->op->operand_count; i++) {
    const qn_value *value = qn_op_operand(c->op, i);
    const qn_attr *constant = qn_value_constant(value);
    if (!constant) {
      out[i] = inputs->args[value->index];
      continue;
    }
    int64_t count = qn_type_elements(value->type);
    uint32_t bytes = qn_type_bytes(qn_type_element(value->type));
    out[i] = (qn_rt_value){.type = value->type, .size = count * bytes};
    out[i].data = qn_arena_array(&c->m.cx.arena, (size_t)count + 1, bytes);
    for (int64_t k = 0; k < count; k++) qn_rt_set_int(&out[i], k, qn_dense_int(constant, k));
  }
}

static const char *check_definition(form_case *c, const qn_random_run *inputs,
                                    const qn_random_run *got, const qn_type *type, int steps) {
  qn_rt_value operands[FORMS_MAX_OPERANDS];
  operand_values(c, inputs, operands);
  reals y = form_reference(c->op, operands, &c->m.cx.arena);
  for (int64_t i = 0; i < qn_type_elements(type); i++) {
    double expected = form_stored(c->m.module, &y, type, i),
           is = element(type, &got->results[0], i);
    if (is_near(type, expected, is, steps)) continue;
    fprintf(stderr, "element %lld is %.9g, by definition %.9g\n", (long long)i, is, expected);
    return "differs from its definition";
  }
  return NULL;
}

static const char *check_steps(const qn_random_run *a, const qn_random_run *b, const qn_type *type,
                               int steps) {
  for (int64_t i = 0; i < qn_type_elements(type); i++) {
    double x = element(type, &a->results[0], i), y = element(type, &b->results[0], i);
    if (is_near(type, x, y, steps)) continue;
    fprintf(stderr, "element %lld is %.9g at the model stage, %.9g in float\n", (long long)i, x, y);
    return "is too far from the model stage";
  }
  return NULL;
}

/* Whether a profile may compute the op for these types. If not, results of the model stage and the
 * float form must be equal. */
static bool may_have_profile(const qn_op *op) {
  const qn_quant_uniform *q[] = {qn_type_quant(qn_op_operand(op, 0)->type),
                                 qn_type_quant(op->results[0].type)};
  for (size_t i = 0; i < QN_COUNT(q); i++)
    if (!q[i] || q[i]->scheme != QN_PER_LAYER || q[i]->storage->integer.width != 8) return false;
  return true;
}

/* ---- one case ---- */

static const char *check_fall_back(form_case *c, const qn_random_run *inputs,
                                   const qn_random_run *model, bool compile) {
  const qn_type *type = c->op->results[0].type;
  if (!form_lower(&c->m, qn_op_infos[c->op->kind].name)) return "has no fall-back";
  qn_random_run integer;
  if (qn_random_evaluate(&c->m, inputs, &integer) != QN_OK)
    return "does not run at the integer stage";
  const char *problem = NULL;
  if (form_has_reference(c->op->kind))
    problem = check_definition(c, inputs, &integer, type, has_exp(c->op->kind));
  bool profiled = c->only_bytes && is_partial(c->op->kind);
  if (!problem && !profiled && (c->only_bytes || !may_have_profile(c->op)))
    problem = check_steps(model, &integer, type, c->only_bytes ? 1 : 0);
  if (!problem) problem = form_check_stages(&c->m, inputs, &integer, compile);
  qn_arena_deinit(&integer.arena);
  return problem;
}

/* Whether lower-to-integer chooses the same form as the model stage. It does not if a matrix op has
 * weights or a bias that are not constant, which its integer form needs. */
static bool decides_alike(const form_case *c) {
  if (has_weights(c->op->kind) && may_have_profile(c->op))
    for (uint32_t i = 1; i < c->op->operand_count; i++)
      if (!qn_value_constant(qn_op_operand(c->op, i))) return false;
  return true;
}

static const char *check_default(form_case *c, const qn_random_run *inputs,
                                 const qn_random_run *model, bool compile) {
  (void)compile;
  if (!form_lower(&c->m, "")) return "is not lowered";
  qn_random_run integer;
  if (qn_random_evaluate(&c->m, inputs, &integer) != QN_OK)
    return "does not run at the integer stage";
  bool same = qn_random_same_results(model, &integer);
  qn_arena_deinit(&integer.arena);
  return same ? NULL : "differs between the model stage and the integer stage";
}

typedef const char *stage_check(form_case *c, const qn_random_run *inputs,
                                const qn_random_run *model, bool compile);

/* Runs a check on a copy of the module; the original is kept. */
static const char *on_copy(form_case *c, stage_check *run, const qn_random_run *inputs,
                           const qn_random_run *model, bool compile) {
  qn_module *made = c->m.module;
  c->m.module = qn_module_clone(made);
  c->m.func = qn_module_main(c->m.module);
  const char *problem = run(c, inputs, model, compile);
  if (problem) qn_random_dump(&c->m);
  qn_module_destroy(c->m.module);
  c->m.module = made;
  c->m.func = qn_module_main(made);
  return problem;
}

static const char *check(form_case *c, bool compile) {
  qn_random_run inputs, model;
  random_inputs(&c->m, &inputs);
  if (qn_random_evaluate(&c->m, &inputs, &model) != QN_OK) return "does not run";
  const char *problem = on_copy(c, check_fall_back, &inputs, &model, compile);
  if (!problem && decides_alike(c)) problem = on_copy(c, check_default, &inputs, &model, compile);
  qn_arena_deinit(&inputs.arena);
  qn_arena_deinit(&model.arena);
  return problem;
}

static int check_seed(qn_op_kind kind, uint64_t seed, bool compile) {
  form_case c;
  form_case_make(&c, kind, seed, seed % 3 == 0);
  const char *problem = check(&c, compile);
  if (problem) {
    qn_random_dump(&c.m);
    fprintf(stderr, "%s %llu %s\n", qn_op_infos[kind].name, (unsigned long long)seed, problem);
  }
  qn_random_free(&c.m);
  return problem != NULL;
}

int main(int argc, char **argv) {
  uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : SEEDS;
  int failures = 0;
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    const char *name = qn_op_infos[kind].name;
    if (!form_has_choice((qn_op_kind)kind) || (argc > 2 && strcmp(argv[2], name) != 0)) continue;
    int before = failures;
    if (argc > 3) failures += check_seed((qn_op_kind)kind, strtoull(argv[3], NULL, 10), true);
    for (uint64_t k = 1; argc <= 3 && k <= seeds; k++)
      failures += check_seed((qn_op_kind)kind, k, k % COMPILED == 1);
    fprintf(stderr, "%-20s %s\n", name, failures == before ? "ok" : "FAILED");
  }
  for (uint64_t k = 1; argc <= 2 && k <= seeds; k++)
    failures += form_check_mixed(k, k % COMPILED == 1);
  return failures != 0;
}

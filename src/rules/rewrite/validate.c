/* Computes a replacement and what it replaces from the same inputs, and compares the results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "eval/eval.h"
#include "ir/clone.h"
#include "ir/types/quant_at.h"
#include "rules/rewrite/run.h"

/* ---- the part of the graph ---- */

enum { MOST_OPS = 1 << 14 };

/* A function that computes both values. Its arguments are the operands that the rule's tags are
 * bound to. */
typedef struct cone {
  qn_rule_run *run;
  qn_module *module; /* a module of its own */
  qn_block *block;
  qn_map values; /* value of the graph -> value of the function */
  qn_map given;  /* set of values at which the walk backwards stops */
  QN_ARRAY(const qn_value *) inputs;
  QN_ARRAY(const qn_op *) ops; /* ops to copy, producers first */
  QN_ARRAY(const qn_op *) stack;
  bool too_large;
} cone;

static void take(const qn_rule_binding *binding, const qn_rule *rule, cone *c) {
  for (uint32_t i = 0; i < rule->tag_count; i++) {
    bool interior = rule->tags[i].let != NULL || !binding->bound[i];
    qn_value *value = interior ? NULL : qn_rule_value_of(binding->tags[i]);
    if (value && !qn_value_constant(value)) qn_map_set(&c->given, value, value);
  }
}

static void add_input(cone *c, qn_value *value) {
  if (qn_map_get(&c->values, value)) return;
  qn_map_set(&c->values, value, value); /* placeholder until the argument is created */
  qn_array_push(&c->inputs, value);
}

/* Collects the ops that a value is computed from, in the order of the block. */
static void collect(cone *c, qn_value *root) {
  qn_map seen = {0};
  if (!root->op || qn_map_get(&c->given, root)) {
    add_input(c, root);
    return;
  }
  qn_array_push(&c->stack, root->op);
  while (c->stack.count > 0) {
    const qn_op *op = c->stack.data[c->stack.count - 1];
    size_t before = c->stack.count;
    if (c->ops.count + before > MOST_OPS) c->too_large = true;
    for (uint32_t i = 0; i < op->operand_count && !qn_map_get(&seen, op) && !c->too_large; i++) {
      qn_value *value = qn_op_operand(op, i);
      if (!value->op || qn_map_get(&c->given, value))
        add_input(c, value);
      else if (!qn_map_get(&c->values, value->op))
        qn_array_push(&c->stack, value->op);
    }
    qn_map_set(&seen, op, c);
    if (c->stack.count > before) continue;
    c->stack.count--;
    if (qn_map_get(&c->values, op)) continue;
    qn_map_set(&c->values, op, c);
    qn_array_push(&c->ops, op);
  }
  qn_map_deinit(&seen);
}

static qn_value *copy_of(cone *c, qn_value *value) { return qn_map_get(&c->values, value); }

static void build(cone *c, qn_value *before, qn_value *after, qn_op **out_func) {
  qn_ir_context *cx = c->run->module->cx;
  const qn_loc *loc = cx->diag.unknown;
  const qn_type **types = QN_NEW_ARRAY(&c->module->arena, c->inputs.count + 1, const qn_type *);
  for (size_t i = 0; i < c->inputs.count; i++) types[i] = c->inputs.data[i]->type;
  const qn_type *results[] = {before->type, after->type};
  const qn_type *type = qn_type_function(cx, types, (uint32_t)c->inputs.count, results, 2);
  qn_builder b = qn_builder_at_end(c->module, qn_op_body(c->module->op), loc);
  *out_func = qn_build_func(&b, qn_str_of("cone"), type, NULL);
  c->block = qn_op_body(*out_func);
  for (size_t i = 0; i < c->inputs.count; i++)
    qn_map_set(&c->values, c->inputs.data[i], c->block->args[i]);
  for (size_t i = 0; i < c->ops.count; i++)
    qn_op_append(qn_op_clone(c->module, c->ops.data[i], &c->values), c->block);
  b = qn_builder_at_end(c->module, c->block, loc);
  (void)qn_build_0(&b, QN_OP_FUNC_RETURN, QN_VALUES(copy_of(c, before), copy_of(c, after)), NULL);
}

/* ---- numbers ---- */

/* Next random number (SplitMix64). */
static uint64_t next(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = (*state ^ (*state >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int64_t pick(uint32_t trial, int64_t i, int64_t low, int64_t high, int64_t zero,
                    uint64_t *state) {
  /* Element i in trial `trial`: all `low`, all `high`, alternating both, then random. One in eight
   * random values is a boundary value. */
  const int64_t extremes[] = {low,      high,     zero,     low + 1,
                              high - 1, zero + 1, zero - 1, low + (high - low) / 2};
  if (trial < 2) return extremes[trial];
  if (trial == 2) return i % 2 ? low : high;
  uint64_t random = next(state);
  int64_t value = random % 8 == 0 ? extremes[random / 8 % 8]
                                  : low + (int64_t)(random / 8 % (uint64_t)(high - low + 1));
  return value < low ? low : value > high ? high : value;
}

static void fill_codes(const qn_type *type, uint32_t trial, uint64_t *state, uint8_t *data) {
  const qn_type *element = qn_type_element(type);
  const qn_quant_uniform *q = qn_type_quant(element);
  uint32_t size = qn_type_bytes(element);
  int64_t low = q ? q->min : INT8_MIN, high = q ? q->max : INT8_MAX;
  int64_t zero = q ? q->zero_points[0] : 0, count = qn_type_elements(type);
  for (int64_t i = 0; i < count; i++) {
    int64_t code = pick(trial, i, low, high, zero, state);
    memcpy(data + (size_t)i * size, &code, size);
  }
}

static void fill_reals(const qn_type *type, uint32_t trial, uint64_t *state, uint8_t *data) {
  const qn_type *element = qn_type_element(type);
  int64_t count = qn_type_elements(type);
  for (int64_t i = 0; i < count; i++) {
    float real = (float)pick(trial, i, -4096, 4096, 0, state) / 512.0f;
    uint32_t size = qn_type_bytes(element);
    if (qn_type_is_float(element, QN_F32))
      memcpy(data + (size_t)i * size, &real, size);
    else
      memset(data + (size_t)i * size, 0, size);
  }
}

static void fill(const qn_type *type, uint32_t trial, uint64_t *state, qn_arena *arena,
                 qn_rt_value *out_value) {
  int64_t size = qn_type_size(type);
  *out_value =
      (qn_rt_value){.type = type, .data = qn_arena_alloc(arena, (size_t)size), .size = size};
  if (qn_type_element(type)->kind == QN_TYPE_FLOAT)
    fill_reals(type, trial, state, out_value->data);
  else
    fill_codes(type, trial, state, out_value->data);
}

/* ---- comparing ---- */

typedef struct worst {
  int64_t index;
  double before, after, distance; /* 0: every element is as close as the rule promises */
} worst;

/* Maximum permitted difference. Rules that are QN_RULE_APPROX are not compared on codes, because
 * codes may differ by any amount where an encoding saturates. */
static double tolerance_of(qn_rule_exactness exact, bool codes, double value) {
  if (exact == QN_RULE_BIT) return 0;
  if (codes) return exact == QN_RULE_APPROX ? (double)INFINITY : 1;
  double relative = exact == QN_RULE_APPROX ? 0.02 : 1e-5;
  return relative * (1 + fabs(value));
}

static worst compare(const qn_rt_value *a, const qn_rt_value *b, qn_rule_exactness exact) {
  const qn_type *element = qn_type_element(a->type);
  bool real = element->kind == QN_TYPE_FLOAT;
  worst w = {0};
  for (int64_t i = 0; i < qn_rt_count(a); i++) {
    double x = real ? qn_rt_float(a, i) : (double)qn_rt_int(a, i);
    double y = real ? qn_rt_float(b, i) : (double)qn_rt_int(b, i);
    bool same = x == y || (isnan(x) && isnan(y));
    double distance = isnan(x) != isnan(y) ? INFINITY : fabs(x - y);
    if (same || distance <= tolerance_of(exact, !real, x) || distance <= w.distance) continue;
    w = (worst){i, x, y, distance};
  }
  return w;
}

static const char *describe(qn_rule_run *run, const qn_rule *rule, const qn_type *type, worst w) {
  bool real = qn_type_element(type)->kind == QN_TYPE_FLOAT;
  return qn_arena_format(&run->arena,
                         real ? "element %lld is %g before and %g after, and the rule says %s"
                              : "code %lld is %.0f before and %.0f after, and the rule says %s",
                         (long long)w.index, w.before, w.after,
                         qn_rule_exactness_names[rule->exact])
      .data;
}

static const char *why_not(qn_rule_run *run, qn_status status) {
  const char *said = run->captured.size > 0 ? run->captured.data : qn_status_name(status);
  return qn_arena_format(&run->arena, "it can't be computed: %s", said).data;
}

static const char *run_trials(cone *c, const qn_rule *rule, const qn_op *func, bool *out_wrong) {
  enum { TRIALS = 5 };
  uint64_t state = 1;
  const char *difference = NULL;
  qn_rt_value *args = QN_NEW_ARRAY(&c->module->arena, c->inputs.count + 1, qn_rt_value);
  for (uint32_t trial = 0; trial < TRIALS && !difference; trial++) {
    qn_arena arena;
    qn_rt_value results[2];
    qn_arena_init(&arena);
    for (size_t i = 0; i < c->inputs.count; i++)
      fill(c->inputs.data[i]->type, trial, &state, &arena, &args[i]);
    qn_rule_quiet quiet = qn_rule_begin_quiet(c->run);
    qn_status status =
        qn_eval_call(c->module, func, args, (uint32_t)c->inputs.count, results, &arena, NULL);
    qn_rule_end_quiet(c->run, &quiet);
    if (status == QN_OK) {
      worst w = compare(&results[0], &results[1], rule->exact);
      *out_wrong = w.distance > 0;
      if (w.distance > 0) difference = describe(c->run, rule, results[0].type, w);
    } else {
      difference = why_not(c->run, status);
    }
    qn_arena_deinit(&arena);
  }
  return difference;
}

static void keep_attrs(qn_module *to, const qn_module *from) {
  const qn_attr *numerics = qn_op_find(from->op, QN_A_NUMERICS);
  if (numerics) qn_op_set_attr(to, to->op, qn_attr_decls[QN_A_NUMERICS].name, numerics);
}

const char *qn_rule_validate(qn_rule_run *run, const qn_rule *rule, const qn_rule_binding *binding,
                             qn_value *before, qn_value *after, bool *out_wrong) {
  cone c = {.run = run, .module = qn_module_create(run->module->cx, run->module->cx->diag.unknown)};
  const char *difference = "the ops around it are too many to be computed";
  qn_op *func;
  keep_attrs(c.module, run->module);
  take(binding, rule, &c);
  collect(&c, before);
  collect(&c, after);
  if (!c.too_large) {
    build(&c, before, after, &func);
    difference = run_trials(&c, rule, func, out_wrong);
  }
  qn_array_free(&c.inputs);
  qn_array_free(&c.ops);
  qn_array_free(&c.stack);
  qn_map_deinit(&c.values);
  qn_map_deinit(&c.given);
  qn_module_destroy(c.module);
  return difference;
}

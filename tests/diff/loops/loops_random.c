/* Random modules of the integer stage compared with their loops: for every CPU level, with and
 * without keep_tensors, executed by the interpreter, and as machine code at the levels that this
 * machine supports. Outputs and, with keep_tensors, all tensors must have the same bytes. The arena
 * has random contents at first, so that reads of unwritten memory are detected.
 *
 * usage: diff_loops_random [case [seed]]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "codegen/codegen.h"
#include "eval/eval.h"
#include "ir/clone.h"
#include "lower/lower.h"
#include "maker.h"
#include "tests/support/main_arguments.h"
#include "tests/support/memory_plan.h"
#include "tests/support/prepared.h"

/* One module in COMPILED is compiled: that takes much longer than interpreting it. */
enum { COMPILED = 12 };

typedef struct case_row {
  const char *name;
  int repeats;
  case_fn *make;
} case_row;
static const case_row cases[] = {
#define CASE(name, repeats) {#name, repeats, case_##name},
#include "cases.def"
#undef CASE
};

/* ---- reference and loops ---- */

typedef struct sides {
  maker *m;
  qn_rt_value *inputs, *results;
  uint32_t input_count, result_count;
  qn_bytes *kept; /* by tensor number */
  const qn_type **kept_types;
} sides;

static void print_diagnostic(void *user, const qn_diag *diag) {
  (void)user;
  fprintf(stderr, "%.*s\n", QN_STR_ARG(diag->text));
}

static void fill_noise(maker *m, const qn_type *element, uint8_t *data, int64_t size) {
  bool is_float = element->kind == QN_TYPE_FLOAT;
  static const float special[] = {0.0f, -0.0f, 0.5f, -0.5f, 1e30f, -1e30f, 3e9f, -3e9f};
  for (int64_t i = 0; !is_float && i < size; i++) data[i] = (uint8_t)maker_random(m);
  for (int64_t i = 0; is_float && i + 4 <= size; i += 4) {
    float x = (float)maker_range(m, -40000, 40000) / 1024.0f;
    if (maker_chance(m, 10)) x = special[maker_random(m) % QN_COUNT(special)];
    if (maker_chance(m, 2)) x = maker_chance(m, 50) ? (float)NAN : (float)INFINITY;
    memcpy(data + i, &x, sizeof x);
  }
}

static qn_rt_value new_buffer(maker *m, const qn_type *type, bool noise) {
  int64_t size = qn_type_size(type);
  qn_rt_value value = {
      .type = type, .data = qn_arena_alloc(m->arena, (size_t)size + 1), .size = size};
  if (noise) fill_noise(m, qn_type_element(type), value.data, size);
  return value;
}

static void keep_result(void *user, const qn_op *op, uint32_t result, const qn_rt_value *value) {
  sides *s = user;
  qn_i64s numbers = qn_op_tensors(op);
  if (result >= numbers.count) return;
  s->kept_types[numbers.data[result]] = value->type;
  s->kept[numbers.data[result]] =
      (qn_bytes){qn_arena_copy(s->m->arena, value->data, (size_t)value->size), (size_t)value->size};
}

static bool run_integer(sides *s) {
  const qn_op *func = s->m->main;
  const qn_block *body = qn_op_body(func);
  s->input_count = body->arg_count;
  s->result_count = body->last->operand_count;
  s->inputs = QN_NEW_ARRAY(s->m->arena, s->input_count, qn_rt_value);
  s->results = QN_NEW_ARRAY(s->m->arena, s->result_count, qn_rt_value);
  s->kept = QN_NEW_ARRAY(s->m->arena, (size_t)s->m->tensors + 1, qn_bytes);
  s->kept_types = QN_NEW_ARRAY(s->m->arena, (size_t)s->m->tensors + 1, const qn_type *);
  for (uint32_t i = 0; i < s->input_count; i++)
    s->inputs[i] = new_buffer(s->m, body->args[i]->type, true);
  qn_eval_options options = {.observe = keep_result, .user = s};
  return qn_eval_call(s->m->module, func, s->inputs, s->input_count, s->results, s->m->arena,
                      &options) == QN_OK;
}

static int64_t dict_i64(const qn_attr *dict, const char *name) {
  for (uint32_t i = 0; i < dict->dict.count; i++)
    if (qn_str_is(dict->dict.items[i].name, name)) return dict->dict.items[i].value->integer;
  return -2;
}

/* Whether bytes are equal. For floats, any two NaN are equal. */
static bool same(const qn_type *type, const uint8_t *a, const uint8_t *b, int64_t size) {
  if (!qn_type_is_float(qn_type_element(type), QN_F32)) return memcmp(a, b, (size_t)size) == 0;
  for (int64_t i = 0; i < size; i += 4) {
    float x, y;
    memcpy(&x, a + i, sizeof x);
    memcpy(&y, b + i, sizeof y);
    if (memcmp(a + i, b + i, 4) != 0 && !(isnan(x) && isnan(y))) return false;
  }
  return true;
}

static bool same_probes(const sides *s, const qn_module *loops, const qn_rt_value *args) {
  const qn_attr *probes = qn_op_find(loops->op, QN_A_PROBES);
  const qn_rt_value *arena = &args[s->input_count + s->result_count];
  if (!probes || probes->array.count != (uint64_t)s->m->tensors) return false;
  for (uint32_t i = 0; i < probes->array.count; i++) {
    const qn_attr *p = probes->array.items[i];
    qn_bytes expected = s->kept[dict_i64(p, "index")];
    int64_t output = dict_i64(p, "output"), offset = dict_i64(p, "offset"),
            bytes = dict_i64(p, "bytes");
    if (bytes != (int64_t)expected.size ||
        (output < 0 && (offset < 0 || offset + bytes > arena->size)))
      return false;
    const uint8_t *data = output >= 0 ? args[s->input_count + output].data : arena->data + offset;
    if (!same(s->kept_types[dict_i64(p, "index")], data, expected.data, bytes)) return false;
  }
  return true;
}

/* Executes the loops: writes outputs and arena. */
typedef bool engine_fn(const sides *s, qn_module *loops, const qn_target *target, qn_rt_value *args,
                       uint32_t count);

static bool interpret(const sides *s, qn_module *loops, const qn_target *target, qn_rt_value *args,
                      uint32_t count) {
  (void)target;
  return qn_eval_call(loops, qn_module_main(loops), args, count, NULL, s->m->arena, NULL) == QN_OK;
}

/* Runs a kernel in three chunks, the last one first: units must be independent. */
static void chunks(void *pool, qn_abi_kernel *kernel, void *const *args, int64_t count) {
  (void)pool;
  kernel(args, count * 2 / 3, count);
  kernel(args, count / 3, count * 2 / 3);
  kernel(args, 0, count / 3);
}

static bool execute(const sides *s, qn_module *loops, const qn_target *target, qn_rt_value *args,
                    uint32_t count) {
  qn_codegen_options options = {.symbol = qn_str_of("model")};
  qn_jit *jit;
  if (qn_codegen_target_resolve(s->m->cx, NULL, target->name, NULL, &options.target) != QN_OK ||
      qn_jit_create(loops, &options, &jit) != QN_OK)
    return false;
  void **data = QN_NEW_ARRAY(s->m->arena, count, void *);
  for (uint32_t i = 0; i < count; i++) data[i] = args[i].data;
  qn_abi_call call = {.inputs = (const void *const *)data,
                      .outputs = data + s->input_count,
                      .arena = data[s->input_count + s->result_count],
                      .parallel_for = chunks};
  bool ok = invoke_prepared(qn_jit_model(jit), call) == 0;
  qn_jit_destroy(jit);
  return ok;
}

static bool run_loops(const sides *s, qn_module *loops, const qn_target *target, bool keep,
                      engine_fn *engine) {
  const qn_op *func = qn_module_main(loops);
  const qn_block *body = qn_op_body(func);
  uint32_t count = body->arg_count;
  qn_rt_value *args = QN_NEW_ARRAY(s->m->arena, count, qn_rt_value);
  for (uint32_t i = 0; i < count; i++) {
    args[i] = new_buffer(s->m, body->args[i]->type, true);
    if (i < s->input_count) memcpy(args[i].data, s->inputs[i].data, (size_t)args[i].size);
  }
  if (!engine(s, loops, target, args, count)) return false;
  for (uint32_t i = 0; i < s->result_count; i++) {
    const qn_rt_value *out = &args[s->input_count + i];
    if (out->size != s->results[i].size ||
        !same(s->results[i].type, out->data, s->results[i].data, out->size))
      return false;
  }
  return !keep || same_probes(s, loops, args);
}

/* ---- one case ---- */

static bool has_sound_memory(const qn_module *loops) {
  qn_text problems = {0};
  bool ok = qn_memory_plan_check(loops, &problems);
  if (!ok) fprintf(stderr, "%s", problems.data);
  qn_text_deinit(&problems);
  return ok;
}

/* Returns NULL or a problem. */
static const char *check_target(const sides *s, const qn_target *target, bool keep, bool compile) {
  static const qn_pass *const passes[] = {&qn_pass_use_unsigned, &qn_pass_lower_to_loops};
  qn_module *loops = qn_module_clone(s->m->module);
  const qn_lower_config config = {.target = target, .keep_tensors = keep};
  const qn_pipeline_options options = {.config = &config, .verify_each = true};
  const char *problem = NULL;
  if (qn_pipeline_run(loops, passes, QN_COUNT(passes), &options) != QN_OK)
    problem = "is not lowered";
  else if (!has_sound_memory(loops))
    problem = "has a wrong memory plan";
  else if (!takes_only_memory(loops, s->input_count, s->result_count))
    problem = "has other arguments";
  else if (!run_loops(s, loops, target, keep, interpret))
    problem = "differs in the interpreter";
  else if (compile && qn_codegen_host_runs(target) && !run_loops(s, loops, target, keep, execute))
    problem = "differs as machine code";
  qn_module_destroy(loops);
  return problem;
}

static void open_maker(maker *m, qn_ir_context *cx, qn_arena *arena, uint64_t seed) {
  const qn_loc *loc = cx->diag.unknown;
  *m = (maker){.module = qn_module_create(cx, loc), .cx = cx, .arena = arena, .seed = seed};
  qn_builder b = qn_builder_at_end(m->module, qn_op_body(m->module->op), loc);
  m->main = qn_build_func(&b, qn_str_of("main"), qn_type_function(cx, NULL, 0, NULL, 0), NULL);
  m->b = qn_builder_at_end(m->module, qn_op_body(m->main), loc);
}

static int check_case(const case_row *row, uint64_t seed, bool compile) {
  qn_ir_context cx;
  qn_arena arena;
  qn_ir_context_init(&cx);
  qn_arena_init(&arena);
  cx.diag.handler = print_diagnostic;
  maker m;
  open_maker(&m, &cx, &arena, seed);
  row->make(&m);
  sides s = {.m = &m};
  uint32_t target_count;
  const qn_target *targets = qn_targets(&target_count);
  int failures = 0;
  if (qn_verify(m.module) != QN_OK || !run_integer(&s)) {
    fprintf(stderr, "%s %llu: the integer stage does not run\n", row->name,
            (unsigned long long)seed);
    failures++;
  }
  for (uint32_t i = 0; failures == 0 && i < 2 * target_count; i++) {
    const char *problem = check_target(&s, &targets[i / 2], i % 2 != 0, compile && i % 2 == 0);
    if (!problem) continue;
    fprintf(stderr, "%s %llu: %s%s %s\n", row->name, (unsigned long long)seed, targets[i / 2].name,
            i % 2 ? " with kept tensors" : "", problem);
    failures++;
  }
  qn_module_destroy(m.module);
  qn_arena_deinit(&arena);
  qn_ir_context_deinit(&cx);
  return failures;
}

int main(int argc, char **argv) {
  int failures = 0;
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    if (argc > 1 && strcmp(argv[1], cases[i].name) != 0) continue;
    int before = failures;
    if (argc > 2) failures += check_case(&cases[i], strtoull(argv[2], NULL, 10), true);
    for (int k = 1; argc <= 2 && k <= cases[i].repeats; k++)
      failures += check_case(&cases[i], (uint64_t)k, k % COMPILED == 1);
    printf("%-14s %s\n", cases[i].name, failures == before ? "ok" : "FAILED");
  }
  return failures != 0;
}

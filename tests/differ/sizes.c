/* Generated models with a size that each call says: code for up to five entries gives, for every
 * number of them, what the model with that number in its types computes, and that is the beginning
 * of what it computes of all.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <stdlib.h>

#include "api/passes/pipelines.h"
#include "ir/clone.h"
#include "ir/entry/entry.h"
#include "tests/differ/differ.h"
#include "text/text.h"

enum { BOUND = 5, MOST_MARKINGS = 64, MOST_THREADS = 4, UNTOUCHED = 0xa5 };

/* The numbers of entries, each more than before: what is not computed has no right value left. */
static const int64_t sizes[] = {1, 2, 3, BOUND};

/* ---- the model ---- */

/* The first dimension that is longer than 1, or dimension 0; false: there is none. */
static bool find_dimension(const qn_type *type, bool first, uint32_t *out_dimension) {
  if (type->kind != QN_TYPE_TENSOR || !qn_type_is_static(type) || type->shaped.rank == 0)
    return false;
  uint32_t d = 0;
  while (!first && d + 1 < type->shaped.rank && type->shaped.dims[d] == 1) d++;
  *out_dimension = d;
  return type->shaped.dims[d] > 0;
}

static const qn_attr *size_names(qn_ir_context *cx, uint32_t dimension) {
  const qn_attr *names[16];
  for (uint32_t d = 0; d < dimension; d++) names[d] = qn_attr_string(cx, qn_str_of(""));
  names[dimension] = qn_attr_string(cx, qn_str_of("n"));
  return qn_attr_array(cx, names, dimension + 1);
}

/* Names the size of those inputs whose bits are set. */
static bool mark(qn_module *module, uint32_t bits, bool first) {
  qn_op *func = qn_module_main(module);
  const qn_block *body = qn_op_body(func);
  qn_port ports[QN_RANDOM_MAX_ARGS];
  for (uint32_t i = 0; i < body->arg_count; i++) {
    uint32_t d;
    if (qn_port_read(module->cx, func, QN_SIDE_ARGUMENTS, i, &ports[i]) != QN_OK) return false;
    ports[i].sizes = NULL;
    ports[i].present &= ~(UINT32_C(1) << QN_PORT_SIZES);
    if (!(bits >> i & 1)) continue;
    if (!find_dimension(body->args[i]->type, first, &d) || d >= 16) return false;
    ports[i].sizes = size_names(module->cx, d);
    qn_port_note(&ports[i], QN_PORT_SIZES);
  }
  qn_ports_set(module, func, QN_SIDE_ARGUMENTS, ports, body->arg_count);
  return true;
}

/* The module with so many entries in its types; NULL: an op can't do with other entries. */
static qn_module *bound_to(const qn_module *module, int64_t size) {
  qn_module *bound = qn_module_clone(module);
  qn_arena arena;
  qn_arena_init(&arena);
  qn_entry entry;
  qn_status status = qn_entry_read(bound, qn_module_main(bound), &arena, &entry);
  if (status == QN_OK) qn_entry_bind(bound, &entry, &size);
  if (status == QN_OK) status = qn_verify(bound);
  qn_arena_deinit(&arena);
  if (status == QN_OK) return bound;
  qn_module_destroy(bound);
  return NULL;
}

/* A copy for up to BOUND entries. As many as the random model has may be the length of other
 * dimensions, too, and mean nothing there: what is a module of other numbers as well has entries.
 */
static qn_module *open_size(const qn_module *module, uint32_t bits, bool first) {
  qn_module *marked = qn_module_clone(module), *open = NULL, *again = NULL;
  if (mark(marked, bits, first)) open = bound_to(marked, BOUND);
  if (open) again = bound_to(open, BOUND - 1);
  if (open && !again) qn_module_destroy(open);
  if (again)
    qn_op_set_attr(open, open->op, qn_attr_decls[QN_A_FALL_BACK].name, qn_attr_unit(open->cx));
  qn_module_destroy(again);
  qn_module_destroy(marked);
  return again ? open : NULL;
}

/* The first of some drawn ways to leave a size of inputs open with which all ops can do. */
static qn_module *draw_open_size(differ *d) {
  uint32_t args = qn_op_body(d->m.func)->arg_count, ways = 1U << args;
  uint32_t drawn = (uint32_t)qn_choose(&d->m.choices, ways);
  bool first = qn_choose(&d->m.choices, 2) == 1;
  qn_diag_state state = qn_diag_silence(&d->m.cx.diag);
  qn_module *open = NULL;
  for (uint32_t i = 0; i < ways && i < MOST_MARKINGS && !open; i++)
    if ((drawn ^ i) != 0) open = open_size(d->m.module, drawn ^ i, first);
  qn_diag_restore(&d->m.cx.diag, &state);
  return open;
}

/* ---- what it computes ---- */

/* As much of a value as a tensor of that type has. */
static qn_rt_value beginning(qn_rt_value value, const qn_type *type) {
  value.type = type;
  if (value.data && qn_type_is_shaped(type)) value.size = qn_type_size(type);
  return value;
}

/* Interprets a model; at the integer stage, where ops go through float, as the others do then. */
static qn_status interpret(differ *d, const qn_module *module, bool in_float,
                           qn_random_run *out_run) {
  const qn_lower_config config = {.target = qn_targets(&(uint32_t){0})};
  const qn_run_settings settings = qn_pipeline_settings(&config);
  qn_module *copy = qn_module_clone(module);
  qn_status status =
      in_float ? qn_pipeline_lower(copy, &settings, QN_STAGE_MODEL, QN_STAGE_INTEGER) : QN_OK;
  *out_run = (qn_random_run){.arg_count = 0};
  if (status == QN_OK) status = differ_interpret(d, copy, out_run);
  qn_module_destroy(copy);
  return status;
}

/* What the model computes with that number of entries in its types, which is the beginning of what
 * it computes of all of them. */
static bool compute(differ *d, const qn_module *open, bool in_float, int64_t size,
                    qn_random_run *out_run) {
  qn_random_run all = d->inputs, expected = d->expected;
  qn_module *bound = bound_to(open, size);
  if (!bound) return differ_problem(d, NULL, "fewer entries make no module");
  const qn_block *body = qn_op_body(qn_module_main(bound));
  for (uint32_t i = 0; i < all.arg_count; i++)
    d->inputs.args[i] = beginning(all.args[i], body->args[i]->type);
  qn_status status = interpret(d, bound, in_float, out_run);
  d->inputs = all;
  bool ok = status == QN_OK || differ_problem(d, bound, "fewer entries do not run");
  if (ok) {
    for (uint32_t i = 0; i < all.result_count; i++)
      d->expected.results[i] = beginning(expected.results[i], out_run->results[i].type);
    ok = differ_same(d, out_run) || differ_problem(d, bound, "entries are not apart");
  }
  d->expected = expected;
  qn_module_destroy(bound);
  return ok;
}

/* ---- what code computes ---- */

typedef struct compiled {
  qn_context *context;
  qn_model *model;
  qn_executable *executable;
  bool warned; /* of what goes through float */
  bool verbose;
} compiled;

static void note(void *user, int severity, const char *message) {
  compiled *c = user;
  c->warned |= severity == QN_MESSAGE_WARNING;
  if (c->verbose) fprintf(stderr, "with an open size: %s\n", message);
}

static void close_compiled(compiled *c) {
  qn_executable_destroy(c->executable);
  qn_model_destroy(c->model);
  qn_context_destroy(c->context);
}

/* By the interface that programs have, from text, on an engine that is drawn. */
static qn_status open_compiled(differ *d, const qn_module *open, compiled *c) {
  static const qn_form stages[] = {QN_FORM_INTEGER, QN_FORM_LOOPS};
  const qn_target *target = differ_target(d);
  bool jit = differ_is_compiled(d) && qn_host_runs(target->name);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.engine = jit ? QN_ENGINE_JIT : QN_ENGINE_INTERPRETER;
  options.stage = jit ? QN_FORM_MODEL : stages[qn_choose(&d->m.choices, QN_COUNT(stages))];
  options.cpu = target->name;
  options.keep_tensors = qn_choose(&d->m.choices, 4) == 3;
  uint32_t threads = 1 + (uint32_t)qn_choose(&d->m.choices, MOST_THREADS);
  qn_text text = {0};
  qn_text_print(open, NULL, &text);
  qn_bytes bytes = {(const uint8_t *)text.data, text.size};
  *c = (compiled){.context = qn_context_create(), .verbose = d->options->verbose};
  qn_context_set_handler(c->context, note, c);
  qn_status status = qn_model_load_memory(c->context, bytes, "sized.mlir", NULL, &c->model);
  if (status == QN_OK) status = qn_compile(c->model, &options, &c->executable);
  if (status == QN_OK) status = qn_executable_set_threads(c->executable, threads);
  qn_text_deinit(&text);
  return status;
}

/* Buffers of the entries that are read, and of all that could be written: what is after the
 * entries at hand has to stay. */
typedef struct ends {
  uint8_t *inputs[QN_RANDOM_MAX_ARGS], *outputs[QN_RANDOM_MAX_ARGS];
} ends;

static bool fill_ends(const differ *d, const compiled *c, ends *e) {
  *e = (ends){.inputs = {NULL}};
  bool ok = qn_executable_input_count(c->executable) == d->inputs.arg_count &&
            qn_executable_output_count(c->executable) == d->inputs.result_count;
  for (uint32_t i = 0; ok && i < d->inputs.arg_count; i++) {
    size_t bytes = qn_executable_input(c->executable, i).bytes;
    ok = (int64_t)bytes <= d->inputs.args[i].size && (e->inputs[i] = malloc(bytes + 1));
    if (ok && bytes > 0) memcpy(e->inputs[i], d->inputs.args[i].data, bytes);
  }
  for (uint32_t i = 0; ok && i < d->inputs.result_count; i++) {
    size_t bytes = (size_t)d->expected.results[i].size;
    ok = (e->outputs[i] = malloc(bytes + 1)) != NULL;
    if (ok) memset(e->outputs[i], UNTOUCHED, bytes);
  }
  return ok;
}

static void free_ends(ends *e) {
  for (uint32_t i = 0; i < QN_RANDOM_MAX_ARGS; i++) free(e->inputs[i]), free(e->outputs[i]);
}

/* Whether the outputs are `now`, and as they were after it. */
static bool same_ends(differ *d, const ends *e, const qn_random_run *now) {
  qn_random_run got = *now, all = d->expected;
  bool ok = true;
  for (uint32_t i = 0; i < d->inputs.result_count; i++) {
    got.results[i].data = e->outputs[i];
    for (int64_t k = now->results[i].size; k < all.results[i].size; k++)
      ok &= e->outputs[i][k] == UNTOUCHED;
  }
  d->expected = *now;
  ok = ok && differ_same(d, &got);
  d->expected = all;
  return ok;
}

static bool run(differ *d, const compiled *c, const qn_random_run *now) {
  ends e;
  bool ok = fill_ends(d, c, &e) &&
            qn_executable_invoke(c->executable, (const void *const *)e.inputs,
                                 (void *const *)e.outputs) == QN_OK &&
            same_ends(d, &e, now);
  free_ends(&e);
  return ok;
}

static bool check_size(differ *d, const compiled *c, const qn_module *open, int64_t size) {
  qn_random_run now = {.arg_count = 0};
  bool ok = compute(d, open, c->warned, size, &now);
  if (ok && qn_executable_set_size(c->executable, 0, size) != QN_OK)
    ok = differ_problem(d, NULL, "the size is not taken");
  ok = ok && (run(d, c, &now) || differ_problem(d, NULL, "another number of entries differs"));
  qn_arena_deinit(&now.arena);
  return ok;
}

/* Whether what comes in and out are tensors, as programs have them. */
static bool has_ends(const differ *d) {
  bool shaped = true;
  for (uint32_t i = 0; i < d->inputs.arg_count; i++) shaped &= d->inputs.args[i].data != NULL;
  for (uint32_t i = 0; i < d->inputs.result_count; i++)
    shaped &= qn_type_is_shaped(d->expected.results[i].type);
  return shaped;
}

static bool check_all(differ *d, const compiled *c, const qn_module *open) {
  qn_status status = interpret(d, open, c->warned, &d->expected);
  if (status == QN_UNSUPPORTED || (status == QN_OK && !has_ends(d))) return true;
  bool ok = status == QN_OK || differ_problem(d, NULL, "more entries do not run");
  d->counts->sized++;
  for (size_t i = 0; ok && i < QN_COUNT(sizes); i++) ok = check_size(d, c, open, sizes[i]);
  return ok;
}

static bool check_open(differ *d, const qn_module *open) {
  compiled c;
  qn_status status = open_compiled(d, open, &c);
  bool ok = true;
  if (status == QN_OK)
    ok = check_all(d, &c, open);
  else if (status == QN_UNSUPPORTED)
    d->counts->unsized++;
  else
    ok = differ_problem(d, NULL, "with an open size there is no code");
  close_compiled(&c);
  return ok;
}

bool differ_check_sizes(differ *d) {
  qn_module *open = draw_open_size(d), *fixed = d->m.module;
  qn_op *func = d->m.func;
  if (!open) return true;
  d->m.module = open; /* what is printed when something differs */
  d->m.func = qn_module_main(open);
  qn_arena_deinit(&d->inputs.arena);
  qn_arena_deinit(&d->expected.arena);
  d->expected = (qn_random_run){.arg_count = 0};
  differ_make_inputs(d);
  bool ok = check_open(d, open);
  d->m.module = fixed;
  d->m.func = func;
  qn_module_destroy(open);
  return ok;
}

/* The JIT engine: lowers to loops, compiles, and runs the code through the runtime.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/cache/cache.h"
#include "api/call.h"
#include "api/executable.h"
#include "api/inspect/inspect.h"
#include "base/clock.h"
#include "runtime/model.h"

typedef struct jit_state {
  qn_jit *jit;
  bool borrowed; /* a clone: another executable owns `jit` */
  qn_instance *instance;
} jit_state;

static qn_status set_threads(qn_executable *executable, uint32_t threads) {
  jit_state *state = executable->state;
  return qn_instance_set_threads(state->instance, threads);
}

static qn_status run(const qn_executable *executable, const void *const *inputs,
                     void *const *outputs) {
  jit_state *state = executable->state;
  qn_watch_time(executable->context, state->instance);
  int32_t loop = qn_instance_invoke(state->instance, inputs, outputs);
  return qn_loops_ended(&executable->context->ir.diag, qn_jit_model(state->jit), loop);
}

/* Runs the code. Only a time limit can abort it. */
static qn_status invoke(qn_executable *executable, const void *const *inputs,
                        void *const *outputs) {
  qn_status status;
  if (!executable->context->account.timed) return run(executable, inputs, outputs);
  QN_CALL(&status, executable->context, NULL, NULL, run(executable, inputs, outputs));
  return status;
}

static uint32_t threads_of(const qn_executable *executable) {
  const jit_state *state = executable->state;
  return qn_instance_threads(state->instance);
}

static qn_status invoke_many(qn_executable *executable, const qn_many *many) {
  jit_state *state = executable->state;
  qn_diag_engine *diag = &executable->context->ir.diag;
  int32_t loop;
  if (qn_instance_invoke_many(state->instance, many, &loop) != QN_OK)
    return qn_error(diag, diag->unknown, QN_LIMIT, "no memory for an arena of each thread");
  return qn_loops_ended(diag, qn_jit_model(state->jit), loop);
}

static qn_status profile(qn_executable *executable, const void *const *inputs, void *const *outputs,
                         qn_step_time *out_steps) {
  jit_state *state = executable->state;
  qn_arena scratch;
  qn_arena_init(&scratch);
  double *seconds = QN_NEW_ARRAY(&scratch, executable->step_count + 1, double);
  qn_watch_time(executable->context, state->instance);
  int32_t loop = qn_instance_profile(state->instance, inputs, outputs, seconds);
  const qn_abi_model *entry = qn_jit_model(state->jit);
  for (uint32_t i = 0; i < executable->step_count; i++)
    out_steps[i] = (qn_step_time){.name = entry->steps[i].name,
                                  .macs = entry->steps[i].macs,
                                  .bytes = entry->steps[i].bytes,
                                  .seconds = seconds[i]};
  qn_arena_deinit(&scratch);
  return qn_loops_ended(&executable->context->ir.diag, entry, loop);
}

static void *state_of(const qn_executable *executable, uint32_t index) {
  const jit_state *state = executable->state;
  return qn_instance_state(state->instance, index);
}

static void reset(qn_executable *executable) {
  jit_state *state = executable->state;
  qn_instance_reset(state->instance);
}

static qn_status set_size(qn_executable *executable, uint32_t index, int64_t size) {
  jit_state *state = executable->state;
  return qn_instance_set_size(state->instance, index, size);
}

static void tensors(const qn_executable *executable, qn_tensor_fn *visit, void *user) {
  const jit_state *state = executable->state;
  qn_instance_probes(state->instance, executable->kept_outputs, visit, user);
}

static void destroy(qn_executable *executable) {
  jit_state *state = executable->state;
  qn_instance_destroy(state->instance);
  if (!state->borrowed) qn_jit_destroy(state->jit);
}

static void release(qn_executable *executable) {
  jit_state *state = executable->state;
  qn_instance_destroy(state->instance); /* the instance does not own the code */
}

/* Connects a new instance of the code to its executable: states, sizes and signature. `source`: the
 * instance whose prepared constants it shares; NULL for the first one. */
static void add_instance(qn_executable *executable, const qn_instance *source) {
  jit_state *state = executable->state;
  const qn_abi_model *entry = qn_jit_model(state->jit);
  qn_status status = source ? qn_instance_clone(source, &state->instance)
                            : qn_instance_create(entry, &state->instance);
  if (status != QN_OK) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  qn_signature_of_abi(entry, &executable->arena, &executable->signature);
  executable->step_count = entry->step_count;
}

static qn_status clone(const qn_executable *source, qn_executable *executable) {
  const jit_state *from = source->state;
  jit_state *state = QN_NEW(&executable->arena, jit_state);
  *state = (jit_state){.jit = from->jit, .borrowed = true};
  executable->state = state;
  executable->engine = source->engine;
  executable->steps = source->steps;
  executable->stats = source->stats;
  add_instance(executable, from->instance);
  return QN_OK;
}

static const qn_engine_ops ops = {.set_threads = set_threads,
                                  .invoke = invoke,
                                  .invoke_many = invoke_many,
                                  .threads = threads_of,
                                  .profile = profile,
                                  .state = state_of,
                                  .reset = reset,
                                  .set_size = set_size,
                                  .tensors = tensors,
                                  .destroy = destroy,
                                  .release = release,
                                  .clone = clone};

/* ---- machine code: compiled, or loaded from the cache ---- */

typedef struct keeping {
  const qn_compile_options *options;
  qn_diag_engine *diag;
  qn_cache_key key;
  /* number of warnings before compilation. Code with warnings is not cached, because a cached
   * compilation would not repeat them. */
  uint32_t warnings;
} keeping;

static void keep(void *user, const qn_code *code) {
  const keeping *k = user;
  if (k->diag->warnings != k->warnings) return;
  const char *why = qn_cache_keep(k->options->cache, k->options->cache_bytes, &k->key, code);
  if (why)
    qn_remark(k->diag, k->diag->unknown, "code is not kept in %s: %s", k->options->cache, why);
}

/* Frees the lowered module. Its constants are as large as the model, and the objects have a copy.
 */
static void drop_module(void *module) {
  qn_module_destroy(*(qn_module **)module);
  *(qn_module **)module = NULL;
}

static qn_status make_code(qn_executable *executable, const qn_model *model,
                           const qn_compile_options *options, qn_codegen_options *codegen) {
  jit_state *state = executable->state;
  double start = qn_clock_now();
  qn_module *loops = NULL;
  const qn_lowering how = qn_lowering_of(options, codegen->target.level);
  QN_TRY(qn_model_lowered(model, &how, QN_STAGE_LOOPS, &loops));
  qn_status fits = qn_arena_check_option(loops, options);
  if (fits != QN_OK) {
    qn_module_destroy(loops);
    return fits;
  }
  double lowered = qn_clock_now();
  executable->steps = qn_steps_read(loops, &executable->arena);
  codegen->translated = drop_module;
  codegen->translated_user = &loops;
  qn_status status = qn_jit_create(loops, codegen, &state->jit);
  qn_module_destroy(loops);
  executable->stats.lower_seconds = lowered - start;
  executable->stats.codegen_seconds = qn_clock_now() - lowered;
  return status;
}

/* Releases a file if the call is aborted, because no ring owns a qn_file. */
static void release_file(void *owner) { qn_file_release(*(qn_file **)owner); }

static qn_status find_code(qn_executable *executable, const qn_model *model, const keeping *k,
                           const qn_codegen_options *codegen) {
  jit_state *state = executable->state;
  double start = qn_clock_now();
  qn_file **file = qn_heap_own(sizeof(qn_file *), release_file);
  qn_code code;
  bool found = qn_cache_find(k->options->cache, &k->key, file, &code);
  qn_status status = QN_NOT_FOUND;
  if (found) status = qn_jit_link(&model->context->ir, codegen, &code, &state->jit);
  release_file(file);
  qn_heap_free(file);
  executable->stats.codegen_seconds = qn_clock_now() - start;
  executable->stats.cached = status == QN_OK;
  return status;
}

static qn_status get_code(qn_executable *executable, const qn_model *model,
                          const qn_compile_options *options, qn_codegen_options *codegen) {
  qn_diag_engine *diag = &model->context->ir.diag;
  keeping k = {.options = options, .diag = diag, .warnings = diag->warnings};
  if (options->cache && qn_cache_key_of(model, options, &codegen->target, &k.key)) {
    qn_status found = find_code(executable, model, &k, codegen);
    if (found != QN_NOT_FOUND) return found;
    codegen->keep = keep;
    codegen->keep_user = &k;
  }
  return make_code(executable, model, options, codegen);
}

/* Describes the launches of code from the cache, which has less information about them. */
static const qn_step_info *steps_of_code(qn_arena *arena, const qn_abi_model *entry) {
  qn_step_info *steps = QN_NEW_ARRAY(arena, (size_t)entry->step_count + 1, qn_step_info);
  for (uint32_t i = 0; i < entry->step_count; i++)
    steps[i] = (qn_step_info){.name = entry->steps[i].name,
                              .kernel = "",
                              .shapes = "",
                              .macs = entry->steps[i].macs,
                              .value_bytes = (size_t)entry->steps[i].bytes};
  return steps;
}

qn_status qn_engine_jit_create(qn_executable *executable, const qn_model *model,
                               const qn_compile_options *options) {
  jit_state *state = QN_NEW(&executable->arena, jit_state);
  /* Loops-stage text can access any memory, because its accesses are not checked in compiled
   * code. */
  if (model->stage == QN_STAGE_LOOPS && !model->trusted)
    return qn_error(&model->context->ir.diag, model->module->op->loc, QN_UNSUPPORTED,
                    "text of the loops stage is not run just in time, because nothing proves its "
                    "accesses: use the interpreter, which checks them, or compile an object");
  executable->state = state;
  executable->engine = &ops;
  qn_codegen_options codegen = {.symbol = qn_str_of(options->symbol ? options->symbol : "model")};
  QN_TRY(qn_resolve_target(model->context, options, &codegen.target));
  QN_TRY(qn_codegen_check_host(&model->context->ir, &codegen.target));
  QN_TRY(get_code(executable, model, options, &codegen));
  add_instance(executable, NULL);
  const qn_abi_model *entry = qn_jit_model(state->jit);
  if (!executable->steps) executable->steps = steps_of_code(&executable->arena, entry);
  executable->stats.arena_bytes = (size_t)entry->arena_bytes;
  executable->stats.code_bytes = qn_jit_code_bytes(state->jit);
  executable->stats.level = codegen.target.level->name;
  executable->stats.cpu = qn_codegen_cpu(&codegen.target).data;
  return QN_OK;
}

/* Executables: the part that is common to all engines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/executable.h"

#include <string.h>

#include "api/call.h"
#include "ir/entry/dtype.h"

/* Allocates outputs in the executable, so that kept tensors do not point to memory of the caller.
 */
static void make_kept_outputs(qn_executable *executable) {
  const qn_signature *signature = &executable->signature;
  executable->kept_outputs = QN_NEW_ARRAY(&executable->arena, signature->output_count + 1, void *);
  for (uint32_t i = 0; i < signature->output_count; i++)
    executable->kept_outputs[i] = qn_arena_alloc(&executable->arena, signature->outputs[i].bytes);
}

static void make_buffers(qn_executable *executable) {
  const qn_signature *signature = &executable->signature;
  size_t ports = (size_t)signature->input_count + signature->output_count;
  executable->ports = QN_NEW_ARRAY(&executable->arena, ports + 1, void *);
  if (executable->keep_tensors) make_kept_outputs(executable);
}

static void release(void *owner) {
  qn_executable *executable = owner;
  if (executable->engine) executable->engine->release(executable);
}

static qn_status compile(const qn_model *model, const qn_compile_options *options,
                         qn_executable **out_executable) {
  QN_TRY(qn_model_check(model));
  qn_compile_options all = qn_compile_options_of(options);
  qn_diag_engine *diag = &model->context->ir.diag;
  if (all.engine != QN_ENGINE_JIT && all.engine != QN_ENGINE_INTERPRETER)
    return qn_error(diag, diag->unknown, QN_NOT_FOUND, "there is no engine of number %d",
                    (int)all.engine);
  qn_executable *executable = qn_heap_own(sizeof *executable, release);
  executable->context = model->context;
  executable->keep_tensors = all.keep_tensors != 0;
  qn_arena_init(&executable->arena);
  qn_status status = all.engine == QN_ENGINE_JIT
                         ? qn_engine_jit_create(executable, model, &all)
                         : qn_engine_interpreter_create(executable, model, &all);
  if (status != QN_OK) {
    qn_executable_destroy(executable);
    return status;
  }
  make_buffers(executable);
  *out_executable = executable;
  return QN_OK;
}

qn_status qn_compile(const qn_model *model, const qn_compile_options *options,
                     qn_executable **out_executable) {
  *out_executable = NULL;
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL, compile(model, options, out_executable));
  return status;
}

static qn_status clone(const qn_executable *source, qn_context *context,
                       qn_executable **out_executable) {
  qn_diag_engine *diag = &context->ir.diag;
  if (!source->engine->clone)
    return qn_error(diag, diag->unknown, QN_UNSUPPORTED,
                    "the interpreter has no clones: compile the model once for each thread, in a "
                    "context of its own, or use the JIT");
  qn_executable *executable = qn_heap_own(sizeof *executable, release);
  executable->context = context;
  executable->keep_tensors = source->keep_tensors;
  qn_arena_init(&executable->arena);
  qn_status status = source->engine->clone(source, executable);
  if (status != QN_OK) {
    qn_executable_destroy(executable);
    return status;
  }
  make_buffers(executable);
  *out_executable = executable;
  return QN_OK;
}

static qn_status guarded_clone(const qn_executable *source, qn_context *context,
                               qn_executable **out_executable) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, clone(source, context, out_executable));
  return status;
}

qn_status qn_executable_clone(const qn_executable *source, qn_context *context_or_null,
                              qn_executable **out_executable) {
  *out_executable = NULL;
  return guarded_clone(source, context_or_null ? context_or_null : source->context, out_executable);
}

void qn_executable_destroy(qn_executable *executable) {
  if (!executable) return;
  if (executable->engine) executable->engine->destroy(executable);
  qn_arena_deinit(&executable->arena);
  qn_heap_free(executable);
}

uint32_t qn_executable_input_count(const qn_executable *executable) {
  return executable->signature.input_count;
}
uint32_t qn_executable_output_count(const qn_executable *executable) {
  return executable->signature.output_count;
}
qn_tensor_info qn_executable_input(const qn_executable *executable, uint32_t index) {
  return executable->signature.inputs[index];
}
qn_tensor_info qn_executable_output(const qn_executable *executable, uint32_t index) {
  return executable->signature.outputs[index];
}

uint32_t qn_executable_state_count(const qn_executable *executable) {
  return executable->signature.state_count;
}
qn_tensor_info qn_executable_state(const qn_executable *executable, uint32_t index) {
  return executable->signature.states[index];
}

void qn_executable_reset(qn_executable *executable) { executable->engine->reset(executable); }

void qn_executable_read_state(const qn_executable *executable, uint32_t index, void *out) {
  memcpy(out, executable->engine->state(executable, index),
         executable->signature.states[index].bytes);
}

void qn_executable_write_state(qn_executable *executable, uint32_t index, const void *from) {
  memcpy(executable->engine->state(executable, index), from,
         executable->signature.states[index].bytes);
}

uint32_t qn_executable_size_count(const qn_executable *executable) {
  return executable->signature.size_count;
}
qn_size_info qn_executable_size(const qn_executable *executable, uint32_t index) {
  return executable->signature.sizes[index];
}

qn_status qn_executable_set_size(qn_executable *executable, uint32_t index, int64_t size) {
  qn_diag_engine *diag = &executable->context->ir.diag;
  const qn_size_info *info = &executable->signature.sizes[index];
  if (size < 1 || size > info->bound)
    return qn_error(diag, diag->unknown, QN_INVALID, "size \"%s\" is from 1 to %lld, not %lld",
                    info->name, (long long)info->bound, (long long)size);
  QN_TRY(executable->engine->set_size(executable, index, size));
  qn_signature_set_size(&executable->signature, index, size);
  executable->invoked = false; /* kept tensors have the previous size */
  return QN_OK;
}

qn_status qn_executable_set_threads(qn_executable *executable, uint32_t threads) {
  return executable->engine->set_threads(executable, threads);
}

static void give_outputs(qn_executable *executable, void *const *outputs) {
  executable->invoked = true;
  if (!executable->kept_outputs) return;
  for (uint32_t i = 0; i < executable->signature.output_count; i++)
    memcpy(outputs[i], executable->kept_outputs[i], executable->signature.outputs[i].bytes);
}

qn_status qn_executable_invoke(qn_executable *executable, const void *const *inputs,
                               void *const *outputs) {
  void *const *made = executable->kept_outputs ? executable->kept_outputs : outputs;
  QN_TRY(executable->engine->invoke(executable, inputs, made));
  give_outputs(executable, outputs);
  return QN_OK;
}

/* ---- invocations with several batch elements ---- */

/* Whether batch elements may run in several threads: more than one thread is configured, the model
 * has no state, there is no time limit, and tensors are neither kept nor replaced. */
static bool shares_entries_out(const qn_executable *executable) {
  const qn_engine_ops *engine = executable->engine;
  return engine->threads && engine->threads(executable) > 1 &&
         executable->signature.state_count == 0 && !executable->kept_outputs &&
         !executable->context->account.timed;
}

static qn_status invoke_in_order(qn_executable *executable, const qn_many *many) {
  uint32_t in = executable->signature.input_count, out = executable->signature.output_count;
  const void **inputs = (const void **)executable->ports;
  void **outputs = executable->ports + in;
  for (size_t k = 0; k < many->count; k++) {
    qn_many_entry(many, k, in, out, inputs, outputs);
    QN_TRY(qn_executable_invoke(executable, inputs, outputs));
  }
  return QN_OK;
}

qn_status qn_executable_invoke_many(qn_executable *executable, size_t count,
                                    const void *const *inputs, const ptrdiff_t *input_strides,
                                    void *const *outputs, const ptrdiff_t *output_strides) {
  qn_many many = {count, inputs, input_strides, outputs, output_strides};
  return count > 1 && shares_entries_out(executable)
             ? executable->engine->invoke_many(executable, &many)
             : invoke_in_order(executable, &many);
}

static qn_status reject(const qn_executable *executable, const char *reason) {
  qn_diag_engine *diag = &executable->context->ir.diag;
  return qn_error(diag, diag->unknown, QN_UNSUPPORTED, "%s", reason);
}

static qn_status visit_tensors(const qn_executable *executable, qn_tensor_fn *visit, void *user) {
  if (!executable->keep_tensors)
    return reject(executable, "compile with keep_tensors to read tensors");
  if (!executable->invoked) return reject(executable, "invoke before reading tensors");
  executable->engine->tensors(executable, visit, user);
  return QN_OK;
}

qn_status qn_executable_tensors(const qn_executable *executable, qn_tensor_fn *visit, void *user) {
  qn_status status;
  QN_CALL(&status, executable->context, NULL, NULL, visit_tensors(executable, visit, user));
  return status;
}

static qn_status set_replace(qn_executable *executable, qn_replace_fn *replace, void *user) {
  const qn_engine_ops *engine = executable->engine;
  if (!engine->can_replace || !engine->can_replace(executable))
    return reject(executable, "only the interpreter, at the model or integer stage, runs operators "
                              "on replaced tensors");
  executable->replace = replace;
  executable->replace_user = user;
  return QN_OK;
}

qn_status qn_executable_replace_tensors(qn_executable *executable, qn_replace_fn *replace,
                                        void *user) {
  qn_status status;
  QN_CALL(&status, executable->context, NULL, NULL, set_replace(executable, replace, user));
  return status;
}

uint32_t qn_executable_step_count(const qn_executable *executable) {
  return executable->step_count;
}

qn_step_info qn_executable_step(const qn_executable *executable, uint32_t index) {
  return executable->steps[index];
}

static qn_status profile(qn_executable *executable, const void *const *inputs, void *const *outputs,
                         qn_step_time *out_steps) {
  if (!executable->engine->profile) return reject(executable, "only the JIT engine has a profile");
  void *const *made = executable->kept_outputs ? executable->kept_outputs : outputs;
  QN_TRY(executable->engine->profile(executable, inputs, made, out_steps));
  give_outputs(executable, outputs);
  return QN_OK;
}

qn_status qn_executable_profile(qn_executable *executable, const void *const *inputs,
                                void *const *outputs, qn_step_time *out_steps) {
  qn_status status;
  QN_CALL(&status, executable->context, NULL, NULL,
          profile(executable, inputs, outputs, out_steps));
  return status;
}

qn_executable_stats qn_executable_get_stats(const qn_executable *executable) {
  return executable->stats;
}

/* The interpreter engine: executes the module of one stage. The loops stage is the same module that
 * the JIT compiles, including the memory plan. At the other stages tensors are SSA values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/call.h"
#include "api/executable.h"
#include "api/inspect/inspect.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/map.h"
#include "codegen/interface.h"
#include "eval/eval.h"
#include "ir/clone.h"
#include "ir/file_layout.h"
#include "runtime/arena.h"
#include "runtime/model.h"

typedef struct kept_tensor {
  int64_t index;
  const void *data;
  size_t bytes;
} kept_tensor;

typedef struct interpreter_state {
  qn_module *module;
  qn_stage stage;
  qn_interface interface; /* signature; loops stage only */
  qn_entry entry;         /* signature; other stages only */
  /* copy of the module with other dynamic sizes than the upper bounds; NULL if none */
  qn_module *bound;
  uint8_t **states;        /* [state] stored values */
  const qn_attr **initial; /* [state] initial values; NULL: zeros */
  int64_t *sizes;
  void *memory;    /* loops stage: the arena of the model */
  void *prepared;  /* loops stage: prepared constants, which each invocation computes again */
  qn_arena values; /* values of one invocation */
  QN_ARRAY(kept_tensor) kept;
  qn_map written; /* bytes of the values computed so far; used if tensors are replaced */
} interpreter_state;

/* ---- model and integer stages ---- */

/* The replacement of a tensor, or NULL. With a replacement, later ops read the replacement, while
 * the kept tensor is the op's own result. */
static const void *replaced(const qn_executable *executable, int64_t index,
                            const qn_rt_value *value) {
  interpreter_state *state = executable->state;
  size_t bytes = (size_t)value->size;
  const void *instead =
      executable->replace ? executable->replace(executable->replace_user, index, value->data, bytes)
                          : NULL;
  if (!instead || bytes == 0) return value->data;
  const void *own = qn_arena_copy(&state->values, value->data, bytes);
  memmove(value->data, instead, bytes);
  return own;
}

/* `op` transposes a channels-last value that other ops read directly. Writes the replaced tensor
 * back to that value. */
static void replace_channels_last(const interpreter_state *state, const qn_op *op,
                                  const qn_rt_value *y) {
  const qn_value *x = qn_op_channels_last(op);
  uint8_t *to = x ? qn_map_get(&state->written, x) : NULL;
  const size_t width = qn_type_bytes(qn_type_element(y->type));
  if (!to) return;
  const int64_t *d = y->type->shaped.dims;
  const size_t channels = (size_t)d[1], pixels = (size_t)(d[2] * d[3]);
  for (size_t n = 0; n < (size_t)d[0]; n++)
    for (size_t c = 0; c < channels; c++)
      for (size_t p = 0; p < pixels; p++)
        memcpy(to + ((n * pixels + p) * channels + c) * width,
               y->data + ((n * channels + c) * pixels + p) * width, width);
}

/* Observes each result that an op computes. quern.tensors has the tensor indices of the model file.
 */
static void observe(void *user, const qn_op *op, uint32_t result, const qn_rt_value *value) {
  const qn_executable *executable = user;
  interpreter_state *state = executable->state;
  qn_i64s tensors = qn_op_tensors(op);
  if (executable->replace) qn_map_set(&state->written, &op->results[result], value->data);
  if (result >= tensors.count) return;
  int64_t index = tensors.data[result];
  kept_tensor kept = {index, replaced(executable, index, value), (size_t)value->size};
  if (kept.data != value->data) replace_channels_last(state, op, value);
  if (executable->keep_tensors) qn_array_push(&state->kept, kept);
}

static uint8_t *copy_in(interpreter_state *state, const void *data, size_t bytes) {
  return qn_arena_copy(&state->values, data, bytes);
}

static qn_rt_value *make_arguments(qn_executable *executable, const qn_block *body,
                                   const void *const *inputs) {
  interpreter_state *state = executable->state;
  const qn_signature *signature = &executable->signature;
  const qn_entry *entry = &state->entry;
  qn_rt_value *args = QN_NEW_ARRAY(&state->values, (size_t)body->arg_count + 1, qn_rt_value);
  for (uint32_t i = 0; i < entry->input_count; i++)
    args[entry->inputs[i]] =
        (qn_rt_value){.data = copy_in(state, inputs[i], signature->inputs[i].bytes),
                      .size = (int64_t)signature->inputs[i].bytes};
  for (uint32_t k = 0; k < entry->state_count; k++)
    args[entry->state_arguments[k]] =
        (qn_rt_value){.data = copy_in(state, state->states[k], signature->states[k].bytes),
                      .size = (int64_t)signature->states[k].bytes};
  for (uint32_t i = 0; i < body->arg_count; i++) args[i].type = body->args[i]->type;
  return args;
}

static qn_status invoke_values(qn_executable *executable, const void *const *inputs,
                               void *const *outputs) {
  interpreter_state *state = executable->state;
  const qn_signature *signature = &executable->signature;
  const qn_entry *entry = &state->entry;
  const qn_module *module = state->bound ? state->bound : state->module;
  qn_op *func = qn_module_main(module);
  const qn_block *body = qn_op_body(func);
  qn_rt_value *args = make_arguments(executable, body, inputs);
  size_t count = (size_t)entry->output_count + entry->state_count;
  qn_rt_value *results = QN_NEW_ARRAY(&state->values, count + 1, qn_rt_value);
  bool observed = executable->keep_tensors || executable->replace;
  qn_eval_options options = {.observe = observed ? observe : NULL, .user = executable};
  QN_TRY(qn_eval_call(module, func, args, body->arg_count, results, &state->values, &options));
  for (uint32_t i = 0; i < entry->output_count; i++)
    memcpy(outputs[i], results[entry->outputs[i]].data, signature->outputs[i].bytes);
  for (uint32_t k = 0; k < entry->state_count; k++)
    memcpy(state->states[k], results[entry->state_results[k]].data, signature->states[k].bytes);
  return QN_OK;
}

/* Replaces the module by a copy whose types have the current dynamic sizes. */
static qn_status bind_sizes(interpreter_state *state) {
  qn_module *bound = qn_module_clone(state->module);
  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_entry entry;
  qn_status status = qn_entry_read(bound, qn_module_main(bound), &scratch, &entry);
  if (status == QN_OK) qn_entry_bind(bound, &entry, state->sizes);
  qn_arena_deinit(&scratch);
  if (status == QN_OK) status = qn_verify(bound);
  qn_module *unused = status == QN_OK ? state->bound : bound;
  if (status == QN_OK) state->bound = bound;
  qn_module_destroy(unused);
  return status;
}

/* ---- loops stage ---- */

static void keep_probes(interpreter_state *state, void *const *outputs) {
  const qn_abi_model *entry = &state->interface.model;
  for (uint32_t i = 0; i < entry->probe_count; i++) {
    const qn_abi_probe *probe = &entry->probes[i];
    const void *data = probe->offset == UINT64_MAX ? outputs[probe->output]
                                                   : (const uint8_t *)state->memory + probe->offset;
    kept_tensor kept = {probe->index, data, qn_probe_bytes(entry, probe, state->sizes)};
    qn_array_push(&state->kept, kept);
  }
}

/* The value of an argument. A memref has exactly the size of the caller's buffer, so that accesses
 * beyond it are reported. Inputs are constant, so that stores to them are reported. */
static qn_rt_value bound_argument(const qn_executable *executable, uint32_t argument,
                                  const void *const *inputs, void *const *outputs) {
  const interpreter_state *state = executable->state;
  qn_binding binding = state->interface.bindings[argument];
  const qn_value *value = qn_op_body(state->interface.main)->args[argument];
  const qn_signature *signature = &executable->signature;
  uint32_t n = binding.number;
  switch (binding.role) {
  case QN_ROLE_INPUT:
    return (qn_rt_value){.data = (void *)(uintptr_t)inputs[n],
                         .constant = true,
                         .size = (int64_t)signature->inputs[n].bytes};
  case QN_ROLE_OUTPUT:
    return (qn_rt_value){.data = outputs[n], .size = (int64_t)signature->outputs[n].bytes};
  case QN_ROLE_STATE:
    return (qn_rt_value){.data = state->states[n], .size = (int64_t)signature->states[n].bytes};
  case QN_ROLE_SHAPE:
    return (qn_rt_value){.i = state->sizes[n]};
  case QN_ROLE_PREPARED:
    return (qn_rt_value){.data = state->prepared, .size = qn_memref_bytes(value->type)};
  default:
    return (qn_rt_value){.data = state->memory,
                         .size = (int64_t)state->interface.model.arena_bytes};
  }
}

static qn_status invoke_loops(qn_executable *executable, const void *const *inputs,
                              void *const *outputs) {
  interpreter_state *state = executable->state;
  const qn_interface *interface = &state->interface;
  const qn_block *body = qn_op_body(interface->main);
  qn_rt_value *args = QN_NEW_ARRAY(&state->values, body->arg_count + 1, qn_rt_value);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    args[i] = bound_argument(executable, i, inputs, outputs);
    args[i].type = body->args[i]->type;
  }
  QN_TRY(qn_eval_call(state->module, interface->main, args, body->arg_count, NULL, &state->values,
                      NULL));
  if (executable->keep_tensors) keep_probes(state, outputs);
  return QN_OK;
}

/* ---- states and sizes ---- */

static void *state_of(const qn_executable *executable, uint32_t index) {
  const interpreter_state *state = executable->state;
  return state->states[index];
}

static void reset(qn_executable *executable) {
  interpreter_state *state = executable->state;
  for (uint32_t k = 0; k < executable->signature.state_count; k++) {
    size_t bytes = executable->signature.states[k].bytes;
    memset(state->states[k], 0, bytes);
    const qn_attr *initial = state->initial[k];
    for (size_t at = 0; initial && at < bytes; at += initial->dense.bytes.size)
      memcpy(state->states[k] + at, initial->dense.bytes.data, initial->dense.bytes.size);
  }
}

static qn_status set_size(qn_executable *executable, uint32_t index, int64_t size) {
  interpreter_state *state = executable->state;
  int64_t before = state->sizes[index];
  state->sizes[index] = size;
  if (state->stage == QN_STAGE_LOOPS) return QN_OK;
  qn_status status;
  QN_CALL(&status, executable->context, NULL, NULL, bind_sizes(state));
  if (status != QN_OK) state->sizes[index] = before;
  return status;
}

static void prepare_states(qn_executable *executable, interpreter_state *state) {
  const qn_signature *signature = &executable->signature;
  qn_arena *arena = &executable->arena;
  state->states = QN_NEW_ARRAY(arena, (size_t)signature->state_count + 1, uint8_t *);
  for (uint32_t k = 0; k < signature->state_count; k++)
    state->states[k] = qn_arena_alloc(arena, signature->states[k].bytes + 1);
  state->sizes = QN_NEW_ARRAY(arena, (size_t)signature->size_count + 1, int64_t);
  for (uint32_t i = 0; i < signature->size_count; i++) state->sizes[i] = signature->sizes[i].bound;
  reset(executable);
}

/* ---- engine ---- */

static void forget(interpreter_state *state) {
  qn_arena_deinit(&state->values);
  qn_arena_init(&state->values);
  qn_array_free(&state->kept);
  qn_map_deinit(&state->written);
  state->written = (qn_map){0};
}

static qn_status run(qn_executable *executable, const void *const *inputs, void *const *outputs) {
  const interpreter_state *state = executable->state;
  return state->stage == QN_STAGE_LOOPS ? invoke_loops(executable, inputs, outputs)
                                        : invoke_values(executable, inputs, outputs);
}

/* Tensors of an invocation stay valid until the next one. If an invocation is aborted, its tensors
 * must be dropped before their memory is freed. */
static qn_status invoke(qn_executable *executable, const void *const *inputs,
                        void *const *outputs) {
  qn_call call;
  forget(executable->state);
  qn_call_begin(&call, executable->context, NULL, NULL);
  if (setjmp(call.guard.jump) == 0) return qn_call_end(&call, run(executable, inputs, outputs));
  forget(executable->state);
  return qn_call_give_up(&call);
}

/* The interpreter uses one thread and ignores the number, because results don't depend on it. */
static qn_status set_threads(qn_executable *executable, uint32_t threads) {
  (void)executable;
  return threads > 0 ? QN_OK : QN_INVALID;
}

static void tensors(const qn_executable *executable, qn_tensor_fn *visit, void *user) {
  const interpreter_state *state = executable->state;
  for (size_t i = 0; i < state->kept.count; i++)
    visit(user, state->kept.data[i].index, state->kept.data[i].data, state->kept.data[i].bytes);
}

static void destroy(qn_executable *executable) {
  interpreter_state *state = executable->state;
  qn_array_free(&state->kept);
  qn_map_deinit(&state->written);
  qn_arena_deinit(&state->values);
  qn_runtime_arena_destroy(state->memory);
  qn_runtime_arena_destroy(state->prepared);
  qn_module_destroy(state->bound);
  qn_module_destroy(state->module);
}

/* Tensors can't be replaced at the loops stage, where they share memory with other tensors. */
static bool can_replace(const qn_executable *executable) {
  const interpreter_state *state = executable->state;
  return state->stage != QN_STAGE_LOOPS;
}

static void release(qn_executable *executable) {
  const interpreter_state *state = executable->state;
  qn_runtime_arena_destroy(state->memory);
  qn_runtime_arena_destroy(state->prepared);
}

static const qn_engine_ops ops = {.set_threads = set_threads,
                                  .invoke = invoke,
                                  .state = state_of,
                                  .reset = reset,
                                  .set_size = set_size,
                                  .tensors = tensors,
                                  .destroy = destroy,
                                  .release = release,
                                  .can_replace = can_replace};

static qn_status prepare_loops(qn_executable *executable, interpreter_state *state,
                               const qn_target *level) {
  QN_TRY(qn_interface_read(state->module, level, &executable->arena, &state->interface));
  uint64_t bytes = state->interface.model.arena_bytes;
  state->memory = qn_runtime_arena_create(bytes);
  if (!state->memory) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  state->prepared = qn_runtime_arena_create(state->interface.model.prepared_bytes);
  if (!state->prepared) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  executable->stats.arena_bytes = (size_t)bytes;
  state->initial = state->interface.initial;
  qn_signature_of_abi(&state->interface.model, &executable->arena, &executable->signature);
  return QN_OK;
}

static qn_status prepare_values(qn_executable *executable, interpreter_state *state) {
  QN_TRY(
      qn_signature_read(state->module, &executable->arena, &state->entry, &executable->signature));
  const qn_entry *entry = &state->entry;
  state->initial =
      QN_NEW_ARRAY(&executable->arena, (size_t)entry->state_count + 1, const qn_attr *);
  for (uint32_t k = 0; k < entry->state_count; k++)
    state->initial[k] = entry->args[entry->state_arguments[k]].initial;
  return QN_OK;
}

qn_status qn_engine_interpreter_create(qn_executable *executable, const qn_model *model,
                                       const qn_compile_options *options) {
  static const qn_stage stages[] = {[QN_FORM_MODEL] = QN_STAGE_MODEL,
                                    [QN_FORM_INTEGER] = QN_STAGE_INTEGER,
                                    [QN_FORM_LOOPS] = QN_STAGE_LOOPS};
  qn_diag_engine *diag = &model->context->ir.diag;
  if ((size_t)options->stage >= QN_COUNT(stages))
    return qn_error(diag, diag->unknown, QN_UNSUPPORTED, "only MLIR stages can be interpreted");
  interpreter_state *state = QN_NEW(&executable->arena, interpreter_state);
  executable->state = state;
  executable->engine = &ops;
  qn_arena_init(&state->values);
  state->stage = stages[options->stage];
  qn_codegen_target target;
  QN_TRY(qn_resolve_target(model->context, options, &target));
  double start = qn_clock_now();
  const qn_lowering how = qn_lowering_of(options, target.level);
  QN_TRY(qn_model_lowered(model, &how, state->stage, &state->module));
  executable->stats = (qn_executable_stats){.lower_seconds = qn_clock_now() - start,
                                            .level = target.level->name,
                                            .cpu = qn_codegen_cpu(&target).data};
  if (state->stage == QN_STAGE_LOOPS) QN_TRY(qn_arena_check_option(state->module, options));
  if (state->stage == QN_STAGE_LOOPS)
    QN_TRY(prepare_loops(executable, state, target.level));
  else
    QN_TRY(prepare_values(executable, state));
  prepare_states(executable, state);
  return QN_OK;
}

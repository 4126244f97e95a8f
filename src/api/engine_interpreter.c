/* The interpreter engine: executes the module of one stage. At the loops stage it is what the JIT
 * compiles, memory plan included; at the other stages tensors are values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/executable.h"
#include "base/array.h"
#include "base/clock.h"
#include "codegen/interface.h"
#include "eval/eval.h"
#include "runtime/arena.h"

typedef struct kept_tensor {
  int64_t index;
  const void *data;
  size_t bytes;
} kept_tensor;

typedef struct interpreter_state {
  qn_module *module;
  qn_stage stage;
  qn_interface interface; /* loops */
  void *memory;           /* loops: the arena of the model */
  qn_arena values;        /* of one invocation */
  QN_ARRAY(kept_tensor) kept;
} interpreter_state;

/* ---- model and integer stages ---- */

/* quern.tensors gives the number of every result in the model file. */
static void keep(void *user, const qn_op *op, uint32_t result, const qn_rt_value *value) {
  interpreter_state *state = user;
  qn_i64s tensors = qn_op_tensors(op);
  if (result >= tensors.count) return;
  kept_tensor kept = {tensors.data[result], value->data, (size_t)value->size};
  qn_array_push(&state->kept, kept);
}

static qn_status invoke_values(qn_executable *executable, const void *const *inputs,
                               void *const *outputs) {
  interpreter_state *state = executable->state;
  const qn_signature *signature = &executable->signature;
  qn_op *func = qn_module_main(state->module);
  const qn_block *body = qn_op_body(func);
  qn_rt_value *args = QN_NEW_ARRAY(&state->values, signature->input_count + 1, qn_rt_value);
  qn_rt_value *results = QN_NEW_ARRAY(&state->values, signature->output_count + 1, qn_rt_value);
  for (uint32_t i = 0; i < signature->input_count; i++) {
    size_t bytes = signature->inputs[i].bytes;
    args[i] = (qn_rt_value){.type = body->args[i]->type,
                            .data = qn_arena_copy(&state->values, inputs[i], bytes),
                            .size = (int64_t)bytes};
  }
  qn_eval_options options = {.observe = executable->keep_tensors ? keep : NULL, .user = state};
  QN_TRY(qn_eval_call(state->module, func, args, signature->input_count, results, &state->values,
                      &options));
  for (uint32_t i = 0; i < signature->output_count; i++)
    memcpy(outputs[i], results[i].data, signature->outputs[i].bytes);
  return QN_OK;
}

/* ---- loops stage ---- */

static void keep_probes(interpreter_state *state, void *const *outputs) {
  const qn_abi_model *entry = &state->interface.model;
  for (uint32_t i = 0; i < entry->probe_count; i++) {
    const qn_abi_probe *probe = &entry->probes[i];
    const void *data = probe->offset == UINT64_MAX ? outputs[probe->output]
                                                   : (const uint8_t *)state->memory + probe->offset;
    kept_tensor kept = {probe->index, data, (size_t)probe->bytes};
    qn_array_push(&state->kept, kept);
  }
}

static qn_status invoke_loops(qn_executable *executable, const void *const *inputs,
                              void *const *outputs) {
  interpreter_state *state = executable->state;
  const qn_interface *interface = &state->interface;
  const qn_block *body = qn_op_body(interface->main);
  qn_rt_value *args = QN_NEW_ARRAY(&state->values, body->arg_count + 1, qn_rt_value);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const qn_type *type = body->args[i]->type;
    uint32_t number = interface->bindings[i].number;
    void *data = interface->bindings[i].role == QN_ROLE_OUTPUT ? outputs[number] : state->memory;
    bool is_input = interface->bindings[i].role == QN_ROLE_INPUT;
    if (is_input) data = (void *)(uintptr_t)inputs[number]; /* constant: a store is reported */
    args[i] = (qn_rt_value){.type = type,
                            .data = data,
                            .constant = is_input,
                            .size = qn_type_elements(type) * qn_type_bytes(qn_type_element(type))};
  }
  QN_TRY(qn_eval_call(state->module, interface->main, args, body->arg_count, NULL, &state->values,
                      NULL));
  if (executable->keep_tensors) keep_probes(state, outputs);
  return QN_OK;
}

/* ---- engine ---- */

static qn_status invoke(qn_executable *executable, const void *const *inputs,
                        void *const *outputs) {
  interpreter_state *state = executable->state;
  qn_arena_deinit(&state->values);
  qn_arena_init(&state->values);
  state->kept.count = 0;
  return state->stage == QN_STAGE_LOOPS ? invoke_loops(executable, inputs, outputs)
                                        : invoke_values(executable, inputs, outputs);
}

/* One thread is all the interpreter uses; the results don't depend on the number. */
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
  qn_arena_deinit(&state->values);
  qn_runtime_arena_destroy(state->memory);
  qn_module_destroy(state->module);
}

static const qn_engine_ops ops = {set_threads, invoke, NULL, tensors, destroy};

static qn_status prepare_loops(qn_executable *executable, interpreter_state *state) {
  QN_TRY(qn_interface_read(state->module, &executable->arena, &state->interface));
  uint64_t bytes = state->interface.model.arena_bytes;
  state->memory = qn_runtime_arena_create(bytes);
  if (!state->memory) return QN_LIMIT;
  executable->stats.arena_bytes = (size_t)bytes;
  qn_signature_of_abi(&state->interface.model, &executable->arena, &executable->signature);
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
  executable->engine = &ops;
  executable->state = state;
  qn_arena_init(&state->values);
  state->stage = stages[options->stage];
  qn_codegen_target target;
  QN_TRY(qn_resolve_target(model->context, options, &target));
  double start = qn_clock_now();
  QN_TRY(qn_model_lowered(model, target.level, executable->keep_tensors, state->stage,
                          &state->module));
  executable->stats = (qn_executable_stats){
      .lower_seconds = qn_clock_now() - start, .level = target.level->name, .cpu = target.cpu.data};
  if (state->stage == QN_STAGE_LOOPS) return prepare_loops(executable, state);
  return qn_signature_read(state->module, &executable->arena, &executable->signature);
}

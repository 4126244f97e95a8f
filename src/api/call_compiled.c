/* Compiles and runs one call: inlines the functions that it calls, lowers it for the shapes of the
 * arguments, compiles it and runs it once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/call_compiled.h"

#include <string.h>

#include "api/executable.h"
#include "api/passes/pipelines.h"
#include "eval/eval_op.h"
#include "ir/clone.h"
#include "ir/entry/entry.h"
#include "ir/walk.h"
#include "lower/tensors/tensors.h"
#include "runtime/model.h"

/* ---- signature of the function ---- */

/* Indices of the arguments and results that are inputs, outputs and states. */
typedef struct places {
  const uint32_t *inputs, *outputs, *state_arguments, *state_results;
} places;

static const uint32_t *in_order(uint32_t count, qn_arena *arena) {
  uint32_t *numbers = QN_NEW_ARRAY(arena, count + 1, uint32_t);
  for (uint32_t i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

static qn_status places_of(const qn_module *module, const qn_op *func, qn_arena *arena,
                           places *out) {
  const qn_type *type = qn_op_function_type(func);
  *out = (places){.inputs = in_order(type->function.input_count, arena),
                  .outputs = in_order(type->function.result_count, arena)};
  if (!qn_op_find(func, QN_A_ARG_ATTRS)) return QN_OK;
  qn_entry entry;
  QN_TRY(qn_entry_read(module, func, arena, &entry));
  *out = (places){entry.inputs, entry.outputs, entry.state_arguments, entry.state_results};
  return QN_OK;
}

/* The bytes of an argument in the layout that the entry point reads. */
static const void *bytes_of(const qn_rt_value *argument, qn_arena *arena) {
  return qn_rt_bytes(argument, qn_arena_alloc(arena, QN_SCALAR_BYTES));
}

static void *const *outputs_of(const qn_abi_model *entry, qn_arena *arena) {
  void **outputs = QN_NEW_ARRAY(arena, entry->output_count + 1, void *);
  for (uint32_t i = 0; i < entry->output_count; i++)
    outputs[i] = qn_arena_alloc(arena, (size_t)entry->outputs[i].bytes + QN_SCALAR_BYTES);
  return outputs;
}

static qn_rt_value result_of(const qn_type *type, void *bytes, uint64_t size) {
  qn_rt_value value = {.type = type};
  if (!qn_type_is_shaped(type)) {
    qn_rt_set_scalar(&value, bytes);
    return value;
  }
  value.data = bytes;
  value.size = (int64_t)size;
  return value;
}

/* Copies the contents of states after the call. They are results too, and must outlive the
 * instance. */
static void read_states(const qn_abi_model *entry, qn_instance *instance, const places *at,
                        const qn_type *const *types, qn_rt_value *out_results, qn_arena *arena) {
  for (uint32_t k = 0; k < entry->state_count; k++) {
    size_t size = (size_t)entry->states[k].bytes;
    void *kept = qn_arena_alloc(arena, size + QN_SCALAR_BYTES);
    memcpy(kept, qn_instance_state(instance, k), size);
    uint32_t result = at->state_results[k];
    out_results[result] = result_of(types[result], kept, size);
  }
}

/* Frees the instance if the call is aborted, because the runtime does not allocate from
 * base/heap.h. */
static void release_instance(void *owner) { qn_instance_destroy(*(qn_instance **)owner); }

static qn_status invoke(qn_context *context, const qn_abi_model *entry, const places *at,
                        const qn_type *const *types, const qn_rt_value *args,
                        qn_rt_value *out_results, qn_arena *arena) {
  void *const *outputs = outputs_of(entry, arena);
  const void **inputs = QN_NEW_ARRAY(arena, entry->input_count + 1, const void *);
  for (uint32_t i = 0; i < entry->input_count; i++)
    inputs[i] = bytes_of(&args[at->inputs[i]], arena);
  qn_instance **owner = qn_heap_own(sizeof *owner, release_instance);
  if (qn_instance_create(entry, owner) != QN_OK) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  qn_instance *instance = *owner;
  for (uint32_t k = 0; k < entry->state_count; k++)
    memcpy(qn_instance_state(instance, k), bytes_of(&args[at->state_arguments[k]], arena),
           (size_t)entry->states[k].bytes);
  qn_watch_time(context, instance);
  int32_t loop = qn_instance_invoke(instance, inputs, outputs);
  qn_status status = qn_loops_ended(&context->ir.diag, entry, loop);
  read_states(entry, instance, at, types, out_results, arena);
  release_instance(owner);
  qn_heap_free(owner);
  for (uint32_t i = 0; i < entry->output_count; i++) {
    uint32_t result = at->outputs[i];
    out_results[result] = result_of(types[result], outputs[i], entry->outputs[i].bytes);
  }
  return status;
}

/* ---- calls within the function ---- */

static bool has_calls(const qn_op *func) {
  QN_FOR_EACH_NESTED_OP(op, func) if (op->kind == QN_OP_FUNC_CALL) return true;
  return false;
}

static qn_status run_inline(const qn_model *model, qn_module *module) {
  qn_pipeline *pipeline = NULL;
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  qn_status status = qn_pipeline_parse_text(&model->context->ir, &model->context->registry,
                                            qn_str_of("inline"), qn_str_of("<calls>"), &pipeline);
  if (status == QN_OK) status = qn_pipeline_execute(module, pipeline, &settings);
  qn_pipeline_destroy(pipeline);
  return status;
}

/* Copies the module and inlines all calls in the function that can be inlined. The function becomes
 * public, so that inlining it elsewhere does not remove it. */
static qn_status without_calls(const qn_model *model, const qn_op **func, qn_module **out_module) {
  qn_module *copy = qn_module_clone(model->module);
  qn_op *same = qn_module_lookup(copy, qn_op_sym_name(*func));
  qn_op_set_attr(copy, same, "sym_visibility", NULL);
  qn_status status = run_inline(model, copy);
  *func = qn_module_lookup(copy, qn_op_sym_name(*func));
  *out_module = copy;
  return status;
}

/* ---- lowering ---- */

/* Whether the function must be lowered as a model: it contains ops of the model dialect, or, before
 * the loops stage, branches and loops without calls. Their kernels need a memory plan. */
static bool needs_plan(const qn_model *model, const qn_op *func) {
  bool control = model->stage != QN_STAGE_LOOPS && !has_calls(func);
  QN_FOR_EACH_NESTED_OP(op, func)
  if (qn_str_starts(op->name, "ml.") || (control && qn_op_has(op, QN_CONTROL))) return true;
  return false;
}

/* Lowers the function as a separate model, with the types and shapes in the text. */
static qn_status lower_as_model(const qn_model *model, const qn_module *from, const qn_op *func,
                                const qn_target *target, qn_tensors_result *out_lowered) {
  qn_module *module = qn_module_clone(from);
  qn_str name = qn_op_sym_name(func);
  QN_FOR_EACH_OP_SAFE(op, qn_op_body(module->op)) {
    if (qn_str_equal(qn_op_sym_name(op), name)) qn_op_set_attr(module, op, "sym_visibility", NULL);
    /* otherwise its calls stay and are reported, because a model has one function */
    else if (!has_calls(func))
      qn_op_erase(module, op);
  }
  const qn_lower_config config = {.target = target};
  const qn_run_settings settings = qn_pipeline_settings(&config);
  qn_status status = qn_pipeline_lower(module, &settings, model->stage, QN_STAGE_LOOPS);
  if (status != QN_OK) qn_module_destroy(module);
  *out_lowered =
      (qn_tensors_result){.loops = module, .types = qn_op_function_type(func)->function.results};
  return status;
}

static qn_status lower_one(const qn_model *model, const qn_module *module, const qn_op *func,
                           const qn_type *const *types, const qn_tensors_options *options,
                           qn_arena *arena, qn_tensors_result *out_lowered) {
  if (needs_plan(model, func))
    return lower_as_model(model, module, func, options->target, out_lowered);
  return qn_lower_tensors(module, func, types, options, arena, out_lowered);
}

static qn_status lower(const qn_model *model, const qn_op *func, const qn_type *const *types,
                       const qn_tensors_options *options, qn_arena *arena,
                       qn_tensors_result *out_lowered) {
  if (!has_calls(func))
    return lower_one(model, model->module, func, types, options, arena, out_lowered);
  qn_module *copy = NULL;
  qn_status status = without_calls(model, &func, &copy);
  if (status == QN_OK) status = lower_one(model, copy, func, types, options, arena, out_lowered);
  qn_module_destroy(copy);
  return status;
}

/* ---- the call ---- */

qn_status qn_call_compiled(const qn_model *model, const qn_op *func,
                           const qn_interpret_options *options, const qn_rt_value *args,
                           uint32_t arg_count, qn_rt_value *out_results, qn_arena *arena) {
  qn_compile_options compile = QN_COMPILE_OPTIONS_INIT;
  compile.cpu = options->cpu;
  compile.features = options->features;
  qn_codegen_options codegen = {.symbol = qn_str_of("model")};
  QN_TRY(qn_resolve_target(model->context, &compile, &codegen.target));
  QN_TRY(qn_codegen_check_host(&model->context->ir, &codegen.target));
  places at;
  QN_TRY(places_of(model->module, func, arena, &at));
  const qn_type **types = QN_NEW_ARRAY(arena, arg_count + 1, const qn_type *);
  for (uint32_t i = 0; i < arg_count; i++) types[i] = args[i].type;
  qn_tensors_options tensors = {.target = codegen.target.level, .max_steps = options->max_steps};
  qn_tensors_result lowered;
  QN_TRY(lower(model, func, types, &tensors, arena, &lowered));
  qn_jit *jit;
  qn_status status = qn_jit_create(lowered.loops, &codegen, &jit);
  qn_module_destroy(lowered.loops);
  QN_TRY(status);
  status = invoke(model->context, qn_jit_model(jit), &at, lowered.types, args, out_results, arena);
  qn_jit_destroy(jit);
  return status;
}

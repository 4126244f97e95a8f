/* Random models: inputs, passes, interpretation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/clone.h"
#include "tests/support/main_arguments.h"
#include "tests/support/memory_plan.h"
#include "tests/support/random_model.h"

void qn_random_inputs(qn_random_model *m, qn_random_run *out_run) {
  *out_run = (qn_random_run){0};
  qn_arena_init(&out_run->arena);
  qn_block *body = qn_op_body(m->func);
  out_run->arg_count = body->arg_count;
  out_run->result_count = qn_op_function_type(m->func)->function.result_count;
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const qn_type *type = body->args[i]->type;
    size_t size = (size_t)qn_type_size(type);
    uint8_t *data = QN_NEW_ARRAY(&out_run->arena, size + 1, uint8_t);
    for (size_t k = 0; k < size; k++) data[k] = (uint8_t)qn_random_between(m, 0, 255);
    out_run->args[i] = (qn_rt_value){.type = type, .data = data, .size = (int64_t)size};
  }
}

qn_status qn_random_pass(qn_random_model *m, const qn_pass *pass, const qn_lower_config *config) {
  qn_pipeline_options options = {.config = config, .verify_each = true};
  qn_status status = qn_pipeline_run(m->module, &pass, 1, &options);
  if (status != QN_OK) qn_random_dump(m);
  return status;
}

qn_status qn_random_lower_to_integer(qn_random_model *m, const char *const values[3]) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_pass_context pc = {.pass = &qn_pass_lower_to_integer,
                        .module = m->module,
                        .root = m->module->op,
                        .cx = &m->cx,
                        .scratch = &scratch,
                        .options = values};
  qn_status status = qn_pass_lower_to_integer.run(&pc);
  qn_arena_deinit(&scratch);
  return status;
}

static void start_run(const qn_random_run *inputs, qn_random_run *out_run) {
  *out_run = *inputs;
  qn_arena_init(&out_run->arena);
}

qn_status qn_random_evaluate(qn_random_model *m, const qn_random_run *inputs,
                             qn_random_run *out_run) {
  start_run(inputs, out_run);
  qn_block *body = qn_op_body(m->func);
  for (uint32_t i = 0; i < inputs->arg_count; i++) out_run->args[i].type = body->args[i]->type;
  qn_status status = qn_eval_call(m->module, m->func, out_run->args, out_run->arg_count,
                                  out_run->results, &out_run->arena, NULL);
  if (status != QN_OK) qn_random_dump(m);
  return status;
}

/* Calls @main(inputs, outputs, arena, or arena and prepared constants) of the loops stage. */
static qn_status evaluate_kernels(qn_random_model *m, const qn_random_run *inputs,
                                  qn_random_run *run) {
  qn_block *body = qn_op_body(qn_module_main(m->module));
  qn_rt_value args[2 * QN_RANDOM_MAX_ARGS + 2];
  QN_ASSERT(takes_only_memory(m->module, inputs->arg_count, inputs->result_count));
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const qn_type *type = body->args[i]->type;
    size_t size = (size_t)qn_type_size(type);
    uint8_t *data =
        i < inputs->arg_count ? inputs->args[i].data : QN_NEW_ARRAY(&run->arena, size + 1, uint8_t);
    args[i] = (qn_rt_value){.type = type, .data = data, .size = (int64_t)size};
  }
  qn_status status = qn_eval_call(m->module, qn_module_main(m->module), args, body->arg_count, NULL,
                                  &run->arena, NULL);
  for (uint32_t i = 0; i < inputs->result_count; i++) run->results[i] = args[inputs->arg_count + i];
  return status;
}

qn_status qn_random_evaluate_loops(qn_random_model *m, const qn_target *target,
                                   const qn_random_run *inputs, qn_random_run *out_run) {
  start_run(inputs, out_run);
  qn_module *integer = m->module;
  m->module = qn_module_clone(integer);
  qn_lower_config config = {.target = target};
  qn_status status = qn_random_pass(m, &qn_pass_lower_to_loops, &config);
  if (status == QN_OK) {
    qn_text problems = {0};
    if (!qn_memory_plan_check(m->module, &problems)) {
      fprintf(stderr, "%s", problems.data);
      status = QN_INTERNAL;
    }
    qn_text_deinit(&problems);
  }
  if (status == QN_OK) {
    status = evaluate_kernels(m, inputs, out_run);
    if (status != QN_OK) qn_random_dump(m);
  }
  qn_module_destroy(m->module);
  m->module = integer;
  return status;
}

bool qn_random_same_results(const qn_random_run *a, const qn_random_run *b) {
  for (uint32_t i = 0; i < a->result_count; i++) {
    const qn_rt_value *x = &a->results[i], *y = &b->results[i];
    if (x->size <= 0 || x->size != y->size) return false;
    if (memcmp(x->data, y->data, (size_t)x->size) != 0) return false;
  }
  return true;
}

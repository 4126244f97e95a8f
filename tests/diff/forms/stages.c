/* Lowers with certain integer forms forbidden, and compares the results of the lower stages; models
 * in which both forms occur.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "codegen/codegen.h"
#include "forms.h"
#include "ir/clone.h"
#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "ir/verify/verify.h"
#include "plan/plan.h"
#include "tests/support/passes.h"
#include "tests/support/prepared.h"

bool form_lower(qn_random_model *m, const char *forbid) {
  const char *const values[] = {"", forbid, "true"};
  qn_status status = qn_random_lower_to_integer(m, values);
  if (status == QN_OK) status = qn_verify(m->module);
  if (status == QN_OK) status = qn_verify_stage(m->module, QN_STAGE_INTEGER);
  if (status != QN_OK) qn_random_dump(m);
  return status == QN_OK;
}

static bool execute(qn_random_model *m, const qn_target *target, const qn_random_run *inputs,
                    qn_random_run *out_run) {
  qn_module *integer = m->module;
  m->module = qn_module_clone(integer);
  qn_lower_config config = {.target = target};
  qn_codegen_options options = {.symbol = qn_str_of("model")};
  *out_run = *inputs;
  qn_arena_init(&out_run->arena);
  qn_jit *jit = NULL;
  bool ok = qn_random_pass(m, &qn_pass_lower_to_loops, &config) == QN_OK &&
            qn_codegen_target_resolve(&m->cx, NULL, target->name, NULL, &options.target) == QN_OK &&
            qn_jit_create(m->module, &options, &jit) == QN_OK;
  if (ok) {
    const qn_abi_model *entry = qn_jit_model(jit);
    const void *in[QN_RANDOM_MAX_ARGS];
    void *out[QN_RANDOM_MAX_ARGS];
    for (uint32_t i = 0; i < inputs->arg_count; i++) in[i] = inputs->args[i].data;
    for (uint32_t i = 0; i < inputs->result_count; i++) {
      size_t bytes = entry->outputs[i].bytes;
      out[i] = QN_NEW_ARRAY(&out_run->arena, bytes + 64, uint8_t);
      out_run->results[i] = (qn_rt_value){.data = out[i], .size = (int64_t)bytes};
    }
    qn_abi_call call = {.inputs = in,
                        .outputs = out,
                        .arena = qn_arena_array(&out_run->arena, entry->arena_bytes + 64, 1)};
    call.arena = (void *)(((uintptr_t)call.arena + 63) & ~(uintptr_t)63);
    ok = invoke_prepared(entry, call) == 0;
  }
  qn_jit_destroy(jit);
  qn_module_destroy(m->module);
  m->module = integer;
  return ok;
}

const char *form_check_stages(qn_random_model *m, const qn_random_run *inputs,
                              const qn_random_run *expected, bool compile) {
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  qn_random_run got;
  if (qn_random_pass(m, &qn_pass_materialize_padding, NULL) != QN_OK) return "fails in a pass";
  if (qn_random_evaluate_loops(m, &targets[count - 1], inputs, &got) != QN_OK)
    return "is not lowered to loops";
  const char *problem =
      qn_random_same_results(expected, &got) ? NULL : "differs at the loops stage";
  qn_arena_deinit(&got.arena);
  for (uint32_t i = 0; i < count && compile && !problem; i++) {
    if (!qn_codegen_host_runs(&targets[i])) continue;
    if (!execute(m, &targets[i], inputs, &got))
      problem = "is not compiled";
    else if (!qn_random_same_results(expected, &got))
      problem = "differs as machine code";
    qn_arena_deinit(&got.arena);
  }
  return problem;
}

/* ---- models with both forms ---- */

static qn_random_op *const links[] = {
    qn_random_pad,  qn_random_conv,  qn_random_unary, qn_random_unary,  qn_random_depthwise,
    qn_random_pool, qn_random_unary, qn_random_pad,   qn_random_binary, qn_random_concat};

static bool make_chain(qn_random_model *m, uint64_t seed) {
  enum { LINKS = 5 };
  qn_random_begin(m, seed, seed % 2 ? "tflm" : "litert-ref");
  const int64_t dims[] = {qn_random_between(m, 1, 2), qn_random_between(m, 3, 8),
                          qn_random_between(m, 3, 8), qn_random_between(m, 1, 6)};
  qn_value *x = qn_random_input(m, qn_random_tensor(m, qn_random_quant(m), 4, dims)), *outs[2];
  size_t first = (size_t)qn_random_between(m, 0, QN_COUNT(links) - 1);
  for (size_t i = 0; i < LINKS; i++) {
    x = links[(first + i) % QN_COUNT(links)](m, x);
    if (i == 1) outs[0] = x;
  }
  outs[1] = x;
  qn_random_end(m, outs, 2);
  return qn_verify(m->module) == QN_OK;
}

enum { NAMES = 4096 };

bool form_has_choice(qn_op_kind kind) {
  const qn_plan_record *record = qn_plan_record_of(kind);
  return record && record->needs && !record->exact && qn_has_float_form(kind);
}

/* Forbids about every second op: writes their names. */
static void forbid_some(qn_random_model *m, char out_names[NAMES]) {
  size_t used = 0;
  for (int kind = 0; kind < QN_OP_COUNT; kind++)
    if (form_has_choice((qn_op_kind)kind) && qn_random_between(m, 0, 1))
      used += (size_t)snprintf(out_names + used, NAMES - used, "%s%s", used ? "," : "",
                               qn_op_infos[kind].name);
}

static const char *check_chain(qn_random_model *m, bool compile) {
  qn_random_run inputs, expected;
  char names[NAMES] = "";
  forbid_some(m, names);
  qn_random_inputs(m, &inputs);
  if (!form_lower(m, names)) return "is not lowered";
  if (qn_random_evaluate(m, &inputs, &expected) != QN_OK) return "does not run";
  const char *problem = NULL;
  qn_test_passes passes = qn_test_passes_of(&m->cx, "prepare-integer");
  for (uint32_t i = 0; i < passes.count && !problem; i++)
    if (qn_random_pass(m, passes.pass[i], NULL) != QN_OK) problem = "fails in a pass";
  if (!problem) problem = form_check_stages(m, &inputs, &expected, compile);
  qn_arena_deinit(&inputs.arena);
  qn_arena_deinit(&expected.arena);
  return problem;
}

int form_check_mixed(uint64_t seed, bool compile) {
  qn_random_model m;
  const char *problem = make_chain(&m, seed) ? check_chain(&m, compile) : "is invalid";
  if (problem) {
    qn_random_dump(&m);
    fprintf(stderr, "mixed %llu %s\n", (unsigned long long)seed, problem);
  }
  qn_random_free(&m);
  return problem != NULL;
}

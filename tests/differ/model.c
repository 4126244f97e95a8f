/* Random models at all stages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/passes/pipelines.h"
#include "ir/clone.h"
#include "tests/differ/differ.h"

static bool check_loops(differ *d, const qn_module *integer) {
  const qn_target *target = differ_target(d);
  const qn_lower_config config = {.target = target, .keep_tensors = qn_random_chance(&d->m, 4)};
  qn_module *loops = qn_module_clone(integer);
  const qn_run_settings settings = qn_pipeline_settings(&config);
  qn_status status = qn_pipeline_lower(loops, &settings, QN_STAGE_INTEGER, QN_STAGE_LOOPS);
  bool ok = status == QN_UNSUPPORTED ? differ_refuse(d)
            : status != QN_OK        ? differ_problem(d, loops, "there are no loops")
            : qn_verify(loops) != QN_OK || qn_verify_stage(loops, QN_STAGE_LOOPS) != QN_OK
                ? differ_problem(d, loops, "the loops are not valid")
                : (qn_choose(&d->m.choices, 8) || differ_check_text(d, loops)) &&
                      differ_check_loops(d, loops, target);
  qn_module_destroy(loops);
  return ok;
}

/* Where an op went through float, which is said, the bytes below are those of the integer stage. */
static bool check_integer(differ *d, const qn_module *integer, bool warned) {
  qn_random_run run;
  bool ok = differ_interpret(d, integer, &run) == QN_OK;
  if (!ok || differ_same(d, &run)) {
    qn_arena_deinit(&run.arena);
    return ok || differ_problem(d, integer, "the integer stage does not run");
  }
  if (!warned) {
    qn_arena_deinit(&run.arena);
    return differ_problem(d, integer, "the integer stage differs");
  }
  d->counts->fallbacks++;
  qn_arena_deinit(&d->expected.arena);
  d->expected = run;
  return true;
}

bool differ_check_stages(differ *d, qn_module *module) {
  const qn_lower_config config = {.target = qn_targets(&(uint32_t){0})};
  uint32_t warnings = d->m.warnings;
  const qn_run_settings settings = qn_pipeline_settings(&config);
  qn_status status = qn_pipeline_lower(module, &settings, QN_STAGE_MODEL, QN_STAGE_INTEGER);
  if (status == QN_UNSUPPORTED) return differ_refuse(d);
  if (status != QN_OK) return differ_problem(d, module, "there is no integer form");
  return check_integer(d, module, d->m.warnings > warnings) && differ_check_text(d, module) &&
         check_loops(d, module);
}

/* Numbers that add up without overflow, in place of any bits. */
static void use_numbers(differ *d) {
  for (uint32_t i = 0; i < d->inputs.arg_count; i++) {
    const qn_rt_value *x = &d->inputs.args[i];
    if (!x->data || !qn_type_is_float(qn_type_element(x->type), QN_F32)) continue;
    uint32_t state = 7 + i;
    for (int64_t k = 0; k < x->size / 4; k++) {
      state = state * 1664525 + 1013904223;
      float number = (float)(int32_t)state / 3e8F;
      memcpy(x->data + 4 * k, &number, sizeof number);
    }
  }
}

/* If the interpreter has no arithmetic for an op, the lowering must reject the op too. Graph passes
 * may remove an unused op, and then there is nothing to reject. */
static bool check_refusal(differ *d) {
  const qn_lower_config config = {.target = qn_targets(&(uint32_t){0})};
  qn_run_settings settings = qn_pipeline_settings(&config);
  settings.disabled = "graph-exact";
  qn_module *copy = qn_module_clone(d->m.module);
  qn_status status = qn_pipeline_lower(copy, &settings, QN_STAGE_MODEL, QN_STAGE_INTEGER);
  qn_module_destroy(copy);
  return status == QN_UNSUPPORTED
             ? differ_refuse(d)
             : differ_problem(d, NULL, "only the interpreter rejects the generated model");
}

bool differ_check_model(differ *d, bool floats_as_numbers) {
  if (qn_verify(d->m.module) != QN_OK || qn_verify_stage(d->m.module, QN_STAGE_MODEL) != QN_OK)
    return differ_problem(d, NULL, "the generated model is not valid");
  differ_make_inputs(d);
  if (floats_as_numbers) use_numbers(d);
  qn_status status = differ_interpret(d, d->m.module, &d->expected);
  if (status == QN_UNSUPPORTED) return check_refusal(d);
  if (status != QN_OK) return differ_problem(d, NULL, "the generated model does not run");
  if (!differ_check_text(d, d->m.module)) return false;
  qn_module *copy = differ_run_passes(d, d->m.module);
  bool ok = copy && differ_check_stages(d, copy);
  qn_module_destroy(copy);
  return ok && differ_check_sizes(d);
}

bool differ_model(qn_choices choices, const differ_options *options, differ_counts *counts) {
  enum { MOST_OPS = 8 };
  differ d = {.options = options, .counts = counts};
  uint32_t drawn =
      (uint32_t)qn_choose(&choices, DIFFER_PROFILES + 1); /* the first twice as often */
  bool extreme = qn_choose(&choices, 3) == 2;
  qn_random_begin_with(&d.m, choices, qn_profile_at(drawn % DIFFER_PROFILES)->name);
  d.m.extreme = extreme;
  if (qn_choose(&d.m.choices, 4) == 3) qn_random_use_words(&d.m);
  qn_random_fill_model(&d.m, 1 + (uint32_t)qn_choose(&d.m.choices, MOST_OPS));
  bool ok = differ_check_model(&d, false);
  differ_end(&d);
  counts->cases++;
  return ok;
}

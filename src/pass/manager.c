/* Runs a list of passes over a module: verification, timing, observation and scratch memory are
 * done here, so that a pass is only its transformation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "pass/pass.h"

/* Every option at its default, in the order of the record's specs. */
static const char *const *default_options(const qn_pass *pass, qn_arena *scratch) {
  uint32_t count = 0;
  if (!pass->options) return NULL;
  while (pass->options[count].name) count++;
  const char **values = QN_NEW_ARRAY(scratch, count + 1, const char *);
  for (uint32_t i = 0; i < count; i++) values[i] = pass->options[i].default_value;
  return values;
}

/* A pass that leaves a broken module is our defect: the diagnostics of the verifier say what is
 * wrong, the last one says who did it. */
static qn_status check_after(qn_module *module, const qn_pass *pass, bool verify_each) {
  qn_status status = QN_OK;
  if (verify_each || pass->sets_stage) status = qn_verify(module);
  if (status == QN_OK && pass->sets_stage) status = qn_verify_stage(module, pass->stage);
  if (status == QN_OK) return QN_OK;
  return qn_error(&module->cx->diag, module->op->loc, QN_INTERNAL,
                  "the module is not valid after pass '%s'", pass->name);
}

static qn_status run_one(qn_module *module, const qn_pass *pass, const qn_pipeline_options *options,
                         qn_arena *scratch, double *out_seconds) {
  qn_pass_context pc = {
      .pass = pass,
      .module = module,
      .root = module->op,
      .cx = module->cx,
      .scratch = scratch,
      .config = options->config,
      .options = default_options(pass, scratch),
  };
  double start = qn_clock_now();
  qn_status status = pass->run(&pc);
  *out_seconds = qn_clock_now() - start;
  if (status != QN_OK) return status;
  return check_after(module, pass, options->verify_each);
}

qn_status qn_pipeline_run(qn_module *module, const qn_pass *const *passes, uint32_t count,
                          const qn_pipeline_options *options) {
  static const qn_pipeline_options defaults = {0};
  if (!options) options = &defaults;
  for (uint32_t i = 0; options->timings && i < count; i++)
    options->timings[i] = (qn_pass_timing){passes[i]->name, 0.0};

  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < count && status == QN_OK; i++) {
    if (options->observe) options->observe(options->user, passes[i], false, module);
    qn_arena_mark mark = qn_arena_get_mark(&scratch);
    double seconds;
    status = run_one(module, passes[i], options, &scratch, &seconds);
    qn_arena_rewind(&scratch, mark);
    if (options->timings) options->timings[i].seconds = seconds;
    if (options->observe && status == QN_OK)
      options->observe(options->user, passes[i], true, module);
  }
  qn_arena_deinit(&scratch);
  return status;
}

/* The named pipelines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/passes/pipelines.h"

#include "passes/passes.h"

/* model -> integer: every op gets its integer form; nothing is rearranged, so that the text shows
 * the arithmetic of each operator of the model. */
static const qn_pass *const model_to_integer[] = {
    &qn_pass_lower_to_integer,
};

/* integer -> loops: convolutions see no border and no zero point any more, then schedules. */
static const qn_pass *const integer_to_loops[] = {
    &qn_pass_use_unsigned,
    &qn_pass_materialize_padding,
    &qn_pass_fold_zero_points,
    &qn_pass_simplify_integer,
    &qn_pass_lower_to_loops,
    &qn_pass_canonicalize,
    &qn_pass_cse,
};

qn_status qn_pipeline_lower(qn_module *module, const qn_lower_config *config, qn_stage from,
                            qn_stage to) {
  static const struct {
    qn_stage from;
    const qn_pass *const *passes;
    uint32_t count;
  } steps[] = {
      {QN_STAGE_MODEL, model_to_integer, QN_COUNT(model_to_integer)},
      {QN_STAGE_INTEGER, integer_to_loops, QN_COUNT(integer_to_loops)},
  };
  qn_pipeline_options options = {.config = config};
  for (size_t i = 0; i < QN_COUNT(steps); i++) {
    if (steps[i].from < from || steps[i].from >= to) continue;
    QN_TRY(qn_pipeline_run(module, steps[i].passes, steps[i].count, &options));
  }
  return QN_OK;
}

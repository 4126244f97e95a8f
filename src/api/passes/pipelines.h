/* Runs the compiler's pipeline from any stage to a later one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PIPELINES_H
#define QN_API_PIPELINES_H

#include "lower/lower.h"
#include "pass/manager.h"

/* Settings for a run of the compiler's pipeline with this configuration. */
qn_run_settings qn_pipeline_settings(const qn_lower_config *config);

/* Runs the parts of the pipeline `compile` (lower/pipelines.c) that lower a module from stage
 * `from` to stage `to`. `from` must not be after `to`. */
QN_NODISCARD qn_status qn_pipeline_lower(qn_module *module, const qn_run_settings *settings,
                                         qn_stage from, qn_stage to);

/* Runs the passes of a pipeline's text, all of which this library has. */
QN_NODISCARD qn_status qn_pipeline_text_run(qn_module *module, const qn_run_settings *settings,
                                            const char *text);

#endif

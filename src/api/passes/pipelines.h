/* The compiler's own pipeline, run from any stage to a later one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PIPELINES_H
#define QN_API_PIPELINES_H

#include "lower/lower.h"
#include "pass/manager.h"

/* Settings of a run of the compiler's pipeline, which `config` is handed to. */
qn_run_settings qn_pipeline_settings(const qn_lower_config *config);

/* The parts of `compile` (lower/pipelines.c) that take a module from one stage to another; `from`
 * must not be beyond `to`. */
QN_NODISCARD qn_status qn_pipeline_lower(qn_module *module, const qn_run_settings *settings,
                                         qn_stage from, qn_stage to);

#endif

/* The compiler's own pipeline, run from any stage to a later one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PIPELINES_H
#define QN_API_PIPELINES_H

#include "lower/lower.h"

/* The parts of `compile` (lower/pipelines.c) that take a module from one stage to another; `from` must
 * not be beyond `to`. */
QN_NODISCARD qn_status qn_pipeline_lower(qn_module *module, const qn_lower_config *config,
                                         qn_stage from, qn_stage to);

#endif

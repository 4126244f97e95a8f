/* Which ops of a model run in bands of rows, so that its arena keeps a limit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_BANDS_H
#define QN_API_BANDS_H

#include "pass/manager.h"

/* Appends the chains for the pass compute-in-bands (lower/bands) with which the arena of a module
 * of the model stage has at most `limit` bytes; nothing if it has so without bands. If no choice
 * leads there, they are those of the smallest arena that was found. `settings`: of the compilation,
 * with a qn_lower_config. The module is not changed, and nothing is reported. */
void qn_bands_choose(const qn_module *module, const qn_run_settings *settings, size_t limit,
                     qn_text *out_chains);

#endif

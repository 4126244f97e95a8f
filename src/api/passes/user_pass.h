/* Shared by the files that register passes of users and those that run them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PASSES_USER_PASS_H
#define QN_API_PASSES_USER_PASS_H

#include "api/api.h"

/* The function qn_pass.run of a pass that a user registered; qn_pass.user is the qn_user_pass. */
qn_status qn_user_pass_run(qn_pass_context *pc);
/* ---- user_options.c ---- */

/* Copies a string of a user; NULL becomes an empty string. */
const char *qn_user_text(qn_arena *arena, const char *text);
/* Whether `text` is a valid name of a pass, option or key. */
bool qn_user_is_name(const char *text);
QN_PRINTF(2, 3) qn_status qn_user_reject(qn_context *context, const char *format, ...);
/* Copies options of passes or keys of configurations into specs. `of` names their owner in
 * messages. */
QN_NODISCARD qn_status qn_copy_user_options(qn_context *context, const char *of,
                                            const qn_user_option *options, uint32_t count,
                                            qn_option_spec *out_specs);

#endif

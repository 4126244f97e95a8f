/* Between the files that register what users bring and those that run it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PASSES_USER_PASS_H
#define QN_API_PASSES_USER_PASS_H

#include "api/api.h"

/* qn_pass.run of a pass whose `user` is a qn_user_pass. */
qn_status qn_user_pass_run(qn_pass_context *pc);
/* ---- user_options.c ---- */

/* A copy of what a user gave; NULL is empty. */
const char *qn_user_text(qn_arena *arena, const char *text);
/* Whether a pass, option or key may have this name. */
bool qn_user_is_name(const char *text);
QN_PRINTF(2, 3) qn_status qn_user_reject(qn_context *context, const char *format, ...);
/* Copies options of passes or keys of configurations into specs; `of` says whose in messages. */
QN_NODISCARD qn_status qn_copy_user_options(qn_context *context, const char *of,
                                            const qn_user_option *options, uint32_t count,
                                            qn_option_spec *out_specs);

#endif

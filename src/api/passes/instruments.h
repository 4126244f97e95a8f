/* Connects the instruments of users to the callbacks of the pass manager.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PASSES_INSTRUMENTS_H
#define QN_API_PASSES_INSTRUMENTS_H

#include "api/api.h"

/* The `user` argument of the manager's callbacks. */
typedef struct qn_run_user {
  qn_model *model;
  const qn_run_options *options;
} qn_run_user;

/* Converts an event of the manager to the struct of the public API. */
qn_pass_step qn_pass_step_of(const qn_pass_event *event);
/* Sets the manager's callbacks if the run has instruments. */
void qn_instruments_attach(const qn_run_user *run, qn_run_settings *settings);
void qn_instruments_enter(const qn_run_user *run);
void qn_instruments_leave(const qn_run_user *run, qn_status status);

#endif

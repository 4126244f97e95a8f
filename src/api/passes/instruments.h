/* Instruments of users at work, between run_pipeline.c and the manager.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PASSES_INSTRUMENTS_H
#define QN_API_PASSES_INSTRUMENTS_H

#include "api/api.h"

/* What the manager's callbacks get. */
typedef struct qn_run_user {
  qn_model *model;
  const qn_run_options *options;
} qn_run_user;

/* The event as users see it. */
qn_pass_step qn_pass_step_of(const qn_pass_event *event);
/* Sets the manager's callbacks when there are instruments. */
void qn_instruments_attach(const qn_run_user *run, qn_run_settings *settings);
void qn_instruments_enter(const qn_run_user *run);
void qn_instruments_leave(const qn_run_user *run, qn_status status);

#endif

/* Begins, ends and aborts calls of the API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/call.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void qn_call_begin(qn_call *call, qn_context *context, const char *about, qn_ring *home) {
  const qn_diag_engine *diag = &context->ir.diag;
  call->context = context;
  call->about = about;
  call->home = home ? home : &context->ring;
  call->diag = (qn_diag_state){diag->handler, diag->errors, diag->warnings};
  call->scratch = qn_arena_get_mark(&diag->scratch);
  qn_guard_open(&call->guard, &context->account);
}

qn_status qn_call_end(qn_call *call, qn_status status) {
  qn_arena_rewind(&call->context->ir.diag.scratch, call->scratch);
  qn_guard_close(&call->guard, call->home);
  return status;
}

qn_status qn_call_give_up(qn_call *call) {
  qn_context *context = call->context;
  /* the call may have silenced it or installed another handler */
  context->ir.diag.handler = call->diag.handler;
  context->ir.diag.user = context;
  context->source = (qn_str){0};
  qn_arena_rewind(&context->ir.diag.scratch, call->scratch);
  qn_guard_discard(&call->guard);
  context->exceeded = call->guard.exceeded;
  return qn_call_refuse(context, call->about, call->guard.exceeded);
}

/* ---- the message, built without allocation ---- */

static void describe(const qn_context *context, qn_exceeded why, char *text, size_t size) {
  switch (why) {
  case QN_EXCEEDED_MEMORY:
    snprintf(text, size,
             "the limit of %zu bytes of memory is reached; --max-memory or "
             "qn_context_set_limits raises it",
             context->account.max_memory);
    break;
  case QN_EXCEEDED_TIME:
    snprintf(text, size,
             "the limit of %g s of time is reached; --max-time or qn_context_set_limits raises it",
             context->max_seconds);
    break;
  default:
    snprintf(text, size, "out of memory");
  }
}

qn_status qn_call_refuse(qn_context *context, const char *about, qn_exceeded why) {
  char reason[160], text[1024];
  describe(context, why, reason, sizeof reason);
  context->ir.diag.errors++;
  if (context->parts_handler) {
    const qn_message message = {.severity = QN_MESSAGE_ERROR,
                                .file = about ? about : "",
                                .text = reason,
                                .code = "",
                                .where = about ? about : ""};
    context->parts_handler(context->parts_user, &message);
    return QN_LIMIT;
  }
  snprintf(text, sizeof text, "%.*s%serror: %s", (int)(sizeof text - sizeof reason - 16),
           about ? about : "", about && about[0] ? ": " : "", reason);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < 32 || *c == 127) *c = '?';
  if (context->handler)
    context->handler(context->user, QN_MESSAGE_ERROR, text);
  else
    fprintf(stderr, "%s\n", text);
  return QN_LIMIT;
}

/* ---- limits ---- */

void qn_context_set_limits(qn_context *context, const qn_limits *limits) {
  qn_limits all = QN_LIMITS_INIT;
  if (limits) memcpy(&all, limits, limits->size < sizeof all ? limits->size : sizeof all);
  qn_account *account = &context->account;
  account->max_memory = all.max_memory;
  context->max_seconds = all.max_seconds;
  account->timed = all.max_seconds >= 0 && isfinite(all.max_seconds);
  if (account->timed) account->deadline = account->clock() + all.max_seconds;
}

size_t qn_context_memory(const qn_context *context) { return context->account.used; }

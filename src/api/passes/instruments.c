/* Calls the instruments of users: each callback of the pass manager is forwarded to all instruments
 * that define it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/passes/instruments.h"

#include "api/call.h"
#include "text/text.h"

/* Copies instrument i, which can be a shorter struct if the caller was compiled against an older
 * version. Returns false after the last. */
static bool instrument_at(const qn_run_user *run, size_t i, qn_instrument *out) {
  const qn_instrument *const *list = run->options->instruments;
  if (!list || !list[i]) return false;
  *out = (qn_instrument){.size = 0};
  memcpy(out, list[i], list[i]->size < sizeof *out ? list[i]->size : sizeof *out);
  return true;
}

qn_pass_step qn_pass_step_of(const qn_pass_event *event) {
  return (qn_pass_step){.pass = event->pass->name,
                        .op = event->op->name.data,
                        .symbol = qn_op_sym_name(event->op).data,
                        .number = event->number,
                        .runs = event->runs,
                        .ir = event};
}

static bool should_run(void *user, const qn_pass_event *event) {
  const qn_pass_step step = qn_pass_step_of(event);
  qn_instrument one;
  bool runs = true;
  for (size_t i = 0; instrument_at(user, i, &one); i++)
    if (one.should_run && !one.should_run(one.user, &step)) runs = false;
  return runs;
}

static void before(void *user, const qn_pass_event *event) {
  const qn_pass_step step = qn_pass_step_of(event);
  qn_instrument one;
  for (size_t i = 0; instrument_at(user, i, &one); i++)
    if (one.before) one.before(one.user, &step);
}

static void after(void *user, const qn_pass_event *event, qn_status status, bool changed) {
  const qn_pass_step step = qn_pass_step_of(event);
  qn_instrument one;
  for (size_t i = 0; instrument_at(user, i, &one); i++)
    if (one.after) one.after(one.user, &step, status, changed);
}

void qn_instruments_attach(const qn_run_user *run, qn_run_settings *settings) {
  if (!run->options->instruments) return;
  settings->should_run = should_run;
  settings->before = before;
  settings->after = after;
}

void qn_instruments_enter(const qn_run_user *run) {
  qn_instrument one;
  for (size_t i = 0; instrument_at(run, i, &one); i++)
    if (one.enter) one.enter(one.user);
}

void qn_instruments_leave(const qn_run_user *run, qn_status status) {
  qn_instrument one;
  for (size_t i = 0; instrument_at(run, i, &one); i++)
    if (one.leave) one.leave(one.user, status);
}

static qn_status print(const qn_pass_step *step, const qn_text_options *options, char **out_text,
                       size_t *out_size) {
  const qn_pass_event *event = step->ir;
  const qn_text_options all = qn_text_options_of(options);
  const qn_print_options print = qn_print_options_of(&all);
  qn_text text = {0};
  if (event->op == event->module->op)
    qn_text_print(event->module, &print, &text);
  else
    qn_text_print_op(event->op, &print, &text);
  qn_status status = qn_give_text(text.data, text.size, out_text, out_size);
  qn_text_deinit(&text);
  return status;
}

qn_status qn_pass_step_print(const qn_pass_step *step, const qn_text_options *options,
                             char **out_text, size_t *out_size) {
  const qn_pass_event *event = step->ir;
  qn_status status;
  QN_CALL(&status, event->module->cx->diag.user, event->pass->name, NULL,
          print(step, options, out_text, out_size));
  return status;
}

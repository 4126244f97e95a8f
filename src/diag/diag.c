/* Sending diagnostics: counted, limited, and handed to the sink.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "diag/diag.h"

#include "diag/loc.h"

enum { DEFAULT_ERROR_LIMIT = 100 };

void qn_diag_init(qn_diag_engine *engine, qn_arena *arena) {
  *engine = (qn_diag_engine){.arena = arena, .error_limit = DEFAULT_ERROR_LIMIT};
  qn_arena_init(&engine->scratch);
  qn_loc_table_init(engine);
}

void qn_diag_deinit(qn_diag_engine *engine) {
  qn_loc_table_deinit(engine);
  qn_arena_deinit(&engine->scratch);
}

void qn_report(qn_diag_engine *engine, const qn_diag *diag) {
  if (diag->severity == QN_ERROR) engine->errors++;
  if (diag->severity == QN_WARNING) engine->warnings++;
  bool beyond =
      diag->severity == QN_ERROR && engine->error_limit > 0 && engine->errors > engine->error_limit;
  if (engine->handler && !beyond) engine->handler(engine->user, diag);
}

static void report_format(qn_diag_engine *engine, qn_severity severity, const qn_loc *loc,
                          const char *format, va_list arguments) {
  qn_arena_mark mark = qn_arena_get_mark(&engine->scratch);
  qn_diag diag = {.severity = severity,
                  .loc = loc ? loc : engine->unknown,
                  .text = qn_arena_vformat(&engine->scratch, format, arguments)};
  qn_report(engine, &diag);
  qn_arena_rewind(&engine->scratch, mark);
}

qn_status qn_error(qn_diag_engine *engine, const qn_loc *loc, qn_status status, const char *format,
                   ...) {
  va_list arguments;
  va_start(arguments, format);
  report_format(engine, QN_ERROR, loc, format, arguments);
  va_end(arguments);
  return status;
}

void qn_warning(qn_diag_engine *engine, const qn_loc *loc, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report_format(engine, QN_WARNING, loc, format, arguments);
  va_end(arguments);
}

void qn_remark(qn_diag_engine *engine, const qn_loc *loc, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report_format(engine, QN_REMARK, loc, format, arguments);
  va_end(arguments);
}

static void ignore(void *user, const qn_diag *diag) { (void)user, (void)diag; }

qn_diag_state qn_diag_silence(qn_diag_engine *engine) {
  qn_diag_state state = {engine->handler, engine->errors, engine->warnings};
  engine->handler = ignore;
  return state;
}

void qn_diag_restore(qn_diag_engine *engine, const qn_diag_state *state) {
  engine->handler = state->handler;
  engine->errors = state->errors;
  engine->warnings = state->warnings;
}

/* Locations and diagnostics. A status says how a call ended; what to tell the user is a diagnostic,
 * sent to the sink of the context, so that one run reports every problem of a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_DIAG_DIAG_H
#define QN_DIAG_DIAG_H

#include <quern/base.h>
#include <stdarg.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

/* ---- locations: interned in the context's arena, compared by pointer ---- */

typedef enum qn_loc_kind {
  QN_LOC_UNKNOWN,
  QN_LOC_FILE,     /* file:line:column */
  QN_LOC_NAME,     /* a name with an optional child: a model's operator and tensor */
  QN_LOC_FUSED,    /* made from several ops */
  QN_LOC_CALLSITE, /* callee at caller */
} qn_loc_kind;

typedef struct qn_loc {
  qn_loc_kind kind;
  qn_str text;                          /* FILE: path; NAME: the name */
  uint32_t line, column;                /* FILE: from 1; 0 when the file has no lines (a model) */
  const struct qn_loc *const *children; /* NAME: 0 or 1; FUSED: n; CALLSITE: callee, caller */
  uint32_t child_count;
} qn_loc;

/* QN_HELP stands among notes only: what to write instead. */
typedef enum qn_severity { QN_ERROR, QN_WARNING, QN_NOTE, QN_REMARK, QN_HELP } qn_severity;

typedef struct qn_diag {
  qn_severity severity;
  const qn_loc *loc; /* never NULL */
  qn_str text;       /* no newline at the end, no full stop */
  const struct qn_diag *notes;
  uint32_t note_count;
  const char *code; /* shown as "error[CODE]:"; NULL: none */
} qn_diag;

/* Receives every diagnostic. The diagnostic lives until the handler returns. */
typedef void qn_diag_handler(void *user, const qn_diag *diag);

typedef struct qn_diag_engine {
  qn_arena *arena; /* of the context: locations */
  qn_arena scratch;
  const qn_loc *unknown;
  qn_diag_handler *handler;
  void *user;
  uint32_t errors, warnings; /* counted since init */
  uint32_t error_limit;      /* after that many errors the rest is counted, not reported; 0: none */
  struct qn_loc_table *locs;
} qn_diag_engine;

void qn_diag_init(qn_diag_engine *engine, qn_arena *arena);
void qn_diag_deinit(qn_diag_engine *engine);

const qn_loc *qn_loc_file(qn_diag_engine *engine, qn_str path, uint32_t line, uint32_t column);
const qn_loc *qn_loc_name(qn_diag_engine *engine, qn_str name, const qn_loc *child_or_null);
const qn_loc *qn_loc_fused(qn_diag_engine *engine, const qn_loc *const *locs, uint32_t count);
const qn_loc *qn_loc_callsite(qn_diag_engine *engine, const qn_loc *callee, const qn_loc *caller);

/* Reports, and returns `status`, so that a failing function ends with `return qn_error(...)`. */
qn_status qn_error(qn_diag_engine *engine, const qn_loc *loc, qn_status status, const char *format,
                   ...) QN_PRINTF(4, 5);
void qn_warning(qn_diag_engine *engine, const qn_loc *loc, const char *format, ...) QN_PRINTF(3, 4);
void qn_remark(qn_diag_engine *engine, const qn_loc *loc, const char *format, ...) QN_PRINTF(3, 4);
/* A diagnostic with notes. */
void qn_report(qn_diag_engine *engine, const qn_diag *diag);

/* Diagnostics of an attempt that may fail without an error of the program: between these two calls
 * nothing is reported or counted. */
typedef struct qn_diag_state {
  qn_diag_handler *handler;
  uint32_t errors, warnings;
} qn_diag_state;
qn_diag_state qn_diag_silence(qn_diag_engine *engine);
void qn_diag_restore(qn_diag_engine *engine, const qn_diag_state *state);

/* Makes text what diagnostics show of it: '?' for each control character, and for each byte that is
 * no character. */
void qn_diag_clean(char *text);
/* "model.tflite: operator 5 (CONV_2D), tensor 'x': error: text" or "file:3:7: error: text", with
 * notes on further lines; when `source` is the text of the location's file, the line and a caret
 * are added. */
void qn_diag_render(const qn_diag *diag, qn_str source, bool colour, qn_text *out);
/* The first position in a text file within a location, or NULL. */
const qn_loc *qn_loc_position(const qn_loc *loc);
/* The given line (from 1) without its end; empty when there is none. */
qn_str qn_source_line(qn_str source, uint32_t line);
/* The location alone, as printed before ": error:". */
void qn_loc_render(const qn_loc *loc, qn_text *out);

#endif

/* Errors of an attempt to compile, as properties of operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/inspect/inspect.h"

static void keep(void *user, const qn_diag *diag) {
  qn_reasons *r = user;
  if (diag->severity != QN_ERROR) return;
  qn_str *text = QN_NEW(r->arena, qn_str);
  *text = qn_arena_str(r->arena, diag->text);
  if (!qn_map_get(&r->by_loc, diag->loc)) qn_map_set(&r->by_loc, diag->loc, text);
  if (r->first) return;
  qn_text full = {0};
  qn_loc_render(diag->loc, &full);
  qn_text_format(&full, ": %.*s", QN_STR_ARG(*text));
  r->first = qn_arena_str(r->arena, qn_text_view(&full)).data;
  qn_text_deinit(&full);
}

void qn_reasons_begin(qn_reasons *reasons, qn_diag_engine *diag, qn_arena *arena) {
  *reasons = (qn_reasons){.diag = diag,
                          .handler = diag->handler,
                          .user = diag->user,
                          .errors = diag->errors,
                          .arena = arena};
  diag->handler = keep;
  diag->user = reasons;
}

void qn_reasons_end(qn_reasons *reasons) {
  reasons->diag->handler = reasons->handler;
  reasons->diag->user = reasons->user;
  reasons->diag->errors = reasons->errors;
}

void qn_reasons_free(qn_reasons *reasons) { qn_map_deinit(&reasons->by_loc); }

qn_str qn_reasons_of(const qn_reasons *reasons, const qn_op *op) {
  qn_str kept = qn_op_reason(op);
  const qn_str *said = qn_map_get(&reasons->by_loc, op->loc);
  if (kept.size > 0) return kept;
  if (op->kind == QN_OP_UNREGISTERED) return qn_str_of("it is of no dialect that is known here");
  return said ? *said : kept;
}

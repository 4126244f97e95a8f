/* Rejections, which state why an op has no plan, and notes for users about a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

qn_status qn_plan_refuse(qn_planner *p, const qn_op *op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(p->arena, format, arguments);
  va_end(arguments);
  p->reason = qn_arena_format(p->arena, "'%.*s' has no integer form: %.*s", QN_STR_ARG(op->name),
                              QN_STR_ARG(text));
  return QN_UNSUPPORTED;
}

qn_status qn_plan_refuse_numbers(qn_planner *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  p->reason = qn_arena_vformat(p->arena, format, arguments);
  va_end(arguments);
  return QN_UNSUPPORTED;
}

void qn_plan_note_on(qn_planner *p, qn_plan *plan, qn_severity severity, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_plan_note *note = QN_NEW(p->arena, qn_plan_note);
  *note = (qn_plan_note){plan->notes, severity, qn_arena_vformat(p->arena, format, arguments)};
  va_end(arguments);
  plan->notes = note;
}

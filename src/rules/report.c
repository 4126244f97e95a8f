/* Messages about rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/report.h"

#include "base/spelling.h"

void qn_rule_reporter_init(qn_rule_reporter *reporter, qn_diag_engine *diag, qn_arena *arena,
                           qn_str path) {
  *reporter = (qn_rule_reporter){.diag = diag, .arena = arena, .path = path};
}

void qn_rule_flush(qn_rule_reporter *reporter) {
  if (!reporter->pending) return;
  reporter->pending = false;
  bool shown = reporter->message.severity != QN_ERROR || reporter->errors <= QN_RULE_MAX_ERRORS;
  QN_ASSERT(reporter->message.note_count <= QN_RULE_MAX_NOTES);
  reporter->message.notes = reporter->notes;
  if (shown)
    qn_report(reporter->diag, &reporter->message);
  else
    reporter->diag->errors++;
}

static const qn_loc *place(qn_rule_reporter *reporter, qn_rule_pos pos) {
  return qn_loc_file(reporter->diag, reporter->path, pos.line, pos.column);
}

static void begin(qn_rule_reporter *reporter, qn_severity severity, const char *code,
                  qn_rule_pos pos, const char *format, va_list arguments) {
  qn_rule_flush(reporter);
  reporter->pending = true;
  reporter->message = (qn_diag){.severity = severity,
                                .code = code,
                                .loc = place(reporter, pos),
                                .text = qn_arena_vformat(reporter->arena, format, arguments)};
}

void qn_rule_error(qn_rule_reporter *reporter, const char *code, qn_rule_pos pos,
                   const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin(reporter, QN_ERROR, code, pos, format, arguments);
  va_end(arguments);
  reporter->errors++;
}

void qn_rule_warning(qn_rule_reporter *reporter, const char *code, qn_rule_pos pos,
                     const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin(reporter, QN_WARNING, code, pos, format, arguments);
  va_end(arguments);
  reporter->warnings++;
}

static void add(qn_rule_reporter *reporter, qn_severity severity, const qn_loc *loc,
                const char *format, va_list arguments) {
  QN_ASSERT(reporter->pending); /* notes and help belong to a message */
  if (reporter->message.note_count == QN_RULE_MAX_NOTES) return;
  reporter->notes[reporter->message.note_count++] =
      (qn_diag){.severity = severity,
                .loc = loc,
                .text = qn_arena_vformat(reporter->arena, format, arguments)};
}

void qn_rule_note(qn_rule_reporter *reporter, qn_rule_pos pos, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(reporter, QN_NOTE, place(reporter, pos), format, arguments);
  va_end(arguments);
}

void qn_rule_note_anywhere(qn_rule_reporter *reporter, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(reporter, QN_NOTE, reporter->diag->unknown, format, arguments);
  va_end(arguments);
}

void qn_rule_help(qn_rule_reporter *reporter, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(reporter, QN_HELP, reporter->diag->unknown, format, arguments);
  va_end(arguments);
}

void qn_rule_finish(qn_rule_reporter *reporter) {
  qn_rule_flush(reporter);
  if (reporter->errors <= QN_RULE_MAX_ERRORS) return;
  const qn_diag rest = {.severity = QN_NOTE,
                        .loc = qn_loc_file(reporter->diag, reporter->path, 0, 0),
                        .text = qn_arena_format(reporter->arena, "%u more errors are not shown",
                                                reporter->errors - QN_RULE_MAX_ERRORS)};
  qn_report(reporter->diag, &rest);
}

/* ---- guesses ---- */

qn_rule_guess qn_rule_guess_begin(qn_str name) {
  return (qn_rule_guess){.name = name, .distance = {SIZE_MAX, SIZE_MAX}};
}

static qn_str lower(char *buffer, size_t room, qn_str name) {
  size_t size = name.size < room ? name.size : room;
  for (size_t i = 0; i < size; i++) {
    char c = name.data[i];
    buffer[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  return (qn_str){buffer, size};
}

/* Edit distance of two names. Names that differ only in case have distance 1 at most, whatever
 * their length. */
static size_t distance_between(qn_str a, qn_str b) {
  char lower_a[64], lower_b[64];
  size_t distance = qn_name_distance(a, b);
  if (a.size != b.size || a.size > sizeof lower_a) return distance;
  bool same = qn_str_equal(lower(lower_a, sizeof lower_a, a), lower(lower_b, sizeof lower_b, b));
  return same && distance > 1 ? 1 : distance;
}

void qn_rule_guess_offer(qn_rule_guess *guess, qn_str candidate) {
  size_t distance = distance_between(guess->name, candidate);
  for (int i = 0; i < 2; i++) {
    if (distance >= guess->distance[i] || distance == SIZE_MAX) continue;
    for (int k = 1; k > i; k--) {
      guess->best[k] = guess->best[k - 1];
      guess->distance[k] = guess->distance[k - 1];
    }
    guess->best[i] = candidate;
    guess->distance[i] = distance;
    return;
  }
}

void qn_rule_guess_help(qn_rule_reporter *reporter, const qn_rule_guess *guess, const char *before,
                        const char *after) {
  if (guess->distance[0] == SIZE_MAX) return;
  bool two = guess->distance[1] <= guess->distance[0] + 1;
  if (two)
    qn_rule_help(reporter, "did you mean %s%.*s%s or %s%.*s%s?", before, QN_STR_ARG(guess->best[0]),
                 after, before, QN_STR_ARG(guess->best[1]), after);
  else
    qn_rule_help(reporter, "did you mean %s%.*s%s?", before, QN_STR_ARG(guess->best[0]), after);
}

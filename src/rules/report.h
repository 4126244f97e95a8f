/* Messages about rules: a code, a position, what was expected and found, notes at other positions,
 * and one line of help. A message is begun, parts are added, and it is sent when the next message
 * begins or at qn_rule_flush.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REPORT_H
#define QN_RULES_REPORT_H

#include "diag/diag.h"
#include "rules/syntax/tree.h"

enum { QN_RULE_MAX_NOTES = 4, QN_RULE_MAX_ERRORS = 20 };

typedef struct qn_rule_reporter {
  qn_diag_engine *diag;
  qn_arena *arena; /* for the texts of messages */
  qn_str path;
  uint32_t errors; /* errors in this file; after QN_RULE_MAX_ERRORS they are only counted */
  uint32_t warnings;
  bool pending; /* whether a message has been begun and not yet sent */
  qn_diag message;
  qn_diag notes[QN_RULE_MAX_NOTES];
} qn_rule_reporter;

void qn_rule_reporter_init(qn_rule_reporter *reporter, qn_diag_engine *diag, qn_arena *arena,
                           qn_str path);
void qn_rule_error(qn_rule_reporter *reporter, const char *code, qn_rule_pos pos,
                   const char *format, ...) QN_PRINTF(4, 5);
void qn_rule_warning(qn_rule_reporter *reporter, const char *code, qn_rule_pos pos,
                     const char *format, ...) QN_PRINTF(4, 5);
/* Adds a note at `pos` to the current message. */
void qn_rule_note(qn_rule_reporter *reporter, qn_rule_pos pos, const char *format, ...)
    QN_PRINTF(3, 4);
void qn_rule_note_anywhere(qn_rule_reporter *reporter, const char *format, ...) QN_PRINTF(2, 3);
void qn_rule_help(qn_rule_reporter *reporter, const char *format, ...) QN_PRINTF(2, 3);
/* Sends the current message. */
void qn_rule_flush(qn_rule_reporter *reporter);
/* Sends the current message at the end of a file, and reports how many errors were not shown. */
void qn_rule_finish(qn_rule_reporter *reporter);

/* Collects names similar to a misspelled one, for help like `did you mean "Act"?`. */
typedef struct qn_rule_guess {
  qn_str name;
  qn_str best[2];
  size_t distance[2];
} qn_rule_guess;
qn_rule_guess qn_rule_guess_begin(qn_str name);
void qn_rule_guess_offer(qn_rule_guess *guess, qn_str candidate);
/* Adds the suggestions as help, if there are any. Each name is written between `before` and
 * `after`. */
void qn_rule_guess_help(qn_rule_reporter *reporter, const qn_rule_guess *guess, const char *before,
                        const char *after);

#endif

/* Replays a log: each line gives the rule, the op and the alternative, so nothing is searched.
 * Match, constraint, building and checks are repeated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "ir/walk.h"
#include "rules/rewrite/run.h"

typedef struct entry {
  char what[16], rule[128];
  unsigned function, place, result, way;
} entry;

static bool read(qn_str line, entry *out_entry) {
  char text[512];
  long long number;
  snprintf(text, sizeof text, "%.*s", QN_STR_ARG(line));
  return sscanf(text, "%lld %15s %127s function %u op %u result %u way %u", &number,
                out_entry->what, out_entry->rule, &out_entry->function, &out_entry->place,
                &out_entry->result, &out_entry->way) == 7;
}

typedef struct search {
  unsigned left;
  qn_op *found;
} search;

static bool find_function(qn_op *op, void *user) {
  search *s = user;
  if (op->kind != QN_OP_FUNC || op->region_count == 0) return true;
  if (s->left-- > 0) return true;
  s->found = op;
  return false;
}

static qn_op *op_of(const qn_rule_run *run, const entry *e) {
  search s = {.left = e->function};
  (void)qn_walk_pre(run->module->op, find_function, &s);
  unsigned left = e->place;
  if (!s.found || !s.found->regions[0].first) return NULL;
  QN_FOR_EACH_OP(op, qn_op_body(s.found))
  if (left-- == 0) return op;
  return NULL;
}

static qn_rule_state *state_of(qn_rule_run *run, const char *name) {
  for (size_t i = 0; i < run->states.count; i++)
    if (qn_str_is(run->states.data[i].rule->name, name)) return &run->states.data[i];
  return NULL;
}

static qn_str reject(qn_rule_run *run, const qn_rule_state *state, qn_rule_outcome outcome) {
  static const char *const words[] = {[QN_RULE_NO_MATCH] = "the pattern does not match there",
                                      [QN_RULE_NOT_HELD] = "the constraint does not hold there",
                                      [QN_RULE_OWN_RESULT] = "the rule has built this op itself",
                                      [QN_RULE_NOT_ASKED] = "it is beyond the limit",
                                      [QN_RULE_NO_CHANGE] = "it changes nothing",
                                      [QN_RULE_TOO_DEAR] = "it does not pay there"};
  if (outcome == QN_RULE_UNDONE)
    return qn_arena_format(&run->arena, "%s: %.*s", state->code, QN_STR_ARG(state->why));
  return qn_str_of(words[outcome]);
}

/* Replays one line. Returns an empty string on success, else the reason why it failed. */
static qn_str redo(qn_rule_run *run, qn_str line) {
  entry e;
  qn_value *value;
  if (!read(line, &e)) return qn_str_of("this is not a line of a log");
  if (strcmp(e.what, "applied") != 0) return (qn_str){"", 0};
  qn_rule_state *state = state_of(run, e.rule);
  qn_op *op = op_of(run, &e);
  if (!state) return qn_arena_format(&run->arena, "there is no rule %s", e.rule);
  if (!op || e.result >= op->result_count) return qn_str_of("there is no such op");
  state->counts.undone = 0;
  qn_rule_outcome outcome = qn_rule_try(run, state, op, e.result, &value);
  return outcome == QN_RULE_APPLIED ? (qn_str){"", 0} : reject(run, state, outcome);
}

bool qn_rule_run_replay(qn_rule_run *run, qn_str log, uint32_t *out_line, qn_str *out_why) {
  *out_line = 0;
  while (log.size > 0) {
    const char *newline = memchr(log.data, '\n', log.size);
    qn_str line = {log.data, newline ? (size_t)(newline - log.data) : log.size};
    size_t step = line.size + (newline != NULL);
    ++*out_line;
    *out_why = line.size > 0 ? redo(run, line) : (qn_str){"", 0};
    if (out_why->size > 0) return false;
    log = (qn_str){log.data + step, log.size - step};
  }
  return true;
}

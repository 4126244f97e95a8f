/* Tests a rule: builds graphs until the rule has been applied often enough, computes original and
 * replacement for each application, and reports the smallest graph that shows a difference.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/verify/verify.h"
#include "ir/walk.h"
#include "rules/print/print.h"
#include "rules/trial/sample.h"
#include "text/text.h"

enum {
  MOST_SAMPLES = 6000,
  ENOUGH_FIRED = 24,
  ENOUGH_NEAR = 4,
  MOST_ELEMENTS = 1 << 21,
  LARGEST_SAMPLE = 1 << 20
};

/* Settings for OPTION_...: 1 for all options, so that rules which need permission are allowed, and
 * 2 for the tile size, so that samples stay small. */
static const qn_rule_setting *permit(qn_arena *arena, const qn_rule_names *names) {
  uint32_t count = 0;
  while (names->options[count].name) count++;
  qn_rule_setting *settings = QN_NEW_ARRAY(arena, count + 1, qn_rule_setting);
  for (uint32_t i = 0; i < count; i++) {
    bool tile = strcmp(names->options[i].name, "fc_tile") == 0;
    settings[i] = (qn_rule_setting){names->options[i].name, tile ? 2 : 1};
  }
  return settings;
}

typedef struct trial {
  qn_ir_context *cx;
  const qn_rule_set *set;
  const qn_rule *rule, *expanded;
  const qn_rule_setting *settings;
  qn_rule_trial *out;
  int64_t smallest; /* number of elements of the graph that is reported */
  qn_text undone;   /* reason of the first application that failed */
} trial;

static bool count_elements(qn_op *op, void *user) {
  int64_t *sum = user;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i].type->kind == QN_TYPE_TENSOR) *sum += qn_type_elements(op->results[i].type);
  return true;
}

static void keep_counterexample(trial *t, const qn_module *module, const qn_rule_state *state) {
  int64_t elements = 0;
  (void)qn_walk_pre(module->op, count_elements, &elements);
  if (t->out->verdict == QN_RULE_FAIL && elements >= t->smallest) return;
  t->out->verdict = QN_RULE_FAIL;
  t->smallest = elements;
  qn_text_clear(&t->out->why);
  qn_text_clear(&t->out->module);
  qn_text_format(&t->out->why, "%.*s", QN_STR_ARG(state->why));
  qn_text_print(module, NULL, &t->out->module);
}

/* Whether the failed application contradicts a proof that was made when the rule was read. */
static bool is_disproved(const qn_rule *rule, const qn_rule_state *state) {
  return (rule->sizes_proved && strcmp(state->code, "RR0901") == 0) ||
         (rule->encoding_proved && strcmp(state->code, "RR0902") == 0);
}

/* Applies the rule to a sample with validation. Returns false if the result could not be computed;
 * then the caller tries again without a numerics profile, in real arithmetic. */
static bool run_sample(trial *t, qn_module *module, bool last) {
  qn_rule_run run;
  qn_rule_run_options options = QN_RULE_RUN_OPTIONS_INIT;
  options.settings = t->settings;
  /* a decision tree is not worthwhile for one rule and one graph */
  options.matcher = QN_RULE_BY_ONE;
  options.validate = true;
  options.unpriced = true;
  options.candidate = t->out->samples;
  options.only = t->rule->name;
  qn_rule_run_init(&run, module, t->set, &options);
  const qn_rule_state *state = run.states.data;
  bool done = qn_rule_run_all(&run) == QN_OK && run.states.count == 1;
  bool uncomputed = done && state->counts.undone > 0 && !state->disabled && !run.changed &&
                    strcmp(state->code, "RR0909") == 0;
  if (done && (!uncomputed || last)) {
    t->out->near += state->counts.matched > 0 && state->counts.held == 0;
    t->out->fired += state->counts.applied > 0 || state->disabled;
    if (state->disabled) keep_counterexample(t, module, state);
    if (state->counts.undone > 0 && is_disproved(t->rule, state))
      keep_counterexample(t, module, state);
    if (state->counts.undone > 0 && !state->disabled && t->undone.size == 0)
      qn_text_format(&t->undone, "%s: %.*s", state->code, QN_STR_ARG(state->why));
  }
  qn_rule_run_deinit(&run);
  return !uncomputed;
}

static void try_sample(trial *t, qn_module *module) {
  qn_diag_state quiet = qn_diag_silence(&t->cx->diag);
  if (!run_sample(t, module, false)) {
    qn_op_set_attr(module, module->op, "quern.numerics", NULL);
    (void)run_sample(t, module, true);
  }
  qn_diag_restore(&t->cx->diag, &quiet);
}

/* Sets the reason for a rule that was never applied. */
static void explain_silence(trial *t) {
  qn_text *why = &t->out->why;
  t->out->verdict = QN_RULE_UNSUPPORTED;
  if (t->out->samples == 0)
    qn_text_puts(why, "no valid graph for its pattern was found");
  else if (t->undone.size > 0)
    qn_text_format(why, "its replacement fitted none of the graphs: %s", t->undone.data);
  else if (t->out->near == 0)
    qn_text_puts(why, "its pattern matched none of the graphs that were made for it");
  else
    qn_text_format(why, "its constraint held on none of %u graphs that its pattern matched",
                   t->out->near);
}

void qn_rule_trial_run(qn_ir_context *cx, const qn_rule_set *set, const qn_rule *rule,
                       qn_rule_trial *out_trial) {
  trial t = {.cx = cx, .set = set, .rule = rule, .out = out_trial};
  qn_rule_sampling sampling = {.state = 1};
  int64_t elements = 0;
  qn_arena arena;
  *out_trial = (qn_rule_trial){.verdict = QN_RULE_PASS};
  qn_arena_init(&arena);
  t.expanded = qn_rule_expand(&arena, rule);
  t.settings = permit(&arena, set->options.names);
  const char *missing = t.expanded ? qn_rule_missing_op(t.expanded, &arena) : NULL;
  for (uint32_t i = 0; i < MOST_SAMPLES && t.expanded && !missing; i++) {
    if (out_trial->fired >= ENOUGH_FIRED && out_trial->near >= ENOUGH_NEAR) break;
    if (out_trial->fired >= 4 * ENOUGH_FIRED) break;
    if (out_trial->fired >= ENOUGH_NEAR && elements > MOST_ELEMENTS) break;
    sampling.round = i;
    qn_diag_state quiet = qn_diag_silence(&cx->diag);
    qn_module *module = qn_rule_sample(cx, t.expanded, &sampling);
    qn_diag_restore(&cx->diag, &quiet);
    if (!module) continue;
    int64_t own = 0;
    (void)qn_walk_pre(module->op, count_elements, &own);
    if (own <= LARGEST_SAMPLE) {
      out_trial->samples++;
      try_sample(&t, module);
      elements += own;
    }
    qn_module_destroy(module);
  }
  if (missing) {
    out_trial->verdict = QN_RULE_UNSUPPORTED;
    qn_text_format(&out_trial->why, "this build has no op \"%s\"", missing);
  } else if (out_trial->fired == 0) {
    explain_silence(&t);
  }
  qn_text_deinit(&t.undone);
  qn_arena_deinit(&arena);
}

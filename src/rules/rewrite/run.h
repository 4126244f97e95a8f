/* Applies a set of rules to a module: pass by pass, op by op, until nothing changes or the limit of
 * applications per pass is reached.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_RUN_H
#define QN_RULES_REWRITE_RUN_H

#include "pass/registry.h"
#include "rules/apply/tree.h"
#include "rules/rewrite/build.h"
#include "ir/ops/forms.h"

/* Why repeated application of a rule ends, as far as the rule alone shows it. */
typedef enum qn_rule_ending {
  QN_RULE_SHRINKS,       /* it builds fewer ops than it matches */
  QN_RULE_GUARDED,       /* its constraint does not hold for what it builds */
  QN_RULE_FORWARD,       /* it builds no op that its pattern matches */
  QN_RULE_ENDING_UNKNOWN /* not known: the rule is not applied to ops that it built itself */
} qn_rule_ending;
extern const char *const qn_rule_ending_names[];
qn_rule_ending qn_rule_ending_of(const qn_rule *rule);

/* The method that finds matching rules. */
typedef enum qn_rule_matcher {
  QN_RULE_BY_TREE,
  QN_RULE_BY_ONE,  /* the plain matcher, each rule by itself; for comparison */
  QN_RULE_BY_BOTH, /* both; a difference is an internal error */
} qn_rule_matcher;

enum { QN_RULE_KIND_WORDS = QN_OP_COUNT / 64 + 1 };

typedef struct qn_rule_counts {
  /* Numbers of ops. tried: the kind fits the rule's root; matched: the pattern matches; held: the
   * constraint holds, too. */
  uint64_t tried, matched, held;
  uint64_t unevaluated, applied, undone, unchanged, dear;
} qn_rule_counts;

/* A rule and its counters during a run. */
typedef struct qn_rule_state {
  const qn_rule *rule, *expanded;
  qn_rule_ending ending;
  /* an op that the rule needs and this build lacks, so that it can't fire; NULL if none */
  const char *missing;
  bool disabled; /* validation has found a wrong result */
  qn_rule_counts counts;
  double seconds;
  const char *code; /* code, reason and place of the first failed application; NULL if none */
  qn_str why, where;
  /* reason and place of the first failed evaluation of the constraint */
  qn_str unevaluated, unevaluated_at;
} qn_rule_state;

typedef struct qn_rule_run_options {
  const qn_rule_setting *settings; /* values for OPTION_...; NULL if none */
  int64_t limit;                   /* maximum number of applications; -1: unlimited */
  /* range of applications to perform, numbered from 1; 0, 0: all */
  int64_t first, last;
  bool validate;  /* compute each replacement and what it replaces, and compare */
  bool only_bits; /* skip rules that are not exact=bit */
  qn_rule_matcher matcher;
  qn_str only;  /* names of rules separated by commas; empty: all rules */
  qn_text *log; /* gets a line for each application; NULL if none */
  bool tell;    /* write the prices that are compared to run->prices */
  /* apply also replacements that are not cheaper, with operand `candidate` of each SWEEP */
  bool unpriced;
  uint32_t candidate; /* index of the operand of SWEEP, if `unpriced` */
  /* registry with the compiler's passes, to plan the arena; NULL if none */
  const qn_registry *registry;
} qn_rule_run_options;
#define QN_RULE_RUN_OPTIONS_INIT                                                                   \
  { .limit = -1 }

/* Ops with their kinds in a contiguous array, because each pass searches all ops for the few kinds
 * that its rules have as root. */
typedef struct qn_rule_run_op {
  qn_op *op;
  qn_op_kind kind;
} qn_rule_run_op;
typedef struct qn_rule_run_block {
  qn_block *block;
  size_t first, end; /* range in `ops_in` */
} qn_rule_run_block;

typedef struct qn_rule_run {
  qn_module *module;
  const qn_rule_set *set;
  const qn_rule_run_options *options;
  qn_arena arena;
  qn_rule_graph graph;
  qn_rule_view view;
  qn_rule_staging staging;
  QN_ARRAY(qn_rule_state) states; /* sorted by pass, then in the order of the files */
  int64_t applied;                /* number of applications so far, in all passes */
  bool changed;
  bool failed;                        /* the matchers differ; this has been reported */
  uint64_t ops;                       /* number of ops in the current block */
  uint64_t kinds[QN_RULE_KIND_WORDS]; /* bit per kind of ops that are or were in the module */
  QN_ARRAY(qn_rule_run_block) blocks; /* bodies of the functions */
  QN_ARRAY(qn_rule_run_op) ops_in;    /* ops of all blocks, block by block */
  bool walked;                        /* `ops_in` is up to date */
  /* State of the current pass: */
  qn_rule_found_list found; /* matches at the op that is visited */
  QN_ARRAY(qn_op *) list;   /* work list; NULL where an op was erased or popped */
  size_t next;
  /* [id of an op's first result] index of the op in the list + 1; 0: not in the list */
  QN_ARRAY(uint32_t) places;
  qn_map makers;                  /* op -> state of the rule that built it */
  const qn_rule_state *recent[2]; /* the last two different rules that were applied */
  qn_text captured;               /* diagnostics of staged ops */
  qn_text prices;                 /* prices of the last replacement that was tried, a line each */
  bool arena_known;               /* `arena_bytes` is that of the module in its present state */
  int64_t arena_bytes;            /* arena of the module in bytes; -1: unknown */
} qn_rule_run;

/* Prepares the rules of a set to be tried on the module. */
void qn_rule_run_init(qn_rule_run *run, qn_module *module, const qn_rule_set *set,
                      const qn_rule_run_options *options);
void qn_rule_run_deinit(qn_rule_run *run);
/* Runs all passes over all functions. Returns QN_OK; a pass that is stopped because it does not end
 * is reported as a warning. */
QN_NODISCARD qn_status qn_rule_run_all(qn_rule_run *run);

/* Applies only the rules that the lines of a log name, each at the op that the line names. Returns
 * false at the first line that fails: *out_line is its number, from 1, and *out_why the reason. */
bool qn_rule_run_replay(qn_rule_run *run, qn_str log, uint32_t *out_line, qn_str *out_why);

/* ---- one rule at one op ---- */

typedef enum qn_rule_outcome {
  QN_RULE_NO_MATCH,
  QN_RULE_NOT_HELD,
  QN_RULE_OWN_RESULT, /* the rule has built the op itself */
  QN_RULE_NOT_ASKED,  /* the application is outside of the limits in the options */
  QN_RULE_NO_CHANGE,  /* the replacement equals what is there */
  QN_RULE_TOO_DEAR,   /* the rule applies only if that is cheaper, and it is not */
  QN_RULE_UNDONE,
  QN_RULE_APPLIED
} qn_rule_outcome;

/* Tries a match that has been found: constraint, replacement and checks. QN_RULE_NOT_HELD: the
 * constraint does not hold, but another alternative of EITHER may fit. */
qn_rule_outcome qn_rule_try_found(qn_rule_run *run, qn_rule_state *state, qn_op *op,
                                  uint32_t result, uint32_t choice, const qn_rule_binding *binding,
                                  qn_value **out_value);
/* Matches and tries a rule at result `result` of an op. After QN_RULE_APPLIED, *out_value is the
 * value that replaced the result. */
qn_rule_outcome qn_rule_try(qn_rule_run *run, qn_rule_state *state, qn_op *op, uint32_t result,
                            qn_value **out_value);
/* ---- its replacement ---- */

/* Starts a replacement with the binding: the staging is empty, and ops will be inserted after
 * `op`. */
void qn_rule_begin_stage(qn_rule_run *run, qn_op *op, const qn_rule_binding *binding);
/* Builds the replacement and checks its type. Returns the value that is to replace the matched
 * output; NULL with a failure in run->staging, or NULL without one if nothing would change. */
qn_value *qn_rule_stage_whole(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result);
/* Like qn_rule_stage_whole, but with the best operand of each SWEEP. *out_pays: whether the
 * replacement is cheaper, for rules that require it. */
qn_value *qn_rule_choose(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result,
                         bool *out_pays);

/* Whether the root of the rule's pattern can be an op of that kind. */
bool qn_rule_has_root(const qn_rule *rule, qn_op_kind kind);
/* The name of an op that a rule with expanded macros needs and this build lacks; NULL if there is
 * none. */
const char *qn_rule_missing_op(const qn_rule *rule, qn_arena *arena);
/* The root op of the rule's pattern, within EITHER. */
const qn_rule_node *qn_rule_root_pattern(const qn_rule *rule);

/* ---- worklist.c ---- */

static inline void qn_rule_run_note_kind(qn_rule_run *run, qn_op_kind kind) {
  run->kinds[kind / 64] |= (uint64_t)1 << kind % 64;
}
void qn_rule_run_push(qn_rule_run *run, qn_op *op);
qn_op *qn_rule_run_pop(qn_rule_run *run); /* returns NULL if the list is empty */
/* qn_rule_run_erase_one erases an op without uses. qn_rule_run_erase also erases the ops that have
 * no uses left after that. */
void qn_rule_run_erase_one(qn_rule_run *run, qn_op *op);
void qn_rule_run_erase(qn_rule_run *run, qn_op *op);

/* While a qn_rule_quiet is active, diagnostics are not reported: the first one is kept in
 * run->captured. Used while ops are staged, which may turn out to be invalid. */
typedef struct qn_rule_quiet {
  qn_diag_state state;
  void *user;
} qn_rule_quiet;
qn_rule_quiet qn_rule_begin_quiet(qn_rule_run *run);
void qn_rule_end_quiet(qn_rule_run *run, const qn_rule_quiet *quiet);

/* Text for an op in messages: its place in the model or text. Allocated in the arena of the run. */
qn_str qn_rule_place(qn_rule_run *run, const qn_op *op);

/* Parses "NAME=NUMBER,..." to settings, which are allocated in `arena`. */
QN_NODISCARD qn_status qn_rule_settings_parse(qn_ir_context *cx, const qn_rule_names *names,
                                              qn_str list, qn_arena *arena,
                                              const qn_rule_setting **out_settings);

/* The pass apply-rules. */
extern const struct qn_pass qn_pass_apply_rules;

/* ---- validate.c ---- */

/* Computes the matched output and its replacement from the same operands. Returns NULL if they are
 * as close as the rule promises; else what differs, with *out_wrong set, or why they can't be
 * computed, which does not prove the rule wrong. */
const char *qn_rule_validate(qn_rule_run *run, const qn_rule *rule, const qn_rule_binding *binding,
                             qn_value *before, qn_value *after, bool *out_wrong);

#endif

/* Running a set of rules over a module: pass by pass, node by node, until nothing changes or the
 * fuel is used up.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_RUN_H
#define QN_RULES_REWRITE_RUN_H

#include "pass/registry.h"
#include "rules/apply/tree.h"
#include "rules/rewrite/build.h"
#include "ir/ops/forms.h"

/* How far a rule is from ending by itself. */
typedef enum qn_rule_ending {
  QN_RULE_SHRINKS,       /* it builds fewer ops than it matches */
  QN_RULE_GUARDED,       /* its constraint does not hold on what it has built */
  QN_RULE_FORWARD,       /* nothing that it builds is what it matches */
  QN_RULE_ENDING_UNKNOWN /* it is not tried on what it has built itself */
} qn_rule_ending;
extern const char *const qn_rule_ending_names[];
qn_rule_ending qn_rule_ending_of(const qn_rule *rule);

/* How rules that match are found. */
typedef enum qn_rule_matcher {
  QN_RULE_BY_TREE,
  QN_RULE_BY_ONE,  /* each rule alone, for comparison */
  QN_RULE_BY_BOTH, /* and what one finds and the other does not is an error */
} qn_rule_matcher;

enum { QN_RULE_KIND_WORDS = QN_OP_COUNT / 64 + 1 };

typedef struct qn_rule_counts {
  uint64_t tried, matched,
      held; /* ops that its root may be; where its pattern, its constraint fit */
  uint64_t unevaluated, applied, undone, unchanged, dear;
} qn_rule_counts;

/* A rule while it runs. */
typedef struct qn_rule_state {
  const qn_rule *rule, *expanded;
  qn_rule_ending ending;
  const char *missing; /* an op of it that this build has not: it can't fire; or NULL */
  bool disabled;       /* it has been found wrong */
  qn_rule_counts counts;
  double seconds;
  const char *code; /* the first application that was undone: why */
  qn_str why, where;
  qn_str unevaluated, unevaluated_at; /* the first constraint that could not be evaluated */
} qn_rule_state;

typedef struct qn_rule_run_options {
  const qn_rule_setting *settings; /* of OPTION_...; or NULL */
  int64_t limit;                   /* applications; -1: any number */
  int64_t first, last;             /* of the applications, by number from 1; 0, 0: all */
  bool validate;                   /* compute every replacement and what it replaces, and compare */
  bool only_bits;                  /* leave out rules that are not exact=bit */
  qn_rule_matcher matcher;
  qn_str only;                 /* names of rules separated by commas; empty: all */
  qn_text *log;                /* a line for each application; or NULL */
  bool tell;                   /* what is compared by cost, in run->prices */
  bool unpriced;               /* apply also what does not pay, with this one of the sizes */
  uint32_t candidate;          /* of a sweep */
  const qn_registry *registry; /* with the compiler, for its plan of memory; or NULL */
} qn_rule_run_options;
#define QN_RULE_RUN_OPTIONS_INIT                                                                   \
  { .limit = -1 }

/* Ops in their order, side by side: each pass looks for the few kinds that its rules have. */
typedef struct qn_rule_run_op {
  qn_op *op;
  qn_op_kind kind;
} qn_rule_run_op;
typedef struct qn_rule_run_block {
  qn_block *block;
  size_t first, end; /* in `ops_in` */
} qn_rule_run_block;

typedef struct qn_rule_run {
  qn_module *module;
  const qn_rule_set *set;
  const qn_rule_run_options *options;
  qn_arena arena;
  qn_rule_graph graph;
  qn_rule_view view;
  qn_rule_staging staging;
  QN_ARRAY(qn_rule_state) states; /* by pass, then as written in the files */
  int64_t applied;                /* so far, in all passes */
  bool changed;
  bool failed;                        /* the matchers differ, which has been reported */
  uint64_t ops;                       /* of the block at work */
  uint64_t kinds[QN_RULE_KIND_WORDS]; /* of ops that are or were in the module */
  QN_ARRAY(qn_rule_run_block) blocks; /* of functions */
  QN_ARRAY(qn_rule_run_op) ops_in;    /* those blocks, consecutively */
  bool walked;                        /* `ops_in` has them as they are */
  /* of the pass at work: */
  qn_rule_found_list found; /* at the op that is visited */
  QN_ARRAY(qn_op *) list;   /* NULL where an op is gone or was taken */
  size_t next;
  QN_ARRAY(uint32_t) places;      /* by the id of an op's first result: its place in the list + 1 */
  qn_map makers;                  /* op -> the state of the rule that built it */
  const qn_rule_state *recent[2]; /* the last two different rules that were applied */
  qn_text captured;               /* what ops that are tried complain of */
  qn_text prices;                 /* what the last one that was tried costs, a line each */
  bool arena_known;               /* of the module as it is: */
  int64_t arena_bytes;            /* -1: unknown */
} qn_rule_run;

/* The rules of a set, ready to be tried on the module. */
void qn_rule_run_init(qn_rule_run *run, qn_module *module, const qn_rule_set *set,
                      const qn_rule_run_options *options);
void qn_rule_run_deinit(qn_rule_run *run);
/* All passes over all functions. Warnings say where a pass was stopped; QN_OK. */
QN_NODISCARD qn_status qn_rule_run_all(qn_rule_run *run);

/* Only what the lines of a log say was applied, each where it says. *out_line: the first that does
 * not hold, from 1, with the reason in *out_why. */
bool qn_rule_run_replay(qn_rule_run *run, qn_str log, uint32_t *out_line, qn_str *out_why);

/* ---- one rule at one op ---- */

typedef enum qn_rule_outcome {
  QN_RULE_NO_MATCH,
  QN_RULE_NOT_HELD,
  QN_RULE_OWN_RESULT, /* it has built the op itself */
  QN_RULE_NOT_ASKED,  /* beyond the limit */
  QN_RULE_NO_CHANGE,  /* it would build what is there */
  QN_RULE_TOO_DEAR,   /* it is to be applied where that is cheaper, and is not here */
  QN_RULE_UNDONE,
  QN_RULE_APPLIED
} qn_rule_outcome;

/* With what was found of it. NOT_HELD: another way may. */
qn_rule_outcome qn_rule_try_found(qn_rule_run *run, qn_rule_state *state, qn_op *op,
                                  uint32_t result, uint32_t choice, const qn_rule_binding *binding,
                                  qn_value **out_value);
/* The result that takes the place of the matched output is in *out_value when it was applied. */
qn_rule_outcome qn_rule_try(qn_rule_run *run, qn_rule_state *state, qn_op *op, uint32_t result,
                            qn_value **out_value);
/* ---- its replacement ---- */

/* Nothing is staged after the op, with the binding. */
void qn_rule_begin_stage(qn_rule_run *run, qn_op *op, const qn_rule_binding *binding);
/* The value that is to take the place of the matched output; NULL: there is a failure, or, without
 * one, no change. */
qn_value *qn_rule_stage_whole(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result);
/* The same with the best of the sizes that the rule has to be chosen from, and whether it pays to
 * apply it. */
qn_value *qn_rule_choose(qn_rule_run *run, const qn_rule *rule, qn_op *op, uint32_t result,
                         bool *out_pays);

/* Whether the root of the rule may be an op of that kind. */
bool qn_rule_has_root(const qn_rule *rule, qn_op_kind kind);
/* An op that a rule with its macros expanded needs and this build has not; NULL: none. */
const char *qn_rule_missing_op(const qn_rule *rule, qn_arena *arena);
/* The op of a pattern's root, under EITHER. */
const qn_rule_node *qn_rule_root_pattern(const qn_rule *rule);

/* ---- worklist.c ---- */

static inline void qn_rule_run_note_kind(qn_rule_run *run, qn_op_kind kind) {
  run->kinds[kind / 64] |= (uint64_t)1 << kind % 64;
}
void qn_rule_run_push(qn_rule_run *run, qn_op *op);
qn_op *qn_rule_run_pop(qn_rule_run *run); /* NULL: it is empty */
/* Erases an op without uses; and what only it had a use for. */
void qn_rule_run_erase_one(qn_rule_run *run, qn_op *op);
void qn_rule_run_erase(qn_rule_run *run, qn_op *op);

/* What ops that are tried complain of is not reported: the first of it is in run->captured. */
typedef struct qn_rule_quiet {
  qn_diag_state state;
  void *user;
} qn_rule_quiet;
qn_rule_quiet qn_rule_begin_quiet(qn_rule_run *run);
void qn_rule_end_quiet(qn_rule_run *run, const qn_rule_quiet *quiet);

/* How an op is called in messages: its place in the model or text, in the arena of the run. */
qn_str qn_rule_place(qn_rule_run *run, const qn_op *op);

/* NAME=NUMBER,... as settings, kept in the arena. */
QN_NODISCARD qn_status qn_rule_settings_parse(qn_ir_context *cx, const qn_rule_names *names,
                                              qn_str list, qn_arena *arena,
                                              const qn_rule_setting **out_settings);

/* The pass apply-rules. */
extern const struct qn_pass qn_pass_apply_rules;

/* ---- validate.c ---- */

/* Computes the matched output and what takes its place from the same operands. NULL: as near as the
 * rule says; else what differs, or why that can't be known, which does not prove the rule wrong. */
const char *qn_rule_validate(qn_rule_run *run, const qn_rule *rule, const qn_rule_binding *binding,
                             qn_value *before, qn_value *after, bool *out_wrong);

#endif

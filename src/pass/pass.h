/* Passes: one record per file under src/passes/ or lower/. The manager does not depend on any pass;
 * it receives tables of records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_PASS_H
#define QN_PASS_PASS_H

#include "ir/module.h"
#include "ir/verify/verify.h"

/* How far a pass may change numerical results. The differential tests derive their tolerance from
 * it. */
typedef enum qn_numerics { QN_EXACT, QN_ROUNDING, QN_APPROXIMATE } qn_numerics;

typedef enum qn_option_kind {
  QN_OPTION_BOOL,
  QN_OPTION_I64,
  QN_OPTION_STRING,
  QN_OPTION_CHOICE, /* one of several words */
} qn_option_kind;
typedef struct qn_option_spec {
  const char *name; /* NULL ends the list */
  qn_option_kind kind;
  const char *default_value; /* as text; for a choice, all words with the default first,
                                "even|away|floor" */
  const char *summary;
} qn_option_spec;

/* The kind of op that one run of a pass works on. */
typedef enum qn_pass_anchor {
  QN_ON_MODULE, /* the top-level module, or a nested one */
  QN_ON_FUNC,   /* one func.func at a time; the pass must not change anything outside of it */
  QN_ON_ANY,    /* either */
} qn_pass_anchor;

typedef struct qn_pass qn_pass;
typedef struct qn_property qn_property; /* property.h */

typedef struct qn_pass_context {
  const qn_pass *pass;
  qn_module *module;
  qn_op *root; /* the op that the pass is run on: builtin.module or func.func */
  qn_ir_context *cx;
  qn_arena *scratch;                      /* rewound after the pass */
  const struct qn_run_settings *settings; /* settings of the run, see manager.h */
  const struct qn_registry
      *registry;              /* passes that this pass may run on copies of the IR, or NULL */
  const void *config;         /* configuration that the pipeline was started with, or NULL */
  const char *const *options; /* values of the options, in the order of pass->options */
  bool keep_tensors;   /* ops that produce model tensors (attribute "quern.tensors") must stay, with
                          their values */
  const char *explain; /* the setting of qn_run_settings.explain */
  bool explained;      /* the pass has reported a change (explain.h) */
  bool changed;        /* set by the pass when it changed anything */
} qn_pass_context;

struct qn_pass {
  const char *name, *summary;
  qn_pass_anchor anchor;
  uint8_t opt_level; /* lowest optimization level at which the pass runs; 0: always */
  qn_numerics numerics;
  bool sets_stage; /* the pass is a lowering: the module is at `stage` afterwards */
  qn_stage stage;
  const char *needs,
      *keeps; /* texts of the reference page: preconditions, and what the pass preserves */
  const char *const *required; /* passes that must have run before, a list ended by NULL; or NULL */
  /* Lists of properties, each ended by NULL, or NULL: which the pass requires, establishes and may
   * invalidate. All other properties are preserved, except by lowerings and by passes of users. */
  const qn_property *const *needed, *const *established, *const *lost;
  const qn_option_spec *options;
  qn_status (*run)(qn_pass_context *pc);
  /* Instead of `run`: patterns that are applied to all ops below the root until none applies.
   */
  const struct qn_pattern *patterns;
  uint32_t pattern_count;
  bool observes;        /* has effects outside of the IR, so it is not skipped where it would change
                           nothing */
  const char *pipeline; /* instead of `run`: text of the pipeline that this record names */
  void *user;           /* data of a pass that was registered as a callback */
  const char *bare;  /* the option whose value may be written without the option's name; or NULL */
  const char *title; /* name in dumps, "CSE"; NULL: `name` in camel case */
};

/* Whether the pass must not remove the op, because it produces a tensor of the model and
 * keep_tensors is on. */
static inline bool qn_pass_keeps(const qn_pass_context *pc, const qn_op *op) {
  return pc->keep_tensors && qn_op_find(op, QN_A_TENSORS);
}

/* The value of an option of the running pass. The manager has verified that it is valid. */
bool qn_pass_bool(const qn_pass_context *pc, const char *name);
int64_t qn_pass_i64(const qn_pass_context *pc, const char *name);
const char *qn_pass_string(const qn_pass_context *pc, const char *name);

typedef struct qn_pipeline_options {
  const void *config;
  bool verify_each;
} qn_pipeline_options;

/* Runs the passes in order and stops at the first failure. The module is verified after each pass
 * if options->verify_each, and always after a lowering, then at the lowering's stage. QN_INTERNAL
 * if the module is not valid then. Options may be NULL. pass/manager.h has a function with more
 * settings. */
QN_NODISCARD qn_status qn_pipeline_run(qn_module *module, const qn_pass *const *passes,
                                       uint32_t count, const qn_pipeline_options *options);

#endif

/* Passes: one record per file under src/passes/ or lower/. The manager knows no pass; tables are
 * handed to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_PASS_H
#define QN_PASS_PASS_H

#include "ir/module.h"
#include "ir/verify/verify.h"

/* How far a pass may move results; the differential tests take their tolerance from it. */
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
  const char
      *default_value; /* as text; of a choice all words, "even|away|floor", the default first */
  const char *summary;
} qn_option_spec;

/* What one run of a pass works on. */
typedef enum qn_pass_anchor {
  QN_ON_MODULE, /* the top-level module, or a nested one */
  QN_ON_FUNC,   /* one func.func at a time: must not touch anything outside of it */
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
  const struct qn_run_settings *settings; /* how the pipeline is watched, see manager.h */
  const struct qn_registry *registry;     /* passes that it may run on copies, or NULL */
  const void *config;         /* the compile configuration the pipeline was started with, or NULL */
  const char *const *options; /* values in the order of the record's specs */
  bool keep_tensors;   /* ops of the model's tensors ("quern.tensors") stay, with their values */
  const char *explain; /* what is to be told, as qn_run_settings has it */
  bool explained;      /* something was told of what it did (explain.h) */
  bool changed;        /* set by the pass when it changed anything */
} qn_pass_context;

struct qn_pass {
  const char *name, *summary;
  qn_pass_anchor anchor;
  uint8_t opt_level; /* runs from this optimization level on; 0: always */
  qn_numerics numerics;
  bool sets_stage; /* the pass is a lowering: the module is at `stage` afterwards */
  qn_stage stage;
  const char *needs, *keeps;   /* for the reference page: what must hold before, what stays true */
  const char *const *required; /* passes that must have run before, ended by NULL; or NULL */
  /* Properties, ended by NULL; or NULL: what the module must have, what it has afterwards, and what
   * it may have lost. All others are kept, but by lowerings and by passes of users. */
  const qn_property *const *needed, *const *established, *const *lost;
  const qn_option_spec *options;
  qn_status (*run)(qn_pass_context *pc);
  /* In the place of run: applied everywhere below the op that the pass is run on, until none does.
   */
  const struct qn_pattern *patterns;
  uint32_t pattern_count;
  bool observes;        /* has effects outside of the IR: runs also where it changes nothing */
  const char *pipeline; /* a name for a pipeline: its text, in the place of run */
  void *user;           /* of a pass made of a callback */
  const char *bare;     /* the option that a word without a name is the value of; or NULL */
  const char *title;    /* how dumps name it, "CSE"; NULL: the name in camel case */
};

/* Whether the op's tensor has to stay: it is one of the model's, and these are compared. */
static inline bool qn_pass_keeps(const qn_pass_context *pc, const qn_op *op) {
  return pc->keep_tensors && qn_op_find(op, QN_A_TENSORS);
}

/* The value of an option of the running pass, as verified by the manager. */
bool qn_pass_bool(const qn_pass_context *pc, const char *name);
int64_t qn_pass_i64(const qn_pass_context *pc, const char *name);
const char *qn_pass_string(const qn_pass_context *pc, const char *name);

typedef struct qn_pipeline_options {
  const void *config;
  bool verify_each;
} qn_pipeline_options;

/* Runs the passes in order; stops at the first that fails. After each, the module is verified when
 * asked, and always at its stage after a lowering; a module that is not valid then is QN_INTERNAL.
 * Options may be NULL. For more see pass/manager.h. */
QN_NODISCARD qn_status qn_pipeline_run(qn_module *module, const qn_pass *const *passes,
                                       uint32_t count, const qn_pipeline_options *options);

#endif

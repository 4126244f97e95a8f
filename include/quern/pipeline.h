/* Pipelines of passes over models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_PIPELINE_H
#define QUERN_PIPELINE_H

#include <quern/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_pipeline qn_pipeline;

/* Reads the text of a pipeline: `builtin.module(func.func(cse),symbol-dce)`, or a plain list whose
 * function passes are put under func.func, `cse,symbol-dce`; options in braces,
 * `canonicalize{test-convergence=true}`. `quern list passes` shows what there is. Every error is a
 * diagnostic; the status is then not QN_OK. A pipeline may run on many models of its context. */
QN_API QN_NODISCARD qn_status qn_pipeline_parse(qn_context *context, const char *text,
                                                qn_pipeline **out_pipeline);
QN_API void qn_pipeline_destroy(qn_pipeline *pipeline);
/* Sets an option of every pass that has one of that name. QN_INVALID, with a message and nothing
 * changed, when one of them does not take the value. QN_LIMIT without memory; then the pipeline
 * does not run any more. */
QN_API QN_NODISCARD qn_status qn_pipeline_set_option(qn_pipeline *pipeline, const char *option,
                                                     const char *value);
/* The text of a pipeline, with required passes and nesting explicit; freed with qn_free. */
QN_API QN_NODISCARD qn_status qn_pipeline_print(const qn_pipeline *pipeline, char **out_text,
                                                size_t *out_size);

/* One pass about to run on one op, or kept from it by the bisection limit. */
typedef struct qn_pass_step {
  const char *pass, *op;
  const char *symbol; /* of the op; empty when it has none */
  int64_t number;     /* from 1 */
  int runs;
  const void *ir; /* for qn_pass_step_print */
} qn_pass_step;
/* The IR that the step is about, while a callback is told about it; freed with qn_free. NULL
 * options are the defaults. */
QN_API QN_NODISCARD qn_status qn_pass_step_print(const qn_pass_step *step,
                                                 const qn_text_options *options, char **out_text,
                                                 size_t *out_size);

/* Whoever wants to watch passes, or to keep some from running. Each callback may be NULL. */
typedef struct qn_instrument {
  size_t size;
  /* Around all passes of a run; `leave` gets how it ended. */
  void (*enter)(void *user);
  void (*leave)(void *user, qn_status status);
  /* Whether the pass may run on the op: it does unless a callback returns 0. Callbacks are not
   * called for passes that others require, or that the options require. */
  int (*should_run)(void *user, const qn_pass_step *step);
  /* Around one pass on one op. `changed`: the pass says, or its IR shows, that it changed. */
  void (*before)(void *user, const qn_pass_step *step);
  void (*after)(void *user, const qn_pass_step *step, qn_status status, int changed);
  void *user;
} qn_instrument;

/* Lists of passes are names separated by commas, or "all"; NULL: none. The name of a pipeline
 * stands for its passes. A pass that another one requires runs whatever its level; to disable it
 * and not the other is an error. A function or inner module with the attribute
 * `quern.skip_optimization` is left alone by passes that run on it, but for lowerings and for what
 * is required. */
typedef struct qn_run_options {
  size_t size;
  /* "KEY=VALUE,..." or NULL: cpu, features and keep-tensors of lowerings, and registered keys. */
  const char *config;
  int verify_each;      /* verify after each pass */
  int opt_level;        /* passes of a higher level don't run; -1: no limit */
  const char *disabled; /* passes that don't run */
  const char *required; /* passes that run whatever their level */
  int64_t bisect_limit; /* only so many runs of a pass on an op; -1: all; -2: without numbers */
  /* Gets the numbered runs, unless bisect_limit is -2; NULL: they go to stderr. */
  void (*on_step)(void *user, const qn_pass_step *step);
  const char *print_before, *print_after; /* IR dumps around passes */
  int print_after_change;       /* of print_after, or of all, only what changed something */
  int print_after_failure;      /* the module that a failed pass left behind */
  int print_module_scope;       /* whole modules instead of functions */
  const qn_text_options *print; /* how; NULL: the defaults */
  int stress_roundtrip;         /* print and read the module after each pass */
  int timing;                   /* times at the end; 1: as a tree, 2: as JSON, 3: as a list */
  int stats;                    /* runs and changes of each pass at the end */
  const char *reproducer; /* file that holds the IR and the pipeline unless all passes succeed */
  /* Gets dumps and reports; NULL: they go to stderr. */
  void (*write)(void *user, const char *text, size_t size);
  void *user; /* of on_step, write and output */
  /* Called when all passes have succeeded, before the report of times, which tells how long it took
   * as "Output". NULL: nothing. */
  void (*output)(void *user);
  const qn_instrument *const *instruments; /* told in their order, ended by NULL; or NULL */
  /* "": a remark about each op that a pass changed; "PASS@NODE": those of one pass about one op,
   * and why its rules don't apply. NODE is the number of a tensor of the model that the op makes,
   * its line or LINE:COLUMN, or its name or first words of it ("operator 3"). NULL: none. */
  const char *explain;
} qn_run_options;
#define QN_RUN_OPTIONS_INIT                                                                        \
  {                                                                                                \
    sizeof(qn_run_options), NULL, 1, -1, NULL, NULL, -2, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0, 0, \
        NULL, NULL, NULL, NULL, NULL, NULL                                                         \
  }

/* Runs a pipeline; options may be NULL. A pass that fails has reported why; QN_INTERNAL, naming the
 * pass, when one leaves a module that does not verify. The model is then what that pass left. One
 * that was aborted for want of memory or time (qn_context_set_limits) leaves no module: the model
 * can be destroyed, all else that is asked of it is QN_LIMIT. */
QN_API QN_NODISCARD qn_status qn_model_run(qn_model *model, const qn_pipeline *pipeline,
                                           const qn_run_options *options);
/* The same with the text of a pipeline. */
QN_API QN_NODISCARD qn_status qn_model_run_pipeline(qn_model *model, const char *text,
                                                    const qn_run_options *options);

/* Whether options name passes and keys that exist, with messages: a tool's own check of its command
 * line, done again by qn_model_run. */
QN_API QN_NODISCARD qn_status qn_run_options_check(qn_context *context,
                                                   const qn_run_options *options);

/* How a reproducer was run; the strings belong to it, those of qn_run_options are NULL when it does
 * not have them. */
typedef struct qn_reproducer {
  char *pipeline;
  char *config, *disabled, *required;
  int opt_level, verify_each, stress_roundtrip;
} qn_reproducer;
/* QN_INVALID, with a message, when the text is none. `name` is in messages. */
QN_API QN_NODISCARD qn_status qn_reproducer_read(qn_context *context, qn_bytes text,
                                                 const char *name, qn_reproducer *out_reproducer);
QN_API void qn_reproducer_free(qn_reproducer *reproducer);

#ifdef __cplusplus
}
#endif
#endif

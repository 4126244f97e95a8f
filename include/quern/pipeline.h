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

/* Parses the text of a pipeline: `builtin.module(func.func(cse),symbol-dce)`, or a plain list
 * `cse,symbol-dce`, whose function passes are nested in func.func. Options are in braces:
 * `canonicalize{test-convergence=true}`. `quern list passes` lists all passes. Every error is
 * reported, and the status is not QN_OK then. A pipeline may run on many models of its context. */
QN_API QN_NODISCARD qn_status qn_pipeline_parse(qn_context *context, const char *text,
                                                qn_pipeline **out_pipeline);
QN_API void qn_pipeline_destroy(qn_pipeline *pipeline);
/* Sets an option in every pass of the pipeline that has an option of that name. QN_INVALID, with a
 * message and no change, if one of these passes does not accept the value. QN_LIMIT if memory does
 * not suffice; the pipeline can't be run after that. */
QN_API QN_NODISCARD qn_status qn_pipeline_set_option(qn_pipeline *pipeline, const char *option,
                                                     const char *value);
/* The text of a pipeline, with required passes and nesting explicit; freed with qn_free. */
QN_API QN_NODISCARD qn_status qn_pipeline_print(const qn_pipeline *pipeline, char **out_text,
                                                size_t *out_size);

/* One pass that is about to run on one op, or that the bisection limit keeps from running. */
typedef struct qn_pass_step {
  const char *pass, *op;
  const char *symbol; /* symbol name of the op; empty if it has none */
  int64_t number;     /* from 1 */
  int runs;
  const void *ir; /* for qn_pass_step_print */
} qn_pass_step;
/* Prints the IR that the pass runs on (freed with qn_free). Valid only during the callback that
 * receives the step. Options may be NULL. */
QN_API QN_NODISCARD qn_status qn_pass_step_print(const qn_pass_step *step,
                                                 const qn_text_options *options, char **out_text,
                                                 size_t *out_size);

/* Callbacks that observe passes, or keep passes from running. Each may be NULL. */
typedef struct qn_instrument {
  size_t size;
  /* Called before and after all passes of a run; `leave` gets the status of the run. */
  void (*enter)(void *user);
  void (*leave)(void *user, qn_status status);
  /* Returns 0 to keep the pass from running on the op. Not called for passes that another pass or
   * the options require. */
  int (*should_run)(void *user, const qn_pass_step *step);
  /* Called before and after a pass runs on an op. `changed`: the pass reports a change, or the IR
   * differs. */
  void (*before)(void *user, const qn_pass_step *step);
  void (*after)(void *user, const qn_pass_step *step, qn_status status, int changed);
  void *user;
} qn_instrument;

/* Lists of passes are names separated by commas, or "all"; NULL is the empty list. The name of a
 * pipeline denotes all of its passes. A pass that another pass requires runs at every level;
 * disabling it without the other pass is an error. A function or nested module with the attribute
 * `quern.skip_optimization` is skipped by all passes except lowerings and required passes. */
typedef struct qn_run_options {
  size_t size;
  /* "KEY=VALUE,..." or NULL. Keys are cpu, features and keep-tensors, which lowerings read, and
   * registered keys. */
  const char *config;
  int verify_each;      /* verify after each pass */
  int opt_level;        /* passes of a higher level don't run; -1: no limit */
  const char *disabled; /* passes that don't run */
  const char *required; /* passes that run whatever their level */
  int64_t bisect_limit; /* maximum number of runs of a pass on an op; -1: no limit; -2: runs are not
                           numbered */
  /* Receives each numbered run, unless bisect_limit is -2. NULL: they are printed to stderr. */
  void (*on_step)(void *user, const qn_pass_step *step);
  const char *print_before, *print_after; /* IR dumps around passes */
  int print_after_change;  /* restricts print_after (if NULL, all passes) to passes that changed the
                              IR */
  int print_after_failure; /* print the module that a failed pass left */
  int print_module_scope;  /* whole modules instead of functions */
  const qn_text_options *print; /* how the IR is printed; NULL: the defaults */
  int stress_roundtrip;         /* print and read the module after each pass */
  int timing;                   /* print times at the end; 1: as a tree, 2: as JSON, 3: as a list */
  int stats;                    /* print runs and changes of each pass at the end */
  const char
      *reproducer; /* file to write the IR and the pipeline to; deleted if all passes succeed */
  /* Receives dumps and reports; NULL: they are written to stderr. */
  void (*write)(void *user, const char *text, size_t size);
  void *user; /* first argument of on_step, write and output */
  /* Called after all passes have succeeded and before the report of times, which includes the time
   * of this call as "Output". May be NULL. */
  void (*output)(void *user);
  const qn_instrument *const *instruments; /* called in this order; a list ended by NULL, or NULL */
  /* "": a remark at each op that a pass changed. "PASS@NODE": only remarks of one pass at one op,
   * also why the rules of the pass don't apply there. NODE is the index of a model tensor that the
   * op writes, the LINE or LINE:COLUMN of the op, or its name or the first words of that name
   * ("operator 3"). NULL: no remarks. */
  const char *explain;
} qn_run_options;
#define QN_RUN_OPTIONS_INIT                                                                        \
  {                                                                                                \
    sizeof(qn_run_options), NULL, 1, -1, NULL, NULL, -2, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0, 0, \
        NULL, NULL, NULL, NULL, NULL, NULL                                                         \
  }

/* Runs a pipeline on the model, which it changes; options may be NULL. A failing pass reports its
 * reason. QN_INTERNAL, with a message that names the pass, if a pass leaves a module that does not
 * verify. After a failure the model has the module that the failing pass left. If the run was
 * aborted by a limit (qn_context_set_limits), the model has no module: it can only be destroyed,
 * and every other call on it returns QN_LIMIT. */
QN_API QN_NODISCARD qn_status qn_model_run(qn_model *model, const qn_pipeline *pipeline,
                                           const qn_run_options *options);
/* Like qn_model_run, with the text of a pipeline. */
QN_API QN_NODISCARD qn_status qn_model_run_pipeline(qn_model *model, const char *text,
                                                    const qn_run_options *options);

/* Checks that the passes and keys in the options exist; reports those that don't. For tools that
 * check their command line early; qn_model_run checks again. */
QN_API QN_NODISCARD qn_status qn_run_options_check(qn_context *context,
                                                   const qn_run_options *options);

/* The pipeline and options of a reproducer file. The struct owns its strings. `config`, `disabled`
 * and `required` are NULL if the file does not specify them. */
typedef struct qn_reproducer {
  char *pipeline;
  char *config, *disabled, *required;
  int opt_level, verify_each, stress_roundtrip;
} qn_reproducer;
/* Reads a reproducer. QN_INVALID, with a message, if the text is not a reproducer. `name` is the
 * file name in messages. */
QN_API QN_NODISCARD qn_status qn_reproducer_read(qn_context *context, qn_bytes text,
                                                 const char *name, qn_reproducer *out_reproducer);
QN_API void qn_reproducer_free(qn_reproducer *reproducer);

#ifdef __cplusplus
}
#endif
#endif

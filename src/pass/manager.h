/* Executes pipelines, with dumps, timing, callbacks, selection of passes and bisection.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_MANAGER_H
#define QN_PASS_MANAGER_H

#include "pass/pipeline.h"
#include "text/text.h"

/* A list of names separated by commas. "all" contains every name; NULL contains none. */
typedef const char *qn_name_list;
bool qn_name_list_has(qn_name_list list, const char *name);

enum { QN_NO_BISECT = -2, QN_ALL_LEVELS = 255 };

/* One pass that is about to run on one op, or that the bisection limit keeps from running. */
typedef struct qn_pass_event {
  const qn_pass *pass;
  const qn_module *module;
  const qn_op *op;
  int64_t number; /* counted from 1 over all passes and ops */
  bool runs;      /* false if the bisection limit keeps the pass from running */
} qn_pass_event;

typedef enum qn_timing { QN_TIMING_NONE, QN_TIMING_TREE, QN_TIMING_JSON, QN_TIMING_LIST } qn_timing;

typedef struct qn_run_settings {
  const void *config;
  const char *explain; /* "": report all changes; "PASS@NODE": report what one pass changed at one
                          op, or why it did not apply; NULL: off */
  bool keep_tensors;   /* no pass removes a tensor of the model */
  bool verify_each;
  uint8_t opt_level;     /* passes of a higher level don't run; QN_ALL_LEVELS: no limit */
  qn_name_list disabled; /* passes that don't run at any level */
  qn_name_list required; /* passes that run at every level */
  int64_t bisect_limit;  /* maximum number of runs of a pass on an op; -1: no limit; QN_NO_BISECT:
                            runs are not numbered */
  void (*on_event)(void *user,
                   const qn_pass_event *event); /* with a bisection limit; may be NULL */
  /* Callbacks of instruments, each of which may be NULL. A pass is skipped if should_run returns
   * false; it is not called for passes that another pass requires. */
  bool (*should_run)(void *user, const qn_pass_event *event);
  void (*before)(void *user, const qn_pass_event *event);
  void (*after)(void *user, const qn_pass_event *event, qn_status status, bool changed);
  qn_name_list print_before, print_after;
  bool print_after_change; /* restricts print_after (if NULL, all passes) to passes that changed the
                              IR */
  bool print_after_failure; /* prints the module after a pass that failed */
  bool print_module_scope;  /* whole modules, also for passes on functions */
  qn_print_options print;
  bool stress_roundtrip; /* prints and parses the module after each pass, and continues with the
                            parsed module */
  qn_timing timing;      /* report of times at the end */
  bool stats;            /* report of runs and changes at the end */
  double parser_seconds; /* time spent on parsing the module; 0: not reported */
  /* Called after all passes have succeeded and before the reports, which include the time of this
   * call; or NULL.
   */
  void (*output)(void *user);
  /* Receives dumps and reports; NULL: they are written to standard error. */
  void (*write)(void *user, qn_str text);
  void *user; /* first argument of all callbacks */
} qn_run_settings;
#define QN_RUN_SETTINGS_INIT                                                                       \
  { .verify_each = true, .opt_level = QN_ALL_LEVELS, .bisect_limit = QN_NO_BISECT }

/* Runs the pipeline: each pass on all of its ops in order, then the next pass. Stops at the first
 * failure and returns its status. A failing pass has reported its reason. QN_INTERNAL if a pass
 * left a module that does not verify. The contents of *module may be replaced, so pointers into it
 * are invalid afterwards. */
QN_NODISCARD qn_status qn_pipeline_execute(qn_module *module, const qn_pipeline *pipeline,
                                           const qn_run_settings *settings);

/* ---- select.c: which passes run ---- */

typedef enum qn_selected {
  QN_NOT_SELECTED,
  QN_SELECTED,
  QN_NEEDED, /* required by another pass that runs, or by the settings: it can't be skipped */
} qn_selected;
/* Decides which passes run. The result, indexed by qn_pipeline_node.index, is allocated in `arena`.
 * It is an error if a disabled pass is required by a pass that runs. */
QN_NODISCARD qn_status qn_select_passes(qn_ir_context *cx, const qn_pipeline *pipeline,
                                        const qn_run_settings *settings, qn_arena *arena,
                                        const qn_selected **out_selected);
/* Whether the list contains the pass, or a named pipeline whose expansion contains this node. */
bool qn_node_is_listed(qn_name_list list, const qn_pipeline_node *node);
/* Passes that no other pass requires skip an op with this attribute. */
extern const char qn_skip_attr[];

/* ---- instrument.c, timing.c: dumps and reports ---- */

typedef struct qn_pass_stats {
  uint32_t runs, changed,
      skipped; /* numbers of ops; skipped: the pass was known to change nothing */
  double seconds;
} qn_pass_stats;

typedef enum qn_dump_kind { QN_DUMP_BEFORE, QN_DUMP_AFTER, QN_DUMP_AFTER_FAILURE } qn_dump_kind;
void qn_dump(const qn_run_settings *settings, const qn_module *module, const qn_op *op,
             const qn_pass *pass, qn_dump_kind kind);
/* Prints the op, or the whole module if settings->print_module_scope. */
void qn_dump_op(const qn_run_settings *settings, const qn_module *module, const qn_op *op,
                qn_text *out);
void qn_run_write(const qn_run_settings *settings, const qn_text *text);
/* Times in seconds. `passes` includes the work of the manager. */
typedef struct qn_phases {
  double parser, passes, output;
} qn_phases;
/* Writes the reports of timing and statistics that the settings request. `stats` is indexed by
 * qn_pipeline_node.index. */
void qn_run_report(const qn_run_settings *settings, const qn_pipeline *pipeline,
                   const qn_pass_stats *stats, qn_phases phases);
void qn_report_times(qn_timing timing, const qn_pipeline *pipeline, const qn_pass_stats *stats,
                     qn_phases phases, qn_text *out);
void qn_put_title(const qn_pass *pass, qn_text *out); /* "LowerQuantOps" */
void qn_put_node_name(const qn_pipeline_node *node, qn_text *out);
void qn_put_banner(const char *title, qn_text *out);

#endif

/* Running pipelines, with everything that people watch, limit and test them by.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_MANAGER_H
#define QN_PASS_MANAGER_H

#include "pass/pipeline.h"
#include "text/text.h"

/* A list of names separated by commas; "all" holds every name. NULL: none. */
typedef const char *qn_name_list;
bool qn_name_list_has(qn_name_list list, const char *name);

enum { QN_NO_BISECT = -2, QN_ALL_LEVELS = 255 };

/* One pass about to run, or not, on one op. */
typedef struct qn_pass_event {
  const qn_pass *pass;
  const qn_module *module;
  const qn_op *op;
  int64_t number; /* from 1, over all passes and ops */
  bool runs;      /* within the bisection limit */
} qn_pass_event;

typedef enum qn_timing { QN_TIMING_NONE, QN_TIMING_TREE, QN_TIMING_JSON, QN_TIMING_LIST } qn_timing;

typedef struct qn_run_settings {
  const void *config;
  const char *explain; /* "": what passes do; "PASS@NODE": that, and why not, of one op; or NULL */
  bool keep_tensors;   /* of the model: no pass takes one away */
  bool verify_each;
  uint8_t opt_level;     /* passes of a higher level don't run; QN_ALL_LEVELS */
  qn_name_list disabled; /* don't run, whatever the level */
  qn_name_list required; /* run, whatever their level */
  int64_t
      bisect_limit; /* only so many runs of a pass on an op; -1: all; QN_NO_BISECT: unnumbered */
  void (*on_event)(void *user,
                   const qn_pass_event *event); /* with a bisection limit; may be NULL */
  /* Callbacks of instruments, each of which may be NULL. should_run skips passes that no pass
   * requires. */
  bool (*should_run)(void *user, const qn_pass_event *event);
  void (*before)(void *user, const qn_pass_event *event);
  void (*after)(void *user, const qn_pass_event *event, qn_status status, bool changed);
  qn_name_list print_before, print_after;
  bool print_after_change;  /* of print_after, or of all, only what changed the IR */
  bool print_after_failure; /* the module that a pass left when it failed */
  bool print_module_scope;  /* whole modules, also for passes on functions */
  qn_print_options print;
  bool stress_roundtrip; /* print and parse after each pass, go on with what was parsed */
  qn_timing timing;      /* reports at the end: of times, */
  bool stats;            /* and of runs and changes */
  double parser_seconds; /* what reading the module took; 0: not to be reported */
  /* Called when all passes have succeeded, before the reports, which say how long it took; or NULL.
   */
  void (*output)(void *user);
  /* Where dumps and reports go; NULL: standard error. */
  void (*write)(void *user, qn_str text);
  void *user; /* of all callbacks */
} qn_run_settings;
#define QN_RUN_SETTINGS_INIT                                                                       \
  { .verify_each = true, .opt_level = QN_ALL_LEVELS, .bisect_limit = QN_NO_BISECT }

/* Runs the pipeline: each pass on all of its ops, in order, then the next pass. Stops at the first
 * failure: of a pass, which has reported why, or QN_INTERNAL when a pass left a module that does
 * not verify. The contents of *module may be replaced: pointers into it don't survive. */
QN_NODISCARD qn_status qn_pipeline_execute(qn_module *module, const qn_pipeline *pipeline,
                                           const qn_run_settings *settings);

/* ---- select.c: which passes run ---- */

typedef enum qn_selected {
  QN_NOT_SELECTED,
  QN_SELECTED,
  QN_NEEDED, /* by another one that runs, or by the settings: nothing keeps it away */
} qn_selected;
/* By number of the pass; the table lives in `arena`. An error when a pass is disabled and another
 * one that runs requires it. */
QN_NODISCARD qn_status qn_select_passes(qn_ir_context *cx, const qn_pipeline *pipeline,
                                        const qn_run_settings *settings, qn_arena *arena,
                                        const qn_selected **out_selected);
/* Whether the list holds the pass or a named pipeline that it was written as part of. */
bool qn_node_is_listed(qn_name_list list, const qn_pipeline_node *node);
/* Passes that no other pass requires skip an op with this attribute. */
extern const char qn_skip_attr[];

/* ---- instrument.c, timing.c: what is shown meanwhile ---- */

typedef struct qn_pass_stats {
  uint32_t runs, changed, skipped; /* on ops; skipped: known to change nothing */
  double seconds;
} qn_pass_stats;

typedef enum qn_dump_kind { QN_DUMP_BEFORE, QN_DUMP_AFTER, QN_DUMP_AFTER_FAILURE } qn_dump_kind;
void qn_dump(const qn_run_settings *settings, const qn_module *module, const qn_op *op,
             const qn_pass *pass, qn_dump_kind kind);
/* The op, or the whole module around it when the settings ask for that. */
void qn_dump_op(const qn_run_settings *settings, const qn_module *module, const qn_op *op,
                qn_text *out);
void qn_run_write(const qn_run_settings *settings, const qn_text *text);
/* In seconds; passes: and what the manager does around them. */
typedef struct qn_phases {
  double parser, passes, output;
} qn_phases;
/* The reports of timing and stats; `stats` by number of the pass. */
void qn_run_report(const qn_run_settings *settings, const qn_pipeline *pipeline,
                   const qn_pass_stats *stats, qn_phases phases);
void qn_report_times(qn_timing timing, const qn_pipeline *pipeline, const qn_pass_stats *stats,
                     qn_phases phases, qn_text *out);
void qn_put_title(const qn_pass *pass, qn_text *out); /* "LowerQuantOps" */
void qn_put_node_name(const qn_pipeline_node *node, qn_text *out);
void qn_put_banner(const char *title, qn_text *out);

#endif

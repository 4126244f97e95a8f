/* Pipelines: a tree of passes, each under the kind of op that it runs on. Read from text like
 *   builtin.module(func.func(lower-quant-ops{rounding=even},cse),symbol-dce)
 * or from a plain list, `lower-quant-ops,symbol-dce`, whose function passes are put under func.func
 * as mlir-opt does with its flags.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_PIPELINE_H
#define QN_PASS_PIPELINE_H

#include <quern/pipeline.h>

#include "pass/property.h"
#include "pass/registry.h"

enum {
  QN_PIPELINE_MAX_DEPTH = 16,         /* of nested pipelines */
  QN_PIPELINE_MAX_COMPOSED = 1 << 16, /* passes that named pipelines expand to */
};

/* The named pipeline that a pass was written as part of. */
typedef struct qn_composite_use {
  const qn_pass *composite;
  const struct qn_composite_use *around; /* the one whose text names this one, or NULL */
} qn_composite_use;

/* A pass, or a pipeline on the ops of one kind that stand directly in the op of the pipeline
 * around. */
typedef struct qn_pipeline_node {
  const qn_pass *pass; /* NULL: a pipeline */
  const char *const
      *values;       /* of the pass's options, in the order of its specs; NULL: it has none */
  qn_op_kind anchor; /* of a pipeline; QN_OP_UNREGISTERED: any op */
  bool implicit; /* a pipeline that the text does not have: takes passes of every anchor in turn */
  bool required; /* a pass that is there because others require it */
  const qn_property *gives; /* and need this of it: it does not run where the module has it */
  uint32_t index;           /* of a pass, in order of execution */
  const qn_composite_use *within;
  const qn_loc *loc;
  struct qn_pipeline_node *parent, *first, *last, *next;
} qn_pipeline_node;

struct qn_pipeline {
  qn_arena arena;
  qn_ir_context *cx;           /* for messages; NULL for one that was not read */
  const qn_registry *registry; /* that it was read with, or NULL */
  qn_pipeline_node *root;      /* on builtin.module, or on any */
  uint32_t pass_count;
  bool incomplete; /* an option could not be set */
};

/* qn_pipeline_set_option, inside of a call. */
QN_NODISCARD qn_status qn_pipeline_apply_option(qn_pipeline *pipeline, const char *option,
                                                const char *value);

/* An empty implicit pipeline on builtin.module; qn_pipeline_destroy frees it. */
qn_pipeline *qn_pipeline_create(const qn_loc *loc);
/* A new node at the end of `parent`. */
qn_pipeline_node *qn_pipeline_append(qn_pipeline *pipeline, qn_pipeline_node *parent,
                                     qn_pipeline_node node);
/* Appends a pass with its options at their defaults where `parent`, which is implicit, lets it run.
 */
qn_pipeline_node *qn_pipeline_append_pass(qn_pipeline *pipeline, qn_pipeline_node *parent,
                                          const qn_pass *pass, const qn_loc *loc);
bool qn_pass_runs_on(const qn_pass *pass, qn_op_kind anchor);
/* The node after this one in order of execution, or NULL. */
qn_pipeline_node *qn_pipeline_next(const qn_pipeline_node *node);
/* Numbers the passes; to be called when all are in. */
void qn_pipeline_number(qn_pipeline *pipeline);

/* Parses a text. `name` appears in the locations of messages. Passes required by others are put
 * before them, unless they come earlier anyway. Every error is reported: unknown passes and
 * options, bad values, passes where they can't run, passes that require each other. */
QN_NODISCARD qn_status qn_pipeline_parse_text(qn_ir_context *cx, const qn_registry *registry,
                                              qn_str text, qn_str name, qn_pipeline **out_pipeline);
/* Prints what qn_pipeline_parse_text reads back to the same pipeline; options at their defaults are
 * left out. */
void qn_pipeline_print_text(const qn_pipeline *pipeline, qn_text *out);

/* ---- options.c ---- */

/* Every option at its default, in the order of the specs; NULL when there are none. */
const char *const *qn_pass_default_values(const qn_pass *pass, qn_arena *arena);
uint32_t qn_pass_option_count(const qn_pass *pass);
/* The default as a value: the first of a choice. */
qn_str qn_option_default(const qn_option_spec *spec);
/* The reason why the option does not accept the text (in `arena`), or NULL. */
const char *qn_option_reject(const qn_option_spec *spec, qn_str value, qn_arena *arena);

#endif

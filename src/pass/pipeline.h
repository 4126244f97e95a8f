/* Pipelines: trees of passes, each below the kind of op that it runs on. A pipeline is read from
 * text like builtin.module(func.func(lower-quant-ops{rounding=even},cse),symbol-dce) or from a
 * plain list, `lower-quant-ops,symbol-dce`. Function passes of a plain list are nested in
 * func.func, like the pass flags of mlir-opt.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_PIPELINE_H
#define QN_PASS_PIPELINE_H

#include <quern/pipeline.h>

#include "pass/property.h"
#include "pass/registry.h"

enum {
  QN_PIPELINE_MAX_DEPTH = 16,         /* maximum nesting of pipelines */
  QN_PIPELINE_MAX_COMPOSED = 1 << 16, /* maximum number of passes after expanding named pipelines */
};

/* The named pipeline whose expansion contains a pass. */
typedef struct qn_composite_use {
  const qn_pass *composite;
  const struct qn_composite_use *around; /* the named pipeline that contains this one, or NULL */
} qn_composite_use;

/* A pass, or a nested pipeline. A nested pipeline runs on the ops of one kind that are immediate
 * children of the parent pipeline's op. */
typedef struct qn_pipeline_node {
  const qn_pass *pass; /* NULL if the node is a pipeline */
  const char *const
      *values; /* values of the pass's options, in the order of its specs; NULL if it has none */
  qn_op_kind anchor; /* kind of op of a pipeline; QN_OP_UNREGISTERED: any op */
  bool implicit; /* a pipeline that is not written in the text; contains passes of all anchors */
  bool required; /* a pass that was inserted because other passes require it */
  const qn_property *gives; /* the property for which the pass was inserted; the pass is skipped if
                               the module has it already */
  uint32_t index;           /* index of a pass in order of execution */
  const qn_composite_use *within;
  const qn_loc *loc;
  struct qn_pipeline_node *parent, *first, *last, *next;
} qn_pipeline_node;

struct qn_pipeline {
  qn_arena arena;
  qn_ir_context *cx;           /* for messages; NULL if the pipeline was not read from text */
  const qn_registry *registry; /* the registry that names were looked up in, or NULL */
  qn_pipeline_node *root;      /* its anchor is builtin.module, or any op */
  uint32_t pass_count;
  bool incomplete; /* setting an option was aborted; the pipeline must not run */
};

/* The body of qn_pipeline_set_option, without the guard of a public function (api/call.h). */
QN_NODISCARD qn_status qn_pipeline_apply_option(qn_pipeline *pipeline, const char *option,
                                                const char *value);

/* An empty implicit pipeline on builtin.module; qn_pipeline_destroy frees it. */
qn_pipeline *qn_pipeline_create(const qn_loc *loc);
/* Appends a copy of `node` as the last child of `parent`. */
qn_pipeline_node *qn_pipeline_append(qn_pipeline *pipeline, qn_pipeline_node *parent,
                                     qn_pipeline_node node);
/* Appends a pass with default options below `parent`, which is implicit, in a nested pipeline if
 * the pass needs another anchor.
 */
qn_pipeline_node *qn_pipeline_append_pass(qn_pipeline *pipeline, qn_pipeline_node *parent,
                                          const qn_pass *pass, const qn_loc *loc);
bool qn_pass_runs_on(const qn_pass *pass, qn_op_kind anchor);
/* The node after this one in order of execution, or NULL. */
qn_pipeline_node *qn_pipeline_next(const qn_pipeline_node *node);
/* Sets `index` of all passes and pass_count. To be called after the last pass was added. */
void qn_pipeline_number(qn_pipeline *pipeline);

/* Parses a text. `name` is the file name in locations of messages. A required pass is inserted
 * before the pass that requires it, unless the pipeline has it earlier. All errors are reported:
 * unknown passes and options, bad values, passes below an op that they can't run on, and cycles of
 * requirements. */
QN_NODISCARD qn_status qn_pipeline_parse_text(qn_ir_context *cx, const qn_registry *registry,
                                              qn_str text, qn_str name, qn_pipeline **out_pipeline);
/* Prints the pipeline as text that qn_pipeline_parse_text reads as the same pipeline. Options with
 * default values are omitted. */
void qn_pipeline_print_text(const qn_pipeline *pipeline, qn_text *out);

/* ---- options.c ---- */

/* The default values of all options, in the order of the specs; NULL if the pass has no options. */
const char *const *qn_pass_default_values(const qn_pass *pass, qn_arena *arena);
uint32_t qn_pass_option_count(const qn_pass *pass);
/* The default value of an option; for a choice, its first word. */
qn_str qn_option_default(const qn_option_spec *spec);
/* The reason why the option does not accept the text (in `arena`), or NULL. */
const char *qn_option_reject(const qn_option_spec *spec, qn_str value, qn_arena *arena);

#endif

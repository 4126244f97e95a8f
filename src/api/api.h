/* Inside the API: what the opaque types are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_API_H
#define QN_API_API_H

#include <quern/quern.h>

#include "base/guard.h"
#include "codegen/codegen.h"
#include "ir/entry/entry.h"
#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "pass/manager.h"

struct qn_context {
  qn_ir_context ir;
  qn_message_fn *handler; /* NULL: stderr */
  void *user;
  qn_message_parts_fn *parts_handler; /* instead of the handler, unless NULL */
  void *parts_user;
  uint32_t error_limit;       /* of the engine while there is no parts_handler */
  qn_str source, source_name; /* text that messages are about, for the line under them */
  const struct qn_rule_set
      *rules;           /* files that messages are about, instead of the source; or NULL */
  qn_registry registry; /* of passes: ours, then the user's */
  QN_ARRAY(const qn_option_spec *) config_keys; /* of users */
  QN_ARRAY(const char *) config_defaults;       /* of these */
  qn_account account;                           /* all memory made from the context */
  qn_ring ring;         /* what is the context's own, and what was not said to be another's */
  double max_seconds;   /* of qn_limits, for the message */
  qn_exceeded exceeded; /* why the last call that was aborted was */
};

struct qn_model {
  qn_context *context;
  qn_module *module;
  qn_stage stage;
  bool trusted;        /* made by this library: accesses at the loops stage need no proof */
  qn_str name;         /* as given to load, for messages */
  double load_seconds; /* what reading it took, until a run has reported it */
  qn_file *file;       /* that it was read from: its lines stand under messages */
  qn_ring ring;        /* memory of the module */
  qn_str reading;      /* how it was read, as text: with the file, what the module follows from */
  bool changing;       /* a call is at it */
  bool changed;        /* one was: the module is no longer that of the file */
  bool lost;           /* a call that was changing the module was aborted; there is none any more */
};

/* The stage that the ops and types of a verified module say it is at. */
qn_stage qn_model_stage_of(const qn_module *module);

/* A copy of an option struct of a caller that was compiled against an older, shorter one: what it
 * lacks keeps the default. `options` may be NULL. */
qn_load_options qn_load_options_of(const qn_load_options *options);
qn_compile_options qn_compile_options_of(const qn_compile_options *options);
qn_text_options qn_text_options_of(const qn_text_options *options);

/* How the text layer takes them. */
qn_print_options qn_print_options_of(const qn_text_options *options);

/* Fills a registry with the passes of this library. */
void qn_registry_add_all(qn_registry *registry);

/* Values of qn_run_options.config. The first part is what lowerings are handed, the rest what
 * passes of users ask for. */
typedef struct qn_run_config {
  qn_lower_config lower;
  const qn_context *context;
  const char *const *values; /* by number of the key; NULL: not given */
} qn_run_config;
/* Values live in `arena`. */
QN_NODISCARD qn_status qn_run_config_parse(qn_context *context, const char *text, qn_arena *arena,
                                           qn_run_config *out_config);
/* The value of a key that users registered; NULL if there is none of the name. */
const char *qn_run_config_value(const qn_run_config *config, const char *key);
/* The text of a reproducer: the module, and how it was run. */
void qn_reproducer_print(const qn_module *module, const qn_pipeline *pipeline,
                         const qn_run_options *options, qn_text *out);

/* A file of the caller's, with a message at its name when it can't be read. */
QN_NODISCARD qn_status qn_context_open_file(qn_context *context, const char *path,
                                            qn_file **out_file);
/* The same of a model, which may be longer. */
QN_NODISCARD qn_status qn_context_open_model(qn_context *context, const char *path,
                                             qn_file **out_file);
/* qn_context_open_file as a call of its own. */
QN_NODISCARD qn_status qn_context_get_file(qn_context *context, const char *path,
                                           qn_file **out_file);

/* malloc'd copy of a text for the caller of the API: the last thing that a call does. */
QN_NODISCARD qn_status qn_give_text(const char *data, size_t size, char **out_text,
                                    size_t *out_size);

/* QN_LIMIT, with a message, when the model has lost its module. */
QN_NODISCARD qn_status qn_model_check(const qn_model *model);
/* A call is going to change the module in place. */
void qn_model_begin_change(qn_model *model);
/* After a call that was changing the module was aborted. */
void qn_model_lose(qn_model *model);

/* How a model is lowered. */
typedef struct qn_lowering {
  const qn_target *target;
  bool keep_tensors;
  qn_name_list disabled; /* passes that don't run */
  const char *explain;   /* of qn_run_settings */
} qn_lowering;
/* QN_INVALID, with a message, unless each name of a list is a pass; `what` is in the message.
 */
QN_NODISCARD qn_status qn_check_pass_names(qn_context *context, const char *what, const char *list);
/* The same for what qn_run_options.explain says. */
QN_NODISCARD qn_status qn_check_explain(qn_context *context, const char *explain);
qn_lowering qn_lowering_of(const qn_compile_options *options, const qn_target *target);

/* A copy of the model's module, taken through the compiler's pipeline from its stage to `to`.
 * QN_INVALID when it is already beyond. */
QN_NODISCARD qn_status qn_model_lowered(const qn_model *model, const qn_lowering *how, qn_stage to,
                                        qn_module **out_module);

/* What a caller of a module at the model or integer stage sees of its main function. Arrays live in
 * `arena`, those of dimensions can be written to. */
typedef struct qn_signature {
  qn_tensor_info *inputs, *outputs, *states;
  qn_size_info *sizes;
  uint32_t input_count, output_count, state_count, size_count;
} qn_signature;
QN_NODISCARD qn_status qn_signature_read(const qn_module *module, qn_arena *arena,
                                         qn_entry *out_entry, qn_signature *out_signature);
/* The same of the largest sizes alone, where no other can be had. */
QN_NODISCARD qn_status qn_signature_read_largest(const qn_module *module, qn_arena *arena,
                                                 qn_entry *out_entry, qn_signature *out_signature);
/* Gives size `index` to every tensor that has it. */
void qn_signature_set_size(qn_signature *signature, uint32_t index, int64_t size);

#endif

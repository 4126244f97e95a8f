/* Passes: lists the passes of a context, and registers passes of users.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_PASS_H
#define QUERN_PASS_H

#include <quern/pipeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Increases when the structs below or the behaviour of the functions of qn_pass_api change. */
enum { QN_PASS_API_VERSION = 3 };

/* ---- the list of passes ---- */

/* Number of passes of the library and of registered passes. */
QN_API uint32_t qn_pass_count(const qn_context *context);
typedef struct qn_pass_name {
  const char *name, *summary;
} qn_pass_name;
/* The pass at `index`, which must be less than qn_pass_count. The strings are valid as long as the
 * context. */
QN_API qn_pass_name qn_pass_at(const qn_context *context, uint32_t index);

/* ---- passes of users ---- */

typedef struct qn_pass_run qn_pass_run; /* one run of a pass on a module or function */

/* The functions that a running pass may call. They are passed as pointers, so that a plug-in needs
 * no library to link with. */
typedef struct qn_pass_api {
  uint32_t version;
  /* Text of the module that the pass runs on, or of a module with only the function that it runs
   * on. `generic`: in the generic form. The text is valid until the next call of this function or
   * the end of the pass. */
  qn_str (*text)(qn_pass_run *run, int generic);
  /* Replaces what the pass runs on by the given text: a module, or a module that contains only a
   * function of the same name. The text is parsed; the result is verified after the pass. On
   * failure the module is unchanged, and errors have been reported. */
  qn_status (*replace)(qn_pass_run *run, qn_str text);
  /* The value of an option of the pass; NULL if the pass has not declared an option of that name.
   */
  const char *(*option)(qn_pass_run *run, const char *name);
  /* Reports a diagnostic at the module or function. `severity` is a qn_message_severity. */
  void (*report)(qn_pass_run *run, int severity, const char *text);
  /* The value of a key of qn_config_key_register, or its default if the run does not set it; NULL
   * if there is no such key. */
  const char *(*config)(qn_pass_run *run, const char *key);
} qn_pass_api;

typedef struct qn_user_option {
  const char *name;
  const char *kind; /* "bool", "integer", "string", or the words of a choice, "even|away" */
  const char *default_value; /* a valid value of the kind; NULL: the first word of a choice */
  const char *summary;
} qn_user_option;

/* A pass that runs on the top-level module, or on each function separately. */
typedef struct qn_user_pass {
  size_t size;
  const char *name, *summary;
  const qn_user_option *options;
  uint32_t option_count;
  const char *const *required; /* passes that must run before, a list ended by NULL; or NULL */
  int opt_level;               /* 0: always runs */
  /* Runs the pass. The pipeline fails if this returns a status other than QN_OK, or if an error was
   * reported. */
  qn_status (*run)(const qn_pass_api *api, qn_pass_run *run, void *user);
  void *user;          /* passed to `run`; not copied, not owned */
  const char *runs_on; /* "builtin.module" (NULL: the same) or "func.func" */
  /* Instead of `run`: text of a pipeline, which replaces the name wherever it is used. All passes
   * that it names must exist already. Such a record has no options; `opt_level` and `required`
   * apply to all of its passes. */
  const char *pipeline;
} qn_user_pass;

/* Registers a pass with a callback, or a named pipeline. Strings and options are copied.
 * QN_INVALID, with a message, if the name exists already or is malformed, or an option is
 * malformed. */
QN_API QN_NODISCARD qn_status qn_pass_register(qn_context *context, const qn_user_pass *pass);

/* Registers a key that qn_run_options.config may set and that passes of users may read. Strings are
 * copied. QN_INVALID, with a message, if the name exists already or is malformed, or the default is
 * malformed. */
QN_API QN_NODISCARD qn_status qn_config_key_register(qn_context *context,
                                                     const qn_user_option *key);

/* Loads a plug-in (see quern/plugin.h) and registers its passes. It is never unloaded, because code
 * of it may be on the stack of the thread that would unload it. Returns, with a message, QN_IO if
 * the file can't be loaded, and QN_INVALID if it is not a plug-in or is for another version. */
QN_API QN_NODISCARD qn_status qn_context_load_plugin(qn_context *context, const char *path);

#ifdef __cplusplus
}
#endif
#endif

/* Passes: what a context knows, and passes of one's own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_PASS_H
#define QUERN_PASS_H

#include <quern/pipeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when the structs below, or what the functions of qn_pass_api do, change. */
enum { QN_PASS_API_VERSION = 3 };

/* ---- what there is ---- */

/* The passes of the library and those registered since. */
QN_API uint32_t qn_pass_count(const qn_context *context);
typedef struct qn_pass_name {
  const char *name, *summary;
} qn_pass_name;
/* The strings live as long as the context. index < count. */
QN_API qn_pass_name qn_pass_at(const qn_context *context, uint32_t index);

/* ---- one's own ---- */

typedef struct qn_pass_run qn_pass_run; /* a pass at work on a module */

/* What a running pass may do; handed to it, so that a plug-in links with nothing. */
typedef struct qn_pass_api {
  uint32_t version;
  /* What the pass runs on as text, generic or pretty: the module, or one with the function alone.
   * Lives until the next call and at most until the pass returns. */
  qn_str (*text)(qn_pass_run *run, int generic);
  /* Replaces that by another text: a module, or one with a function of the same name and nothing
   * else. It is read, not verified: that is done after each pass. On failure the module is as it
   * was, and the errors have been reported. */
  qn_status (*replace)(qn_pass_run *run, qn_str text);
  /* The value of an option of the pass; NULL for a name that it has not declared. */
  const char *(*option)(qn_pass_run *run, const char *name);
  /* A diagnostic at the module or function: severity as of qn_message_fn. */
  void (*report)(qn_pass_run *run, int severity, const char *text);
  /* The value of a key that qn_config_key_register made known, its default when it is not given;
   * NULL when there is no such key. */
  const char *(*config)(qn_pass_run *run, const char *key);
} qn_pass_api;

typedef struct qn_user_option {
  const char *name;
  const char *kind; /* "bool", "integer", "string", or the words of a choice, "even|away" */
  const char *default_value; /* one that the kind allows; NULL: the first word of a choice */
  const char *summary;
} qn_user_option;

/* A pass on whole modules, not on modules inside of others, or on each function by itself. */
typedef struct qn_user_pass {
  size_t size;
  const char *name, *summary;
  const qn_user_option *options;
  uint32_t option_count;
  const char *const *required; /* passes that must run before, ended by NULL; or NULL */
  int opt_level;               /* 0: always runs */
  /* Anything but QN_OK fails the pipeline; QN_OK after an error was reported does so as well. */
  qn_status (*run)(const qn_pass_api *api, qn_pass_run *run, void *user);
  void *user;          /* kept, not owned */
  const char *runs_on; /* "builtin.module" (NULL: the same) or "func.func" */
  /* In the place of `run`: the text of a pipeline that the name stands for, as if it were written
   * there. All that it names must be known already. It has no options; `opt_level` and `required`
   * hold for all of it. */
  const char *pipeline;
} qn_user_pass;

/* Makes a pass of a callback, or a name for a pipeline. Strings and options are copied. QN_INVALID,
 * with a message, when the name is taken or malformed, or an option is. */
QN_API QN_NODISCARD qn_status qn_pass_register(qn_context *context, const qn_user_pass *pass);

/* Makes a key known that qn_run_options.config may set, for passes of users to read. Strings are
 * copied. QN_INVALID, with a message, when the name is taken or malformed, or the default is. */
QN_API QN_NODISCARD qn_status qn_config_key_register(qn_context *context,
                                                     const qn_user_option *key);

/* Loads a plug-in (see quern/plugin.h) and registers its passes. It stays loaded as long as the
 * process: code of it may be on the stack of the thread that unloads it. With a message, QN_IO when
 * it can't be loaded, QN_INVALID when it is not a plug-in, or one for another version. */
QN_API QN_NODISCARD qn_status qn_context_load_plugin(qn_context *context, const char *path);

#ifdef __cplusplus
}
#endif
#endif

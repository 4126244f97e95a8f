/* Creates models, executables and files from the command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

qn_load_options cli_load_options(const cli *c) {
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  options.numerics = c->options.numerics;
  options.batch = c->options.entries ? c->options.entries : c->options.batch;
  options.rebatch = c->options.entries > 0;
  options.any_size = c->options.any_size;
  options.max_iterations = c->options.iterations;
  options.signature = c->options.signature;
  options.operators = c->operators;
  options.operator_count = c->operator_count;
  options.dimensions = c->dimensions;
  options.dimension_count = c->dimension_count;
  options.constants = c->constants;
  options.constant_count = c->constant_count;
  options.fall_back = c->options.fall_back;
  options.allow_unregistered = c->options.allow_unregistered;
  options.no_implicit_module = c->options.no_implicit_module;
  options.keep_unsupported = c->command->keeps_unsupported;
  return options;
}

/* Parses "A-B". */
static bool read_range(const char *text, long long *out_first, long long *out_last) {
  int64_t first, last;
  const char *end;
  if (!cli_read_integer(text, &end, &first) || *end != '-' ||
      !cli_read_integer(end + 1, &end, &last) || *end)
    return false;
  *out_first = first;
  *out_last = last;
  return true;
}

/* The quote for a value in a pipeline: one that the value does not contain; NULL if it contains
 * both. */
static const char *quote_of(const char *value) {
  return !strchr(value, '"') ? "\"" : !strchr(value, '\'') ? "'" : NULL;
}

/* Writes the pass for --rules and its related options as text of a pipeline. */
static cli_exit rewriting(cli *c, char **out_pipeline) {
  const cli_options *o = &c->options;
  long long first = 0, last = 0;
  int64_t limit = -1;
  const char *settings = o->rule_settings ? o->rule_settings : "", *quote = quote_of(o->rules);
  if (!quote || strchr(settings, '"'))
    return cli_fail(c, CLI_USAGE, "%s",
                    quote ? "--rule-settings takes NAME=NUMBER,..., no quotes"
                          : "--rules takes no path with both kinds of quotes");
  if (o->rewrite_only && !read_range(o->rewrite_only, &first, &last))
    return cli_fail(c, CLI_USAGE, "--rewrite-only takes numbers like 1-4, not '%s'",
                    o->rewrite_only);
  if (o->rewrite_limit) {
    cli_exit code = cli_number(c, "rewrite-limit", o->rewrite_limit, &limit);
    if (code != CLI_OK) return code;
  }
  int size = asprintf(out_pipeline,
                      "apply-rules{files=%s%s%s settings=\"%s\" limit=%lld from=%lld to=%lld "
                      "validate=%s bits=%s}",
                      quote, o->rules, quote, settings, (long long)limit, first, last,
                      o->validate ? "true" : "false", o->bit_rules ? "true" : "false");
  return size < 0 ? cli_fail(c, CLI_LIMIT, "out of memory") : CLI_OK;
}

static cli_exit rewrite(cli *c, qn_model *model) {
  qn_pipeline *pipeline = NULL;
  char *text = NULL;
  cli_exit code = rewriting(c, &text);
  if (code == CLI_OK) code = cli_exit_of(qn_pipeline_parse(c->context, text, &pipeline));
  if (code == CLI_OK) code = cli_exit_of(qn_model_run(model, pipeline, NULL));
  qn_pipeline_destroy(pipeline);
  free(text);
  return code;
}

cli_exit cli_load(cli *c, qn_model **out_model) {
  qn_load_options options = cli_load_options(c);
  const char *path = c->options.argument ? c->options.argument : "-";
  c->progress = cli_progress_begin("reading the model", c->options.verbose);
  qn_status status = qn_model_load(c->context, path, &options, out_model);
  cli_progress_end(c->progress);
  c->progress = NULL;
  if (status != QN_OK || !c->options.rules) return cli_exit_of(status);
  cli_exit code = rewrite(c, *out_model);
  if (code != CLI_OK) qn_model_destroy(*out_model);
  return code;
}

qn_engine cli_engine(const cli *c) {
  const char *by_default = c->options.stage ? "interpreter" : "jit";
  const char *engine = c->options.engine ? c->options.engine : by_default;
  return strcmp(engine, "jit") == 0 ? QN_ENGINE_JIT : QN_ENGINE_INTERPRETER;
}

static qn_form stage_of(const char *name) {
  static const char *const stages[] = {"model", "integer", "loops"};
  static const qn_form values[] = {QN_FORM_MODEL, QN_FORM_INTEGER, QN_FORM_LOOPS};
  size_t i = 0;
  while (i + 1 < CLI_COUNT(stages) && strcmp(name, stages[i]) != 0) i++;
  return values[i];
}

cli_exit cli_text_options(cli *c, qn_text_options *out_options) {
  qn_text_options options = QN_TEXT_OPTIONS_INIT;
  options.generic = c->options.generic;
  options.locations = c->options.debuginfo;
  options.local_scope = c->options.local_scope;
  options.type_aliases = c->options.type_aliases;
  options.own_forms = c->options.own_forms;
  options.no_implicit_module = c->options.no_implicit_module;
  *out_options = options;
  if (!c->options.elide) return CLI_OK;
  return cli_number(c, "elide-elements-above", c->options.elide,
                    &out_options->elide_elements_above);
}

static qn_optimize optimize_of(const char *name) {
  static const char *const words[] = {"balanced", "size", "speed"};
  static const qn_optimize values[] = {QN_OPTIMIZE_BALANCED, QN_OPTIMIZE_SIZE, QN_OPTIMIZE_SPEED};
  size_t i = 0;
  while (i + 1 < CLI_COUNT(words) && strcmp(name, words[i]) != 0) i++;
  return values[i];
}

cli_exit cli_compile_options(cli *c, const qn_model *model, qn_compile_options *out_options) {
  const cli_options *o = &c->options;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.engine = cli_engine(c);
  if (o->stage && options.engine == QN_ENGINE_JIT) {
    return cli_fail(c, CLI_USAGE, "--stage goes with the interpreter");
  }
  options.stage = o->stage ? stage_of(o->stage) : qn_model_stage(model);
  options.optimize = optimize_of(o->optimize ? o->optimize : "balanced");
  options.io_in_arena = o->io_in_arena;
  options.triple = o->target;
  options.cpu = o->cpu;
  options.features = o->features;
  options.symbol = o->symbol;
  options.disabled = o->disable_pass;
  options.explain = o->explain;
  cli_exit code = CLI_OK;
  if (o->arena_limit) code = cli_size(c, "arena-limit", o->arena_limit, &options.arena_limit);
  if (code == CLI_OK && o->arena_limit && options.arena_limit == 0)
    code = cli_fail(c, CLI_USAGE, "--arena-limit is at least 1 byte");
  *out_options = options;
  return code;
}

/* ---- code cache ---- */

/* The directory of the code cache; NULL if code is not cached. Empty variables count as unset. The
 * caller frees it. */
static char *cache_folder(const cli *c) {
  const char *given = c->options.cache ? c->options.cache : getenv("QUERN_CACHE");
  const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *folder = NULL;
  int size = 0;
  if (!(c->command->groups & CLI_KEEPING)) return NULL;
  if (given && *given)
    size = strcmp(given, "off") == 0 ? 0 : asprintf(&folder, "%s", given);
  else if (caches && caches[0] == '/') /* the XDG specification requires ignoring relative paths */
    size = asprintf(&folder, "%s/quern", caches);
  else if (home && *home)
    size = asprintf(&folder, "%s/.cache/quern", home);
  return size < 0 ? NULL : folder;
}

static cli_exit compile(cli *c, const qn_model *model, qn_compile_options *options,
                        qn_executable **out_executable) {
  if (c->options.cache_size) {
    cli_exit code = cli_size(c, "cache-size", c->options.cache_size, &options->cache_bytes);
    if (code != CLI_OK) return code;
  }
  char *folder = cache_folder(c);
  options->cache = folder;
  c->progress = cli_progress_begin("compiling", c->options.verbose);
  qn_status status = qn_compile(model, options, out_executable);
  cli_progress_end(c->progress);
  c->progress = NULL;
  free(folder);
  return cli_exit_of(status);
}

cli_exit cli_compile(cli *c, const qn_model *model, bool keep_tensors,
                     qn_executable **out_executable) {
  qn_compile_options options;
  cli_exit code = cli_compile_options(c, model, &options);
  if (code != CLI_OK) return code;
  options.keep_tensors = keep_tensors;
  code = compile(c, model, &options, out_executable);
  if (code != CLI_OK) return code;
  uint32_t threads = c->options.threads ? (uint32_t)c->options.threads : 1;
  qn_status status = qn_executable_set_threads(*out_executable, threads);
  if (status != QN_OK) {
    qn_executable_destroy(*out_executable);
    return cli_fail(c, cli_exit_of(status), "%u threads can't be started", threads);
  }
  if (c->options.verbose) {
    qn_executable_stats stats = qn_executable_get_stats(*out_executable);
    fprintf(stderr,
            "%s for %s in %.3f s (lowering %.3f s, code generation %.3f s), code %zu bytes, "
            "arena %zu bytes\n",
            stats.cached ? "found code" : "compiled", stats.level,
            stats.lower_seconds + stats.codegen_seconds, stats.lower_seconds, stats.codegen_seconds,
            stats.code_bytes, stats.arena_bytes);
  }
  return CLI_OK;
}

cli_exit cli_with_executable(cli *c, cli_exit (*use)(cli *c, qn_executable *executable)) {
  qn_model *model;
  cli_exit code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  qn_executable *executable;
  code = cli_compile(c, model, false, &executable);
  qn_model_destroy(model);
  if (code != CLI_OK) return code;
  code = use(c, executable);
  qn_executable_destroy(executable);
  return code;
}

cli_exit cli_read_file(cli *c, const char *path, char **out_data, size_t *out_size) {
  return cli_exit_of(qn_context_read_file(c->context, path, out_data, out_size));
}

cli_exit cli_read_text(cli *c, const char *path, char **out_data, size_t *out_size) {
  static const char mark[] = "\xEF\xBB\xBF";
  cli_exit code = cli_read_file(c, path, out_data, out_size);
  const char *kind =
      code == CLI_OK ? qn_file_kind((qn_bytes){(uint8_t *)*out_data, *out_size}) : NULL;
  if (kind) {
    qn_free(*out_data);
    *out_data = NULL;
    return cli_fail(c, CLI_INVALID, "%s: this is %s, not text", path, kind);
  }
  if (code != CLI_OK || strncmp(*out_data, mark, sizeof mark - 1) != 0) return code;
  *out_size -= sizeof mark - 1;
  memmove(*out_data, *out_data + sizeof mark - 1, *out_size + 1); /* including the NUL */
  return CLI_OK;
}

cli_exit cli_write_file(cli *c, const char *path, const void *data, size_t size) {
  qn_bytes bytes = {data, size};
  return cli_exit_of(qn_context_write_file(c->context, path, bytes));
}

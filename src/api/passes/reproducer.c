/* Reproducers: a text with a module and the pipeline that fails on it, in MLIR's format, so that
 * Quern and mlir-opt can read each other's reproducers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "api/call.h"
#include "text/text.h"

static void put_quoted(const char *text, qn_text *out) {
  qn_text_putc(out, '"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') qn_text_putc(out, '\\');
    qn_text_putc(out, *text);
  }
  qn_text_putc(out, '"');
}

/* Writes options that affect which passes run, and how, and for which upstream has no key. */
static void put_own(const qn_run_options *options, qn_text *out) {
  char level[16] = "";
  if (options->opt_level >= 0) snprintf(level, sizeof level, "%d", options->opt_level);
  const struct {
    const char *key, *value;
  } entries[] = {{"config", options->config},
                 {"disabled", options->disabled},
                 {"required", options->required},
                 {"opt_level", level},
                 {"stress_roundtrip", options->stress_roundtrip ? "true" : NULL}};
  bool any = false;
  for (size_t i = 0; i < QN_COUNT(entries); i++) {
    if (!entries[i].value || !entries[i].value[0]) continue;
    qn_text_format(out, "%s      %s: ", any ? ",\n" : ",\n    quern_reproducer: {\n",
                   entries[i].key);
    put_quoted(entries[i].value, out);
    any = true;
  }
  if (any) qn_text_puts(out, "\n    }");
}

void qn_reproducer_print(const qn_module *module, const qn_pipeline *pipeline,
                         const qn_run_options *options, qn_text *out) {
  qn_text passes = {0};
  qn_pipeline_print_text(pipeline, &passes);
  qn_text_print(module, NULL, out);
  qn_text_puts(out, "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: ");
  put_quoted(passes.data, out);
  qn_text_format(out, ",\n      disable_threading: true,\n      verify_each: %s\n    }",
                 options->verify_each ? "true" : "false");
  put_own(options, out);
  qn_text_puts(out, "\n  }\n#-}\n");
  qn_text_deinit(&passes);
}

static const char *find(qn_str text, const char *what) {
  return text.size ? memmem(text.data, text.size, what, strlen(what)) : NULL;
}

/* Reads the string after `key:` in the dictionary `owner: {`. Returns false if there is none. */
static bool read_entry(qn_str text, const char *owner, const char *key, qn_text *out) {
  const char *end = text.data + text.size;
  const char *at = find(text, owner);
  if (at) at = find((qn_str){at, (size_t)(end - at)}, key);
  if (at) at = memchr(at, '"', (size_t)(end - at));
  if (!at) return false;
  for (at++; at < end && *at != '"'; at++) {
    if (*at == '\\' && at + 1 < end) at++;
    qn_text_putc(out, *at);
  }
  return at < end;
}

static qn_status read_text(qn_str text, const char *owner, const char *key, char **out_value) {
  qn_text value = {0};
  size_t size;
  qn_status status = QN_OK;
  if (read_entry(text, owner, key, &value))
    status = qn_give_text(value.data, value.size, out_value, &size);
  qn_text_deinit(&value);
  return status;
}

static qn_status read_own(qn_str text, qn_reproducer *out) {
  static const char owner[] = "quern_reproducer:";
  char *level = NULL; /* read last, so that no later allocation can abort the call and leak it */
  QN_TRY(read_text(text, owner, "config:", &out->config));
  QN_TRY(read_text(text, owner, "disabled:", &out->disabled));
  QN_TRY(read_text(text, owner, "required:", &out->required));
  QN_TRY(read_text(text, owner, "opt_level:", &level));
  out->opt_level = level ? (int)strtol(level, NULL, 10) : -1;
  out->verify_each = !find(text, "verify_each: false");
  out->stress_roundtrip = find(text, "stress_roundtrip: ") != NULL;
  qn_free(level);
  return QN_OK;
}

static qn_status read_reproducer(qn_context *context, qn_bytes text, const char *name,
                                 qn_reproducer *out_reproducer) {
  qn_str view = {(const char *)text.data, text.size};
  *out_reproducer = (qn_reproducer){0};
  /* The metadata is at the end of the text, so no op can be mistaken for it. */
  const char *section = find(view, "external_resources");
  if (section) view = (qn_str){section, (size_t)(view.data + view.size - section)};
  qn_status status = QN_OK;
  if (section) status = read_text(view, "mlir_reproducer:", "pipeline:", &out_reproducer->pipeline);
  if (status == QN_OK && !out_reproducer->pipeline)
    return qn_error(&context->ir.diag, qn_loc_file(&context->ir.diag, qn_str_of(name), 0, 0),
                    QN_INVALID, "is no reproducer: it holds no pipeline");
  if (status == QN_OK) status = read_own(view, out_reproducer);
  return status;
}

qn_status qn_reproducer_read(qn_context *context, qn_bytes text, const char *name,
                             qn_reproducer *out_reproducer) {
  qn_status status;
  *out_reproducer = (qn_reproducer){0};
  QN_CALL(&status, context, name, NULL, read_reproducer(context, text, name, out_reproducer));
  if (status != QN_OK) qn_reproducer_free(out_reproducer);
  return status;
}

void qn_reproducer_free(qn_reproducer *reproducer) {
  qn_free(reproducer->pipeline);
  qn_free(reproducer->config);
  qn_free(reproducer->disabled);
  qn_free(reproducer->required);
  *reproducer = (qn_reproducer){0};
}

/* Reproducers: a module and the pipeline that fails on it in one text, laid out as MLIR does it, so
 * that both tools read the other's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"
#include "text/text.h"

static void put_quoted(const char *text, qn_text *out) {
  qn_text_putc(out, '"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') qn_text_putc(out, '\\');
    qn_text_putc(out, *text);
  }
  qn_text_putc(out, '"');
}

void qn_reproducer_print(const qn_module *module, const qn_pipeline *pipeline, const char *config,
                         qn_text *out) {
  qn_text passes = {0};
  qn_pipeline_print_text(pipeline, &passes);
  qn_text_print(module, NULL, out);
  qn_text_puts(out, "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: ");
  put_quoted(passes.data, out);
  qn_text_puts(out, ",\n      disable_threading: true,\n      verify_each: true\n    }");
  if (config && config[0]) {
    qn_text_puts(out, ",\n    quern_reproducer: {\n      config: ");
    put_quoted(config, out);
    qn_text_puts(out, "\n    }");
  }
  qn_text_puts(out, "\n  }\n#-}\n");
  qn_text_deinit(&passes);
}

static const char *find(qn_str text, const char *what) {
  return text.size ? memmem(text.data, text.size, what, strlen(what)) : NULL;
}

/* The string behind `key:` within the dictionary `owner: {`; false when there is none. */
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

qn_status qn_reproducer_read(qn_context *context, qn_bytes text, const char *name,
                             char **out_pipeline, char **out_config) {
  qn_str view = {(const char *)text.data, text.size};
  qn_text pipeline = {0}, config = {0};
  size_t size;
  *out_pipeline = *out_config = NULL;
  /* The metadata comes last; an op can't be taken for it. */
  const char *section = find(view, "external_resources");
  if (section) view = (qn_str){section, (size_t)(view.data + view.size - section)};
  bool found = section && read_entry(view, "mlir_reproducer:", "pipeline:", &pipeline);
  if (found) (void)read_entry(view, "quern_reproducer:", "config:", &config);
  qn_status status = QN_OK;
  if (!found)
    status = qn_error(&context->ir.diag, qn_loc_file(&context->ir.diag, qn_str_of(name), 0, 0),
                      QN_INVALID, "is no reproducer: it holds no pipeline");
  if (found) status = qn_give_text(pipeline.data, pipeline.size, out_pipeline, &size);
  if (status == QN_OK) status = qn_give_text(config.data, config.size, out_config, &size);
  qn_text_deinit(&pipeline);
  qn_text_deinit(&config);
  return status;
}

/* The context, its messages, and small helpers of the API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/base.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/output.h"
#include "import/importers.h"
#include "rules/rules.h"
#include "text/text.h"

const char *qn_version(void) { return QN_VERSION; }

static void deliver_parts(qn_context *context, const qn_diag *diag) {
  const qn_loc *position = qn_loc_position(diag->loc);
  qn_text file = {0}, text = {0}, where = {0};
  qn_text_put(&file, position ? position->text : qn_str_of(""));
  qn_text_put(&text, diag->text);
  qn_text_put(&where, qn_str_of(""));
  qn_loc_render(diag->loc, &where);
  const qn_message message = {.severity = (int)diag->severity,
                              .file = file.data,
                              .line = position ? position->line : 0,
                              .column = position ? position->column : 0,
                              .text = text.data,
                              .code = diag->code ? diag->code : "",
                              .where = where.data};
  context->parts_handler(context->parts_user, &message);
  qn_text_deinit(&file);
  qn_text_deinit(&text);
  qn_text_deinit(&where);
}

/* The text of the file that a location is in; empty if the context does not hold it. */
static qn_str source_of(const qn_context *context, const qn_loc *position) {
  if (!position) return (qn_str){0};
  for (size_t i = 0; context->rules && i < context->rules->files.count; i++) {
    const qn_rule_file *file = context->rules->files.data[i];
    if (qn_str_equal(position->text, file->path)) return file->source;
  }
  return qn_str_equal(position->text, context->source_name) ? context->source : (qn_str){0};
}

static void deliver(void *user, const qn_diag *diag) {
  qn_context *context = user;
  if (context->parts_handler) {
    deliver_parts(context, diag);
    for (uint32_t i = 0; i < diag->note_count; i++) deliver_parts(context, &diag->notes[i]);
    return;
  }
  /* without a handler, remarks are not printed: they only report missed optimizations */
  if (!context->handler && diag->severity == QN_REMARK) return;
  qn_text text = {0};
  qn_diag_render(diag, source_of(context, qn_loc_position(diag->loc)), false, &text);
  while (text.size > 0 && text.data[text.size - 1] == '\n') text.data[--text.size] = '\0';
  if (context->handler)
    context->handler(context->user, (int)diag->severity, text.data);
  else
    fprintf(stderr, "%s\n", text.data);
  qn_text_deinit(&text);
}

static void fill(qn_context *context) {
  qn_ir_context_init(&context->ir);
  context->ir.diag.handler = deliver;
  context->ir.diag.user = context;
  context->ir.print_type = qn_text_print_type;
  qn_registry_add_all(&context->registry);
  /* allocated now, so that the context owns the array (base/heap.h) */
  qn_array_reserve(&context->config_keys, 1);
  qn_array_reserve(&context->config_defaults, 1);
}

/* Initializes a context within a guard. Returns false without a message if memory does not suffice,
 * because no handler exists yet. */
static bool fill_guarded(qn_context *context) {
  qn_guard guard;
  qn_guard_open(&guard, &context->account);
  if (setjmp(guard.jump) == 0) {
    fill(context);
    qn_guard_close(&guard, &context->ring);
    return true;
  }
  qn_guard_discard(&guard);
  return false;
}

qn_context *qn_context_create(void) {
  qn_context *context = calloc(1, sizeof *context);
  if (!context) return NULL;
  qn_account_init(&context->account);
  qn_ring_init(&context->ring);
  if (fill_guarded(context)) return context;
  free(context);
  return NULL;
}

void qn_context_destroy(qn_context *context) {
  if (!context) return;
  qn_registry_deinit(&context->registry);
  qn_array_free(&context->config_keys);
  qn_array_free(&context->config_defaults);
  qn_ir_context_deinit(&context->ir);
  free(context);
}

void qn_context_set_handler(qn_context *context, qn_message_fn *handler, void *user) {
  context->handler = handler;
  context->user = user;
}

void qn_context_set_parts_handler(qn_context *context, qn_message_parts_fn *handler_or_null,
                                  void *user) {
  qn_diag_engine *engine = &context->ir.diag;
  if (!context->parts_handler) context->error_limit = engine->error_limit;
  engine->error_limit = handler_or_null ? 0 : context->error_limit;
  context->parts_handler = handler_or_null;
  context->parts_user = user;
}

uint32_t qn_context_error_count(const qn_context *context) { return context->ir.diag.errors; }

/* ---- helpers ---- */

qn_load_options qn_load_options_of(const qn_load_options *options) {
  qn_load_options all = QN_LOAD_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  return all;
}

qn_compile_options qn_compile_options_of(const qn_compile_options *options) {
  qn_compile_options all = QN_COMPILE_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  return all;
}

qn_text_options qn_text_options_of(const qn_text_options *options) {
  qn_text_options all = QN_TEXT_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  return all;
}

qn_print_options qn_print_options_of(const qn_text_options *options) {
  return (qn_print_options){.generic = options->generic != 0,
                            .locations = options->locations != 0,
                            .local_scope = options->local_scope != 0,
                            .type_aliases = options->type_aliases != 0,
                            .own_forms = options->own_forms != 0,
                            .no_implicit_module = options->no_implicit_module != 0,
                            .elide_elements_above = options->elide_elements_above};
}

static qn_status complain(qn_context *context, const char *path, qn_status status, const char *what,
                          const char *reason) {
  qn_diag_engine *diag = &context->ir.diag;
  return qn_error(diag, qn_loc_file(diag, qn_str_of(path), 0, 0), status, "can't be %s: %s", what,
                  reason);
}

static qn_status open_file(qn_context *context, const char *path, qn_is_long *is_long,
                           qn_file **out_file) {
  const char *reason = NULL;
  qn_status status = qn_file_open_long(path, is_long, out_file, &reason);
  if (status == QN_OK) return QN_OK;
  if (qn_guard_current()->exceeded) qn_guard_unwind_tried();
  return complain(context, path, status, "read", reason);
}

qn_status qn_context_open_file(qn_context *context, const char *path, qn_file **out_file) {
  return open_file(context, path, NULL, out_file);
}

static bool is_long_model(qn_bytes first) {
  const qn_importer *importer = qn_importer_of(qn_importers(), first);
  return importer && importer->may_be_long;
}

qn_status qn_context_open_model(qn_context *context, const char *path, qn_file **out_file) {
  return open_file(context, path, is_long_model, out_file);
}

/* No ring owns a qn_file. Opening it in a separate call makes the caller its owner even if a later
 * call is aborted. */
qn_status qn_context_get_file(qn_context *context, const char *path, qn_file **out_file) {
  qn_status status;
  QN_CALL(&status, context, path, NULL, qn_context_open_file(context, path, out_file));
  return status;
}

static qn_status give_file(const qn_file *file, char **out_data, size_t *out_size) {
  qn_bytes bytes = qn_file_bytes(file);
  return qn_give_text((const char *)bytes.data, bytes.size, out_data, out_size);
}

static qn_status give_file_guarded(qn_context *context, const char *path, const qn_file *file,
                                   char **out_data, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, context, path, NULL, give_file(file, out_data, out_size));
  return status;
}

qn_status qn_context_read_file(qn_context *context, const char *path, char **out_data,
                               size_t *out_size) {
  qn_file *file = NULL;
  *out_data = NULL;
  QN_TRY(qn_context_get_file(context, path, &file));
  qn_status status = give_file_guarded(context, path, file, out_data, out_size);
  qn_file_release(file);
  return status;
}

static qn_status write_files(qn_context *context, uint32_t count, const char *const *paths,
                             const qn_bytes *bytes) {
  qn_output *outputs = qn_heap_new(((size_t)count + 1) * sizeof *outputs);
  for (uint32_t i = 0; i < count; i++) outputs[i] = (qn_output){paths[i], &bytes[i], 1, false};
  size_t failed;
  const char *reason;
  qn_status status = qn_outputs_write(outputs, count, &failed, &reason);
  qn_heap_free(outputs);
  return status == QN_OK ? QN_OK : complain(context, paths[failed], status, "written", reason);
}

qn_status qn_context_write_files(qn_context *context, uint32_t count, const char *const *paths,
                                 const qn_bytes *bytes) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, write_files(context, count, paths, bytes));
  return status;
}

qn_status qn_context_write_file(qn_context *context, const char *path, qn_bytes bytes) {
  return qn_context_write_files(context, 1, &path, &bytes);
}

qn_status qn_give_text(const char *data, size_t size, char **out_text, size_t *out_size) {
  char *copy = malloc(size + 1); /* the caller owns it, so it must outlive the context */
  if (!copy) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  if (size > 0) memcpy(copy, data, size);
  copy[size] = '\0';
  *out_text = copy;
  *out_size = size;
  return QN_OK;
}

void qn_free(void *memory) { free(memory); }

void qn_make_printable(char *text) { qn_diag_clean(text); }

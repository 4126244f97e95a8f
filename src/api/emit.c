/* Emitting a model in any form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/executable.h"
#include "api/inspect/inspect.h"
#include "codegen/interface.h"
#include "text/text.h"

/* Who makes the output: the printer of the IR, LLVM, or the C back end. */
typedef enum maker { PRINTER, BY_LLVM, BY_C } maker;

typedef struct emit_row {
  maker maker;
  qn_stage stage;
  qn_emit emit; /* of LLVM */
} emit_row;

static const emit_row rows[] = {
    [QN_FORM_MODEL] = {PRINTER, QN_STAGE_MODEL, 0},
    [QN_FORM_INTEGER] = {PRINTER, QN_STAGE_INTEGER, 0},
    [QN_FORM_LOOPS] = {PRINTER, QN_STAGE_LOOPS, 0},
    [QN_FORM_LLVM] = {BY_LLVM, QN_STAGE_LOOPS, QN_EMIT_LLVM},
    [QN_FORM_ASM] = {BY_LLVM, QN_STAGE_LOOPS, QN_EMIT_ASM},
    [QN_FORM_OBJECT] = {BY_LLVM, QN_STAGE_LOOPS, QN_EMIT_OBJECT},
    [QN_FORM_C] = {BY_C, QN_STAGE_LOOPS, 0},
};

/* The sections that a user may name. Compilers and linkers give these names another content, so
 * that flash would hold none of it, or code could not run from it. */
enum { MAX_RESERVED = 8 };
typedef struct section_part {
  const char *what, *advice;
  const char *reserved[MAX_RESERVED]; /* beginnings of names, ended by NULL */
} section_part;
static const section_part parts[] = {
    {"weights",
     "such as .rodata.model or .flash_weights",
     {".text", ".data", ".bss", ".tbss", ".tdata", ".noinit", ".init"}},
    {"code",
     "such as .text.model or .itcm",
     {".rodata", ".data", ".bss", ".tbss", ".tdata", ".noinit"}},
    {"the arena", "such as .bss.arena or .dtcm", {".text", ".rodata", ".init", ".tbss", ".tdata"}},
};

static bool is_reserved(const section_part *part, const char *name) {
  for (const char *const *begin = part->reserved; *begin; begin++) {
    size_t size = strlen(*begin);
    if (strncmp(name, *begin, size) == 0 && (name[size] == '\0' || name[size] == '.')) return true;
  }
  return false;
}

/* Checks that a section name needs no quotes in linker scripts and assemblers, and that sections of
 * this name can have the content. */
static qn_status check_section(qn_context *context, const section_part *part, const char *name) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
  qn_diag_engine *diag = &context->ir.diag;
  if (!*name || name[strspn(name, plain)] != '\0')
    return qn_error(diag, diag->unknown, QN_INVALID,
                    "'%s' is not the name of a section: letters, digits, '.' and '_'", name);
  if (is_reserved(part, name))
    return qn_error(diag, diag->unknown, QN_INVALID,
                    "section '%s' can't hold %s: tools expect other content there; take a name %s",
                    name, part->what, part->advice);
  return QN_OK;
}

static qn_status check_sections(qn_context *context, const qn_compile_options *options,
                                const qn_codegen_target *target) {
  const char *names[] = {options->section, options->code_section, options->arena_section};
  qn_diag_engine *diag = &context->ir.diag;
  bool any = false;
  for (size_t i = 0; i < QN_COUNT(parts); i++) {
    if (names[i]) QN_TRY(check_section(context, &parts[i], names[i]));
    any |= names[i] != NULL;
    for (size_t k = 0; k < i; k++)
      if (names[i] && names[k] && strcmp(names[i], names[k]) == 0)
        return qn_error(
            diag, diag->unknown, QN_INVALID,
            "section '%s' can't hold both %s and %s: they need memory of different kinds", names[i],
            parts[k].what, parts[i].what);
  }
  if (!any || qn_codegen_names_sections(target)) return QN_OK;
  return qn_error(diag, diag->unknown, QN_INVALID,
                  "a section can't be named for '%s': in Mach-O it would need a segment and a kind",
                  target->triple.data);
}

static qn_status codegen_options(qn_context *context, const qn_compile_options *options,
                                 qn_codegen_options *out) {
  const char *symbol = options->symbol ? options->symbol : "model";
  QN_TRY(qn_interface_check_symbol(&context->ir, qn_str_of(symbol)));
  *out = (qn_codegen_options){.symbol = qn_str_of(symbol),
                              .section = options->section,
                              .code_section = options->code_section,
                              .arena_section = options->arena_section};
  QN_TRY(qn_resolve_target(context, options, &out->target));
  return check_sections(context, options, &out->target);
}

static qn_status check_options(qn_context *context, const qn_compile_options *options) {
  qn_compile_options all = qn_compile_options_of(options);
  qn_codegen_options codegen;
  QN_TRY(qn_check_pass_names(context, "<disabled passes>", all.disabled));
  QN_TRY(qn_check_explain(context, all.explain));
  return codegen_options(context, &all, &codegen);
}

qn_status qn_compile_options_check(qn_context *context, const qn_compile_options *options) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, check_options(context, options));
  return status;
}

/* Allocated by malloc, because the caller owns it. */
typedef struct result {
  char *bytes;
  size_t size;
} result;

static void free_result(void *owner) { free(((result *)owner)->bytes); }

static uint8_t *make_room(void *user, size_t size) {
  result *r = user;
  free(r->bytes);
  *r = (result){malloc(size + 1), size};
  if (!r->bytes) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  r->bytes[size] = '\0';
  return (uint8_t *)r->bytes;
}

static qn_status emit_code(qn_module *loops, const qn_codegen_options *options, qn_emit what,
                           char **out_bytes, size_t *out_size) {
  result *made = qn_heap_own(sizeof *made, free_result);
  qn_status status = qn_codegen_emit(loops, options, what, make_room, made);
  if (status == QN_OK) {
    *out_bytes = made->bytes;
    *out_size = made->size;
    made->bytes = NULL;
  }
  free_result(made);
  qn_heap_free(made);
  return status;
}

static qn_status print(const qn_module *module, const qn_text_options *options, char **out_bytes,
                       size_t *out_size) {
  qn_text text = {0};
  qn_text_options how = qn_text_options_of(options);
  qn_print_options printed = qn_print_options_of(&how);
  qn_text_print(module, &printed, &text);
  qn_status status = qn_give_text(text.data, text.size, out_bytes, out_size);
  qn_text_deinit(&text);
  return status;
}

static qn_status emit_c(const qn_module *loops, const qn_codegen_options *options, char **out_bytes,
                        size_t *out_size) {
  qn_text text = {0};
  qn_status status = qn_codegen_c(loops, options, &text);
  if (status == QN_OK) status = qn_give_text(text.data, text.size, out_bytes, out_size);
  qn_text_deinit(&text);
  return status;
}

/* `report`: filled for objects; NULL if not needed. */
static qn_status emit_form(const qn_model *model, const qn_compile_options *options, qn_form form,
                           qn_codegen_report *report, char **out_bytes, size_t *out_size) {
  if ((size_t)form >= QN_COUNT(rows)) return QN_INVALID;
  const emit_row *row = &rows[form];
  qn_compile_options all = qn_compile_options_of(options);
  qn_codegen_options codegen;
  QN_TRY(codegen_options(model->context, &all, &codegen));
  codegen.report = report;
  qn_module *module = NULL;
  const qn_lowering how = qn_lowering_of(&all, codegen.target.level);
  QN_TRY(qn_model_lowered(model, &how, row->stage, &module));
  qn_status status = row->maker != PRINTER ? qn_arena_check_option(module, &all) : QN_OK;
  if (status != QN_OK) {
    qn_module_destroy(module);
    return status;
  }
  status = row->maker == PRINTER ? print(module, all.text, out_bytes, out_size)
           : row->maker == BY_C  ? emit_c(module, &codegen, out_bytes, out_size)
                                 : emit_code(module, &codegen, row->emit, out_bytes, out_size);
  qn_module_destroy(module);
  return status;
}

qn_status qn_emit_form(const qn_model *model, const qn_compile_options *options, qn_form form,
                       char **out_bytes, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL,
          emit_form(model, options, form, NULL, out_bytes, out_size));
  return status;
}

static qn_status emit_reported(const qn_model *model, const qn_compile_options *options,
                               char **out_bytes, size_t *out_size, char **out_json,
                               size_t *out_json_size) {
  qn_arena arena;
  qn_arena_init(&arena);
  qn_codegen_report report = {.arena = &arena};
  result *object = qn_heap_own(sizeof *object, free_result),
         *json = qn_heap_own(sizeof *json, free_result);
  qn_status status =
      emit_form(model, options, QN_FORM_OBJECT, &report, &object->bytes, &object->size);
  if (status == QN_OK)
    status = qn_inspect_object(model, options, &report, &json->bytes, &json->size);
  if (status == QN_OK) {
    *out_bytes = object->bytes;
    *out_size = object->size;
    *out_json = json->bytes;
    *out_json_size = json->size;
    object->bytes = json->bytes = NULL;
  }
  free_result(object);
  free_result(json);
  qn_heap_free(object);
  qn_heap_free(json);
  qn_arena_deinit(&arena);
  return status;
}

qn_status qn_emit_reported(const qn_model *model, const qn_compile_options *options,
                           char **out_bytes, size_t *out_size, char **out_json,
                           size_t *out_json_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL,
          emit_reported(model, options, out_bytes, out_size, out_json, out_json_size));
  return status;
}

static qn_status emit_header(const qn_model *model, const qn_compile_options *options,
                             char **out_text, size_t *out_size) {
  qn_compile_options all = qn_compile_options_of(options);
  qn_codegen_options codegen;
  QN_TRY(codegen_options(model->context, &all, &codegen));
  qn_module *module = NULL;
  const qn_lowering how = qn_lowering_of(&all, codegen.target.level);
  QN_TRY(qn_model_lowered(model, &how, QN_STAGE_LOOPS, &module));
  qn_text text = {0};
  qn_status status = qn_arena_check_option(module, &all);
  if (status == QN_OK) status = qn_codegen_header(module, &codegen, &text);
  qn_module_destroy(module);
  if (status == QN_OK) status = qn_give_text(text.data, text.size, out_text, out_size);
  qn_text_deinit(&text);
  return status;
}

qn_status qn_emit_header(const qn_model *model, const qn_compile_options *options, char **out_text,
                         size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL,
          emit_header(model, options, out_text, out_size));
  return status;
}

int qn_host_runs(const char *cpu) {
  const qn_target *level = qn_target_find(qn_str_of(cpu));
  return level && qn_codegen_host_runs(level);
}

const char *qn_host_level(void) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  const char *best = levels[0].name;
  for (uint32_t i = 0; i < count; i++)
    if (qn_codegen_host_runs(&levels[i])) best = levels[i].name;
  return best;
}

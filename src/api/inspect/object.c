/* The part of a report that is about an emitted object: flash and stack.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/inspect/inspect.h"

static json_t *str_json(qn_json *pool, qn_str text) {
  return qn_inspect_text(pool, text.data, text.size);
}

static json_t *sections_json(qn_json *pool, const qn_codegen_report *object) {
  static const char *const kinds[] = {
      [QN_SECTION_CODE] = "code", [QN_SECTION_CONSTANTS] = "constants", [QN_SECTION_DATA] = "data"};
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < object->section_count; i++) {
    const qn_codegen_section *s = &object->sections[i];
    qn_json_append(rows, json_pack("{s:O, s:s, s:I}", "name", str_json(pool, s->name), "kind",
                                   kinds[s->kind], "bytes", (json_int_t)s->bytes));
  }
  return rows;
}

static json_t *functions_json(qn_json *pool, const qn_codegen_report *object) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < object->function_count; i++) {
    const qn_codegen_function *f = &object->functions[i];
    qn_json_append(rows,
                   json_pack("{s:O, s:I, s:I, s:I}", "name", str_json(pool, f->name), "code_bytes",
                             (json_int_t)f->code_bytes, "frame_bytes", (json_int_t)f->frame_bytes,
                             "stack_bytes", (json_int_t)f->stack_bytes));
  }
  return rows;
}

static json_t *routines_json(qn_json *pool, const qn_codegen_report *object) {
  json_t *names = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < object->routine_count; i++)
    qn_json_append(names, json_incref(str_json(pool, object->routines[i])));
  return names;
}

static uint64_t bytes_of(const qn_codegen_report *object, qn_section_kind kind) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < object->section_count; i++)
    if (object->sections[i].kind == kind) bytes += object->sections[i].bytes;
  return bytes;
}

/* Functions that the program calls: SYMBOL_invoke, SYMBOL_reset and so on. */
static uint64_t stack_of(const qn_codegen_report *object, qn_str symbol) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < object->function_count; i++) {
    const qn_codegen_function *f = &object->functions[i];
    bool exported = f->name.size > symbol.size && f->name.data[symbol.size] == '_' &&
                    memcmp(f->name.data, symbol.data, symbol.size) == 0;
    if (exported && f->stack_bytes > bytes) bytes = f->stack_bytes;
  }
  return bytes;
}

const qn_codegen_function *qn_inspect_function(const qn_codegen_report *object, const char *name) {
  for (uint32_t i = 0; i < object->function_count; i++)
    if (qn_str_is(object->functions[i].name, name)) return &object->functions[i];
  return NULL;
}

void qn_inspect_add_object(qn_json *pool, json_t *report, const qn_codegen_report *object,
                           qn_str symbol) {
  uint64_t code = bytes_of(object, QN_SECTION_CODE);
  uint64_t constants = bytes_of(object, QN_SECTION_CONSTANTS);
  qn_json_set(report, "object",
              json_pack("{s:O, s:O, s:O, s:I, s:I, s:I, s:I}", "sections",
                        sections_json(pool, object), "functions", functions_json(pool, object),
                        "routines", routines_json(pool, object), "code_bytes", (json_int_t)code,
                        "constant_bytes", (json_int_t)constants, "flash_bytes",
                        (json_int_t)(code + constants + bytes_of(object, QN_SECTION_DATA)),
                        "stack_bytes", (json_int_t)stack_of(object, symbol)));
}

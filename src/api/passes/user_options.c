/* Options of passes, and configuration keys, that users register.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/passes/user_pass.h"

const char *qn_user_text(qn_arena *arena, const char *text) {
  return qn_arena_str(arena, qn_str_of(text ? text : "")).data;
}

bool qn_user_is_name(const char *text) {
  size_t letters = text ? strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.") : 0;
  return letters > 0 && text[letters] == '\0' && text[0] != '-';
}

/* The words of a choice, with the default first, as qn_option_spec requires. */
static const char *choice_words(qn_arena *arena, const qn_user_option *option) {
  const char *first = option->default_value, *at = option->kind;
  if (!first) return qn_user_text(arena, at);
  qn_text words = {0};
  qn_text_puts(&words, first);
  for (size_t size; *at; at += size + (at[size] == '|')) {
    size = strcspn(at, "|");
    qn_str word = {at, size};
    if (!qn_str_is(word, first)) qn_text_format(&words, "|%.*s", QN_STR_ARG(word));
  }
  const char *copied = qn_arena_str(arena, qn_text_view(&words)).data;
  qn_text_deinit(&words);
  return copied;
}

static qn_option_spec option_spec(qn_arena *arena, const qn_user_option *option) {
  static const struct {
    const char *name;
    qn_option_kind kind;
  } kinds[] = {{"bool", QN_OPTION_BOOL}, {"integer", QN_OPTION_I64}, {"string", QN_OPTION_STRING}};
  qn_option_spec spec = {qn_user_text(arena, option->name), QN_OPTION_CHOICE, NULL,
                         qn_user_text(arena, option->summary)};
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    if (strcmp(option->kind, kinds[i].name) != 0) continue;
    spec.kind = kinds[i].kind;
    spec.default_value = qn_user_text(arena, option->default_value);
  }
  if (spec.kind == QN_OPTION_CHOICE) spec.default_value = choice_words(arena, option);
  return spec;
}

/* Why the default value of an option is invalid; NULL if it is valid. */
static const char *default_problem(qn_arena *arena, const qn_user_option *option,
                                   const qn_option_spec *spec) {
  if (spec->kind != QN_OPTION_CHOICE) return qn_option_reject(spec, qn_option_default(spec), arena);
  const qn_option_spec words = {spec->name, QN_OPTION_CHOICE, option->kind, ""};
  return option->default_value ? qn_option_reject(&words, qn_str_of(option->default_value), arena)
                               : NULL;
}

qn_status qn_user_reject(qn_context *context, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_text text = {0};
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  qn_status status =
      qn_error(&context->ir.diag, context->ir.diag.unknown, QN_INVALID, "%s", text.data);
  qn_text_deinit(&text);
  return status;
}

/* Why option i of a pass is invalid, given the options before it; NULL if it is valid. */
static const char *option_problem(const qn_user_option *options, uint32_t i) {
  static const char *const kinds[] = {"bool", "integer", "string"};
  const qn_user_option *option = &options[i];
  if (!qn_user_is_name(option->name)) return "has a name that no option can have";
  for (uint32_t k = 0; k < i; k++)
    if (strcmp(options[k].name, option->name) == 0) return "is declared twice";
  if (!option->kind) return "has no kind";
  for (size_t k = 0; k < QN_COUNT(kinds); k++)
    if (strcmp(option->kind, kinds[k]) == 0) return NULL;
  return strchr(option->kind, '|') ? NULL : "is no bool, integer, string or choice, \"a|b\"";
}

qn_status qn_copy_user_options(qn_context *context, const char *of, const qn_user_option *options,
                               uint32_t count, qn_option_spec *out_specs) {
  qn_arena *arena = &context->ir.arena;
  for (uint32_t i = 0; i < count; i++) {
    const char *problem = option_problem(options, i);
    const char *name = options[i].name ? options[i].name : "";
    if (problem) return qn_user_reject(context, "%s: option '%s' %s", of, name, problem);
    out_specs[i] = option_spec(arena, &options[i]);
    const char *wanted = default_problem(arena, &options[i], &out_specs[i]);
    if (wanted)
      return qn_user_reject(context, "%s: the default of option '%s' is not %s", of, name, wanted);
  }
  return QN_OK;
}

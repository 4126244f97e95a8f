/* Options of passes: default values, validation of texts, and access in the running pass.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "base/str.h"
#include "pass/pipeline.h"

uint32_t qn_pass_option_count(const qn_pass *pass) {
  uint32_t count = 0;
  while (pass->options && pass->options[count].name) count++;
  return count;
}

/* The first word of a choice, up to '|'. */
static qn_str first_choice(const char *choices) { return (qn_str){choices, strcspn(choices, "|")}; }

qn_str qn_option_default(const qn_option_spec *spec) {
  if (spec->kind == QN_OPTION_CHOICE) return first_choice(spec->default_value);
  return qn_str_of(spec->default_value);
}

const char *const *qn_pass_default_values(const qn_pass *pass, qn_arena *arena) {
  uint32_t count = qn_pass_option_count(pass);
  if (count == 0) return NULL;
  const char **values = QN_NEW_ARRAY(arena, count, const char *);
  for (uint32_t i = 0; i < count; i++)
    values[i] = qn_arena_str(arena, qn_option_default(&pass->options[i])).data;
  return values;
}

static bool is_choice(const char *choices, qn_str value) {
  for (;;) {
    qn_str choice = first_choice(choices);
    if (qn_str_equal(choice, value)) return true;
    if (!choices[choice.size]) return false;
    choices += choice.size + 1;
  }
}

static bool is_i64(qn_str value, qn_arena *arena) {
  const char *text = qn_arena_str(arena, value).data;
  char *end = NULL;
  errno = 0;
  (void)strtoll(text, &end, 0);
  return value.size > 0 && text[0] > ' ' && *end == '\0' && errno == 0;
}

const char *qn_option_reject(const qn_option_spec *spec, qn_str value, qn_arena *arena) {
  switch (spec->kind) {
  case QN_OPTION_BOOL:
    return qn_str_is(value, "true") || qn_str_is(value, "false") ? NULL : "true or false";
  case QN_OPTION_I64:
    return is_i64(value, arena) ? NULL : "an integer";
  case QN_OPTION_CHOICE:
    if (is_choice(spec->default_value, value)) return NULL;
    return qn_arena_format(arena, "one of %s", spec->default_value).data;
  case QN_OPTION_STRING:
    break;
  }
  return NULL;
}

/* ---- in the running pass ---- */

const char *qn_pass_string(const qn_pass_context *pc, const char *name) {
  for (uint32_t i = 0; pc->pass->options[i].name; i++)
    if (qn_str_is(qn_str_of(pc->pass->options[i].name), name)) return pc->options[i];
  QN_UNREACHABLE("a pass reads an option that its record does not declare");
}

bool qn_pass_bool(const qn_pass_context *pc, const char *name) {
  return qn_str_is(qn_str_of(qn_pass_string(pc, name)), "true");
}

int64_t qn_pass_i64(const qn_pass_context *pc, const char *name) {
  return strtoll(qn_pass_string(pc, name), NULL, 0);
}

/* Prints each pass with its properties, as plain text or as sections of a Markdown page.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/list_passes.h"

#include <stdint.h>
#include <stdio.h>

/* The text around the parts of a pass's description. */
typedef struct style {
  const char *heading, *heading_end, *summary, *summary_end, *item, *code;
} style;

static const style plain = {"", "\n", "    ", "\n", "    ", ""};
static const style page = {"### `", "`\n\n", "", ".\n\n", "* ", "`"};

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static void print_field(const style *s, const char *title, const char *text) {
  if (text[0]) printf("%s%s: %s\n", s->item, title, text);
}

static void print_names(const style *s, const char *title, const json_t *names) {
  size_t i;
  json_t *name;
  json_array_foreach((json_t *)(uintptr_t)names, i, name)
      printf("%s%s: %s%s%s\n", s->item, title, s->code, json_string_value(name), s->code);
}

static void print_options(const style *s, const char *pass, const json_t *options) {
  size_t i;
  json_t *option;
  json_array_foreach((json_t *)(uintptr_t)options, i, option) printf(
      "%s%s--%s=\"%s=%s\"%s (%s): %s\n", s->item, s->code, pass, text_of(option, "name"),
      text_of(option, "default"), s->code, text_of(option, "values"), text_of(option, "summary"));
}

static void print_pass(const style *s, const json_t *row) {
  const char *name = text_of(row, "name");
  printf("%s%s%s%s%s%s", s->heading, name, s->heading_end, s->summary, text_of(row, "summary"),
         s->summary_end);
  print_field(s, "runs on", text_of(row, "runs_on"));
  print_field(s, "numerics", text_of(row, "numerics"));
  print_field(s, "needs", text_of(row, "needs"));
  print_field(s, "keeps", text_of(row, "keeps"));
  json_int_t level = json_integer_value(json_object_get(row, "opt_level"));
  if (level > 0) printf("%sfrom optimization level: %lld\n", s->item, (long long)level);
  print_names(s, "requires", json_object_get(row, "required"));
  print_names(s, "needs the property", json_object_get(row, "needed"));
  print_names(s, "establishes", json_object_get(row, "established"));
  print_names(s, "loses", json_object_get(row, "lost"));
  print_field(s, "stands for", text_of(row, "pipeline"));
  print_options(s, name, json_object_get(row, "options"));
  printf("\n");
}

void list_print_passes(const json_t *rows, bool markdown) {
  size_t i;
  json_t *row;
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) print_pass(markdown ? &page : &plain, row);
}

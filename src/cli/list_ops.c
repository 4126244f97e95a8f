/* Prints each op with its properties and attributes, as sections of a Markdown page.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/list_ops.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static void print_words(const char *title, const json_t *words) {
  size_t i;
  json_t *word;
  if (json_array_size(words) == 0) return;
  printf("* %s: ", title);
  json_array_foreach((json_t *)(uintptr_t)words, i, word)
      printf("%s%s", i ? ", " : "", json_string_value(word));
  printf("\n");
}

static void print_attribute(const json_t *row) {
  const char *values = text_of(row, "values");
  bool required = json_is_true(json_object_get(row, "required"));
  printf("* `%s` (%s%s%s%s): %s\n", text_of(row, "name"), text_of(row, "type"),
         values[0] ? " " : "", values, required ? "" : ", optional", text_of(row, "summary"));
}

static void print_op(const json_t *row) {
  size_t i;
  json_t *attribute;
  printf("### `%s`\n\n%s\n\n* operands: %s; results: %s\n", text_of(row, "name"),
         text_of(row, "summary"), text_of(row, "operands"), text_of(row, "results"));
  if (text_of(row, "layout")[0]) printf("* layout: %s\n", text_of(row, "layout"));
  print_words("stages", json_object_get(row, "stages"));
  print_words("traits", json_object_get(row, "traits"));
  json_array_foreach(json_object_get(row, "attributes"), i, attribute) print_attribute(attribute);
  printf("\n");
}

void list_print_ops(const json_t *rows) {
  size_t i;
  json_t *row;
  const char *before = "";
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
    const char *name = text_of(row, "name");
    size_t size = strcspn(name, ".");
    if (strncmp(before, name, size + 1) != 0) printf("## %.*s\n\n", (int)size, name);
    before = name;
    print_op(row);
  }
}

/* Prints what each CPU level needs and which CPUs have it, wrapped as text or as a Markdown table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/list_cpus.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 6 };

/* Prints the names, in lines of `width` columns if it is not 0. */
static void print_names(const json_t *names, int width) {
  int column = INDENT;
  size_t i;
  json_t *name;
  json_array_foreach((json_t *)(uintptr_t)names, i, name) {
    int size = (int)strlen(json_string_value(name));
    if (width && i > 0 && column + 1 + size > width) {
      printf("\n%*s", INDENT - 1, "");
      column = INDENT;
    }
    printf("%s%s", i || width ? " " : "", json_string_value(name));
    column += 1 + size;
  }
}

static void print_level(const json_t *row, bool markdown) {
  const char *level = json_string_value(json_object_get(row, "name"));
  const json_t *needs = json_object_get(row, "needs"), *cpus = json_object_get(row, "cpus");
  printf(markdown ? "| %s | " : "  %s:", level);
  print_names(needs, markdown ? 0 : WIDTH);
  if (markdown)
    printf(" | ");
  else if (json_array_size(cpus) > 0)
    printf("\n%*s", INDENT - 1, "");
  print_names(cpus, markdown ? 0 : WIDTH);
  printf(markdown ? " |\n" : "\n");
}

void list_print_cpus(const json_t *rows, bool markdown) {
  printf(markdown ? "\n| level | needs | CPUs |\n| --- | --- | --- |\n"
                  : "\nwhat a level needs, and CPUs that have it, for --cpu:\n");
  size_t i;
  json_t *row;
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
    bool some = json_array_size(json_object_get(row, "needs")) > 0 ||
                json_array_size(json_object_get(row, "cpus")) > 0;
    if (some) print_level(row, markdown);
  }
}

/* File formats of models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/formats.h"

#include <string.h>

static const char placeholder[] = "FORMAT";

json_t *cli_formats(void) {
  char *text;
  size_t size;
  if (qn_list("formats", &text, &size) != QN_OK) return NULL;
  json_t *rows = json_loadb(text, size, 0, NULL);
  qn_free(text);
  return rows;
}

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static bool ends_with(const char *text, const char *suffix) {
  size_t n = strlen(text), m = strlen(suffix);
  return n >= m && strcmp(text + n - m, suffix) == 0;
}

bool cli_is_model(const char *path) {
  /* recognized even if this build has no importer for them */
  static const char *const others[] = {".mlir", ".onnx"};
  bool is = false;
  for (size_t i = 0; i < CLI_COUNT(others); i++) is = is || ends_with(path, others[i]);
  json_t *formats = cli_formats(), *row;
  size_t i;
  json_array_foreach(formats, i, row) is = is || ends_with(path, text_of(row, "extension"));
  json_decref(formats);
  return is;
}

void cli_model_files(char *out, size_t size) {
  json_t *formats = cli_formats(), *row;
  size_t i, used = (size_t)snprintf(out, size, "a");
  json_array_foreach(formats, i, row) if (used < size) used +=
      (size_t)snprintf(out + used, size - used, "%s %s", i ? "," : "", text_of(row, "extension"));
  if (used < size) snprintf(out + used, size - used, " or .mlir file");
  json_decref(formats);
}

bool cli_format_matches(const char *pattern, const char *name) {
  const size_t size = sizeof placeholder - 1;
  if (strncmp(pattern, placeholder, size) != 0) return strcmp(pattern, name) == 0;
  bool is = false;
  json_t *formats = cli_formats(), *row;
  size_t i;
  json_array_foreach(formats, i, row) {
    const char *format = text_of(row, "name");
    const size_t length = strlen(format);
    is = is || (strncmp(name, format, length) == 0 && strcmp(name + length, pattern + size) == 0);
  }
  json_decref(formats);
  return is;
}

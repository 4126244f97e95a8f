/* Prints JSON documents on standard output.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/document.h"

/* version of all documents; increased when a key is removed or changes its meaning */
enum { VERSION = 1 };

json_t *cli_json_text(const char *text) {
  json_t *string = text ? json_string(text) : NULL;
  return string ? string : json_null();
}

cli_exit cli_print_document(const cli *c, json_t *object, size_t layout) {
  json_t *document = json_pack("{s:i}", "version", VERSION);
  bool made = object && document && json_object_update(document, object) == 0;
  if (made) {
    json_dumpf(document, stdout, layout | JSON_ENSURE_ASCII);
    putchar('\n');
  }
  json_decref(document);
  json_decref(object);
  return made ? CLI_OK : cli_fail(c, CLI_LIMIT, "out of memory");
}

cli_exit cli_print_rows(const cli *c, const char *key, const char *text, size_t size) {
  json_t *rows = json_loadb(text, size, 0, NULL);
  return cli_print_document(c, rows ? json_pack("{s:o}", key, rows) : NULL, JSON_INDENT(1));
}

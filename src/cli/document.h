/* The output of --json: an object whose first key is its version. docs/json has a schema of each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_DOCUMENT_H
#define QN_CLI_DOCUMENT_H

#include <jansson.h>

#include "cli/cli.h"

/* A string, or null for text that JSON has no string for: NULL, or no UTF-8. */
json_t *cli_json_text(const char *text_or_null);
/* Prints {"version": 1, and the keys of an object, which goes over; NULL: there was no memory for
 * it. The layout is jansson's: JSON_INDENT(1), or JSON_COMPACT for what is mostly numbers. */
cli_exit cli_print_document(const cli *c, json_t *object, size_t layout);
/* The same for rows under a key: JSON text of an array, as the library gives them. */
cli_exit cli_print_rows(const cli *c, const char *key, const char *text, size_t size);

#endif

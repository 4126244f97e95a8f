/* Output of --json: an object whose first key is its version. docs/json.schema.json has a schema of
 * each document.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_DOCUMENT_H
#define QN_CLI_DOCUMENT_H

#include <jansson.h>

#include "cli/cli.h"

/* A JSON string, or null if the text is NULL or not UTF-8. */
json_t *cli_json_text(const char *text_or_null);
/* Prints an object with "version": 1 as its first key, and releases it. NULL means that the caller
 * was out of memory. `layout` is a flag of jansson: JSON_INDENT(1), or JSON_COMPACT for documents
 * that are mostly numbers. */
cli_exit cli_print_document(const cli *c, json_t *object, size_t layout);
/* Prints a document with the rows under `key`. `text` is a JSON array, as qn_list returns it. */
cli_exit cli_print_rows(const cli *c, const char *key, const char *text, size_t size);

#endif

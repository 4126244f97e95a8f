/* File formats of models, as the library lists them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_FORMATS_H
#define QN_CLI_FORMATS_H

#include <jansson.h>

#include "cli/cli.h"

/* The rows of the list "formats"; NULL if out of memory. */
json_t *cli_formats(void);
/* Whether the path has the suffix of a format, or of MLIR text. */
bool cli_is_model(const char *path);
/* Writes "a .tflite or .mlir file". */
void cli_model_files(char *out, size_t size);
/* Whether `name` matches a pattern of list names. "FORMAT-refused" matches the name of any format
 * followed by "-refused"; a pattern without "FORMAT" matches itself. */
bool cli_format_matches(const char *pattern, const char *name);

#endif

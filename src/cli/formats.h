/* File formats of models, as the library lists them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_FORMATS_H
#define QN_CLI_FORMATS_H

#include <jansson.h>

#include "cli/cli.h"

/* Rows of the list "formats"; NULL where there is no memory. */
json_t *cli_formats(void);
/* Whether the path ends as files of a format, or MLIR text. */
bool cli_is_model(const char *path);
/* "a .tflite or .mlir file". */
void cli_model_files(char *out, size_t size);
/* A pattern of names of lists, such as "FORMAT-refused": whether `name` is that of a format with
 * the text after "FORMAT"; without "FORMAT", the pattern itself. */
bool cli_format_matches(const char *pattern, const char *name);

#endif

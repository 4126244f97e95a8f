/* Prints the report on a model, which is the JSON of qn_model_inspect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_INSPECT_H
#define QN_CLI_INSPECT_H

#include <jansson.h>

#include "cli/cli.h"

/* Builds the report on a model compiled with these options. The caller releases it with
 * json_decref. Defined in commands/inspect.c. */
cli_exit inspect_report(cli *c, const qn_model *model, const qn_compile_options *options,
                        json_t **out_report);

/* Prints interface, operators, quantization and sizes. */
void inspect_print(const json_t *report);

/* Prints sections, functions and stack of the object that a report is about. */
void inspect_print_object(const json_t *report);

/* ---- tflm.c ---- */

/* Adds "tflm" to the report on a model that was compiled: the figure of --tflm-arena for the file
 * with the model's bytes, and the RAM that is comparable. */
cli_exit inspect_add_tflm(cli *c, json_t *report);
/* Prints both; nothing if the report has no "tflm". */
void inspect_print_tflm(const json_t *report);

/* ---- the arena over time ---- */

/* Prints a line per launch: the live bytes, and the arena's occupation as characters. */
void inspect_print_memory(const json_t *report);
/* Returns an SVG image: launches from left to right, the arena from top to bottom, a rectangle per
 * tensor. The caller frees the text. */
char *inspect_svg(const json_t *report, size_t *out_size);

/* ---- keys ---- */

const char *inspect_text(const json_t *row, const char *key); /* "" if it is not a string */
long long inspect_number(const json_t *row, const char *key);
double inspect_real(const json_t *row, const char *key);

#endif

/* The report on a model, for people. It is the library's JSON (qn_model_inspect).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_INSPECT_H
#define QN_CLI_INSPECT_H

#include <jansson.h>

#include "cli/cli.h"

/* The report on what the options compile; freed with json_decref. In commands/inspect.c. */
cli_exit inspect_report(cli *c, const qn_model *model, const qn_compile_options *options,
                        json_t **out_report);

/* Interface, operators, quantization, sizes. */
void inspect_print(const json_t *report);

/* ---- the arena over time ---- */

/* A line per launch: what is live then, and an image of the arena in characters. */
void inspect_print_memory(const json_t *report);
/* An image: launches from left to right, the arena from top to bottom, a rectangle per tensor. The
 * text is freed with free. */
char *inspect_svg(const json_t *report, size_t *out_size);

/* ---- keys ---- */

const char *inspect_text(const json_t *row, const char *key); /* "" when it is none */
long long inspect_number(const json_t *row, const char *key);
double inspect_real(const json_t *row, const char *key);

#endif

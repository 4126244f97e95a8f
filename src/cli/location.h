/* Reading the locations that the library gives: "FILE: operator 5 (CONV_2D), tensor 'NAME'" of an
 * operator of a model file, "FILE:3:10" of an op of text. The numbers in there are those of every
 * command and of the IR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LOCATION_H
#define QN_CLI_LOCATION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_operator {
  int number;    /* in the model file, -1: it says none */
  char name[64]; /* "CONV_2D" */
} cli_operator;
/* Whether the location names an operator of a model file. */
bool cli_location_operator(const char *location, cli_operator *out_operator);

/* What is in column "#" of a table: the operator's number, or line and column of text; empty
 * when there is neither. */
enum { CLI_LABEL = 32 };
void cli_location_label(const char *location, char out[CLI_LABEL]);

/* The tensor's name in a location, NULL when it names none. */
const char *cli_location_tensor(const char *location, size_t *out_size);

#endif

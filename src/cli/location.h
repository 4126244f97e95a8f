/* Parses the locations that the library reports: "FILE: operator 5 (CONV_2D), tensor 'NAME'" for an
 * operator of a model file, "FILE:3:10" for an op of text. The indices are those that all commands
 * and the IR use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LOCATION_H
#define QN_CLI_LOCATION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_operator {
  int number;    /* index in the model file; -1 if the location has none */
  char name[64]; /* "CONV_2D" */
} cli_operator;
/* Reads the operator from a location. Returns false if the location names no operator of a model
 * file. */
bool cli_location_operator(const char *location, cli_operator *out_operator);

/* Text for column "#" of a table: the operator's index, or line and column of text; "" if the
 * location has neither. */
enum { CLI_LABEL = 32 };
void cli_location_label(const char *location, char out[CLI_LABEL]);

/* The tensor's name within a location; NULL if there is none. */
const char *cli_location_tensor(const char *location, size_t *out_size);

#endif

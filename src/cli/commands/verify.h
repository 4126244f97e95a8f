/* Parts of quern verify: comparing in this process, on a board, and the report of both.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_VERIFY_H
#define QN_CLI_VERIFY_H

#include <jansson.h>

#include "cli/golden.h"
#include "cli/tensors/digest.h"
#include "cli/tensors/tensors.h"

typedef struct kept {
  int64_t index;
  char sha256[DIGEST_HEX];
  bool differs; /* until it is shown to be equal */
  bool is_open; /* the profile's runtime computes it in float, or from what is open and differs */
} kept;

/* One build of the model under test. */
typedef struct build {
  qn_executable *executable;
  cli_tensors tensors;
} build;

typedef struct verifier {
  cli *c;
  qn_model *model;
  build keeping, ordinary; /* ordinary.executable is NULL with the interpreter */
  kept *kept;              /* of the last invocation */
  size_t kept_count, kept_capacity;
  size_t tensors, tensors_differing, outputs, outputs_differing; /* so far */
  size_t in_float;      /* of those that differ: the profile leaves them open */
  json_t *report;       /* cases */
  json_t *inspection;   /* read when it is asked for */
  const char *board;    /* NULL: in this process */
  uint32_t stack_bytes; /* the most that a call took on the board */
} verifier;

/* Result of one invocation. */
typedef struct outcome {
  size_t tensors, tensors_differing, outputs, outputs_differing, open;
  int64_t first; /* first tensor that differs; -1: none */
  bool first_missing;
} outcome;

cli_exit verify_open_build(verifier *v, bool keep, build *b);
void verify_close_build(build *b);
void verify_close(verifier *v);

/* A part of the library's report on the model. */
const json_t *verify_inspected(verifier *v, const char *key);
/* The report row of the operator that writes a tensor; NULL if unknown. */
const json_t *verify_row_of(verifier *v, int64_t tensor);

/* Adds a row and its numbers. `first_name` may be NULL. */
void verify_report(verifier *v, const golden_case *one, uint32_t invocation, const outcome *o,
                   const char *first_name);
/* Prints the report. CLI_MISMATCH if anything differs. */
cli_exit verify_print(verifier *v);

/* verify --board. */
cli_exit verify_on_board(cli *c);

#endif

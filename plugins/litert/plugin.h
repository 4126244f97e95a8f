/* Inside of the delegate.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_LITERT_PLUGIN_H
#define QUERN_LITERT_PLUGIN_H

#include <stdbool.h>

#include <quern/quern.h>

#include "abi.h"

/* ---- options.c ---- */

typedef struct options {
  lt_delegate base; /* first: a delegate is its options */
  char *model;      /* file; NULL: found by where the constants are mapped */
  char *numerics, *cpu;
  char *cache; /* folder; NULL: none */
  bool *skipped;
  uint32_t skipped_count;
  int threads;       /* 0: what LiteRT recommends */
  int min_operators; /* of a partition beside others */
  bool explain, verbose;
} options;

/* Returns NULL, after a message to `report`, if an option is unknown or has an invalid value. */
options *options_create(char **keys, char **values, size_t count, void (*report)(const char *));
void options_destroy(options *o);
bool options_skip(const options *o, int node);

/* ---- guard.c ---- */

/* Whether the runtime's memory is laid out as abi.h says, as far as it can be told by looking at
 * it; *out_plan then has one node after another. */
bool guard_check(lt_context *c, lt_ints **out_plan);

/* ---- file.c: the model file, beside the live graph ---- */

/* The file that holds a constant of the graph, by the mappings of the process; NULL: unknown. */
char *file_find(const options *o, const lt_context *c);
/* Why the main graph of the file is not that of the runtime; NULL: they agree in operators, tensors
 * and the bytes of constants. */
const char *file_differs(qn_bytes file, lt_context *c, const lt_ints *plan);

/* ---- claims.c ---- */

/* The nodes to take, ascending; the caller frees them. NULL: none. */
lt_ints *claims_find(const options *o, lt_context *c, const char *path, const lt_ints *plan);

/* ---- kernel.c ---- */

lt_registration kernel_registration(void);

/* What the library says, for who asked for it: a handler with options as user. */
void say(void *user, int severity, const char *message);

#endif

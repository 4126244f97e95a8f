/* Tensors written on the command line: "2x2xi8=1,2,3,4", "f32=0.5".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LITERAL_H
#define QN_CLI_LITERAL_H

#include <stdbool.h>

#include "cli/tensors/npy.h"

typedef struct literal {
  qn_dtype dtype;
  uint32_t rank;
  int64_t dims[NPY_MAX_RANK];
  void *data;
} literal;

/* Whether the text starts with a type and '=', as all literals do. */
bool literal_is_one(const char *text);
/* Parses a literal. Returns NULL on success, else the reason (static text). A single value fills
 * the whole tensor. */
const char *literal_parse(const char *text, literal *out_literal);
void literal_free(literal *value);

#endif

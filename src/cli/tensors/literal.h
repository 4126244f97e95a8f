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

/* Whether it begins with a type and '=', as all literals do. */
bool literal_is_one(const char *text);
/* NULL, or what is wrong (static text). One value fills the whole tensor. */
const char *literal_parse(const char *text, literal *out_literal);
void literal_free(literal *value);

#endif

/* The elementary functions in C, for the interpreter and the folder. Results equal those of the
 * generated code bit for bit, because elementary.inc is the single definition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_ELEMENTARY_H
#define QN_QUANT_ELEMENTARY_H

typedef enum qn_function {
#define FUNCTION(dialect, DIALECT, name, NAME, ...) QN_FUNCTION_##NAME,
#include "quant/elementary.def"
#undef FUNCTION
  QN_FUNCTION_COUNT
} qn_function;

typedef struct qn_function_row {
  const char *name;
  int arguments;
  int has_f64;
  int milliulps; /* upper bound of the error in f32, in 1/1000 ulp */
} qn_function_row;
extern const qn_function_row qn_functions[QN_FUNCTION_COUNT];

/* f32 result; y is used by functions with two arguments only. */
float qn_function_f32(qn_function function, float x, float y);
/* f64 result of functions with an f64 definition; else NaN. */
double qn_function_f64(qn_function function, double x, double y);

#endif

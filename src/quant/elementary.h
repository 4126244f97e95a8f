/* The elementary functions as C: what the interpreter and the folder compute, the same bits as the
 * code that is generated for them (elementary.inc has the one definition).
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
  int milliulps; /* bound of the error in f32 */
} qn_function_row;
extern const qn_function_row qn_functions[QN_FUNCTION_COUNT];

/* `y` is read by functions of two arguments only. */
float qn_function_f32(qn_function function, float x, float y);
/* For functions that have an f64 definition; else NaN. */
double qn_function_f64(qn_function function, double x, double y);

#endif

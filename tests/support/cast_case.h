/* Modules of quant.qcast, quant.dcast and quant.scast: every storage, granularity, expressed type
 * and numerics.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_CAST_CASE_H
#define QN_TESTS_CAST_CASE_H

#include "eval/eval.h"

typedef struct qn_cast_case {
  const char *module, *storage, *expressed, *granularity;
  qn_float_kind kind; /* the kind of the expressed float type */
  qn_ir_context cx;
  qn_arena arena;
  qn_module *loaded;
} qn_cast_case;

/* Inputs of 2x3 elements. */
enum { QN_CAST_ELEMENTS = 6, QN_CAST_INPUTS = 3, QN_CAST_RESULTS = 3 };
extern const double qn_cast_inputs[QN_CAST_INPUTS][QN_CAST_ELEMENTS];

/* Fills *out with case `number`. Returns false after the last case. */
bool qn_cast_case_at(size_t number, qn_cast_case *out);
/* Reads and verifies the module of the case. @main takes an input, or has `constant_or_null` as its
 * constant. It returns the input quantized, dequantized, and dequantized after two storage casts.
 */
void qn_cast_case_load(qn_cast_case *c, const double *constant_or_null);
void qn_cast_case_unload(qn_cast_case *c);
/* Calls @main. `input_or_null` is NULL if @main has a constant instead of an argument. */
void qn_cast_case_run(qn_cast_case *c, const double *input_or_null,
                      qn_rt_value results[QN_CAST_RESULTS]);
/* Whether all results have the same bytes. */
bool qn_cast_case_equal(const qn_rt_value a[QN_CAST_RESULTS], const qn_rt_value b[QN_CAST_RESULTS]);

#endif

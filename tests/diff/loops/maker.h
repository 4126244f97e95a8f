/* Building random modules of the integer stage, reproducible from a seed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_DIFF_LOOPS_MAKER_H
#define TESTS_DIFF_LOOPS_MAKER_H

#include "ir/builder.h"

enum { MAKER_MAX_RESULTS = 16 };

typedef struct maker {
  qn_module *module;
  qn_ir_context *cx;
  qn_arena *arena;
  qn_op *main;
  qn_builder b; /* at the end of @main */
  uint64_t seed;
  int64_t tensors; /* numbers given to quern.tensors so far */
} maker;

/* What a case does: fill @main and end it with maker_return. */
typedef void case_fn(maker *m);
#define CASE(name, repeats) case_fn case_##name;
#include "cases.def"
#undef CASE

/* ---- random numbers ---- */

uint32_t maker_random(maker *m);
int64_t maker_range(maker *m, int64_t lo, int64_t hi); /* inclusive */
bool maker_chance(maker *m, int percent);
/* A size that makes tails: 1, 3, 17, 33 ... and seldom a few hundred. */
int64_t maker_dim(maker *m);
/* Log-uniform in [lo, hi]. */
double maker_scale(maker *m, double lo, double hi);

/* ---- types and values ---- */

const qn_type *maker_byte(maker *m, bool is_unsigned); /* i8 or ui8 */
const qn_type *maker_tensor(maker *m, const qn_type *element, uint32_t rank, const int64_t *dims);
qn_value *maker_input(maker *m, const qn_type *tensor);
/* ml.const of integers: i8, ui8, i16, i32, i64 by the element type. */
qn_value *maker_const(maker *m, const qn_type *element, uint32_t rank, const int64_t *dims,
                      const int64_t *values);
qn_value *maker_const_f64(maker *m, int64_t count, const double *values);
qn_value *maker_const_random(maker *m, const qn_type *tensor); /* of bytes */

/* An op with one result; a number in quern.tensors. `attrs` as in qn_build_1. */
qn_value *maker_op(maker *m, qn_op_kind kind, const qn_type *result, qn_value *const *operands,
                   uint32_t operand_count, const qn_attr_arg *attrs);
void maker_number(maker *m, qn_op *op); /* gives its results numbers */

const qn_attr *maker_i64(maker *m, int64_t value);
const qn_attr *maker_i64s(maker *m, const int64_t *values, uint32_t count);

/* Ends @main; to be called once, last. */
void maker_return(maker *m, qn_value *const *values, uint32_t count);

#endif

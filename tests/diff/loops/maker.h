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
  int64_t tensors; /* number of tensors in quern.tensors so far */
} maker;

/* Fills @main and ends it with maker_return. */
typedef void case_fn(maker *m);
#define CASE(name, repeats) case_fn case_##name;
#include "cases.def"
#undef CASE

/* ---- random numbers ---- */

uint32_t maker_random(maker *m);
int64_t maker_range(maker *m, int64_t lo, int64_t hi); /* inclusive */
bool maker_chance(maker *m, int percent);
/* A size that leaves remainders: 1, 3, 17, 33, ..., rarely a few hundred. */
int64_t maker_dim(maker *m);
/* A random number in [lo, hi] with uniformly distributed logarithm. */
double maker_scale(maker *m, double lo, double hi);

/* ---- types and values ---- */

const qn_type *maker_byte(maker *m, bool is_unsigned); /* i8 or ui8 */
const qn_type *maker_tensor(maker *m, const qn_type *element, uint32_t rank, const int64_t *dims);
qn_value *maker_input(maker *m, const qn_type *tensor);
/* An ml.const of integers. The element type is i8, ui8, i16, i32 or i64. */
qn_value *maker_const(maker *m, const qn_type *element, uint32_t rank, const int64_t *dims,
                      const int64_t *values);
qn_value *maker_const_f64(maker *m, int64_t count, const double *values);
qn_value *maker_const_random(maker *m, const qn_type *tensor); /* of bytes */

/* Builds an op with one result, which gets a tensor number. `attrs` as in qn_build_1. */
qn_value *maker_op(maker *m, qn_op_kind kind, const qn_type *result, qn_value *const *operands,
                   uint32_t operand_count, const qn_attr_arg *attrs);
void maker_number(maker *m, qn_op *op); /* gives tensor numbers to its results */

const qn_attr *maker_i64(maker *m, int64_t value);
const qn_attr *maker_i64s(maker *m, const int64_t *values, uint32_t count);

/* Ends @main. It must be called once, at the end. */
void maker_return(maker *m, qn_value *const *values, uint32_t count);

#endif

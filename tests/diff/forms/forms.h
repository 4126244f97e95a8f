/* Random ops of the model dialect on tensors of any quantization, and their results on real
 * numbers. These are computed without the code under test, except for single casts, which
 * diff.quant_random tests.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_DIFF_FORMS_H
#define TESTS_DIFF_FORMS_H

#include "eval/eval.h"
#include "tests/support/random_model.h"

enum { FORMS_MAX_OPERANDS = 4 };

/* One op in @main. Every operand is an argument, except for constant weights. */
typedef struct form_case {
  qn_random_model m;
  qn_op *op;
  bool only_bytes; /* all tensors have 8 bits, one scale, one signedness, as in profiles */
} form_case;

/* Builds and verifies a case for an op of this kind. */
void form_case_make(form_case *c, qn_op_kind kind, uint64_t seed, bool only_bytes);

/* The elements of a tensor as f64. */
typedef struct reals {
  const qn_type *type;
  double *data;
} reals;

/* The result of the op before the cast to the type of the result: in f32, or in f64 if a type of
 * the op expresses f64. Allocates in `arena`. */
reals form_reference(const qn_op *op, const qn_rt_value *operands, qn_arena *arena);
/* Whether form_reference supports the kind. Other kinds are compared between stages only. */
bool form_has_reference(qn_op_kind kind);
/* Element i as the cast to `type` stores it. */
double form_stored(const qn_module *module, const reals *y, const qn_type *type, int64_t i);

/* ---- stages.c ---- */

/* Whether ops of the kind may be computed in integers or in floats. */
bool form_has_choice(qn_op_kind kind);
/* Lowers to the integer stage, with the fall-back for ops named in `forbid`. Prints errors. */
bool form_lower(qn_random_model *m, const char *forbid);
/* Returns NULL, or the lower stage that gives other results for the inputs than the integer stage.
 */
const char *form_check_stages(qn_random_model *m, const qn_random_run *inputs,
                              const qn_random_run *expected, bool compile);
/* Checks a chain of ops, some with integer forms and some with fall-backs, at all stages. Returns
 * the number of failures. */
int form_check_mixed(uint64_t seed, bool compile);

#endif

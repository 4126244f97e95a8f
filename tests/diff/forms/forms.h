/* Random ops of the model dialect on tensors of any quantization, and what they mean on reals,
 * computed without the code under test but for single casts (which diff.quant_random tests).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_DIFF_FORMS_H
#define TESTS_DIFF_FORMS_H

#include "eval/eval.h"
#include "tests/support/random_model.h"

enum { FORMS_MAX_OPERANDS = 4 };

/* One op in @main: every operand an argument, but for constant weights. */
typedef struct form_case {
  qn_random_model m;
  qn_op *op;
  bool only_bytes; /* all tensors of 8 bits, one scale, one sign: what profiles cover */
} form_case;

/* Builds a case of that op: finished and verified. */
void form_case_make(form_case *c, qn_op_kind kind, uint64_t seed, bool only_bytes);

/* The numbers of a tensor, in f64. */
typedef struct reals {
  const qn_type *type;
  double *data;
} reals;

/* What the op gives, before the cast to the result's type: in f32, or f64 where a type of the op
 * expresses that. Allocates in `arena`. */
reals form_reference(const qn_op *op, const qn_rt_value *operands, qn_arena *arena);
/* Whether it is defined here; what has no definition is compared between stages only. */
bool form_has_reference(qn_op_kind kind);
/* As the element of the type that the cast makes of it. */
double form_stored(const qn_module *module, const reals *y, const qn_type *type, int64_t i);

/* ---- stages.c ---- */

/* Whether ops of the kind may be computed in integers or in float. */
bool form_has_choice(qn_op_kind kind);
/* To the integer stage, with the fall-back for these ops; prints what is wrong. */
bool form_lower(qn_random_model *m, const char *forbid);
/* NULL, or which stage below gives other results for the inputs than the integer stage did. */
const char *form_check_stages(qn_random_model *m, const qn_random_run *inputs,
                              const qn_random_run *expected, bool compile);
/* A chain of ops, some with integer forms, some with fall-backs, at all stages. Returns failures.
 */
int form_check_mixed(uint64_t seed, bool compile);

#endif

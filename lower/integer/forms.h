/* Which form an op on quantized tensors takes at the integer stage: explicit integers, or the
 * fall-back dequantize -> float op -> quantize.
 *
 * The integer form is the profile's arithmetic, bit by bit. The fall-back computes with the
 * expressed values in f32 and rounds once at the end: usually within a step of the profile, but no
 * bound is promised (tflm's ml.relu6 ignores unequal scales, the fall-back does not).
 * It is never taken unless asked for: by "forbid" for an op, by "fall-back" for all that have no
 * integer form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_FORMS_H
#define QN_LOWER_INTEGER_FORMS_H

#include "lower/integer/integer.h"

typedef struct qn_integer_form {
  qn_op_kind op;
  qn_op_kind integer; /* the op with explicit zero points, multipliers and shifts */
  bool has_fall_back;
  qn_op_kind fall_back; /* the float op between the casts; QN_OP_UNREGISTERED: the casts alone */
  qn_activation activation; /* that the op is, besides its attribute */
} qn_integer_form;

/* One row per arithmetic op of the model dialect. */
const qn_integer_form *qn_integer_forms(uint32_t *out_count);

/* The user's choice for a run of the pass. */
typedef struct qn_integer_choice {
  qn_str force,
      forbid;     /* op names, separated by commas: integer form or error; never integer form */
  bool fall_back; /* where an op that is in neither list has no integer form */
} qn_integer_choice;

/* Reports names that are not ops of the table, and names that are in both lists. */
QN_NODISCARD qn_status qn_integer_check_choice(qn_integer *in, const qn_integer_choice *choice);

/* Lowers `op` by `lower` or by its fall-back, as chosen; reports when neither can. */
QN_NODISCARD qn_status qn_integer_lower_as_chosen(qn_integer *in, const qn_integer_choice *choice,
                                                  qn_op *op, qn_integer_fn *lower);

#endif

/* Which form an op on quantized tensors takes at the integer stage: explicit integers, or the
 * fall-back dequantize -> float ops -> quantize.
 *
 * The integer form is the profile's arithmetic, bit by bit. The fall-back is the op's float form
 * (ir/float_form): it computes with the expressed values and rounds once at the end, usually within
 * a step of the profile, but no bound is promised (tflm's ml.relu6 ignores unequal scales, the
 * fall-back does not).
 *
 * An op takes its integer form where it has one, else the fall-back, which a remark says (a warning
 * where the module names a profile). "forbid" takes the integer form away from an op, "force" the
 * fall-back, fall-back=false takes that from all ops that are not forbidden their integer form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_FORMS_H
#define QN_LOWER_INTEGER_FORMS_H

#include "lower/integer/integer.h"

typedef struct qn_integer_form {
  qn_op_kind op;
  qn_op_kind integer; /* the op with explicit zero points, multipliers and shifts */
  const char *needs;  /* what has to hold for it, besides 8-bit tensors with one scale */
  bool exact;         /* the fall-back, which rounds as it likes, is taken on demand only */
} qn_integer_form;

/* One row per op of the model dialect that computes. All have a float form. */
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

/* Which form an op on quantized tensors takes at the integer stage: explicit integers, or the
 * fall-back dequantize -> float ops -> quantize.
 *
 * The integer form is the profile's arithmetic, bit by bit: the op's plan (src/plan), written. The
 * fall-back is the op's float form (ir/float_form): it computes with the expressed values and
 * rounds once at the end, usually within a step of the profile, but no bound is promised (tflm's
 * ml.relu6 ignores unequal scales, the fall-back does not).
 *
 * An op takes its integer form where it has a plan, else the fall-back, which a remark says; where
 * the module names a profile that is an error unless the user or the module allows it, and a
 * warning then. "forbid" takes the integer form away from an op, "force" the fall-back,
 * fall-back=false takes that from all ops that are not forbidden their integer form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_FORMS_H
#define QN_LOWER_INTEGER_FORMS_H

#include "lower/integer/integer.h"

/* Whether a fall-back may be taken: as the module's numerics say, yes, no. */
typedef enum qn_integer_opt_in {
  QN_OPT_IN_AUTO,
  QN_OPT_IN_TRUE,
  QN_OPT_IN_FALSE
} qn_integer_opt_in;
#define QN_OPT_IN_WORDS "auto|true|false"

/* The user's choice for a run of the pass. */
typedef struct qn_integer_choice {
  qn_str force,
      forbid; /* op names, separated by commas: integer form or error; never integer form */
  qn_integer_opt_in fall_back; /* where an op that is in neither list has no integer form */
} qn_integer_choice;

/* Reports names that are not ops of the table, and names that are in both lists. */
QN_NODISCARD qn_status qn_integer_check_choice(qn_integer *in, const qn_integer_choice *choice);

/* Gives `op` the form that is chosen; reports when it can't have that. Ops of the integer stage
 * that have no plan stay. */
QN_NODISCARD qn_status qn_integer_lower_as_chosen(qn_integer *in, const qn_integer_choice *choice,
                                                  qn_op *op);

#endif

/* Selects the form of an op on quantized tensors at the integer stage: explicit integers, or the
 * float fallback dequantize -> float ops -> quantize.
 *
 * The integer form is the profile's arithmetic bit for bit: the op's plan (src/plan), written as
 * ops. The fallback is the op's float decomposition (ir/float_form): it computes with real values
 * and rounds once at the end. Its results are usually within a step of the profile's, but no bound
 * is promised: tflm's ml.relu6 ignores unequal scales, the fallback does not.
 *
 * An op takes its integer form if it has a plan, else the fallback with a remark. If the module
 * names a profile, the fallback is an error unless the user or the module permits it, and then a
 * warning. "forbid" excludes the integer form of an op, "force" excludes the fallback, and
 * fall-back=false excludes the fallback of all ops whose integer form is not forbidden.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_FORMS_H
#define QN_LOWER_INTEGER_FORMS_H

#include "lower/integer/integer.h"

/* Whether the fallback is permitted: as the module's numerics specify, yes, no. */
typedef enum qn_integer_opt_in {
  QN_OPT_IN_AUTO,
  QN_OPT_IN_TRUE,
  QN_OPT_IN_FALSE
} qn_integer_opt_in;
#define QN_OPT_IN_WORDS "auto|true|false"

/* The pass options. */
typedef struct qn_integer_choice {
  qn_str force, forbid; /* op names, separated by commas. force: integer form or error; forbid:
                           never the integer form */
  qn_integer_opt_in fall_back; /* for ops without integer form that are in neither list */
} qn_integer_choice;

/* Reports names that are not ops of the table, and names that are in both lists. */
QN_NODISCARD qn_status qn_integer_check_choice(qn_integer *in, const qn_integer_choice *choice);

/* Lowers `op` to the selected form; reports an error if that form does not exist. Integer-stage ops
 * without a plan stay. */
QN_NODISCARD qn_status qn_integer_lower_as_chosen(qn_integer *in, const qn_integer_choice *choice,
                                                  qn_op *op);

#endif

/* The numerics of a module, from its attribute "quern.numerics". All code that computes, folds or
 * lowers uses it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_NUMERICS_H
#define QN_IR_NUMERICS_H

#include "ir/module.h"
#include "quant/profile.h"
#include "quant/range.h"

extern const char qn_numerics_attr[]; /* "quern.numerics" */

typedef struct qn_module_numerics {
  const qn_profile *profile; /* profile of the ml ops; litert-ref if the module names none */
  qn_rounding
      rounding; /* rounding of quant.qcast; if the module names none, the dialect's: nearest even */
  bool is_named;
  bool may_fall_back; /* "quern.fall_back": ops that the profile does not define may use the float
                         fallback */
} qn_module_numerics;

/* Reads the numerics. An unknown name is reported at `loc` as QN_NOT_FOUND; verified modules have
 * none. */
QN_NODISCARD qn_status qn_module_numerics_of(const qn_module *module, const qn_loc *loc,
                                             qn_module_numerics *out_numerics);

/* The profile of a verified module. */
const qn_profile *qn_module_profile(const qn_module *module);

/* The bounds between which an op with a fused activation clamps its results in reals, as the
 * module's profile defines them; -infinity and +infinity where it has
 * none. docs/arithmetic.md 9.9. */
void qn_op_real_limits(const qn_module *module, const qn_op *op, float *out_low, float *out_high);

#endif

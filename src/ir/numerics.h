/* The numerics of a module, which its attribute "quern.numerics" names: all code that computes,
 * folds or lowers asks here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_NUMERICS_H
#define QN_IR_NUMERICS_H

#include "ir/module.h"
#include "quant/profile.h"
#include "quant/range.h"

extern const char qn_numerics_attr[]; /* "quern.numerics" */

typedef struct qn_module_numerics {
  const qn_profile *profile; /* of the ops of ml; litert-ref when the module names none */
  qn_rounding
      rounding; /* of quant.qcast; the dialect's, nearest even, when the module names none */
  bool is_named;
  bool may_fall_back; /* "quern.fall_back": ops outside of the profile may have other bits */
} qn_module_numerics;

/* An unknown name is reported at `loc`, QN_NOT_FOUND; verified modules have none. */
QN_NODISCARD qn_status qn_module_numerics_of(const qn_module *module, const qn_loc *loc,
                                             qn_module_numerics *out_numerics);

/* The profile of a verified module. */
const qn_profile *qn_module_profile(const qn_module *module);

/* The bounds of an activation of floats that is fused into an op of the module, as the profile has
 * them, for numbers of this type. */
void qn_module_activation_limits(const qn_module *module, qn_activation activation,
                                 const qn_type *real, float *out_low, float *out_high);

#endif

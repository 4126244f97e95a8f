/* Builds the ml.gelu for all three ways to compute it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/activation/gelu.h"
#include "ir/ops/forms.h"

qn_value *qn_build_gelu(qn_rewriter *rw, const qn_matched *m, const char *mode) {
  const qn_type *type = m->value[GELU_X]->type;
  if (m->value[GELU]->type != type || !qn_matched_floats(m) ||
      !qn_literal_near(m->value[GELU_HALF], 0.5, 0) || !qn_literal_near(m->value[GELU_ONE], 1, 0))
    return NULL;
  return qn_build_1(&rw->builder, QN_OP_ML_GELU, type, QN_VALUES(m->value[GELU_X]),
                    QN_ATTRS({"mode", qn_attr_string(rw->cx, qn_str_of(mode))}));
}

/* The op kinds of ml_forms.def, and the number of all kinds. Files that name none of these kinds
 * and have no table over all kinds need not include this header (op.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_FORMS_H
#define QN_IR_OPS_FORMS_H

#include "ir/op.h"

enum {
  QN_OP_BEFORE_FORMS = QN_OP_FIRST_FORM - 1,
#define OP(stem, kind, ...) QN_OP_##kind,
#include "ir/ops/ml_forms.def"
#undef OP
  QN_OP_COUNT
};

#endif

/* How use-unsigned treats each op: one table entry per row of ops/ml.def (without ops/ml_forms.def,
 * whose ops do not exist at this stage) and ops/ml_integer.def. A missing entry is a link error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_UNSIGNED_H
#define QN_LOWER_INTEGER_UNSIGNED_H

#include "lower/integer/integer.h"

enum { QN_UNSIGNED_OFFSET = 128, QN_UNSIGNED_ATTRS = 3 };

typedef enum qn_unsigned_mode {
  QN_UNSIGNED_KEEPS = 0, /* operands and results keep their types; `none` has the reason */
  /* each operand and result changes independently, together with the attributes that describe it */
  QN_UNSIGNED_SHIFTS,
  QN_UNSIGNED_TIES, /* all operands and results change together */
} qn_unsigned_mode;

typedef struct qn_unsigned_form {
  const char *none;
  qn_unsigned_mode mode;
  uint32_t operands; /* number of leading operands that are activations; others keep their type */
  qn_attr_id
      of_operand[2]; /* [operand] attribute that is a stored value of operand i; QN_A_NONE: none */
  qn_attr_id of_result[QN_UNSIGNED_ATTRS]; /* attributes that are stored values of the result, ended
                                              by QN_A_NONE */
  bool (*can)(const qn_op *op);            /* NULL: always */
  /* Changes beyond attributes; NULL: none. */
  void (*shift)(qn_pass_context *pc, qn_op *op, bool x_changes, bool y_changes);
} qn_unsigned_form;

#define OP(stem, ...) extern const qn_unsigned_form qn_unsigned_form_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP

/* The entry of an op; ops of other dialects share an entry that keeps their types. */
const qn_unsigned_form *qn_unsigned_form_of(const qn_op *op);

#endif

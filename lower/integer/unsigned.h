/* What use-unsigned asks of an op: one record per row of ops/ml.def (without those of
 * ops/ml_forms.def, which are gone by then) and ops/ml_integer.def. A missing record does not link.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_UNSIGNED_H
#define QN_LOWER_INTEGER_UNSIGNED_H

#include "lower/integer/integer.h"

enum { QN_UNSIGNED_OFFSET = 128, QN_UNSIGNED_ATTRS = 3 };

typedef enum qn_unsigned_mode {
  QN_UNSIGNED_KEEPS = 0, /* operands and results keep their types, because of `none` */
  QN_UNSIGNED_SHIFTS,    /* each operand and result on its own, with what shifts with it */
  QN_UNSIGNED_TIES,      /* all operands and results together */
} qn_unsigned_mode;

typedef struct qn_unsigned_form {
  const char *none;
  qn_unsigned_mode mode;
  uint32_t operands;        /* the first ones are activations; the others keep their type */
  qn_attr_id of_operand[2]; /* stored values of operand i; QN_A_NONE: there are none */
  qn_attr_id of_result[QN_UNSIGNED_ATTRS]; /* QN_A_NONE ends the list */
  bool (*can)(const qn_op *op);            /* NULL: always */
  /* What is more than attributes; NULL: nothing is. */
  void (*shift)(qn_pass_context *pc, qn_op *op, bool x_changes, bool y_changes);
} qn_unsigned_form;

#define OP(stem, ...) extern const qn_unsigned_form qn_unsigned_form_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP

/* For ops of other dialects, a record by which they keep their types. */
const qn_unsigned_form *qn_unsigned_form_of(const qn_op *op);

#endif

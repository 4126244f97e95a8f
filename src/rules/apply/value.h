/* Scalars of rules. Integer results are computed exactly and then checked against their type;
 * floats are IEEE single precision.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_VALUE_H
#define QN_RULES_APPLY_VALUE_H

#include "base/str.h"
#include "rules/syntax/tree.h"

typedef struct qn_rule_value {
  qn_rule_type type;
  int64_t integer; /* BOOL, I32, SIZE, and DTYPE_TAG: index into qn_rule_dtypes */
  float real;      /* F32 */
} qn_rule_value;

qn_rule_value qn_rule_value_bool(bool value);
qn_rule_value qn_rule_value_real(double value);
/* A value of type I32 or SIZE. The range is not checked. */
qn_rule_value qn_rule_value_integer(qn_rule_type type, int64_t value);
/* The value of a number or bool as float. */
float qn_rule_value_as_real(qn_rule_value value);

typedef enum qn_rule_arith {
  QN_RULE_ARITH_ADD,
  QN_RULE_ARITH_MUL,
  QN_RULE_ARITH_MIN,
  QN_RULE_ARITH_MAX,
  QN_RULE_ARITH_SUB,
  QN_RULE_ARITH_DIV, /* integers: truncates towards zero */
  QN_RULE_ARITH_REM, /* has the sign of the dividend */
  QN_RULE_ARITH_MOD, /* has the sign of the divisor */
  QN_RULE_ARITH_ROUNDUP,
} qn_rule_arith;

/* Computes a OP b as a value of `type`. Returns NULL on success, else the reason why there is no
 * result. */
const char *qn_rule_value_arith(qn_rule_arith op, qn_rule_type type, qn_rule_value a,
                                qn_rule_value b, qn_rule_value *out_value);
/* Converts a number, bool or dtype to another type. Returns NULL on success, else the reason why it
 * can't. */
const char *qn_rule_value_cast(qn_rule_type type, qn_rule_value a, qn_rule_value *out_value);
/* Returns -1, 0 or 1 as a is less than, equal to or greater than b; 2 if one of them is NaN. I32
 * and SIZE are compared by value. */
int qn_rule_value_compare(qn_rule_value a, qn_rule_value b);
void qn_rule_value_print(qn_rule_value value, qn_text *out);

#endif

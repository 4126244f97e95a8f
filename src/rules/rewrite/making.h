/* Internal to the construction of ops: the op that is being constructed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_MAKING_H
#define QN_RULES_REWRITE_MAKING_H

#include "rules/rewrite/build.h"

typedef struct qn_rule_making {
  qn_rule_staging *s;
  const qn_rule_form *form;
  qn_rule_wanted wanted[1];
  const qn_rule_operand *inputs;
  uint32_t input_count;
  QN_ARRAY(qn_value *) values;
  qn_rule_layout layout; /* layout of operand 0 and of the result, if the form keeps layouts */
  qn_rule_dims dims;     /* map of the dimensions of operand 0 in that layout */
  uint32_t rank;         /* rank of operand 0 */
  qn_attr_arg attrs[QN_RULE_MAX_SLOTS + 1];
  uint32_t attr_count;
  int64_t begin[QN_RULE_MAX_RANK];
  int64_t axis;
  double low, high;
  bool slices, clamps;
  int64_t fills; /* number of channels that padding adds */
} qn_rule_making;

/* Records a failure and returns false. */
bool qn_rule_making_fail(qn_rule_making *m, const char *format, ...) QN_PRINTF(2, 3);
/* Converts values per dimension that rules see to values per dimension of operand 0. Where operand
 * 0 lacks a dimension, the value must be `one`; otherwise the construction fails. */
bool qn_rule_making_own_dims(qn_rule_making *m, const int64_t *seen, int64_t one,
                             int64_t *out_dims);
/* Sets the attributes that the slots of the form specify. Returns false on failure. */
bool qn_rule_making_attrs(qn_rule_making *m);

#endif

/* What is asked of an op that is no model's: one record per row of the dialects tensor, shape,
 * linalg, cf, quant and func, qn_element_record_STEM, beside what builds its kernel; one for all
 * elementwise ops. A missing record does not link, and no other file of the folder lists kinds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_RECORD_H
#define QN_LOWER_LOOPS_RECORD_H

#include "lower/loops/elements/elements.h"

typedef enum qn_element_part {
  QN_ELEMENT_NONE,    /* it has no kernel, because of `none` */
  QN_ELEMENT_KERNEL,  /* `build` makes one */
  QN_ELEMENT_ALIAS,   /* the result has the elements of operand 0 */
  QN_ELEMENT_CONTENT, /* the elements are known: constants, and tensors of no certain elements */
  QN_ELEMENT_FLOW,    /* branches, returns, and assertions that the trace checks */
} qn_element_part;

typedef struct qn_element_record {
  qn_element_part part;
  const char *none;
  qn_status (*build)(qn_elements *t, const qn_op *op);
  uint32_t numbers; /* so many operands may be any numbers; those behind follow from shapes */
  bool reads_type;  /* of operand 0 nothing but its type */
  bool in_body;     /* may be in the body of a linalg.generic */
} qn_element_record;
enum { QN_ANY_NUMBERS = INT32_MAX };

#define OP(stem, ...) extern const qn_element_record qn_element_record_##stem;
#include "ir/ops/cf.def"
#include "ir/ops/func.def"
#include "ir/ops/linalg.def"
#include "ir/ops/quant.def"
#include "ir/ops/shape.def"
#include "ir/ops/tensor.def"
#undef OP
extern const qn_element_record qn_element_record_elementwise; /* arith, math */

/* The record of an op; of others, one that says that there is no kernel. */
const qn_element_record *qn_element_record_of(const qn_op *op);

#endif

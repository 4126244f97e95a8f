/* Lowering of each op that is not a model's: one table entry qn_element_record_STEM per row of the
 * dialects tensor, shape, linalg, cf, quant and func, next to the code that builds its kernel; one
 * entry for all elementwise ops. A missing entry is a link error, and no other file of the folder
 * lists kinds of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_RECORD_H
#define QN_LOWER_LOOPS_RECORD_H

#include "lower/loops/elements/elements.h"

typedef enum qn_element_part {
  QN_ELEMENT_NONE,    /* no kernel; `none` has the reason */
  QN_ELEMENT_KERNEL,  /* `build` emits a kernel */
  QN_ELEMENT_ALIAS,   /* the result has the elements of operand 0 */
  QN_ELEMENT_CONTENT, /* the elements are known at compile time: constants, and tensors with
                         unspecified elements */
  QN_ELEMENT_FLOW,    /* branches, returns, and assertions that the trace checks */
} qn_element_part;

typedef struct qn_element_record {
  qn_element_part part;
  const char *none;
  qn_status (*build)(qn_elements *t, const qn_op *op);
  uint32_t numbers; /* number of leading operands with arbitrary values; later operands follow from
                       shapes */
  bool reads_type;  /* reads only the type of operand 0 */
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

/* The table entry of an op. Ops of other dialects share an entry without a kernel. */
const qn_element_record *qn_element_record_of(const qn_op *op);

#endif

/* Stored integers of 8, 16 or 32 bits as lanes of i32, and back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STORED_H
#define QN_LOWER_LOOPS_STORED_H

#include "lower/loops/loops.h"

/* Whether the buffer of `tensor` (i8 in memory) holds unsigned values. */
static inline bool qn_stored_is_unsigned(const qn_value *tensor) {
  return qn_type_is_unsigned(qn_type_element(tensor->type));
}
/* Loads `count` elements from index + offset on as i32 lanes. */
qn_value *qn_stored_load(qn_builder *b, qn_value *buffer, qn_value *index, int64_t offset,
                         int64_t count, bool is_unsigned);
/* Stores the low bits of i32 lanes. */
void qn_stored_store(qn_builder *b, qn_value *lanes, qn_value *buffer, qn_value *index,
                     int64_t offset);

/* Stored element i of a constant operand. */
int64_t qn_stored_constant(const qn_op *op, uint32_t operand, int64_t i);

#endif

/* Stored integers of 8, 16 or 32 bits as lanes of i32, and back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STORED_H
#define QN_LOWER_LOOPS_STORED_H

#include "lower/loops/loops.h"

/* Whether a buffer of i8 holds ui8 is said by the tensor. */
static inline bool qn_stored_is_unsigned(const qn_value *tensor) {
  return qn_type_is_unsigned(qn_type_element(tensor->type));
}
/* Lanes of i32: `count` elements from index + offset. */
qn_value *qn_stored_load(qn_builder *b, qn_value *buffer, qn_value *index, int64_t offset,
                         int64_t count, bool is_unsigned);
/* The low bits of lanes of i32. */
void qn_stored_store(qn_builder *b, qn_value *lanes, qn_value *buffer, qn_value *index,
                     int64_t offset);

/* A constant of the op, element i as stored. */
int64_t qn_stored_constant(const qn_op *op, uint32_t operand, int64_t i);

#endif

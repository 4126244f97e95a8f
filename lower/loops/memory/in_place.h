/* Results that overwrite an operand at its last use, one op at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_IN_PLACE_H
#define QN_LOWER_LOOPS_IN_PLACE_H

#include "lower/loops/memory/buffers.h"

/* For an op whose kernel reads element i of the operand only for element i of the result. */
void qn_place_in_operand(const qn_assigner *a, const qn_op *op);
/* For a linalg.generic: places the result in the output's initial value, else in an operand as
 * qn_place_in_operand. */
void qn_place_generic(const qn_assigner *a, const qn_op *op);
/* Whether the op reads `buffer` through an operand whose element i is not read for element i of the
 * result alone. */
bool qn_reads_out_of_step(const qn_assigner *a, const qn_op *op, uint32_t buffer,
                          const qn_type *result);
/* Whether the op may write `result` to `buffer`, because it reads each lane of `buffer` before it
 * writes the same lane. */
bool qn_works_in_place(const qn_assigner *a, const qn_op *op, uint32_t buffer,
                       const qn_value *result);

#endif

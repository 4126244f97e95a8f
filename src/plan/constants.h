/* Constants that integer-stage ops have as operands: vectors of integers, tables of 256 bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PLAN_CONSTANTS_H
#define QN_PLAN_CONSTANTS_H

#include "ir/builder.h"

/* A 1-D ml.const; equal elements become a splat. */
qn_value *qn_plan_i32s(qn_builder *b, const int32_t *values, int64_t count);
qn_value *qn_plan_i64s(qn_builder *b, const int64_t *values, int64_t count);
qn_value *qn_plan_i16s(qn_builder *b, const int16_t *values, int64_t count);
qn_value *qn_plan_f64s(qn_builder *b, const double *values, int64_t count);
/* Whether a table flips the same bits of every byte, those of its entry 0, so that no lookup is
 * needed. */
bool qn_plan_table_flips(const uint8_t table[256]);
/* The table operand of ml.lut; `element`: i8 or ui8, the element type of its result. */
qn_value *qn_plan_table(qn_builder *b, const uint8_t table[256], const qn_type *element);
/* ml.lut with an explicit table; `result` is the type of the looked-up tensor. */
qn_value *qn_plan_lut(qn_builder *b, qn_value *x, const uint8_t table[256], const qn_type *result);
/* The smallest of i8, i16 and i32 that holds the storage type; ui8 for 8 unsigned bits. A type that
 * is not quantized is returned unchanged. */
const qn_type *qn_plan_storage_element(qn_ir_context *cx, const qn_type *element);

#endif

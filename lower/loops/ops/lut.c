/* Results from a table of 256 bytes, or from flipped bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/ops/lut.h"

#include "lower/loops/ops/stored.h"
#include "plan/constants.h"

enum { TABLE = 1 /* operand */, ENTRIES = 256 };

/* Whether entry i of the table is i with the bits *out_bits flipped. */
static bool flips_bits(const qn_op *op, uint8_t *out_bits) {
  uint8_t table[ENTRIES];
  for (int64_t i = 0; i < ENTRIES; i++) table[i] = (uint8_t)qn_stored_constant(op, TABLE, i);
  *out_bits = table[0];
  return qn_plan_table_flips(table);
}

bool qn_lut_has_table(const qn_op *op) {
  uint8_t bits;
  return !flips_bits(op, &bits);
}

qn_value *qn_lut_table(qn_loops *lo, const qn_op *op) {
  return qn_lut_has_table(op) ? qn_loops_buffer(lo, qn_op_operand(op, TABLE)) : NULL;
}

qn_value *qn_lut_emit(qn_builder *b, const qn_op *op, qn_value *table, qn_value *x) {
  uint8_t bits;
  if (table) return qn_build_1(b, QN_OP_QUERN_LOOKUP, x->type, QN_VALUES(table, x), NULL);
  bool flips = flips_bits(op, &bits);
  QN_ASSERT(flips);
  return bits ? qn_build_binary_int(b, QN_OP_ARITH_XORI, x, (int8_t)bits) : x;
}

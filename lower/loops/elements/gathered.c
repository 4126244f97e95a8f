/* Positions at which a kernel reads through gathers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/gathered.h"

#include <string.h>

#include "lower/loops/fuse_producer/fuse_producer.h"

/* Positions of a gather, clamped to its dimension as the op defines. */
static int32_t position(const qn_op *gather, int64_t i) {
  const qn_attr *indices = qn_value_constant(qn_op_operand(gather, 1));
  int64_t last = qn_op_operand(gather, 0)->type->shaped.dims[qn_op_axis(gather)] - 1;
  int32_t at;
  memcpy(&at, indices->dense.bytes.data + (indices->dense.splat ? 0 : (size_t)i * sizeof at),
         sizeof at);
  return at < 0 ? 0 : at > last ? (int32_t)last : at;
}

qn_gathered qn_gathered_of(const qn_loops *lo, const qn_value *tensor) {
  qn_gathered g = {.source = tensor};
  const qn_op *op = tensor->op;
  for (; op && op->kind == QN_OP_ML_GATHER && qn_producer_consumer(lo, op); op = g.source->op) {
    const uint32_t rank = tensor->type->shaped.rank, axis = (uint32_t)qn_op_axis(op);
    const int64_t count = tensor->type->shaped.dims[axis];
    if (!g.positions) g.positions = QN_NEW_ARRAY(lo->scratch, rank, int32_t *);
    if (!g.positions[axis]) {
      g.positions[axis] = QN_NEW_ARRAY(lo->scratch, (size_t)count, int32_t);
      for (int64_t i = 0; i < count; i++) g.positions[axis][i] = (int32_t)i;
    }
    for (int64_t i = 0; i < count; i++) g.positions[axis][i] = position(op, g.positions[axis][i]);
    g.source = qn_op_operand(op, 0);
  }
  return g;
}

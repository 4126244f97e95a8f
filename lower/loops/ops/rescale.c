/* ml.integer_rescale: changes the scale of stored integers of any width.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/nest.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/schedule.h"

enum { ARG_X, ARG_Y };

static void rescale_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const qn_op *op = user;
  qn_builder *b = &k->b;
  bool is_unsigned = qn_stored_is_unsigned(qn_op_operand(op, 0));
  qn_value *x = qn_stored_load(b, k->args[ARG_X], index, 0, lanes, is_unsigned);
  x = qn_build_binary_int(b, QN_OP_ARITH_SUBI, x, qn_op_input_zero_point(op));
  qn_multiplier m = {(int32_t)qn_op_multiplier(op), (int32_t)qn_op_shift(op)};
  qn_value *y = qn_fixed_requant32(b, x, m);
  y = qn_fixed_add_zero_point(b, y, (int32_t)qn_op_output_zero_point(op), (int32_t)qn_op_min(op),
                              (int32_t)qn_op_max(op));
  qn_stored_store(b, y, k->args[ARG_Y], index, 0);
}

static qn_status lower_rescale(qn_loops *lo, qn_op *op) {
  int64_t count = qn_type_elements(op->results[0].type);
  qn_value *buffers[] = {[ARG_X] = qn_loops_buffer(lo, qn_op_operand(op, 0)), [ARG_Y] = NULL};
  buffers[ARG_Y] = qn_loops_buffer(lo, &op->results[0]);
  qn_kernel k = qn_kernel_begin(lo, "rescale", op, buffers, QN_COUNT(buffers));
  qn_nest_flat(&k, count, lo->target->vector_bytes / 2, rescale_vector, op);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_rescale = {.lower = lower_rescale};

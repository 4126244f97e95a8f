/* Ops of the linalg, arith and math dialects between the ml ops of a model: the kernels of
 * ../elements on the buffers that buffer assignment gives.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/buffers.h"
#include "lower/loops/schedule.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/elements/gathered.h"
#include "lower/loops/elements/row_groups.h"

/* Sets the buffer of a value. Constants get one only if an op reads it; the buffer of a
 * tensor.empty is a repeated 0. A value that is read through gathers has none, but its source. */
static void place(qn_elements *t, const qn_value *value) {
  static const uint8_t zero[sizeof(int64_t)] = {0};
  qn_place_of *place = qn_elements_place(t, value);
  place->type = value->type;
  value = qn_gathered_of(t->lo, value).source;
  place = qn_elements_place(t, value);
  place->type = value->type;
  if (value->op && value->op->kind == QN_OP_TENSOR_EMPTY)
    place->content = (qn_bytes){zero, qn_type_bytes(qn_type_element(value->type))};
  else if (qn_value_constant(value) && qn_type_is_shaped(value->type))
    place->content = qn_value_constant(value)->dense.bytes;
  else if (!place->buffer)
    place->buffer = qn_loops_buffer(t->lo, value);
}

static void place_all(qn_elements *t, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) place(t, qn_op_operand(op, i));
  for (uint32_t i = 0; i < op->result_count; i++) place(t, &op->results[i]);
}

static qn_status lower_tensor_op(qn_loops *lo, qn_op *op) {
  if (!lo->places) lo->places = QN_NEW_ARRAY(lo->kept, lo->plan->value_count, qn_place_of);
  qn_elements t = {.lo = lo, .places = lo->places};
  place_all(&t, op);
  return qn_elements_lower_op(&t, op);
}

/* The last op of a row group emits the kernel of all. */
static qn_status lower_generic(qn_loops *lo, qn_op *op) {
  const qn_row_group *group = qn_row_group_of(lo, op);
  if (!group) return lower_tensor_op(lo, op);
  if (op != qn_row_group_last(group)) return QN_OK;
  qn_elements t = {.lo = lo, .places = lo->places};
  for (uint32_t i = 0; i < group->count; i++) place_all(&t, group->ops[i]);
  return qn_generic_lower_rows(&t, group);
}

const qn_schedule qn_schedule_generic = {
    .lower = lower_generic, .sharing = QN_SHARES_OUTPUTS, .post_op = QN_POST_OP_FLOATS};
const qn_schedule qn_schedule_tensor_op = {.lower = lower_tensor_op, .sharing = QN_SHARES_LAST_USE};

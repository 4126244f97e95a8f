/* Shapes of normalizations: equal to the operand's, which determines the shapes of parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

static void take_shape(const qn_type *x, qn_shape *out_shape) {
  *out_shape = (qn_shape){.rank = x->shaped.rank};
  for (uint32_t i = 0; i < x->shaped.rank; i++) out_shape->dims[i] = x->shaped.dims[i];
}

/* Checks that parameters, from operand 1 on, have the dimensions of x at the axes. */
static bool check_parameters(qn_ir_context *cx, const qn_op *op, qn_i64s axes) {
  const qn_type *x = qn_ml_in(op, 0);
  for (uint32_t i = 1; i < op->operand_count; i++) {
    const qn_type *is = qn_ml_in(op, i);
    bool same = is->shaped.rank == axes.count;
    for (uint32_t d = 0; same && d < axes.count; d++)
      same = is->shaped.dims[d] == x->shaped.dims[axes.data[d]];
    if (!same)
      return qn_op_complain(cx, op, "operand #%u is %s, which does not fit %s", i,
                            qn_type_quoted(cx, is), qn_type_quoted(cx, x));
  }
  return true;
}

static bool infer_channels(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  int64_t axis = qn_op_axis(op);
  take_shape(x, out_shape);
  if (axis >= x->shaped.rank)
    return qn_op_complain(cx, op, "axis %lld is out of range", (long long)axis);
  return check_parameters(cx, op, (qn_i64s){&axis, 1});
}
const qn_inference qn_inference_ml_batch_norm = {.shape = infer_channels,
                                                 .permutes = QN_PERMUTES_CHANNELS};

static bool infer_instances(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (qn_ml_in(op, 0)->shaped.rank < 3)
    return qn_op_complain(cx, op, "the operand must have batch, channels and more");
  if (qn_op_axis(op) == 0) return qn_op_complain(cx, op, "axis 0 is the batch");
  return infer_channels(cx, op, out_shape);
}
const qn_inference qn_inference_ml_instance_norm = {.shape = infer_instances};

static bool infer_layers(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  qn_i64s axes = qn_op_axes(op);
  take_shape(x, out_shape);
  for (uint32_t i = 0; i < axes.count; i++)
    if (axes.data[i] >= x->shaped.rank || (i > 0 && axes.data[i] <= axes.data[i - 1]))
      return qn_op_complain(cx, op, "axis %lld is out of range or order", (long long)axes.data[i]);
  return check_parameters(cx, op, axes);
}
const qn_inference qn_inference_ml_layer_norm = {.shape = infer_layers};

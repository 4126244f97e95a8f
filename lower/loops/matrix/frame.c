/* Reads the sizes from the op, and the destination from the post-op chain of which it is the root.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/frame.h"

#include "lower/loops/fusion/fusion.h"

qn_conv_shape qn_conv_shape_of(const qn_op *op) {
  const int64_t *x = qn_op_operand(op, 0)->type->shaped.dims;
  const int64_t *w = qn_op_operand(op, 1)->type->shaped.dims;
  const int64_t *y = qn_op_result(op, 0)->type->shaped.dims;
  qn_i64s strides = qn_op_strides(op), dilations = qn_op_dilations(op);
  QN_ASSERT(strides.count == 2 && dilations.count == 2);
  return (qn_conv_shape){
      .batch = y[0],
      .out_height = y[1],
      .out_width = y[2],
      .out_channels = y[3],
      .height = x[1],
      .width = x[2],
      .channels = x[3],
      .kernel_height = w[1],
      .kernel_width = w[2],
      .stride_y = strides.data[0],
      .stride_x = strides.data[1],
      .dilation_y = dilations.data[0],
      .dilation_x = dilations.data[1],
  };
}

qn_conv_frame qn_conv_frame_of(const qn_loops *lo, const qn_op *op) {
  const int64_t *y = qn_fusion_result(lo, op)->type->shaped.dims;
  const qn_op *pad = qn_fusion_pad(lo, op);
  qn_conv_frame f = {.image = y[1] * y[2] * y[3], .row = y[2] * y[3], .column = y[3]};
  if (qn_fusion_concat(lo, op, &f.first) || !pad) return f;
  qn_i64s amounts = qn_op_pad(pad);
  f.first = amounts.data[2] * f.row + amounts.data[4] * f.column;
  return f;
}

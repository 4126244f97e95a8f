/* Geometry of convolutions and pools: reads and checks strides, padding and dilations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

/* Output extent along one dimension; 0 or less when no window fits. */
static int64_t extent(int64_t in, int64_t before, int64_t after, int64_t kernel, int64_t stride,
                      int64_t dilation) {
  int64_t room = in + before + after - ((kernel - 1) * dilation + 1);
  return room < 0 ? 0 : room / stride + 1;
}

qn_status qn_ref_window_of(qn_eval *ev, const qn_op *op, int64_t kernel_h, int64_t kernel_w,
                           qn_ref_window *out) {
  static const int64_t ones[2] = {1, 1};
  const int64_t *strides, *pad, *dilations = ones;
  QN_TRY(qn_ref_i64s(ev, op, QN_A_STRIDES, 2, 1, &strides));
  QN_TRY(qn_ref_i64s(ev, op, QN_A_PAD, 4, 0, &pad));
  if (qn_op_find(op, QN_A_DILATIONS)) QN_TRY(qn_ref_i64s(ev, op, QN_A_DILATIONS, 2, 1, &dilations));
  const qn_type *x = qn_ref_operand_type(op, 0), *y = qn_ref_result_type(op, 0);
  if (x->shaped.rank != 4 || y->shaped.rank != 4 || kernel_h < 1 || kernel_w < 1)
    return qn_eval_fail(ev, op, "needs tensors of rank 4 and a kernel");
  const int64_t *in = x->shaped.dims, *to = y->shaped.dims;
  *out = (qn_ref_window){.batch = in[0],
                         .in_h = in[1],
                         .in_w = in[2],
                         .in_c = in[3],
                         .out_h = to[1],
                         .out_w = to[2],
                         .out_c = to[3],
                         .kernel_h = kernel_h,
                         .kernel_w = kernel_w,
                         .stride_h = strides[0],
                         .stride_w = strides[1],
                         .dilation_h = dilations[0],
                         .dilation_w = dilations[1],
                         .pad_top = pad[0],
                         .pad_left = pad[2]};
  int64_t h = extent(in[1], pad[0], pad[1], kernel_h, strides[0], dilations[0]);
  int64_t w = extent(in[2], pad[2], pad[3], kernel_w, strides[1], dilations[1]);
  /* The output size comes from the model: it may be smaller than what fits, not larger. */
  if (to[0] != in[0] || to[1] > h || to[2] > w)
    return qn_eval_fail(ev, op,
                        "has a result of %lldx%lldx%lld for windows that give %lldx%lldx%lld",
                        (long long)to[0], (long long)to[1], (long long)to[2], (long long)in[0],
                        (long long)h, (long long)w);
  return QN_OK;
}

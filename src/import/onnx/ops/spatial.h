/* Convolutions of sequences, images and volumes on the image ops of the IR: channels last, and a
 * sequence as an image of height 1.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_SPATIAL_H
#define QN_IMPORT_ONNX_OPS_SPATIAL_H

#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/window.h"

/* [N, C, D...] as the op has it: [N, 1, L, C], [N, H, W, C] or [N, D, H, W, C]. */
qn_graph_shape qn_onnx_spatial_shape(const qn_graph_shape *shape);
/* Adds strides, dilations and pad of a window with 1 to 3 ways. */
void qn_onnx_spatial_attrs(qn_graph_op *op, const qn_graph_window *window, uint32_t ways,
                           qn_graph_attrs *attrs);
/* Weights [A, B, D...] as [A, D..., B], or [B, D..., A] if `swaps`, with height 1 for a sequence.
 */
qn_value *qn_onnx_spatial_weights(qn_graph_op *op, qn_onnx_source w, bool swaps);
/* Completes the recipe of a convolution with its kind, attributes and operand 1, which is NULL
 * after an error, and defines output 0 of `shape`. */
void qn_onnx_finish_conv(qn_graph_op *op, const qn_onnx_layer *layer, int64_t channels,
                         const qn_graph_shape *shape, qn_onnx_recipe *recipe);
/* Quantized weights for float inputs, with their scales applied; other values stay as they are. */
qn_value *qn_onnx_scaled(qn_graph_op *op, qn_onnx_source w, qn_value *value);

#endif

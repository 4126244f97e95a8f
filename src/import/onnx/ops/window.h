/* Windows of convolutions and pools.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_WINDOW_H
#define QN_IMPORT_ONNX_OPS_WINDOW_H

#include "import/graph/window.h"
#include "import/onnx/value.h"

/* The window from the node's attributes, for an image [N, C, H, W] and a kernel size. */
bool qn_onnx_place_window(qn_graph_op *op, const qn_graph_tensor *input, const int64_t kernel[2],
                          qn_graph_window *out);
/* Reads the attribute kernel_shape with two dimensions. */
bool qn_onnx_kernel(qn_graph_op *op, int64_t out[2], bool *out_is_there);
/* Whether x has rank 4; else it is reported. */
bool qn_onnx_is_image(qn_graph_op *op, const qn_graph_tensor *x);

#endif

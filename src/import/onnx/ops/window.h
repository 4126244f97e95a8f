/* Windows of convolutions and pools.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_WINDOW_H
#define QN_IMPORT_ONNX_OPS_WINDOW_H

#include "import/graph/window.h"
#include "import/onnx/value.h"

/* The window from the node's attributes, for an image [N, C, H, W] and a kernel size. */
bool qn_onnx_place_window(qn_graph_op *op, const qn_graph_tensor *input, const int64_t *kernel,
                          qn_graph_window *out);
/* Reads the attribute kernel_shape with two dimensions. */
bool qn_onnx_kernel(qn_graph_op *op, uint32_t ways, int64_t *out, bool *out_is_there);
/* Whether x has rank 4; else it is reported. */
/* Whether the tensor has 1 to 3 dimensions after batch and channels; else reported. */
bool qn_onnx_is_spatial(qn_graph_op *op, const qn_graph_tensor *x);
bool qn_onnx_is_image(qn_graph_op *op, const qn_graph_tensor *x);

#endif

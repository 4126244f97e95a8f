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
/* Reads the attribute kernel_shape. */
bool qn_onnx_kernel(qn_graph_op *op, uint32_t ways, int64_t *out, bool *out_is_there);
/* Whether x has rank 4; else it is reported. */
bool qn_onnx_is_image(qn_graph_op *op, const qn_graph_tensor *x);
/* Whether the tensor has 1 to 3 dimensions after batch and channels; else reported. */
bool qn_onnx_is_spatial(qn_graph_op *op, const qn_graph_tensor *x);
/* Whether the weights have the rank of the input; else reported. */
bool qn_onnx_has_rank(qn_graph_op *op, const qn_graph_tensor *w, uint32_t rank);

/* The attributes strides and dilations, and auto_pad with pads if it is NOTSET. */
bool qn_onnx_read_window(qn_graph_op *op, uint32_t ways, qn_graph_window *out,
                         qn_graph_padding *out_padding);
/* An attribute with a number of at least `least` per way; `fallback` without it. */
bool qn_onnx_per_way(qn_graph_op *op, const char *name, uint32_t ways, int64_t least,
                     int64_t fallback, int64_t *out, bool *out_is_there);

#endif

/* Windows of any rank and dilation as gathers at constant indices: for pools that no op computes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_WINDOWS_H
#define QN_IMPORT_ONNX_OPS_WINDOWS_H

#include "import/onnx/ops/parts.h"
#include "import/onnx/ops/window.h"

/* The window of a pool, whose attribute kernel_shape is required. */
bool qn_onnx_pool_window(qn_graph_op *op, const qn_graph_tensor *x, qn_graph_window *out);
/* The padding after each dimension that the file gives: without what a last window reaches beyond.
 */
bool qn_onnx_stated_pads(qn_graph_op *op, uint32_t ways, const qn_graph_window *w, int64_t *after);
/* x [N, C, D...], with a number around it, as [N, C, out, kernel, out, kernel ...]. */
qn_value *qn_onnx_unfolded(qn_graph_op *op, qn_value *x, const qn_graph_window *w,
                           qn_value *number);
/* Whether no op computes MaxPool or AveragePool of these attributes. */
bool qn_onnx_is_general_pool(qn_graph_op *op);
void qn_onnx_build_general_pool(qn_graph_op *op);
/* A reduction over all dimensions after the channels. */
void qn_onnx_build_global_pool(qn_graph_op *op, qn_op_kind kind);

#endif

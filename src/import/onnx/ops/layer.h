/* What convolutions and matrix products have in common.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_LAYER_H
#define QN_IMPORT_ONNX_OPS_LAYER_H

#include "import/onnx/value.h"

/* Integers by a scale and zero point, operands i to i + 2 of an operator. */
bool qn_onnx_quantized_operand(qn_graph_op *op, uint32_t i, int64_t axis, qn_onnx_source *out);
/* The elements that operands i and i + 1, a scale and zero point, say of a result. */
const qn_type *qn_onnx_quantized_result(qn_graph_op *op, uint32_t i, uint8_t fallback,
                                        uint8_t *out_dtype);

typedef struct qn_onnx_layer {
  qn_onnx_source x, w;
  qn_graph_tensor *bias; /* NULL: none */
  const qn_type *result; /* of a QLinear operator; NULL: floats, rounded by who reads them */
  uint8_t result_dtype;
} qn_onnx_layer;

/* Operands 0 to 2 of an operator on floats. */
bool qn_onnx_open_layer(qn_graph_op *op, qn_onnx_layer *out);
/* Both are quantized, or constants: an exact operator. Else floats. */
bool qn_onnx_layer_is_exact(qn_graph_op *op, const qn_onnx_layer *layer);
/* A vector of `channels`; *out NULL: there is no bias. */
bool qn_onnx_layer_bias(qn_graph_op *op, const qn_onnx_layer *layer, int64_t channels,
                        qn_value **out);
/* The output, of this shape, by the recipe. */
void qn_onnx_finish_layer(qn_graph_op *op, const qn_onnx_layer *layer, const qn_graph_shape *shape,
                          const qn_onnx_recipe *recipe);

#endif

/* Common code of convolutions and matrix products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_LAYER_H
#define QN_IMPORT_ONNX_OPS_LAYER_H

#include "import/onnx/value.h"

/* Operands i to i + 2: integers with a scale and zero point. */
bool qn_onnx_quantized_operand(qn_graph_op *op, uint32_t i, int64_t axis, qn_onnx_source *out);
/* The quantized type of a result, from operands i and i + 1 (scale and zero point). */
const qn_type *qn_onnx_quantized_result(qn_graph_op *op, uint32_t i, uint8_t fallback,
                                        uint8_t *out_dtype);

typedef struct qn_onnx_layer {
  qn_onnx_source x, w;
  qn_graph_tensor *bias; /* NULL: none */
  const qn_type
      *result; /* result type of a QLinear operator; NULL: a real result that the readers round */
  uint8_t result_dtype;
} qn_onnx_layer;

/* Reads operands 0 to 2 of an operator on floats. */
bool qn_onnx_open_layer(qn_graph_op *op, qn_onnx_layer *out);
/* Whether both operands are quantized or constant, so that the operator is exact. */
bool qn_onnx_layer_is_exact(qn_graph_op *op, const qn_onnx_layer *layer);
/* The bias, a vector of `channels`; *out is NULL if there is none. */
bool qn_onnx_layer_bias(qn_graph_op *op, const qn_onnx_layer *layer, int64_t channels,
                        qn_value **out);
/* Sets the output of shape `shape` from the recipe. */
void qn_onnx_finish_layer(qn_graph_op *op, const qn_onnx_layer *layer, const qn_graph_shape *shape,
                          const qn_onnx_recipe *recipe);

#endif

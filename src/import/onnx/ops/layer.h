/* Common code of convolutions and matrix products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_LAYER_H
#define QN_IMPORT_ONNX_OPS_LAYER_H

#include "import/onnx/value.h"

/* Reads a quantized operand: operand i is an integer tensor, i + 1 its scale, and i + 2 its
 * optional zero point. `axis` is the dimension of several scales. Returns false, reported, on
 * errors. */
bool qn_onnx_quantized_operand(qn_graph_op *op, uint32_t i, int64_t axis, qn_onnx_source *out);
/* The quantized type of a result, from operand i (scale) and i + 1 (optional zero point). The
 * storage type is that of the zero point, or `fallback` without one. NULL, reported, on errors. */
const qn_type *qn_onnx_quantized_result(qn_graph_op *op, uint32_t i, uint8_t fallback,
                                        uint8_t *out_dtype);

typedef struct qn_onnx_layer {
  qn_onnx_source x, w;
  qn_graph_tensor *bias; /* bias operand; NULL: none */
  /* result: quantized result type of a QLinear operator; NULL: a real result, which its readers
   * round */
  const qn_type *result;
  uint8_t result_dtype;
  bool rounded_weights;   /* `w` is what onnxruntime quantizes the float weights to */
  qn_value *rounded_bias; /* the bias as onnxruntime quantizes it; NULL: as in the file */
} qn_onnx_layer;

/* Reads operands 0 to 2, input, weights and bias, of a float operator. */
bool qn_onnx_open_layer(qn_graph_op *op, qn_onnx_layer *out);
/* Replaces float weights and a float bias that onnxruntime quantizes, under its profile. False,
 * reported, on errors. */
bool qn_onnx_round_parameters(qn_graph_op *op, qn_onnx_layer *io_layer);
/* Whether input and weights are both quantized, so that their products are exact. */
bool qn_onnx_layer_is_exact(qn_graph_op *op, const qn_onnx_layer *layer);
/* Sets operand 2 of the recipe to the bias as a vector [channels], or NULL if there is none; false,
 * reported, on errors. */
bool qn_onnx_layer_bias(qn_graph_op *op, const qn_onnx_layer *layer, int64_t channels,
                        qn_onnx_recipe *recipe);
/* Defines output 0 with this shape: immediately if the result type is known (QLinear operators),
 * else by the recipe, which the readers build. */
void qn_onnx_finish_layer(qn_graph_op *op, const qn_onnx_layer *layer, const qn_graph_shape *shape,
                          const qn_onnx_recipe *recipe);

#endif

/* Changes that onnxruntime makes to a graph before it fuses units, for the profile "ort". They are
 * made on nodes and tensors, before import functions read them. Private to simplify.c, scalar.c,
 * neutral.c, merge.c and transposes.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_SIMPLIFY_H
#define QN_IMPORT_ONNX_SIMPLIFY_H

#include "import/onnx/graph.h"

/* ---- scalar.c ---- */

/* The node that writes a tensor; NULL if none does. */
const qn_onnx_node *qn_onnx_writer(const qn_onnx *im, int32_t number);
/* Operand i of a node if it is a constant of one element and rank 0 or 1, whose data are then
 * loaded; else NULL. The pointer is valid until a tensor is added. */
const qn_graph_tensor *qn_onnx_scalar(qn_onnx *im, const qn_onnx_node *node, uint32_t i);

/* ---- neutral.c ---- */

/* Marks nodes that onnxruntime removes because their result equals an operand, which their readers
 * read from then on. Readers have been counted before, and are counted again after it. */
void qn_onnx_remove_neutral(qn_onnx *im);

/* ---- transposes.c ---- */

/* [tensor count] Whether operators over which onnxruntime moves a Transpose lead from the tensor to
 * another Transpose. A Transpose that writes such a tensor is moved away. */
const bool *qn_onnx_find_moving(qn_onnx *im);
/* Sets `quantizer` of outputs of the model that onnxruntime quantizes and dequantizes, because a
 * Transpose that stays is between them and a QuantizeLinear. */
void qn_onnx_find_transposed_outputs(qn_onnx *im, const bool *moving);

/* ---- merge.c ---- */

/* Merges adjacent pairs of QuantizeLinear and DequantizeLinear, and those between which only a
 * Transpose is that is moved away; keeps the counts of readers. */
void qn_onnx_merge_pairs(qn_onnx *im, const bool *moving);

#endif

/* Changes that onnxruntime makes to a graph before it fuses units, for the profile "ort". They are
 * made on nodes and tensors, before import functions read them. Private to simplify.c, scalar.c,
 * neutral.c, moves.c, merge.c and transposes.c.
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

/* ---- moves.c ---- */

/* What becomes of the Transpose that writes a tensor after onnxruntime's transpose optimizer, or of
 * one that is moved there. */
typedef enum qn_onnx_move {
  QN_ONNX_STAYS,
  QN_ONNX_MOVES,   /* to after a reader of the tensor */
  QN_ONNX_VANISHES /* nothing is left of it, nor after the reader */
} qn_onnx_move;

/* [tensor count] by tensor. Reports nodes whose results the optimizer changes. */
const qn_onnx_move *qn_onnx_find_moves(qn_onnx *im);

/* ---- transposes.c ---- */

/* The QuantizeLinear, with one scale, that follows a Transpose directly or after operators before
 * which onnxruntime quantizes; NULL if there is none. */
const qn_onnx_node *qn_onnx_quantizer_after(qn_onnx *im, const qn_onnx_node *transpose);
/* Sets `quantizer` of outputs of the model that onnxruntime quantizes and dequantizes, because a
 * Transpose that stays is between them and a QuantizeLinear. */
void qn_onnx_find_transposed_outputs(qn_onnx *im, const qn_onnx_move *moves);

/* ---- merge.c ---- */

/* Merges adjacent pairs of QuantizeLinear and DequantizeLinear, and those between which only a
 * Transpose is that is moved away; keeps the counts of readers. */
void qn_onnx_merge_pairs(qn_onnx *im, const qn_onnx_move *moves);

#endif

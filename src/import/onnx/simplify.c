/* Runs the changes of simplify.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

static void drop_removed(qn_onnx *im) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < im->order_count; i++)
    if (!im->order[i]->removed) im->order[kept++] = im->order[i];
  im->order_count = kept;
}

void qn_onnx_simplify(qn_onnx *im) {
  qn_onnx_count_readers(im, 0);
  if (im->graph.profile->units != QN_UNITS_FUSED) return;
  qn_onnx_remove_neutral(im);
  for (uint32_t i = 0; i < im->graph.tensor_count; i++) im->extras[i].readers = 0;
  qn_onnx_count_readers(im, 0);
  const qn_onnx_move *moves = qn_onnx_find_moves(im);
  qn_onnx_merge_pairs(im, moves);
  qn_onnx_find_transposed_outputs(im, moves);
  drop_removed(im);
}

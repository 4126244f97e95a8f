/* SPACE_TO_DEPTH, DEPTH_TO_SPACE, SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/move.h"
#include "import/graph/ops/ops.h"

void qn_graph_blocks(qn_graph_op *op, int64_t block) {
  qn_graph_tensor *x;
  if (!qn_graph_open_move(op, 0, &x)) return;
  bool to_depth = op->row->kind == QN_OP_ML_SPACE_TO_DEPTH;
  qn_graph_shape shape = x->shape;
  int64_t *d = shape.dims;
  bool good = shape.rank == 4 && block > 0 &&
              (to_depth ? d[1] % block == 0 && d[2] % block == 0
                        : d[3] % block == 0 && d[3] / block % block == 0);
  if (!good) {
    qn_graph_error(op, x, QN_INVALID, "it can't be cut into blocks of %lld", (long long)block);
    return;
  }
  d[1] = to_depth ? d[1] / block : d[1] * block;
  d[2] = to_depth ? d[2] / block : d[2] * block;
  d[3] = to_depth ? d[3] * block * block : d[3] / block / block;
  qn_graph_attrs attrs = {0};
  qn_graph_attr_i64s(op, &attrs, "block_shape", &block, 1);
  qn_graph_build_move(op, x, &attrs, &shape);
}

/* SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: block sizes, then paddings or crops. */
void qn_graph_import_batch_blocks(qn_graph_op *op) {
  qn_graph_tensor *x, *operand = qn_graph_input(op, 1);
  int64_t block[2 * QN_GRAPH_MAX_RANK], border[2 * QN_GRAPH_MAX_RANK];
  uint32_t m;
  bool to_batch = op->row->kind == QN_OP_ML_SPACE_TO_BATCH;
  if (!qn_graph_open_move(op, 0, &x) || !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, block, &m) ||
      !qn_graph_amounts(op, 2, 2 * m, 0, QN_GRAPH_MAX_TENSOR_BYTES, border))
    return;
  qn_graph_shape shape = x->shape;
  bool good = m > 0 && m < shape.rank && m + shape.rank <= QN_GRAPH_MAX_RANK;
  for (uint32_t i = 0; good && i < m; i++) {
    int64_t *dim = &shape.dims[1 + i], sum = border[2 * i] + border[2 * i + 1];
    good = block[i] > 0 && block[i] <= QN_GRAPH_MAX_TENSOR_BYTES;
    if (good && to_batch) {
      good = (*dim + sum) % block[i] == 0;
      *dim = (*dim + sum) / block[i];
      shape.dims[0] *= block[i];
    } else if (good) {
      good = shape.dims[0] % block[i] == 0;
      shape.dims[0] /= block[i];
      *dim = *dim * block[i] - sum;
    }
    good = good && *dim > 0 && shape.dims[0] <= QN_GRAPH_MAX_TENSOR_BYTES;
  }
  if (!good) {
    qn_graph_error(op, x, QN_INVALID, "its shape does not fit these blocks and borders");
    return;
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr_i64s(op, &attrs, "block_shape", block, m);
  qn_graph_attr_i64s(op, &attrs, to_batch ? "pad" : "crops", border, 2 * m);
  qn_graph_build_move(op, x, &attrs, &shape);
}

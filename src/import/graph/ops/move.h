/* Data movement operators: stored values do not change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_MOVE_H
#define QN_IMPORT_GRAPH_OPS_MOVE_H

#include "import/graph/build.h"

/* The input, which must have the type of output 0. */
bool qn_graph_open_move(qn_graph_op *op, uint32_t input, qn_graph_tensor **out_x);
/* Builds the row's op with one operand. */
void qn_graph_build_move(qn_graph_op *op, qn_graph_tensor *x, qn_graph_attrs *attrs,
                         const qn_graph_shape *shape);
/* Builds ml.tile: missing leading dimensions of `from` are added with size 1, then dimensions of
 * size 1 are repeated to the sizes of `to`. Other differences are reported at `operand`. */
void qn_graph_build_repeated(qn_graph_op *op, const qn_graph_tensor *operand, qn_value *value,
                             const qn_graph_shape *from, const qn_graph_shape *to);
/* Reads a constant operand with exactly `count` values in [low, high]. */
bool qn_graph_amounts(qn_graph_op *op, uint32_t input, uint32_t count, int64_t low, int64_t high,
                      int64_t *out_values);

#endif

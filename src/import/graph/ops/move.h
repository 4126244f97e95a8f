/* Operators that move elements: stored values stay as they are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_MOVE_H
#define QN_IMPORT_GRAPH_OPS_MOVE_H

#include "import/graph/build.h"

/* The input, of the type of output 0. */
bool qn_graph_open_move(qn_graph_op *op, uint32_t input, qn_graph_tensor **out_x);
/* Builds the row's op on one operand. */
void qn_graph_build_move(qn_graph_op *op, qn_graph_tensor *x, qn_graph_attrs *attrs,
                         const qn_graph_shape *shape);
/* Builds ml.tile: sizes of 1 in a value of shape `from` are repeated up to those of `to`, after
 * missing dimensions have been put in front. What can't be is reported at `operand`. */
void qn_graph_build_repeated(qn_graph_op *op, const qn_graph_tensor *operand, qn_value *value,
                             const qn_graph_shape *from, const qn_graph_shape *to);
/* The constant operand with exactly `count` values within [low, high]. */
bool qn_graph_amounts(qn_graph_op *op, uint32_t input, uint32_t count, int64_t low, int64_t high,
                      int64_t *out_values);

#endif

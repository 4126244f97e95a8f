/* Functions whose kernels treat groups of eight elements differently from the remaining elements:
 * separate ops for each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_BY_PLACE_H
#define QN_IMPORT_GRAPH_OPS_BY_PLACE_H

#include "import/graph/build.h"

enum { QN_GRAPH_AT_ONCE = 8 };
/* Builds the ops of a part: a 1-D tensor of `count` elements. */
typedef qn_value *qn_graph_part_fn(qn_graph_op *op, const void *user, qn_value *x, int64_t count);
/* Defines y, with element type `element`, from a part of whole groups and a part of the remaining
 * elements of x. */
void qn_graph_build_by_place(qn_graph_op *op, qn_graph_tensor *y, const qn_type *element,
                             qn_value *x, const qn_graph_shape *shape, qn_graph_part_fn *whole,
                             qn_graph_part_fn *rest, const void *user);
/* A constant with one float. */
qn_value *qn_graph_one_float(qn_graph_op *op, const qn_type *type, double value);

#endif

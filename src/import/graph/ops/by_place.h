/* Builds functions whose runtime kernels compute elements in groups of eight, and the remaining
 * elements at the end of the tensor by another rule. Both parts get separate ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_BY_PLACE_H
#define QN_IMPORT_GRAPH_OPS_BY_PLACE_H

#include "import/graph/build.h"

enum { QN_GRAPH_AT_ONCE = 8 };
/* Builds the ops of one part of the tensor: x has shape [count]. `user` is the caller's data. */
typedef qn_value *qn_graph_part_fn(qn_graph_op *op, const void *user, qn_value *x, int64_t count);
/* Defines output y with element type `element` and shape `shape`. `whole` builds the part of x that
 * consists of complete groups of eight elements, `rest` the part of the remaining elements. */
void qn_graph_build_by_place(qn_graph_op *op, qn_graph_tensor *y, const qn_type *element,
                             qn_value *x, const qn_graph_shape *shape, qn_graph_part_fn *whole,
                             qn_graph_part_fn *rest, const void *user);
/* A scalar constant of `type` with this value. */
qn_value *qn_graph_one_float(qn_graph_op *op, const qn_type *type, double value);

#endif

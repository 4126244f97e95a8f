/* 8-bit and 16-bit ADD with kernels whose vector code scales the terms differently from the code
 * for remaining elements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_ADD_H
#define QN_IMPORT_GRAPH_OPS_ADD_H

#include "import/graph/build.h"

/* Defines the output, of shape `shape`, as the sum of two operands of 8 or 16 bits; in separate
 * parts if the kernels leave remaining elements. `activation` may be NULL. */
void qn_graph_build_add_by_place(qn_graph_op *op, qn_value *const *operands,
                                 const qn_attr *activation, const qn_graph_shape *shape);

#endif

/* ADD of 8 bits by kernels whose vectors scale the terms in another way than the elements that are
 * left over.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_ADD_H
#define QN_IMPORT_GRAPH_OPS_ADD_H

#include "import/graph/build.h"

/* Defines the output, of `shape`, as the sum of two operands of 8 bits, in parts where the kernels
 * leave elements over. `activation` may be NULL. */
void qn_graph_build_add8(qn_graph_op *op, qn_value *const *operands, bool is_unsigned,
                         const qn_attr *activation, const qn_graph_shape *shape);

#endif

/* Unsupported operators that are kept as opaque ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPAQUE_H
#define QN_IMPORT_GRAPH_OPAQUE_H

#include "import/graph/value.h"

/* Builds an unregistered op "FORMAT.NAME" with the reason as attribute. */
void qn_graph_build_opaque(qn_graph_op *op);
/* IR type of a tensor of any element type, with the shape stored in the file. */
const qn_type *qn_graph_opaque_type(qn_graph_op *op, const qn_graph_tensor *tensor);

#endif

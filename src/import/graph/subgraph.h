/* Subgraphs that operators call or have as regions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_SUBGRAPH_H
#define QN_IMPORT_GRAPH_SUBGRAPH_H

#include "import/graph/value.h"

/* The subgraph that an option of the operator names; it may be read. */
bool qn_graph_subgraph_of(qn_graph_op *op, const char *option, uint32_t *out_number);
/* Operand i of an operator that hands it to a subgraph. */
qn_graph_given qn_graph_give(qn_graph_op *op, uint32_t i);
/* Reads a subgraph to the end of a block, on what is given; `out` is what it gives. */
bool qn_graph_call(qn_graph_op *op, uint32_t number, qn_block *block, const qn_graph_given *given,
                   uint32_t given_count, qn_graph_given *out, uint32_t out_count);

#endif

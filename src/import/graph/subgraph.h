/* Subgraphs that operators call or have as regions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_SUBGRAPH_H
#define QN_IMPORT_GRAPH_SUBGRAPH_H

#include "import/graph/value.h"

/* The index of the subgraph that an option names; false, reported, if it must not be read here. */
bool qn_graph_subgraph_of(qn_graph_op *op, const char *option, uint32_t *out_number);
/* Operand i, to be passed to a subgraph. */
qn_graph_given qn_graph_give(qn_graph_op *op, uint32_t i);
/* Reads a subgraph into the end of `block`, with arguments `given`; stores its results in `out`. */
bool qn_graph_call(qn_graph_op *op, uint32_t number, qn_block *block, const qn_graph_given *given,
                   uint32_t given_count, qn_graph_given *out, uint32_t out_count);

#endif

/* IF, WHILE and CALL: passes the subgraph indices from their options to the shared import
 * functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/ops.h"
#include "import/graph/subgraph.h"
#include "import/tflite/tflite.h"

void qn_tflite_import_if(qn_graph_op *op) {
  uint32_t branches[2];
  if (qn_graph_subgraph_of(op, "THEN", &branches[0]) &&
      qn_graph_subgraph_of(op, "ELSE", &branches[1]))
    qn_graph_if(op, branches);
}

void qn_tflite_import_while(qn_graph_op *op) {
  uint32_t condition, body;
  if (op->inputs.count != op->outputs.count)
    qn_graph_error(op, NULL, QN_INVALID, "%u operands, but %u results", op->inputs.count,
                   op->outputs.count);
  else if (qn_graph_subgraph_of(op, "COND", &condition) && qn_graph_subgraph_of(op, "BODY", &body))
    qn_graph_while(op, condition, body);
}

void qn_tflite_import_call(qn_graph_op *op) {
  uint32_t number;
  if (qn_graph_subgraph_of(op, "SUBGRAPH", &number)) qn_graph_inline(op, number);
}

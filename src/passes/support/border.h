/* The main function's border for passes that change it: names and types of arguments and results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_BORDER_H
#define QN_PASSES_SUPPORT_BORDER_H

#include "ir/entry/port.h"
#include "passes/support/graph.h"

typedef struct qn_border {
  qn_op *func;       /* NULL: the module has none, or it has no body */
  qn_op *end;        /* its func.return; NULL where there are several blocks */
  bool is_called;    /* others refer to it: its types have to stay */
  uint32_t count[2]; /* by side */
  qn_port *ports[2];
} qn_border;

/* Reads the interface of the main function (qn_module_main). An error if its dictionaries are
 * invalid. */
QN_NODISCARD qn_status qn_border_read(qn_pass_context *pc, qn_border *out_border);
/* Writes the dictionaries, and the type that block and return say. */
void qn_border_write(qn_pass_context *pc, const qn_border *border);

#endif

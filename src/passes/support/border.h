/* The interface of the main function, for passes that change names or types of its arguments and
 * results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_BORDER_H
#define QN_PASSES_SUPPORT_BORDER_H

#include "ir/entry/port.h"
#include "passes/support/graph.h"

typedef struct qn_border {
  qn_op *func;       /* NULL if the module has no main function with a body */
  qn_op *end;        /* its func.return; NULL if it has several blocks */
  bool is_called;    /* other ops refer to it, so its types must stay */
  uint32_t count[2]; /* [side] number of arguments, of results */
  qn_port *ports[2];
} qn_border;

/* Reads the interface of the main function (qn_module_main). Returns an error if its argument or
 * result attributes are invalid. */
QN_NODISCARD qn_status qn_border_read(qn_pass_context *pc, qn_border *out_border);
/* Writes the attributes, and the function type according to block arguments and returned values. */
void qn_border_write(qn_pass_context *pc, const qn_border *border);

#endif

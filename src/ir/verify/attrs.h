/* Checks attributes of ops against the op table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_VERIFY_ATTRS_H
#define QN_IR_VERIFY_ATTRS_H

#include "ir/op.h"

/* Reports missing, repeated and ill-typed attributes of the op; returns whether there are none.
 * Attributes that the table does not list are errors on ops of this project's dialects if their
 * name has no dialect prefix; ops of upstream dialects can have any attribute. */
bool qn_verify_attrs(qn_ir_context *cx, const qn_op *op);

#endif

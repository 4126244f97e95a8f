/* Attributes against the specs of the op table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_VERIFY_ATTRS_H
#define QN_IR_VERIFY_ATTRS_H

#include "ir/op.h"

/* Reports missing, repeated and ill-typed attributes of the op; true when all is well. Attributes
 * that the table does not mention are free, as in MLIR. */
bool qn_verify_attrs(qn_ir_context *cx, const qn_op *op);

#endif

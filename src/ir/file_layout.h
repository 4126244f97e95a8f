/* Values with channels last where the model's file has them first. The importer of such a format
 * gives each a transposition to the file's layout, which has the tensor's number, for who looks at
 * tensors; ops read the value itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FILE_LAYOUT_H
#define QN_IR_FILE_LAYOUT_H

#include "ir/op.h"

/* The value, of rank 4, which `op` transposes to channels first for its number; NULL: it does not.
 * Where no element moves, `op` is a reshape. */
const qn_value *qn_op_channels_last(const qn_op *op);
/* The op that does so for a value; NULL: none. */
const qn_op *qn_value_channels_first(const qn_value *value);

#endif

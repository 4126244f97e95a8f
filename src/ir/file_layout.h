/* Values that are channels last in the IR, but channels first in the model's file. The importer of
 * such a format adds a transpose of each value to the file's layout. The transpose has the index of
 * the model's tensor and serves tools that inspect tensors; ops read the channels-last value
 * itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FILE_LAYOUT_H
#define QN_IR_FILE_LAYOUT_H

#include "ir/op.h"

/* If `op` is such a transpose of a value of rank 4 to channels first: the value; else NULL. If the
 * transpose moves no elements, it is a reshape. */
const qn_value *qn_op_channels_last(const qn_op *op);
/* The transpose to channels first of a channels-last value; NULL if there is none. */
const qn_op *qn_value_channels_first(const qn_value *value);

#endif

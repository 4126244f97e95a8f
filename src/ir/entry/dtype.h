/* Element types of model inputs, outputs and states: the names of each qn_dtype in all contexts
 * (numpy, C, text), and the IR types it corresponds to.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_DTYPE_H
#define QN_IR_DTYPE_H

#include "ir/types/type.h"

typedef struct qn_dtype_names {
  const char *ir;    /* quern.dtype of a loops module: "i8", "ui8", "f32" */
  const char *numpy; /* "int8", "uint8", "float32" */
  const char *c;     /* "int8_t", "uint8_t", "float" */
  uint8_t bytes;
} qn_dtype_names;

/* NULL for an invalid number. */
const qn_dtype_names *qn_dtype_names_of(qn_dtype dtype);
/* The dtype named `ir` in quern.dtype; 0 if none. */
qn_dtype qn_dtype_named(qn_str ir);
/* The dtype of elements of this type at the interface; 0 if they cannot occur there. Integers of
 * other widths are sign- or zero-extended to whole bytes. */
qn_dtype qn_dtype_of_type(const qn_type *element);
/* The same for an input or output that the file says to be `stated` (0: nothing): wide unsigned
 * integers are signless in the IR. */
qn_dtype qn_dtype_at_interface(const qn_type *element, qn_dtype stated);

#endif

/* Elements that kernels take eight at once, and those left over at the end, by ops of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_OPS_BY_PLACE_H
#define QN_IMPORT_TFLITE_OPS_BY_PLACE_H

#include "import/tflite/tflite.h"

enum { QN_TFLITE_AT_ONCE = 8 };
/* Writes the ops of a part: a vector of `count` elements. */
typedef qn_value *qn_tflite_part_fn(qn_tflite_op *op, const void *user, qn_value *x, int64_t count);
/* Defines y, of that element type, by `whole` groups and the rest of x. */
void qn_tflite_build_by_place(qn_tflite_op *op, qn_tflite_tensor *y, const qn_type *element,
                              qn_value *x, const qn_tflite_shape *shape, qn_tflite_part_fn *whole,
                              qn_tflite_part_fn *rest, const void *user);
/* A constant of one float, of the type. */
qn_value *qn_tflite_one_float(qn_tflite_op *op, const qn_type *type, double value);

#endif

/* Applies a scalar function to scalars, vectors and tensors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_ELEMENTWISE_H
#define QN_EVAL_ELEMENTWISE_H

#include <string.h>

#include "eval/eval_op.h"
#include "ir/types/float_format.h"

/* Operand and result bytes of an elementwise op; scalars are staged in `scratch`. */
typedef struct qn_lanes {
  const uint8_t *in[3];
  uint8_t *out;
  int64_t count;
  uint32_t in_bytes, out_bytes; /* bytes of an element of the first operand; of the result */
  qn_rt_value *result;
  uint8_t scratch[4][QN_SCALAR_BYTES];
} qn_lanes;

/* Fills `lanes`; reports operands whose element counts differ. */
QN_NODISCARD qn_status qn_lanes_open(qn_eval *ev, const qn_op *op, qn_lanes *lanes);
static inline double qn_lane_float(const uint8_t *p, int64_t i, uint32_t bytes,
                                   qn_float_kind kind) {
  float x;
  if (kind != QN_F32) return qn_float_load(kind, p + i * bytes);
  memcpy(&x, p + 4 * i, sizeof x);
  return (double)x;
}
static inline void qn_lane_set_float(uint8_t *p, int64_t i, uint32_t bytes, qn_float_kind kind,
                                     double x) {
  float narrow = (float)x;
  if (kind == QN_F32)
    memcpy(p + 4 * i, &narrow, sizeof narrow);
  else
    qn_float_store(kind, x, p + i * bytes);
}

/* Stores a scalar result back. */
static inline void qn_lanes_close(qn_lanes *lanes) {
  if (!qn_type_is_shaped(lanes->result->type)) qn_rt_set_scalar(lanes->result, lanes->out);
}

#endif

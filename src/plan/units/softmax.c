/* Softmax along rows of 8 bits as an exact unit, by a table of exponentials
 * (docs/arithmetic.md 19.6, 20.6).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "plan/units/units.h"

enum { ENTRIES = 256 };

/* The shift of the exponents in onnxruntime's kernel. It is chosen so that no sum of a row becomes
 * infinite. The logarithm is one of f32. */
static double shift_of(int64_t length, double scale) {
  const float bits = (float)log((double)(FLT_MAX / (float)length)) - 5;
  return (bits > 0 ? (double)bits : 0) / scale;
}

qn_status qn_unit_softmax_rows(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_unit_tensor x, y;
  QN_TRY(qn_unit_pair(p, op, &x, &y));
  const qn_type *type = op->results[0].type;
  if (x.width != 8 || type->shaped.rank == 0)
    return qn_plan_refuse(p, op, "it has no exact form of %u bits", x.width);
  int64_t length = type->shaped.dims[type->shaped.rank - 1];
  bool fused = qn_unit_is_fused(p, op) && y.width == 8 && x.is_signed == y.is_signed;
  const double scale = qn_op_beta(op) * x.scale, shift = fused ? shift_of(length, x.scale) : 0;
  if (!(scale > 0) || (fused && qn_op_beta(op) != 1))
    return qn_plan_refuse(p, op, "its factor %g is out of range", qn_op_beta(op));
  double *exponentials = QN_NEW_ARRAY(p->arena, ENTRIES, double);
  for (int d = 0; d < ENTRIES; d++)
    exponentials[d] = fused ? (double)(float)exp((shift - d) * scale) : exp(-d * scale);
  if (fused && isinf((float)exponentials[0] * floorf(1.0F / (float)y.scale)))
    return qn_plan_refuse(p, op,
                          "rows of %lld elements with results in steps of %g overflow f32 in the "
                          "kernel of %s, whose results are then undefined",
                          (long long)length, y.scale, p->profile->name);
  const qn_unit_numbers n = {.core = QN_UNIT_SOFTMAX,
                             .finish = fused ? QN_UNIT_SINGLE : QN_UNIT_EVEN,
                             .zero_point = y.zero_point,
                             .min = y.min,
                             .max = y.max,
                             .exponentials = exponentials,
                             .step = y.scale};
  return qn_unit_form(p, &n, out);
}

/* Quantization and dequantization of one element.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/quant_cast.h"

#include <math.h>

#include "ir/types/float_format.h"

bool qn_quant_has_arithmetic(const qn_quant_uniform *q) {
  return qn_float_format_of(q->expressed->float_kind)->computes;
}

double qn_quant_magnitude(const qn_quant_uniform *q, qn_quant_direction direction) {
  bool quantizes = direction == QN_QUANTIZE;
  double min = (double)q->min, max = (double)q->max;
  double most = quantizes ? fmax(fabs(min), fabs(max)) : 0.0;
  for (uint32_t i = 0; i < q->count; i++) {
    double zero = (double)q->zero_points[i];
    most = fmax(most, quantizes ? fabs(zero) : fmax(fabs(min - zero), fabs(max - zero)));
  }
  return most;
}

qn_float_kind qn_quant_compute_kind(const qn_quant_uniform *q, qn_quant_direction direction) {
  static const double f32_exact = 0x1p24; /* f32 holds all integers up to here */
  /* Significand bits of scales narrower than f32, for which difference * scale must be exact. */
  static const int scale_bits[] = {[QN_F16] = 11, [QN_BF16] = 8, [QN_F32] = 0, [QN_F64] = 0};
  qn_float_kind expressed = q->expressed->float_kind;
  if (!qn_quant_has_arithmetic(q) || expressed == QN_F64) return QN_F64;
  double limit = direction == QN_QUANTIZE ? f32_exact : ldexp(f32_exact, -scale_bits[expressed]);
  return qn_quant_magnitude(q, direction) <= limit ? QN_F32 : QN_F64;
}

double qn_quant_expressed_scale(const qn_quant_uniform *q, double scale) {
  return qn_float_round(q->expressed->float_kind, scale);
}

int64_t qn_quant_quantize(const qn_quant_uniform *q, qn_float_kind compute,
                          const qn_quant_cell *cell, double x, qn_rounding rounding) {
  double scale = qn_quant_expressed_scale(q, cell->scale);
  if (compute == QN_F32)
    return qn_quantize_f32((float)x, (float)scale, rounding, cell->zero_point, cell->min,
                           cell->max);
  return qn_quantize(x / scale, rounding, cell->zero_point, cell->min, cell->max);
}

double qn_quant_dequantize(const qn_quant_uniform *q, qn_float_kind compute,
                           const qn_quant_cell *cell, int64_t stored) {
  double scale = qn_quant_expressed_scale(q, cell->scale);
  double value = compute == QN_F32
                     ? (double)qn_dequantize_f32(stored, (float)scale, cell->zero_point)
                     : qn_dequantize(stored, scale, cell->zero_point);
  return qn_float_round(q->expressed->float_kind, value);
}

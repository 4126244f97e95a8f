/* The arithmetic of quant.qcast and quant.dcast for one element. The interpreter computes it, and
 * the lowering builds the same arithmetic from ops.
 *
 *   qcast: clamp(round(x / scale) + zero point, min, max)
 *   dcast: (stored - zero point) * scale
 *
 * Scales are first rounded to the expressed type. In a qcast, x / scale is rounded to the compute
 * type, and all else is exact. The compute type is f32; it is f64 if the expressed type is f64, or
 * if f32 can't represent the storage range. Infinities saturate, NaN gives the zero point. In a
 * dcast, the difference is an integer, and the product is rounded once to the expressed type (for
 * f32 with more than 28 bits of storage, to f64 before).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_QUANT_CAST_H
#define QN_IR_QUANT_CAST_H

#include "ir/types/quant_at.h"

typedef enum qn_quant_direction { QN_QUANTIZE, QN_DEQUANTIZE } qn_quant_direction;

/* Whether casts can compute in the expressed type: f16, bf16, f32 or f64. */
bool qn_quant_has_arithmetic(const qn_quant_uniform *q);
/* The maximum magnitude that must be represented exactly: of stored values when quantizing, of
 * differences from the zero point when dequantizing. */
double qn_quant_magnitude(const qn_quant_uniform *q, qn_quant_direction direction);
/* The compute type, QN_F32 or QN_F64, for all elements of the type. */
qn_float_kind qn_quant_compute_kind(const qn_quant_uniform *q, qn_quant_direction direction);
/* The scale rounded to the expressed type. */
double qn_quant_expressed_scale(const qn_quant_uniform *q, double scale);

/* Casts one element; `compute` is the compute type of its direction. */
int64_t qn_quant_quantize(const qn_quant_uniform *q, qn_float_kind compute,
                          const qn_quant_cell *cell, double x, qn_rounding rounding);
double qn_quant_dequantize(const qn_quant_uniform *q, qn_float_kind compute,
                           const qn_quant_cell *cell, int64_t stored);

#endif

/* Requantization of stored values to another quantization, decided exactly.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_REEXPRESS_H
#define QN_QUANT_REEXPRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "quant/rounding.h"

/* The quantization at one coordinate: real = (stored - zero_point) * scale, stored in [min, max].
 * All integers fit 33 bits, min < max, and the scale is positive and finite. */
typedef struct qn_quant_cell {
  double scale;
  int64_t zero_point, min, max;
} qn_quant_cell;

typedef struct qn_reexpressed {
  int64_t value;  /* within [to->min, to->max] */
  bool inexact;   /* the quotient of the reals was rounded */
  bool saturated; /* the result was clamped to [to->min, to->max] */
} qn_reexpressed;

/* clamp(round((stored - from.zero_point) * from.scale / to.scale) + to.zero_point). The quotient of
 * the two doubles is exact and rounded once. `stored` fits 33 bits. */
qn_reexpressed qn_reexpress(int64_t stored, const qn_quant_cell *from, const qn_quant_cell *to,
                            qn_rounding rounding);

/* Whether every value in [from.min, from.max] has an equal real value in `to`. If not, *out_stored
 * is a value without one. */
bool qn_reexpress_always_exact(const qn_quant_cell *from, const qn_quant_cell *to,
                               int64_t *out_stored);

#endif

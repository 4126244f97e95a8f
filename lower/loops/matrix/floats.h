/* What the schedules of float convolutions and matrix products share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FLOATS_H
#define QN_LOWER_LOOPS_FLOATS_H

#include "lower/loops/matrix/gemm_emit.h"

/* Returns QN_UNSUPPORTED, reported, unless all tensors of the op are f32, or all f64, and it has no
 * padding. */
QN_NODISCARD qn_status qn_floats_check(qn_loops *lo, const qn_op *op);
/* Merges groups with as many input as output channels, at most 8. */
void qn_floats_merge_groups(qn_gemm *gemm, const qn_target *target);
/* A product whose weights and bias are the op's operands 1 and 2. */
qn_gemm qn_floats_gemm(qn_op *op, const char *stem, int64_t channels, int64_t taps);
/* Lowers a depthwise convolution with channel multiplier 1 (depthwise/floats.c). */
QN_NODISCARD qn_status qn_floats_depthwise(qn_loops *lo, qn_op *op);
extern const struct qn_producer qn_floats_producer; /* computes its rows as a fused producer */

/* Implements qn_schedule.gives_floats for products of floats, whose kernel is that of gemm_floats.
 */
bool qn_floats_gives(const qn_op *op);

/* In a kernel: sum + x * w; rounded once for f32 (fused), twice for f64. */
qn_value *qn_float_add_product(qn_builder *b, qn_value *x, qn_value *w, qn_value *sum);
/* In a kernel: y (f32 or f64, or a vector of it) clamped as the op's activation and the module's
 * profile demand; NaN stays NaN. */
qn_value *qn_float_activate(qn_builder *b, qn_value *y, const qn_op *op);

#endif

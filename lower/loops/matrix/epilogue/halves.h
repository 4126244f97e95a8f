/* The form HALVES, of 6 bytes per channel: the upper 16 bits of the initial accumulator, and a
 * mantissa whose lowest bits are also the rest of the initial accumulator and the right shift,
 * counted from the smallest one of the op. A vector's parameters are the halves, two in an int32,
 * and then the mantissas.
 *
 * The lowest bits of a mantissa hardly matter to the product. The changed mantissa is proved: on
 * the accumulator's range it has the same steps (quant/steps.h) as the reference. Products that the
 * reference computes in double are rounded once, by M32s.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_MATRIX_EPILOGUE_HALVES_H
#define QN_LOWER_LOOPS_MATRIX_EPILOGUE_HALVES_H

#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/matrix/weights.h"

/* Sets epilogue->halves if the target has no cheaper form and all channels have this one. The
 * weights are constant, and accumulators begin with their bias. */
void qn_halves_find(qn_loops *lo, qn_epilogue *epilogue, const qn_weights *weights);
/* As qn_epilogue_fill, for this kind; out_words is zeroed. */
void qn_halves_fill(const qn_epilogue *epilogue, const int64_t *channels, const int32_t *start,
                    int64_t count, int32_t *out_words);

/* ---- in the kernel ---- */

/* Initial accumulators times 2^scale. */
qn_value *qn_halves_load_start(qn_builder *b, const qn_halves *halves, qn_value *params,
                               qn_value *index, int64_t offset, int64_t lanes, int32_t scale);
/* The mantissas, and by how much the right shifts exceed halves->right; NULL if none does. For
 * quern.rescale: the mantissas, and the left shifts, which are negative. */
qn_epilogue_params qn_halves_load(qn_builder *b, const qn_halves *halves, qn_value *params,
                                  qn_value *index, int64_t offset, int64_t lanes);

#endif

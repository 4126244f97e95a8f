/* Reduces a module step by step, for tools that search for the smallest module that still shows a
 * failure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_REDUCE_H
#define QUERN_REDUCE_H

#include <quern/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names of the kinds of reduction, from coarse to fine; NULL after the last. "functions" removes
 * ops at the top of the module. "bodies" turns functions into declarations. "ends" removes ops
 * whose results are only returned, and returns their first operand instead. "ops" removes ops in
 * functions, and replaces their results by an operand of the same type, or by zero. "producers"
 * removes ops and turns their results into arguments of the function. "arguments" removes unused
 * arguments of functions. */
QN_API const char *qn_reduction_name(uint32_t reduction);

/* Applies one kind of reduction. The places where it may apply are numbered in the order of the
 * text; it is applied to the places [first, first + count) where it is possible. *out_applied is
 * the number of applications, *out_places the number of places. Every application makes the module
 * smaller. The result is not verified; loading its text verifies it. QN_NOT_FOUND if `reduction` is
 * not a kind. If a limit aborts the call, the model has no module any more (quern/pipeline.h). */
QN_API QN_NODISCARD qn_status qn_model_reduce(qn_model *model, uint32_t reduction, uint32_t first,
                                              uint32_t count, uint32_t *out_applied,
                                              uint32_t *out_places);

#ifdef __cplusplus
}
#endif
#endif

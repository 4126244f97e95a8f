/* Making a module smaller, for tools that look for the smallest one that still fails.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_REDUCE_H
#define QUERN_REDUCE_H

#include <quern/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can be taken away, coarse before fine: "functions" (whatever is at the top of the
 * module), "bodies" (of functions, which become declarations), "ends" (ops whose results are only
 * returned; their first operand is returned instead), "ops" (inside of functions; an operand of the
 * same type, or zero, takes the place of a result that is used), "producers" (ops whose results
 * become arguments of the function), "arguments" (of functions, that nothing reads). NULL behind
 * the last. */
QN_API const char *qn_reduction_name(uint32_t reduction);

/* Places of one kind are numbered in the order of the text. Takes away those from `first` on,
 * `count` of them, where that can be done; *out_applied says for how many, *out_places how many
 * there were. Every application makes the module smaller. Whether the module is still valid is left
 * to who loads its text. QN_NOT_FOUND for a number that is no reduction; a module that ran into a
 * limit is gone (quern/pipeline.h). */
QN_API QN_NODISCARD qn_status qn_model_reduce(qn_model *model, uint32_t reduction, uint32_t first,
                                              uint32_t count, uint32_t *out_applied,
                                              uint32_t *out_places);

#ifdef __cplusplus
}
#endif
#endif

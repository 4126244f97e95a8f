/* The reference interpreter: executes any function of any stage. It is simple and slow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_EVAL_H
#define QN_EVAL_EVAL_H

#include "eval/value.h"

/* Calls `func` with `args`. Their types must be those of the function; where the function's type is
 * dynamic or unranked, any static type that fits it is valid. Results are allocated in `arena`. An
 * access outside of a memref, a division by zero and similar errors are reported at the op and give
 * QN_INVALID. An op without an evaluator gives QN_UNSUPPORTED. `options` may be NULL. */
QN_NODISCARD qn_status qn_eval_call(const qn_module *module, const qn_op *func,
                                    const qn_rt_value *args, uint32_t arg_count,
                                    qn_rt_value *out_results, qn_arena *arena,
                                    const qn_eval_options *options);

#endif

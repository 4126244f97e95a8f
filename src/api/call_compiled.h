/* Calls a function of a module as machine code, with tensors as arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_CALL_COMPILED_H
#define QN_API_CALL_COMPILED_H

#include "api/api.h"
#include "eval/eval.h"

/* Like qn_eval_call, but compiles the function with lower/tensors and the JIT for the CPU in the
 * options. */
QN_NODISCARD qn_status qn_call_compiled(const qn_model *model, const qn_op *func,
                                        const qn_interpret_options *options,
                                        const qn_rt_value *args, uint32_t arg_count,
                                        qn_rt_value *out_results, qn_arena *arena);

#endif

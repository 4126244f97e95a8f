/* Calling a function of a module on tensors as machine code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_CALL_COMPILED_H
#define QN_API_CALL_COMPILED_H

#include "api/api.h"
#include "eval/eval.h"

/* As qn_eval_call, by way of lower/tensors and the JIT, for the CPU of the options. */
QN_NODISCARD qn_status qn_call_compiled(const qn_model *model, const qn_op *func,
                                        const qn_interpret_options *options,
                                        const qn_rt_value *args, uint32_t arg_count,
                                        qn_rt_value *out_results, qn_arena *arena);

#endif

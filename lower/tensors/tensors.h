/* Lowers a function on tensors to loops, for one set of shapes. What remains of the quant dialect
 * after lower-quant-ops (arith and math on tensors, linalg.generic, tensor, shape) becomes machine
 * code: one kernel per op, without fusion and without reuse of memory.
 *
 * Values that depend only on shapes (sizes, ranks, comparisons of them, assertions about them) are
 * computed at compile time, by the interpreter. Values that depend on tensor elements become
 * kernels. A shape or an index that depends on tensor elements is not supported. Branches on shapes
 * are decided at compile time. For branches on computed values both sides are executed and the
 * results selected, so an assertion about shapes must hold in both.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TENSORS_TENSORS_H
#define QN_LOWER_TENSORS_TENSORS_H

#include "ir/module.h"
#include "lower/target.h"

typedef struct qn_tensors_options {
  const qn_target *target;
  int64_t max_steps; /* limit of the interpreter run that computes shapes; 0: no limit */
} qn_tensors_options;

typedef struct qn_tensors_result {
  qn_module *loops; /* owned by the caller */
  const qn_type *const
      *types; /* types of the results at run time: scalars, or tensors of static shape */
} qn_tensors_result;

/* Lowers `func` for arguments of the given types: scalars, or tensors of static shape that fit the
 * function. Each argument and each result is a buffer of @main, in order, with its elements
 * row-major. A scalar is one element. A quantized element is its storage. Integers are
 * sign-extended to whole bytes (i1: 0 or 1). A buffer has one dimension, of quern.dtype, or of
 * bytes (ui8) if no dtype matches. The types of the results are allocated in `arena`.
 *
 * Returns QN_UNSUPPORTED, after all reports, for: loops in the control flow, calls, ops without a
 * kernel, integer division except by constants other than 0 and -1 (it could trap), element types
 * other than index, signless integers of at most 64 bits, f16, bf16, f32 and f64, and shapes or
 * positions that depend on tensor elements. Shapes that do not fit, and assertions about shapes
 * that fail, are reported like by the interpreter: QN_INVALID. The input module is not changed. */
QN_NODISCARD qn_status qn_lower_tensors(const qn_module *module, const qn_op *func,
                                        const qn_type *const *types,
                                        const qn_tensors_options *options, qn_arena *arena,
                                        qn_tensors_result *out_result);

#endif

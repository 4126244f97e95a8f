/* Shared state and helpers of the model -> integer lowering. An op is lowered by writing its plan
 * (src/plan). This folder has the choice of the form, the float fallback, proofs on constants, and
 * the conversion of types.
 *
 * While ops are being replaced, every value keeps its !quant type, also the results of new integer
 * ops, because a consumer reads the quantization of its operands from their types. All types are
 * converted at once at the end (retype.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_INTEGER_INTEGER_H
#define QN_LOWER_INTEGER_INTEGER_H

#include "ir/builder.h"
#include "ir/numerics.h"
#include "ir/types/reexpress.h"
#include "lower/lower.h"
#include "plan/channels.h"
#include "plan/constants.h"
#include "plan/plan.h"

typedef struct qn_integer {
  qn_module *module;
  qn_ir_context *cx;
  qn_arena *scratch;
  qn_planner planner; /* planner of the module */
} qn_integer;

/* Replaces an op that is not lowered by its plan. Reports what prevents it: QN_UNSUPPORTED or
 * QN_INVALID; the caller continues with the next op. */
typedef qn_status qn_integer_fn(qn_integer *in, qn_op *op);
/* Casts of the quant dialect, by plan or decomposed (cast.c); constants and tables in another
 * scheme (reexpress.c). */
qn_integer_fn qn_integer_quant_qcast, qn_integer_quant_dcast, qn_integer_quant_scast,
    qn_integer_ml_reexpress;

/* ---- building (support.c) ---- */

/* Moves the attributes that later stages read ("quern.*") from `op` to `to`. */
void qn_integer_move_marks(qn_module *module, const qn_op *op, qn_op *to);
/* Replaces the first result of `op` with `with`, the first result of a new op, and further results
 * with that op's further ones; erases `op`. */
void qn_integer_replace(qn_integer *in, qn_op *op, qn_value *with);

/* Writes the plan in place of `op`, and reports the plan's notes. `op` is erased unless the plan
 * only completes it. */
void qn_integer_carry_out(qn_integer *in, qn_op *op, const qn_plan *plan);

/* Makes transposes of large constants constants (turn_constants.c); whether there were any. */
bool qn_integer_turn_constants(qn_module *module, qn_arena *scratch);
/* Expands recurrent cells on floats (expand_cells.c). */
QN_NODISCARD qn_status qn_integer_expand_cells(qn_module *module, bool *out_changed);

/* ---- constant weights (accumulators.c) ---- */

/* 8-bit weights as stored bytes, for either signedness of the payload's element type. */
typedef struct qn_weight_bytes {
  const uint8_t *bytes;
  bool splat, is_unsigned;
} qn_weight_bytes;
static inline qn_weight_bytes qn_weight_bytes_of(const qn_attr *payload, bool is_unsigned) {
  return (qn_weight_bytes){payload->dense.bytes.data, payload->dense.splat, is_unsigned};
}
static inline int32_t qn_weight_at(qn_weight_bytes w, int64_t i) {
  uint8_t byte = w.bytes[w.splat ? 0 : i];
  return w.is_unsigned ? byte : (int8_t)byte;
}

/* Warns if a channel's accumulator may exceed 32 bits, as far as weights and bias are constant. */
void qn_integer_check_accumulators(qn_integer *in, const qn_op *op, const qn_plan_matrix *plan);

/* ---- types (retype.c) ---- */

/* Reports every tensor type that the integer stage cannot represent: quantized types other than
 * uniform ones, and dynamic shapes. */
QN_NODISCARD qn_status qn_integer_check_types(qn_integer *in);
/* Stores scale and zero point of quantized arguments and results in their attributes if these are
 * missing (boundary.c). Must precede qn_integer_retype. */
QN_NODISCARD qn_status qn_integer_keep_quantization(qn_integer *in, qn_op *func);
/* Converts every !quant type to its storage type: values, constants, function signatures, casts. */
QN_NODISCARD qn_status qn_integer_retype(qn_integer *in);

/* ---- the integer stage's own passes ---- */

/* Stores the table of a lut as bytes; false if the op is none or its table is not constant. */
bool qn_integer_table(const qn_op *op, uint8_t out_table[256]);

/* Whether removing the result of `op` would lose a tensor that must be kept (keep_tensors). */
bool qn_integer_is_kept(const qn_pass_context *pc, const qn_op *op);

/* Calls `visit` for every op in the bodies of the module's functions, branches and loops. The op
 * may be erased. */
typedef void qn_integer_visit(qn_op *op, void *user);
void qn_integer_for_each(qn_module *module, qn_integer_visit *visit, void *user);
/* The same from last to first. No op may be erased. */
void qn_integer_for_each_backward(qn_module *module, qn_arena *scratch, qn_integer_visit *visit,
                                  void *user);

#endif

/* Result shapes of the model dialect and of its integer forms, from operands and attributes: said
 * once, for the verifier, for builders and for whoever rewrites ops. Element types are not
 * inferred: the quantization of a result is the model's choice.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_INFER_H
#define QN_IR_OPS_INFER_H

#include "ir/builder.h"
#include "ir/ops/ml.h"

typedef struct qn_shape {
  uint32_t rank;
  int64_t dims[QN_ML_MAX_RANK];
} qn_shape;

/* The shape of the only result. The op's operands are tensors as qn_ml_tensors wants them; nothing
 * is asked of the result's type. Complains where operands and attributes don't go together. */
typedef bool qn_infer_fn(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape);

/* One per row, or why there is none; a missing one does not link. */
typedef struct qn_inference {
  qn_infer_fn *shape;
  const char *none;
} qn_inference;
#define OP(stem, ...) extern const qn_inference qn_inference_##stem;
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef OP

/* Of ops of other dialects, a record that says that they have none. */
const qn_inference *qn_inference_of(qn_op_kind kind);

/* Whether the only result has the shape that follows; complains if not. */
bool qn_check_inferred(qn_ir_context *cx, const qn_op *op);

/* Builds the op with a result of that element type and of the shape that follows, which the kind
 * must have. NULL after a complaint: nothing is built. */
qn_value *qn_build_inferred(qn_builder *b, qn_op_kind kind, const qn_type *element,
                            qn_value *const *operands, uint32_t operand_count,
                            const qn_attr_arg *attrs);

/* ---- inside of the folder ---- */

bool qn_infer_rank(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *type,
                   uint32_t rank);
bool qn_infer_dim(qn_ir_context *cx, const qn_op *op, const char *what, int64_t is,
                  int64_t expected);

#endif

/* Dimensions in the model dialect and its integer forms: result shapes from operands and
 * attributes, where weights have their channels, what another order of dimensions changes. Said
 * once, for the verifier, for builders and for rewriters. Element types are not
 * inferred: the quantization of a result is the model's choice.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_INFER_H
#define QN_IR_OPS_INFER_H

#include "ir/builder.h"
#include "ir/ops/ml.h"
#include "ir/weights.h"

typedef struct qn_shape {
  uint32_t rank;
  int64_t dims[QN_ML_MAX_RANK];
} qn_shape;

/* The shape of the only result. The op's operands are tensors as qn_ml_tensors wants them; nothing
 * is asked of the result's type. Complains where operands and attributes don't go together. */
typedef bool qn_infer_fn(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape);

/* What becomes of an op when all of its tensors are transposed alike. Elementwise ops of one
 * operand need nothing said. */
typedef enum qn_permuting {
  QN_PERMUTES_NOT,
  QN_PERMUTES_BROADCAST, /* computes as before, on operands that broadcast */
  QN_PERMUTES_AXIS,      /* attribute axis names a dimension */
  QN_PERMUTES_CHANNELS,  /* the same, and other operands are vectors along it */
  QN_PERMUTES_BORDER,    /* attribute pad has two numbers for each dimension */
  QN_PERMUTES_REDUCED,   /* attribute axes names dimensions; integers are joined in any order */
  QN_TURNING_COUNT
} qn_permuting;

/* The layout of ops on images. */
#define QN_IMAGES "NHWC -> NHWC"

/* One per row, with a shape or why there is none; a missing one does not link. */
typedef struct qn_inference {
  qn_infer_fn *shape;
  const char *none;
  qn_weights_layout weights; /* of operand 1 */
  qn_permuting permutes;
  const char *layout; /* of operands and result, in letters; NULL: any. N images, H rows, W columns,
                         C channels; of weights O output channels, I input channels */
} qn_inference;
#define OP(stem, ...) extern const qn_inference qn_inference_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP

/* For ops of other dialects, a record without an inference. */
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

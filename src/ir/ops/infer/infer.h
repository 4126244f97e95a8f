/* Shape inference of the model dialect and its integer forms: result shapes from operands and
 * attributes, the channel dimension of weights, and the effect of transposing all tensors. Used by
 * the verifier, builders and rewriters. Element types are not inferred, because the model chooses a
 * result's quantization.
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

/* Infers the shape of the only result. Requires operands that satisfy qn_ml_tensors; the result's
 * type is not read. Reports operands and attributes that contradict each other. */
typedef bool qn_infer_fn(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape);

/* How an op changes if all of its tensors are transposed equally. Elementwise ops with one operand
 * do not change. */
typedef enum qn_permuting {
  QN_PERMUTES_NOT,
  QN_PERMUTES_BROADCAST, /* unchanged, with broadcast operands */
  QN_PERMUTES_AXIS,      /* attribute axis names a dimension */
  QN_PERMUTES_CHANNELS,  /* as AXIS, and other operands are vectors along the axis */
  QN_PERMUTES_BORDER,    /* attribute pad has two values per dimension */
  QN_PERMUTES_REDUCED,   /* attribute axes names dimensions; integer reductions are independent of
                            order */
  QN_TURNING_COUNT
} qn_permuting;

/* The layout of ops on images. */
#define QN_IMAGES "NHWC -> NHWC"

/* Limits of ml.rows_to_depth, whose kernel has code for each row, row in the border and channel:
 * the rows that are joined, rows in the border on each side, channels of the result. */
enum { QN_ROWS_MOST = 16, QN_ROWS_MOST_BORDER = 16, QN_ROWS_MOST_CHANNELS = 64 };

/* Table entry per row: a shape function, or why there is none; a missing one is a link error. */
typedef struct qn_inference {
  qn_infer_fn *shape;
  const char *none;
  qn_weights_layout weights; /* layout of operand 1 */
  qn_permuting permutes;
  /* layouts of operands and result, a letter per dimension; NULL: any layout. N: image, H: row, W:
   * column, C: channel; in weights O: output channel, I: input channel */
  const char *layout;
} qn_inference;
#define OP(stem, ...) extern const qn_inference qn_inference_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP

/* The entry of an op kind; kinds of other dialects share an entry without inference. */
const qn_inference *qn_inference_of(qn_op_kind kind);

/* Checks that the only result has the inferred shape. */
bool qn_check_inferred(qn_ir_context *cx, const qn_op *op);

/* Builds an op of a kind with inference: its result has the given element type and the inferred
 * shape. Returns NULL, reported, and builds nothing if the shape cannot be inferred. */
qn_value *qn_build_inferred(qn_builder *b, qn_op_kind kind, const qn_type *element,
                            qn_value *const *operands, uint32_t operand_count,
                            const qn_attr_arg *attrs);

/* ---- private to this directory ---- */

bool qn_infer_rank(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *type,
                   uint32_t rank);
bool qn_infer_dim(qn_ir_context *cx, const qn_op *op, const char *what, int64_t is,
                  int64_t expected);

#endif

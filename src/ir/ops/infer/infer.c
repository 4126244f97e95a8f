/* Table of the inference entries of all ops; checks inferred shapes, and builds ops with them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/ops/infer/infer.h"

#define OP(stem, ...) extern const qn_inference qn_inference_##stem;
#include "ir/ops/ml_forms.def"
#undef OP
static const qn_inference *const inferences[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = &qn_inference_##stem,
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef OP
};

const qn_inference *qn_inference_of(qn_op_kind kind) {
  static const qn_inference other = {.none = "its dialect says its types"};
  return inferences[kind] ? inferences[kind] : &other;
}

/* ---- checking ---- */

static const qn_type *with_shape(qn_ir_context *cx, const qn_type *element, const qn_shape *shape) {
  return qn_type_tensor(cx, element, shape->rank, shape->dims);
}

bool qn_check_inferred(qn_ir_context *cx, const qn_op *op) {
  const qn_inference *inference = qn_inference_of(op->kind);
  QN_ASSERT(inference->shape && op->result_count == 1);
  qn_shape shape;
  if (!inference->shape(cx, op, &shape)) return false;
  const qn_type *is = qn_ml_out(op);
  bool same = is->shaped.rank == shape.rank;
  for (uint32_t i = 0; same && i < shape.rank; i++) same = is->shaped.dims[i] == shape.dims[i];
  if (same) return true;
  const qn_type *follows = with_shape(cx, qn_type_element(is), &shape);
  return qn_op_complain(cx, op, "result is %s, but from operands and attributes follows %s",
                        qn_type_quoted(cx, is), qn_type_quoted(cx, follows));
}

/* ---- building ---- */

qn_value *qn_build_inferred(qn_builder *b, qn_op_kind kind, const qn_type *element,
                            qn_value *const *operands, uint32_t operand_count,
                            const qn_attr_arg *attrs) {
  const qn_inference *inference = qn_inference_of(kind);
  QN_ASSERT(inference->shape);
  const qn_type *unknown = qn_type_tensor(b->cx, element, 0, NULL);
  qn_value *result = qn_build_1(b, kind, unknown, operands, operand_count, attrs);
  qn_shape shape;
  if (!inference->shape(b->cx, result->op, &shape)) {
    qn_op_erase(b->module, result->op);
    return NULL;
  }
  qn_value_set_type(result, with_shape(b->cx, element, &shape));
  return result;
}

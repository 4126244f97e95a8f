/* Sizes and elements that are known from the op that defines the tensor.
 *
 *   tensor.dim %x, 1 : tensor<?x4xf32>                      ->  4
 *   tensor.dim (tensor.empty(%n, %m) : ?x4x?), 2            ->  %m
 *   tensor.dim (tensor.reshape %x(%shape)), 1               ->  tensor.extract %shape[1]
 *   tensor.extract (tensor.from_elements %n, %m)[1]         ->  %m
 *
 * The third rewrite requires that the reshape does not infer this size from the others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/reshape.h"
#include "passes/canonical/patterns.h"

/* Reads a constant index in [0, size). Returns false for other values. */
static bool constant_index(const qn_value *value, int64_t size, int64_t *out_index) {
  const qn_attr *attr = qn_value_constant(value);
  if (!attr || attr->kind != QN_ATTR_INTEGER || attr->integer < 0 || attr->integer >= size)
    return false;
  *out_index = attr->integer;
  return true;
}

static qn_value *size_of_empty(const qn_op *empty, int64_t dim) {
  const qn_type *type = empty->results[0].type;
  uint32_t operand = 0;
  for (int64_t i = 0; i < dim; i++) operand += type->shaped.dims[i] < 0;
  return qn_op_operand(empty, operand);
}

/* Extracts a size from the shape operand and converts it to index. */
static qn_value *size_of_reshape(qn_rewriter *rw, const qn_op *reshape, qn_value *dim) {
  qn_value *shape = qn_op_operand(reshape, 1);
  const qn_type *element = shape->type->shaped.element, *index = qn_type_index(rw->cx);
  qn_value *size =
      qn_build_1(&rw->builder, QN_OP_TENSOR_EXTRACT, element, QN_VALUES(shape, dim), NULL);
  qn_rewriter_touched(rw, size->op);
  if (element == index) return size;
  size = qn_build_unary(&rw->builder, QN_OP_ARITH_INDEX_CAST, size, index);
  qn_rewriter_touched(rw, size->op);
  return size;
}

bool qn_canonical_dim(qn_rewriter *rw, qn_op *op) {
  qn_canonical *state = rw->state;
  const qn_value *tensor = qn_op_operand(op, 0);
  const qn_type *type = tensor->type, *index = op->results[0].type;
  int64_t dim;
  if (!type->shaped.ranked || !constant_index(qn_op_operand(op, 1), type->shaped.rank, &dim))
    return false;
  qn_value *size = NULL;
  if (type->shaped.dims[dim] >= 0)
    size = qn_constants_get(&state->constants, op,
                            qn_attr_int(rw->cx, type->shaped.dims[dim], index), index);
  else if (tensor->op && tensor->op->kind == QN_OP_TENSOR_EMPTY)
    size = size_of_empty(tensor->op, dim);
  else if (tensor->op && tensor->op->kind == QN_OP_TENSOR_RESHAPE &&
           !qn_reshape_leaves_open(tensor->op, dim))
    size = size_of_reshape(rw, tensor->op, qn_op_operand(op, 1));
  if (!size) return false;
  qn_rewriter_replace(rw, op, &size);
  return true;
}

bool qn_canonical_extract(qn_rewriter *rw, qn_op *op) {
  const qn_op *made = qn_op_operand(op, 0)->op;
  int64_t index;
  if (op->operand_count != 2 || !made || made->kind != QN_OP_TENSOR_FROM_ELEMENTS ||
      !constant_index(qn_op_operand(op, 1), made->operand_count, &index))
    return false;
  qn_value *element = qn_op_operand(made, (uint32_t)index);
  qn_rewriter_replace(rw, op, &element);
  return true;
}

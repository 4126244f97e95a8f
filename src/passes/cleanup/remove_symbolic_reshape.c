/* remove-symbolic-reshape: the computed sizes of a reshape whose type tells them become a constant.
 *
 *   %s = shape.shape_of ...                          what computes %s has no other use
 *   %0 = tensor.reshape %x(%s) : (tensor<2x4xf32>, tensor<3xindex>) -> tensor<2x2x2xf32>
 *   ->
 *   %c = arith.constant dense<[2, 2, 2]> : tensor<3xindex>
 *   %0 = tensor.reshape %x(%c) : ...
 *
 * One dimension may be open in the type of the result: it has what remains of the elements of %x,
 * whose type has to tell them all, and the constant has the number where upstream has -1, which a
 * tensor.reshape does not take. What was computed goes with dead-code-elimination. Sizes that
 * others read stay, and so do those of a result with several open dimensions. ml.reshape has no
 * operand for sizes, as all shapes of the model dialect are static.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact; sizes that are not those of the type were an
 * error when run, and are none any more.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

enum { RESHAPE, X, SIZES };

/* The dimensions of the result, the open one of what remains; false where that is not told. */
static bool sizes_of(const qn_type *result, const qn_type *x, int64_t *out_dims) {
  int64_t known = 1, open = -1, elements = 0;
  for (uint32_t i = 0; i < result->shaped.rank; i++) {
    out_dims[i] = result->shaped.dims[i];
    if (out_dims[i] == QN_DYNAMIC && open >= 0) return false;
    if (out_dims[i] == QN_DYNAMIC) open = i;
  }
  if (open < 0) return true;
  if (x->kind != QN_TYPE_TENSOR || !qn_type_is_static(x)) return false;
  elements = qn_type_elements(x);
  for (uint32_t i = 0; i < result->shaped.rank; i++) {
    if (i == open) continue;
    if (out_dims[i] < 1 || out_dims[i] > elements / known) return false;
    known *= out_dims[i];
  }
  out_dims[open] = elements / known;
  return elements % known == 0;
}

static qn_value *constant_of(qn_rewriter *rw, const int64_t *dims, uint32_t rank,
                             const qn_type *list) {
  const qn_type *element = qn_type_element(list);
  uint32_t size = qn_type_bytes(element);
  uint8_t *bytes = qn_arena_array(rw->pc->scratch, (size_t)rank + 1, size);
  for (uint32_t i = 0; i < rank; i++)
    memcpy(bytes + (size_t)i * size, &dims[i], size); /* little-endian */
  const qn_attr *value = qn_attr_dense(rw->cx, list, (qn_bytes){bytes, (size_t)rank * size}, false);
  return qn_build_1(&rw->builder, QN_OP_ARITH_CONSTANT, list, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *known(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *type = m->value[RESHAPE]->type, *list = m->value[SIZES]->type;
  bool ranked = type->kind == QN_TYPE_TENSOR && qn_type_is_static(list) &&
                type->shaped.rank == list->shaped.dims[0];
  bool constant = m->op[SIZES] && qn_op_has(m->op[SIZES], QN_CONSTANT);
  if (!ranked || constant) return NULL;
  int64_t *dims = QN_NEW_ARRAY(rw->pc->scratch, (size_t)type->shaped.rank + 1, int64_t);
  if (!sizes_of(type, m->value[X]->type, dims)) return NULL;
  qn_value *sizes = constant_of(rw, dims, type->shaped.rank, list);
  return qn_build_like(rw, m->op[RESHAPE], QN_VALUES(m->value[X], sizes), type);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_TENSOR_RESHAPE}, .operands = {X, SIZES}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_ONLY_USE}},
    .rewrite = known,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("sizes-of-the-type", QN_OP_TENSOR_RESHAPE, rule)};

const qn_pass qn_pass_remove_symbolic_reshape = {
    .name = "remove-symbolic-reshape",
    .summary = "make constants of computed sizes that a reshape's type tells",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};

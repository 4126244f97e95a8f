/* remove-symbolic-reshape: replaces the computed sizes of a reshape by a constant if they are known
 * from types and the number of elements; -1 represents one unknown size.
 *
 *   %s = tensor.from_elements (tensor.dim %x, 0), %n, 2   no other op uses %s
 *   %0 = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<?x?x2xf32>
 *   ->
 *   %c = arith.constant dense<[-1, 2, 2]> : tensor<3xindex>
 *   %0 = tensor.reshape %x(%c) : ...
 *
 * A size is known from the type of the result, or it is a constant among the computed sizes.
 * Otherwise it is a symbol: the size of a dynamic dimension of %x, or any other value. %x and the
 * result have the same number of elements. So if every dynamic dimension of %x is a size of the
 * result, and exactly one other size is unknown, that size follows by division: n above. If one
 * size remains unknown, it becomes -1; if several do, nothing changes. Nothing changes either if
 * the sizes are not computed by a known op (an argument), unless both types determine them all.
 *
 * dead-code-elimination removes the computation of the sizes, unless other ops read them.
 * ml.reshape has no operand for sizes, because all shapes of the model dialect are static.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact. Only a tensor without elements can get other
 * sizes next to its 0. Sizes that contradict the type were an error at run time and are no longer
 * detected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "ir/ops/reshape.h"
#include "passes/support/graph.h"

enum { RESHAPE, X, SIZES };

/* The sizes of a reshape's result, and what is known of them. */
typedef struct shape {
  const qn_value *x;
  const qn_op *computed; /* the op that computes the sizes; NULL if it is not recognized */
  uint32_t rank;
  int64_t *dims; /* [rank] QN_OPEN_SIZE if unknown */
  bool *is_size; /* [rank of x] whether the dimension is a size of the result */
  /* number of sizes that are neither known nor the size of a dynamic dimension of x */
  uint32_t unknown;
  uint32_t last; /* index of the last of these sizes */
} shape;

static bool constant_index(const qn_value *value, int64_t *out_value) {
  const qn_attr *attr = qn_value_constant(value);
  if (!attr || attr->kind != QN_ATTR_INTEGER) return false;
  *out_value = attr->integer;
  return true;
}

/* The dimension of x whose size the value is; -1 if there is none. */
static int64_t dim_of(const qn_value *value, const qn_value *x) {
  int64_t dim;
  if (value->op && value->op->kind == QN_OP_ARITH_INDEX_CAST) value = qn_op_operand(value->op, 0);
  bool is_dim = value->op && value->op->kind == QN_OP_TENSOR_DIM &&
                qn_op_operand(value->op, 0) == x && x->type->shaped.ranked &&
                constant_index(qn_op_operand(value->op, 1), &dim) && dim >= 0 &&
                dim < (int64_t)x->type->shaped.rank;
  return is_dim ? dim : -1;
}

/* The dimension of x whose size is size i, or -1. *out_known is the size if it is a constant, else
 * QN_OPEN_SIZE. */
static int64_t source_of(const shape *s, uint32_t i, int64_t *out_known) {
  *out_known = QN_OPEN_SIZE;
  if (!s->computed) return -1;
  if (s->computed->kind == QN_OP_SHAPE_SHAPE_OF) {
    const qn_type *x = s->x->type;
    bool has_it = qn_op_operand(s->computed, 0) == s->x && x->shaped.ranked && i < x->shaped.rank;
    return has_it ? (int64_t)i : -1;
  }
  const qn_value *size = qn_op_operand(s->computed, i);
  if (constant_index(size, out_known)) return -1;
  return dim_of(size, s->x);
}

static void read_size(shape *s, uint32_t i, int64_t declared) {
  s->dims[i] = declared;
  if (declared != QN_DYNAMIC) return;
  int64_t from = source_of(s, i, &s->dims[i]);
  if (from >= 0 && qn_dim(s->x, (uint32_t)from) != QN_DYNAMIC)
    s->dims[i] = qn_dim(s->x, (uint32_t)from);
  if (s->dims[i] >= 0) return;
  s->dims[i] = QN_OPEN_SIZE;
  if (from >= 0 && !s->is_size[from]) {
    s->is_size[from] = true;
  } else {
    s->unknown++;
    s->last = i;
  }
}

/* Multiplies *volume by a known size. Returns false if the product is 0 or overflows. */
static bool multiply(int64_t *volume, int64_t size) {
  return qn_checked_mul(*volume, size, volume) && *volume > 0;
}

/* Computes the size that is neither known nor a dimension of x, if there is exactly one: elements
 * of x divided by the known sizes. Returns false if the quotient is not an integer. */
static bool solve(shape *s) {
  const qn_type *x = s->x->type;
  int64_t elements = 1, known = 1;
  if (s->unknown != 1 || !x->shaped.ranked) return true;
  for (uint32_t i = 0; i < x->shaped.rank; i++) {
    bool open = x->shaped.dims[i] == QN_DYNAMIC;
    if (open ? !s->is_size[i] : !multiply(&elements, x->shaped.dims[i])) return true;
  }
  for (uint32_t i = 0; i < s->rank; i++)
    if (s->dims[i] != QN_OPEN_SIZE && !multiply(&known, s->dims[i])) return true;
  s->dims[s->last] = elements / known;
  return elements % known == 0;
}

/* Whether all sizes are known, or at most one is unknown and can be inferred as -1. */
static bool is_told(const shape *s) {
  uint32_t open = 0;
  bool empty = false;
  for (uint32_t i = 0; i < s->rank; i++) {
    open += s->dims[i] == QN_OPEN_SIZE;
    empty |= s->dims[i] == 0;
  }
  return open == 0 || (open == 1 && !empty && s->computed);
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

/* The op that computes the sizes, if it is recognized; else NULL. */
static const qn_op *computer_of(const qn_matched *m) {
  const qn_op *op = m->op[SIZES];
  bool seen = op && (op->kind == QN_OP_TENSOR_FROM_ELEMENTS || op->kind == QN_OP_SHAPE_SHAPE_OF);
  return seen ? op : NULL;
}

static qn_value *known(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *type = m->value[RESHAPE]->type, *list = m->value[SIZES]->type;
  bool ranked = type->kind == QN_TYPE_TENSOR && qn_type_is_static(list) &&
                type->shaped.rank == list->shaped.dims[0];
  bool constant = m->op[SIZES] && qn_op_has(m->op[SIZES], QN_CONSTANT);
  if (!ranked || constant) return NULL;
  shape s = {.x = m->value[X], .computed = computer_of(m), .rank = type->shaped.rank};
  uint32_t x_rank = s.x->type->shaped.ranked ? s.x->type->shaped.rank : 0;
  s.dims = QN_NEW_ARRAY(rw->pc->scratch, (size_t)s.rank + 1, int64_t);
  s.is_size = QN_NEW_ARRAY(rw->pc->scratch, (size_t)x_rank + 1, bool);
  for (uint32_t i = 0; i < s.rank; i++) read_size(&s, i, type->shaped.dims[i]);
  if (!solve(&s) || !is_told(&s)) return NULL;
  qn_value *sizes = constant_of(rw, s.dims, s.rank, list);
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
    .summary =
        "make constants of computed sizes of reshapes, with -1 for the one that is not known",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};

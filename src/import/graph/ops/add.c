/* 8-bit and 16-bit ADD with kernels whose vector code scales the terms differently from the code
 * for remaining elements (docs/arithmetic.md 6.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/add.h"

enum { NEST = 5 /* loops of the kernels */ };

/* The broadcast as these kernels walk it: outermost dimension first; one kernel call covers all
 * elements along `axis`. `plain`: there is no such nest, and a kernel without vectors is used. */
typedef struct nest {
  qn_graph_shape a, b, y;
  uint32_t axis;
  bool plain;
} nest;

static int64_t dim_of(const qn_graph_shape *shape, uint32_t from_end) {
  return from_end < shape->rank ? shape->dims[shape->rank - 1 - from_end] : 1;
}

/* Whether a dimension can be merged into the current group. */
typedef bool fits_fn(int64_t fast, int64_t slow);
static bool both(int64_t fast, int64_t slow) { return fast == slow; }
static bool fast_repeats(int64_t fast, int64_t slow) {
  (void)slow;
  return fast == 1;
}
static bool slow_repeats(int64_t fast, int64_t slow) {
  (void)fast;
  return slow == 1;
}

/* Groups of dimensions, innermost first: equal sizes; the fast operand repeats; equal sizes; the
 * slow operand repeats; equal sizes. */
static fits_fn *const folds[NEST] = {both, fast_repeats, both, slow_repeats, both};

static nest nest_of(const qn_graph_shape *a, const qn_graph_shape *b) {
  nest n = {
      .a = {NEST, {1, 1, 1, 1, 1}}, .b = {NEST, {1, 1, 1, 1, 1}}, .y = {NEST, {1, 1, 1, 1, 1}}};
  const uint32_t rank = a->rank > b->rank ? a->rank : b->rank;
  uint32_t at = 0;
  while (at < rank && dim_of(a, at) == dim_of(b, at)) at++;
  const bool a_is_fast = at < rank && dim_of(a, at) == 1;
  at = 0;
  for (uint32_t i = 0; i < NEST; i++)
    for (; at < rank; at++) {
      const int64_t x = dim_of(a, at), y = dim_of(b, at);
      if (!folds[i](a_is_fast ? x : y, a_is_fast ? y : x)) break;
      n.a.dims[NEST - 1 - i] *= x;
      n.b.dims[NEST - 1 - i] *= y;
      n.y.dims[NEST - 1 - i] *= x > y ? x : y;
    }
  n.plain = at < rank;
  n.axis = n.y.dims[NEST - 1] > 1 || n.y.dims[NEST - 2] == 1 ? NEST - 1 : NEST - 2;
  return n;
}

/* Elements [begin, end) along the axis of an operand that is not repeated there. */
static qn_value *cut(qn_graph_op *op, qn_value *x, const qn_graph_shape *whole, uint32_t axis,
                     int64_t begin, int64_t end) {
  if (whole->dims[axis] == 1) return x;
  qn_ir_context *cx = op->graph->cx;
  int64_t first[NEST] = {0}, last[NEST];
  static const int64_t ones[NEST] = {1, 1, 1, 1, 1};
  memcpy(last, whole->dims, sizeof last);
  first[axis] = begin, last[axis] = end;
  qn_graph_shape shape = *whole;
  shape.dims[axis] = end - begin;
  return qn_graph_part(op, QN_OP_ML_SLICE_BY_INDEX, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"begin", qn_attr_i64s(cx, first, NEST)},
                                {"end", qn_attr_i64s(cx, last, NEST)},
                                {"stride", qn_attr_i64s(cx, ones, NEST)}));
}

static const qn_attr *terms_of(qn_graph_op *op, qn_term_rounding terms) {
  return terms == QN_TERM_DOUBLE ? NULL : qn_attr_word(op->graph->cx, QN_A_TERM_ROUNDING, terms);
}

/* Builds the sum of a part. */
static qn_value *sum_of(qn_graph_op *op, const nest *n, const qn_type *element,
                        qn_value *const *operands, int64_t begin, int64_t end,
                        const qn_attr *activation, qn_term_rounding terms) {
  qn_graph_shape shape = n->y;
  shape.dims[n->axis] = end - begin;
  qn_value *parts[2] = {cut(op, operands[0], &n->a, n->axis, begin, end),
                        cut(op, operands[1], &n->b, n->axis, begin, end)};
  qn_attr_arg attrs[3] = {{0}};
  uint32_t count = 0;
  if (activation) attrs[count++] = (qn_attr_arg){"activation", activation};
  if (terms != QN_TERM_DOUBLE) attrs[count++] = (qn_attr_arg){"terms", terms_of(op, terms)};
  return qn_graph_part(op, QN_OP_ML_ADD, element, &shape, parts, 2, count ? attrs : NULL);
}

/* Whether no operand is repeated; leading dimensions of 1 don't count. */
static bool has_equal_shapes(const nest *n) {
  return memcmp(n->a.dims, n->b.dims, sizeof n->a.dims) == 0;
}

void qn_graph_build_add_by_place(qn_graph_op *op, qn_value *const *operands,
                                 const qn_attr *activation, const qn_graph_shape *shape) {
  enum { VECTOR = 8 };
  qn_graph_tensor *y = qn_graph_output(op, 0);
  const qn_graph_shape a = qn_graph_shape_of(operands[0]), b = qn_graph_shape_of(operands[1]);
  nest n = nest_of(&a, &b);
  /* The broadcasting kernel of int16 has no vector code. */
  if (y->dtype == QN_GRAPH_INT16 && !has_equal_shapes(&n)) n.plain = true;
  const bool once = y->dtype != QN_GRAPH_UINT8 && n.axis == NEST - 1;
  const int64_t count = n.y.dims[n.axis], group = once ? 2 * VECTOR : VECTOR;
  const int64_t whole = n.plain ? 0 : count / group * group;
  const qn_term_rounding terms = once ? QN_TERM_SINGLE : QN_TERM_DOWN;
  if (whole == 0 || whole == count) {
    qn_graph_attrs attrs = {0};
    qn_graph_attr(&attrs, "activation", activation);
    qn_graph_attr(&attrs, "terms", terms_of(op, whole == 0 ? QN_TERM_DOUBLE : terms));
    qn_graph_build(op, QN_OP_ML_ADD, operands, 2, &attrs, shape);
    return;
  }
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  if (!element) return;
  qn_value *views[2] = {qn_graph_view(op, operands[0], &n.a), qn_graph_view(op, operands[1], &n.b)};
  qn_value *parts[2] = {sum_of(op, &n, element, views, 0, whole, activation, terms),
                        sum_of(op, &n, element, views, whole, count, activation, QN_TERM_DOUBLE)};
  qn_value *sum = qn_graph_part(op, QN_OP_ML_CONCAT, element, &n.y, parts, 2,
                                QN_ATTRS({"axis", qn_attr_i64(op->graph->cx, n.axis)}));
  sum = qn_graph_part(op, QN_OP_ML_RESHAPE, element, shape, &sum, 1, NULL);
  qn_graph_define(op, y, shape, sum);
}

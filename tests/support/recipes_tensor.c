/* Recipes of the dialects tensor and linalg.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "tests/support/recipes.h"

static bool is_number(const qn_type *t) {
  return qn_is_signless(qn_type_element(t)) || qn_is_float(qn_type_element(t));
}
static bool is_scalar(const qn_type *t) { return is_number(t) && !qn_type_is_shaped(t); }
static bool is_tensor(const qn_type *t) { return t->kind == QN_TYPE_TENSOR && is_number(t); }
static bool is_ranked(const qn_type *t) { return is_tensor(t) && t->shaped.ranked; }
static bool is_module_static(const qn_type *t) { return is_ranked(t) && qn_type_is_static(t); }

static const qn_type *scalar(qn_random_model *m) {
  return qn_random_between(m, 0, 1) ? qn_random_int_type(m) : qn_random_float_type(m);
}
static const qn_type *tensor(qn_random_model *m) {
  return qn_type_tensor(&m->cx, scalar(m), m->rank, m->dims);
}
static bool keep(qn_random_model *m, qn_value *value) {
  qn_pool_add(m, value);
  return true;
}

/* ---- tensor ---- */

bool qn_make_dim(qn_random_model *m, qn_op_kind kind) {
  if (m->depth || m->rank == 0) return false;
  qn_value *x = qn_pool_pick(m, is_tensor, tensor(m));
  if (x->type->shaped.ranked && x->type->shaped.rank == 0) return false;
  int64_t rank = x->type->shaped.ranked ? x->type->shaped.rank : m->rank;
  qn_value *index = qn_random_index(m, qn_random_between(m, 0, rank - 1));
  return keep(m, qn_build_1(&m->b, kind, qn_type_index(&m->cx), QN_VALUES(x, index), NULL));
}

bool qn_make_rank(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *x = qn_pool_pick(m, is_tensor, tensor(m));
  return keep(m, qn_build_1(&m->b, kind, qn_type_index(&m->cx), QN_VALUES(x), NULL));
}

/* A type of the module's shape in which some sizes are operands, from index `count` on. */
static const qn_type *sized(qn_random_model *m, const qn_type *element, qn_value **operands,
                            uint32_t *count) {
  int64_t dims[8];
  memcpy(dims, m->dims, sizeof dims);
  for (uint32_t i = 0; i < m->rank; i++) {
    if (qn_random_between(m, 0, 2)) continue;
    operands[(*count)++] = qn_random_index(m, dims[i]);
    dims[i] = QN_DYNAMIC;
  }
  return qn_type_tensor(&m->cx, element, m->rank, dims);
}

bool qn_make_splat(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *operands[9] = {qn_pool_pick(m, is_scalar, scalar(m))};
  uint32_t count = 1;
  const qn_type *type = sized(m, operands[0]->type, operands, &count);
  return keep(m, qn_build_1(&m->b, kind, type, operands, count, NULL));
}

bool qn_make_empty(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *operands[8];
  uint32_t count = 0;
  const qn_type *type = sized(m, scalar(m), operands, &count);
  return keep(m, qn_build_1(&m->b, kind, type, operands, count, NULL));
}

bool qn_make_from_elements(qn_random_model *m, qn_op_kind kind) {
  enum { MOST = 12 };
  int64_t elements = 1;
  for (uint32_t i = 0; i < m->rank; i++) elements *= m->dims[i];
  if (m->depth || elements == 0 || elements > MOST) return false;
  qn_value *operands[MOST] = {qn_pool_pick(m, is_scalar, scalar(m))};
  for (int64_t i = 1; i < elements; i++) operands[i] = qn_pool_of_type(m, operands[0]->type);
  const qn_type *type = qn_type_tensor(&m->cx, operands[0]->type, m->rank, m->dims);
  return keep(m, qn_build_1(&m->b, kind, type, operands, (uint32_t)elements, NULL));
}

/* A reshape to the same sizes in another order, or to one dimension and back. */
bool qn_make_reshape(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *x = qn_pool_pick(m, is_module_static, tensor(m));
  if (!is_module_static(x->type)) return false;
  int64_t dims[9] = {qn_type_elements(x->type)}, rank = 1;
  if (qn_random_between(m, 0, 1)) {
    rank = m->rank;
    bool whole = true;
    for (uint32_t i = 0; i < m->rank; i++) whole &= (dims[i] = m->dims[i]) != 0;
    if (whole && qn_type_elements(x->type) !=
                     qn_type_elements(qn_type_tensor(&m->cx, qn_type_index(&m->cx), m->rank, dims)))
      return false;
  }
  const qn_type *index = qn_type_index(&m->cx);
  qn_bytes bytes = {(const uint8_t *)dims, (size_t)rank * sizeof *dims};
  const qn_type *shape_type = qn_type_tensor(&m->cx, index, 1, &rank);
  qn_value *shape =
      qn_build_1(&m->b, QN_OP_ARITH_CONSTANT, shape_type, NULL, 0,
                 QN_ATTRS({"value", qn_attr_dense(&m->cx, shape_type, bytes, false)}));
  const qn_type *type = qn_type_tensor(&m->cx, x->type->shaped.element, (uint32_t)rank, dims);
  if (qn_type_elements(type) != qn_type_elements(x->type)) return false;
  return keep(m, qn_build_1(&m->b, kind, type, QN_VALUES(x, shape), NULL));
}

bool qn_make_tensor_cast(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *x = qn_pool_pick(m, is_tensor, tensor(m));
  const qn_type *from = x->type, *element = from->shaped.element;
  bool of_module = !from->shaped.ranked || from->shaped.rank == m->rank;
  const qn_type *to = of_module ? qn_random_container(m, element) : from;
  if (to->kind != QN_TYPE_TENSOR) return false;
  for (uint32_t i = 0; from->shaped.ranked && to->shaped.ranked && i < from->shaped.rank; i++) {
    int64_t a = from->shaped.dims[i], b = to->shaped.dims[i];
    if (a != b && a != QN_DYNAMIC && b != QN_DYNAMIC) return false;
  }
  return keep(m, qn_build_1(&m->b, kind, to, QN_VALUES(x), NULL));
}

bool qn_make_extract(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  qn_value *operands[9] = {qn_pool_pick(m, is_ranked, tensor(m))};
  const qn_type *type = operands[0]->type;
  if (!is_ranked(type) || type->shaped.rank > 8) return false;
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    int64_t size = type->shaped.dims[i];
    if (size == QN_DYNAMIC) size = m->dims[i];
    if (size == 0) return false;
    operands[1 + i] = qn_random_index(m, qn_random_between(m, 0, size - 1));
  }
  return keep(m,
              qn_build_1(&m->b, kind, type->shaped.element, operands, 1 + type->shaped.rank, NULL));
}

/* ---- linalg.generic ---- */

typedef struct generic {
  qn_value *operands[4];
  const qn_attr *maps[4];
  uint32_t count, inputs;
  bool reduces; /* the last loop is a reduction, which the output does not index */
} generic;

/* An identity map of the loops, without the last loop for the output of a reduction. Maps of inputs
 * are sometimes permuted or broadcast. */
static const qn_attr *map_of(qn_random_model *m, uint32_t loops, uint32_t results) {
  const qn_affine_expr *exprs[8];
  for (uint32_t i = 0; i < results; i++) exprs[i] = qn_affine_leaf(&m->cx, QN_AFFINE_DIM, i);
  return qn_attr_affine_map(
      &m->cx, &(qn_affine_map){.dims = loops, .result_count = results, .results = exprs});
}

static void add_operand(qn_random_model *m, generic *g, uint32_t rank) {
  const qn_type *type = qn_type_tensor(&m->cx, scalar(m), rank, m->dims);
  g->operands[g->count] = qn_pool_of_type(m, type);
  g->maps[g->count++] = map_of(m, m->rank, rank);
}

static const qn_attr *iterators_of(qn_random_model *m, bool reduces) {
  const qn_attr *items[8];
  for (uint32_t i = 0; i < m->rank; i++)
    items[i] = qn_attr_opaque(&m->cx, qn_str_of(reduces && i + 1 == m->rank
                                                    ? "#linalg.iterator_type<reduction>"
                                                    : "#linalg.iterator_type<parallel>"));
  return qn_attr_array(&m->cx, items, m->rank);
}

/* Fills the body with up to three ops. The last values of the required types are yielded. */
static void fill_body(qn_random_model *m, qn_op *op, const generic *g) {
  qn_builder outside = m->b;
  qn_value *pool[QN_RANDOM_MAX_VALUES];
  uint32_t pool_count = m->pool_count;
  memcpy(pool, m->pool, sizeof pool);
  m->pool_count = 0;
  m->depth++;
  qn_block *body = qn_block_create(m->module);
  qn_block_append(body, &op->regions[0]);
  for (uint32_t i = 0; i < g->count; i++)
    qn_pool_add(m, qn_block_add_arg(m->module, body, qn_type_element(g->operands[i]->type),
                                    m->cx.diag.unknown));
  m->b = qn_builder_at_end(m->module, body, outside.loc);
  if (m->rank && qn_random_chance(m, 3)) {
    const qn_attr *dim = qn_attr_i64(&m->cx, qn_random_between(m, 0, m->rank - 1));
    qn_pool_add(m, qn_build_1(&m->b, QN_OP_LINALG_INDEX, qn_type_index(&m->cx), NULL, 0,
                              QN_ATTRS({"dim", dim})));
  }
  int64_t ops = qn_random_between(m, 1, 3);
  for (int64_t i = 0; i < ops; i++) qn_random_module_op(m);
  qn_value *yields[4];
  for (uint32_t i = g->inputs; i < g->count; i++) {
    const qn_type *type = qn_type_element(g->operands[i]->type);
    yields[i - g->inputs] = qn_pool_of_type(m, type);
  }
  qn_build_0(&m->b, QN_OP_LINALG_YIELD, yields, g->count - g->inputs, NULL);
  m->depth--;
  memcpy(m->pool, pool, sizeof pool);
  m->pool_count = pool_count;
  const qn_loc *line = m->b.loc;
  m->b = outside;
  m->b.loc = line;
}

bool qn_make_generic(qn_random_model *m, qn_op_kind kind) {
  if (m->depth) return false;
  generic g = {.reduces = m->rank > 0 && qn_random_chance(m, 3)};
  int64_t inputs = qn_random_between(m, g.reduces ? 1 : 0, 2);
  for (int64_t i = 0; i < inputs; i++) add_operand(m, &g, m->rank);
  g.inputs = g.count;
  uint32_t outputs = (uint32_t)qn_random_between(m, 1, 2);
  for (uint32_t i = 0; i < outputs; i++) add_operand(m, &g, g.reduces ? m->rank - 1 : m->rank);
  const qn_type *types[2];
  for (uint32_t i = 0; i < outputs; i++) types[i] = g.operands[g.inputs + i]->type;
  int64_t sizes[2] = {g.inputs, outputs};
  const qn_type *i32 = qn_type_i(&m->cx, 32);
  qn_named_attr attrs[] = {
      {qn_str_of("indexing_maps"), qn_attr_array(&m->cx, g.maps, g.count)},
      {qn_str_of("iterator_types"), iterators_of(m, g.reduces)},
      {qn_str_of("operandSegmentSizes"), qn_attr_dense_array(&m->cx, i32, sizes, NULL, 2)}};
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = g.operands,
                                            .operand_count = g.count,
                                            .result_types = types,
                                            .result_count = outputs,
                                            .attrs = attrs,
                                            .attr_count = QN_COUNT(attrs),
                                            .region_count = 1});
  fill_body(m, op, &g);
  for (uint32_t i = 0; i < outputs; i++) qn_pool_add(m, &op->results[i]);
  return true;
}

/* Steps that spell what one op says with several, and now and then something near it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/differ/graph_build.h"
#include "ir/ops/forms.h"

enum { MAX_RANK = 8, RARELY = 12 };

static uint32_t rank_of(const qn_value *x) { return x->type->shaped.rank; }
static int64_t dim_of(const qn_value *x, uint32_t i) { return x->type->shaped.dims[i]; }

/* A binary op with the type of x. The operands of commutative ops are in random order. */
static qn_value *pair(qn_random_model *m, qn_op_kind kind, qn_value *x, qn_value *y) {
  bool turned = (qn_op_infos[kind].traits & QN_COMMUTATIVE) && qn_random_chance(m, 2);
  return qn_build_1(&m->b, kind, x->type, QN_VALUES(turned ? y : x, turned ? x : y), NULL);
}

/* One number, or all the same, rarely of another value. */
static qn_value *number(qn_random_model *m, double value) {
  float data = (float)(qn_random_chance(m, RARELY) ? value * 1.25 : value);
  const int64_t one = 1;
  const qn_type *type = graph_tensor(m, qn_random_chance(m, 2) ? 1 : 0, &one);
  const qn_attr *attr = qn_attr_dense(&m->cx, type, (qn_bytes){(uint8_t *)&data, 4}, false);
  return qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", attr}));
}

/* ---- activations ---- */

/* x / 2 * (1 + weight) */
static qn_value *gelu_of(qn_random_model *m, qn_value *x, qn_value *weight) {
  qn_value *sum = pair(m, QN_OP_ML_ADD, weight, number(m, 1)), *half = number(m, 0.5);
  if (qn_random_chance(m, 3)) return pair(m, QN_OP_ML_MUL, pair(m, QN_OP_ML_MUL, x, half), sum);
  if (qn_random_chance(m, 2)) return pair(m, QN_OP_ML_MUL, pair(m, QN_OP_ML_MUL, x, sum), half);
  return pair(m, QN_OP_ML_MUL, pair(m, QN_OP_ML_MUL, sum, half), x);
}
qn_value *step_gelu_exact(qn_random_model *m, qn_value *x) {
  qn_value *scaled = qn_random_chance(m, 2)
                         ? pair(m, QN_OP_ML_REAL_DIV, x, number(m, 1.4142135623730951))
                         : pair(m, QN_OP_ML_MUL, x, number(m, 0.7071067811865476));
  return gelu_of(m, x, graph_unary(m, QN_OP_ML_ERF, scaled));
}
qn_value *step_gelu_tanh(qn_random_model *m, qn_value *x) {
  qn_value *cube = pair(m, QN_OP_ML_POW, x, number(m, 3));
  qn_value *sum = pair(m, QN_OP_ML_ADD, x, pair(m, QN_OP_ML_MUL, cube, number(m, 0.044715)));
  return gelu_of(m, x, step_tanh(m, pair(m, QN_OP_ML_MUL, sum, number(m, 0.7978845608028654))));
}
qn_value *step_gelu_sigmoid(qn_random_model *m, qn_value *x) {
  qn_value *scaled = pair(m, QN_OP_ML_MUL, x, number(m, 1.702));
  return pair(m, QN_OP_ML_MUL, graph_unary(m, QN_OP_ML_SIGMOID, scaled), x);
}
qn_value *step_greater_part(qn_random_model *m, qn_value *x) {
  static const int64_t eighths[] = {1, 2, 8, 5, -2, 0, 12};
  double alpha = (double)qn_random_pick(m, eighths, QN_COUNT(eighths)) / 8;
  return pair(m, QN_OP_ML_MAXIMUM, x, pair(m, QN_OP_ML_MUL, x, number(m, alpha)));
}
qn_value *step_two_relus(qn_random_model *m, qn_value *x) {
  qn_value *below = qn_random_chance(m, 2) ? graph_unary(m, QN_OP_ML_NEG, x)
                                           : pair(m, QN_OP_ML_MUL, x, number(m, -1));
  below = pair(m, QN_OP_ML_MUL, step_relu(m, below), graph_side(m, x));
  return pair(m, QN_OP_ML_ADD, step_relu(m, x), below);
}
qn_value *step_prelu(qn_random_model *m, qn_value *x) {
  bool one = !qn_random_chance(m, 4), with_sign = qn_random_chance(m, 8);
  return pair(m, QN_OP_ML_PRELU, x, one ? number(m, with_sign ? -0.375 : 0.375) : graph_side(m, x));
}

/* ---- sums ---- */

qn_value *step_mean(qn_random_model *m, qn_value *x) {
  int64_t dims[MAX_RANK], axes[MAX_RANK];
  uint32_t count = 0, rank = 0;
  bool keep = qn_random_chance(m, 2);
  for (uint32_t i = 0; i < rank_of(x); i++) {
    bool reduced = qn_random_chance(m, 2);
    if (reduced) axes[count++] = i;
    if (keep || !reduced) dims[rank++] = reduced ? 1 : dim_of(x, i);
  }
  qn_value *sum = qn_build_1(&m->b, QN_OP_ML_REDUCE_SUM, graph_tensor(m, rank, dims), QN_VALUES(x),
                             QN_ATTRS({"axes", qn_random_i64s(m, axes, count)},
                                      {"keep_dims", qn_attr_bool(&m->cx, keep)}));
  if (rank == 0) sum = graph_reshape(m, sum, 1, (int64_t[]){1});
  double terms = (double)(qn_type_elements(x->type) / qn_type_elements(sum->type));
  return qn_random_chance(m, 2) ? pair(m, QN_OP_ML_REAL_DIV, sum, number(m, terms))
                                : pair(m, QN_OP_ML_MUL, sum, number(m, 1 / terms));
}
qn_value *step_divide(qn_random_model *m, qn_value *x) {
  static const int64_t eighths[] = {1, 3, 8, 24, -8, -40};
  return pair(m, QN_OP_ML_REAL_DIV, x,
              number(m, (double)qn_random_pick(m, eighths, QN_COUNT(eighths)) / 8));
}

static qn_value *maybe_computed(qn_random_model *m, qn_value *constant) {
  return qn_random_chance(m, 2) ? step_tanh(m, constant) : constant;
}
qn_value *step_computed_linear(qn_random_model *m, qn_value *x) {
  int64_t dims[4], units = qn_random_between(m, 1, 4);
  memcpy(dims, x->type->shaped.dims, sizeof dims);
  int64_t weights[2] = {units, dims[3]};
  dims[3] = units;
  qn_value *operands[3] = {x, maybe_computed(m, graph_reals(m, 2, weights)), NULL};
  bool biased = qn_random_chance(m, 2);
  if (biased) operands[2] = maybe_computed(m, graph_reals(m, 1, &units));
  static const char *const names[] = {"none", "relu", "relu6", "relu_n1_to_1", "finite"};
  const qn_attr *activation =
      qn_attr_string(&m->cx, qn_str_of(names[qn_random_between(m, 0, QN_COUNT(names) - 1)]));
  return qn_build_1(&m->b, QN_OP_ML_LINEAR, graph_tensor(m, 4, dims), operands, biased ? 3 : 2,
                    QN_ATTRS({"activation", activation}));
}
qn_value *step_product_and_bias(qn_random_model *m, qn_value *x) {
  int64_t dims[4], units = qn_random_between(m, 1, 4);
  memcpy(dims, x->type->shaped.dims, sizeof dims);
  bool ty = qn_random_chance(m, 2);
  int64_t weights[2] = {ty ? units : dims[3], ty ? dims[3] : units};
  dims[3] = units;
  qn_value *w = graph_reals(m, 2, weights);
  if (qn_random_chance(m, RARELY)) w = step_tanh(m, w);
  x = qn_build_1(&m->b, QN_OP_ML_MATMUL, graph_tensor(m, 4, dims), QN_VALUES(x, w),
                 QN_ATTRS({"transpose_y", qn_attr_bool(&m->cx, ty)}));
  return qn_random_chance(m, 2) ? step_add_constant(m, x) : step_subtract_from_constant(m, x);
}
/* x by itself, one of them turned. */
qn_value *step_product_of_transposed(qn_random_model *m, qn_value *x) {
  uint32_t rank = rank_of(x);
  int64_t perm[MAX_RANK], dims[MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) perm[i] = i, dims[i] = dim_of(x, i);
  perm[rank - 2] = rank - 1, perm[rank - 1] = rank - 2;
  bool first = qn_random_chance(m, 2);
  dims[rank - 2] = dims[rank - 1] = dim_of(x, rank - (first ? 1 : 2));
  qn_value *turned = graph_transpose(m, x, perm);
  return qn_build_1(&m->b, QN_OP_ML_MATMUL, graph_tensor(m, rank, dims),
                    QN_VALUES(first ? turned : x, first ? x : turned), NULL);
}

/* ---- choices, casts ---- */

qn_value *step_choice(qn_random_model *m, qn_value *x) {
  uint8_t bits[MAX_RANK];
  int64_t count = dim_of(x, rank_of(x) - 1);
  bool first = qn_random_chance(m, 2), mixed = qn_random_chance(m, 4) || count > MAX_RANK;
  if (count > MAX_RANK) count = 1;
  for (int64_t i = 0; i < count; i++) bits[i] = mixed ? (uint8_t)qn_random_chance(m, 2) : first;
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 1), 1, &count);
  const qn_attr *value = qn_attr_dense(&m->cx, type, (qn_bytes){bits, (size_t)count}, false);
  qn_value *c = qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  qn_value *other = qn_random_chance(m, 2) ? step_tanh(m, x) : graph_side(m, x);
  return qn_build_1(&m->b, QN_OP_ML_SELECT, x->type, QN_VALUES(c, x, other), NULL);
}

static qn_value *cast(qn_random_model *m, qn_value *x, const qn_type *element) {
  return qn_build_1(&m->b, QN_OP_ML_CAST, qn_type_with_element(&m->cx, x->type, element),
                    QN_VALUES(x), NULL);
}
/* No float becomes a boolean: beside 0, what passes that round may do decides which. */
qn_value *step_casts(qn_random_model *m, qn_value *x) {
  const qn_type *types[] = {qn_type_float(&m->cx, QN_F32), qn_type_i(&m->cx, 32),
                            qn_type_i(&m->cx, 16), qn_type_i(&m->cx, 8), qn_type_i(&m->cx, 1)};
  const qn_type *f32 = types[0];
  int64_t count = qn_random_between(m, 2, 5);
  for (int64_t i = 0; i < count; i++) {
    size_t from_float = x->type->shaped.element == f32;
    x = cast(m, x, types[qn_choose(&m->choices, QN_COUNT(types) - from_float)]);
  }
  return cast(m, x, f32);
}

/* ---- joining ---- */

/* Stacked, and the new axis joined with the next one, or with that before. */
qn_value *step_stack(qn_random_model *m, qn_value *x) {
  uint32_t rank = rank_of(x), axis = (uint32_t)qn_random_between(m, 0, rank - 1);
  int64_t dims[MAX_RANK + 1], joined[MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) dims[i + (i >= axis)] = joined[i] = dim_of(x, i);
  dims[axis] = 2;
  joined[axis > 0 && qn_random_chance(m, 4) ? axis - 1 : axis] *= 2;
  x = qn_build_1(&m->b, QN_OP_ML_STACK, graph_tensor(m, rank + 1, dims),
                 QN_VALUES(x, step_relu(m, x)), QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)}));
  return graph_reshape(m, x, rank, joined);
}

static qn_value *slice_at(qn_random_model *m, qn_value *x, uint32_t axis, int64_t at) {
  int64_t begin[MAX_RANK] = {0}, end[MAX_RANK], stride[MAX_RANK], dims[MAX_RANK];
  for (uint32_t i = 0; i < rank_of(x); i++) end[i] = dims[i] = dim_of(x, i), stride[i] = 1;
  begin[axis] = at, end[axis] = at + 1, dims[axis] = 1;
  return qn_build_1(&m->b, QN_OP_ML_SLICE_BY_INDEX, graph_tensor(m, rank_of(x), dims), QN_VALUES(x),
                    QN_ATTRS({"begin", qn_random_i64s(m, begin, rank_of(x))},
                             {"end", qn_random_i64s(m, end, rank_of(x))},
                             {"stride", qn_random_i64s(m, stride, rank_of(x))}));
}
qn_value *step_mirrored(qn_random_model *m, qn_value *x) {
  uint32_t axis = 0;
  for (uint32_t i = 0; i < rank_of(x); i++)
    if (dim_of(x, i) > dim_of(x, axis) || qn_random_chance(m, 3)) axis = i;
  int64_t size = dim_of(x, axis), most = size > 3 ? 3 : size, count = most - 1, dims[MAX_RANK];
  qn_value *parts[8];
  uint32_t at = 0;
  for (int64_t i = count; i > 0; i--) parts[at++] = slice_at(m, x, axis, i);
  parts[at++] = x;
  for (int64_t i = 1; i <= count; i++)
    parts[at++] = slice_at(m, x, axis, qn_random_chance(m, RARELY) ? 0 : size - 1 - i);
  for (uint32_t i = 0; i < rank_of(x); i++) dims[i] = dim_of(x, i) + (i == axis ? 2 * count : 0);
  return qn_build_1(&m->b, QN_OP_ML_CONCAT, graph_tensor(m, rank_of(x), dims), parts, at,
                    QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)}));
}

/* x beside what it becomes by a relu, one element of each in turn along an axis. */
qn_value *step_interleaved(qn_random_model *m, qn_value *x) {
  uint32_t rank = rank_of(x), axis = (uint32_t)qn_random_between(m, 0, rank - 1);
  int64_t whole[MAX_RANK], parted[MAX_RANK + 1], perm[MAX_RANK + 1];
  for (uint32_t i = 0; i < rank; i++) {
    whole[i] = dim_of(x, i) * (i == axis ? 2 : 1);
    parted[i + (i >= axis)] = dim_of(x, i);
  }
  parted[axis] = 2;
  for (uint32_t i = 0; i <= rank; i++) perm[i] = i;
  uint32_t with = qn_random_chance(m, RARELY) ? 0 : axis;
  perm[with] = with + 1, perm[with + 1] = with;
  x = qn_build_1(&m->b, QN_OP_ML_CONCAT, graph_tensor(m, rank, whole),
                 QN_VALUES(x, step_relu(m, x)), QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)}));
  x = graph_transpose(m, graph_reshape(m, x, rank + 1, parted), perm);
  return graph_reshape(m, x, rank, whole);
}

/* Stacked with a relu of it, and split off again: one of the two, mostly squeezed. */
qn_value *step_restacked(qn_random_model *m, qn_value *x) {
  uint32_t rank = rank_of(x), axis = (uint32_t)qn_random_between(m, 0, rank);
  uint32_t cut = qn_random_chance(m, RARELY) ? 0 : axis;
  int64_t dims[MAX_RANK + 1], at = axis;
  for (uint32_t i = 0; i < rank; i++) dims[i + (i >= axis)] = dim_of(x, i);
  dims[axis] = 2;
  qn_value *s =
      qn_build_1(&m->b, QN_OP_ML_STACK, graph_tensor(m, rank + 1, dims),
                 QN_VALUES(x, step_relu(m, x)), QN_ATTRS({"axis", qn_attr_i64(&m->cx, at)}));
  if (dims[cut] % 2 != 0) cut = axis;
  dims[cut] /= 2;
  const qn_type *half = graph_tensor(m, rank + 1, dims);
  at = cut;
  const qn_type *const halves[] = {half, half};
  qn_op *split = qn_build(&m->b, (qn_op_state){.kind = QN_OP_ML_SPLIT,
                                               .operands = &s,
                                               .operand_count = 1,
                                               .result_types = halves,
                                               .result_count = 2});
  qn_op_set_attr(m->module, split, "axis", qn_attr_i64(&m->cx, at));
  s = qn_op_result(split, (uint32_t)qn_random_between(m, 0, 1));
  if (cut != axis || qn_random_chance(m, 3)) return step_flatten(m, s);
  return qn_build_1(&m->b, QN_OP_ML_SQUEEZE, x->type, QN_VALUES(s),
                    QN_ATTRS({"axes", qn_random_i64s(m, &at, 1)}));
}

/* A dimension of size 1, dropped and inserted again, mostly where it was. */
qn_value *step_dropped_dims(qn_random_model *m, qn_value *x) {
  uint32_t rank = rank_of(x);
  int64_t dims[MAX_RANK + 1], at = qn_random_between(m, 0, rank), back = at;
  for (uint32_t i = 0; i < rank; i++) dims[i + (i >= at)] = dim_of(x, i);
  dims[at] = 1;
  const qn_attr *there = qn_random_i64s(m, &at, 1);
  if (qn_random_chance(m, RARELY)) back = rank - at;
  const qn_type *longer = graph_tensor(m, rank + 1, dims), *was = x->type;
  x = qn_build_1(&m->b, QN_OP_ML_EXPAND_DIMS, longer, QN_VALUES(x), QN_ATTRS({"axes", there}));
  if (qn_random_chance(m, 2)) x = step_relu(m, x);
  x = qn_build_1(&m->b, QN_OP_ML_SQUEEZE, was, QN_VALUES(x), QN_ATTRS({"axes", there}));
  for (uint32_t i = 0; i < rank; i++) dims[i + (i >= back)] = dim_of(x, i);
  dims[back] = 1;
  x = qn_build_1(&m->b, QN_OP_ML_EXPAND_DIMS, graph_tensor(m, rank + 1, dims), QN_VALUES(x),
                 QN_ATTRS({"axes", qn_random_i64s(m, &back, 1)}));
  return graph_reshape(m, x, rank, was->shaped.dims);
}

/* Two tensors in turn along rows (1) or columns (2). */
static qn_value *in_turn(qn_random_model *m, qn_value *a, qn_value *b, uint32_t axis) {
  int64_t dims[5], joined[4];
  for (uint32_t i = 0; i < 4; i++) {
    joined[i] = dim_of(a, i) * (i == axis ? 2 : 1);
    dims[i + (i > axis)] = dim_of(a, i);
  }
  dims[axis + 1] = 2;
  int64_t at = axis + 1;
  a = qn_build_1(&m->b, QN_OP_ML_STACK, graph_tensor(m, 5, dims), QN_VALUES(a, b),
                 QN_ATTRS({"axis", qn_attr_i64(&m->cx, at)}));
  return graph_reshape(m, a, 4, joined);
}
qn_value *step_pixels(qn_random_model *m, qn_value *x) {
  uint32_t rows = qn_random_chance(m, RARELY) ? 2 : 1;
  qn_value *ab = in_turn(m, x, step_relu(m, x), rows);
  qn_value *cd = in_turn(m, step_tanh(m, x), x, rows);
  return in_turn(m, ab, cd, 2);
}

/* Rows of a matrix by ones: at the places of the largest in rows of x, mostly no longer than the
 * matrix. */
qn_value *step_picked(qn_random_model *m, qn_value *x) {
  int64_t count = qn_type_elements(x->type), row = count % 3 == 0 ? 3 : count % 2 == 0 ? 2 : 1;
  int64_t rows = count / row, depth = qn_random_chance(m, RARELY) ? 1 : row, columns = 4;
  const qn_type *index = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 32), 1, &rows);
  qn_value *places = qn_build_1(
      &m->b, QN_OP_ML_REDUCE_ARGMAX, index,
      QN_VALUES(graph_reshape(m, x, 2, (const int64_t[]){rows, row})),
      QN_ATTRS({"axis", qn_attr_i64(&m->cx, 1)}, {"keep_dims", qn_attr_bool(&m->cx, false)}));
  qn_value *ones =
      qn_build_1(&m->b, QN_OP_ML_ONE_HOT, graph_tensor(m, 2, (const int64_t[]){rows, depth}),
                 QN_VALUES(places, number(m, 1), number(m, 0)),
                 QN_ATTRS({"axis", qn_attr_i64(&m->cx, 1)}, {"depth", qn_attr_i64(&m->cx, depth)}));
  return qn_build_1(&m->b, QN_OP_ML_MATMUL, graph_tensor(m, 2, (const int64_t[]){rows, columns}),
                    QN_VALUES(ones, graph_reals(m, 2, (const int64_t[]){depth, columns})), NULL);
}

/* Two ops that do the same with x. */
qn_value *step_twice(qn_random_model *m, qn_value *x) {
  qn_value *other = qn_random_chance(m, RARELY) ? step_relu(m, x) : step_tanh(m, x);
  return pair(m, QN_OP_ML_ADD, step_tanh(m, x), other);
}

/* A loop that carries x, and beside it what it mostly does not change. */
qn_value *step_carried(qn_random_model *m, qn_value *x) {
  qn_value *other = step_relu(m, x), *begin = qn_build_index(&m->b, 0);
  qn_value *end = qn_build_index(&m->b, qn_random_between(m, 0, 3));
  qn_value *step = qn_build_index(&m->b, 1);
  qn_value *const initial[] = {x, other};
  qn_op *loop = qn_build_for(&m->b, begin, end, step, initial, 2);
  qn_value **args = qn_op_body(loop)->args;
  qn_value *sum = step_tanh(m, pair(m, QN_OP_ML_ADD, args[1], args[2]));
  bool changes = qn_random_chance(m, RARELY);
  qn_value *const yielded[] = {sum, changes ? sum : qn_random_chance(m, 2) ? args[2] : other};
  qn_build_yield(&m->b, yielded, 2);
  return pair(m, QN_OP_ML_ADD, qn_op_result(loop, 0), qn_op_result(loop, 1));
}

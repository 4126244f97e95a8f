/* Recipes of the model dialect: 8-bit tensors, drawn so that ops form chains that are fused and
 * share memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "tests/support/recipes.h"

#include <string.h>

enum { MOST_ELEMENTS = 640, MANY_ELEMENTS = 20000 };

static bool has_attr(qn_op_kind kind, qn_attr_id id) {
  const qn_attr_spec *a = qn_op_infos[kind].attrs;
  while (a->id != QN_A_NONE && a->id != id) a++;
  return a->id == id;
}

/* Whether t has the model's width and one scale, and is small enough for the interpreter. */
static bool is_activation(const qn_random_model *m, const qn_type *t) {
  const qn_quant_uniform *q = qn_type_quant(t);
  bool is = m->plain ? qn_type_element(t) == m->plain
                     : q && q->scheme == QN_PER_LAYER &&
                           q->storage->integer.width == (m->words ? 16 : 8) &&
                           q->is_signed == !m->is_unsigned;
  return is && qn_type_elements(t) <= (m->large ? MANY_ELEMENTS : MOST_ELEMENTS) &&
         t->shaped.rank <= 6;
}

static qn_value *new_input(qn_random_model *m, uint32_t rank) {
  static const int64_t channels[] = {1, 3, 4, 8, 17, 2, 5, 16, 33};
  int64_t dims[8];
  for (uint32_t i = 0; i < rank; i++) dims[i] = qn_random_between(m, 1, rank > 2 && i ? 7 : 3);
  if (rank) dims[rank - 1] = qn_random_pick(m, channels, QN_COUNT(channels));
  if (m->large && rank > 1) dims[rank - 2] *= qn_random_between(m, 1, 4);
  if (m->large && rank) dims[rank - 1] *= qn_random_between(m, 1, 4);
  const qn_type *type = qn_random_tensor(m, qn_random_quant(m), rank, dims);
  bool full = qn_op_body(m->func)->arg_count >= QN_RANDOM_MAX_ARGS;
  qn_value *x = full ? qn_random_bytes(m, type) : qn_random_input(m, type);
  qn_pool_add(m, x);
  return x;
}

/* Usually one of the newest tensors, so that ops form chains. `rank` 0: any rank except 0. */
qn_value *qn_random_activation(qn_random_model *m, uint32_t rank) {
  uint32_t skip = (uint32_t)qn_choose(&m->choices, 4) / 2;
  for (uint32_t i = m->pool_count; i-- > 0;) {
    qn_value *v = m->pool[i];
    if (!is_activation(m, v->type) || v->type->shaped.rank == 0) continue;
    if ((rank == 0 || v->type->shaped.rank == rank) && skip-- == 0) return v;
  }
  return new_input(m, rank ? rank : (uint32_t)qn_random_between(m, 1, 5));
}

static bool keep(qn_random_model *m, qn_value *value) {
  qn_pool_add(m, value);
  return true;
}

/* ---- arithmetic ---- */

bool qn_make_conv(qn_random_model *m, qn_op_kind kind) {
  bool transposed = has_attr(kind, QN_A_OUTPUT_SHAPE);
  if (!transposed && has_attr(kind, QN_A_GROUPS) && qn_random_chance(m, 5))
    return keep(m, qn_random_conv_volume(m, qn_random_activation(m, 5)));
  qn_value *x = qn_random_activation(m, 4);
  if (transposed) return keep(m, qn_random_conv_transpose(m, x));
  return keep(m, has_attr(kind, QN_A_GROUPS) ? qn_random_conv(m, x) : qn_random_depthwise(m, x));
}
static bool takes_narrow_linear(const qn_random_model *m) {
  return !m->is_unsigned && !m->words && !m->plain &&
         qn_op_body(m->func)->arg_count < QN_RANDOM_MAX_ARGS;
}
/* Floats [rows, depth] times constant int8 weights, which kernels read in stored form. */
static bool make_narrow_linear(qn_random_model *m) {
  int64_t rows = qn_random_between(m, 1, 5), depth = qn_random_between(m, 1, 40);
  int64_t columns = qn_random_between(m, 1, 19);
  const qn_type *f32 = qn_type_float(&m->cx, QN_F32);
  const qn_type *x = qn_type_tensor(&m->cx, f32, 2, (int64_t[]){rows, depth});
  const qn_type *y = qn_type_tensor(&m->cx, f32, 2, (int64_t[]){rows, columns});
  const qn_type *w =
      qn_random_signed(m, 8, qn_random_real(m, 0.001, 0.05), 0, 2, (int64_t[]){columns, depth});
  bool asymmetric = qn_random_chance(m, 2);
  return keep(m, qn_build_1(&m->b, QN_OP_ML_LINEAR, y,
                            QN_VALUES(qn_random_input(m, x), qn_random_bytes(m, w)),
                            QN_ATTRS({"asymmetric_inputs", qn_attr_bool(&m->cx, asymmetric)})));
}
bool qn_make_linear(qn_random_model *m, qn_op_kind kind) {
  (void)kind;
  if (takes_narrow_linear(m) && qn_random_chance(m, 8)) return make_narrow_linear(m);
  return keep(m, qn_random_linear(m, qn_random_activation(m, 0)));
}
/* x times a second operand of matching shape; some batch dimensions of the latter are 1 or missing.
 */
bool qn_make_matmul(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  const int64_t *in = qn_random_dims(x);
  uint32_t rank = x->type->shaped.rank, y_rank = 0;
  bool tx = rank > 1 && qn_random_chance(m, 3), ty = qn_random_chance(m, 2);
  int64_t depth = in[tx ? rank - 2 : rank - 1], y[8], out[8];
  int64_t columns = qn_random_between(m, 1, m->large ? 90 : 19);
  uint32_t batches = rank > 2 ? rank - 2 : 0, from = 0, out_rank = batches;
  if (batches && qn_random_chance(m, 3)) from = (uint32_t)qn_random_between(m, 1, batches);
  for (uint32_t i = from; i < batches; i++) y[y_rank++] = qn_random_chance(m, 3) ? 1 : in[i];
  memcpy(out, in, batches * sizeof *out);
  if (rank > 1) out[out_rank++] = in[tx ? rank - 1 : rank - 2];
  bool vector = y_rank == 0 && qn_random_chance(m, 6);
  if (vector) ty = false;
  if (ty) y[y_rank++] = columns;
  y[y_rank++] = depth;
  if (!ty && !vector) y[y_rank++] = columns;
  if (!vector) out[out_rank++] = columns;
  const qn_type *type = qn_random_tensor(m, qn_random_quant(m), y_rank, y);
  qn_value *other = qn_random_is_argument(m) ? qn_random_input(m, type) : qn_random_bytes(m, type);
  return keep(m, qn_build_1(&m->b, kind, qn_random_tensor(m, qn_random_quant(m), out_rank, out),
                            QN_VALUES(x, other),
                            QN_ATTRS({"transpose_x", qn_attr_bool(&m->cx, tx)},
                                     {"transpose_y", qn_attr_bool(&m->cx, ty)})));
}
bool qn_make_broadcast(qn_random_model *m, qn_op_kind kind) {
  return keep(m, qn_random_binary_of(m, kind, qn_random_activation(m, 0)));
}
bool qn_make_pool(qn_random_model *m, qn_op_kind kind) {
  return keep(m, qn_random_pool_of(m, kind, qn_random_activation(m, 4)));
}
bool qn_make_reduce(qn_random_model *m, qn_op_kind kind) {
  (void)kind;
  return keep(m, qn_random_mean(m, qn_random_activation(m, 4)));
}
/* A requantization, also from and to 16 and 32 bits. */
static bool make_rescaled(qn_random_model *m, qn_value *x) {
  const qn_type *wide = qn_random_wide(m, qn_random_chance(m, 2) ? 16 : 32, x->type);
  qn_value *y = qn_build_1(&m->b, QN_OP_ML_REQUANTIZE, wide, QN_VALUES(x), NULL);
  keep(m, y);
  const qn_type *type =
      qn_random_tensor(m, qn_random_quant(m), x->type->shaped.rank, qn_random_dims(x));
  return keep(m, qn_build_1(&m->b, QN_OP_ML_REQUANTIZE, type, QN_VALUES(y), NULL));
}

bool qn_make_same_shape(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  if (kind == QN_OP_ML_REQUANTIZE && qn_random_chance(m, 3)) return make_rescaled(m, x);
  return keep(m,
              has_attr(kind, QN_A_BETA) ? qn_random_softmax(m, x) : qn_random_unary_of(m, kind, x));
}

/* The cast is checked, and saturates, because random values do not fit. */
bool qn_make_reexpress(qn_random_model *m, qn_op_kind kind) {
  static const char *const roundings[] = {"even", "away", "toward-zero", "floor"};
  qn_value *x = qn_random_activation(m, 0);
  const char *rounding = roundings[qn_choose(&m->choices, QN_COUNT(roundings))];
  const qn_type *type =
      qn_random_tensor(m, qn_random_quant(m), x->type->shaped.rank, qn_random_dims(x));
  return keep(m, qn_build_1(&m->b, kind, type, QN_VALUES(x),
                            QN_ATTRS({"mode", qn_attr_string(&m->cx, qn_str_of("checked"))},
                                     {"rounding", qn_attr_string(&m->cx, qn_str_of(rounding))},
                                     {"overflow", qn_attr_string(&m->cx, qn_str_of("saturate"))})));
}

bool qn_make_ml_const(qn_random_model *m, qn_op_kind kind) {
  (void)kind;
  int64_t dims[4] = {1, qn_random_between(m, 1, 5), qn_random_between(m, 1, 5),
                     qn_random_between(m, 1, 9)};
  return keep(m, qn_random_bytes(m, qn_random_tensor(m, qn_random_quant(m), 4, dims)));
}

/* Casts to float and back, or from float: ops at the inputs and outputs of a model. */
void qn_make_boundary(qn_random_model *m) {
  qn_value *x = qn_random_activation(m, 0);
  const int64_t *dims = qn_random_dims(x);
  uint32_t rank = x->type->shaped.rank;
  const qn_type *real = qn_type_tensor(&m->cx, qn_type_float(&m->cx, QN_F32), rank, dims);
  bool full = qn_op_body(m->func)->arg_count >= QN_RANDOM_MAX_ARGS;
  qn_value *f = full || m->elements || qn_random_between(m, 0, 1)
                    ? qn_build_1(&m->b, QN_OP_QUANT_DCAST, real, QN_VALUES(x), NULL)
                    : qn_random_input(m, real);
  keep(m, f);
  if (m->elements || qn_random_between(m, 0, 3))
    keep(m, qn_build_1(&m->b, QN_OP_QUANT_QCAST,
                       qn_random_tensor(m, qn_random_quant(m), rank, dims), QN_VALUES(f), NULL));
}

/* ---- data movement ---- */

static const qn_type *like(qn_random_model *m, const qn_value *x, uint32_t rank,
                           const int64_t *dims) {
  return qn_random_tensor(m, qn_random_quant_of(x), rank, dims);
}

bool qn_make_pad(qn_random_model *m, qn_op_kind kind) {
  (void)kind;
  return keep(m, qn_random_pad(m, qn_random_activation(m, 0)));
}

static bool can_stand_beside(const qn_value *x, const qn_value *y, uint32_t axis) {
  bool can = y->type->kind == QN_TYPE_TENSOR &&
             x->type->shaped.element == y->type->shaped.element &&
             x->type->shaped.rank == y->type->shaped.rank;
  for (uint32_t i = 0; can && i < x->type->shaped.rank; i++)
    can = i == axis || qn_random_dims(x)[i] == qn_random_dims(y)[i];
  return can;
}

/* A tensor of the pool that can be concatenated with x; perhaps made from x, or x itself. */
static qn_value *neighbour(qn_random_model *m, qn_value *x, uint32_t axis) {
  qn_value *found[QN_RANDOM_MAX_VALUES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (can_stand_beside(x, m->pool[i], axis)) found[count++] = m->pool[i];
  return count ? found[qn_choose(&m->choices, count)] : x;
}

bool qn_make_concat(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  if (m->elements || qn_random_between(m, 0, 1)) return keep(m, qn_random_concat(m, x));
  int64_t dims[8], axis = qn_random_between(m, 0, x->type->shaped.rank - 1);
  qn_value *y = neighbour(m, x, (uint32_t)axis);
  memcpy(dims, qn_random_dims(x), x->type->shaped.rank * sizeof *dims);
  dims[axis] += qn_random_dims(y)[axis];
  return keep(m, qn_build_1(&m->b, kind, like(m, x, x->type->shaped.rank, dims), QN_VALUES(x, y),
                            QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)})));
}

/* Adds or removes dimensions of size 1, or changes all sizes. */
static bool make_unit(qn_random_model *m, qn_op_kind kind, qn_value *x, bool drops) {
  int64_t dims[8], axes[8];
  uint32_t rank = 0, count = 0, in = x->type->shaped.rank, size_of_y = drops ? in : in + 2;
  for (uint32_t i = 0, from = 0; i < size_of_y && rank < 8 && count < 8; i++) {
    bool unit = drops ? qn_random_dims(x)[i] == 1 && qn_random_between(m, 0, 1)
                      : from == in || (count < 2 && qn_random_between(m, 0, 1));
    if (unit) axes[count++] = i;
    if (drops && !unit) dims[rank++] = qn_random_dims(x)[i];
    if (!drops) dims[rank++] = unit ? 1 : qn_random_dims(x)[from++];
    if (!drops && from == in && rank == in + count && count == 2) break;
  }
  if (!drops && rank != in + count) return false;
  return keep(m, qn_build_1(&m->b, kind, like(m, x, rank, dims), QN_VALUES(x),
                            QN_ATTRS({"axes", qn_random_i64s(m, axes, count)})));
}

bool qn_make_same_elements(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  if (has_attr(kind, QN_A_AXES)) return make_unit(m, kind, x, kind == QN_OP_ML_SQUEEZE);
  int64_t elements = qn_type_elements(x->type), first = qn_random_between(m, 1, elements);
  while (elements % first) first--;
  int64_t dims[4] = {first, elements / first, 1, 1};
  if (qn_random_between(m, 0, 1)) { /* an image, for ops that need one */
    int64_t side = dims[1] % 2 == 0 ? 2 : 1;
    dims[3] = dims[1] / side, dims[1] = side;
    return keep(m, qn_build_1(&m->b, kind, like(m, x, 4, dims), QN_VALUES(x), NULL));
  }
  return keep(m, qn_build_1(&m->b, kind, like(m, x, 2, dims), QN_VALUES(x), NULL));
}

bool qn_make_transpose(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  uint32_t rank = x->type->shaped.rank;
  int64_t perm[8], dims[8];
  for (uint32_t i = 0; i < rank; i++) perm[i] = i;
  for (uint32_t i = rank; i-- > 1;) {
    int64_t k = qn_random_between(m, 0, i), t = perm[i];
    perm[i] = perm[k], perm[k] = t;
  }
  for (uint32_t i = 0; i < rank; i++) dims[i] = qn_random_dims(x)[perm[i]];
  return keep(m, qn_build_1(&m->b, kind, like(m, x, rank, dims), QN_VALUES(x),
                            QN_ATTRS({"perm", qn_random_i64s(m, perm, rank)})));
}

bool qn_make_split(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  int64_t dims[8], axis = qn_random_between(m, 0, x->type->shaped.rank - 1);
  uint32_t rank = x->type->shaped.rank, count = 0;
  memcpy(dims, qn_random_dims(x), rank * sizeof *dims);
  const qn_type *types[3];
  for (int64_t left = dims[axis]; left > 0; count++) {
    dims[axis] = count == 2 ? left : qn_random_between(m, 1, left);
    types[count] = like(m, x, rank, dims);
    left -= dims[axis];
  }
  const qn_named_attr attr = {qn_str_of("axis"), qn_attr_i64(&m->cx, axis)};
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = &x,
                                            .operand_count = 1,
                                            .result_types = types,
                                            .result_count = count,
                                            .attrs = &attr,
                                            .attr_count = 1});
  for (uint32_t i = 0; i < count; i++) qn_pool_add(m, &op->results[i]);
  return true;
}

bool qn_make_slice(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  uint32_t rank = x->type->shaped.rank;
  int64_t begin[8], end[8], stride[8], dims[8];
  for (uint32_t i = 0; i < rank; i++) {
    int64_t size = qn_random_dims(x)[i], a, b;
    begin[i] = 0, end[i] = size, stride[i] = 1;
    if (qn_random_between(m, 0, 1)) {
      a = qn_random_between(m, 0, size - 1), b = qn_random_between(m, a + 1, size);
      stride[i] = qn_random_between(m, 1, 3);
      begin[i] = a, end[i] = b;
      if (qn_random_chance(m, 4)) begin[i] = b - 1, end[i] = a - 1, stride[i] = -stride[i];
    }
    int64_t step = stride[i] < 0 ? -stride[i] : stride[i];
    int64_t distance = stride[i] < 0 ? begin[i] - end[i] : end[i] - begin[i];
    dims[i] = (distance + step - 1) / step;
  }
  return keep(m, qn_build_1(&m->b, kind, like(m, x, rank, dims), QN_VALUES(x),
                            QN_ATTRS({"begin", qn_random_i64s(m, begin, rank)},
                                     {"end", qn_random_i64s(m, end, rank)},
                                     {"stride", qn_random_i64s(m, stride, rank)})));
}

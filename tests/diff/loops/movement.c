/* Random ops that move bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "movement.h"

enum { MAX_RANK = 4, MAX_PARTS = 4 };

typedef struct shape {
  uint32_t rank;
  int64_t dims[MAX_RANK];
} shape;

static shape random_shape(maker *m, int64_t limit) {
  shape s = {.rank = (uint32_t)maker_range(m, 1, MAX_RANK)};
  for (uint32_t i = s.rank; i-- > 0;) {
    s.dims[i] = maker_chance(m, 25) ? 1 : maker_dim(m);
    if (s.dims[i] > limit) s.dims[i] = limit;
    limit /= s.dims[i];
  }
  return s;
}

static const qn_type *random_element(maker *m) {
  int kind = (int)maker_range(m, 0, 5);
  return kind == 0   ? qn_type_float(m->cx, QN_F32)
         : kind == 1 ? qn_type_i(m->cx, 32)
                     : maker_byte(m, kind == 2);
}

static qn_value *random_input(maker *m, int64_t limit) {
  shape s = random_shape(m, limit);
  const qn_type *type = maker_tensor(m, random_element(m), s.rank, s.dims);
  return type->shaped.element->kind != QN_TYPE_FLOAT && maker_chance(m, 15)
             ? maker_const_random(m, type)
             : maker_input(m, type);
}

static shape shape_of(const qn_value *x) {
  shape s = {.rank = x->type->shaped.rank};
  for (uint32_t i = 0; i < s.rank; i++) s.dims[i] = x->type->shaped.dims[i];
  return s;
}

static const qn_type *like(maker *m, const qn_value *x, const shape *s) {
  return maker_tensor(m, qn_type_element(x->type), s->rank, s->dims);
}

qn_value *movement_pad(maker *m, qn_value *x) {
  shape s = shape_of(x);
  int64_t pad[2 * MAX_RANK];
  for (uint32_t i = 0; i < s.rank; i++)
    for (uint32_t side = 0; side < 2; side++) {
      pad[2 * i + side] = maker_chance(m, 45) ? maker_range(m, 0, 5) : 0;
      s.dims[i] += pad[2 * i + side];
    }
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(x->type));
  int64_t value = is_unsigned ? maker_range(m, 0, 255) : maker_range(m, -128, 127);
  return maker_op(
      m, QN_OP_ML_PAD, like(m, x, &s), QN_VALUES(x),
      QN_ATTRS({"pad", maker_i64s(m, pad, 2 * s.rank)}, {"value", maker_i64(m, value)}));
}

qn_value *movement_reshape(maker *m, qn_value *x) {
  int64_t count = qn_type_elements(x->type);
  shape s = {.rank = 2, .dims = {1, count}};
  for (int64_t d = 2; d <= 7; d++)
    if (count % d == 0 && maker_chance(m, 50)) s = (shape){.rank = 2, .dims = {d, count / d}};
  if (s.dims[0] == 1 && maker_chance(m, 30)) s = (shape){.rank = 1, .dims = {count}};
  return maker_op(m, QN_OP_ML_RESHAPE, like(m, x, &s), QN_VALUES(x), NULL);
}

qn_value *movement_transpose(maker *m, qn_value *x) {
  shape in = shape_of(x), out = in;
  int64_t perm[MAX_RANK] = {0, 1, 2, 3};
  for (uint32_t i = in.rank - 1; i > 0; i--) {
    int64_t j = maker_range(m, 0, i), other = perm[j];
    perm[j] = perm[i];
    perm[i] = other;
  }
  for (uint32_t i = 0; i < in.rank; i++) out.dims[i] = in.dims[perm[i]];
  return maker_op(m, QN_OP_ML_TRANSPOSE, like(m, x, &out), QN_VALUES(x),
                  QN_ATTRS({"perm", maker_i64s(m, perm, in.rank)}));
}

qn_value *movement_slice(maker *m, qn_value *x) {
  shape s = shape_of(x);
  int64_t begin[MAX_RANK], end[MAX_RANK], stride[MAX_RANK];
  for (uint32_t i = 0; i < s.rank; i++) {
    int64_t n = s.dims[i];
    bool whole = maker_chance(m, 40);
    begin[i] = whole ? 0 : maker_range(m, 0, n - 1);
    end[i] = whole ? n : maker_range(m, begin[i] + 1, n);
    stride[i] = maker_chance(m, 20) ? maker_range(m, 1, 3) : 1;
    s.dims[i] = (end[i] - begin[i] + stride[i] - 1) / stride[i];
  }
  return maker_op(m, QN_OP_ML_SLICE_BY_INDEX, like(m, x, &s), QN_VALUES(x),
                  QN_ATTRS({"begin", maker_i64s(m, begin, s.rank)},
                           {"end", maker_i64s(m, end, s.rank)},
                           {"stride", maker_i64s(m, stride, s.rank)}));
}

qn_value *movement_concat(maker *m, qn_value *const *parts, uint32_t count, uint32_t axis) {
  shape s = shape_of(parts[0]);
  for (uint32_t i = 1; i < count; i++) s.dims[axis] += parts[i]->type->shaped.dims[axis];
  return maker_op(m, QN_OP_ML_CONCAT, like(m, parts[0], &s), parts, count,
                  QN_ATTRS({"axis", maker_i64(m, axis)}));
}

uint32_t movement_split(maker *m, qn_value *x, uint32_t axis, qn_value *out_parts[2]) {
  shape first = shape_of(x), second = first;
  if (first.dims[axis] < 2) return 0;
  first.dims[axis] = maker_range(m, 1, first.dims[axis] - 1);
  second.dims[axis] -= first.dims[axis];
  const qn_type *types[2] = {like(m, x, &first), like(m, x, &second)};
  const qn_named_attr attr = {qn_str_of("axis"), maker_i64(m, axis)};
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = QN_OP_ML_SPLIT,
                                            .operands = &x,
                                            .operand_count = 1,
                                            .result_types = types,
                                            .result_count = 2,
                                            .attrs = &attr,
                                            .attr_count = 1});
  maker_number(m, op);
  out_parts[0] = qn_op_result(op, 0);
  out_parts[1] = qn_op_result(op, 1);
  return 2;
}

/* ---- cases ---- */

static void return_one(maker *m, qn_value *y) { maker_return(m, &y, 1); }

void case_pad(maker *m) { return_one(m, movement_pad(m, random_input(m, 2000))); }
void case_reshape(maker *m) { return_one(m, movement_reshape(m, random_input(m, 9000))); }
void case_transpose(maker *m) { return_one(m, movement_transpose(m, random_input(m, 3000))); }
void case_slice(maker *m) { return_one(m, movement_slice(m, random_input(m, 9000))); }

void case_concat(maker *m) {
  qn_value *parts[MAX_PARTS];
  uint32_t count = (uint32_t)maker_range(m, 1, MAX_PARTS);
  parts[0] = random_input(m, 2000);
  shape s = shape_of(parts[0]);
  uint32_t axis = (uint32_t)maker_range(m, 0, s.rank - 1);
  for (uint32_t i = 1; i < count; i++) {
    s.dims[axis] = maker_range(m, 1, 20);
    const qn_type *type = like(m, parts[0], &s);
    parts[i] = maker_chance(m, 20) ? parts[maker_random(m) % i] : maker_input(m, type);
  }
  return_one(m, movement_concat(m, parts, count, axis));
}

void case_split(maker *m) {
  qn_value *x = random_input(m, 9000), *parts[2];
  uint32_t axis = (uint32_t)maker_range(m, 0, x->type->shaped.rank - 1);
  if (movement_split(m, x, axis, parts) == 2)
    maker_return(m, parts, 2);
  else
    return_one(m, x);
}

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

/* The same values as bytes of the other signedness: the sign bits flip. */
static qn_value *flip(maker *m, qn_value *x) {
  enum { ENTRIES = 256, SIGN = 128 };
  int64_t table[ENTRIES], size = ENTRIES;
  const bool to_unsigned = !qn_type_is_unsigned(qn_type_element(x->type));
  for (int64_t i = 0; i < ENTRIES; i++) table[i] = to_unsigned ? i ^ SIGN : (int8_t)(i ^ SIGN);
  const qn_type *element = maker_byte(m, to_unsigned);
  qn_value *entries = maker_const(m, element, 1, &size, table);
  return maker_op(m, QN_OP_ML_LUT, qn_type_with_element(m->cx, x->type, element),
                  QN_VALUES(x, entries), NULL);
}

/* Images as narrow as a pixel and as low as their border, and bits that the kernel flips. */
void case_rows_to_depth(maker *m) {
  enum { MOST_ROWS = 16, MOST_DEPTH = 64 };
  const int64_t depth = maker_range(m, 1, 5), border = maker_chance(m, 50) ? 4 : 0;
  const int64_t dims[MAX_RANK] = {
      maker_chance(m, 30) ? 3 : 1, maker_range(m, 1, 12),
      maker_chance(m, 30) ? maker_range(m, 1, 9) : maker_range(m, 10, 90), depth};
  const bool is_unsigned = maker_chance(m, 50), flips = maker_chance(m, 30);
  qn_value *x = maker_input(m, maker_tensor(m, maker_byte(m, is_unsigned), MAX_RANK, dims));
  if (flips) x = flip(m, x);
  int64_t pad[MAX_RANK];
  for (int i = 0; i < MAX_RANK; i++) pad[i] = maker_range(m, 0, border);
  const int64_t height = dims[1] + pad[0] + pad[1];
  int64_t most = height < MOST_DEPTH / depth ? height : MOST_DEPTH / depth;
  if (most > MOST_ROWS) most = MOST_ROWS;
  const int64_t rows = maker_range(m, 1, most), step = maker_range(m, 1, 4);
  const shape s = {
      .rank = MAX_RANK,
      .dims = {dims[0], (height - rows) / step + 1, dims[2] + pad[2] + pad[3], rows * depth}};
  const bool from_zero = qn_type_is_unsigned(qn_type_element(x->type));
  const int64_t value = from_zero ? maker_range(m, 0, 255) : maker_range(m, -128, 127);
  return_one(
      m, maker_op(m, QN_OP_ML_ROWS_TO_DEPTH, like(m, x, &s), QN_VALUES(x),
                  QN_ATTRS({"rows", maker_i64(m, rows)}, {"step", maker_i64(m, step)},
                           {"pad", maker_i64s(m, pad, MAX_RANK)}, {"value", maker_i64(m, value)})));
}
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

/* Random linalg.generic ops: loops in any order, reductions in lanes and in order, windows,
 * broadcasts, transposed and repeated accesses, bodies with numbers of many widths, and chains that
 * may be computed in place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/generic.h"
#include "maker.h"

enum { MAX_LOOPS = 4 };

typedef struct nest {
  maker *m;
  uint32_t loops;
  int64_t ranges[MAX_LOOPS];
  uint64_t reductions;
  qn_generic g;
} nest;

static const qn_type *f32_of(maker *m) { return qn_type_float(m->cx, QN_F32); }

static void make_loops(nest *n) {
  int64_t limit = 3000;
  n->loops = (uint32_t)maker_range(n->m, 1, MAX_LOOPS);
  for (uint32_t i = n->loops; i-- > 0;) {
    n->ranges[i] = maker_dim(n->m);
    if (n->ranges[i] > limit) n->ranges[i] = limit;
    limit /= n->ranges[i];
    if (maker_chance(n->m, 30)) n->reductions |= UINT64_C(1) << i;
  }
}

static const qn_type *element_type(maker *m) {
  static const uint32_t widths[] = {8, 16, 32};
  if (maker_chance(m, 70)) return f32_of(m);
  return qn_type_i(m->cx, widths[maker_random(m) % QN_COUNT(widths)]);
}

/* ---- operands ---- */

/* Draws an index expression, and the size of the dimension that it needs. */
static const qn_affine_expr *random_index(nest *n, uint32_t loop, int64_t *out_size) {
  qn_ir_context *cx = n->m->cx;
  const qn_affine_expr *e = qn_affine_dim(cx, loop);
  *out_size = n->ranges[loop];
  if (maker_chance(n->m, 80)) return e;
  uint32_t other = maker_random(n->m) % n->loops;
  switch (maker_random(n->m) % 4) {
  case 0: /* a window */
    *out_size = 2 * (n->ranges[loop] - 1) + n->ranges[other] + 1;
    e = qn_affine_add(cx, qn_affine_scaled(cx, e, 2), qn_affine_dim(cx, other));
    return qn_affine_add(cx, e, qn_affine_const(cx, 1));
  case 1:
    *out_size = (n->ranges[loop] - 1) / 3 + 1;
    return qn_affine_floordiv(cx, e, 3);
  case 2:
    *out_size = n->ranges[loop] + 2;
    return qn_affine_add(cx, e, qn_affine_const(cx, 2));
  default:
    *out_size = 3;
    return qn_affine_const(cx, 1);
  }
}

static qn_value *value_of(maker *m, const qn_type *type) {
  if (qn_type_element(type)->kind == QN_TYPE_INTEGER && maker_chance(m, 20))
    return maker_const_random(m, type);
  if (!maker_chance(m, 15)) return maker_input(m, type);
  static const float numbers[] = {0.0f, -0.0f, 1.5f};
  float x = numbers[maker_random(m) % QN_COUNT(numbers)];
  uint32_t i = maker_random(m) % 3;
  bool is_float = qn_type_element(type)->kind == QN_TYPE_FLOAT;
  qn_bytes bytes = {is_float ? (const uint8_t *)&x : (const uint8_t *)&i,
                    qn_type_bytes(qn_type_element(type))};
  return qn_build_1(&m->b, QN_OP_ARITH_CONSTANT, type, NULL, 0,
                    QN_ATTRS({"value", qn_attr_dense(m->cx, type, bytes, true)}));
}

static void add_operand(nest *n, qn_value *value, const qn_affine_expr *const *at, uint32_t rank) {
  n->g.operands[n->g.operand_count] = value;
  n->g.maps[n->g.operand_count++] = qn_generic_map_of(n->m->cx, n->loops, at, rank);
}

/* An operand that all loops index, in order or not. `x` is used if it has the shape. */
static void add_whole(nest *n, qn_value *x, bool in_order) {
  const qn_affine_expr *at[MAX_LOOPS];
  int64_t dims[MAX_LOOPS];
  uint32_t turned = !in_order && maker_chance(n->m, 25) ? maker_random(n->m) % n->loops : 0;
  for (uint32_t i = 0; i < n->loops; i++) {
    uint32_t loop = (i + turned) % n->loops;
    at[i] = qn_affine_dim(n->m->cx, loop);
    dims[i] = n->ranges[loop];
  }
  const qn_type *type = maker_tensor(n->m, element_type(n->m), n->loops, dims);
  bool fits = x && x->type->shaped.rank == n->loops;
  for (uint32_t i = 0; fits && i < n->loops; i++) fits = x->type->shaped.dims[i] == dims[i];
  add_operand(n, fits ? x : value_of(n->m, type), at, n->loops);
}

/* An operand that some loops index, each in any way. */
static void add_partial(nest *n) {
  const qn_affine_expr *at[MAX_LOOPS];
  int64_t dims[MAX_LOOPS];
  uint32_t rank = 0;
  for (uint32_t i = 0; i < n->loops; i++)
    if (maker_chance(n->m, 60)) {
      at[rank] = random_index(n, i, &dims[rank]);
      rank++;
    }
  add_operand(n, value_of(n->m, maker_tensor(n->m, element_type(n->m), rank, dims)), at, rank);
}

static void add_output(nest *n, bool reads) {
  const qn_affine_expr *at[MAX_LOOPS];
  int64_t dims[MAX_LOOPS];
  uint32_t rank = 0;
  for (uint32_t i = 0; i < n->loops; i++) {
    if (n->reductions >> i & 1) continue;
    at[rank] = qn_affine_dim(n->m->cx, i);
    dims[rank++] = n->ranges[i];
  }
  const qn_type *element = element_type(n->m);
  const qn_type *type = maker_tensor(n->m, element, rank, dims);
  qn_value *initial =
      reads ? value_of(n->m, type) : qn_build_1(&n->m->b, QN_OP_TENSOR_EMPTY, type, NULL, 0, NULL);
  add_operand(n, initial, at, rank);
}

/* ---- bodies ---- */

/* Converts x to the float type with which the body computes. */
static qn_value *to_float(nest *n, qn_value *x, const qn_type *real) {
  qn_builder *b = &n->m->b;
  if (x->type == real) return x;
  if (x->type->kind == QN_TYPE_INTEGER) return qn_build_unary(b, QN_OP_ARITH_SITOFP, x, real);
  bool wider = qn_type_bytes(real) > qn_type_bytes(x->type);
  return qn_build_unary(b, wider ? QN_OP_ARITH_EXTF : QN_OP_ARITH_TRUNCF, x, real);
}

/* Limits x to values that every integer type holds, and that are not negligible beside each other.
 */
static qn_value *clamped(nest *n, qn_value *x) {
  qn_builder *b = &n->m->b;
  x = qn_build_binary(b, QN_OP_ARITH_MAXNUMF, x, qn_build_float(b, -100, x->type));
  return qn_build_binary(b, QN_OP_ARITH_MINNUMF, x, qn_build_float(b, 100, x->type));
}

static qn_value *from_float(nest *n, qn_value *x, const qn_type *type) {
  if (type->kind == QN_TYPE_FLOAT) return to_float(n, x, type);
  x = clamped(n, to_float(n, x, f32_of(n->m)));
  return qn_build_unary(&n->m->b, QN_OP_ARITH_FPTOSI, x, type);
}

static qn_value *index_as_float(nest *n, const qn_type *real) {
  qn_builder *b = &n->m->b;
  const qn_attr *loop = qn_attr_i64(n->m->cx, maker_random(n->m) % n->loops);
  qn_value *i =
      qn_build_1(b, QN_OP_LINALG_INDEX, qn_type_index(n->m->cx), NULL, 0, QN_ATTRS({"dim", loop}));
  i = qn_build_unary(b, QN_OP_ARITH_INDEX_CAST, i, qn_type_i(n->m->cx, 32));
  return qn_build_unary(b, QN_OP_ARITH_SITOFP, i, real);
}

static qn_value *mixed(nest *n, qn_value *x, qn_value *y) {
  static const qn_op_kind kinds[] = {QN_OP_ARITH_ADDF, QN_OP_ARITH_SUBF, QN_OP_ARITH_MULF,
                                     QN_OP_ARITH_MAXIMUMF, QN_OP_ARITH_MINNUMF};
  qn_builder *b = &n->m->b;
  if (maker_chance(n->m, 80))
    return qn_build_binary(b, kinds[maker_random(n->m) % QN_COUNT(kinds)], x, y);
  const qn_attr *predicate = qn_attr_i64(n->m->cx, maker_random(n->m) % 16);
  qn_value *less = qn_build_1(b, QN_OP_ARITH_CMPF, qn_type_i(n->m->cx, 1), QN_VALUES(x, y),
                              QN_ATTRS({"predicate", predicate}));
  return qn_build_select(b, less, x, y);
}

static qn_value *new_number(nest *n, const qn_op *op, const qn_type *real) {
  /* Sums of multiples of 1/7 are inexact, so a wrong order is detected. */
  qn_value *y = qn_build_float(&n->m->b, (double)maker_range(n->m, -25, 25) / 7, real);
  for (uint32_t i = 0; i + 1 < n->g.operand_count; i++)
    if (!maker_chance(n->m, 20)) y = mixed(n, to_float(n, qn_op_body(op)->args[i], real), y);
  if (maker_chance(n->m, 20)) y = mixed(n, y, index_as_float(n, real));
  return y;
}

static qn_value *joined(nest *n, qn_value *acc, qn_value *x) {
  static const qn_op_kind floats[] = {QN_OP_ARITH_ADDF,     QN_OP_ARITH_ADDF,     QN_OP_ARITH_MULF,
                                      QN_OP_ARITH_MAXIMUMF, QN_OP_ARITH_MINIMUMF, QN_OP_ARITH_SUBF};
  static const qn_op_kind integers[] = {QN_OP_ARITH_ADDI,  QN_OP_ARITH_MULI, QN_OP_ARITH_MAXSI,
                                        QN_OP_ARITH_MINUI, QN_OP_ARITH_XORI, QN_OP_ARITH_ANDI};
  bool is_float = acc->type->kind == QN_TYPE_FLOAT;
  size_t pick = maker_random(n->m) % 6;
  bool first = maker_chance(n->m, 50);
  return qn_build_binary(&n->m->b, is_float ? floats[pick] : integers[pick], first ? acc : x,
                         first ? x : acc);
}

/* The op with a random body, for operands that are listed. */
static qn_value *make_nest(nest *n, bool reads) {
  static const qn_float_kind kinds[] = {QN_F32, QN_F32, QN_F32, QN_F64, QN_F16, QN_BF16};
  maker *m = n->m;
  n->g.loops = n->loops;
  n->g.reductions = n->reductions;
  const qn_type *real = qn_type_float(m->cx, kinds[maker_random(m) % QN_COUNT(kinds)]);
  qn_op *op = qn_generic_open(&m->b, &n->g);
  qn_value *acc = qn_op_body(op)->args[n->g.operand_count - 1];
  qn_value *y = from_float(n, new_number(n, op, real), acc->type);
  if (reads) y = joined(n, acc, y);
  y = qn_generic_close(&m->b, op, y);
  maker_number(m, op);
  return y;
}

static qn_value *make_generic(maker *m, qn_value *x) {
  nest n = {.m = m};
  make_loops(&n);
  bool reads = n.reductions || maker_chance(m, 30);
  add_whole(&n, x, false);
  for (int64_t i = maker_range(m, 0, 2); i > 0; i--) add_partial(&n);
  add_output(&n, reads);
  return make_nest(&n, reads);
}

/* Elementwise ops of arith, which may overwrite their operands. */
static qn_value *make_elementwise(maker *m, qn_value *x) {
  qn_value *y = maker_input(m, x->type);
  bool is_float = qn_type_element(x->type)->kind == QN_TYPE_FLOAT;
  x = maker_op(m, is_float ? QN_OP_ARITH_MULF : QN_OP_ARITH_XORI, x->type, QN_VALUES(x, y), NULL);
  return maker_op(m, is_float ? QN_OP_ARITH_SUBF : QN_OP_ARITH_ADDI, x->type, QN_VALUES(y, x),
                  NULL);
}

void case_generic(maker *m) {
  qn_value *x = make_generic(m, NULL), *results[3];
  uint32_t count = 0;
  if (maker_chance(m, 30)) results[count++] = x;
  if (maker_chance(m, 50)) x = make_elementwise(m, x);
  if (maker_chance(m, 60)) x = make_generic(m, x);
  results[count++] = x;
  maker_return(m, results, count);
}

/* A value of the type whose rows were gathered along dimensions, at positions some of which are
 * outside. */
static qn_value *gathered(maker *m, const qn_type *type, int times) {
  enum { MOST = 64 };
  const uint32_t rank = type->shaped.rank; /* at least 3 */
  const uint32_t inner = 1 + maker_random(m) % (rank - 2);
  const uint32_t axis = maker_chance(m, 90) ? inner : maker_random(m) % rank;
  int64_t dims[MAX_LOOPS], count = type->shaped.dims[axis];
  int32_t at[MOST];
  if (times == 0 || count > MOST) return maker_input(m, type);
  for (uint32_t d = 0; d < rank; d++) dims[d] = type->shaped.dims[d];
  dims[axis] = maker_range(m, 1, 9);
  for (int64_t i = 0; i < count; i++) at[i] = (int32_t)maker_range(m, -1, dims[axis]);
  qn_value *x = gathered(m, maker_tensor(m, qn_type_element(type), rank, dims), times - 1);
  const qn_type *row = maker_tensor(m, qn_type_i(m->cx, 32), 1, &count);
  qn_bytes bytes = {(const uint8_t *)at, (size_t)count * sizeof *at};
  qn_value *indices = qn_build_1(&m->b, QN_OP_ARITH_CONSTANT, row, NULL, 0,
                                 QN_ATTRS({"value", qn_attr_dense(m->cx, row, bytes, false)}));
  return maker_op(m, QN_OP_ML_GATHER, type, QN_VALUES(x, indices),
                  QN_ATTRS({"axis", qn_attr_i64(m->cx, axis)}));
}

/* Nests whose operands were gathered, as those of resizing are: kernels read the sources. */
void case_gathered(maker *m) {
  nest n = {.m = m};
  do make_loops(&n);
  while (n.loops < 3);
  n.reductions = 0;
  for (int64_t i = maker_range(m, 1, 3); i > 0; i--) {
    const qn_affine_expr *at[MAX_LOOPS];
    int64_t dims[MAX_LOOPS];
    uint32_t turned = maker_chance(m, 25) ? 1 : 0;
    for (uint32_t d = 0; d < n.loops; d++) {
      at[d] = qn_affine_dim(m->cx, (d + turned) % n.loops);
      dims[d] = n.ranges[(d + turned) % n.loops];
    }
    const qn_type *type = maker_tensor(m, element_type(m), n.loops, dims);
    qn_value *x = gathered(m, type, (int)maker_range(m, 1, 3));
    if (maker_chance(m, 20)) add_operand(&n, x, at, n.loops);
    add_operand(&n, x, at, n.loops);
  }
  if (maker_chance(m, 30)) add_partial(&n);
  add_output(&n, false);
  qn_value *y = make_nest(&n, false);
  if (maker_chance(m, 30)) y = make_elementwise(m, y);
  maker_return(m, &y, 1);
}

/* Sums, products, minima and maxima of rows, of one tensor or two. Outer dimensions may be reduced,
 * too. */
void case_rows(maker *m) {
  static const qn_op_kind joins[] = {QN_OP_ARITH_ADDF, QN_OP_ARITH_ADDF, QN_OP_ARITH_MULF,
                                     QN_OP_ARITH_MAXIMUMF};
  static const qn_float_kind kinds[] = {QN_F32, QN_F32, QN_F64, QN_F16};
  nest n = {.m = m};
  make_loops(&n);
  n.reductions |= UINT64_C(1) << (n.loops - 1);
  for (int64_t i = maker_range(m, 1, 2); i > 0; i--) add_whole(&n, NULL, true);
  add_output(&n, true);
  n.g.loops = n.loops;
  n.g.reductions = n.reductions;
  qn_op *op = qn_generic_open(&m->b, &n.g);
  qn_value *acc = qn_op_body(op)->args[n.g.operand_count - 1];
  const qn_type *real = qn_type_float(m->cx, kinds[maker_random(m) % QN_COUNT(kinds)]);
  qn_value *y = new_number(&n, op, real);
  if (maker_chance(m, 80)) y = clamped(&n, y);
  y = from_float(&n, y, acc->type);
  if (acc->type->kind == QN_TYPE_FLOAT)
    y = qn_build_binary(&m->b, joins[maker_random(m) % QN_COUNT(joins)], acc, y);
  else
    y = joined(&n, acc, y);
  y = qn_generic_close(&m->b, op, y);
  maker_number(m, op);
  maker_return(m, &y, 1);
}

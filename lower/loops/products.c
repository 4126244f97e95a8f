/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/products.h"

#include "lower/loops/vec.h"

enum { QUAD = 4 };

static qn_value *add(qn_builder *b, qn_value *x, qn_value *y) {
  return qn_build_binary(b, QN_OP_ARITH_ADDI, x, y);
}

qn_value *qn_products_in_lanes(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y,
                               bool x_unsigned) {
  QN_ASSERT(x->type == y->type && qn_vec_count(x) % qn_vec_count(acc) == 0);
  return qn_build_1(b, QN_OP_QUERN_DOT, acc->type, QN_VALUES(acc, x, y),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(b->cx, x_unsigned)}));
}

qn_value *qn_dot_build_blocks(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned) {
  QN_ASSERT(dot->op == QN_OP_QUERN_DOT_BLOCKS && dot->block == 2 && qn_dot_takes(dot, x_unsigned));
  return qn_build_1(b, dot->op, acc->type, QN_VALUES(acc, x, w),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(b->cx, x_unsigned)}));
}

qn_value *qn_dot_build_across(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned) {
  QN_ASSERT(dot->op == QN_OP_QUERN_DOT && qn_dot_takes(dot, x_unsigned));
  QN_ASSERT(qn_vec_count(acc) == 1 && qn_vec_count(x) == (int64_t)dot->depth);
  return qn_products_in_lanes(b, acc, x, w, x_unsigned);
}

qn_value *qn_products_joined(qn_builder *b, qn_value *acc, qn_value *x, qn_value *w,
                             bool x_unsigned) {
  QN_ASSERT(x->type == w->type && qn_vec_count(x) == QUAD * qn_vec_count(acc));
  return qn_build_1(b, QN_OP_QUERN_DOT_JOINED, acc->type, QN_VALUES(acc, x, w),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(b->cx, x_unsigned)}));
}

qn_value *qn_products_of_pairs(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y) {
  QN_ASSERT(x->type == y->type && qn_vec_count(x) == 2 * qn_vec_count(acc));
  return add(b, acc, qn_build_1(b, QN_OP_QUERN_MADD_S16, acc->type, QN_VALUES(x, y), NULL));
}

qn_value *qn_products_add_pairs(qn_builder *b, qn_value *acc, qn_value *pairs) {
  return qn_products_of_pairs(b, acc, pairs, qn_build_int(b, 1, pairs->type));
}

qn_value *qn_products_single(qn_builder *b, qn_value *acc, qn_value *x, qn_value *w) {
  const qn_type *element = qn_type_element(acc->type);
  x = qn_vec_cast(b, QN_OP_ARITH_EXTSI, x, element);
  w = qn_vec_cast(b, QN_OP_ARITH_EXTSI, w, element);
  return add(b, acc, qn_build_binary(b, QN_OP_ARITH_MULI, x, w));
}

qn_value *qn_dot_build_single(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned) {
  QN_ASSERT(dot->single && qn_dot_takes(dot, x_unsigned));
  return qn_dot_widens(dot) ? qn_products_single(b, acc, x, w)
                            : qn_products_in_lanes(b, acc, x, w, x_unsigned);
}

/* Products of two vectors of signed bytes, in 16 bits. */
static qn_value *widen_and_multiply(qn_builder *b, qn_value *x, qn_value *w) {
  const qn_type *i16 = qn_type_i(b->cx, 16);
  x = qn_vec_cast(b, QN_OP_ARITH_EXTSI, x, i16);
  w = qn_vec_cast(b, QN_OP_ARITH_EXTSI, w, i16);
  return qn_build_binary(b, QN_OP_ARITH_MULI, x, w);
}

qn_value *qn_dot_build_narrow(qn_builder *b, const qn_dot *dot, qn_value *sum, qn_value *x,
                              qn_value *w, bool x_unsigned) {
  QN_ASSERT(dot->sum_bits == 16 && qn_dot_takes(dot, x_unsigned));
  qn_value *one;
  if (qn_dot_is_grouped(dot)) {
    QN_ASSERT(dot->op == QN_OP_ARITH_MULI && !x_unsigned);
    one = widen_and_multiply(b, x, w);
  } else {
    QN_ASSERT(dot->op == QN_OP_QUERN_MADD_U8S8 && x_unsigned);
    const qn_type *type = qn_type_vec(b->cx, qn_type_i(b->cx, 16), qn_vec_count(x) / 2);
    one = qn_build_1(b, dot->op, type, QN_VALUES(x, w), NULL);
  }
  return sum ? add(b, sum, one) : one;
}

qn_value *qn_dot_add_narrow(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *sum) {
  QN_ASSERT(dot->sum_bits == 16 && qn_vec_count(sum) == qn_vec_count(acc) * dot->sums);
  if (dot->sums == 2) return qn_products_add_pairs(b, acc, sum);
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, sum, qn_type_element(acc->type));
  return add(b, acc, wide);
}

qn_value *qn_dot_spread(qn_builder *b, const qn_dot *dot, qn_value *quads, int64_t quad,
                        int64_t lanes) {
  int64_t run = qn_dot_run(dot), mask[QN_VEC_MAX_BYTES];
  const qn_type *i8 = qn_type_i(b->cx, 8);
  if (run == QUAD || qn_vec_count(quads) != lanes) {
    quads = qn_vec_broadcast(b, qn_vec_extract(b, quads, quad), lanes);
    quad = 0;
  }
  qn_value *bytes = qn_vec_bitcast(b, quads, i8);
  if (run == QUAD) return bytes;
  for (int64_t i = 0; i < QUAD * lanes; i++)
    mask[i] = QUAD * quad + i / (lanes * run) * run + i % run;
  return qn_vec_shuffle(b, bytes, bytes, mask, QUAD * lanes);
}

/* Adds the products of a pair of vectors in 16 bits. One op multiplies all elements of the vectors,
 * or a part of them. */
static qn_value *build_all_narrow(qn_builder *b, const qn_dot *dot, qn_value *sum, qn_factors f,
                                  int64_t lanes, bool x_unsigned) {
  int64_t each = lanes * qn_dot_run(dot), count = qn_vec_count(f.x);
  QN_ASSERT(count % each == 0);
  for (int64_t at = 0; at < count; at += each) {
    qn_value *x = qn_vec_slice(b, f.x, at, each);
    qn_value *w = qn_vec_slice(b, f.w, at, each);
    sum = qn_dot_build_narrow(b, dot, sum, x, w, x_unsigned);
  }
  return sum;
}

qn_value *qn_dot_build(qn_builder *b, const qn_dot *dot, qn_value *acc, const qn_factors *factors,
                       uint32_t count, bool x_unsigned) {
  QN_ASSERT(count > 0 && qn_dot_takes(dot, x_unsigned) && dot->block == 1);
  if (dot->sum_bits == 16) {
    qn_value *sum = NULL;
    for (uint32_t i = 0; i < count; i++)
      sum = build_all_narrow(b, dot, sum, factors[i], qn_vec_count(acc), x_unsigned);
    return qn_dot_add_narrow(b, dot, acc, sum);
  }
  bool in_lanes = dot->op == QN_OP_QUERN_DOT;
  QN_ASSERT(in_lanes || dot->bytes == 2);
  for (uint32_t i = 0; i < count; i++) {
    const qn_factors *f = &factors[i];
    acc = in_lanes ? qn_products_in_lanes(b, acc, f->x, f->w, x_unsigned)
                   : qn_products_of_pairs(b, acc, f->x, f->w);
  }
  return acc;
}

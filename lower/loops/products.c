/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/products.h"

#include "lower/loops/vec.h"

static qn_value *add(qn_builder *b, qn_value *x, qn_value *y) {
  return qn_build_binary(b, QN_OP_ARITH_ADDI, x, y);
}

qn_value *qn_products_in_lanes(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y,
                               bool x_unsigned) {
  return qn_build_1(b, QN_OP_QUERN_DOT, acc->type, QN_VALUES(acc, x, y),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(b->cx, x_unsigned)}));
}

qn_value *qn_dot_build_blocks(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned) {
  QN_ASSERT(dot->op == QN_OP_QUERN_DOT_BLOCKS && dot->block == 2 && qn_dot_takes(dot, x_unsigned));
  return qn_build_1(b, dot->op, acc->type, QN_VALUES(acc, x, w),
                    QN_ATTRS({"a_unsigned", qn_attr_bool(b->cx, x_unsigned)}));
}

qn_value *qn_products_of_pairs(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y) {
  return add(b, acc, qn_build_1(b, QN_OP_QUERN_MADD_S16, acc->type, QN_VALUES(x, y), NULL));
}

qn_value *qn_products_add_pairs(qn_builder *b, qn_value *acc, qn_value *pairs) {
  return qn_products_of_pairs(b, acc, pairs, qn_build_int(b, 1, pairs->type));
}

qn_value *qn_dot_build_narrow(qn_builder *b, const qn_dot *dot, qn_value *sum, qn_value *x,
                              qn_value *w, bool x_unsigned) {
  QN_ASSERT(dot->op == QN_OP_QUERN_MADD_U8S8 && dot->sum_bits == 16);
  QN_ASSERT(qn_dot_takes(dot, x_unsigned) && x_unsigned);
  const qn_type *type = qn_type_vec(b->cx, qn_type_i(b->cx, 16), qn_vec_count(x) / 2);
  qn_value *one = qn_build_1(b, dot->op, type, QN_VALUES(x, w), NULL);
  return sum ? add(b, sum, one) : one;
}

qn_value *qn_dot_build(qn_builder *b, const qn_dot *dot, qn_value *acc, const qn_factors *factors,
                       uint32_t count, bool x_unsigned) {
  QN_ASSERT(count > 0 && qn_dot_takes(dot, x_unsigned) && dot->block == 1);
  if (dot->sum_bits == 16) {
    qn_value *sum = NULL;
    for (uint32_t i = 0; i < count; i++)
      sum = qn_dot_build_narrow(b, dot, sum, factors[i].x, factors[i].w, x_unsigned);
    return qn_products_add_pairs(b, acc, sum);
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

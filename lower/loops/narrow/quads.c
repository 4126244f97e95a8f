/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/quads.h"

#include "lower/loops/vec.h"

enum { BYTE_BITS = 8, BYTE_MASK = 255 };

qn_value *qn_narrow_quad(qn_builder *b, qn_value *x, qn_value *at, int64_t offset, int64_t bytes,
                         int64_t lanes) {
  const qn_type *i8 = qn_type_i(b->cx, 8), *i32 = qn_type_i(b->cx, 32);
  x = qn_vec_load(b, x, at, offset, bytes);
  if (bytes < QN_NARROW_QUAD) {
    int64_t mask[QN_NARROW_QUAD];
    for (int64_t i = 0; i < QN_NARROW_QUAD; i++) mask[i] = i < bytes ? i : bytes;
    x = qn_vec_shuffle(b, x, qn_vec_splat(b, 0, i8, bytes), mask, QN_NARROW_QUAD);
  }
  x = qn_vec_extract(b, qn_vec_bitcast(b, x, i32), 0);
  return qn_vec_bitcast(b, qn_vec_broadcast(b, x, lanes), i8);
}

static qn_value *shifted(qn_builder *b, qn_op_kind kind, qn_value *v) {
  const qn_type *i16 = qn_type_i(b->cx, 16);
  return qn_build_binary(b, kind, v, qn_vec_splat(b, BYTE_BITS, i16, qn_vec_count(v)));
}

qn_narrow_halves qn_narrow_unsigned_halves(qn_builder *b, qn_value *bytes) {
  const qn_type *i16 = qn_type_i(b->cx, 16);
  qn_value *v = qn_vec_bitcast(b, bytes, i16);
  qn_value *mask = qn_vec_splat(b, BYTE_MASK, i16, qn_vec_count(v));
  qn_value *even = qn_build_binary(b, QN_OP_ARITH_ANDI, v, mask);
  return (qn_narrow_halves){even, shifted(b, QN_OP_ARITH_SHRUI, v)};
}

qn_narrow_halves qn_narrow_signed_halves(qn_builder *b, qn_value *bytes) {
  qn_value *v = qn_vec_bitcast(b, bytes, qn_type_i(b->cx, 16));
  qn_value *even = shifted(b, QN_OP_ARITH_SHRSI, shifted(b, QN_OP_ARITH_SHLI, v));
  return (qn_narrow_halves){even, shifted(b, QN_OP_ARITH_SHRSI, v)};
}

static qn_value *add_pairs(qn_builder *b, qn_value *sum, qn_value *x, qn_value *w) {
  qn_value *products = qn_build_1(b, QN_OP_QUERN_MADD_S16, sum->type, QN_VALUES(x, w), NULL);
  return qn_build_binary(b, QN_OP_ARITH_ADDI, sum, products);
}

qn_value *qn_narrow_add_products(qn_builder *b, qn_value *sum, const qn_narrow_halves *x,
                                 const qn_narrow_halves *w) {
  return add_pairs(b, add_pairs(b, sum, x->even, w->even), x->odd, w->odd);
}

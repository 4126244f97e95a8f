/* Dot products of int16 pairs: pairs of inputs are broadcast, pairs of weights are loaded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/int16/dot16.h"

#include "lower/loops/compact.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"
#include "lower/loops/vec.h"

enum { AT_ONCE = 2 /* pairs per iteration if weights are widened, which takes longer */ };

void qn_dot16_pack(const qn_dot16 *d, qn_dot16_weight *weight, const void *user, int16_t *out) {
  for (int64_t k = 0; k < d->depth; k += 2)
    for (int64_t c = 0; c < d->columns; c++) {
      *out++ = (int16_t)weight(user, c, k);
      *out++ = k + 1 < d->depth ? (int16_t)weight(user, c, k + 1) : 0;
    }
}

qn_value *qn_dot16_pair(qn_builder *b, qn_value *x, qn_value *index, bool single) {
  const qn_type *i16 = qn_type_i(b->cx, 16), *i32 = qn_type_i(b->cx, 32);
  qn_value *pair = qn_vec_load(b, x, index, 0, single ? 1 : 2);
  if (single) {
    pair = qn_vec_cast(b, QN_OP_ARITH_EXTSI, pair, i32);
    pair = qn_build_binary_int(b, QN_OP_ARITH_ANDI, pair, UINT16_MAX);
    return qn_vec_extract(b, pair, 0);
  }
  if (qn_type_element(pair->type) != i16) pair = qn_vec_cast(b, QN_OP_ARITH_EXTSI, pair, i16);
  return qn_vec_extract(b, qn_vec_bitcast(b, pair, i32), 0);
}

static qn_value *add_pair(qn_builder *b, const qn_dot16 *d, const qn_dot16_operands *o,
                          qn_value *column, qn_value *k, bool single, qn_value *acc) {
  int64_t lanes = qn_vec_count(acc);
  qn_value *pair = qn_dot16_pair(b, o->x, qn_nest_add(b, o->x_base, k), single);
  qn_value *inputs = qn_vec_bitcast(b, qn_vec_broadcast(b, pair, lanes), qn_type_i(b->cx, 16));
  /* k is even: the weights of pair k / 2 start at k * columns. */
  qn_value *at = qn_nest_add(b, o->weights_base, qn_index_affine(b, k, d->columns, 0));
  at = qn_nest_add(b, at, qn_index_affine(b, column, 2, 0));
  qn_value *weights = qn_compact_load(b, o->weights, NULL, at, 0, 2 * lanes);
  return qn_products_of_pairs(b, acc, inputs, weights);
}

qn_value *qn_dot16_build(qn_builder *b, const qn_dot16 *d, const qn_dot16_operands *operands,
                         qn_value *column, qn_value *acc) {
  bool narrow = qn_type_element(operands->weights->type) == qn_type_i(b->cx, 8);
  int64_t pairs = d->depth / 2 * 2, step = narrow ? 2 * AT_ONCE : 2, whole = pairs / step * step;
  if (whole > 0) {
    qn_carry loop = qn_carry_begin(b, 0, whole, step, &acc, 1);
    for (int64_t k = 0; k < step; k += 2) {
      qn_value *at = qn_index_add(b, loop.index, k);
      acc = add_pair(b, d, operands, column, at, false, acc);
    }
    qn_carry_end(b, &loop);
  }
  for (int64_t k = whole; k < d->depth; k += 2) {
    qn_value *at = qn_build_index(b, k);
    acc = add_pair(b, d, operands, column, at, k + 1 == d->depth, acc);
  }
  return acc;
}

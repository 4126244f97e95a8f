/* Depthwise convolution tap by tap, as in groups.c, where instructions take the even or the odd
 * lanes of vectors: products in 16 bits are those of the even and those of the odd channels, and
 * accumulators those of every fourth channel. So nothing is interleaved before the results are
 * narrowed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/products.h"

typedef qn_depthwise_emitter emitter;

enum { PARITIES = 2 };

/* The even or the odd lanes. */
static qn_value *lanes_of(emitter *e, qn_value *vector, int64_t parity) {
  int64_t mask[QN_VEC_MAX_BYTES], count = qn_vec_count(vector) / PARITIES;
  for (int64_t i = 0; i < count; i++) mask[i] = PARITIES * i + parity;
  return qn_vec_shuffle(e->b, vector, vector, mask, count);
}

/* Adds the sums of a group to the accumulators of a pixel, which are NULL before the first group,
 * and begins new ones. */
static void widen(emitter *e, qn_value **narrow, qn_value **sums) {
  for (int64_t p = 0; p < PARITIES; p++) {
    for (int64_t q = 0; q < PARITIES; q++) {
      qn_value **to = &sums[PARITIES * p + q], *own = lanes_of(e, narrow[p], q);
      *to = *to ? qn_dot_add_narrow(e->b, e->d->dot, *to, own)
                : qn_vec_cast(e->b, QN_OP_ARITH_EXTSI, own, e->i32);
    }
    narrow[p] = NULL;
  }
}

/* Adds the products of a tap of one pixel. */
static void add_tap(emitter *e, qn_value *x, qn_value *w, qn_value **narrow) {
  const qn_depthwise *d = e->d;
  bool x_unsigned = qn_dot_sees_unsigned(d->dot, d->weights->x_unsigned);
  for (int64_t p = 0; p < PARITIES; p++) {
    qn_value *own = lanes_of(e, x, p);
    narrow[p] = qn_dot_build_narrow(e->b, d->dot, narrow[p], own, lanes_of(e, w, p), x_unsigned);
  }
}

/* Initial accumulators are added last, because the registers of the accumulators and of the
 * products of one group are all that there are. A boundary keeps the products of the next group
 * behind. */
static void add_starts(emitter *e, qn_depthwise_pixels *pixels) {
  uint32_t vectors = e->d->variant.vectors;
  for (uint32_t v = 0; v < vectors; v++) {
    qn_value *starts[QN_DEPTHWISE_PIXELS];
    qn_depthwise_start(e, v, starts, (uint32_t)pixels->count);
    for (int64_t i = 0; i < pixels->count; i++) {
      qn_value **sum = &pixels->sums[i * vectors + v];
      *sum = qn_build_binary(e->b, QN_OP_ARITH_ADDI, *sum, starts[i]);
    }
  }
}

void qn_depthwise_by_parity(emitter *e, qn_depthwise_pixels *pixels) {
  const qn_depthwise *d = e->d;
  qn_value *narrow[QN_DEPTHWISE_PIXELS][PARITIES] = {{NULL}};
  QN_ASSERT(d->variant.vectors == PARITIES * PARITIES);
  for (int64_t s = 0; s < pixels->count * d->variant.vectors; s++) pixels->sums[s] = NULL;
  for (uint32_t t = 0; t < d->product_count; t++) {
    int64_t at = t * qn_depthwise_stride(e);
    qn_value *w = qn_vec_load(e->b, e->packed, e->weights_at, at, e->block->width);
    for (int64_t i = 0; i < pixels->count; i++) {
      add_tap(e, qn_depthwise_tap_at(e, pixels->x[i], t, NULL), w, narrow[i]);
      if (d->ends[t]) widen(e, narrow[i], &pixels->sums[i * d->variant.vectors]);
    }
    qn_vec_boundary(e->b, e->target);
  }
  add_starts(e, pixels);
}

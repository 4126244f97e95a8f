/* Tap-wise depthwise convolution, for all kernel sizes: unrolled, or for many taps a loop over a
 * table of offsets. If registers suffice, a step computes two pixels of a row, which share the
 * loads of weights and epilogue parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/nest.h"

typedef qn_depthwise_emitter emitter;
typedef qn_depthwise_pixels pixels;

/* Adds the products of inputs [pixel][vector] with the weights at index + offset, or with those of
 * a thin product if `index` is NULL. */
static void multiply(emitter *e, pixels *p, qn_value *inputs[][QN_DEPTHWISE_GROUP], qn_value *index,
                     int64_t offset) {
  for (uint32_t v = 0; v < e->d->variant.vectors; v++) {
    qn_value *w =
        index ? qn_depthwise_weights(e, v, index, offset) : qn_depthwise_thin_weights(e, v);
    for (int64_t i = 0; i < p->count; i++) {
      qn_value **sum = &p->sums[i * e->d->variant.vectors + v];
      *sum = qn_depthwise_add(e, *sum, inputs[i][v], w);
    }
  }
}

static void unrolled_taps(emitter *e, pixels *p) {
  const qn_depthwise *d = e->d;
  qn_value *inputs[QN_DEPTHWISE_PIXELS][QN_DEPTHWISE_GROUP], *taps[QN_DEPTHWISE_GROUP];
  qn_value *last[QN_DEPTHWISE_PIXELS] = {NULL};
  for (uint32_t n = 0; n < d->product_count; n++) {
    for (int64_t i = 0; i < p->count; i++) {
      for (uint32_t t = 0; t < d->variant.group; t++)
        taps[t] = last[i] = qn_depthwise_tap_at(e, p->x[i], n * d->variant.group + t, last[i]);
      qn_depthwise_interleave(e, taps, inputs[i]);
    }
    bool is_thin = d->thin && n + 1 == d->product_count;
    multiply(e, p, inputs, is_thin ? NULL : e->weights_at, n * qn_depthwise_stride(e));
  }
}

static void looped_taps(emitter *e, pixels *p) {
  const qn_depthwise *d = e->d;
  qn_builder *b = e->b;
  uint32_t sums = (uint32_t)p->count * d->variant.vectors;
  qn_carry loop = qn_carry_begin(b, 0, d->product_count, 1, p->sums, sums);
  qn_value *list = qn_index_affine(b, loop.index, d->variant.group, 0);
  qn_value *inputs[QN_DEPTHWISE_PIXELS][QN_DEPTHWISE_GROUP], *taps[QN_DEPTHWISE_GROUP];
  qn_value *offsets[QN_DEPTHWISE_GROUP];
  for (uint32_t t = 0; t < d->variant.group; t++)
    offsets[t] = qn_index_load(b, e->offsets, list, t);
  for (int64_t i = 0; i < p->count; i++) {
    for (uint32_t t = 0; t < d->variant.group; t++)
      taps[t] = qn_depthwise_load(e, qn_nest_add(b, p->x[i], offsets[t]), 0);
    qn_depthwise_interleave(e, taps, inputs[i]);
  }
  qn_value *weights = qn_index_affine(b, loop.index, qn_depthwise_stride(e), 0);
  multiply(e, p, inputs, qn_nest_add(b, e->weights_at, weights), 0);
  qn_carry_end(b, &loop);
}

void qn_depthwise_products(emitter *e, pixels *p) {
  if (qn_depthwise_is_listed(e->d))
    looped_taps(e, p);
  else
    unrolled_taps(e, p);
}

static void start(emitter *e, pixels *p) {
  if (e->d->dot->by_parity) return; /* after the products (parity.c) */
  for (uint32_t v = 0; v < e->d->variant.vectors; v++) {
    qn_value *sums[QN_DEPTHWISE_PIXELS];
    qn_depthwise_start(e, v, sums, (uint32_t)p->count);
    for (int64_t i = 0; i < p->count; i++) p->sums[i * e->d->variant.vectors + v] = sums[i];
  }
}

static void finish(emitter *e, const pixels *p, qn_depthwise_cursor at) {
  const qn_depthwise *d = e->d;
  qn_value *results[QN_DEPTHWISE_PIXELS][QN_DEPTHWISE_GROUP], *sums[QN_DEPTHWISE_PIXELS];
  for (uint32_t v = 0; v < d->variant.vectors; v++) {
    for (int64_t i = 0; i < p->count; i++) sums[i] = p->sums[i * d->variant.vectors + v];
    qn_depthwise_requantize(e, v, sums, (uint32_t)p->count);
    for (int64_t i = 0; i < p->count; i++) results[i][v] = sums[i];
  }
  for (int64_t i = 0; i < p->count; i++)
    qn_depthwise_store(e, results[i], at, i * d->channels, i * d->channels);
}

/* Emits pixels [from, to) of the row, `count` at a time. */
static void steps(emitter *e, int64_t count, int64_t from, int64_t to, qn_depthwise_cursor at) {
  const qn_depthwise *d = e->d;
  int64_t x_step = d->shape.stride_x * d->channels;
  pixels p = {.count = count};
  qn_carry loop = qn_carry_begin(e->b, from, to, count, NULL, 0);
  at = qn_depthwise_move(e, at, loop.index, x_step, d->channels, d->channels);
  for (int64_t i = 0; i < count; i++) p.x[i] = qn_index_add(e->b, at.x, i * x_step);
  start(e, &p);
  d->variant.form->multiply(e, &p);
  finish(e, &p, at);
  qn_carry_end(e->b, &loop);
}

void qn_depthwise_taps_row(emitter *e, uint32_t rows, qn_depthwise_cursor at) {
  QN_ASSERT(rows == 1 && e->d->variant.out_rows == 1);
  int64_t all = e->d->shape.out_width / e->d->variant.merged, count = e->d->variant.pixels;
  int64_t full = all / count * count;
  steps(e, count, 0, full, at);
  if (full < all) steps(e, 1, full, all, at);
}

/* Column-wise depthwise convolution, for byte dot products and kernels of up to four rows.
 *
 * A column is one pixel position of four rows of x, interleaved: every i32 lane holds the four rows
 * of one channel. An output row multiplies a column with its weights, which are 0 for rows that it
 * does not read. So one column serves all output rows within the four rows. Along a row it serves
 * all output pixels whose window contains it: columns that the next step needs again are carried in
 * registers. If registers suffice, a step computes two pixels, which share the loads of weights and
 * epilogue parameters, most of all loads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/nest.h"

typedef qn_depthwise_emitter emitter;

enum {
  MAX_VALUES = QN_DEPTHWISE_PIXELS * QN_DEPTHWISE_COLUMNS * QN_DEPTHWISE_GROUP,
  MAX_SUMS = QN_DEPTHWISE_GROUP * QN_DEPTHWISE_PIXELS,
};

/* The output pixels of one step. */
typedef struct step {
  uint32_t rows;
  int64_t pixels;                                  /* output pixels per row */
  qn_value *columns[MAX_VALUES];                   /* [column][vector] */
  qn_value *results[MAX_SUMS][QN_DEPTHWISE_GROUP]; /* [row][pixel][vector] */
} step;

/* Stride of pixels in x, in elements. */
static int64_t pixel_stride(const qn_depthwise *d) {
  return d->variant.merged == 1 ? d->shape.stride_x * d->channels : d->channels;
}

static int64_t advance(const qn_depthwise *d) {
  return qn_depthwise_advance(&d->shape, d->variant.merged);
}
static int64_t carried_columns(const qn_depthwise *d) {
  return qn_depthwise_carried(&d->shape, d->variant.merged);
}

static qn_value **column_at(const qn_depthwise *d, step *s, int64_t pixel, int64_t kx) {
  return s->columns + (pixel * advance(d) + kx) * QN_DEPTHWISE_GROUP;
}

/* Loads column kx of a pixel of the step at x. Only rows that the output rows read are accessed. */
static void load_column(emitter *e, step *st, qn_value *x, int64_t pixel, int64_t kx) {
  const qn_conv_shape *s = &e->d->shape;
  int64_t used = s->kernel_height + (st->rows - 1) * s->stride_y;
  int64_t first = pixel * pixel_stride(e->d) + kx * s->dilation_x * s->channels;
  qn_value *taps[QN_DEPTHWISE_GROUP], *last = NULL;
  for (int64_t i = 0; i < QN_DEPTHWISE_GROUP; i++) {
    if (i < used) last = qn_depthwise_load(e, x, i * s->width * s->channels + first);
    taps[i] = last;
  }
  qn_depthwise_interleave(e, taps, column_at(e->d, st, pixel, kx));
}

/* Loads the columns that are not carried from the previous step. */
static void load_columns(emitter *e, step *s, qn_value *x) {
  int64_t carried = carried_columns(e->d);
  for (int64_t pixel = 0; pixel < s->pixels; pixel++)
    for (int64_t kx = carried; kx < e->d->shape.kernel_width; kx++) load_column(e, s, x, pixel, kx);
}

static qn_value *weights_of(emitter *e, uint32_t v, uint32_t product) {
  const qn_depthwise *d = e->d;
  int64_t vector = qn_depthwise_stride(e) / d->variant.vectors;
  if (!qn_depthwise_by_vector(d))
    return qn_depthwise_weights(e, v, e->weights_at, product * qn_depthwise_stride(e));
  int64_t at = (v * (int64_t)d->product_count + product) * vector;
  return qn_depthwise_weights(e, 0, e->weights_at, at);
}

/* Computes vector v of all results. */
static void one_vector(emitter *e, step *s, uint32_t v) {
  const qn_depthwise *d = e->d;
  uint32_t count = s->rows * (uint32_t)s->pixels;
  qn_value *sums[MAX_SUMS];
  qn_depthwise_start(e, v, sums, count);
  for (uint32_t p = 0; p < s->rows * d->row_products; p++) {
    int64_t kx = d->column_kx[p % d->row_products], row = p / d->row_products;
    qn_value *w = weights_of(e, v, p);
    for (int64_t pixel = 0; pixel < s->pixels; pixel++) {
      qn_value **sum = &sums[row * s->pixels + pixel];
      *sum = qn_depthwise_add(e, *sum, column_at(d, s, pixel, kx)[v], w);
    }
  }
  qn_depthwise_requantize(e, v, sums, count);
  for (uint32_t i = 0; i < count; i++) s->results[i][v] = sums[i];
}

static void store(emitter *e, const step *s, qn_depthwise_cursor at) {
  const qn_depthwise *d = e->d;
  for (uint32_t i = 0; i < s->rows * s->pixels; i++) {
    int64_t row = i / s->pixels, first = i % s->pixels * d->channels;
    qn_depthwise_store(e, s->results[i], at, row * d->frame.row + first,
                       row * d->shape.out_width * d->shape.channels + first);
  }
}

/* Emits one step. Carried columns are valid before and after. */
static void one_step(emitter *e, step *s, qn_depthwise_cursor at) {
  const qn_depthwise *d = e->d;
  uint32_t carried = (uint32_t)carried_columns(d) * QN_DEPTHWISE_GROUP;
  load_columns(e, s, at.x);
  for (uint32_t v = 0; v < d->variant.vectors; v++) one_vector(e, s, v);
  store(e, s, at);
  memmove(s->columns, column_at(d, s, s->pixels, 0), carried * sizeof(qn_value *));
}

static qn_depthwise_cursor next_step(emitter *e, const step *s, qn_depthwise_cursor at) {
  const qn_depthwise *d = e->d;
  at.x = qn_index_add(e->b, at.x, s->pixels * pixel_stride(d));
  at.y = qn_index_add(e->b, at.y, s->pixels * d->channels);
  at.element = e->has_halo ? qn_index_add(e->b, at.element, s->pixels * d->channels) : at.y;
  return at;
}

/* Emits whole steps over pixels [from, to) of the rows, `unrolled` per iteration. */
static void steps(emitter *e, step *s, int64_t from, int64_t to, int64_t unrolled,
                  qn_depthwise_cursor at) {
  const qn_depthwise *d = e->d;
  uint32_t carried = (uint32_t)carried_columns(d) * QN_DEPTHWISE_GROUP;
  qn_carry loop = qn_carry_begin(e->b, from, to, unrolled * s->pixels, s->columns, carried);
  at = qn_depthwise_move(e, at, loop.index, pixel_stride(d), d->channels, d->channels);
  for (int64_t i = 0; i < unrolled; i++) {
    if (i > 0) at = next_step(e, s, at);
    one_step(e, s, at);
  }
  qn_carry_end(e->b, &loop);
}

/* Steps per iteration: two, in long rows, if copies of the carried columns would be a large part of
 * a step that makes none of the initial accumulators. */
static int64_t unrolled_steps(const qn_depthwise *d, int64_t pixels) {
  enum { UNROLLED = 2, LEAST = 3 };
  bool pays = qn_depthwise_by_vector(d) && carried_columns(d) > 0;
  return pays && pixels >= LEAST * UNROLLED * d->variant.pixels ? UNROLLED : 1;
}

void qn_depthwise_columns_row(emitter *e, uint32_t rows, qn_depthwise_cursor at) {
  int64_t all = e->d->shape.out_width / e->d->variant.merged;
  step s = {.rows = rows, .pixels = e->d->variant.pixels};
  QN_ASSERT(rows >= 1 && rows <= e->d->variant.out_rows && s.pixels >= 1);
  for (int64_t kx = 0; kx < carried_columns(e->d); kx++) load_column(e, &s, at.x, 0, kx);
  int64_t full = all / s.pixels * s.pixels, unrolled = unrolled_steps(e->d, all);
  int64_t whole = all / (unrolled * s.pixels) * unrolled * s.pixels;
  steps(e, &s, 0, whole, unrolled, at);
  if (whole < full) steps(e, &s, whole, full, 1, at);
  s.pixels = 1;
  if (full < all) steps(e, &s, full, all, 1, at);
}

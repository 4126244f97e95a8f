/* Depthwise convolution tap by tap, with one channel per lane and without interleaving. Products
 * are summed in 16 bits over a group of taps, whose weights prove for every channel that the sum
 * fits. The sum of a group is then widened and added to the accumulators.
 *
 * Taps are grouped by first fit, in decreasing order of their weights. Any two taps fit, because a
 * factor never holds -128.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/products.h"

typedef qn_depthwise_emitter emitter;

enum { MOST_TAPS = 25 /* maximum taps, because they are unrolled */ };

const char *qn_depthwise_no_groups(const qn_weights *weights) {
  if (!weights->constant) return "weights are not constant";
  return weights->taps <= MOST_TAPS ? NULL : "there are too many taps";
}

/* ---- grouping taps ---- */

/* Index of a tap, and the sum of its absolute weights. */
typedef struct by_size {
  uint32_t tap;
  int64_t size;
} by_size;

static int compare_sizes(const void *left, const void *right) {
  const by_size *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return a->tap < b->tap ? -1 : 1;
}

static void sort_by_size(const qn_depthwise *d, by_size *out) {
  for (uint32_t t = 0; t < d->tap_count; t++) {
    out[t] = (by_size){t, 0};
    for (int64_t c = 0; c < d->weights->channels; c++) out[t].size += abs(d->taps[t].weights[c]);
  }
  qsort(out, d->tap_count, sizeof *out, compare_sizes);
}

/* Whether a tap fits into a group of `count` taps, for all channels. */
static bool fits(const qn_depthwise *d, const uint32_t *group, uint32_t count, uint32_t tap) {
  int32_t weights[2 * MOST_TAPS];
  if (count == QN_COUNT(weights)) return false;
  for (int64_t c = 0; c < d->weights->channels; c++) {
    for (uint32_t i = 0; i < count; i++) weights[i] = d->taps[group[i]].weights[c];
    weights[count] = d->taps[tap].weights[c];
    if (!qn_signed_sums_fit_16(weights, count + 1)) return false;
  }
  return true;
}

void qn_depthwise_order_groups(qn_loops *lo, qn_depthwise *d) {
  uint32_t n = d->tap_count;
  by_size *sorted = QN_NEW_ARRAY(lo->scratch, n, by_size);
  uint32_t *taps = QN_NEW_ARRAY(lo->scratch, (size_t)n * n, uint32_t);
  uint32_t *counts = QN_NEW_ARRAY(lo->scratch, n, uint32_t);
  for (uint32_t g = 0; g < n; g++) counts[g] = 0;
  sort_by_size(d, sorted);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t g = 0;
    while (!fits(d, &taps[g * n], counts[g], sorted[i].tap)) g++;
    taps[g * n + counts[g]++] = sorted[i].tap;
  }
  qn_depthwise_tap *ordered = QN_NEW_ARRAY(lo->scratch, n, qn_depthwise_tap);
  bool *ends = QN_NEW_ARRAY(lo->scratch, n, bool);
  uint32_t at = 0;
  for (uint32_t g = 0; g < n && counts[g] > 0; g++, d->group_count++)
    for (uint32_t i = 0; i < counts[g]; i++) {
      ends[at] = i + 1 == counts[g];
      ordered[at++] = d->taps[taps[g * n + i]];
    }
  d->taps = ordered;
  d->ends = ends;
}

/* Checks the result of the search: only proved groups are packed. */
static bool is_proved(const qn_depthwise *d, const qn_depthwise_block *block, int64_t channel) {
  int32_t weights[2 * MOST_TAPS];
  uint32_t count = 0;
  for (uint32_t p = 0; p < d->product_count; p++) {
    weights[count++] = qn_depthwise_weight(d, block, p, 0, channel);
    if (!d->ends[p]) continue;
    if (!qn_signed_sums_fit_16(weights, count)) return false;
    count = 0;
  }
  return count == 0;
}

void qn_depthwise_pack_groups(qn_depthwise *d, const qn_depthwise_block *block) {
  for (int64_t c = 0; c < block->width; c++) QN_ASSERT(is_proved(d, block, c));
  for (uint32_t p = 0; p < d->product_count; p++)
    for (int64_t c = 0; c < block->width; c++)
      qn_array_push(&d->packed, (uint8_t)qn_depthwise_weight(d, block, p, 0, c));
}

/* ---- in the kernel ---- */

/* Adds the 16-bit sums of a group, which are in channel order, to the accumulators of a pixel. */
static void widen(emitter *e, qn_value *narrow, qn_value **sums) {
  uint32_t vectors = e->d->variant.vectors;
  int64_t lanes = e->block->width / vectors, mask[QN_VEC_MAX_BYTES];
  for (uint32_t v = 0; v < vectors; v++) {
    for (int64_t l = 0; l < lanes; l++) mask[l] = qn_depthwise_lane_channel(e->d, v, l);
    qn_value *own = qn_vec_shuffle(e->b, narrow, narrow, mask, lanes);
    sums[v] = qn_dot_add_narrow(e->b, e->d->dot, sums[v], own);
  }
}

void qn_depthwise_groups(emitter *e, qn_depthwise_pixels *p) {
  const qn_depthwise *d = e->d;
  if (d->dot->by_parity) {
    qn_depthwise_by_parity(e, p);
    return;
  }
  bool x_unsigned = qn_dot_sees_unsigned(d->dot, d->weights->x_unsigned);
  qn_value *narrow[QN_DEPTHWISE_PIXELS] = {NULL};
  for (uint32_t t = 0; t < d->product_count; t++) {
    int64_t at = t * qn_depthwise_stride(e);
    qn_value *w = qn_vec_load(e->b, e->packed, e->weights_at, at, e->block->width);
    for (int64_t i = 0; i < p->count; i++) {
      qn_value *x = qn_depthwise_tap_at(e, p->x[i], t, NULL);
      narrow[i] = qn_dot_build_narrow(e->b, d->dot, narrow[i], x, w, x_unsigned);
      if (!d->ends[t]) continue;
      widen(e, narrow[i], &p->sums[i * d->variant.vectors]);
      narrow[i] = NULL;
    }
  }
}

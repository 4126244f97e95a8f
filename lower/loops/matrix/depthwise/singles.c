/* Depthwise convolution tap by tap, with one channel per lane and without interleaving. Every
 * product is added in 32 bits, so any weights are exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/products.h"

enum { MOST_TAPS = 25 /* maximum taps, because they are unrolled */ };

const char *qn_depthwise_no_singles(const qn_weights *weights) {
  if (!weights->constant) return "weights are not constant";
  return weights->taps <= MOST_TAPS ? NULL : "there are too many taps";
}

void qn_depthwise_singles(qn_depthwise_emitter *e, qn_depthwise_pixels *p) {
  QN_ASSERT(e->d->variant.vectors == 1);
  bool x_unsigned = e->d->weights->x_unsigned;
  for (uint32_t t = 0; t < e->d->product_count; t++) {
    qn_value *w = qn_depthwise_weights(e, 0, e->weights_at, t * qn_depthwise_stride(e));
    for (int64_t i = 0; i < p->count; i++) {
      if (t > 0 || i > 0) qn_vec_boundary(e->b, e->target);
      qn_value *x = qn_depthwise_tap_at(e, p->x[i], t, NULL);
      p->sums[i] = qn_dot_build_single(e->b, e->d->dot, p->sums[i], x, w, x_unsigned);
    }
  }
  qn_vec_boundary(e->b, e->target);
}

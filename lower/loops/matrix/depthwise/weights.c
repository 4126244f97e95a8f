/* Weights of a block of channels, and how interleaved taps are packed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"

void qn_depthwise_channels(const qn_depthwise *d, const qn_depthwise_block *block,
                           int64_t *out_channels) {
  QN_ASSERT(block->width <= QN_DEPTHWISE_BLOCK && block->width % d->variant.vectors == 0);
  int64_t lanes = block->width / d->variant.vectors;
  for (uint32_t v = 0; v < d->variant.vectors; v++)
    for (int64_t l = 0; l < lanes; l++) {
      int64_t c = qn_depthwise_lane_channel(d, v, l);
      out_channels[v * lanes + l] =
          c < block->valid ? (block->channel + c) % d->shape.channels : -1;
    }
}

static void push_weight(qn_depthwise *d, int32_t weight) {
  qn_array_push(&d->packed, (uint8_t)weight);
  if (d->dot->bytes == 2) qn_array_push(&d->packed, (uint8_t)((uint32_t)weight >> 8));
}

/* The weights of channels [from, to) for a product. */
static void push_product(qn_depthwise *d, const int64_t *channels, int64_t from, int64_t to,
                         uint32_t product) {
  for (int64_t i = from; i < to; i++)
    for (uint32_t k = 0; k < d->variant.group; k++) {
      const qn_depthwise_tap *tap = d->products[product].taps[k];
      push_weight(d, tap && channels[i] >= 0 ? tap->weights[channels[i]] : 0);
    }
}

void qn_depthwise_pack_products(qn_depthwise *d, const qn_depthwise_block *block) {
  int64_t channels[QN_DEPTHWISE_BLOCK];
  qn_depthwise_channels(d, block, channels);
  int64_t each = block->width / (qn_depthwise_by_vector(d) ? d->variant.vectors : 1);
  for (int64_t at = 0; at < block->width; at += each)
    for (uint32_t p = 0; p < d->product_count; p++) push_product(d, channels, at, at + each, p);
}

int32_t qn_depthwise_weight(const qn_depthwise *d, const qn_depthwise_block *block,
                            uint32_t product, uint32_t tap, int64_t at) {
  QN_ASSERT(product < d->product_count && tap < d->variant.group);
  const qn_depthwise_tap *from = d->products[product].taps[tap];
  return from && at < block->valid ? from->weights[(block->channel + at) % d->shape.channels] : 0;
}

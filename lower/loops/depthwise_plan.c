/* Cutting a depthwise convolution into blocks of channels and groups of taps; packing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "lower/loops/depthwise.h"

enum { LANE_BYTES = 16 }; /* interleaving works on 128-bit lanes */

/* ---- taps ---- */

static int32_t part_of(const qn_depthwise *d, int32_t weight) {
  if (!d->bytes) return weight;
  return weight < -128 ? -128 : weight > 127 ? 127 : weight;
}

/* Appends the tap's weights, and what exceeds 8 bits as further taps at the same offset. */
static void push_tap(qn_loops *lo, qn_depthwise *d, int64_t offset, int32_t *rest) {
  int64_t channels = d->weights->channels;
  for (bool more = true; more;) {
    int32_t *now = QN_NEW_ARRAY(lo->scratch, (size_t)channels, int32_t);
    more = false;
    for (int64_t c = 0; c < channels; c++) {
      now[c] = part_of(d, rest[c]);
      rest[c] -= now[c];
      more |= rest[c] != 0;
    }
    d->taps[d->tap_count++] = (qn_depthwise_tap){offset, now};
  }
}

static void plan_taps(qn_loops *lo, qn_depthwise *d) {
  const qn_conv_shape *s = &d->shape;
  int64_t channels = d->weights->channels, taps = d->weights->taps;
  /* A weight of 16 bits never needs more than 258 parts; ones up to 255 need three. */
  int32_t largest = 0;
  for (int64_t i = 0; i < channels * taps; i++)
    if (abs(d->weights->values[i]) > largest) largest = abs(d->weights->values[i]);
  size_t parts = d->bytes ? (size_t)largest / 127 + 1 : 1;
  d->taps = QN_NEW_ARRAY(lo->scratch, (size_t)taps * parts + d->group, qn_depthwise_tap);
  int32_t *rest = QN_NEW_ARRAY(lo->scratch, (size_t)channels, int32_t);
  for (int64_t ky = 0; ky < s->kernel_height; ky++)
    for (int64_t kx = 0; kx < s->kernel_width; kx++) {
      int64_t offset = (ky * s->dilation_y * s->width + kx * s->dilation_x) * s->channels;
      for (int64_t c = 0; c < channels; c++)
        rest[c] = qn_weights_of(d->weights, c)[ky * s->kernel_width + kx];
      push_tap(lo, d, offset, rest);
    }
  /* Fill the last group: the same bytes again, times zero. */
  int32_t *zeros = QN_NEW_ARRAY(lo->scratch, (size_t)channels, int32_t);
  while (d->tap_count % d->group != 0) {
    int64_t offset = d->taps[d->tap_count - 1].offset;
    d->taps[d->tap_count++] = (qn_depthwise_tap){offset, zeros};
  }
}

/* ---- blocks ---- */

static void block_channels(const qn_depthwise *d, const qn_depthwise_block *block,
                           int64_t *out_channels) {
  int64_t lanes = block->width / d->group;
  for (uint32_t v = 0; v < d->group; v++)
    for (int64_t l = 0; l < lanes; l++) {
      int64_t c = qn_epilogue_lane_channel(d->group, v, l);
      out_channels[v * lanes + l] = c < block->valid ? block->channel + c : -1;
    }
}

enum { MAX_BLOCK = 64, MAX_BLOCKS_SPARE = 8 };

static void push_block(qn_depthwise *d, int64_t channel, int64_t width, int64_t skip) {
  int64_t left = d->weights->channels - channel, channels[MAX_BLOCK];
  qn_depthwise_block *block = &d->blocks[d->block_count++];
  *block = (qn_depthwise_block){channel, width, skip, left < width ? left : width, 0};
  block_channels(d, block, channels);
  block->kind = qn_epilogue_kind_of(d->epilogue, channels, width);
}

static int compare_blocks(const void *left, const void *right) {
  const qn_depthwise_block *a = left, *b = right;
  if (a->width != b->width) return a->width > b->width ? -1 : 1;
  if (a->skip != b->skip) return a->skip < b->skip ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->channel < b->channel ? -1 : 1;
}

static void cut_channels(qn_loops *lo, qn_depthwise *d) {
  int64_t count = d->weights->channels, least = LANE_BYTES * d->group / 4;
  int64_t most = lo->target->vector_bytes * d->group / 4;
  size_t capacity = (size_t)(count / most) + MAX_BLOCKS_SPARE;
  d->blocks = QN_NEW_ARRAY(lo->scratch, capacity, qn_depthwise_block);
  for (int64_t done = 0; done < count;) {
    int64_t left = count - done, width = least;
    while (width < left && width < most) width *= 2;
    if (width > count && width > least) width /= 2;
    /* The last block may reach back; one wider than the tensor is loaded in part. */
    int64_t channel = done + width > count && width <= count ? count - width : done;
    push_block(d, channel, width, done - channel);
    done = channel + width;
  }
  qsort(d->blocks, d->block_count, sizeof *d->blocks, compare_blocks);
}

/* ---- packing ---- */

static void push_weight(const qn_depthwise *d, qn_byte_array *bytes, int32_t weight) {
  qn_array_push(bytes, (uint8_t)weight);
  if (!d->bytes) qn_array_push(bytes, (uint8_t)((uint32_t)weight >> 8));
}

/* Weights in the order of the lanes, and what the accumulators start with: for i8, the bytes of a
 * byte product are x + 128. */
static void pack_block(qn_depthwise *d, const qn_depthwise_block *block) {
  int64_t channels[MAX_BLOCK];
  int32_t start[MAX_BLOCK];
  bool biased = d->bytes && !d->weights->x_unsigned;
  block_channels(d, block, channels);
  for (int64_t i = 0; i < block->width; i++) {
    uint32_t sum = channels[i] < 0 ? 0 : (uint32_t)d->weights->bias[channels[i]];
    for (uint32_t t = 0; t < d->tap_count && channels[i] >= 0 && biased; t++)
      sum -= 128 * (uint32_t)d->taps[t].weights[channels[i]];
    start[i] = (int32_t)sum;
  }
  for (uint32_t t = 0; t < d->tap_count; t += d->group)
    for (int64_t i = 0; i < block->width; i++)
      for (uint32_t k = 0; k < d->group; k++)
        push_weight(d, &d->packed, channels[i] < 0 ? 0 : d->taps[t + k].weights[channels[i]]);
  int64_t lanes = block->width / d->group, words = qn_epilogue_words(block->kind) * lanes;
  for (int64_t at = 0; at < block->width; at += lanes) {
    qn_array_reserve(&d->params, d->params.count + (size_t)words);
    qn_epilogue_fill(d->epilogue, block->kind, channels + at, start + at, lanes,
                     d->params.data + d->params.count);
    d->params.count += (size_t)words;
  }
  qn_array_push(&d->channels, (int32_t)block->channel);
}

void qn_depthwise_plan(qn_loops *lo, qn_op *op, const qn_weights *weights,
                       const qn_epilogue *epilogue, qn_depthwise *out_plan) {
  bool bytes = lo->target->dot == QN_DOT_U8S8;
  *out_plan = (qn_depthwise){.op = op,
                             .shape = qn_conv_shape_of(op),
                             .weights = weights,
                             .epilogue = epilogue,
                             .bytes = bytes,
                             .group = bytes ? 4 : 2};
  plan_taps(lo, out_plan);
  cut_channels(lo, out_plan);
  for (uint32_t i = 0; i < out_plan->block_count; i++) pack_block(out_plan, &out_plan->blocks[i]);
  for (uint32_t t = 0; t < out_plan->tap_count; t++)
    qn_array_push(&out_plan->offsets, (int32_t)out_plan->taps[t].offset);
}

void qn_depthwise_deinit(qn_depthwise *plan) {
  qn_array_free(&plan->packed);
  qn_array_free(&plan->params);
  qn_array_free(&plan->channels);
  qn_array_free(&plan->offsets);
}

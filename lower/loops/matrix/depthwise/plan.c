/* Splits a depthwise convolution into blocks of channels and products, for the cheapest variant,
 * and packs its constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "lower/loops/matrix/depthwise/depthwise.h"

/* ---- taps ---- */

static int32_t part_of(const qn_depthwise *d, int32_t weight) {
  return d->variant.form->splits ? qn_dot_hold(d->dot, weight) : weight;
}

/* Appends the tap's weights; the parts beyond 8 bits become further taps at the same position. */
static void push_tap(qn_loops *lo, qn_depthwise *d, int64_t ky, int64_t kx, int32_t *rest) {
  int64_t channels = d->weights->channels;
  for (bool more = true; more;) {
    int32_t *now = QN_NEW_ARRAY(lo->scratch, (size_t)channels, int32_t);
    more = false;
    for (int64_t c = 0; c < channels; c++) {
      now[c] = part_of(d, rest[c]);
      rest[c] -= now[c];
      more |= rest[c] != 0;
    }
    d->taps[d->tap_count++] = (qn_depthwise_tap){ky, kx, now};
  }
}

/* Lists the taps of runtime weights, which all fit the instruction. */
static void list_taps(qn_loops *lo, qn_depthwise *d) {
  d->taps = QN_NEW_ARRAY(lo->scratch, (size_t)d->weights->taps, qn_depthwise_tap);
  for (int64_t ky = 0; ky < d->shape.kernel_height; ky++)
    for (int64_t kx = 0; kx < d->shape.kernel_width; kx++)
      d->taps[d->tap_count++] = (qn_depthwise_tap){ky, kx, NULL};
}

static void plan_taps(qn_loops *lo, qn_depthwise *d) {
  const qn_conv_shape *s = &d->shape;
  int64_t channels = d->weights->channels, taps = d->weights->taps;
  int32_t largest = 0;
  for (int64_t i = 0; i < channels * taps; i++)
    if (abs(d->weights->values[i]) > largest) largest = abs(d->weights->values[i]);
  size_t parts = d->variant.form->splits ? (size_t)largest / INT8_MAX + 1 : 1;
  d->taps = QN_NEW_ARRAY(lo->scratch, (size_t)taps * parts, qn_depthwise_tap);
  int32_t *rest = QN_NEW_ARRAY(lo->scratch, (size_t)channels, int32_t);
  for (int64_t ky = 0; ky < s->kernel_height; ky++)
    for (int64_t kx = 0; kx < s->kernel_width; kx++) {
      for (int64_t c = 0; c < channels; c++)
        rest[c] = qn_weights_of(d->weights, c)[ky * s->kernel_width + kx];
      push_tap(lo, d, ky, kx, rest);
    }
}

/* ---- products ---- */

static void plan_groups(qn_loops *lo, qn_depthwise *d) {
  d->product_count = (d->tap_count + d->variant.group - 1) / d->variant.group;
  d->products = QN_NEW_ARRAY(lo->scratch, d->product_count, qn_depthwise_product);
  for (uint32_t t = 0; t < d->tap_count; t++)
    d->products[t / d->variant.group].taps[t % d->variant.group] = &d->taps[t];
}

/* Lists the offset of each tap from a pixel's base, for the tap-wise schedule. */
static void list_offsets(qn_depthwise *d) {
  if (d->variant.by_columns) return;
  for (uint32_t t = 0; t < d->product_count * d->variant.group; t++) {
    const qn_depthwise_tap *tap = &d->taps[t < d->tap_count ? t : d->tap_count - 1];
    int64_t row = d->shape.width * d->shape.channels;
    int64_t offset =
        tap->ky * d->shape.dilation_y * row + tap->kx * d->shape.dilation_x * d->shape.channels;
    qn_array_push(&d->offsets, (int32_t)offset);
  }
}

/* Part n of the tap at (ky, kx); NULL if none. */
static const qn_depthwise_tap *find_part(const qn_depthwise *d, int64_t ky, int64_t kx,
                                         uint32_t n) {
  for (uint32_t t = 0; t < d->tap_count; t++)
    if (d->taps[t].ky == ky && d->taps[t].kx == kx && n-- == 0) return &d->taps[t];
  return NULL;
}

/* One product per column, and further ones for parts of weights beyond 8 bits. */
static void plan_columns(qn_loops *lo, qn_depthwise *d) {
  const qn_conv_shape *s = &d->shape;
  int32_t *column_kx = QN_NEW_ARRAY(lo->scratch, d->tap_count, int32_t);
  uint32_t *part = QN_NEW_ARRAY(lo->scratch, d->tap_count, uint32_t);
  for (int64_t kx = 0; kx < s->kernel_width; kx++)
    for (uint32_t n = 0, more = 1; more; n++) {
      more = 0;
      for (int64_t ky = 0; ky < s->kernel_height; ky++) more |= find_part(d, ky, kx, n) != NULL;
      if (!more) break;
      column_kx[d->row_products] = (int32_t)kx;
      part[d->row_products++] = n;
    }
  d->column_kx = column_kx;
  d->product_count = d->variant.out_rows * d->row_products;
  d->products = QN_NEW_ARRAY(lo->scratch, d->product_count, qn_depthwise_product);
  for (uint32_t p = 0; p < d->product_count; p++)
    for (int64_t ky = 0; ky < s->kernel_height; ky++) {
      uint32_t i = p % d->row_products;
      int64_t row = p / d->row_products * s->stride_y + ky;
      d->products[p].taps[row] = find_part(d, ky, column_kx[i], part[i]);
    }
}

/* ---- blocks ---- */

static void push_block(qn_depthwise *d, int64_t channel, int64_t width, int64_t skip) {
  int64_t left = d->channels - channel, channels[QN_DEPTHWISE_BLOCK];
  qn_depthwise_block *block = &d->blocks[d->block_count++];
  *block = (qn_depthwise_block){channel, width, skip, left < width ? left : width, 0};
  qn_depthwise_channels(d, block, channels);
  block->kind = qn_epilogue_kind_of(d->epilogue, channels, width, width / d->variant.vectors);
}

/* Reduces the number of epilogue kinds: less code, and more layers share a kernel. */
static void settle_kinds(qn_depthwise *d) {
  uint32_t blocks[QN_EPILOGUE_KINDS] = {0};
  for (uint32_t i = 0; i < d->block_count; i++) blocks[d->blocks[i].kind]++;
  for (uint32_t i = 0; i < d->block_count; i++) {
    qn_depthwise_block *block = &d->blocks[i];
    int64_t channels[QN_DEPTHWISE_BLOCK];
    qn_depthwise_channels(d, block, channels);
    qn_epilogue_kind goal = qn_epilogue_goal(blocks, block->kind, true);
    if (goal != block->kind && qn_epilogue_serves(d->epilogue, goal, channels, block->width))
      block->kind = goal;
  }
}

static int compare_blocks(const void *left, const void *right) {
  const qn_depthwise_block *a = left, *b = right;
  if (a->width != b->width) return a->width > b->width ? -1 : 1;
  if (a->skip != b->skip) return a->skip < b->skip ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->channel < b->channel ? -1 : 1;
}

static void partition_channels(qn_loops *lo, qn_depthwise *d) {
  int64_t least = qn_depthwise_width(lo->target, &d->variant, 1, 0);
  size_t most = (size_t)(d->channels / least) + 1;
  d->blocks = QN_NEW_ARRAY(lo->scratch, most, qn_depthwise_block);
  for (int64_t done = 0, width; done < d->channels; done += width) {
    width = qn_depthwise_width(lo->target, &d->variant, d->channels, done);
    /* The last block overlaps the one before it; a block wider than the tensor is loaded partly. */
    bool back = done + width > d->channels && width <= d->channels;
    int64_t channel = back ? d->channels - width : done;
    push_block(d, channel, width, done - channel);
  }
  settle_kinds(d);
  qsort(d->blocks, d->block_count, sizeof *d->blocks, compare_blocks);
}

/* ---- packing ---- */

/* Initial accumulator: the bias plus the compensation of the offset of x. */
static int32_t start_of(const qn_depthwise *d, int64_t channel) {
  if (channel < 0 || !d->weights->constant) return 0;
  uint32_t offset = (uint32_t)qn_depthwise_offset(d);
  uint32_t start = (uint32_t)d->weights->bias[channel];
  for (int64_t t = 0; t < d->weights->taps && offset != 0; t++)
    start -= offset * (uint32_t)qn_weights_of(d->weights, channel)[t];
  return (int32_t)start;
}

/* Appends the parameters of a vector. The initial accumulators, which are the first parameter, and
 * the offsets, which are the last one of a kind with copies, are repeated. */
static void push_params(qn_depthwise *d, qn_epilogue_kind kind, const int64_t *channels,
                        const int32_t *start, int64_t lanes) {
  int64_t copies = qn_depthwise_copies(d, kind),
          words = qn_epilogue_own_size(d->epilogue, kind, lanes);
  qn_array_reserve(&d->params, d->params.count + (size_t)qn_depthwise_param_words(d, kind, lanes));
  int32_t *first = d->params.data + d->params.count, *filled = first + (copies - 1) * lanes;
  qn_epilogue_fill(d->epilogue, kind, channels, start, lanes, filled);
  for (int64_t i = 1; i < copies; i++) {
    memcpy(first + (i - 1) * lanes, filled, (size_t)lanes * sizeof *first);
    memcpy(filled + words + (i - 1) * lanes, filled + words - lanes, (size_t)lanes * sizeof *first);
  }
  d->params.count += (size_t)qn_depthwise_param_words(d, kind, lanes);
}

static void pack_block(qn_depthwise *d, const qn_depthwise_block *block) {
  int64_t channels[QN_DEPTHWISE_BLOCK];
  int32_t start[QN_DEPTHWISE_BLOCK];
  qn_depthwise_channels(d, block, channels);
  for (int64_t i = 0; i < block->width; i++) start[i] = start_of(d, channels[i]);
  if (!d->weights->constant)
    d->packed_elements += qn_depthwise_block_elements(d, block);
  else
    d->variant.form->pack(d, block);
  int64_t lanes = block->width / d->variant.vectors;
  for (int64_t at = 0; at < block->width; at += lanes)
    push_params(d, block->kind, channels + at, start + at, lanes);
  qn_array_push(&d->channel_table, (int32_t)block->channel);
}

/* Moves the weights of the last product after those of all blocks, one per channel, if its second
 * tap is padding. Called once weights are bytes. */
static void thin_last(qn_depthwise *d) {
  bool pairs = d->variant.group == 2 && d->variant.form->pack == qn_depthwise_pack_products;
  bool unrolled = !d->variant.by_columns && d->product_count <= QN_DEPTHWISE_UNROLLED;
  if (!d->compact.narrow || !pairs || !unrolled || d->tap_count % 2 == 0) return;
  qn_byte_array packed = {0}, thin = {0};
  const uint8_t *from = d->packed.data;
  for (uint32_t i = 0; i < d->block_count; i++) {
    int64_t width = d->blocks[i].width, rest = 2 * width * (d->product_count - 1);
    for (int64_t n = 0; n < rest; n++) qn_array_push(&packed, from[n]);
    for (int64_t c = 0; c < width; c++) qn_array_push(&thin, from[rest + 2 * c]);
    from += rest + 2 * width;
  }
  for (size_t n = 0; n < thin.count; n++) qn_array_push(&packed, thin.data[n]);
  qn_array_free(&thin);
  qn_array_free(&d->packed);
  d->packed = packed, d->thin = true;
}

/* ---- all ---- */

/* A copy of `common` with the taps and products of a variant, unless that is unsupported. */
static qn_depthwise with_products(qn_loops *lo, const qn_depthwise *common,
                                  const qn_depthwise_variant *begun) {
  qn_depthwise d = *common;
  d.variant = *begun;
  d.dot = begun->form->dot(lo->target);
  if (d.variant.problem) return d;
  if (d.weights->constant)
    plan_taps(lo, &d);
  else
    list_taps(lo, &d);
  if (begun->form->order) begun->form->order(lo, &d);
  if (d.variant.by_columns)
    plan_columns(lo, &d);
  else
    plan_groups(lo, &d);
  return d;
}

/* Selects the cheapest variant. */
static void choose_variant(qn_loops *lo, qn_depthwise *d) {
  const qn_depthwise common = *d;
  const qn_depthwise_variants begun = qn_depthwise_begin(d, lo->target);
  qn_depthwise_variants variants = {.count = 0};
  const qn_depthwise_variant *best = NULL;
  for (uint32_t i = 0; i < begun.count; i++) {
    qn_depthwise next = with_products(lo, &common, &begun.of[i]);
    const qn_depthwise_variant *least = qn_depthwise_list(&next, lo->target, &variants);
    if (!least || (best && best->cycles <= least->cycles)) continue;
    best = least, *d = next;
  }
  d->variant = *best;
  d->variants = variants;
}

void qn_depthwise_plan(qn_loops *lo, qn_op *op, const qn_weights *weights,
                       const qn_epilogue *epilogue, qn_depthwise *out_plan) {
  *out_plan = (qn_depthwise){.op = op,
                             .shape = qn_conv_shape_of(op),
                             .frame = qn_conv_frame_of(lo, op),
                             .weights = weights,
                             .epilogue = epilogue};
  choose_variant(lo, out_plan);
  out_plan->channels = out_plan->variant.merged * out_plan->shape.channels;
  list_offsets(out_plan);
  partition_channels(lo, out_plan);
  qn_epilogue_push_shared(epilogue, out_plan->blocks[0].kind, &out_plan->params);
  for (uint32_t i = 0; i < out_plan->block_count; i++) pack_block(out_plan, &out_plan->blocks[i]);
  if (weights->constant && out_plan->dot->bytes == 2)
    out_plan->compact =
        qn_compact_store(lo->target, out_plan->packed.data, &out_plan->packed.count);
  thin_last(out_plan);
  if (out_plan->compact.base != 0) qn_array_push(&out_plan->params, out_plan->compact.base);
  qn_depthwise_explain(lo, out_plan);
}

void qn_depthwise_deinit(qn_depthwise *plan) {
  qn_array_free(&plan->packed);
  qn_array_free(&plan->params);
  qn_array_free(&plan->channel_table);
  qn_array_free(&plan->offsets);
}

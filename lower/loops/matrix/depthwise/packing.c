/* The packing kernel of runtime depthwise weights: the bytes of taps are interleaved as those of x
 * are, so that each lane has the weights of its channel.
 *
 * Byte products use i8 weights without zero point; 16-bit products use w minus its zero point. A
 * block begins with its initial accumulators bias - k * sum w, where the kernel multiplies x + flip
 * instead of x - z, and k = z + flip (as runtime_pack/packing.c for other convolutions).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"

typedef qn_depthwise_emitter emitter;

enum { SOURCE, BIAS, CHANNELS, PACKED, ARG_COUNT };

static bool is_wide(const emitter *e) { return e->d->dot->bytes == 2; }

/* Loads the block's weights of a tap; zeros if `tap` is NULL. */
static qn_value *tap_of(emitter *e, const qn_depthwise_tap *tap, qn_value *channel) {
  const qn_depthwise *d = e->d;
  const qn_type *element = is_wide(e) ? e->i16 : e->i8;
  if (!tap) return qn_vec_splat(e->b, 0, element, e->block->width);
  int64_t number = tap->ky * d->shape.kernel_width + tap->kx;
  qn_value *bytes = qn_depthwise_bytes(e, e->source, channel, number * d->weights->channels);
  if (!is_wide(e)) return bytes;
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(d->op, 1)->type));
  qn_value *wide =
      qn_vec_cast(e->b, is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, bytes, e->i16);
  int32_t zero = d->weights->plan->weight_zero_point;
  if (zero == 0) return wide;
  return qn_build_binary_int(e->b, QN_OP_ARITH_SUBI, wide, zero);
}

/* sum + the weights of a vector with one channel per lane. */
static qn_value *add_weights(emitter *e, qn_value *sum, qn_value *weights) {
  qn_value *ones = qn_vec_splat(e->b, 1, is_wide(e) ? e->i16 : e->i8, qn_vec_count(weights));
  if (is_wide(e)) return qn_products_of_pairs(e->b, sum, weights, ones);
  return qn_products_in_lanes(e->b, sum, ones, weights, qn_dot_takes(e->d->dot, true));
}

/* Loads the biases of the lanes of a vector, which are in groups of four like its results. */
static qn_value *bias_of(emitter *e, qn_value *channel, uint32_t vector) {
  int64_t lanes = e->block->width / e->d->variant.vectors, valid = e->block->valid;
  int64_t mask[QN_VEC_MAX_BYTES];
  for (int64_t l = 0; l < lanes; l++) {
    int64_t c = qn_depthwise_lane_channel(e->d, vector, l);
    mask[l] = c < valid ? c : 0; /* lanes whose results are not stored repeat channel 0 */
  }
  qn_value *all = qn_vec_load(e->b, e->bias, channel, 0, valid);
  return qn_vec_shuffle(e->b, all, all, mask, lanes);
}

static void pack_block(emitter *e, void *user, qn_value *channel) {
  (void)user;
  const qn_depthwise *d = e->d;
  int64_t width = e->block->width, stride = qn_depthwise_stride(e);
  qn_value *taps[QN_DEPTHWISE_GROUP], *vectors[QN_DEPTHWISE_GROUP], *sums[QN_DEPTHWISE_GROUP];
  for (uint32_t v = 0; v < d->variant.vectors; v++)
    sums[v] = qn_vec_splat(e->b, 0, e->i32, width / d->variant.vectors);
  /* Column-wise, the products of further output rows repeat the same taps. */
  uint32_t counted = d->variant.by_columns ? d->row_products : d->product_count;
  for (uint32_t p = 0; p < d->product_count; p++) {
    for (uint32_t i = 0; i < d->variant.group; i++)
      taps[i] = tap_of(e, d->products[p].taps[i], channel);
    qn_depthwise_interleave(e, taps, vectors);
    for (uint32_t v = 0; v < d->variant.vectors; v++) {
      qn_vec_store(e->b, vectors[v], e->packed, e->weights_at, p * stride + v * width);
      if (p < counted) sums[v] = add_weights(e, sums[v], vectors[v]);
    }
  }
  int64_t factor = d->weights->plan->input_zero_point + qn_depthwise_offset(d);
  for (uint32_t v = 0; v < d->variant.vectors; v++) {
    qn_value *start = bias_of(e, channel, v);
    qn_value *less =
        qn_build_binary(e->b, QN_OP_ARITH_MULI, sums[v], qn_build_int(e->b, factor, sums[v]->type));
    start = qn_build_binary(e->b, QN_OP_ARITH_SUBI, start, less);
    start = qn_vec_bitcast(e->b, start, is_wide(e) ? e->i16 : e->i8);
    qn_vec_store(e->b, start, e->packed, e->starts_at, v * width);
  }
}

qn_value *qn_depthwise_packing(qn_loops *lo, const qn_depthwise *d) {
  qn_ir_context *cx = lo->cx;
  emitter e = {.d = d, .i8 = qn_type_i(cx, 8), .i16 = qn_type_i(cx, 16), .i32 = qn_type_i(cx, 32)};
  qn_bytes channels = {(const uint8_t *)d->channel_table.data,
                       d->channel_table.count * sizeof *d->channel_table.data};
  qn_value *buffers[ARG_COUNT];
  buffers[SOURCE] = qn_loops_buffer(lo, qn_op_operand(d->op, 1));
  buffers[BIAS] = qn_loops_buffer(lo, qn_op_operand(d->op, 2));
  buffers[CHANNELS] = qn_loops_constant(lo, e.i32, channels);
  buffers[PACKED] = qn_loops_packed(lo, d->op, qn_op_operand(d->op, 1), qn_op_operand(d->op, 2),
                                    qn_depthwise_element(d, cx), d->packed_elements);
  qn_kernel k = qn_kernel_begin(lo, "pack_depthwise", d->op, buffers, ARG_COUNT);
  e.k = &k, e.b = &k.b;
  e.source = k.args[SOURCE], e.bias = k.args[BIAS];
  e.channel_table = k.args[CHANNELS], e.packed = k.args[PACKED];
  k.size = QN_SIZE_FIXED; /* weights are packed as a whole, whatever the batch size */
  qn_nest_begin(e.b, k.lower, k.upper, 1);
  qn_depthwise_each_block(&e, pack_block, NULL);
  qn_nest_end(e.b);
  qn_kernel_end(&k, 1, 0);
  return buffers[PACKED];
}

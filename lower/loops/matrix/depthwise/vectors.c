/* Code of depthwise convolutions that all schedules share: operations on the vectors of a block of
 * channels, and the loops over blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"

typedef qn_depthwise_emitter emitter;

static qn_value *add(emitter *e, qn_value *lhs, qn_value *rhs) {
  return qn_build_binary(e->b, QN_OP_ARITH_ADDI, lhs, rhs);
}

/* ---- shared: one block of channels ---- */

qn_value *qn_depthwise_bytes(emitter *e, qn_value *memref, qn_value *index, int64_t offset) {
  int64_t mask[QN_VEC_MAX_BYTES], valid = e->block->valid;
  QN_ASSERT(valid > 0 && valid <= e->block->width && e->block->width <= QN_VEC_MAX_BYTES);
  qn_value *bytes = qn_vec_load(e->b, memref, index, offset, valid);
  if (valid == e->block->width) return bytes;
  for (int64_t i = 0; i < e->block->width; i++) mask[i] = i < valid ? i : valid;
  qn_value *zeros = qn_vec_splat(e->b, 0, e->i8, valid);
  return qn_vec_shuffle(e->b, bytes, zeros, mask, e->block->width);
}

qn_value *qn_depthwise_load(emitter *e, qn_value *index, int64_t offset) {
  const qn_depthwise *d = e->d;
  qn_value *bytes = qn_depthwise_bytes(e, e->x, index, offset);
  bool x_unsigned = d->weights->x_unsigned;
  if (qn_dot_widens(d->dot))
    return qn_vec_cast(e->b, x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, bytes, e->i16);
  if (qn_depthwise_offset(d) == 0) return bytes;
  qn_value *top = qn_vec_splat(e->b, -128, e->i8, e->block->width);
  return qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes, top);
}

/* Interleaves the elements of the first (half 0) or second halves of each 128 bits of a and b. */
static qn_value *interleave(emitter *e, qn_value *a, qn_value *b, int64_t half) {
  int64_t count = qn_vec_count(a), mask[QN_VEC_MAX_BYTES];
  int64_t per_lane = 16 / qn_type_bytes(qn_type_element(a->type));
  for (int64_t i = 0; i < count; i++) {
    int64_t lane = i / per_lane * per_lane, at = half * per_lane / 2 + i % per_lane / 2;
    mask[i] = i % 2 * count + lane + at;
  }
  return qn_vec_shuffle(e->b, a, b, mask, count);
}

void qn_depthwise_interleave(emitter *e, qn_value *const *taps, qn_value **out) {
  if (e->d->variant.group == 2) {
    for (int64_t half = 0; half < 2; half++) out[half] = interleave(e, taps[0], taps[1], half);
    return;
  }
  for (int64_t half = 0; half < 2; half++) {
    qn_value *low = qn_vec_bitcast(e->b, interleave(e, taps[0], taps[1], half), e->i16);
    qn_value *high = qn_vec_bitcast(e->b, interleave(e, taps[2], taps[3], half), e->i16);
    for (int64_t quarter = 0; quarter < 2; quarter++)
      out[2 * half + quarter] = qn_vec_bitcast(e->b, interleave(e, low, high, quarter), e->i8);
  }
}

static int64_t lanes_of(const emitter *e) { return e->block->width / e->d->variant.vectors; }

static int64_t param_words(const emitter *e) {
  return qn_depthwise_param_words(e->d, e->block->kind, lanes_of(e));
}

/* Loads the copies of a parameter of `count` pixels, which begin `offset` elements after the
 * block's first parameter. */
static void reload(emitter *e, int64_t offset, qn_value **out, uint32_t count) {
  qn_vec_reload(e->b, e->params, e->params_at, offset, lanes_of(e), out, count);
}

void qn_depthwise_start(emitter *e, uint32_t v, qn_value **out, uint32_t count) {
  int64_t width = e->block->width;
  qn_epilogue_kind kind = e->block->kind;
  if (count > 1 && qn_depthwise_copies(e->d, kind) > 1) {
    reload(e, v * param_words(e), out, count);
    return;
  }
  if (e->d->weights->constant) {
    out[0] = qn_epilogue_load_start(e->b, e->d->epilogue, kind, e->params, e->params_at,
                                    v * param_words(e), lanes_of(e));
  } else {
    out[0] = qn_vec_load(e->b, e->packed, e->starts_at, v * width, width);
    out[0] = qn_vec_bitcast(e->b, out[0], e->i32);
  }
  for (uint32_t i = 1; i < count; i++) out[i] = out[0];
}

qn_value *qn_depthwise_weights(emitter *e, uint32_t v, qn_value *index, int64_t offset) {
  int64_t width = e->block->width;
  if (e->d->compact.narrow)
    return qn_compact_load(e->b, e->packed, e->base, index, offset + v * width, width);
  return qn_vec_load(e->b, e->packed, index, offset + v * width, width);
}

qn_value *qn_depthwise_thin_weights(emitter *e, uint32_t v) {
  int64_t lanes = lanes_of(e);
  if (e->widened) return qn_vec_load(e->b, e->packed, e->thin_at, v * 2 * lanes, 2 * lanes);
  return qn_compact_load_pairs(e->b, e->packed, e->base, e->thin_at, v * lanes, lanes);
}

qn_value *qn_depthwise_add(emitter *e, qn_value *acc, qn_value *input, qn_value *w) {
  const qn_depthwise *d = e->d;
  bool x_unsigned = qn_dot_sees_unsigned(d->dot, d->weights->x_unsigned);
  return qn_dot_build(e->b, d->dot, acc, &(qn_factors){input, w}, 1, x_unsigned);
}

qn_depthwise_cursor qn_depthwise_move(emitter *e, qn_depthwise_cursor from, qn_value *steps,
                                      int64_t x_stride, int64_t y_stride, int64_t element_stride) {
  qn_depthwise_cursor to;
  to.x = add(e, from.x, qn_index_affine(e->b, steps, x_stride, 0));
  to.y = add(e, from.y, qn_index_affine(e->b, steps, y_stride, 0));
  to.element = to.y;
  if (e->has_halo)
    to.element = add(e, from.element, qn_index_affine(e->b, steps, element_stride, 0));
  return to;
}

void qn_depthwise_requantize(emitter *e, uint32_t v, qn_value **acc, uint32_t count) {
  QN_ASSERT(v < e->d->variant.vectors && count > 0);
  qn_epilogue_kind kind = e->block->kind;
  qn_value *offsets[QN_DEPTHWISE_GROUP * QN_DEPTHWISE_PIXELS];
  int64_t at = v * param_words(e), lanes = lanes_of(e), copies = qn_depthwise_copies(e->d, kind);
  /* The copies of the initial accumulators precede. */
  qn_epilogue_params params = qn_epilogue_load(e->b, e->d->epilogue, kind, e->params, e->params_at,
                                               at + (copies - 1) * lanes, lanes, lanes);
  bool reloads = count > 1 && copies > 1;
  if (reloads) reload(e, at + (copies + 1) * lanes, offsets, count);
  for (uint32_t i = 0; i < count; i++) {
    if (reloads) qn_epilogue_set_offset(e->b, &params, offsets[i]);
    acc[i] = qn_epilogue_apply(e->b, e->d->epilogue, kind, &params, acc[i]);
  }
}

/* The block's channels that are not stored yet, from bytes in the order that narrowing produces. */
static qn_value *in_order(emitter *e, qn_value *bytes) {
  const qn_depthwise_block *block = e->block;
  int64_t mask[QN_VEC_MAX_BYTES];
  bool same = true, interleaved = qn_epilogue_is_interleaved(e->d->epilogue, block->kind);
  for (uint32_t v = 0; v < e->d->variant.vectors; v++)
    for (int64_t l = 0; l < lanes_of(e); l++) {
      int64_t channel = qn_depthwise_lane_channel(e->d, v, l);
      mask[channel] = qn_epilogue_lane_channel(interleaved, e->d->variant.vectors, v, l);
      same &= mask[channel] == channel;
    }
  if (!same) bytes = qn_vec_shuffle(e->b, bytes, bytes, mask, block->width);
  return qn_vec_slice(e->b, bytes, block->skip, block->valid - block->skip);
}

/* The bytes of the block's channels that are not stored yet. */
static qn_value *narrow(emitter *e, qn_value *const *results) {
  const qn_depthwise *d = e->d;
  const qn_depthwise_block *block = e->block;
  if (d->dot->by_parity) {
    qn_value *bytes = qn_epilogue_narrow_by_parity(e->b, d->epilogue, block->kind, results);
    return qn_vec_slice(e->b, bytes, block->skip, block->valid - block->skip);
  }
  return in_order(e, qn_epilogue_narrow(e->b, d->epilogue, block->kind, results, d->variant.vectors,
                                        block->width));
}

void qn_depthwise_store(emitter *e, qn_value *const *results, qn_depthwise_cursor at,
                        int64_t y_offset, int64_t element_offset) {
  const qn_depthwise *d = e->d;
  const qn_depthwise_block *block = e->block;
  qn_value *bytes = narrow(e, results);
  qn_value *element = qn_index_add(e->b, at.element, element_offset + block->skip);
  bytes = qn_fusion_emit(e->k, d->op, QN_DEPTHWISE_POST_OPS, bytes, element);
  qn_vec_store(e->b, bytes, e->y, at.y, y_offset + block->skip);
}

qn_value *qn_depthwise_tap_at(emitter *e, qn_value *x, uint32_t t, qn_value *previous) {
  const int32_t *offsets = e->d->offsets.data;
  /* A padding tap, or a further part of a weight, reads the same bytes again. */
  if (t % e->d->variant.group != 0 && offsets[t] == offsets[t - 1]) return previous;
  return qn_depthwise_load(e, x, offsets[t]);
}

/* ---- blocks ---- */

/* Elements of `packed` of the thin product of a block. */
static int64_t thin_elements(const emitter *e, const qn_depthwise_block *block) {
  return block->width * (e->widened ? 2 : 1);
}

/* First elements of the constants of a block. */
typedef struct first_elements {
  int64_t packed, params, thin;
} first_elements;

static bool same_run(const qn_depthwise_block *a, const qn_depthwise_block *b) {
  return a->width == b->width && a->skip == b->skip && a->valid == b->valid && a->kind == b->kind;
}

/* The end of the run of blocks of equal shape that begins at `begin`. */
static uint32_t end_of_run(const qn_depthwise *d, uint32_t begin) {
  uint32_t end = begin + 1;
  while (end < d->block_count && same_run(&d->blocks[begin], &d->blocks[end])) end++;
  return end;
}

/* Whether each of blocks [begin, end) begins where the one before it ends. */
static bool is_spaced(const qn_depthwise *d, uint32_t begin, uint32_t end) {
  bool spaced = true;
  for (uint32_t i = begin; i + 1 < end; i++)
    spaced &= d->blocks[i + 1].channel == d->blocks[i].channel + d->blocks[i].width;
  return spaced;
}

bool qn_depthwise_has_table(const qn_depthwise *d) {
  bool spaced = true;
  for (uint32_t begin = 0; begin < d->block_count; begin = end_of_run(d, begin))
    spaced &= is_spaced(d, begin, end_of_run(d, begin));
  return !spaced;
}

/* Emits blocks [begin, end), which have equal shape. `at`: the constants of `begin`. */
static void block_run(emitter *e, uint32_t begin, uint32_t end, first_elements at,
                      qn_depthwise_block_fn *block, void *user) {
  const qn_depthwise *d = e->d;
  qn_builder *b = e->b;
  e->block = &d->blocks[begin];
  int64_t packed_stride = qn_depthwise_block_elements(d, e->block);
  int64_t param_stride = d->variant.vectors * param_words(e);
  qn_carry loop = qn_carry_begin(b, begin, end, 1, NULL, 0);
  qn_value *number = loop.index;
  e->starts_at = qn_index_affine(b, number, packed_stride, at.packed - begin * packed_stride);
  e->weights_at = qn_index_add(b, e->starts_at, qn_depthwise_start_elements(d, e->block));
  e->params_at = qn_index_affine(b, number, param_stride, at.params - begin * param_stride);
  int64_t thin_stride = thin_elements(e, e->block);
  e->thin_at = qn_index_affine(b, number, thin_stride, at.thin - begin * thin_stride);
  const int64_t first = e->block->channel, width = e->block->width;
  block(e, user,
        is_spaced(d, begin, end) ? qn_index_affine(b, number, width, first - begin * width)
                                 : qn_index_load(b, e->channel_table, number, 0));
  qn_carry_end(b, &loop);
}

void qn_depthwise_each_block(emitter *e, qn_depthwise_block_fn *block, void *user) {
  const qn_depthwise *d = e->d;
  first_elements at = {.params = qn_epilogue_shared_words(d->epilogue, d->blocks[0].kind)};
  for (uint32_t i = 0; i < d->block_count; i++)
    at.thin += qn_depthwise_block_elements(d, &d->blocks[i]);
  for (uint32_t begin = 0, end; begin < d->block_count; begin = end) {
    const qn_depthwise_block *first = &d->blocks[begin];
    end = end_of_run(d, begin);
    block_run(e, begin, end, at, block, user);
    at.packed += (end - begin) * qn_depthwise_block_elements(d, first);
    at.thin += (end - begin) * thin_elements(e, first);
    at.params += (end - begin) * d->variant.vectors *
                 qn_depthwise_param_words(d, first->kind, first->width / d->variant.vectors);
  }
}

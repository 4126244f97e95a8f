/* Emitting depthwise convolutions: loops over rows and blocks of channels, and what both schedules
 * of their pixels share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"

#include "lower/loops/fusion.h"
#include "lower/loops/int16/int16.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"
#include "lower/loops/schedule.h"

/* Of the kernel; what followers read comes behind. */
enum { ARG_X, ARG_PACKED, ARG_PARAMS, ARG_CHANNEL_TABLE, ARG_OFFSETS, ARG_Y, ARG_FOLLOWERS };

enum { MAX_PACKED_TAPS = 128 /* of weights that are not constant: their kernel is unrolled */ };

typedef qn_depthwise_emitter emitter;

static qn_value *add(emitter *e, qn_value *lhs, qn_value *rhs) {
  return qn_build_binary(e->b, QN_OP_ARITH_ADDI, lhs, rhs);
}

/* ---- shared: one block of channels ---- */

qn_value *qn_depthwise_bytes(emitter *e, qn_value *memref, qn_value *index, int64_t offset) {
  int64_t mask[QN_VEC_MAX_BYTES], valid = e->block->valid;
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
  if (d->variant.form == QN_DEPTHWISE_PAIRS)
    return qn_vec_cast(e->b, x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, bytes, e->i16);
  if (qn_depthwise_offset(d) == 0) return bytes;
  qn_value *top = qn_vec_splat(e->b, -128, e->i8, e->block->width);
  return qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes, top);
}

/* The first (half 0) or second half of each 128-bit lane of a and b, element by element. */
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
  if (e->d->variant.form != QN_DEPTHWISE_DOTS) {
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
  return qn_epilogue_words(e->block->kind) * lanes_of(e);
}

qn_value *qn_depthwise_start(emitter *e, uint32_t v) {
  int64_t width = e->block->width;
  if (e->d->weights->constant)
    return qn_vec_load(e->b, e->params, e->params_at, v * param_words(e), lanes_of(e));
  qn_value *start = qn_vec_load(e->b, e->packed, e->starts_at, v * width, width);
  return qn_vec_bitcast(e->b, start, e->i32);
}

qn_value *qn_depthwise_weights(emitter *e, uint32_t v, qn_value *index, int64_t offset) {
  int64_t width = e->block->width;
  return qn_vec_load(e->b, e->packed, index, offset + v * width, width);
}

qn_value *qn_depthwise_add(emitter *e, qn_value *acc, qn_value *input, qn_value *w) {
  const qn_depthwise *d = e->d;
  const qn_dot *dot = d->variant.form == QN_DEPTHWISE_DOTS ? d->dot : &qn_dot_pairs;
  bool x_unsigned = qn_dot_sees_unsigned(dot, d->weights->x_unsigned);
  return qn_dot_build(e->b, dot, acc, &(qn_factors){input, w}, 1, x_unsigned);
}

qn_depthwise_place qn_depthwise_move(emitter *e, qn_depthwise_place from, qn_value *steps,
                                     int64_t x_stride, int64_t y_stride, int64_t element_stride) {
  qn_depthwise_place to;
  to.x = add(e, from.x, qn_index_affine(e->b, steps, x_stride, 0));
  to.y = add(e, from.y, qn_index_affine(e->b, steps, y_stride, 0));
  to.element = to.y;
  if (e->framed) to.element = add(e, from.element, qn_index_affine(e->b, steps, element_stride, 0));
  return to;
}

void qn_depthwise_requantize(emitter *e, uint32_t v, qn_value **acc, uint32_t count) {
  qn_epilogue_kind kind = e->block->kind;
  qn_epilogue_params params =
      qn_epilogue_load(e->b, kind, e->params, e->params_at, v * param_words(e), lanes_of(e));
  for (uint32_t i = 0; i < count; i++)
    acc[i] = qn_epilogue_apply(e->b, e->d->epilogue, kind, &params, acc[i]);
}

/* The block's channels that are not stored yet, of bytes that stand as narrowing leaves them. */
static qn_value *in_order(emitter *e, qn_value *bytes) {
  const qn_depthwise_block *block = e->block;
  int64_t mask[QN_VEC_MAX_BYTES];
  bool same = true, in_turns = qn_epilogue_takes_turns(block->kind);
  for (uint32_t v = 0; v < e->d->variant.vectors; v++)
    for (int64_t l = 0; l < lanes_of(e); l++) {
      int64_t channel = qn_depthwise_lane_channel(e->d->variant.vectors, v, l);
      mask[channel] = qn_epilogue_lane_channel(in_turns, e->d->variant.vectors, v, l);
      same &= mask[channel] == channel;
    }
  if (!same) bytes = qn_vec_shuffle(e->b, bytes, bytes, mask, block->width);
  return qn_vec_slice(e->b, bytes, block->skip, block->valid - block->skip);
}

void qn_depthwise_store(emitter *e, qn_value *const *results, qn_depthwise_place at,
                        int64_t y_offset, int64_t element_offset) {
  const qn_depthwise *d = e->d;
  const qn_depthwise_block *block = e->block;
  qn_value *bytes =
      qn_epilogue_narrow(e->b, d->epilogue, block->kind, results, d->variant.vectors, block->width);
  bytes = in_order(e, bytes);
  qn_value *element = qn_index_add(e->b, at.element, element_offset + block->skip);
  bytes = qn_fusion_emit(e->k, d->op, ARG_FOLLOWERS, bytes, element);
  qn_vec_store(e->b, bytes, e->y, at.y, y_offset + block->skip);
}

/* ---- blocks and rows ---- */

/* Blocks [begin, end) of equal shape. The constants of `begin` start at the given elements. */
static void block_run(emitter *e, uint32_t begin, uint32_t end, int64_t packed, int64_t params,
                      qn_depthwise_block_fn *block, void *user) {
  const qn_depthwise *d = e->d;
  qn_builder *b = e->b;
  e->block = &d->blocks[begin];
  int64_t packed_stride = qn_depthwise_block_elements(d, e->block);
  int64_t param_stride = e->block->width * qn_epilogue_words(e->block->kind);
  qn_nest_carry(b, begin, end, 1, NULL, 0);
  qn_value *number = b->block->args[0];
  e->starts_at = qn_index_affine(b, number, packed_stride, packed - begin * packed_stride);
  e->weights_at = qn_index_add(b, e->starts_at, qn_depthwise_start_elements(d, e->block));
  e->params_at = qn_index_affine(b, number, param_stride, params - begin * param_stride);
  block(e, user, qn_index_load(b, e->channel_table, number, 0));
  qn_build_yield(b, NULL, 0);
}

static bool same_run(const qn_depthwise_block *a, const qn_depthwise_block *b) {
  return a->width == b->width && a->skip == b->skip && a->valid == b->valid && a->kind == b->kind;
}

void qn_depthwise_each_block(emitter *e, qn_depthwise_block_fn *block, void *user) {
  const qn_depthwise *d = e->d;
  int64_t packed = 0, params = 0;
  for (uint32_t begin = 0, end; begin < d->block_count; begin = end) {
    const qn_depthwise_block *first = &d->blocks[begin];
    for (end = begin + 1; end < d->block_count && same_run(first, &d->blocks[end]);) end++;
    block_run(e, begin, end, packed, params, block, user);
    packed += (end - begin) * qn_depthwise_block_elements(d, first);
    params += (end - begin) * first->width * qn_epilogue_words(first->kind);
  }
}

typedef struct row_place {
  uint32_t rows;
  qn_depthwise_place at;
} row_place;

static void block_row(emitter *e, void *user, qn_value *channel) {
  const row_place *r = user;
  qn_depthwise_row_fn *row =
      e->d->variant.by_columns ? qn_depthwise_columns_row : qn_depthwise_taps_row;
  row(e, r->rows, qn_depthwise_move(e, r->at, channel, 1, 1, 1));
}

static void all_blocks(emitter *e, uint32_t rows, qn_depthwise_place at) {
  row_place place = {rows, at};
  qn_depthwise_each_block(e, block_row, &place);
}

/* Groups of output rows of an image: the full ones, then one with the rest. */
static int64_t groups_of(const qn_depthwise *d) {
  return (d->shape.out_height + d->variant.out_rows - 1) / d->variant.out_rows;
}

/* Output rows oy .. oy + rows - 1 of an image. */
static void row_group(emitter *e, uint32_t rows, qn_value *image, qn_value *oy) {
  const qn_conv_shape *s = &e->d->shape;
  const qn_conv_frame *f = &e->d->frame;
  int64_t x_row = s->width * s->channels, elements = s->out_width * s->channels;
  qn_depthwise_place at = {.x = qn_build_index(e->b, 0), .y = qn_build_index(e->b, f->first)};
  at.element = at.x;
  at = qn_depthwise_move(e, at, image, s->height * x_row, f->image, s->out_height * elements);
  all_blocks(e, rows, qn_depthwise_move(e, at, oy, s->stride_y * x_row, f->row, elements));
}

/* The call's groups of one kind. Units are numbered with the full groups of all images first. */
static void unit_loop(emitter *e, uint32_t rows, int64_t first, int64_t count, int64_t per_image) {
  qn_builder *b = e->b;
  qn_value *lower = qn_nest_max(b, e->k->lower, first);
  qn_value *unit = qn_nest_begin(b, lower, qn_nest_min(b, e->k->upper, first + count), 1);
  unit = qn_index_add(b, unit, -first);
  qn_value *divisor = qn_build_index(b, per_image);
  qn_value *image = qn_build_binary(b, QN_OP_ARITH_DIVUI, unit, divisor);
  qn_value *group = qn_build_binary(b, QN_OP_ARITH_REMUI, unit, divisor);
  int64_t full = e->d->shape.out_height / e->d->variant.out_rows;
  int64_t oy = rows == e->d->variant.out_rows ? 0 : full * e->d->variant.out_rows;
  row_group(e, rows, image, qn_index_affine(b, group, e->d->variant.out_rows, oy));
  qn_build_yield(b, NULL, 0);
}

/* The other numbering, where the batch has a size known at run time only: a unit is an image. */
static void image_loop(emitter *e, int64_t full, int64_t rest) {
  qn_value *image = qn_nest_begin(e->b, e->k->lower, e->k->upper, 1);
  if (full > 0) {
    qn_value *group = qn_nest_count(e->b, full, 1);
    row_group(e, e->d->variant.out_rows, image,
              qn_index_affine(e->b, group, e->d->variant.out_rows, 0));
    qn_nest_end(e->b);
  }
  if (rest > 0)
    row_group(e, (uint32_t)rest, image, qn_build_index(e->b, full * e->d->variant.out_rows));
  qn_nest_end(e->b);
}

static void all_units(emitter *e) {
  const qn_depthwise *d = e->d;
  int64_t full = d->shape.out_height / d->variant.out_rows,
          rest = d->shape.out_height % d->variant.out_rows;
  if (e->k->size != QN_SIZE_FIXED) {
    image_loop(e, full, rest);
    return;
  }
  if (full > 0) unit_loop(e, d->variant.out_rows, 0, d->shape.batch * full, full);
  if (rest > 0) unit_loop(e, (uint32_t)rest, d->shape.batch * full, d->shape.batch, 1);
}

/* ---- the kernel ---- */

static qn_bytes i32_bytes(const qn_i32_array *values) {
  return (qn_bytes){(const uint8_t *)values->data, values->count * sizeof *values->data};
}

static qn_value *packed_of(qn_loops *lo, const qn_depthwise *d) {
  if (!d->weights->constant) return qn_depthwise_packing(lo, d);
  qn_bytes packed = {d->packed.data, d->packed.count};
  return qn_loops_constant(lo, qn_depthwise_element(d, lo->cx), packed);
}

static void emit(qn_loops *lo, const qn_depthwise *d) {
  qn_ir_context *cx = lo->cx;
  emitter e = {.d = d, .i8 = qn_type_i(cx, 8), .i16 = qn_type_i(cx, 16), .i32 = qn_type_i(cx, 32)};
  qn_value *buffers[ARG_FOLLOWERS + QN_FUSION_BUFFERS];
  buffers[ARG_X] = qn_loops_buffer(lo, qn_op_operand(d->op, 0));
  buffers[ARG_PACKED] = packed_of(lo, d);
  buffers[ARG_PARAMS] = qn_loops_constant(lo, e.i32, i32_bytes(&d->params));
  buffers[ARG_CHANNEL_TABLE] = qn_loops_constant(lo, e.i32, i32_bytes(&d->channel_table));
  buffers[ARG_OFFSETS] = qn_loops_constant(lo, e.i32, i32_bytes(&d->offsets));
  buffers[ARG_Y] = qn_loops_buffer(lo, qn_fusion_result(lo, d->op));
  uint32_t followers = qn_fusion_buffers(lo, d->op, buffers + ARG_FOLLOWERS);
  e.framed = followers > 0 && qn_fusion_pad(lo, d->op);
  qn_kernel k = qn_kernel_begin(lo, "depthwise", d->op, buffers, ARG_FOLLOWERS + followers);
  e.k = &k, e.b = &k.b;
  e.x = k.args[ARG_X], e.packed = k.args[ARG_PACKED], e.params = k.args[ARG_PARAMS],
  e.channel_table = k.args[ARG_CHANNEL_TABLE];
  e.offsets = k.args[ARG_OFFSETS], e.y = k.args[ARG_Y];
  all_units(&e);
  const qn_conv_shape *s = &d->shape;
  int64_t units = k.size != QN_SIZE_FIXED ? s->batch : s->batch * groups_of(d);
  qn_kernel_end(&k, units, qn_op_cost(d->op).macs);
}

/* Whether it is a product of as many groups as channels of x instead: of several results each, or
 * of more weights than its own schedule packs. */
static bool is_grouped(const qn_op *op, const qn_weights *weights) {
  bool packs = weights->constant || weights->taps <= MAX_PACKED_TAPS;
  return qn_conv_shape_of(op).channels != weights->channels || !packs;
}

static bool grouped_geometry(qn_loops *lo, const qn_op *op, qn_bytes_product *product,
                             qn_weights *weights, qn_gemm *out_gemm) {
  return qn_conv_geometry(lo, op, qn_conv_shape_of(op).channels, product, weights, out_gemm) &&
         is_grouped(op, weights);
}

static void *choose(qn_loops *lo, const qn_op *op) {
  return qn_bytes_choose_micro(lo, grouped_geometry, op);
}

static qn_status lower_depthwise(qn_loops *lo, qn_op *op) {
  if (qn_int16_applies(op)) return qn_int16_lower_depthwise(lo, op);
  qn_weights weights;
  QN_TRY(qn_weights_read(lo, op, &weights));
  if (is_grouped(op, &weights))
    return qn_conv_gemm(lo, op, &weights, qn_conv_shape_of(op).channels);
  qn_epilogue epilogue = qn_epilogue_of(lo, op, weights.plan, weights.sums, weights.constant);
  qn_depthwise plan;
  qn_depthwise_plan(lo, op, &weights, &epilogue, &plan);
  emit(lo, &plan);
  qn_depthwise_deinit(&plan);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_depthwise_conv = {.lower = lower_depthwise,
                                                           .choose = choose,
                                                           .read = qn_plan_read_matrix,
                                                           .constants_from = 3,
                                                           .leads = true,
                                                           .borders = true};

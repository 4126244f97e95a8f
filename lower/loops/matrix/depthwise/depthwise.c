/* Code of depthwise convolutions: the loops over rows and blocks of channels, and what both
 * schedules share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"

#include "lower/loops/fusion/fusion.h"
#include "lower/loops/int16/int16.h"
#include "lower/loops/matrix/epilogue/halves.h"
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"

enum { ARG_X, ARG_PACKED, ARG_PARAMS, ARG_CHANNEL_TABLE, ARG_OFFSETS, ARG_Y, ARG_POST_OPS };
_Static_assert((int)ARG_POST_OPS == (int)QN_DEPTHWISE_POST_OPS, "what post_ops read comes behind");

enum {
  MAX_PACKED_TAPS =
      128 /* maximum taps of runtime weights, because their packing kernel is unrolled */
};

typedef qn_depthwise_emitter emitter;

/* ---- rows ---- */

typedef struct row_place {
  uint32_t rows;
  qn_depthwise_cursor at;
} row_place;

static void block_row(emitter *e, void *user, qn_value *channel) {
  const row_place *r = user;
  qn_depthwise_row_fn *row =
      e->d->variant.by_columns ? qn_depthwise_columns_row : qn_depthwise_taps_row;
  row(e, r->rows, qn_depthwise_move(e, r->at, channel, 1, 1, 1));
}

static void all_blocks(emitter *e, uint32_t rows, qn_depthwise_cursor at) {
  row_place place = {rows, at};
  qn_depthwise_each_block(e, block_row, &place);
}

/* Work items of an image: groups of output rows, the full groups first, then one with the remaining
 * rows. */
static int64_t groups_of(const qn_depthwise *d) {
  return (d->shape.out_height + d->variant.out_rows - 1) / d->variant.out_rows;
}

/* Emits output rows [oy, oy + rows) of an image. */
static void row_group(emitter *e, uint32_t rows, qn_value *image, qn_value *oy) {
  const qn_conv_shape *s = &e->d->shape;
  const qn_conv_frame *f = &e->d->frame;
  int64_t x_row = s->width * s->channels, elements = s->out_width * s->channels;
  qn_depthwise_cursor at = {.x = qn_build_index(e->b, 0), .y = qn_build_index(e->b, f->first)};
  at.element = at.x;
  at = qn_depthwise_move(e, at, image, s->height * x_row, f->image, s->out_height * elements);
  all_blocks(e, rows, qn_depthwise_move(e, at, oy, s->stride_y * x_row, f->row, elements));
}

/* Emits the call's row groups of one size. Work items are numbered with the full groups of all
 * images first. */
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

/* Emits the call's images: with a dynamic batch size, a work item is an image. */
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
  const qn_type *type = d->compact.narrow ? qn_type_i(lo->cx, 8) : qn_depthwise_element(d, lo->cx);
  return qn_loops_constant(lo, type, packed);
}

/* Widens the weights of the thin product, `count` from element `first` on, to pairs of taps. */
static void widen_thin(emitter *e, int64_t first, int64_t count, qn_value *to) {
  enum { STEP = 8 };
  QN_ASSERT(count % STEP == 0);
  qn_value *i = qn_nest_count(e->b, count, STEP);
  qn_value *pairs = qn_compact_load_pairs(e->b, e->packed, e->base, i, first, STEP);
  qn_vec_store(e->b, pairs, to, qn_index_affine(e->b, i, 2, 0), first);
  qn_nest_end(e->b);
}

/* Widens all weights once per call, where they fit and more than two steps read each. */
static void open_weights(emitter *e) {
  const qn_depthwise *d = e->d;
  int64_t count = (int64_t)d->packed.count, thin = 0;
  for (uint32_t i = 0; i < d->block_count && d->thin; i++) thin += d->blocks[i].width;
  int64_t steps = d->shape.batch * d->shape.out_height * d->shape.out_width / d->variant.pixels;
  if (!d->compact.narrow) return;
  e->base = qn_compact_base(e->b, &d->compact, e->params);
  if (steps <= 2 * d->variant.merged || (count + thin) * 2 > QN_COMPACT_SCRATCH_BYTES) return;
  const qn_type *type = qn_type_buf(e->b->cx, e->i16, count + thin);
  qn_value *widened = qn_build_1(e->b, QN_OP_QUERN_SCRATCH, type, NULL, 0, NULL);
  qn_value *first = qn_build_index(e->b, 0);
  if (count > thin) qn_compact_widen(e->b, e->packed, e->base, first, count - thin, widened);
  if (thin > 0) widen_thin(e, count - thin, thin, widened);
  e->packed = widened, e->widened = true;
}

static void emit(qn_loops *lo, const qn_depthwise *d) {
  qn_ir_context *cx = lo->cx;
  emitter e = {.d = d,
               .target = lo->target,
               .i8 = qn_type_i(cx, 8),
               .i16 = qn_type_i(cx, 16),
               .i32 = qn_type_i(cx, 32)};
  qn_value *buffers[ARG_POST_OPS + QN_FUSION_BUFFERS];
  buffers[ARG_X] = qn_loops_buffer(lo, qn_op_operand(d->op, 0));
  buffers[ARG_PACKED] = packed_of(lo, d);
  buffers[ARG_PARAMS] = qn_loops_constant(lo, e.i32, i32_bytes(&d->params));
  buffers[ARG_CHANNEL_TABLE] = buffers[ARG_OFFSETS] = buffers[ARG_PARAMS];
  if (qn_depthwise_has_table(d))
    buffers[ARG_CHANNEL_TABLE] = qn_loops_constant(lo, e.i32, i32_bytes(&d->channel_table));
  if (qn_depthwise_is_listed(d))
    buffers[ARG_OFFSETS] = qn_loops_constant(lo, e.i32, i32_bytes(&d->offsets));
  buffers[ARG_Y] = qn_loops_buffer(lo, qn_fusion_result(lo, d->op));
  uint32_t post_ops = qn_fusion_buffers(lo, d->op, buffers + ARG_POST_OPS);
  e.has_halo = post_ops > 0 && !qn_fusion_is_dense(lo, d->op);
  qn_kernel k = qn_kernel_begin(lo, "depthwise", d->op, buffers, ARG_POST_OPS + post_ops);
  e.k = &k, e.b = &k.b;
  e.x = k.args[ARG_X], e.packed = k.args[ARG_PACKED], e.params = k.args[ARG_PARAMS],
  e.channel_table = k.args[ARG_CHANNEL_TABLE];
  e.offsets = k.args[ARG_OFFSETS], e.y = k.args[ARG_Y];
  open_weights(&e);
  all_units(&e);
  const qn_conv_shape *s = &d->shape;
  int64_t units = k.size != QN_SIZE_FIXED ? s->batch : s->batch * groups_of(d);
  qn_kernel_end(&k, units, qn_op_cost(d->op).macs);
}

/* Whether the op is lowered as a grouped matrix product instead: for a channel multiplier above 1,
 * or for more runtime weights than the packing kernel supports. */
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
  /* Parameters are loaded for each pixel, and quern.rescale needs them from fewer instructions. */
  if (!epilogue.rescales) qn_halves_find(lo, &epilogue, &weights);
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

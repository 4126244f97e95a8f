/* Convolutions, and depthwise convolutions with a channel multiplier, which are convolutions with
 * one group per input channel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/conv.h"

#include <string.h>

#include "ir/float_form/float_form.h"
#include "lower/loops/choices.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/int16/int16.h"
#include "lower/loops/matrix/epilogue/halves.h"
#include "lower/loops/matrix/floats.h"
#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/narrow/narrow.h"
#include "lower/loops/schedule.h"
#include "plan/channels.h"

/* Sets the offsets and strides of x for each output pixel, tap and group. */
static void set_inputs(qn_loops *lo, const qn_op *op, int64_t groups, qn_gemm *g) {
  qn_conv_shape s = qn_conv_shape_of(op);
  int64_t depth = s.channels / groups, row = s.width * s.channels;
  int64_t *taps = QN_NEW_ARRAY(lo->scratch, (size_t)g->tap_count + 1, int64_t), tap = 0;
  for (int64_t ky = 0; ky < s.kernel_height; ky++)
    for (int64_t kx = 0; kx < s.kernel_width; kx++)
      for (int64_t c = 0; c < depth; c++)
        taps[tap++] = ky * s.dilation_y * row + kx * s.dilation_x * s.channels + c;
  g->taps = taps;
  g->extent = taps[tap - 1] + 1;
  g->groups = groups;
  g->group_stride = depth;
  const int64_t counts[] = {s.batch, s.out_height, s.out_width};
  const int64_t strides[] = {s.height * row, s.stride_y * row, s.stride_x * s.channels};
  memcpy(g->counts, counts, sizeof counts);
  memcpy(g->strides, strides, sizeof strides);
  g->by_image = qn_loops_size(lo, &op->results[0]) != QN_SIZE_FIXED;
}

/* Parts of the channels that are stored apart are groups that read the same x. */
static void set_outputs(qn_gemm *g, const qn_conv_frame *frame) {
  const int64_t y_strides[] = {frame->image, frame->row, frame->column};
  memcpy(g->y_strides, y_strides, sizeof y_strides);
  g->y_first = frame->first;
  if (frame->parts == 1) return;
  QN_ASSERT(g->groups == 1 && !g->packs && g->channels % frame->parts == 0);
  g->groups = frame->parts;
  g->group_stride = 0;
  g->source.group_step = g->channels / frame->parts * g->source.channel_step;
  g->y_of_group = frame->part;
}

static void set_geometry(qn_loops *lo, const qn_op *op, int64_t groups, qn_gemm *g) {
  qn_conv_frame frame = qn_conv_frame_of(lo, op);
  set_inputs(lo, op, groups, g);
  set_outputs(g, &frame);
}

/* Whether the results may be stored there. In parts of the channels, only products with one group
 * and constant weights are, and vectors do not span two of them. */
static bool stores_at(const qn_loops *lo, const qn_op *op, const qn_placement *at) {
  const int64_t lanes = lo->target->vector_bytes / (int64_t)sizeof(int32_t);
  const qn_value *result = &op->results[0];
  qn_conv_frame f;
  qn_arena_mark mark = qn_arena_get_mark(lo->scratch);
  bool can = qn_conv_frame_at(lo->scratch, at, result->type, &f);
  qn_arena_rewind(lo->scratch, mark); /* only the number of parts is asked for */
  if (!can) return false;
  bool is_dynamic = qn_loops_size(lo, result) != QN_SIZE_FIXED;
  if (is_dynamic && f.first >= f.image) return false; /* it begins after a number of images */
  if (f.parts == 1) return true;
  const int64_t channels = qn_conv_shape_of(op).out_channels;
  can = qn_op_groups(op) == 1 && qn_fusion_is_unary(lo, op);
  can = can && qn_type_elements(at->in->type) <= INT32_MAX; /* offsets in the tile table */
  for (uint32_t i = 1; i < op->operand_count; i++)
    can = can && qn_value_constant(qn_op_operand(op, i));
  return can && channels / f.parts % lanes == 0;
}

/* ---- 8 bits ---- */

static qn_gemm bytes_gemm(qn_loops *lo, const qn_op *op, qn_bytes_product *product,
                          int64_t groups) {
  qn_gemm gemm = qn_bytes_gemm(op, product);
  qn_channel_layout layout = qn_channel_layout_of(op);
  qn_gemm_set_layout(&gemm, &layout, groups);
  gemm.source.bias = qn_op_operand(op, 2);
  set_inputs(lo, op, groups, &gemm);
  qn_bytes_merge_groups(&gemm, lo->target);
  return gemm;
}

bool qn_conv_geometry(qn_loops *lo, const qn_op *op, int64_t groups, qn_bytes_product *product,
                      qn_weights *weights, qn_gemm *out_gemm) {
  if (qn_int16_applies(op) || !qn_weights_describe(lo, op, weights)) return false;
  qn_conv_shape s = qn_conv_shape_of(op);
  qn_conv_frame dense = {.column = s.out_channels, .parts = 1};
  dense.row = s.out_width * dense.column;
  dense.image = s.out_height * dense.row;
  *out_gemm = bytes_gemm(lo, op, product, groups);
  set_outputs(out_gemm, &dense);
  return true;
}

qn_status qn_conv_gemm(qn_loops *lo, qn_op *op, const qn_weights *weights, int64_t groups) {
  qn_epilogue epilogue = qn_epilogue_of(lo, op, weights->plan, weights->sums, weights->constant);
  qn_halves_find(lo, &epilogue, weights);
  qn_bytes_product product = {.weights = weights, .epilogue = &epilogue};
  qn_gemm gemm = bytes_gemm(lo, op, &product, groups);
  qn_conv_frame frame = qn_conv_frame_of(lo, op);
  set_outputs(&gemm, &frame);
  qn_bytes_gemm_finish(lo, &gemm, groups == 1 ? "conv" : "grouped_conv", &product);
  return qn_gemm_lower(lo, &gemm);
}

static qn_status lower_int16(qn_loops *lo, qn_op *op) {
  int64_t groups = qn_op_groups(op);
  qn_gemm gemm = qn_int16_gemm(lo, op, groups == 1 ? "conv16" : "grouped_conv16");
  set_geometry(lo, op, groups, &gemm);
  return qn_gemm_lower(lo, &gemm);
}

static qn_status lower_conv(qn_loops *lo, qn_op *op) {
  if (qn_int16_applies(op)) return lower_int16(lo, op);
  qn_weights weights;
  QN_TRY(qn_weights_read(lo, op, &weights));
  return qn_conv_gemm(lo, op, &weights, qn_op_groups(op));
}

static bool geometry(qn_loops *lo, const qn_op *op, qn_bytes_product *product, qn_weights *weights,
                     qn_gemm *out_gemm) {
  return qn_conv_geometry(lo, op, qn_op_groups(op), product, weights, out_gemm);
}

static void *choose(qn_loops *lo, const qn_op *op) {
  return qn_bytes_choose_micro(lo, geometry, op);
}

const qn_schedule qn_schedule_ml_integer_conv = {.lower = lower_conv,
                                                 .choose = choose,
                                                 .read = qn_plan_read_matrix,
                                                 .constants_from = 3,
                                                 .leads = true,
                                                 .parts = true,
                                                 .dequantizes = true,
                                                 .stores_at = stores_at,
                                                 .borders = true};

/* ---- floats ---- */

static qn_gemm floats_gemm(qn_loops *lo, qn_op *op, int64_t groups) {
  qn_channel_layout layout = qn_channel_layout_of(op);
  qn_gemm gemm =
      qn_floats_gemm(op, groups == 1 ? "conv" : "grouped_conv", layout.channels, layout.taps);
  qn_gemm_set_layout(&gemm, &layout, groups);
  set_geometry(lo, op, groups, &gemm);
  qn_floats_merge_groups(&gemm, lo->target);
  return gemm;
}

static qn_status lower_floats(qn_loops *lo, qn_op *op, int64_t groups) {
  qn_gemm gemm = floats_gemm(lo, op, groups);
  gemm.producer = qn_producer_of(lo, op);
  return qn_gemm_lower(lo, &gemm);
}

static bool takes_floats(qn_loops *lo, qn_op *op, const qn_op *from) {
  if (!qn_is_float_form(op) || qn_narrow_takes(op)) return false;
  qn_gemm gemm = floats_gemm(lo, op, qn_op_groups(op));
  return qn_fused_rows_pays(lo, &gemm, from);
}

static qn_status lower_conv_floats(qn_loops *lo, qn_op *op) {
  if (qn_narrow_applies(lo, op)) return qn_narrow_lower(lo, op);
  QN_TRY(qn_floats_check(lo, op));
  return lower_floats(lo, op, qn_op_groups(op));
}

static bool stores_floats_at(const qn_loops *lo, const qn_op *op, const qn_placement *at) {
  return qn_floats_gives(op) && stores_at(lo, op, at);
}
const qn_schedule qn_schedule_ml_conv = {.lower = lower_conv_floats,
                                         .stores_at = stores_floats_at,
                                         .borders = true,
                                         .gives_floats = qn_floats_gives,
                                         .takes = takes_floats,
                                         .widens = qn_narrow_takes};

static qn_status lower_depthwise_floats(qn_loops *lo, qn_op *op) {
  QN_TRY(qn_floats_check(lo, op));
  qn_conv_shape s = qn_conv_shape_of(op);
  return s.channels == s.out_channels ? qn_floats_depthwise(lo, op)
                                      : lower_floats(lo, op, s.channels);
}
const qn_schedule qn_schedule_ml_depthwise_conv = {.lower = lower_depthwise_floats,
                                                   .producer = &qn_floats_producer};

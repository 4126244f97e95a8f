/* Reads the sizes from the op, and the destination from the post-op chain of which it is the root.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/frame.h"

#include "lower/loops/fusion/fusion.h"

qn_conv_shape qn_conv_shape_of(const qn_op *op) {
  const int64_t *x = qn_op_operand(op, 0)->type->shaped.dims;
  const int64_t *w = qn_op_operand(op, 1)->type->shaped.dims;
  const int64_t *y = qn_op_result(op, 0)->type->shaped.dims;
  qn_i64s strides = qn_op_strides(op), dilations = qn_op_dilations(op);
  QN_ASSERT(strides.count == 2 && dilations.count == 2);
  return (qn_conv_shape){
      .batch = y[0],
      .out_height = y[1],
      .out_width = y[2],
      .out_channels = y[3],
      .height = x[1],
      .width = x[2],
      .channels = x[3],
      .kernel_height = w[1],
      .kernel_width = w[2],
      .stride_y = strides.data[0],
      .stride_x = strides.data[1],
      .dilation_y = dilations.data[0],
      .dilation_x = dilations.data[1],
  };
}

/* The channels at the digits of their dimension: the last digit is a part, the others number the
 * parts. */
static bool set_parts(qn_arena *arena, const qn_placement_digit *digits, uint32_t count,
                      qn_conv_frame *f) {
  int64_t parts = 1;
  if (count > 0 && digits[count - 1].step != 1) return false;
  for (uint32_t i = 0; i + 1 < count; i++) parts *= digits[i].extent;
  int64_t *offsets = QN_NEW_ARRAY(arena, (size_t)parts, int64_t);
  for (int64_t part = 0; part < parts; part++)
    for (int64_t i = (int64_t)count - 2, rest = part; i >= 0; rest /= digits[i--].extent)
      offsets[part] += rest % digits[i].extent * digits[i].step;
  f->parts = parts, f->part = offsets;
  return true;
}

bool qn_conv_frame_at(qn_arena *arena, const qn_placement *at, const qn_type *of,
                      qn_conv_frame *out) {
  enum { IMAGE, ROW, COLUMN, CHANNEL, RANK };
  qn_placement p = *at;
  const int64_t *dims = of->shaped.dims;
  uint32_t ends[QN_PLACEMENT_DIGITS];
  int64_t steps[CHANNEL];
  if (of->shaped.rank != RANK || !qn_placement_by_dimensions(&p, of, ends)) return false;
  *out = (qn_conv_frame){.first = p.first};
  const uint32_t channels = ends[COLUMN];
  if (!set_parts(arena, &p.digits[channels], ends[CHANNEL] - channels, out)) return false;
  int64_t run = dims[CHANNEL]; /* the stride of a dimension of 1 does not matter */
  for (uint32_t d = CHANNEL; d-- > 0; run = steps[d] * dims[d]) {
    const uint32_t begin = d == 0 ? 0 : ends[d - 1];
    if (ends[d] - begin > 1) return false;
    steps[d] = ends[d] > begin ? p.digits[begin].step : run;
  }
  out->image = steps[IMAGE], out->row = steps[ROW], out->column = steps[COLUMN];
  return true;
}

qn_conv_frame qn_conv_frame_of(const qn_loops *lo, const qn_op *op) {
  qn_conv_frame f;
  const qn_placement at = qn_fusion_placement(lo, op);
  const bool found = qn_conv_frame_at(lo->scratch, &at, op->results[0].type, &f);
  QN_ASSERT(found); /* fusion has asked */
  return f;
}

/* Depthwise convolution by columns, for byte dot products and kernels of up to four rows.
 *
 * A column is one pixel position of four rows of x, interleaved: every i32 lane holds the four rows
 * of one channel. An output row multiplies it with its weights, zero for the rows that it does not
 * touch; so the column serves all output rows that lie within the four rows, and as the loop goes
 * along a row, all output pixels whose kernel covers it: columns that the next step needs again are
 * carried in registers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/nest.h"

typedef qn_depthwise_emitter emitter;

enum { MAX_VALUES = QN_DEPTHWISE_COLUMNS * QN_DEPTHWISE_GROUP };

/* Columns from one step to the next: the kernel's column kx at a step is column kx - advance at the
 * next one. */
static int64_t advance(const qn_depthwise *d) {
  if (d->shape.dilation_x != 1) return d->shape.kernel_width;
  return d->merged == 1 ? d->shape.stride_x : d->merged;
}

/* Columns that the next step needs again. */
static int64_t carried_columns(const qn_depthwise *d) {
  int64_t carried = d->shape.kernel_width - advance(d);
  return carried < 0 || carried > 2 ? 0 : carried;
}

/* Column kx of the step at x. Rows beyond those of the output rows are not touched. */
static void load_column(emitter *e, uint32_t rows, qn_value *x, int64_t kx, qn_value **out) {
  const qn_conv_shape *s = &e->d->shape;
  int64_t used = s->kernel_height + (rows - 1) * s->stride_y;
  qn_value *taps[QN_DEPTHWISE_GROUP], *last = NULL;
  for (int64_t i = 0; i < QN_DEPTHWISE_GROUP; i++) {
    if (i < used) last = qn_depthwise_load(e, x, (i * s->width + kx * s->dilation_x) * s->channels);
    taps[i] = last;
  }
  qn_depthwise_interleave(e, taps, out);
}

/* All products of one output row. columns: [kx][vector]. */
static void output_pixel(emitter *e, uint32_t row, qn_value **columns, qn_depthwise_place at) {
  const qn_depthwise *d = e->d;
  qn_value *acc[QN_DEPTHWISE_GROUP];
  qn_depthwise_start(e, acc);
  for (uint32_t p = 0; p < d->row_products; p++)
    qn_depthwise_multiply(e, columns + d->column_kx[p] * QN_DEPTHWISE_GROUP, e->weights_at,
                          (row * d->row_products + p) * qn_depthwise_stride(e), acc);
  qn_depthwise_finish(e, acc, at, row * d->frame.row, row * d->shape.out_width * d->shape.channels);
}

void qn_depthwise_columns_row(emitter *e, uint32_t rows, qn_depthwise_place at) {
  const qn_depthwise *d = e->d;
  qn_builder *b = e->b;
  int64_t width = d->shape.kernel_width, carried = carried_columns(d);
  uint32_t carried_values = (uint32_t)carried * QN_DEPTHWISE_GROUP;
  qn_value *columns[MAX_VALUES] = {NULL};
  for (int64_t kx = 0; kx < carried; kx++)
    load_column(e, rows, at.x, kx, columns + kx * QN_DEPTHWISE_GROUP);
  qn_op *loop = qn_nest_carry(b, 0, d->shape.out_width / d->merged, 1, columns, carried_values);
  qn_value *const *args = qn_op_body(loop)->args;
  for (uint32_t i = 0; i < carried_values; i++) columns[i] = args[1 + i];
  int64_t step_x = d->merged == 1 ? d->shape.stride_x * d->channels : d->channels;
  at = qn_depthwise_move(e, at, args[0], step_x, d->channels, d->channels);
  for (int64_t kx = carried; kx < width; kx++)
    load_column(e, rows, at.x, kx, columns + kx * QN_DEPTHWISE_GROUP);
  for (uint32_t row = 0; row < rows; row++) output_pixel(e, row, columns, at);
  qn_build_yield(b, columns + (width - carried) * QN_DEPTHWISE_GROUP, carried_values);
}

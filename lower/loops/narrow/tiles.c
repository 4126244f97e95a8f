/* Loops over tiles. Remainders are separate loops of static size, without masks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/tiles.h"

#include "lower/loops/matrix/frame.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"

/* ---- positions of rows ---- */

/* With a dynamic batch size, each batch element is a line; else there is one line. */
qn_narrow_rows qn_narrow_rows_of_linear(const qn_loops *lo, const qn_op *op, int64_t depth,
                                        int64_t channels) {
  int32_t size = qn_loops_size(lo, &op->results[0]);
  int64_t lines = size == QN_SIZE_FIXED ? 1 : qn_loops_bound(lo, size);
  int64_t rows = qn_type_elements(qn_op_operand(op, 0)->type) / depth / lines;
  return (qn_narrow_rows){.lines = lines,
                          .rows = rows,
                          .lines_per_image = lines,
                          .x_line = rows * depth,
                          .x_row = depth,
                          .y_line = rows * channels,
                          .y_row = channels,
                          .run = depth,
                          .runs = 1,
                          .inner_runs = 1};
}

/* Without dilation, the columns of a window are contiguous. */
qn_narrow_rows qn_narrow_rows_of_conv(const qn_conv_shape *s, const qn_conv_frame *f) {
  int64_t line = s->width * s->channels;
  bool dense = s->dilation_x == 1 || s->kernel_width == 1;
  return (qn_narrow_rows){.lines = s->batch * s->out_height,
                          .rows = s->out_width,
                          .lines_per_image = s->out_height,
                          .x_image = s->height * line,
                          .x_line = s->stride_y * line,
                          .x_row = s->stride_x * s->channels,
                          .y_first = f->first,
                          .y_image = f->image,
                          .y_line = f->row,
                          .y_row = f->column,
                          .run = dense ? s->kernel_width * s->channels : s->channels,
                          .runs = dense ? s->kernel_height : s->kernel_height * s->kernel_width,
                          .inner_runs = dense ? 1 : s->kernel_width,
                          .x_outer = s->dilation_y * line,
                          .x_inner = s->dilation_x * s->channels};
}

qn_value *qn_narrow_channels(qn_builder *b, const qn_narrow_tiling *t, const qn_narrow_tile *tile,
                             qn_value *buffer, int64_t v) {
  int64_t lanes = t->lanes, mask[QN_VEC_MAX_BYTES];
  int64_t valid = v == tile->vectors - 1 ? tile->valid : lanes;
  qn_value *all = qn_vec_load(b, buffer, tile->channel, v * lanes, valid);
  if (valid == lanes) return all;
  for (int64_t i = 0; i < lanes; i++) mask[i] = i < valid ? i : valid;
  return qn_vec_shuffle(b, all, qn_build_float(b, 0, all->type), mask, lanes);
}

qn_value *qn_narrow_run_at(qn_builder *b, const qn_narrow_tiling *t, const qn_narrow_tile *tile,
                           qn_value *run) {
  const qn_narrow_rows *r = &t->rows;
  if (r->runs == 1) return tile->x;
  if (r->inner_runs == 1) {
    qn_value *at = qn_index_affine(b, run, r->x_outer, 0);
    return qn_nest_add(b, tile->x, at);
  }
  qn_value *inner = qn_build_index(b, r->inner_runs);
  qn_value *outer = qn_build_binary(b, QN_OP_ARITH_DIVUI, run, inner);
  inner = qn_build_binary(b, QN_OP_ARITH_REMUI, run, inner);
  outer = qn_index_affine(b, outer, r->x_outer, 0);
  inner = qn_index_affine(b, inner, r->x_inner, 0);
  return qn_nest_add(b, qn_nest_add(b, tile->x, outer), inner);
}

/* ---- tiles ---- */

void qn_narrow_fit(qn_narrow_tiling *t) {
  int64_t vectors = qn_narrow_vectors(t);
  if (t->vectors > vectors) t->vectors = vectors;
  if (t->height > t->rows.rows) t->height = t->rows.rows;
  QN_ASSERT(t->vectors <= QN_NARROW_MAX_VECTORS && t->vectors * t->height <= QN_NARROW_MAX_SUMS);
}

typedef struct builder {
  qn_builder *b;
  const qn_narrow_tiling *t;
  qn_narrow_tile_fn *body;
  void *user;
  qn_value *line, *x, *y; /* index; first elements of its first row in x and y */
  qn_narrow_tile tile;
} builder;

static void begin_line(builder *w, qn_value *line) {
  const qn_narrow_rows *r = &w->t->rows;
  w->line = line;
  qn_value *in_image = line;
  w->x = qn_build_index(w->b, 0);
  w->y = qn_build_index(w->b, r->y_first);
  if (r->lines_per_image < r->lines) {
    qn_value *each = qn_build_index(w->b, r->lines_per_image);
    qn_value *image = qn_build_binary(w->b, QN_OP_ARITH_DIVUI, line, each);
    in_image = qn_build_binary(w->b, QN_OP_ARITH_REMUI, line, each);
    w->x = qn_index_affine(w->b, image, r->x_image, 0);
    w->y = qn_index_affine(w->b, image, r->y_image, r->y_first);
  }
  qn_value *x = qn_index_affine(w->b, in_image, r->x_line, 0);
  qn_value *y = qn_index_affine(w->b, in_image, r->y_line, 0);
  w->x = qn_nest_add(w->b, w->x, x);
  w->y = qn_nest_add(w->b, w->y, y);
}

static void build_rows(builder *w, qn_value *row, int64_t rows) {
  const qn_narrow_rows *r = &w->t->rows;
  qn_value *x = qn_index_affine(w->b, row, r->x_row, 0);
  qn_value *y = qn_index_affine(w->b, row, r->y_row, 0);
  qn_value *before = qn_index_affine(w->b, w->line, r->rows, 0);
  w->tile.x = qn_nest_add(w->b, w->x, x);
  w->tile.y = qn_nest_add(w->b, qn_nest_add(w->b, w->y, y), w->tile.channel);
  w->tile.row = qn_nest_add(w->b, before, row);
  w->tile.rows = rows;
  w->body(w->user, &w->tile);
}

/* Emits one N tile with all rows of the line. */
static void build_channels(builder *w, qn_value *number) {
  const qn_narrow_tiling *t = w->t;
  int64_t count = t->rows.rows, whole = count / t->height * t->height;
  w->tile.number = number;
  w->tile.channel = qn_index_affine(w->b, number, t->vectors * t->lanes, 0);
  if (whole == t->height) build_rows(w, qn_build_index(w->b, 0), t->height);
  if (whole > t->height) {
    build_rows(w, qn_nest_count(w->b, whole, t->height), t->height);
    qn_nest_end(w->b);
  }
  if (whole < count) build_rows(w, qn_build_index(w->b, whole), count - whole);
}

/* N tiles [lower, upper), each over lines [first, last). */
typedef struct range {
  qn_value *lower, *upper;
} range;
static void build_tile(builder *w, qn_value *number, const range *lines) {
  if (lines) begin_line(w, qn_nest_begin(w->b, lines->lower, lines->upper, 1));
  build_channels(w, number);
  if (lines) qn_nest_end(w->b);
}

static void build_tiles(builder *w, const range *tiles, const range *lines) {
  const qn_narrow_tiling *t = w->t;
  int64_t wide = t->vectors * t->lanes, whole = t->channels / wide, rest = t->channels % wide;
  w->tile.vectors = t->vectors, w->tile.valid = t->lanes;
  if (whole > 0) {
    qn_value *end = qn_nest_min(w->b, tiles->upper, whole);
    build_tile(w, qn_nest_begin(w->b, tiles->lower, end, 1), lines);
    qn_nest_end(w->b);
  }
  if (rest == 0) return;
  w->tile.vectors = (rest + t->lanes - 1) / t->lanes;
  w->tile.valid = rest - (w->tile.vectors - 1) * t->lanes;
  qn_nest_begin(w->b, qn_nest_max(w->b, tiles->lower, whole), tiles->upper, 1);
  build_tile(w, qn_build_index(w->b, whole), lines);
  qn_nest_end(w->b);
}

/* Whether work items are lines, by memory traffic: lines read all weights once per line; N tiles
 * read all of x once per tile. */
static bool units_are_lines(const qn_kernel *k, const qn_narrow_tiling *t, int64_t weight_bytes) {
  enum { FEW = 4 };
  if (k->size != QN_SIZE_FIXED) return true;
  int64_t tiles = qn_narrow_tiles(t), lines = t->rows.lines;
  if (lines < FEW) return false;
  if (tiles < FEW) return true;
  int64_t x_bytes = lines * t->rows.x_line;
  return lines * weight_bytes < tiles * x_bytes || weight_bytes < k->lo->target->l1_bytes;
}

void qn_narrow_build(qn_kernel *k, const qn_narrow_tiling *t, int64_t weight_bytes,
                     qn_narrow_tile_fn *body, void *user) {
  builder w = {.b = &k->b, .t = t, .body = body, .user = user};
  int64_t tiles = qn_narrow_tiles(t), lines = t->rows.lines;
  int64_t macs = lines * t->rows.rows * t->channels * qn_narrow_depth(t);
  const range units = {k->lower, k->upper};
  bool by_line = units_are_lines(k, t, weight_bytes);
  range all = {.lower = qn_build_index(w.b, 0)};
  all.upper = qn_build_index(w.b, by_line ? tiles : lines);
  if (by_line) {
    begin_line(&w, qn_nest_begin(w.b, units.lower, units.upper, 1));
    build_tiles(&w, &all, NULL);
    qn_nest_end(w.b);
  } else {
    build_tiles(&w, &units, &all);
  }
  qn_kernel_end(k, by_line ? lines : tiles, macs);
}

/* ml.rows_to_depth: interleaves the pixels of consecutive rows, in blocks of a vector.
 *
 * A block has bytes of each row, which are consecutive in that row: one load per row, and shuffles
 * that put them in their places. A work item is a row of the result, or an image if there are
 * several. Rows of the result that begin or end in the border, whose height is limited, have code
 * of their own, in which the padding is a constant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/lut.h"
#include "lower/loops/ops/movement.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

typedef struct rows_to_depth {
  int64_t height, width, depth;         /* of x */
  int64_t rows, step, top, left, right; /* of the op */
  int64_t out_height, out_width, out_depth;
  int64_t block;       /* bytes of the result that one vector stores; a power of two */
  int64_t value;       /* stored padding value */
  const qn_op *flips;  /* ml.lut whose flipped bits are copied; NULL: those of the operand */
  qn_value *from, *to; /* kernel arguments */
} rows_to_depth;

/* One row of the result. */
typedef struct row_run {
  const rows_to_depth *s;
  qn_value *from[QN_ROWS_MOST]; /* where each of its rows of x begins; NULL: in the border */
  qn_value *to;                 /* its first pixel that is not padding */
} row_run;

static qn_value *flip(qn_kernel *k, const rows_to_depth *s, qn_value *bytes) {
  return s->flips ? qn_lut_emit(&k->b, s->flips, NULL, bytes) : bytes;
}

/* ---- a block ---- */

/* The bytes that a block has of a row, counted from the first pixel of a run of pixels. */
typedef struct range {
  int64_t first, end;
} range;

/* Which row, and which byte of that row, byte `i` of a run of pixels is. */
static int64_t row_of(const rows_to_depth *s, int64_t i) { return i / s->depth % s->rows; }
static int64_t byte_of(const rows_to_depth *s, int64_t i) {
  return i / s->out_depth * s->depth + i % s->depth;
}

/* The ranges of a block; returns the bytes to load of each row: a power of two. */
static int64_t ranges_of(const rows_to_depth *s, int64_t at, int64_t block,
                         range out[QN_ROWS_MOST]) {
  int64_t load = 1;
  for (int64_t r = 0; r < s->rows; r++) out[r] = (range){0, 0};
  for (int64_t i = at; i < at + block; i++) {
    range *of = &out[row_of(s, i)];
    int64_t byte = byte_of(s, i);
    if (of->end == 0) of->first = byte;
    of->end = byte + 1;
    while (load < of->end - of->first) load *= 2;
  }
  QN_ASSERT(load <= block);
  return load;
}

static qn_value *load_row(qn_kernel *k, const row_run *run, int64_t r, qn_value *at, int64_t first,
                          int64_t count) {
  qn_builder *b = &k->b;
  const rows_to_depth *s = run->s;
  if (run->from[r]) return qn_vec_load(b, s->from, qn_nest_add(b, run->from[r], at), first, count);
  const qn_type *type = qn_type_vec(b->cx, qn_type_element(s->from->type), count);
  /* A ui8 value is an i8 with the same bits. It is flipped twice. */
  return flip(k, s, qn_build_int(b, (int8_t)s->value, type));
}

/* Joins `count` vectors, a power of two. */
static qn_value *join(qn_builder *b, qn_value **parts, int64_t count) {
  for (; count > 1; count /= 2)
    for (int64_t i = 0; i < count / 2; i++)
      parts[i] = qn_vec_join(b, parts[2 * i], parts[2 * i + 1]);
  return parts[0];
}

/* Bytes [at, at + block) of a run of `pixels`, whose first byte in each row is `from`. */
static qn_value *build_block(qn_kernel *k, const row_run *run, qn_value *from, int64_t pixels,
                             int64_t at, int64_t block) {
  const rows_to_depth *s = run->s;
  range ranges[QN_ROWS_MOST];
  const int64_t load = ranges_of(s, at, block, ranges), row = pixels * s->depth;
  const int64_t each = block / load; /* rows that fill a vector of the block's size */
  int64_t place[QN_ROWS_MOST], first[QN_ROWS_MOST],
      count = 0; /* lane of a row's loaded bytes; the first */
  qn_value *loaded[2 * QN_ROWS_MOST + QN_VEC_MAX_BYTES], *result = NULL;
  for (int64_t r = 0; r < s->rows; r++) {
    if (ranges[r].end == 0) continue;
    first[r] = ranges[r].first < row - load ? ranges[r].first : row - load;
    place[r] = count * load;
    loaded[count++] = load_row(k, run, r, from, first[r], load);
  }
  for (int64_t next = 0; next < count; next += each) {
    for (int64_t i = count; i < next + each; i++) loaded[i] = loaded[count - 1];
    qn_value *vector = join(&k->b, loaded + next, each);
    int64_t mask[QN_VEC_MAX_BYTES], begin = next * load;
    for (int64_t i = 0; i < block; i++) {
      int64_t r = row_of(s, at + i), lane = place[r] + byte_of(s, at + i) - first[r] - begin;
      mask[i] = lane < 0 || lane >= block ? i : result ? block + lane : lane;
    }
    result = qn_vec_shuffle(&k->b, result ? result : vector, vector, mask, block);
  }
  return flip(k, s, result);
}

/* ---- a row ---- */

static void build_pixels(qn_kernel *k, void *user, qn_value *index, int64_t pixels) {
  const row_run *run = user;
  const rows_to_depth *s = run->s;
  qn_builder *b = &k->b;
  const int64_t bytes = pixels * s->out_depth;
  int64_t block = s->block;
  while (block > pixels * s->depth) block /= 2; /* no load exceeds the pixels of a row */
  qn_value *from = qn_index_affine(b, index, s->depth, 0);
  qn_value *to = qn_nest_add(b, run->to, qn_index_affine(b, index, s->out_depth, 0));
  for (int64_t at = 0; at < bytes; at += block) {
    if (at > bytes - block) at = bytes - block;
    qn_vec_store(b, build_block(k, run, from, pixels, at, block), s->to, to, at);
  }
}

static void fill(qn_kernel *k, const rows_to_depth *s, qn_value *to, int64_t bytes) {
  const qn_filling border = {.to = s->to, .lanes = s->block, .value = s->value};
  qn_movement_fill(k, &border, to, bytes);
}

/* Row i of the result; `known`: i, if the row begins or ends in the border, else -1. */
static void build_row(qn_kernel *k, const rows_to_depth *s, qn_value *from, qn_value *to,
                      qn_value *i, int64_t known) {
  qn_builder *b = &k->b;
  const int64_t row = s->width * s->depth, out_row = s->out_width * s->out_depth;
  row_run run = {.s = s};
  for (int64_t r = 0; r < s->rows; r++) {
    int64_t at = known * s->step + r - s->top;
    if (known >= 0 && (at < 0 || at >= s->height)) continue;
    run.from[r] = qn_nest_add(b, from, qn_index_affine(b, i, s->step * row, (r - s->top) * row));
  }
  qn_value *begin = qn_nest_add(b, to, qn_index_affine(b, i, out_row, 0));
  fill(k, s, begin, s->left * s->out_depth);
  run.to = qn_index_add(b, begin, s->left * s->out_depth);
  int64_t pixels = 1; /* whose bytes are whole blocks */
  while (pixels * s->out_depth % s->block != 0) pixels *= 2;
  qn_nest_run(k, s->width, pixels, true, build_pixels, &run);
  fill(k, s, qn_index_add(b, run.to, s->width * s->out_depth), s->right * s->out_depth);
}

/* ---- an image ---- */

/* Opens a loop over rows [from, to) of the result; `in_items`: those that are work items. */
static qn_value *begin_rows(qn_kernel *k, int64_t from, int64_t to, bool in_items) {
  if (in_items) return qn_nest_begin_items(k, from, to);
  qn_value *lower = qn_build_index(&k->b, from);
  return qn_nest_begin(&k->b, lower, qn_build_index(&k->b, to), 1);
}

/* Rows [from, to) of the result, which begin or end in the border. */
static void build_border(qn_kernel *k, const rows_to_depth *s, qn_value *x, qn_value *y,
                         int64_t from, int64_t to, bool in_items) {
  for (int64_t i = from; i < to; i++) {
    build_row(k, s, x, y, begin_rows(k, i, i + 1, in_items), i);
    qn_nest_end(&k->b);
  }
}

/* One image, whose first elements are `x` and `y`. */
static void build_rows(qn_kernel *k, const rows_to_depth *s, qn_value *x, qn_value *y,
                       bool in_items) {
  int64_t first = (s->top + s->step - 1) / s->step; /* [first, end): without a row in the border */
  int64_t end = s->height + s->top < s->rows ? 0 : (s->height + s->top - s->rows) / s->step + 1;
  if (first > s->out_height) first = s->out_height;
  if (end < first) end = first;
  build_border(k, s, x, y, 0, first, in_items);
  if (first < end) {
    build_row(k, s, x, y, begin_rows(k, first, end, in_items), -1);
    qn_nest_end(&k->b);
  }
  build_border(k, s, x, y, end, s->out_height, in_items);
}

static void build_images(qn_kernel *k, const rows_to_depth *s) {
  qn_builder *b = &k->b;
  const int64_t image = s->height * s->width * s->depth;
  qn_value *n = qn_nest_begin(b, k->lower, k->upper, 1);
  qn_value *from = qn_index_affine(b, n, image, 0);
  qn_value *to = qn_index_affine(b, n, s->out_height * s->out_width * s->out_depth, 0);
  build_rows(k, s, from, to, false);
  qn_nest_end(b);
}

static rows_to_depth rows_to_depth_of(const qn_loops *lo, const qn_op *op) {
  enum { BLOCK = 16 };
  const int64_t *x = qn_op_operand(op, 0)->type->shaped.dims, *y = op->results[0].type->shaped.dims;
  const int64_t *pad = qn_op_pad(op).data;
  return (rows_to_depth){.height = x[1],
                         .width = x[2],
                         .depth = x[3],
                         .rows = qn_op_joined_rows(op),
                         .step = qn_op_row_step(op),
                         .top = pad[0],
                         .left = pad[2],
                         .right = pad[3],
                         .out_height = y[1],
                         .out_width = y[2],
                         .out_depth = y[3],
                         .block = lo->target->permutes ? lo->target->vector_bytes : BLOCK,
                         .value = qn_op_pad_value(op)};
}

static qn_status lower_rows_to_depth(qn_loops *lo, qn_op *op) {
  enum { ARG_FROM, ARG_TO, ARG_COUNT };
  rows_to_depth s = rows_to_depth_of(lo, op);
  QN_ASSERT(s.rows <= QN_ROWS_MOST); /* the range of the attribute */
  s.flips = qn_producer_of(lo, op);
  const qn_value *x = qn_op_operand(s.flips ? s.flips : op, 0);
  qn_value *buffers[ARG_COUNT] = {[ARG_FROM] = qn_loops_buffer(lo, x)};
  buffers[ARG_TO] = qn_loops_buffer(lo, &op->results[0]);
  qn_kernel k = qn_kernel_begin(lo, "rows_to_depth", op, buffers, ARG_COUNT);
  s.from = k.args[ARG_FROM];
  s.to = k.args[ARG_TO];
  int64_t images = op->results[0].type->shaped.dims[0];
  if (images > 1) {
    build_images(&k, &s);
  } else {
    qn_value *zero = qn_build_index(&k.b, 0);
    build_rows(&k, &s, zero, zero, true);
  }
  qn_kernel_end(&k, images > 1 ? images : s.out_height, 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_rows_to_depth = {.lower = lower_rows_to_depth,
                                                  .takes = qn_movement_takes_flipped};

/* Average and maximum pooling. A work item is an output row. The window of a pixel is clipped to
 * the input; each tap is one vector load of a block of channels.
 *
 * The average divides the sum by the number of taps inside the input: trunc(float(|sum| + taps / 2)
 * * reciprocal). The reciprocal of each tap count is proved exact for all sums at compile time;
 * windows that are too large for the proof divide in integers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

/* Arguments of the kernel; the table of reciprocals exists if windows differ in size. */
enum { ARG_X, ARG_Y, ARG_RECIPROCALS, ARG_COUNT };

enum { MAX_UNROLLED_TAPS = 16, MAX_BYTE_SUM = 256 }; /* |byte| < MAX_BYTE_SUM */

/* One spatial dimension. */
typedef struct axis {
  int64_t in, out, kernel, stride, before;
} axis;

/* Taps of the current pixel in one dimension: [first, last), inside the input. */
typedef struct span {
  qn_value *first, *last;
} span;

typedef struct pool {
  axis y, x;
  int64_t channels;
  bool average, is_unsigned;
  const qn_type *element; /* i8, or i16 */
  bool unrolled;
  bool inside; /* every window is inside the input, so taps are the same for all pixels */
  int64_t min, max, lowest, highest;
  const float *reciprocals; /* [tap count]; NULL if not proved */
  /* in the kernel */
  span rows, columns;
  qn_value *row_taps[MAX_UNROLLED_TAPS], *column_taps[MAX_UNROLLED_TAPS]; /* element offsets */
  qn_value *image, *out; /* element index of the image, of the output pixel */
  qn_value *half,
      *divisor; /* of the current pixel: taps / 2 (i32), reciprocal (f32) or taps (i32) */
} pool;

static pool pool_of(const qn_loops *lo, const qn_op *op, bool average) {
  qn_plan plan = qn_loops_plan(lo, op);
  const int64_t *in = qn_op_operand(op, 0)->type->shaped.dims;
  const int64_t *out = qn_op_result(op, 0)->type->shaped.dims;
  const int64_t *kernel = qn_op_kernel_sizes(op).data;
  const int64_t *strides = qn_op_strides(op).data, *pad = qn_op_pad(op).data;
  pool p = {.y = {in[1], out[1], kernel[0], strides[0], pad[0]},
            .x = {in[2], out[2], kernel[1], strides[1], pad[2]},
            .channels = in[3],
            .average = average,
            .element = qn_type_element(qn_op_operand(op, 0)->type),
            .is_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(op, 0)->type)),
            .min = plan.pool.min,
            .max = plan.pool.max};
  qn_storage_range(p.element->integer.width, !p.is_unsigned, &p.lowest, &p.highest);
  if (p.element->integer.width == 8) p.element = qn_type_i(lo->cx, 8);
  p.inside = p.y.before == 0 && p.x.before == 0 &&
             (p.y.out - 1) * p.y.stride + p.y.kernel <= p.y.in &&
             (p.x.out - 1) * p.x.stride + p.x.kernel <= p.x.in;
  p.unrolled = (p.inside || !average) && p.y.kernel * p.x.kernel <= MAX_UNROLLED_TAPS;
  return p;
}

/* ---- exact division ---- */

/* A float r with trunc(v * r) == v / n for all v < MAX_BYTE_SUM * n + n / 2; 0 if none exists. The
 * rounded product is monotone in v, so it suffices to test the values next to each multiple of n.
 */
static float exact_reciprocal(int64_t n) {
  float r = (float)(1.0 / (double)n);
  if ((double)r * (double)n < 1.0) r = nextafterf(r, 2.0F);
  for (int64_t q = 1; q <= MAX_BYTE_SUM; q++) {
    float below = (float)(q * n - 1) * r, at = (float)(q * n) * r;
    if ((int64_t)below != q - 1 || (int64_t)at != q) return 0.0F;
  }
  return r;
}

static const float *reciprocals_of(qn_loops *lo, int64_t taps) {
  if (!lo->target->f32) return NULL; /* without float instructions the kernel divides integers */
  if (taps >= (1 << 24) / (MAX_BYTE_SUM + 1)) return NULL; /* sums must be exact in float */
  float *all = QN_NEW_ARRAY(lo->scratch, (size_t)taps + 1, float);
  for (int64_t n = 1; n <= taps; n++) {
    all[n] = exact_reciprocal(n);
    if (all[n] == 0.0F) return NULL;
  }
  return all;
}

/* Rounded quotients of sums (vector of i32), as i32, half away from zero. Sums of unsigned values
 * are not negative. */
static qn_value *divide(qn_kernel *k, const pool *p, qn_value *sums) {
  qn_builder *b = &k->b;
  int64_t lanes = qn_vec_count(sums);
  qn_value *sign = NULL, *v = sums;
  if (!p->is_unsigned) {
    sign = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, v, 31);
    v = qn_build_binary(b, QN_OP_ARITH_XORI, v, sign);
    v = qn_build_binary(b, QN_OP_ARITH_SUBI, v, sign);
  }
  v = qn_build_binary(b, QN_OP_ARITH_ADDI, v, qn_vec_broadcast(b, p->half, lanes));
  qn_value *divisor = qn_vec_broadcast(b, p->divisor, lanes);
  if (p->reciprocals) {
    v = qn_vec_cast(b, QN_OP_ARITH_SITOFP, v, qn_type_float(b->cx, QN_F32));
    v = qn_build_binary(b, QN_OP_ARITH_MULF, v, divisor);
    v = qn_vec_cast(b, QN_OP_ARITH_FPTOSI, v, qn_type_i(b->cx, 32));
  } else {
    v = qn_build_binary(b, QN_OP_ARITH_DIVSI, v, divisor);
  }
  if (p->is_unsigned) return v;
  v = qn_build_binary(b, QN_OP_ARITH_XORI, v, sign);
  return qn_build_binary(b, QN_OP_ARITH_SUBI, v, sign);
}

/* ---- windows ---- */

static span clip(qn_builder *b, const axis *a, bool inside, qn_value *out) {
  qn_value *first = qn_index_affine(b, out, a->stride, -a->before);
  qn_value *last = qn_index_add(b, first, a->kernel);
  if (inside) return (span){first, last};
  first = qn_nest_max(b, first, 0);
  last = qn_nest_min(b, last, a->in);
  return (span){first, last};
}

static qn_value *span_size(qn_builder *b, span s) {
  return qn_build_binary(b, QN_OP_ARITH_SUBI, s.last, s.first);
}

/* Sets `half` and `divisor` of the pixel. `table`: reciprocals by tap count; NULL if none. */
static void build_divisor(qn_kernel *k, pool *p, qn_value *table) {
  qn_builder *b = &k->b;
  const qn_type *i32 = qn_type_i(b->cx, 32), *f32 = qn_type_float(b->cx, QN_F32);
  int64_t taps = p->y.kernel * p->x.kernel;
  if (p->inside) {
    p->half = qn_build_int(b, taps / 2, i32);
    p->divisor = p->reciprocals ? qn_build_float(b, (double)p->reciprocals[taps], f32)
                                : qn_build_int(b, taps, i32);
    return;
  }
  qn_value *rows = span_size(b, p->rows);
  qn_value *count = qn_build_binary(b, QN_OP_ARITH_MULI, rows, span_size(b, p->columns));
  qn_value *narrow = qn_build_unary(b, QN_OP_ARITH_INDEX_CAST, count, i32);
  p->half = qn_build_binary(b, QN_OP_ARITH_SHRUI, narrow, qn_build_int(b, 1, i32));
  p->divisor =
      table ? qn_build_1(b, QN_OP_MEMREF_LOAD, f32, QN_VALUES(table, count), NULL) : narrow;
}

/* acc combined with the tap whose channels begin at x[index]. */
static qn_value *add_tap(qn_kernel *k, const pool *p, qn_value *acc, qn_value *index,
                         int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *tap = qn_vec_load(b, k->args[ARG_X], index, 0, lanes);
  if (!p->average)
    return qn_build_binary(b, p->is_unsigned ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI, acc, tap);
  tap = qn_vec_cast(b, p->is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, tap,
                    qn_type_i(b->cx, 32));
  return qn_build_binary(b, QN_OP_ARITH_ADDI, acc, tap);
}

/* Element offsets of the taps in one dimension. Taps outside of the input are moved to its nearest
 * element, which belongs to the window, because every window has a tap inside. */
static void build_taps(qn_builder *b, const axis *a, bool inside, qn_value *out, int64_t stride,
                       qn_value **out_taps) {
  qn_value *first = qn_index_affine(b, out, a->stride, -a->before);
  for (int64_t i = 0; i < a->kernel; i++) {
    qn_value *at = qn_index_add(b, first, i);
    if (!inside) at = qn_nest_min(b, qn_nest_max(b, at, 0), a->in - 1);
    out_taps[i] = qn_index_affine(b, at, stride, 0);
  }
}

static qn_value *unrolled_window(qn_kernel *k, const pool *p, qn_value *acc, qn_value *channel,
                                 int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *base = qn_nest_add(b, p->image, channel);
  for (int64_t y = 0; y < p->y.kernel; y++) {
    qn_value *row = qn_nest_add(b, base, p->row_taps[y]);
    for (int64_t x = 0; x < p->x.kernel; x++)
      acc = add_tap(k, p, acc, qn_nest_add(b, row, p->column_taps[x]), lanes);
  }
  return acc;
}

static qn_value *looped_window(qn_kernel *k, const pool *p, qn_value *acc, qn_value *channel,
                               int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *one = qn_build_index(b, 1), *base = qn_nest_add(b, p->image, channel);
  qn_op *rows = qn_build_for(b, p->rows.first, p->rows.last, one, &acc, 1);
  qn_value *const *args = qn_op_body(rows)->args;
  qn_value *row = qn_nest_add(b, base, qn_index_affine(b, args[0], p->x.in * p->channels, 0));
  acc = args[1];
  qn_op *columns = qn_build_for(b, p->columns.first, p->columns.last, one, &acc, 1);
  args = qn_op_body(columns)->args;
  qn_value *at = qn_nest_add(b, row, qn_index_affine(b, args[0], p->channels, 0));
  acc = add_tap(k, p, args[1], at, lanes);
  qn_build_yield(b, &acc, 1);
  acc = qn_op_result(columns, 0);
  qn_build_yield(b, &acc, 1);
  return qn_op_result(rows, 0);
}

/* Clamps lanes to [min, max]. Bounds above 127 of unsigned bytes are passed as the i8 of the same
 * bits, because i8 constants are signed. */
static qn_value *clamp_lanes(qn_kernel *k, const pool *p, qn_value *lanes) {
  qn_builder *b = &k->b;
  bool by_sign = p->average || !p->is_unsigned;
  bool as_bits = !p->average && p->is_unsigned;
  int64_t min = as_bits ? (int8_t)p->min : p->min, max = as_bits ? (int8_t)p->max : p->max;
  if (p->min > p->lowest)
    lanes = qn_build_binary(b, by_sign ? QN_OP_ARITH_MAXSI : QN_OP_ARITH_MAXUI, lanes,
                            qn_build_int(b, min, lanes->type));
  if (p->max < p->highest)
    lanes = qn_build_binary(b, by_sign ? QN_OP_ARITH_MINSI : QN_OP_ARITH_MINUI, lanes,
                            qn_build_int(b, max, lanes->type));
  return lanes;
}

static void build_channels(qn_kernel *k, void *user, qn_value *channel, int64_t lanes) {
  const pool *p = user;
  qn_builder *b = &k->b;
  const qn_type *i32 = qn_type_i(b->cx, 32);
  qn_value *acc =
      p->average ? qn_vec_splat(b, 0, i32, lanes) : qn_vec_splat(b, p->lowest, p->element, lanes);
  acc = p->unrolled ? unrolled_window(k, p, acc, channel, lanes)
                    : looped_window(k, p, acc, channel, lanes);
  if (p->average) acc = divide(k, p, acc);
  acc = clamp_lanes(k, p, acc);
  if (p->average) acc = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, acc, p->element);
  qn_vec_store(b, acc, k->args[ARG_Y], qn_nest_add(b, p->out, channel), 0);
}

/* Emits the work items: one output row each. */
static void build_rows(qn_kernel *k, pool *p, int64_t lanes, qn_value *table) {
  qn_builder *b = &k->b;
  qn_value *unit = qn_nest_begin(b, k->lower, k->upper, 1);
  qn_value *height = qn_build_index(b, p->y.out);
  qn_value *image = qn_build_binary(b, QN_OP_ARITH_DIVUI, unit, height);
  qn_value *oy = qn_build_binary(b, QN_OP_ARITH_REMUI, unit, height);
  p->image = qn_index_affine(b, image, p->y.in * p->x.in * p->channels, 0);
  p->rows = clip(b, &p->y, p->inside, oy);
  if (p->unrolled) build_taps(b, &p->y, p->inside, oy, p->x.in * p->channels, p->row_taps);
  qn_value *ox = qn_nest_count(b, p->x.out, 1);
  p->columns = clip(b, &p->x, p->inside, ox);
  if (p->unrolled) build_taps(b, &p->x, p->inside, ox, p->channels, p->column_taps);
  qn_value *pixel = qn_nest_add(b, qn_index_affine(b, unit, p->x.out, 0), ox);
  p->out = qn_index_affine(b, pixel, p->channels, 0);
  if (p->average) build_divisor(k, p, table);
  qn_nest_run(k, p->channels, lanes, true, build_channels, p);
  qn_nest_end(b);
  qn_nest_end(b);
}

static qn_status lower_pool(qn_loops *lo, qn_op *op, bool average) {
  pool p = pool_of(lo, op, average);
  int64_t taps = p.y.kernel * p.x.kernel;
  int64_t bytes_each = qn_type_bytes(p.element);
  if (average && bytes_each == 1) p.reciprocals = reciprocals_of(lo, taps);
  qn_value *buffers[ARG_COUNT] = {[ARG_X] = qn_loops_buffer(lo, qn_op_operand(op, 0))};
  buffers[ARG_Y] = qn_loops_buffer(lo, qn_op_result(op, 0));
  bool table = p.reciprocals && !p.inside;
  if (table) {
    qn_bytes bytes = {(const uint8_t *)p.reciprocals, (size_t)(taps + 1) * sizeof(float)};
    buffers[ARG_RECIPROCALS] = qn_loops_constant(lo, qn_type_float(lo->cx, QN_F32), bytes);
  }
  /* Sums have 32 bits: two vectors of them at a time. */
  int64_t lanes = average ? lo->target->vector_bytes / 2 : lo->target->vector_bytes / bytes_each;
  qn_kernel k = qn_kernel_begin(lo, average ? "avg_pool" : "max_pool", op, buffers,
                                table ? ARG_COUNT : ARG_RECIPROCALS);
  build_rows(&k, &p, lanes, table ? k.args[ARG_RECIPROCALS] : NULL);
  qn_kernel_end(&k, qn_op_result(op, 0)->type->shaped.dims[0] * p.y.out, 0);
  return QN_OK;
}

static qn_status lower_average(qn_loops *lo, qn_op *op) { return lower_pool(lo, op, true); }
const qn_schedule qn_schedule_ml_integer_avg_pool = {.lower = lower_average,
                                                     .read = qn_plan_read_pool};

static qn_status lower_maximum(qn_loops *lo, qn_op *op) { return lower_pool(lo, op, false); }
const qn_schedule qn_schedule_ml_integer_max_pool = {.lower = lower_maximum,
                                                     .read = qn_plan_read_pool};

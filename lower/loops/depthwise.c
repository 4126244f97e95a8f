/* Emitting depthwise convolutions: loops over rows, blocks of channels, pixels; taps unrolled, or in
 * a loop over a table of offsets where there are many.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/depthwise.h"

#include "lower/loops/fusion.h"
#include "lower/loops/nest.h"

enum {
  MAX_VECTORS = QN_EPILOGUE_MAX_VECTORS,
  MAX_UNROLLED_TAPS = 32,
  FIXED_ARGS = 6, /* of the kernel; what followers read comes behind */
};

typedef struct emitter {
  const qn_depthwise *d;
  qn_kernel *k;
  qn_builder *b;
  qn_value *x, *packed, *params, *channels, *offsets, *y;
  const qn_type *i8, *i16, *i32;
  /* the current block */
  const qn_depthwise_block *block;
  qn_value *weights_at, *params_at; /* where its constants begin */
} emitter;

static qn_value *add(emitter *e, qn_value *lhs, qn_value *rhs) {
  return qn_build_binary(e->b, QN_OP_ARITH_ADDI, lhs, rhs);
}

/* ---- interleaving ---- */

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

/* rows[tap], bytes of consecutive channels -> out[vector], i32 lanes of one channel's four taps. */
static void interleave_bytes(emitter *e, qn_value *const rows[4], qn_value *out[MAX_VECTORS]) {
  for (int64_t half = 0; half < 2; half++) {
    qn_value *low = qn_vec_bitcast(e->b, interleave(e, rows[0], rows[1], half), e->i16);
    qn_value *high = qn_vec_bitcast(e->b, interleave(e, rows[2], rows[3], half), e->i16);
    for (int64_t quarter = 0; quarter < 2; quarter++)
      out[2 * half + quarter] = qn_vec_bitcast(e->b, interleave(e, low, high, quarter), e->i8);
  }
}

/* ---- taps ---- */

/* The block's channels of one tap, prepared for the products. */
static qn_value *load_tap(emitter *e, qn_value *index, int64_t offset) {
  const qn_depthwise *d = e->d;
  qn_value *bytes = qn_vec_load(e->b, e->x, index, offset, e->block->valid);
  if (e->block->valid < e->block->width) {
    int64_t mask[QN_VEC_MAX_BYTES], valid = e->block->valid;
    for (int64_t i = 0; i < e->block->width; i++) mask[i] = i < valid ? i : valid;
    qn_value *zeros = qn_vec_splat(e->b, 0, e->i8, valid);
    bytes = qn_vec_shuffle(e->b, bytes, zeros, mask, e->block->width);
  }
  bool x_unsigned = d->weights->x_unsigned;
  if (!d->bytes)
    return qn_vec_cast(e->b, x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, bytes, e->i16);
  if (x_unsigned) return bytes;
  qn_value *top = qn_vec_splat(e->b, -128, e->i8, e->block->width);
  return qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes, top);
}

/* Elements of weights per group of taps. */
static int64_t group_stride(const emitter *e) { return e->block->width * e->d->group; }

/* Adds a group of taps to the accumulators. rows: from load_tap; weights at index + offset. */
static void add_group(emitter *e, qn_value *const *rows, qn_value *index, int64_t offset,
                      qn_value **acc) {
  const qn_depthwise *d = e->d;
  qn_value *inputs[MAX_VECTORS];
  if (d->bytes) {
    interleave_bytes(e, rows, inputs);
  } else {
    for (int64_t half = 0; half < 2; half++) inputs[half] = interleave(e, rows[0], rows[1], half);
  }
  for (uint32_t v = 0; v < d->group; v++) {
    qn_value *w = qn_vec_load(e->b, e->packed, index, offset + v * e->block->width, e->block->width);
    if (d->bytes) {
      acc[v] = qn_build_1(e->b, QN_OP_QUERN_DOT_U8S8, acc[v]->type, QN_VALUES(acc[v], inputs[v], w),
                          NULL);
      continue;
    }
    qn_value *sums = qn_build_1(e->b, QN_OP_QUERN_MADD_S16, acc[v]->type, QN_VALUES(inputs[v], w), NULL);
    acc[v] = add(e, acc[v], sums);
  }
}

static void unrolled_taps(emitter *e, qn_value *x, qn_value **acc) {
  const qn_depthwise *d = e->d;
  qn_value *rows[4] = {NULL};
  for (uint32_t t = 0; t < d->tap_count; t++) {
    bool again = t > 0 && d->taps[t].offset == d->taps[t - 1].offset && t % d->group != 0;
    rows[t % d->group] =
        again ? rows[t % d->group - 1] : load_tap(e, x, d->taps[t].offset);
    if (t % d->group == d->group - 1)
      add_group(e, rows, e->weights_at, t / d->group * group_stride(e), acc);
  }
}

static void looped_taps(emitter *e, qn_value *x, qn_value **acc) {
  const qn_depthwise *d = e->d;
  qn_builder *b = e->b;
  qn_op *loop = qn_nest_carry(b, 0, d->tap_count / d->group, 1, acc, d->group);
  qn_block *body = qn_op_body(loop);
  qn_value *list = qn_index_affine(b, body->args[0], d->group, 0), *rows[4];
  for (uint32_t v = 0; v < d->group; v++) acc[v] = body->args[1 + v];
  for (uint32_t i = 0; i < d->group; i++)
    rows[i] = load_tap(e, add(e, x, qn_index_load(b, e->offsets, list, i)), 0);
  qn_value *weights = qn_index_affine(b, body->args[0], group_stride(e), 0);
  add_group(e, rows, add(e, e->weights_at, weights), 0, acc);
  qn_build_yield(b, acc, d->group);
  for (uint32_t v = 0; v < d->group; v++) acc[v] = qn_op_result(loop, v);
}

/* ---- pixels, blocks, rows ---- */

static void pixel(emitter *e, qn_value *x, qn_value *y) {
  const qn_depthwise *d = e->d;
  const qn_depthwise_block *block = e->block;
  int64_t lanes = block->width / d->group, words = qn_epilogue_words(block->kind) * lanes;
  qn_value *acc[MAX_VECTORS];
  for (uint32_t v = 0; v < d->group; v++)
    acc[v] = qn_vec_load(e->b, e->params, e->params_at, v * words, lanes);
  if (d->tap_count <= MAX_UNROLLED_TAPS) unrolled_taps(e, x, acc);
  else looped_taps(e, x, acc);
  for (uint32_t v = 0; v < d->group; v++) {
    qn_epilogue_params params =
        qn_epilogue_load(e->b, block->kind, e->params, e->params_at, v * words, lanes);
    acc[v] = qn_epilogue_apply(e->b, d->epilogue, block->kind, &params, acc[v]);
  }
  qn_value *bytes = qn_epilogue_narrow(e->b, d->epilogue, acc, d->group, block->valid);
  bytes = qn_vec_slice(e->b, bytes, block->skip, block->valid - block->skip);
  y = qn_index_add(e->b, y, block->skip);
  bytes = qn_fusion_emit(e->k, d->op, FIXED_ARGS, bytes, y);
  qn_vec_store(e->b, bytes, e->y, y, 0);
}

/* Blocks [begin, end) of equal shape. The constants of `begin` start at the given elements. */
static void block_run(emitter *e, uint32_t begin, uint32_t end, int64_t weights, int64_t params,
                      qn_value *x, qn_value *y) {
  const qn_depthwise *d = e->d;
  qn_builder *b = e->b;
  e->block = &d->blocks[begin];
  int64_t weight_stride = e->block->width * d->tap_count;
  int64_t param_stride = e->block->width * qn_epilogue_words(e->block->kind);
  qn_nest_carry(b, begin, end, 1, NULL, 0);
  qn_value *number = b->block->args[0];
  e->weights_at = qn_index_affine(b, number, weight_stride, weights - begin * weight_stride);
  e->params_at = qn_index_affine(b, number, param_stride, params - begin * param_stride);
  qn_value *channel = qn_index_load(b, e->channels, number, 0);
  qn_value *ox = qn_nest_count(b, d->shape.out_width, 1);
  int64_t x_stride = d->shape.stride_x * d->shape.channels;
  qn_value *from = add(e, x, channel), *to = add(e, y, channel);
  from = add(e, from, qn_index_affine(b, ox, x_stride, 0));
  to = add(e, to, qn_index_affine(b, ox, d->shape.channels, 0));
  pixel(e, from, to);
  qn_build_yield(b, NULL, 0);
  qn_build_yield(b, NULL, 0);
}

static bool same_run(const qn_depthwise_block *a, const qn_depthwise_block *b) {
  return a->width == b->width && a->skip == b->skip && a->valid == b->valid && a->kind == b->kind;
}

static void all_blocks(emitter *e, qn_value *x, qn_value *y) {
  const qn_depthwise *d = e->d;
  int64_t weights = 0, params = 0;
  for (uint32_t begin = 0, end; begin < d->block_count; begin = end) {
    const qn_depthwise_block *first = &d->blocks[begin];
    for (end = begin + 1; end < d->block_count && same_run(first, &d->blocks[end]);) end++;
    block_run(e, begin, end, weights, params, x, y);
    weights += (end - begin) * first->width * d->tap_count;
    params += (end - begin) * first->width * qn_epilogue_words(first->kind);
  }
}

static void rows(emitter *e) {
  const qn_conv_shape *s = &e->d->shape;
  qn_builder *b = e->b;
  qn_build_for(b, e->k->lower, e->k->upper, qn_build_index(b, 1), NULL, 0);
  qn_value *row = b->block->args[0], *height = qn_build_index(b, s->out_height);
  qn_value *image = qn_build_binary(b, QN_OP_ARITH_DIVUI, row, height);
  qn_value *oy = qn_build_binary(b, QN_OP_ARITH_REMUI, row, height);
  int64_t x_row = s->width * s->channels;
  qn_value *x = qn_index_affine(b, image, s->height * x_row, 0);
  x = add(e, x, qn_index_affine(b, oy, s->stride_y * x_row, 0));
  all_blocks(e, x, qn_index_affine(b, row, s->out_width * s->channels, 0));
  qn_build_yield(b, NULL, 0);
}

/* ---- the kernel ---- */

static qn_bytes i32_bytes(const qn_i32_array *values) {
  return (qn_bytes){(const uint8_t *)values->data, values->count * sizeof *values->data};
}

static void emit(qn_loops *lo, const qn_depthwise *d) {
  qn_ir_context *cx = lo->cx;
  emitter e = {.d = d, .i8 = qn_type_i(cx, 8), .i16 = qn_type_i(cx, 16), .i32 = qn_type_i(cx, 32)};
  qn_bytes packed = {d->packed.data, d->packed.count};
  qn_value *buffers[FIXED_ARGS + QN_FUSION_BUFFERS];
  buffers[0] = qn_loops_buffer(lo, qn_op_operand(d->op, 0));
  buffers[1] = qn_loops_constant(lo, d->bytes ? e.i8 : e.i16, packed);
  buffers[2] = qn_loops_constant(lo, e.i32, i32_bytes(&d->params));
  buffers[3] = qn_loops_constant(lo, e.i32, i32_bytes(&d->channels));
  buffers[4] = qn_loops_constant(lo, e.i32, i32_bytes(&d->offsets));
  buffers[5] = qn_loops_buffer(lo, qn_fusion_result(lo, d->op));
  uint32_t count = FIXED_ARGS + qn_fusion_buffers(lo, d->op, buffers + FIXED_ARGS);
  qn_kernel k = qn_kernel_begin(lo, "depthwise", d->op, buffers, count);
  e.k = &k, e.b = &k.b;
  e.x = k.args[0], e.packed = k.args[1], e.params = k.args[2], e.channels = k.args[3];
  e.offsets = k.args[4], e.y = k.args[5];
  rows(&e);
  const qn_conv_shape *s = &d->shape;
  int64_t units = s->batch * s->out_height;
  qn_kernel_end(&k, units, units * s->out_width * d->weights->channels * d->weights->taps);
}

qn_status qn_loops_ml_integer_depthwise_conv(qn_loops *lo, qn_op *op) {
  qn_weights weights;
  QN_TRY(qn_weights_read(lo, op, &weights));
  qn_conv_shape shape = qn_conv_shape_of(op);
  if (shape.channels != weights.channels) return qn_conv_gemm(lo, op, &weights, shape.channels);
  qn_epilogue epilogue = qn_epilogue_of(lo, op, 3, weights.channels, weights.sums);
  qn_depthwise plan;
  qn_depthwise_plan(lo, op, &weights, &epilogue, &plan);
  emit(lo, &plan);
  qn_depthwise_deinit(&plan);
  return QN_OK;
}

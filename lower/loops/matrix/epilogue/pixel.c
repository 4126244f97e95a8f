/* Results of a pixel to bytes, and the post-ops on them.
 *
 * A fused addition runs on the accumulator lanes if possible: one shuffle per vector moves its
 * other operand to these lanes. The alternative would be to put the results in order and to widen
 * both operands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes.h"

typedef qn_gemm_emitter emitter;

enum { BLOCK = 16, QUAD = 4, BLOCKS = QN_VEC_MAX_BYTES / 4 / BLOCK };

/* ---- bytes for lanes ---- */

/* The bytes of one pixel of an operand. Channel c is byte c + shift[b], where b is the 128-bit
 * block of its lane in an accumulator vector. */
typedef struct operand {
  qn_value *bytes;
  int64_t shift[BLOCKS];
} operand;

/* The operand's stored values for the lanes of vector `vector`, as floats; 0 after the last
 * channel. */
static qn_value *lanes_of(const emitter *e, const operand *o, uint32_t vector, bool is_unsigned) {
  enum { LAST = sizeof(int32_t) - 1, TOP = 8 * LAST };
  int64_t mask[QN_VEC_MAX_BYTES], none = qn_vec_count(o->bytes), count = e->plan->lanes;
  for (int64_t l = 0; l < count; l++) {
    int64_t c = qn_epilogue_lane_channel(false, e->shape->vectors, vector, l);
    int64_t from = c < e->shape->valid ? c + o->shift[l / QUAD] : none;
    for (int64_t i = 0; i <= LAST; i++) mask[(LAST + 1) * l + i] = none;
    mask[(LAST + 1) * l + (is_unsigned ? 0 : LAST)] = from;
  }
  qn_value *zeros = qn_build_int(e->b, 0, o->bytes->type);
  qn_value *lanes = qn_vec_shuffle(e->b, o->bytes, zeros, mask, (LAST + 1) * count);
  lanes = qn_vec_bitcast(e->b, lanes, e->i32);
  if (!is_unsigned) lanes = qn_build_binary_int(e->b, QN_OP_ARITH_SHRSI, lanes, TOP);
  return qn_vec_cast(e->b, QN_OP_ARITH_SITOFP, lanes, qn_type_float(e->b->cx, QN_F32));
}

/* ---- the other operand ---- */

static operand load_at_once(const emitter *e, qn_value *buffer, qn_value *element) {
  return (operand){.bytes = qn_vec_load(e->b, buffer, element, 0, e->shape->valid)};
}

/* Loads, for each 128-bit block, the 16 bytes that contain its channels, so that no shuffle crosses
 * 128 bits. */
static operand load_blocks(const emitter *e, qn_value *buffer, qn_value *element) {
  operand o = {.bytes = NULL};
  qn_value *parts[BLOCKS];
  int64_t count = e->plan->lanes / QUAD, last = e->shape->valid - BLOCK;
  for (int64_t i = 0; i < count; i++) {
    int64_t first = i * QUAD * e->shape->vectors;
    if (first > last) first = last;
    parts[i] = qn_vec_load(e->b, buffer, element, first, BLOCK);
    o.shift[i] = i * BLOCK - first;
  }
  for (; count > 1; count /= 2)
    for (int64_t i = 0; i < count / 2; i++)
      parts[i] = qn_vec_join(e->b, parts[2 * i], parts[2 * i + 1]);
  o.bytes = parts[0];
  return o;
}

static operand load_other(const emitter *e, qn_value *buffer, qn_value *element) {
  const qn_gemm_tile *tile = e->shape;
  bool in_blocks = tile->vectors == BLOCK / QUAD && tile->valid == tile->vectors * e->plan->lanes;
  bool at_once = in_blocks || tile->vectors == 1 || tile->valid < BLOCK;
  return at_once ? load_at_once(e, buffer, element) : load_blocks(e, buffer, element);
}

/* ---- the results of the product ---- */

/* Whether results are clamped by packing them to bytes and shuffling them back. That takes less
 * time than two clamps, because packing saturates and the shuffle port is otherwise idle. Not for a
 * single vector, nor if widening needs another shift. */
static bool is_packed(const emitter *e) {
  const qn_gemm_tile *tile = e->shape;
  return tile->kind != QN_EPILOGUE_BITS && tile->vectors > 1 &&
         qn_bytes_of(e->plan->gemm)->epilogue->is_unsigned;
}

static operand pack_results(const emitter *e, qn_value *const *results) {
  const qn_gemm_tile *tile = e->shape;
  operand o = {.bytes = qn_epilogue_pack(e->b, qn_bytes_of(e->plan->gemm)->epilogue, tile->kind,
                                         results, tile->vectors)};
  for (int64_t i = 0; i < e->plan->lanes / QUAD; i++)
    o.shift[i] = i * (BLOCK - QUAD * (int64_t)tile->vectors);
  return o;
}

static qn_value *add(emitter *e, qn_value *const *results, qn_value *element) {
  const qn_gemm_tile *tile = e->shape;
  const qn_fusion_float_add *sum = &qn_bytes_of(e->plan->gemm)->sum;
  const operand other = load_other(e, e->k->args[e->post_op_args], element);
  const operand own = is_packed(e) ? pack_results(e, results) : (operand){.bytes = NULL};
  qn_value *sums[QN_EPILOGUE_MAX_VECTORS];
  for (uint32_t v = 0; v < tile->vectors; v++) {
    qn_value *x = own.bytes ? lanes_of(e, &own, v, true)
                            : qn_epilogue_floats(e->b, qn_bytes_of(e->plan->gemm)->epilogue,
                                                 tile->kind, results[v]);
    sums[v] = qn_fusion_add(e->b, sum, x, lanes_of(e, &other, v, sum->other_unsigned));
  }
  return qn_epilogue_narrow_whole(e->b, sum->min, sum->max, sum->is_unsigned, sums, tile->vectors,
                                  tile->valid);
}

/* ---- bytes ---- */

static qn_value *narrow(emitter *e, qn_value *const *results, uint32_t pixels, qn_value *order) {
  const qn_gemm_tile *tile = e->shape;
  qn_value *bytes =
      qn_epilogue_narrow_pixels(e->b, qn_bytes_of(e->plan->gemm)->epilogue, tile->kind, results,
                                pixels, tile->vectors, tile->valid);
  if (!order) return bytes;
  return qn_build_1(e->b, QN_OP_QUERN_SHUFFLE, bytes->type, QN_VALUES(bytes, order), NULL);
}

qn_value *qn_bytes_load_order(emitter *e) {
  const qn_gemm_tile *tile = e->shape;
  if (!tile->reordered) return NULL;
  int64_t words = tile->vectors * qn_epilogue_words(tile->kind) * e->plan->lanes;
  qn_value *order =
      qn_vec_load(e->b, e->params, e->fields[QN_TILE_PARAMS], words, tile->valid / QUAD);
  return qn_vec_bitcast(e->b, order, e->i8);
}

uint32_t qn_bytes_pixels_together(const emitter *e) {
  const qn_gemm *g = e->plan->gemm;
  const qn_gemm_tile *tile = e->shape;
  bool packs = !qn_dot_is_scalar(e->target->dot) && !e->target->dot->by_parity &&
               e->target->join_cycles == 0;
  bool follow = tile->valid == g->channels && tile->valid % QUAD == 0;
  if (!packs || !follow || tile->reordered || qn_bytes_adds(g, tile)) return 1;
  return QN_EPILOGUE_MAX_VECTORS / tile->vectors;
}

qn_value *qn_bytes_of_pixels(emitter *e, qn_value *const *results, uint32_t pixels, qn_value *order,
                             qn_value *element) {
  const qn_gemm *g = e->plan->gemm;
  if (!qn_bytes_adds(g, e->shape))
    return qn_fusion_emit(e->k, g->op, e->post_op_args, narrow(e, results, pixels, order), element);
  QN_ASSERT(pixels == 1);
  qn_value *bytes = add(e, results, element);
  return qn_fusion_emit(e->k, qn_bytes_of(g)->sum.op, e->post_op_args + 1, bytes, element);
}

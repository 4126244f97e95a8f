/* Evaluators of the vector dialect's register ops and of quern's arithmetic.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "eval/ops/elementwise.h"
#include "ir/ops/tile.h"
#include "runtime/fixed.h"

qn_status qn_eval_vector_broadcast(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *in = qn_eval_operand(ev, op, 0);
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  uint8_t scratch[QN_SCALAR_BYTES];
  const uint8_t *bytes = qn_rt_bytes(in, scratch);
  int64_t period = qn_type_is_shaped(in->type) ? in->size : qn_type_bytes(in->type);
  if (period > 0) qn_rt_fill(out->data, out->size, bytes, period);
  return QN_OK;
}

static qn_status same_bits(qn_eval *ev, const qn_op *op, qn_rt_value *out) {
  const qn_rt_value *in = qn_eval_operand(ev, op, 0);
  uint8_t scratch[QN_SCALAR_BYTES];
  const uint8_t *bytes = qn_rt_bytes(in, scratch);
  if (!qn_type_is_shaped(out->type)) {
    qn_rt_set_scalar(out, bytes);
  } else {
    int64_t size = qn_type_is_shaped(in->type) ? in->size : qn_type_bytes(in->type);
    if (size != out->size) return qn_eval_fail(ev, op, "changes the number of bits");
    qn_rt_copy(out->data, bytes, out->size);
  }
  return QN_OK;
}
qn_status qn_eval_vector_bitcast(qn_eval *ev, const qn_op *op) {
  return same_bits(ev, op, qn_eval_result(ev, op, 0));
}
qn_status qn_eval_arith_bitcast(qn_eval *ev, const qn_op *op) {
  qn_rt_value *out;
  QN_TRY(qn_eval_result_like_operands(ev, op, &out));
  return same_bits(ev, op, out);
}

typedef struct scalar {
  uint8_t bytes[QN_SCALAR_BYTES];
} scalar;

/* Selects elements of two vectors, of which the first has `split` elements. */
#define SHUFFLE(name, T)                                                                           \
  static void shuffle_##name(void *to, const void *a, const void *b, int64_t split,                \
                             const int64_t *mask, int64_t count) {                                 \
    T *y = to;                                                                                     \
    const T *first = a, *second = b;                                                               \
    for (int64_t i = 0; i < count; i++)                                                            \
      y[i] = mask[i] < split ? first[mask[i]] : second[mask[i] - split];                           \
  }
SHUFFLE(8, uint8_t)
SHUFFLE(16, uint16_t)
SHUFFLE(32, uint32_t)
SHUFFLE(64, uint64_t)
SHUFFLE(128, scalar)
#undef SHUFFLE

qn_status qn_eval_vector_shuffle(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *a = qn_eval_operand(ev, op, 0), *b = qn_eval_operand(ev, op, 1);
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  static void (*const shuffles[])(void *, const void *, const void *, int64_t, const int64_t *,
                                  int64_t) = {shuffle_8, shuffle_16, shuffle_32, shuffle_64,
                                              shuffle_128};
  qn_i64s mask = qn_op_mask(op);
  int64_t split = qn_rt_count(a), total = split + qn_rt_count(b);
  if (mask.count != (uint64_t)qn_rt_count(out)) return qn_eval_fail(ev, op, "has a wrong mask");
  for (uint32_t i = 0; i < mask.count; i++)
    if (mask.data[i] < 0 || mask.data[i] >= total)
      return qn_eval_fail(ev, op, "has a mask out of range");
  if (mask.count == 0) return QN_OK;
  uint32_t bytes = qn_type_bytes(qn_type_element(out->type));
  shuffles[__builtin_ctz(bytes)](out->data, a->data, b->data, split, mask.data, mask.count);
  return QN_OK;
}

qn_status qn_eval_vector_extract(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *in = qn_eval_operand(ev, op, 0);
  qn_i64s position = qn_op_static_position(op);
  if (position.count != 1 || position.data[0] < 0 || position.data[0] >= qn_rt_count(in))
    return qn_eval_fail(ev, op, "has a position out of range");
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  qn_rt_set_scalar(out, in->data + position.data[0] * qn_type_bytes(out->type));
  return QN_OK;
}

/* ---- reduction ---- */

static int64_t reduce_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t reduce_max(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t reduce_min(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t reduce_umax(int64_t a, int64_t b) { return (uint64_t)a > (uint64_t)b ? a : b; }
static int64_t reduce_umin(int64_t a, int64_t b) { return (uint64_t)a < (uint64_t)b ? a : b; }

static const struct {
  const char *kind;
  int64_t (*step)(int64_t a, int64_t b);
} reductions[] = {{"add", reduce_add},
                  {"maxsi", reduce_max},
                  {"minsi", reduce_min},
                  {"maxui", reduce_umax},
                  {"minui", reduce_umin}};

/* "add" from #vector.kind<add>, as a view. */
static qn_str kind_name(const qn_op *op) {
  const qn_attr *kind = qn_op_find(op, QN_A_REDUCTION_KIND);
  if (!kind || (kind->kind != QN_ATTR_OPAQUE && kind->kind != QN_ATTR_STRING)) return (qn_str){0};
  qn_str text = kind->string;
  const char *open = memchr(text.data, '<', text.size);
  if (!open || text.data[text.size - 1] != '>') return text;
  return (qn_str){open + 1, (size_t)(text.data + text.size - 1 - (open + 1))};
}

qn_status qn_eval_vector_reduction(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *in = qn_eval_operand(ev, op, 0);
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  if (out->type->kind != QN_TYPE_INTEGER) return qn_eval_fail(ev, op, "reduces integers only");
  for (size_t k = 0; k < QN_COUNT(reductions); k++) {
    if (!qn_str_is(kind_name(op), reductions[k].kind)) continue;
    int64_t result = qn_rt_int(in, 0), count = qn_rt_count(in);
    for (int64_t i = 1; i < count; i++) result = reductions[k].step(result, qn_rt_int(in, i));
    qn_rt_set_scalar(out, (const uint8_t *)&result); /* wraps to the element's width */
    return QN_OK;
  }
  return qn_eval_fail(ev, op, "has an unknown kind");
}

/* ---- quern ---- */

/* Element k of bytes as a number. */
static int32_t factor(const qn_rt_value *a, int64_t k, bool is_unsigned) {
  return is_unsigned ? a->data[k] : (int8_t)a->data[k];
}

/* Adds count / lanes products to every sum, which wraps at 32 bits, so the order does not matter.
 */
#define PRODUCT(k) (uint32_t)((int32_t)a[k] * (int32_t)b[k])
#define DOT(name, A, B)                                                                            \
  static void dot_##name(const uint32_t *acc, const void *x, const void *y, uint32_t *to,          \
                         int64_t lanes, int64_t count) {                                           \
    const A *a = x;                                                                                \
    const B *b = y;                                                                                \
    int64_t each = count / lanes;                                                                  \
    for (int64_t i = 0; i < lanes; i++) {                                                          \
      uint32_t sum = acc[i];                                                                       \
      for (int64_t k = each * i; k < each * (i + 1); k++) sum += PRODUCT(k);                       \
      to[i] = sum;                                                                                 \
    }                                                                                              \
  }
DOT(signed_bytes, int8_t, int8_t)
DOT(unsigned_bytes, uint8_t, int8_t)
DOT(signed_words, int16_t, int16_t)
DOT(unsigned_words, uint16_t, int16_t)
#undef DOT
#undef PRODUCT

/* Four products of bytes for each sum, in vectors of words: a product of two bytes fits in 16 bits,
 * and there is a multiplication of words on every host. */
typedef int16_t words __attribute__((vector_size(16)));
typedef uint16_t bits16 __attribute__((vector_size(16)));
typedef int32_t doubles __attribute__((vector_size(16)));
typedef uint32_t bits32 __attribute__((vector_size(16)));
enum { QUAD = 4, VECTOR = sizeof(bits32) / sizeof(uint32_t) };

static bits32 sum_of_pairs(words x) {
  doubles first = (doubles)((bits32)x << 16) >> 16, second = (doubles)x >> 16;
  return (bits32)(first + second);
}

static void dot_quads(const uint32_t *acc, const uint8_t *a, const int8_t *b, uint32_t *to,
                      int64_t lanes, bool a_unsigned) {
  for (int64_t i = 0; i < lanes; i += VECTOR) {
    bits16 x, y;
    bits32 sums;
    memcpy(&x, a + QUAD * i, sizeof x);
    memcpy(&y, b + QUAD * i, sizeof y);
    memcpy(&sums, acc + i, sizeof sums);
    words x_even = a_unsigned ? (words)(x & 0xff) : (words)(x << 8) >> 8;
    words x_odd = a_unsigned ? (words)(x >> 8) : (words)x >> 8;
    sums += sum_of_pairs(x_even * ((words)(y << 8) >> 8)) + sum_of_pairs(x_odd * ((words)y >> 8));
    memcpy(to + i, &sums, sizeof sums);
  }
}

qn_status qn_eval_quern_dot(qn_eval *ev, const qn_op *op) {
  static void (*const dots[][2])(const uint32_t *, const void *, const void *, uint32_t *, int64_t,
                                 int64_t) = {{dot_signed_words, dot_unsigned_words},
                                             {dot_signed_bytes, dot_unsigned_bytes}};
  const qn_rt_value *acc = qn_eval_operand(ev, op, 0), *a = qn_eval_operand(ev, op, 1);
  const qn_rt_value *b = qn_eval_operand(ev, op, 2);
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  const uint32_t *from = (const uint32_t *)(const void *)acc->data;
  uint32_t *to = (uint32_t *)(void *)out->data;
  int64_t lanes = qn_rt_count(out), count = qn_rt_count(a);
  bool bytes = qn_type_bytes(qn_type_element(a->type)) == 1, a_unsigned = qn_op_a_unsigned(op);
  if (bytes && count == QUAD * lanes && lanes % VECTOR == 0)
    dot_quads(from, a->data, (const int8_t *)b->data, to, lanes, a_unsigned);
  else
    dots[bytes][a_unsigned](from, a->data, b->data, to, lanes, count);
  return QN_OK;
}

/* The sums wrap at 32 bits, so the order of additions does not matter. */
qn_status qn_eval_quern_tile_dot(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *acc = qn_eval_operand(ev, op, 0);
  const uint8_t *a = qn_eval_operand(ev, op, 1)->data;
  const int8_t *b = (const int8_t *)qn_eval_operand(ev, op, 2)->data;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  uint32_t *to = (uint32_t *)(void *)out->data;
  qn_tile_dot_shape shape = qn_tile_dot_shape_of(op);
  bool a_unsigned = qn_op_a_unsigned(op);
  memcpy(out->data, acc->data, (size_t)out->size);
  for (int64_t r = 0; r < shape.rows; r++)
    for (int64_t k = 0; k < shape.depth; k++) {
      int32_t x = a_unsigned ? a[shape.depth * r + k] : (int8_t)a[shape.depth * r + k];
      const int8_t *w = b + k / QN_TILE_QUAD * QN_TILE_BYTES + k % QN_TILE_QUAD;
      for (int64_t n = 0; n < QN_TILE_SUMS; n++)
        to[QN_TILE_SUMS * r + n] += (uint32_t)(x * w[QN_TILE_QUAD * n]);
    }
  return QN_OK;
}

qn_status qn_eval_quern_dot_blocks(qn_eval *ev, const qn_op *op) {
  enum { SIDE = 2, DEPTH = 8, SUMS = SIDE * SIDE };
  const qn_rt_value *acc = qn_eval_operand(ev, op, 0), *a = qn_eval_operand(ev, op, 1);
  const int8_t *b = (const int8_t *)qn_eval_operand(ev, op, 2)->data;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  const uint32_t *from = (const uint32_t *)(const void *)acc->data;
  uint32_t *to = (uint32_t *)(void *)out->data;
  bool a_unsigned = qn_op_a_unsigned(op);
  for (int64_t i = 0, lanes = qn_rt_count(out); i < lanes; i++) {
    int64_t block = i / SUMS * SIDE * DEPTH, row = i % SUMS / SIDE, column = i % SIDE;
    uint32_t sum = from[i];
    for (int64_t k = 0; k < DEPTH; k++)
      sum += (uint32_t)factor(a, block + row * DEPTH + k, a_unsigned) *
             (uint32_t)b[block + column * DEPTH + k];
    to[i] = sum;
  }
  return QN_OK;
}

qn_status qn_eval_quern_dot_joined(qn_eval *ev, const qn_op *op) {
  enum { DEPTH = 4, SUMS = 2 };
  static const uint8_t place[DEPTH] = {0, 2, 1, 3};
  const qn_rt_value *acc = qn_eval_operand(ev, op, 0), *a = qn_eval_operand(ev, op, 1);
  const uint8_t *b = qn_eval_operand(ev, op, 2)->data;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  const uint32_t *from = (const uint32_t *)(const void *)acc->data;
  uint32_t *to = (uint32_t *)(void *)out->data;
  bool a_unsigned = qn_op_a_unsigned(op);
  for (int64_t i = 0, lanes = qn_rt_count(out); i < lanes; i++) {
    uint32_t sum = from[i];
    for (int64_t k = 0; k < DEPTH; k++) {
      const uint8_t *c = b + i / SUMS * SUMS * DEPTH + 2 * place[k];
      int32_t whole = (int16_t)(c[0] | c[1] << 8), y = i % SUMS ? (int8_t)c[0] : whole;
      sum += (uint32_t)factor(a, DEPTH * i + k, a_unsigned) * (uint32_t)y;
    }
    to[i] = sum;
  }
  return QN_OK;
}

qn_status qn_eval_quern_madd_u8s8(qn_eval *ev, const qn_op *op) {
  const uint8_t *a = qn_eval_operand(ev, op, 0)->data;
  const int8_t *b = (const int8_t *)qn_eval_operand(ev, op, 1)->data;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  int16_t *to = (int16_t *)(void *)out->data;
  int64_t lanes = qn_rt_count(out);
  for (int64_t i = 0; i < lanes; i++) {
    int32_t sum = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    to[i] = (int16_t)qn_clamp32(sum, INT16_MIN, INT16_MAX);
  }
  return QN_OK;
}

qn_status qn_eval_quern_madd_s16(qn_eval *ev, const qn_op *op) {
  const int16_t *a = (const int16_t *)(const void *)qn_eval_operand(ev, op, 0)->data;
  const int16_t *b = (const int16_t *)(const void *)qn_eval_operand(ev, op, 1)->data;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  uint32_t *to = (uint32_t *)(void *)out->data;
  int64_t lanes = qn_rt_count(out);
  /* the only sum that overflows, of four times -32768, wraps, as in pmaddwd */
  for (int64_t i = 0; i < lanes; i++)
    to[i] = (uint32_t)(a[2 * i] * b[2 * i]) + (uint32_t)(a[2 * i + 1] * b[2 * i + 1]);
  return QN_OK;
}

/* Narrows elements of type T to N with saturation to [lo, hi]. Each 128-bit lane of the result has
 * the elements of a lane of a, then those of b. */
#define PACK(name, T, N)                                                                           \
  static void pack_##name(const void *a, const void *b, void *out, int64_t count, int32_t lo,      \
                          int32_t hi) {                                                            \
    enum { EACH = 16 / sizeof(T) };                                                                \
    N *to = out;                                                                                   \
    for (int64_t i = 0; i < count; i += EACH)                                                      \
      for (int64_t half = 0; half < 2; half++, to += EACH)                                         \
        for (int64_t k = 0; k < EACH; k++)                                                         \
          to[k] = (N)qn_clamp32(((const T *)(half ? b : a))[i + k], lo, hi);                       \
  }
PACK(words, int16_t, uint8_t)
PACK(doubles, int32_t, uint16_t)
#undef PACK

qn_status qn_eval_quern_pack(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *a = qn_eval_operand(ev, op, 0), *b = qn_eval_operand(ev, op, 1);
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  bool to_bytes = qn_type_bytes(qn_type_element(out->type)) == 1,
       to_unsigned = qn_op_to_unsigned(op);
  int32_t bits = to_bytes ? 8 : 16;
  int32_t lo = to_unsigned ? 0 : -(1 << (bits - 1)),
          hi = (1 << (to_unsigned ? bits : bits - 1)) - 1;
  (to_bytes ? pack_words : pack_doubles)(a->data, b->data, out->data, qn_rt_count(a), lo, hi);
  return QN_OK;
}

qn_status qn_eval_quern_round_to_int(qn_eval *ev, const qn_op *op) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  for (int64_t i = 0; i < lanes.count; i++) {
    float x = ((const float *)(const void *)lanes.in[0])[i];
    if (!(fabsf(x) <= 0x1p30f)) /* this condition also rejects NaN */
      return qn_eval_fail(ev, op, "rounds %g, which is beyond 2^30", (double)x);
    ((int32_t *)(void *)lanes.out)[i] = (int32_t)nearbyintf(x);
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}

qn_status qn_eval_quern_widen_half(qn_eval *ev, const qn_op *op) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  for (int64_t i = 0; i < lanes.count; i++) {
    const uint16_t bits = ((const uint16_t *)(const void *)lanes.in[0])[i];
    const double x = qn_float_decode(QN_F16, bits);
    if (isnan(x)) return qn_eval_fail(ev, op, "widens 0x%04X, which is a NaN", bits);
    ((float *)(void *)lanes.out)[i] = (float)x;
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}

qn_status qn_eval_quern_rescale(qn_eval *ev, const qn_op *op) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  for (int64_t i = 0; i < lanes.count; i++) {
    int32_t x = ((const int32_t *)(const void *)lanes.in[0])[i];
    int32_t mantissa = ((const int32_t *)(const void *)lanes.in[1])[i];
    int32_t shift = ((const int32_t *)(const void *)lanes.in[2])[i];
    if (shift < -31 || shift > -1)
      return qn_eval_fail(ev, op, "shifts by %d, not by -31 to -1", shift);
    ((int32_t *)(void *)lanes.out)[i] = qn_rdivp2(qn_rdhm32(x, mantissa), -shift);
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}

qn_status qn_eval_quern_shuffle(qn_eval *ev, const qn_op *op) {
  enum { LANE = 16 };
  const uint8_t *a = qn_eval_operand(ev, op, 0)->data, *index = qn_eval_operand(ev, op, 1)->data;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  for (int64_t i = 0; i < out->size; i++)
    out->data[i] = index[i] > INT8_MAX ? 0 : a[i / LANE * LANE + index[i] % LANE];
  return QN_OK;
}

qn_status qn_eval_quern_lookup(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *table = qn_eval_operand(ev, op, 0), *in = qn_eval_operand(ev, op, 1);
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  if (table->size < 256) return qn_eval_fail(ev, op, "needs a table of 256 entries");
  for (int64_t i = 0; i < out->size; i++) out->data[i] = table->data[in->data[i]];
  return QN_OK;
}

qn_status qn_eval_quern_gather(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *table = qn_eval_operand(ev, op, 0), *in = qn_eval_operand(ev, op, 1);
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  int64_t entries = qn_rt_count(table);
  for (int64_t i = 0, n = qn_rt_count(in); i < n; i++) {
    int64_t at = qn_rt_int(in, i);
    if (at < 0 || at >= entries)
      return qn_eval_fail(ev, op, "reads entry %lld of a table of %lld", (long long)at,
                          (long long)entries);
    qn_rt_set_int(out, i, qn_rt_int(table, at));
  }
  return QN_OK;
}

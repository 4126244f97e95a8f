/* Evaluators of arith's integer ops. Every op is one line of C per lane, expanded for the four
 * storage widths; integers of other widths are brought back to canonical form afterwards (i1 as 0
 * or 1, others sign-extended to their storage).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eval/ops/elementwise.h"

/* Width of the element type in bits; an index has the width that the module states. */
static uint32_t bit_width(const qn_eval *ev, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return element->kind == QN_TYPE_INTEGER ? element->integer.width : ev->index_bits;
}

static int64_t canonical(const qn_eval *ev, int64_t x, const qn_type *element) {
  uint32_t width = bit_width(ev, element);
  if (width == 1) return x & 1;
  if (width >= 64) return x;
  return qn_low_bits(x, width, !qn_type_is_unsigned(element));
}

static int64_t get(const uint8_t *p, int64_t i, uint32_t bytes) {
  return qn_read_int(p, i, bytes, false);
}

static void keep_width(const qn_eval *ev, const qn_type *type, uint8_t *data, int64_t count,
                       uint32_t bytes) {
  uint32_t width = bit_width(ev, type);
  if (width == 8 * bytes) return;
  for (int64_t i = 0; i < count; i++) {
    int64_t x = canonical(ev, get(data, i, bytes), qn_type_element(type));
    qn_write_int(data, i, bytes, x);
  }
}

/* ---- two operands of one type ---- */

typedef void lane_loop(const void *lhs, const void *rhs, void *out, int64_t count);
typedef lane_loop *const by_width[4]; /* 8, 16, 32, 64 bits */

/* S and U name the signed and unsigned type; a and b are U. Small types promote to int, so that
 * products are taken in 64 bits where needed. */
#define LOOP(name, bits, expression)                                                               \
  static void name##_##bits(const void *lhs, const void *rhs, void *out, int64_t count) {          \
    typedef int##bits##_t S;                                                                       \
    typedef uint##bits##_t U;                                                                      \
    enum { BITS = bits };                                                                          \
    const U *x = lhs, *y = rhs;                                                                    \
    for (int64_t i = 0; i < count; i++) {                                                          \
      U a = x[i], b = y[i];                                                                        \
      ((U *)out)[i] = (U)(expression);                                                             \
      (void)sizeof(S);                                                                             \
    }                                                                                              \
  }
#define BINARY(name, expression)                                                                   \
  LOOP(name, 8, expression)                                                                        \
  LOOP(name, 16, expression)                                                                       \
  LOOP(name, 32, expression)                                                                       \
  LOOP(name, 64, expression)                                                                       \
  static by_width name = {name##_8, name##_16, name##_32, name##_64};

BINARY(lanes_addi, a + b)
BINARY(lanes_subi, a - b)
BINARY(lanes_muli, (uint64_t)a *(uint64_t)b)
BINARY(lanes_andi, a &b)
BINARY(lanes_ori, a | b)
BINARY(lanes_xori, a ^ b)
/* Shift amounts have been checked: less than the width. */
BINARY(lanes_shli, (uint64_t)a << b)
BINARY(lanes_shrui, a >> b)
BINARY(lanes_shrsi, (S)a >> b)
BINARY(lanes_maxsi, (S)a > (S)b ? a : b)
BINARY(lanes_minsi, (S)a < (S)b ? a : b)
BINARY(lanes_maxui, a > b ? a : b)
BINARY(lanes_minui, a < b ? a : b)
/* Divisors have been checked: not zero, and not INT_MIN / -1. */
BINARY(lanes_divsi, (S)a / (S)b)
BINARY(lanes_remsi, (S)a % (S)b)
BINARY(lanes_divui, a / b)
BINARY(lanes_remui, a % b)
BINARY(lanes_floordivsi, (S)a / (S)b - ((S)a % (S)b != 0 && ((S)a < 0) != ((S)b < 0)))
BINARY(lanes_ceildivsi, (S)a / (S)b + ((S)a % (S)b != 0 && ((S)a < 0) == ((S)b < 0)))

/* Extends operands to unsigned or signed values where the canonical form has other high bits:
 * unsigned views of widths that do not fill their storage, and i1, which is -1 when set and signed.
 */
static void extend(const qn_eval *ev, qn_lanes *lanes, const qn_type *type, bool is_signed) {
  uint32_t width = bit_width(ev, type), bytes = lanes->in_bytes;
  if (width == 8 * bytes || (is_signed && width > 1)) return;
  for (int k = 0; k < 2; k++) {
    uint8_t *copy = qn_arena_alloc(ev->arena, (size_t)(lanes->count * bytes) + 1);
    for (int64_t i = 0; i < lanes->count; i++) {
      int64_t x = qn_low_bits(get(lanes->in[k], i, bytes), width, is_signed);
      memcpy(copy + i * bytes, &x, bytes);
    }
    lanes->in[k] = copy;
  }
}

static int log2_of(uint32_t bytes) { return bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0; }

/* Whether it is an index that fills its storage. */
static bool is_whole_index(const qn_eval *ev, const qn_type *type) {
  return type->kind == QN_TYPE_INDEX && ev->index_bits == 64;
}

static qn_status run(qn_eval *ev, const qn_op *op, by_width loops, bool unsigned_view) {
  qn_lanes lanes;
  if (is_whole_index(ev, op->results[0].type)) { /* most arithmetic of loops; wraps by itself */
    qn_rt_value *out = qn_eval_result(ev, op, 0);
    loops[3](&qn_eval_operand(ev, op, 0)->i, &qn_eval_operand(ev, op, 1)->i, &out->i, 1);
    return QN_OK;
  }
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  const qn_type *type = op->results[0].type;
  extend(ev, &lanes, type, !unsigned_view);
  loops[log2_of(lanes.out_bytes)](lanes.in[0], lanes.in[1], lanes.out, lanes.count);
  keep_width(ev, type, lanes.out, lanes.count, lanes.out_bytes);
  qn_lanes_close(&lanes);
  return QN_OK;
}

static qn_status run_division(qn_eval *ev, const qn_op *op, by_width loops, bool is_signed) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  uint32_t width = bit_width(ev, op->results[0].type);
  int64_t least = width >= 64 ? INT64_MIN : -(INT64_C(1) << (width - 1));
  extend(ev, &lanes, op->results[0].type, is_signed);
  for (int64_t i = 0; i < lanes.count; i++) {
    int64_t divisor = get(lanes.in[1], i, lanes.in_bytes);
    if (divisor == 0) return qn_eval_undefined(ev, op, "divides by zero");
    if (is_signed && divisor == -1 && get(lanes.in[0], i, lanes.in_bytes) == least)
      return qn_eval_undefined(ev, op, "overflows");
  }
  return run(ev, op, loops, !is_signed);
}

/* Upstream leaves shifts by the width or more undefined, and the result of machine code depends on
 * the CPU; here they are errors. */
static qn_status run_shift(qn_eval *ev, const qn_op *op, by_width loops, bool unsigned_view) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  uint32_t width = bit_width(ev, op->results[0].type);
  for (int64_t i = 0; i < lanes.count; i++) {
    uint64_t amount = (uint64_t)get(lanes.in[1], i, lanes.in_bytes);
    if (amount >= width) return qn_eval_undefined(ev, op, "shifts by its width or more");
  }
  return run(ev, op, loops, unsigned_view);
}

#define EVAL(op_name, unsigned_view)                                                               \
  qn_status qn_eval_arith_##op_name(qn_eval *ev, const qn_op *op) {                                \
    return run(ev, op, lanes_##op_name, unsigned_view);                                            \
  }
#define EVAL_SHIFT(op_name, unsigned_view)                                                         \
  qn_status qn_eval_arith_##op_name(qn_eval *ev, const qn_op *op) {                                \
    return run_shift(ev, op, lanes_##op_name, unsigned_view);                                      \
  }
#define EVAL_DIVISION(op_name, is_signed)                                                          \
  qn_status qn_eval_arith_##op_name(qn_eval *ev, const qn_op *op) {                                \
    return run_division(ev, op, lanes_##op_name, is_signed);                                       \
  }
EVAL(addi, false)
EVAL(subi, false)
EVAL(muli, false)
EVAL(andi, false)
EVAL(ori, false)
EVAL(xori, false)
EVAL_SHIFT(shli, false)
EVAL_SHIFT(shrui, true)
EVAL_SHIFT(shrsi, false)
EVAL(maxsi, false)
EVAL(minsi, false)
EVAL(maxui, true)
EVAL(minui, true)
EVAL_DIVISION(divsi, true)
EVAL_DIVISION(remsi, true)
EVAL_DIVISION(divui, false)
EVAL_DIVISION(remui, false)
EVAL_DIVISION(floordivsi, true)
EVAL_DIVISION(ceildivsi, true)

/* ---- comparison and choice ---- */

static bool compare(int64_t predicate, int64_t a, int64_t b, uint64_t ua, uint64_t ub) {
  const bool results[] = {a == b,  a != b, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub,
                          ua >= ub}; /* MLIR's numbering */
  return results[predicate];
}

qn_status qn_eval_arith_cmpi(qn_eval *ev, const qn_op *op) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  int64_t predicate = qn_op_predicate(op);
  if (predicate < 0 || predicate > 9) return qn_eval_fail(ev, op, "has an unknown predicate");
  uint32_t width = bit_width(ev, qn_op_operand(op, 0)->type);
  uint64_t mask = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  for (int64_t i = 0; i < lanes.count; i++) {
    int64_t a = get(lanes.in[0], i, lanes.in_bytes), b = get(lanes.in[1], i, lanes.in_bytes);
    if (width == 1) a = -a, b = -b; /* as a signed number, an i1 that is set is -1 */
    lanes.out[i] = compare(predicate, a, b, (uint64_t)a & mask, (uint64_t)b & mask);
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}

#define SELECT(bits)                                                                               \
  static void select_##bits(const uint8_t *chosen, int64_t step, const void *yes, const void *no,  \
                            void *out, int64_t count) {                                            \
    const uint##bits##_t *a = yes, *b = no;                                                        \
    uint##bits##_t *to = out;                                                                      \
    for (int64_t i = 0; i < count; i++) to[i] = chosen[i * step] ? a[i] : b[i];                    \
  }
SELECT(8)
SELECT(16)
SELECT(32)
SELECT(64)

qn_status qn_eval_arith_select(qn_eval *ev, const qn_op *op) {
  static void (*const selects[])(const uint8_t *, int64_t, const void *, const void *, void *,
                                 int64_t) = {select_8, select_16, select_32, select_64};
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  int64_t step = qn_type_is_shaped(qn_op_operand(op, 0)->type) ? 1 : 0;
  selects[log2_of(lanes.out_bytes)](lanes.in[0], step, lanes.in[1], lanes.in[2], lanes.out,
                                    lanes.count);
  qn_lanes_close(&lanes);
  return QN_OK;
}

/* ---- integer to integer ---- */

static qn_status convert(qn_eval *ev, const qn_op *op, bool from_unsigned) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  const qn_type *from = qn_op_operand(op, 0)->type, *to = op->results[0].type;
  uint32_t width = bit_width(ev, from);
  for (int64_t i = 0; i < lanes.count; i++) {
    int64_t x = get(lanes.in[0], i, lanes.in_bytes);
    x = canonical(ev, qn_low_bits(x, width, !from_unsigned), qn_type_element(to));
    qn_write_int(lanes.out, i, lanes.out_bytes, x);
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}

qn_status qn_eval_arith_extsi(qn_eval *ev, const qn_op *op) { return convert(ev, op, false); }
qn_status qn_eval_arith_extui(qn_eval *ev, const qn_op *op) { return convert(ev, op, true); }
qn_status qn_eval_arith_trunci(qn_eval *ev, const qn_op *op) { return convert(ev, op, false); }
qn_status qn_eval_arith_index_cast(qn_eval *ev, const qn_op *op) { return convert(ev, op, false); }
qn_status qn_eval_arith_index_castui(qn_eval *ev, const qn_op *op) { return convert(ev, op, true); }

/* ---- math on integers ---- */

qn_status qn_eval_math_absi(qn_eval *ev, const qn_op *op) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  for (int64_t i = 0; i < lanes.count; i++) {
    uint64_t x = (uint64_t)get(lanes.in[0], i, lanes.in_bytes);
    if ((int64_t)x < 0) x = 0 - x;
    memcpy(lanes.out + i * lanes.out_bytes, &x, lanes.out_bytes);
  }
  keep_width(ev, op->results[0].type, lanes.out, lanes.count, lanes.out_bytes);
  qn_lanes_close(&lanes);
  return QN_OK;
}

qn_status qn_eval_math_ctlz(qn_eval *ev, const qn_op *op) {
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  uint32_t width = bit_width(ev, op->results[0].type);
  if (width > 64) return qn_eval_fail(ev, op, "is wider than 64 bits");
  for (int64_t i = 0; i < lanes.count; i++) {
    uint64_t x = (uint64_t)get(lanes.in[0], i, lanes.in_bytes);
    if (width < 64) x &= (UINT64_C(1) << width) - 1;
    int64_t zeros = x ? __builtin_clzll(x) - (64 - (int)width) : (int)width;
    memcpy(lanes.out + i * lanes.out_bytes, &zeros, lanes.out_bytes);
  }
  /* a count of 2 leading zeros in an i2 wraps to -2 */
  keep_width(ev, op->results[0].type, lanes.out, lanes.count, lanes.out_bytes);
  qn_lanes_close(&lanes);
  return QN_OK;
}

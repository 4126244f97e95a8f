/* Measures the peak rate of a CPU level: its multiply-accumulate instructions for one operand type
 * on independent accumulators, or the products of its matrix unit (AMX).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/machine/probe.h"
#include "ir/ops/tile.h"
#include "lower/loops/products.h"

enum {
  CHAINS = 12, /* accumulators: enough to hide the latency, few enough for 16 registers */
  ROUNDS = 20000,
  /* takes a few milliseconds, so that the clock frequency has risen, and at least one try is not
   * interrupted */
  TRIES = 50,
};

typedef struct peak {
  qn_probe probe;
  const qn_dot *dot; /* integer products; unused for f32, which has one form */
  bool floats;
  bool in_one;   /* multiplication and addition are one instruction */
  int64_t bytes; /* bytes of a vector */
  const qn_type *factors, *sums;
} peak;

static peak peak_of(qn_context *context, const qn_target *target, qn_factor factor) {
  qn_ir_context *cx = &context->ir;
  int64_t bytes = target->vector_bytes;
  const qn_type *i8 = qn_type_vec(cx, qn_type_i(cx, 8), bytes),
                *i16 = qn_type_vec(cx, qn_type_i(cx, 16), bytes / 2),
                *i32 = qn_type_vec(cx, qn_type_i(cx, 32), bytes / 4),
                *f32 = qn_type_vec(cx, qn_type_float(cx, QN_F32), bytes / 4);
  peak p = {.probe = qn_probe_begin(context, target, (CHAINS + 1) * bytes),
            .dot = factor == QN_FACTOR_I8 ? target->dot : &qn_dot_pairs,
            .floats = factor == QN_FACTOR_F32,
            .bytes = bytes};
  p.factors = p.floats ? f32 : p.dot->bytes == 2 ? i16 : i8;
  p.sums = p.floats ? f32 : i32;
  p.in_one = p.floats ? target->fma : qn_dot_is_exact(p.dot);
  return p;
}

/* One step of a chain: sum + x * y, or the dot product of the target. */
static qn_value *dot(const peak *p, qn_builder *b, qn_value *sum, qn_value *x, qn_value *y) {
  if (p->floats) return qn_build_1(b, QN_OP_MATH_FMA, p->sums, QN_VALUES(x, y, sum), NULL);
  return qn_dot_build(b, p->dot, sum, &(qn_factors){x, y}, 1, qn_dot_takes(p->dot, true));
}

/* Loads a factor. If product and addition are separate instructions, the address must change from
 * round to round, because otherwise LLVM would move the product out of the loop. */
static qn_value *load_factor(const peak *p, qn_builder *b, qn_value *base, int64_t chain) {
  qn_value *at = qn_build_binary(b, QN_OP_ARITH_ADDI, base, qn_build_index(b, chain * p->bytes));
  const qn_type *bytes = p->probe.bytes;
  qn_value *loaded = qn_build_1(b, QN_OP_VECTOR_LOAD, bytes, QN_VALUES(p->probe.input, at), NULL);
  if (bytes == p->factors) return loaded;
  return qn_build_1(b, QN_OP_VECTOR_BITCAST, p->factors, QN_VALUES(loaded), NULL);
}

/* Builds rounds of one step in each chain, and the sum of all accumulators. */
static qn_value *build_rounds(peak *p) {
  qn_builder *b = &p->probe.b;
  qn_value *zero = p->floats ? qn_build_float(b, 0, p->sums) : qn_build_int(b, 0, p->sums);
  qn_value *y = load_factor(p, b, qn_build_index(b, 0), CHAINS);
  qn_value *sums[CHAINS];
  for (int i = 0; i < CHAINS; i++) sums[i] = zero;
  qn_op *loop = qn_build_for(b, p->probe.lower, p->probe.upper, qn_build_index(b, 1), sums, CHAINS);
  qn_value **carried = qn_op_body(loop)->args;
  qn_value *odd = qn_build_binary(b, QN_OP_ARITH_ANDI, carried[0], qn_build_index(b, 1));
  qn_value *base = qn_build_binary(b, QN_OP_ARITH_MULI, odd, qn_build_index(b, p->bytes));
  for (int i = 0; i < CHAINS; i++) {
    qn_value *x = p->in_one ? y : load_factor(p, b, base, i);
    sums[i] = dot(p, b, carried[1 + i], x, y);
  }
  qn_build_yield(b, sums, CHAINS);
  qn_value *total = qn_op_result(loop, 0);
  qn_op_kind add = p->floats ? QN_OP_ARITH_ADDF : QN_OP_ARITH_ADDI;
  for (uint32_t i = 1; i < CHAINS; i++)
    total = qn_build_binary(b, add, total, qn_op_result(loop, i));
  return total;
}

/* ---- AMX tiles ---- */

enum { TILE_CHAINS = 4, TILE_PRODUCTS = QN_TILE_ROWS * QN_TILE_BYTES * QN_TILE_SUMS };

static qn_value *load_tile(qn_probe *p, qn_value *at) {
  const qn_type *type = qn_type_vec(p->cx, qn_type_i(p->cx, 8), QN_TILE_ROWS * QN_TILE_BYTES);
  return qn_build_1(&p->b, QN_OP_QUERN_TILE_LOAD, type, QN_VALUES(p->input, at),
                    QN_ATTRS({"rows", qn_attr_i64(p->cx, QN_TILE_ROWS)},
                             {"row_stride", qn_attr_i64(p->cx, QN_TILE_BYTES)}));
}

/* Builds rounds of one tile product in each chain, and the sum of the first row of each accumulator
 * tile, which is read through memory. */
static qn_value *build_tile_rounds(qn_probe *p) {
  qn_builder *b = &p->b;
  const qn_type *i32 = qn_type_i(p->cx, 32), *row = qn_type_vec(p->cx, i32, QN_TILE_SUMS);
  const qn_type *type = qn_type_vec(p->cx, i32, QN_TILE_ROWS * QN_TILE_SUMS);
  const qn_type *memory = qn_type_buf(p->cx, i32, QN_TILE_ROWS * QN_TILE_SUMS);
  qn_value *scratch = qn_build_1(b, QN_OP_QUERN_SCRATCH, memory, NULL, 0, NULL);
  qn_value *first = qn_build_index(b, 0), *zero = qn_build_int(b, 0, type);
  qn_value *x = load_tile(p, first), *y = load_tile(p, first), *sums[TILE_CHAINS];
  for (int i = 0; i < TILE_CHAINS; i++) sums[i] = zero;
  qn_op *loop = qn_build_for(b, p->lower, p->upper, qn_build_index(b, 1), sums, TILE_CHAINS);
  for (int i = 0; i < TILE_CHAINS; i++) {
    qn_value *sum = qn_op_body(loop)->args[1 + i];
    sums[i] = qn_build_1(b, QN_OP_QUERN_TILE_DOT, type, QN_VALUES(sum, x, y),
                         QN_ATTRS({"a_unsigned", qn_attr_bool(p->cx, true)}));
  }
  qn_build_yield(b, sums, TILE_CHAINS);
  qn_value *total = qn_build_int(b, 0, row);
  for (uint32_t i = 0; i < TILE_CHAINS; i++) {
    qn_build_0(b, QN_OP_QUERN_TILE_STORE, QN_VALUES(qn_op_result(loop, i), scratch, first),
               QN_ATTRS({"row_stride", qn_attr_i64(p->cx, QN_TILE_SUMS)}));
    qn_value *sum = qn_build_1(b, QN_OP_VECTOR_LOAD, row, QN_VALUES(scratch, first), NULL);
    total = qn_build_binary(b, QN_OP_ARITH_ADDI, total, sum);
  }
  return total;
}

static qn_status peak_of_tiles(qn_context *context, const qn_target *target,
                               double *out_macs_per_second) {
  qn_probe p = qn_probe_begin(context, target, QN_TILE_ROWS * QN_TILE_BYTES);
  double seconds;
  QN_TRY(qn_probe_end(&p, build_tile_rounds(&p), ROUNDS, TRIES, &seconds));
  *out_macs_per_second = (double)TILE_CHAINS * (double)ROUNDS * (double)TILE_PRODUCTS / seconds;
  return QN_OK;
}

qn_status qn_probe_peak(qn_context *context, const qn_target *target, qn_factor factor,
                        double *out_macs_per_second) {
  if (factor == QN_FACTOR_I8 && target->tiles.count > TILE_CHAINS + 1)
    return peak_of_tiles(context, target, out_macs_per_second);
  peak p = peak_of(context, target, factor);
  double seconds;
  QN_TRY(qn_probe_end(&p.probe, build_rounds(&p), ROUNDS, TRIES, &seconds));
  double products = (double)qn_type_elements(p.factors);
  *out_macs_per_second = (double)CHAINS * (double)ROUNDS * products / seconds;
  return QN_OK;
}

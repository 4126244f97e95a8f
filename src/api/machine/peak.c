/* The peak of a CPU level: nothing but the level's dot products on independent accumulators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/machine/probe.h"

enum {
  CHAINS = 12, /* accumulators: enough to hide the latency, few enough for 16 registers */
  ROUNDS = 20000,
  TRIES = 50, /* a few milliseconds: the clock has risen, and one of them is not interrupted */
};

typedef struct peak {
  qn_probe probe;
  int64_t bytes; /* of a vector */
  const qn_type *factors, *widened, *sums;
} peak;

static peak peak_of(qn_context *context, const qn_target *target) {
  qn_ir_context *cx = &context->ir;
  int64_t bytes = target->vector_bytes;
  bool words = qn_dot_of(target->dot)->bytes == 2;
  const qn_type *i8 = qn_type_i(cx, 8), *i16 = qn_type_i(cx, 16);
  return (peak){.probe = qn_probe_begin(context, target, (CHAINS + 1) * bytes),
                .bytes = bytes,
                .factors = words ? qn_type_vec(cx, i16, bytes / 2) : qn_type_vec(cx, i8, bytes),
                .widened = qn_type_vec(cx, i16, bytes / 2),
                .sums = qn_type_vec(cx, qn_type_i(cx, 32), bytes / 4)};
}

/* One step of a chain: `bytes` products, or half of that in 16 bits. */
static qn_value *dot(const peak *p, qn_builder *b, qn_value *sum, qn_value *x, qn_value *y,
                     qn_value *ones) {
  const qn_dot *kind = qn_dot_of(p->probe.target->dot);
  if (kind->bytes == 1 && !kind->saturates) {
    return qn_build_1(b, QN_OP_QUERN_DOT_U8S8, p->sums, QN_VALUES(sum, x, y), NULL);
  }
  qn_value *pairs = x;
  if (kind->saturates) {
    pairs = qn_build_1(b, QN_OP_QUERN_MADD_U8S8, p->widened, QN_VALUES(x, y), NULL);
    y = ones;
  }
  qn_value *products = qn_build_1(b, QN_OP_QUERN_MADD_S16, p->sums, QN_VALUES(pairs, y), NULL);
  return qn_build_binary(b, QN_OP_ARITH_ADDI, sum, products);
}

/* Where products and sums are two instructions, the factor comes from memory at an address that
 * changes, or the products would be made once in front of the loop. */
static qn_value *load_factor(const peak *p, qn_builder *b, qn_value *base, int64_t chain) {
  qn_value *at = qn_build_binary(b, QN_OP_ARITH_ADDI, base, qn_build_index(b, chain * p->bytes));
  const qn_type *bytes = p->probe.bytes;
  qn_value *loaded = qn_build_1(b, QN_OP_VECTOR_LOAD, bytes, QN_VALUES(p->probe.input, at), NULL);
  if (bytes == p->factors) return loaded;
  return qn_build_1(b, QN_OP_VECTOR_BITCAST, p->factors, QN_VALUES(loaded), NULL);
}

/* Rounds of all chains; the sum of all. */
static qn_value *build_rounds(peak *p) {
  qn_builder *b = &p->probe.b;
  qn_value *zero = qn_build_int(b, 0, p->sums), *ones = qn_build_int(b, 1, p->widened);
  qn_value *y = load_factor(p, b, qn_build_index(b, 0), CHAINS);
  qn_value *sums[CHAINS];
  for (int i = 0; i < CHAINS; i++) sums[i] = zero;
  qn_op *loop = qn_build_for(b, p->probe.lower, p->probe.upper, qn_build_index(b, 1), sums, CHAINS);
  qn_value **carried = qn_op_body(loop)->args;
  qn_value *odd = qn_build_binary(b, QN_OP_ARITH_ANDI, carried[0], qn_build_index(b, 1));
  qn_value *base = qn_build_binary(b, QN_OP_ARITH_MULI, odd, qn_build_index(b, p->bytes));
  const qn_dot *kind = qn_dot_of(p->probe.target->dot);
  bool in_one = kind->bytes == 1 && !kind->saturates;
  for (int i = 0; i < CHAINS; i++) {
    qn_value *x = in_one ? y : load_factor(p, b, base, i);
    sums[i] = dot(p, b, carried[1 + i], x, y, ones);
  }
  qn_build_yield(b, sums, CHAINS);
  qn_value *total = qn_op_result(loop, 0);
  for (uint32_t i = 1; i < CHAINS; i++)
    total = qn_build_binary(b, QN_OP_ARITH_ADDI, total, qn_op_result(loop, i));
  return total;
}

qn_status qn_probe_peak(qn_context *context, const qn_target *target, double *out_macs_per_second) {
  peak p = peak_of(context, target);
  double seconds;
  QN_TRY(qn_probe_end(&p.probe, build_rounds(&p), ROUNDS, TRIES, &seconds));
  double products = (double)p.bytes / qn_dot_of(target->dot)->bytes;
  *out_macs_per_second = (double)CHAINS * (double)ROUNDS * products / seconds;
  return QN_OK;
}

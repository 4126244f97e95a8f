/* Measures the clock frequency of a busy core with a chain of dependent operations, each of which
 * has a latency of one cycle on every CPU that Quern supports.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/machine/probe.h"

enum {
  CYCLES = 3, /* cycles per link: shift, exclusive or, addition */
  LINKS = 16, /* links per round: enough to hide the loop overhead */
  ROUNDS = 10000,
  TRIES = 10,
};

static qn_value *build_chain(qn_probe *p) {
  qn_builder *b = &p->b;
  const qn_type *i64 = qn_type_i(p->cx, 64);
  qn_value *x = qn_build_int(b, 1, i64), *one = x, *odd = qn_build_int(b, 0x55AA55AB, i64);
  qn_op *loop = qn_build_for(b, p->lower, p->upper, qn_build_index(b, 1), &x, 1);
  x = qn_op_body(loop)->args[1];
  for (int i = 0; i < LINKS; i++) {
    qn_value *half = qn_build_binary(b, QN_OP_ARITH_SHRUI, x, one);
    x = qn_build_binary(b, QN_OP_ARITH_ADDI, x, qn_build_binary(b, QN_OP_ARITH_XORI, half, odd));
  }
  qn_build_yield(b, &x, 1);
  int64_t count = p->target->vector_bytes / 8;
  return qn_build_unary(b, QN_OP_VECTOR_BROADCAST, qn_op_result(loop, 0),
                        qn_type_vec(p->cx, i64, count));
}

qn_status qn_probe_clock(qn_context *context, const qn_target *target, double *out_hertz) {
  qn_probe p = qn_probe_begin(context, target, 1);
  double seconds;
  QN_TRY(qn_probe_end(&p, build_chain(&p), ROUNDS, TRIES, &seconds));
  *out_hertz = (double)CYCLES * (double)LINKS * (double)ROUNDS / seconds;
  return QN_OK;
}

/* Measures the bandwidth of reading a buffer of a given size: consecutive vectors, added to
 * independent accumulators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/machine/probe.h"

enum {
  STREAMS = 8,            /* vectors per step: enough concurrent loads for any memory level */
  PASSES_BYTES = 1 << 24, /* minimum number of bytes read per measurement */
  TRIES = 5,
};

/* Builds the loops: each round reads the whole buffer once. */
static qn_value *build_rounds(qn_probe *p) {
  qn_builder *b = &p->b;
  int64_t width = p->target->vector_bytes, stride = STREAMS * width;
  qn_value *sums[STREAMS], *zero = qn_build_index(b, 0), *one = qn_build_index(b, 1);
  qn_value *step = qn_build_index(b, stride), *end = qn_build_index(b, p->input_bytes);
  for (int i = 0; i < STREAMS; i++) sums[i] = qn_build_int(b, 0, p->bytes);
  qn_op *rounds = qn_build_for(b, p->lower, p->upper, one, sums, STREAMS);
  qn_op *steps = qn_build_for(b, zero, end, step, qn_op_body(rounds)->args + 1, STREAMS);
  qn_value **carried = qn_op_body(steps)->args;
  for (int i = 0; i < STREAMS; i++) {
    qn_value *at = qn_build_binary(b, QN_OP_ARITH_ADDI, carried[0], qn_build_index(b, i * width));
    qn_value *x = qn_build_1(b, QN_OP_VECTOR_LOAD, p->bytes, QN_VALUES(p->input, at), NULL);
    sums[i] = qn_build_binary(b, QN_OP_ARITH_ADDI, carried[1 + i], x);
  }
  qn_build_yield(b, sums, STREAMS);
  for (uint32_t i = 0; i < STREAMS; i++) sums[i] = qn_op_result(steps, i);
  qn_build_yield(b, sums, STREAMS);
  qn_value *total = qn_op_result(rounds, 0);
  for (uint32_t i = 1; i < STREAMS; i++)
    total = qn_build_binary(b, QN_OP_ARITH_ADDI, total, qn_op_result(rounds, i));
  return total;
}

qn_status qn_probe_bandwidth(qn_context *context, const qn_target *target, size_t bytes,
                             double *out_bytes_per_second) {
  int64_t stride = STREAMS * target->vector_bytes;
  int64_t whole = (int64_t)bytes / stride * stride;
  QN_ASSERT(whole > 0);
  int64_t rounds = 1 + PASSES_BYTES / whole;
  qn_probe p = qn_probe_begin(context, target, whole);
  double seconds;
  QN_TRY(qn_probe_end(&p, build_rounds(&p), rounds, TRIES, &seconds));
  *out_bytes_per_second = (double)rounds * (double)whole / seconds;
  return QN_OK;
}

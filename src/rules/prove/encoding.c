/* Equality of encodings: classes of equal encodings, and pairs that differ.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/prove/state.h"

uint32_t qn_prover_new_encoding(qn_prover *p, uint32_t dtype) {
  uint32_t number = (uint32_t)p->encodings.count;
  qn_array_push(&p->encodings, ((struct qn_encoding){.same = number, .dtype = dtype}));
  return number;
}

uint32_t qn_prover_encoding(const qn_prover *p, uint32_t encoding) {
  QN_ASSERT(encoding < p->encodings.count);
  while (p->encodings.data[encoding].same != encoding) encoding = p->encodings.data[encoding].same;
  return encoding;
}

void qn_prover_equate_encodings(qn_prover *p, uint32_t a, uint32_t b) {
  if (a == QN_PROVER_UNKNOWN || b == QN_PROVER_UNKNOWN) return;
  a = qn_prover_encoding(p, a), b = qn_prover_encoding(p, b);
  if (p->encodings.data[a].dtype == QN_PROVER_UNKNOWN)
    p->encodings.data[a].dtype = p->encodings.data[b].dtype;
  p->encodings.data[b].same = a;
}

qn_proof qn_prover_compare_encodings(const qn_prover *p, uint32_t a, uint32_t b) {
  if (a == QN_PROVER_UNKNOWN || b == QN_PROVER_UNKNOWN) return QN_PROOF_OPEN;
  a = qn_prover_encoding(p, a), b = qn_prover_encoding(p, b);
  if (a == b) return QN_PROOF_HOLDS;
  uint32_t x = p->encodings.data[a].dtype, y = p->encodings.data[b].dtype;
  if (x != QN_PROVER_UNKNOWN && y != QN_PROVER_UNKNOWN && x != y) return QN_PROOF_FAILS;
  bool codes = x == QN_PROVER_UNKNOWN || qn_rule_dtypes[x][0] == 'Q';
  if (x == y && !codes) return QN_PROOF_HOLDS;
  for (size_t i = 0; i < p->differing.count; i++) {
    uint32_t c = qn_prover_encoding(p, p->differing.data[i].a);
    uint32_t d = qn_prover_encoding(p, p->differing.data[i].b);
    if ((c == a && d == b) || (c == b && d == a)) return QN_PROOF_FAILS;
  }
  return QN_PROOF_OPEN;
}

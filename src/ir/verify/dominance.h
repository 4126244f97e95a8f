/* Dominance between the blocks of a region, computed at the first query.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_DOMINANCE_H
#define QN_IR_DOMINANCE_H

#include "base/map.h"
#include "ir/op.h"

typedef struct qn_dominance {
  qn_arena arena;
  qn_map blocks; /* block -> its node */
} qn_dominance;

void qn_dominance_init(qn_dominance *dominance);
void qn_dominance_deinit(qn_dominance *dominance);

/* Whether every path from the region's entry to `b` goes through `a`. Both must be blocks of the
 * same region. True if `b` is unreachable, as in MLIR. The region must not change between
 * queries. */
bool qn_block_dominates(qn_dominance *dominance, const qn_block *a, const qn_block *b);

#endif

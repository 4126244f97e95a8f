/* Chains: consecutive ops of a function that can be computed in bands of rows.
 *
 *   before: %1 = conv(%0)    %2 = depthwise(%1)    %3 = conv(%2)      %1 and %2 exist as a whole
 *   after:  for each band of rows of %3: slices of %0, then the same ops on as many rows as the
 *           next one reads; %3 is the concatenation of the bands
 *
 * Rows that two bands read are computed twice, except those of the values that enter the chain.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_BANDS_CHAIN_H
#define QN_LOWER_BANDS_CHAIN_H

#include "ir/module.h"
#include "lower/bands/rows.h"

enum { QN_CHAIN_OPS = 32, QN_CHAIN_BANDS = 64 };

typedef struct qn_chain {
  qn_op *ops[QN_CHAIN_OPS]; /* in the order of the function, which is that of their operands */
  uint32_t count;
} qn_chain;

/* The op of the function that has number `index` if constants are not counted; NULL if none. */
qn_op *qn_chain_op(const qn_op *func, uint32_t index);

/* Collects ops `first` to `last`. Returns false unless each can compute some rows alone, only the
 * last one's result is read by other ops, and there are at most QN_CHAIN_OPS. */
bool qn_chain_find(const qn_op *func, uint32_t first, uint32_t last, qn_chain *out);

/* Rows of a band, if `bands` bands are made: the last one may have fewer. Returns 0 if the result
 * has no so many bands, or if `bands` is not in 2 to QN_CHAIN_BANDS. */
int64_t qn_chain_height(const qn_chain *chain, int64_t bands);

/* The rows of each op's result that a band of the last one's needs. Returns false if an op would
 * read padding alone. */
bool qn_chain_rows(const qn_chain *chain, qn_rows band, qn_rows out_rows[QN_CHAIN_OPS]);

/* What a chain takes in bands. */
typedef struct qn_chain_cost {
  int64_t macs;       /* of all bands */
  int64_t whole_macs; /* of the chain without bands */
  int64_t bytes;      /* most bytes of tensors between its ops that are live at once, estimated */
} qn_chain_cost;
/* Returns false if the chain can't be computed in bands of `height` rows. */
bool qn_chain_estimate(const qn_chain *chain, int64_t height, qn_chain_cost *out_cost);

/* Replaces the ops of the chain by bands of `height` rows, for which there is an estimate. The last
 * op's tensor of the model is then that of the concatenation. */
void qn_chain_build(qn_module *module, const qn_chain *chain, int64_t height, qn_arena *scratch);

#endif

/* Cache of proved requantization forms. A search takes from tens of microseconds to a millisecond,
 * and layers repeat their parameters, so results are stored under all parameters that the search
 * depends on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PROOFS_H
#define QN_LOWER_LOOPS_PROOFS_H

#include "lower/loops/loops.h"
#include "quant/corrected_form.h"
#include "quant/paired_form.h"
#include "quant/long_form.h"

typedef struct qn_proofs qn_proofs;

qn_proofs *qn_proofs_create(qn_arena *arena);
void qn_proofs_destroy(qn_proofs *proofs); /* NULL is allowed */
/* Number of searches made, cache hits not counted. */
uint32_t qn_proofs_searched(const qn_proofs *proofs);

/* The result of qn_fma_form_find for one channel with this requantization and accumulator range. */
qn_fma_form qn_proofs_fma(qn_proofs *proofs, const qn_requant *requant, qn_interval range);

/* Channels of one query. Those that are not in the cache are searched by several threads. */
typedef struct qn_proofs_channels {
  const qn_requant *requants;
  const qn_interval *ranges;
  const int64_t *channels; /* [count] channel indices, negative: skip; NULL: 0 to count - 1 */
  int64_t count;
} qn_proofs_channels;
/* Results per channel of qn_fma_form_find, qn_fma_form_find_bits, qn_fma_form_find_truncated and
 * qn_long_form_find. */
void qn_proofs_fma_all(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms);
void qn_proofs_bits(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms);
void qn_proofs_truncated(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms);
void qn_proofs_long(qn_proofs *proofs, qn_proofs_channels of, qn_long_form *out_forms);

/* The result of `search(user)`, cached under `numbers`. The search must depend on nothing but these
 * `count` numbers. */
typedef qn_fma2_form qn_fma2_search(const void *user);
qn_fma2_form qn_proofs_fma2(qn_proofs *proofs, const int32_t *numbers, uint32_t count,
                            qn_fma2_search *search, const void *user);
typedef qn_paired_form qn_paired_search(const void *user);
const qn_paired_form *qn_proofs_paired(qn_proofs *proofs, const int32_t *numbers, uint32_t count,
                                       qn_paired_search *search, const void *user);
typedef qn_corrected_form qn_corrected_search(const void *user);
const qn_corrected_form *qn_proofs_corrected(qn_proofs *proofs, const int32_t *numbers,
                                             uint32_t count, qn_corrected_search *search,
                                             const void *user);

#endif

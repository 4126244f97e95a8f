/* Searches for a cheap requantization cost tens of microseconds to a millisecond, and layers repeat
 * their parameters: what a search found is kept by everything that went into it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PROOFS_H
#define QN_LOWER_LOOPS_PROOFS_H

#include "lower/loops/loops.h"
#include "quant/corrected_form.h"
#include "quant/split_form.h"

typedef struct qn_proofs qn_proofs;

qn_proofs *qn_proofs_create(qn_arena *arena);
void qn_proofs_destroy(qn_proofs *proofs); /* NULL is allowed */
/* How many searches were made. */
uint32_t qn_proofs_searched(const qn_proofs *proofs);

/* As qn_fma_form_find, of the steps of a channel. */
qn_fma_form qn_proofs_fma(qn_proofs *proofs, const qn_requant *requant, qn_interval range);

/* Channels that are asked about together: each is known or searched for, in several threads. */
typedef struct qn_proofs_channels {
  const qn_requant *requants;
  const qn_interval *ranges;
  const int64_t *channels; /* negative: none; NULL: from 0 on */
  int64_t count;
} qn_proofs_channels;
/* As qn_fma_form_find, _find_bits, _find_truncated and qn_split_form_find, by channel. */
void qn_proofs_fma_all(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms);
void qn_proofs_bits(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms);
void qn_proofs_truncated(qn_proofs *proofs, qn_proofs_channels of, qn_fma_form *out_forms);
void qn_proofs_split(qn_proofs *proofs, qn_proofs_channels of, qn_split_form *out_forms);

/* What `search` finds for `count` numbers that it depends on and nothing else. */
typedef qn_fma2_form qn_fma2_search(const void *user);
qn_fma2_form qn_proofs_fma2(qn_proofs *proofs, const int32_t *numbers, uint32_t count,
                            qn_fma2_search *search, const void *user);
typedef qn_corrected_form qn_corrected_search(const void *user);
const qn_corrected_form *qn_proofs_corrected(qn_proofs *proofs, const int32_t *numbers,
                                             uint32_t count, qn_corrected_search *search,
                                             const void *user);

#endif

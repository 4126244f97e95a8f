/* Literals of quantized type as stored 8-bit integers, whose signedness is that of the type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_STORED_H
#define QN_PASSES_SUPPORT_STORED_H

#include "passes/support/graph.h"

/* The stored bytes of an ml.const with 8-bit storage, an entry per element also for splats.
 * *out_count is the number of elements. */
uint8_t *qn_stored_bytes(qn_rewriter *rw, const qn_value *literal, int64_t *out_count);
/* Builds an ml.const of a quantized type with 8-bit storage. */
qn_value *qn_build_stored(qn_rewriter *rw, const qn_type *type, const uint8_t *bytes,
                          int64_t count);

#endif

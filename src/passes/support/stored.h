/* Literals of quantized type as stored integers of 8 bits and the sign of their type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_STORED_H
#define QN_PASSES_SUPPORT_STORED_H

#include "passes/support/graph.h"

/* Element by element, the stored bytes of an ml.const whose storage has 8 bits; `count` elements.
 */
uint8_t *qn_stored_bytes(qn_rewriter *rw, const qn_value *literal, int64_t *out_count);
/* An ml.const of a quantized type of 8 bits. */
qn_value *qn_build_stored(qn_rewriter *rw, const qn_type *type, const uint8_t *bytes,
                          int64_t count);

#endif

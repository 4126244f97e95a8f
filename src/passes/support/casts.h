/* Ranges and resolutions of scalar types, to decide which values a cast preserves.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_CASTS_H
#define QN_PASSES_SUPPORT_CASTS_H

#include "passes/support/graph.h"

typedef struct qn_extent {
  double low, high, resolution;
} qn_extent;

/* Range and resolution of a scalar type of the model dialect; resolutions are upstream's. */
qn_extent qn_extent_of(const qn_type *scalar);
/* Range and resolution of values with the extent `a` after a cast to the type. */
qn_extent qn_extent_through(qn_extent a, const qn_type *scalar);

/* Whether `to` can represent every value of `from`. */
bool qn_cast_holds(const qn_type *from, const qn_type *to);
/* The rule "ml.cast"(%x : t) : t  ->  %x */
extern const qn_graph_rule qn_cast_to_same;
/* Whether the op expands a compressed weight, which must stay compressed: a quant.dcast, or an
 * ml.cast to a wider float, of a constant. */
bool qn_decompresses(const qn_op *op);

#endif

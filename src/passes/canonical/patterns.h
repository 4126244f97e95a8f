/* The patterns of canonicalize, by file, and the state they share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_CANONICAL_PATTERNS_H
#define QN_PASSES_CANONICAL_PATTERNS_H

#include "pass/rewrite.h"
#include "passes/canonical/constants.h"

typedef struct qn_canonical {
  qn_constants constants;
  struct qn_folder *folder;
  bool relaxed; /* quantize then dequantize is taken for the identity */
} qn_canonical;

/* arithmetic.c */
qn_pattern_fn qn_canonical_order;    /* the constant operand of a commutative op goes last */
qn_pattern_fn qn_canonical_identity; /* x + 0, x * 1, x & x ... */
qn_pattern_fn qn_canonical_combine;  /* (x + c1) + c2 */
qn_pattern_fn qn_canonical_select;
/* casts.c */
qn_pattern_fn qn_canonical_cast_pair;
qn_pattern_fn qn_canonical_stored_constant;
/* Whether quantizing what a dcast made gives back every stored value of the type. */
bool qn_canonical_survives(const qn_type *quantized);
/* shapes.c */
qn_pattern_fn qn_canonical_dim;
qn_pattern_fn qn_canonical_extract;
/* control.c */
qn_pattern_fn qn_canonical_empty_loop;

#endif

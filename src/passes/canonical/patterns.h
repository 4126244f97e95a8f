/* The patterns of canonicalize, by file, and their shared state.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_CANONICAL_PATTERNS_H
#define QN_PASSES_CANONICAL_PATTERNS_H

#include "pass/rewrite.h"
#include "passes/canonical/constants.h"

typedef struct qn_canonical {
  qn_constants constants;
  struct qn_folder *folder;
  bool relaxed; /* with upstream-compatible: dcast(qcast(x)) is treated as x */
} qn_canonical;

/* arithmetic.c */
/* moves the constant operand of a commutative op to the right */
qn_pattern_fn qn_canonical_order;
qn_pattern_fn qn_canonical_identity; /* x + 0, x * 1, x & x ... */
qn_pattern_fn qn_canonical_combine;  /* (x + c1) + c2 */
qn_pattern_fn qn_canonical_select;
/* casts.c */
qn_pattern_fn qn_canonical_cast_pair;
qn_pattern_fn qn_canonical_stored_constant;
/* Whether quantizing a dequantized value restores it, for every stored value of the type. */
bool qn_canonical_survives(const qn_type *quantized);
/* shapes.c */
qn_pattern_fn qn_canonical_dim;
qn_pattern_fn qn_canonical_extract;
/* control.c */
qn_pattern_fn qn_canonical_empty_loop;

#endif

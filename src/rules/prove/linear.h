/* Sizes as symbols: linear forms over atoms, an atom being a size that is not known, or what a
 * function gives for some. Atoms of the same words are one; equalities are substitutions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PROVE_LINEAR_H
#define QN_RULES_PROVE_LINEAR_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "base/str.h"

enum { QN_LINEAR_PARTS = 6 };

/* constant + sum of factor * atom, atoms ascending, no factor 0. */
typedef struct qn_linear {
  int64_t constant;
  uint32_t count;
  struct {
    uint32_t atom;
    int64_t factor;
  } parts[QN_LINEAR_PARTS];
} qn_linear;

typedef struct qn_linear_space {
  qn_arena *arena;
  qn_str_map atoms; /* words -> number + 1 */
  uint32_t count;
  QN_ARRAY(struct qn_linear_known {
    const qn_linear *is; /* what it is equal to, or NULL */
    uint32_t order;      /* substitutions name only atoms that were free then */
  })
  known; /* by atom */
  uint32_t substitutions;
} qn_linear_space;

void qn_linear_deinit(qn_linear_space *space);

qn_linear qn_linear_constant(int64_t value);
qn_linear qn_linear_atom(qn_linear_space *space, qn_str words);
/* Written with what is free. */
qn_linear qn_linear_reduce(const qn_linear_space *space, const qn_linear *a);
/* a + factor * b. False: too many parts, or too large. */
bool qn_linear_add(const qn_linear_space *space, const qn_linear *a, int64_t factor,
                   const qn_linear *b, qn_linear *out_sum);
/* From here on a = b. */
void qn_linear_equate(qn_linear_space *space, const qn_linear *a, const qn_linear *b);
/* Words that two forms share when they are equal. */
void qn_linear_put(const qn_linear_space *space, const qn_linear *a, qn_text *out);

typedef enum qn_proof {
  QN_PROOF_HOLDS,
  QN_PROOF_OPEN, /* decided where it is applied */
  QN_PROOF_FAILS,
} qn_proof;
qn_proof qn_linear_compare(const qn_linear_space *space, const qn_linear *a, const qn_linear *b);

#endif
